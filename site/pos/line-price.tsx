import { useState } from 'react'
import { TAKA_INPUT } from '#components/taka-field.tsx'
import { isPriceSet, type PosLine } from '#features/pos/rules.ts'
import { formatTaka } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { typedAmount } from './sale.ts'

/** The unit price; a click makes it an input. A price that differs from the list price is highlighted and needs a supervisor. */
export function LinePrice({ line, onChange }: { line: PosLine; onChange: (changes: Partial<PosLine>) => void }) {
  const { t, lang } = useI18n()
  const [typed, setTyped] = useState<string | null>(null)
  const [before, setBefore] = useState(line.price)
  const [isClosedByKey, setClosedByKey] = useState(false)
  const listPrice = line.listPrice ?? line.price
  const unit = t(`catalog.unit.${line.unit}`)
  // Every key changes the sale, so that a scan into this field can be undone like in any other field.
  function type(text: string) {
    setTyped(text)
    const price = text.trim() === '' ? listPrice : typedAmount(text)
    if (price !== null) onChange({ price, listPrice })
  }
  if (typed !== null)
    return (
      <input
        aria-label={t('pos.price-of', { name: line.name })}
        {...TAKA_INPUT}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened by a click
        autoFocus
        className="tabular-nums min-h-11 w-28 rounded-card border border-stone/80 bg-white px-2 aria-invalid:border-2 aria-invalid:border-terracotta"
        aria-invalid={typedAmount(typed) === null || undefined}
        value={typed}
        onChange={({ target }) => type(target.value)}
        onFocus={({ target }) => target.select()}
        onBlur={() => setTyped(null)}
        onKeyDown={({ key }) => {
          if (key === 'Escape') onChange({ price: before, listPrice })
          if (key !== 'Enter' && key !== 'Escape') return
          setClosedByKey(true)
          setTyped(null)
        }}
      />
    )
  return (
    <button
      type="button"
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the focus of the input that a key closed
      autoFocus={isClosedByKey}
      className="tabular-nums -ms-1 min-h-11 rounded-card px-1 lg:pointer-fine:min-h-7 text-start text-sm text-stone underline decoration-dotted underline-offset-4 hover:bg-leaf-100"
      title={t('pos.set-price')}
      onClick={() => {
        setBefore(line.price)
        setClosedByKey(false)
        setTyped(localizeDigits(lang, (line.price / 100).toFixed(2)))
      }}
    >
      {isPriceSet(line) ? <s className="me-1">{formatTaka(listPrice, lang)}</s> : null}
      <span className={isPriceSet(line) ? 'font-semibold text-indigo' : ''}>{formatTaka(line.price, lang)}</span> / {unit}
      <span className="sr-only">{t('pos.set-price-of', { name: line.name })}</span>
    </button>
  )
}
