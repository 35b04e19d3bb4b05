import { TAKA_INPUT } from '#components/taka-field.tsx'
import { memo, useEffect, useRef, useState } from 'react'
import { MinusIcon, PlusIcon, TrashIcon } from '#components/icons.tsx'
import { canBeTyped, isPriceSet, readPosQuantity, stepQuantity, type PosLine, posLineTotal } from '#features/pos/rules.ts'
import { formatTaka, formatTakaExact } from '#lib/format/money.ts'
import { useI18n } from '#page/page-context.tsx'
import { typedAmount } from './sale.ts'

const STEP = 'grid size-11 shrink-0 place-items-center rounded-card border border-stone/60 bg-white hover:bg-leaf-100 disabled:opacity-40'

interface PosLinesProps {
  lines: PosLine[]
  /** The line added last is highlighted and scrolled into view. */
  last: { id: number } | null
  isOnline: boolean
  /** A supervisor must approve the sale, which needs the network. */
  needsSupervisor: boolean
  /** Stable functions: a line renders only when its own props change. */
  onChange: (id: number, changes: Partial<PosLine>) => void
  onRemove: (id: number) => void
}

/** The lines of the sale, newest last: decimal quantities, step buttons, and remove. */
export function PosLines({ lines, last, isOnline, needsSupervisor, onChange, onRemove }: PosLinesProps) {
  const { t } = useI18n()
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (last) list.current?.querySelector('[data-last]')?.scrollIntoView({ block: 'nearest' })
  }, [last])
  if (lines.length === 0)
    return <p className="rounded-card border-2 border-dashed border-line p-8 text-center text-stone">{t('pos.empty-list')}</p>
  return (
    <ul ref={list} aria-label={t('pos.selected')} className="divide-y divide-line rounded-card border border-line bg-milk">
      {lines.map((line) => (
        <Line
          key={line.id}
          line={line}
          isLast={line.id === last?.id}
          isOnline={isOnline}
          needsSupervisor={needsSupervisor}
          onChange={onChange}
          onRemove={onRemove}
        />
      ))}
    </ul>
  )
}

interface LineProps extends Omit<PosLinesProps, 'lines' | 'last'> {
  line: PosLine
  isLast: boolean
}

/** Memoized: a scan renders only its own line. */
const Line = memo(function Line({ line, isLast, isOnline, needsSupervisor, onChange, onRemove }: LineProps) {
  const { t, lang } = useI18n()
  const isWrong = readPosQuantity(line.quantity) === null
  const { id, name } = line
  const set = (quantity: string) => onChange(id, { quantity })
  const warning = isOnline ? null : lineWarning(line, needsSupervisor)
  return (
    <li
      data-last={isLast || undefined}
      className={`flex scroll-mt-44 scroll-mb-28 flex-wrap items-center gap-x-3 gap-y-2 p-3 ${isLast ? 'bg-tag-100' : ''}`}
    >
      <img src={line.image ?? '/uploads/logo.png'} alt="" width={48} height={48} className="size-12 rounded-tag object-cover" />
      <span className="min-w-0 grow basis-40">
        <span className="line-clamp-3 font-semibold break-words" title={name}>
          {name}
        </span>
        <LinePrice line={line} onChange={(changes) => onChange(id, changes)} />
        {warning ? (
          <span role="status" className="block text-sm font-semibold text-terracotta">
            {t(warning)}
          </span>
        ) : null}
      </span>
      <span className="flex items-center gap-1 max-sm:order-1">
        <button
          type="button"
          className={STEP}
          aria-label={t('pos.less', { name })}
          disabled={line.isAnimal || isWrong}
          onClick={() => set(stepQuantity(line.quantity, -1))}
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
          className="tabular-nums min-h-11 w-20 rounded-card border border-stone/60 bg-white px-2 text-center text-lg aria-invalid:border-2 aria-invalid:border-terracotta read-only:bg-sand"
          onChange={({ target }) => canBeTyped(target.value) && set(target.value)}
        />
        <button
          type="button"
          className={STEP}
          aria-label={t('pos.more', { name })}
          disabled={line.isAnimal}
          onClick={() => set(stepQuantity(line.quantity, 1))}
        >
          <PlusIcon size={18} />
        </button>
      </span>
      <span className="tabular-nums ms-auto min-w-24 max-sm:order-1 text-end text-lg font-semibold">
        {formatTakaExact(posLineTotal(line), lang)}
      </span>
      <button type="button" className={STEP} aria-label={t('pos.remove', { name })} onClick={() => onRemove(id)}>
        <TrashIcon size={18} />
      </button>
    </li>
  )
})

/** Why a line cannot be sold offline. */
function lineWarning(line: PosLine, needsSupervisor: boolean) {
  if (line.isAnimal) return 'pos.animal-needs-network'
  if (needsSupervisor && line.isHeld) return 'pos.alone.held'
  return needsSupervisor && isPriceSet(line) ? 'pos.alone.price' : null
}

/** The unit price; a click makes it an input. A price that differs from the list price is highlighted and needs a supervisor. */
function LinePrice({ line, onChange }: { line: PosLine; onChange: (changes: Partial<PosLine>) => void }) {
  const { t, lang } = useI18n()
  const [typed, setTyped] = useState<string | null>(null)
  const [before, setBefore] = useState(line.price)
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
        className="tabular-nums min-h-11 w-28 rounded-card border border-stone/60 bg-white px-2 aria-invalid:border-2 aria-invalid:border-terracotta"
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
      className="tabular-nums -ms-1 min-h-11 rounded-card px-1 text-start text-sm text-stone underline decoration-dotted underline-offset-4 hover:bg-leaf-100"
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
