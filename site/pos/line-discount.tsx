import { TAKA_INPUT } from '#components/taka-field.tsx'
import { isPercentage, lineDiscount, togglePercentage } from '#features/pos/discount-rules.ts'
import type { PosLine } from '#features/pos/rules.ts'
import { formatTaka, type Poisha } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { useLocalDigits } from './use-local-digits.ts'

interface LineDiscountProps {
  line: PosLine
  onChange: (changes: Partial<PosLine>) => void
}

/** The discount on a line, in taka or as a percentage; a button until one is given. */
export function LineDiscount({ line, onChange }: LineDiscountProps) {
  const { t, lang } = useI18n()
  const field = useLocalDigits(line.discount ?? '')
  const { name, discount: typed } = line
  if (typed === undefined)
    return (
      <button
        type="button"
        className="min-h-11 rounded-card px-1 lg:pointer-fine:min-h-7 text-sm text-stone underline decoration-dotted underline-offset-4 hover:bg-leaf-100"
        onClick={() => onChange({ discount: '' })}
      >
        {t('pos.discount')}
        <span className="sr-only">: {name}</span>
      </button>
    )
  const amount = lineDiscount(line)
  return (
    <span
      className="flex flex-wrap items-center gap-1 text-sm"
      onBlur={({ currentTarget, relatedTarget }) => {
        // Tab leads on to the percent sign.
        if (typed.trim() === '' && !currentTarget.contains(relatedTarget)) onChange({ discount: undefined })
      }}
    >
      <input
        id={`pos-line-discount-${line.id}`}
        aria-label={t('pos.discount-of', { name })}
        {...TAKA_INPUT}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened by a click
        autoFocus={typed === ''}
        placeholder={localizeDigits(lang, '0.00')}
        className="tabular-nums min-h-11 w-20 rounded-card text-base border border-stone/80 bg-white px-2 aria-invalid:border-2 aria-invalid:border-terracotta"
        aria-invalid={amount === null || undefined}
        value={field.shown}
        onChange={({ target }) => {
          field.type(target.value)
          onChange({ discount: target.value })
        }}
        onBlur={field.leave}
      />
      <PercentButton typed={typed} label={t('pos.percent-of', { name })} onChange={(discount) => onChange({ discount })} />
      {amount !== null && amount > 0 ? (
        <span className="tabular-nums font-semibold text-indigo">{formatTaka(-amount as Poisha, lang)}</span>
      ) : null}
    </span>
  )
}

/** Turns a typed discount into a percentage and back: phone keyboards for numbers have no percent sign. */
export function PercentButton({ typed, label, onChange }: { typed: string; label: string; onChange: (typed: string) => void }) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={isPercentage(typed)}
      className="grid size-11 shrink-0 place-items-center rounded-card text-lg font-semibold hover:bg-leaf-100 aria-pressed:bg-leaf-600 aria-pressed:text-white"
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onChange(togglePercentage(typed))}
    >
      %
    </button>
  )
}
