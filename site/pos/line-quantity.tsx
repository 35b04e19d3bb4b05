import { MinusIcon, PlusIcon } from '#components/icons.tsx'
import { lineQuantity, quantityProblem, stepMilli, stepQuantity, type PosLine } from '#features/pos/rules.ts'
import { MAX_TYPED_QUANTITY_LENGTH } from '#lib/format/input-limits.ts'
import { formatQuantity, unitName } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { useLocalDigits } from './use-local-digits.ts'

export const STEP_BUTTON =
  'grid size-11 shrink-0 place-items-center rounded-card border border-stone/80 bg-white hover:bg-leaf-100 disabled:opacity-40'

interface LineQuantityProps {
  line: PosLine
  /** The id of the texts about the quantity. */
  describedBy: string
  onChange: (quantity: string) => void
}

/** The quantity of a line: a field that keeps what is typed, step buttons, and what is counted with its unit. */
export function LineQuantity({ line, describedBy, onChange }: LineQuantityProps) {
  const { t, lang } = useI18n()
  const { name, quantity, isAnimal } = line
  const milli = lineQuantity(line)
  const isWrong = quantityProblem(line) !== null
  const step = stepMilli(line.sizesMilli) / 1000
  const field = useLocalDigits(quantity)
  return (
    <span className="flex flex-col items-center @max-lg:order-1 @max-lg:flex-row @max-lg:gap-2">
      <span className="flex items-center gap-1">
        <button
          type="button"
          className={STEP_BUTTON}
          aria-label={t('pos.less', { name })}
          disabled={isAnimal || milli === null}
          onClick={() => onChange(stepQuantity(line, -step))}
        >
          <MinusIcon size={18} />
        </button>
        <input
          id={`pos-quantity-${line.id}`}
          aria-label={t('pos.quantity', { name })}
          aria-invalid={isWrong || undefined}
          aria-describedby={describedBy}
          inputMode="decimal"
          autoComplete="off"
          readOnly={isAnimal}
          maxLength={MAX_TYPED_QUANTITY_LENGTH}
          value={field.shown}
          className="tabular-nums min-h-11 w-20 rounded-card border border-stone/80 bg-white px-2 text-center text-lg aria-invalid:border-2 aria-invalid:border-terracotta read-only:bg-sand"
          onChange={({ target }) => {
            field.type(target.value)
            onChange(target.value)
          }}
          onBlur={field.leave}
        />
        <button
          type="button"
          className={STEP_BUTTON}
          aria-label={t('pos.more', { name })}
          disabled={isAnimal}
          onClick={() => onChange(stepQuantity(line, step))}
        >
          <PlusIcon size={18} />
        </button>
      </span>
      <span className="tabular-nums text-sm text-stone" data-counted>
        {milli === null ? unitName(line.unit, lang) : formatQuantity(milli, line.unit, lang)}
      </span>
    </span>
  )
}
