import { useState } from 'react'
import { MinusIcon, PlusIcon, TrashIcon } from '#components/icons.tsx'
import { canBeTyped, isPriceSet, readTillQuantity, stepQuantity, type TillLine, tillLineTotal } from '#features/pos/rules.ts'
import { formatTaka } from '#lib/money.ts'
import { digitsIn } from '#lib/numbers.ts'
import { useI18n } from '#site/app-root.tsx'
import { typedAmount } from './sale.ts'

const STEP = 'grid size-11 shrink-0 place-items-center rounded-card border border-stone/60 bg-white hover:bg-leaf-100 disabled:opacity-40'

interface TillLinesProps {
  lines: TillLine[]
  /** The line that was added last stands out. */
  lastId: number | null
  isOnline: boolean
  onChange: (lines: TillLine[]) => void
}

/** What is sold, the newest below: quantities as free decimals, by steps of one, or gone. */
export function TillLines({ lines, lastId, isOnline, onChange }: TillLinesProps) {
  const { t, lang } = useI18n()
  const set = (line: TillLine, quantity: string) => onChange(lines.map((one) => (one === line ? { ...line, quantity } : one)))
  if (lines.length === 0)
    return <p className="rounded-card border-2 border-dashed border-line p-8 text-center text-stone">{t('pos.empty-list')}</p>
  return (
    <ul aria-label={t('pos.selected')} className="divide-y divide-line rounded-card border border-line bg-milk">
      {lines.map((line) => {
        const isWrong = readTillQuantity(line.quantity) === null
        const { name } = line
        return (
          <li key={line.id} className={`flex flex-wrap items-center gap-x-3 gap-y-2 p-3 ${line.id === lastId ? 'bg-tag-100' : ''}`}>
            <img src={line.image ?? '/logo.png'} alt="" width={48} height={48} className="size-12 rounded-tag object-cover" />
            <span className="min-w-0 grow basis-40">
              <span className="block font-semibold break-words">{name}</span>
              <LinePrice line={line} onChange={(changes) => onChange(lines.map((one) => (one === line ? { ...line, ...changes } : one)))} />
              {line.isAnimal && !isOnline ? (
                <span role="status" className="block text-sm font-semibold text-terracotta">
                  {t('pos.animal-needs-network')}
                </span>
              ) : null}
            </span>
            <span className="flex items-center gap-1 max-sm:order-1">
              <button
                type="button"
                className={STEP}
                aria-label={t('pos.less', { name })}
                disabled={line.isAnimal || isWrong}
                onClick={() => set(line, stepQuantity(line.quantity, -1))}
              >
                <MinusIcon size={18} />
              </button>
              <input
                aria-label={t('pos.quantity', { name })}
                aria-invalid={isWrong || undefined}
                inputMode="decimal"
                autoComplete="off"
                readOnly={line.isAnimal}
                value={line.quantity}
                className="figures min-h-11 w-20 rounded-card border border-stone/60 bg-white px-2 text-center text-lg aria-invalid:border-2 aria-invalid:border-terracotta read-only:bg-sand"
                onChange={({ target }) => canBeTyped(target.value) && set(line, target.value)}
              />
              <button
                type="button"
                className={STEP}
                aria-label={t('pos.more', { name })}
                disabled={line.isAnimal}
                onClick={() => set(line, stepQuantity(line.quantity, 1))}
              >
                <PlusIcon size={18} />
              </button>
            </span>
            <span className="figures ms-auto min-w-24 max-sm:order-1 text-end text-lg font-semibold">
              {digitsIn(lang, `৳${(tillLineTotal(line) / 100).toFixed(2)}`)}
            </span>
            <button
              type="button"
              className={STEP}
              aria-label={t('pos.remove', { name })}
              onClick={() => onChange(lines.filter((one) => one !== line))}
            >
              <TrashIcon size={18} />
            </button>
          </li>
        )
      })}
    </ul>
  )
}

/** The price of a unit; pressed it becomes a field. Another price than the shop's stands out, and a supervisor is asked for it. */
function LinePrice({ line, onChange }: { line: TillLine; onChange: (changes: Partial<TillLine>) => void }) {
  const { t, lang } = useI18n()
  const [typed, setTyped] = useState<string | null>(null)
  const [before, setBefore] = useState(line.price)
  const listPrice = line.listPrice ?? line.price
  const unit = t(`catalog.unit.${line.unit}`)
  // Into the sale with every key, so that a scan which runs into this field is taken out of it as out of every other.
  function type(text: string) {
    setTyped(text)
    const price = text.trim() === '' ? listPrice : typedAmount(text)
    if (price !== null) onChange({ price, listPrice })
  }
  if (typed !== null)
    return (
      <input
        aria-label={t('pos.price-of', { name: line.name })}
        inputMode="decimal"
        autoComplete="off"
        maxLength={14}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it was asked for
        autoFocus
        className="figures min-h-11 w-28 rounded-card border border-stone/60 bg-white px-2 aria-invalid:border-2 aria-invalid:border-terracotta"
        aria-invalid={typedAmount(typed) === null || undefined}
        value={typed}
        onChange={({ target }) => type(target.value)}
        onFocus={({ target }) => target.select()}
        onBlur={() => setTyped(null)}
        onKeyDown={({ key }) => {
          if (key === 'Escape') onChange({ price: before, listPrice })
          if (key === 'Enter' || key === 'Escape') setTyped(null)
        }}
      />
    )
  return (
    <button
      type="button"
      className="figures -ms-1 min-h-11 rounded-card px-1 text-start text-sm text-stone underline decoration-dotted underline-offset-4 hover:bg-leaf-100"
      title={t('pos.set-price')}
      onClick={() => {
        setBefore(line.price)
        setTyped((line.price / 100).toFixed(2))
      }}
    >
      {isPriceSet(line) ? <s className="me-1">{formatTaka(listPrice, lang)}</s> : null}
      <span className={isPriceSet(line) ? 'font-semibold text-indigo' : ''}>{formatTaka(line.price, lang)}</span> / {unit}
      <span className="sr-only">{t('pos.set-price-of', { name: line.name })}</span>
    </button>
  )
}
