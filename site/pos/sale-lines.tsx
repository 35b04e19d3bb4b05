import { memo, useEffect, useId, useRef } from 'react'
import { focusBeside } from '#components/focus-beside.ts'
import { TrashIcon } from '#components/icons.tsx'
import { lineDiscount } from '#features/pos/discount-rules.ts'
import { type PosLine, posLineTotal } from '#features/pos/rules.ts'
import { formatTakaExact, poisha } from '#lib/format/money.ts'
import { useI18n } from '#page/page-context.tsx'
import { LineDiscount } from './line-discount.tsx'
import { LineNoteField } from './line-note-field.tsx'
import { LineNotes } from './line-notes.tsx'
import { LinePrice } from './line-price.tsx'
import { LineQuantity, STEP_BUTTON } from './line-quantity.tsx'
import { useLineStock } from './use-line-stock.ts'

interface PosLinesProps {
  lines: PosLine[]
  saleKey: string
  /** Errors of the last submit by field. */
  errors: Readonly<Record<string, string[]>>
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
export function PosLines({ lines, saleKey, errors, last, isOnline, needsSupervisor, onChange, onRemove }: PosLinesProps) {
  const { t } = useI18n()
  const shortages = useLineStock({ lines, saleKey, isOnline, errors, onChange })
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    // After the paint: scrolling computes the layout at once.
    if (last) requestAnimationFrame(() => list.current?.querySelector('[data-last]')?.scrollIntoView({ block: 'nearest' }))
  }, [last])
  if (lines.length === 0)
    return <p className="rounded-card border-2 border-dashed border-line p-8 text-center text-stone">{t('pos.empty-list')}</p>
  return (
    <ul ref={list} data-lines aria-label={t('pos.selected')} className="divide-y divide-line rounded-card border border-line bg-milk">
      {lines.map((line) => (
        <Line
          key={line.id}
          line={line}
          isLast={line.id === last?.id}
          shortage={shortages.get(line.id) ?? null}
          isOnline={isOnline}
          needsSupervisor={needsSupervisor}
          onChange={onChange}
          onRemove={onRemove}
        />
      ))}
    </ul>
  )
}

interface LineProps extends Omit<PosLinesProps, 'lines' | 'saleKey' | 'errors' | 'last'> {
  line: PosLine
  isLast: boolean
  /** The stock that is left, in thousandths, when the line needs more. */
  shortage: number | null
}

/** Memoized: a scan renders only its own line. */
const Line = memo(function Line({ line, isLast, shortage, isOnline, needsSupervisor, onChange, onRemove }: LineProps) {
  const { t, lang } = useI18n()
  const notesId = useId()
  const { id, name } = line
  const change = (changes: Partial<PosLine>) => onChange(id, changes)
  return (
    <li
      data-last={isLast || undefined}
      className={`flex scroll-mt-44 scroll-mb-28 flex-wrap items-start gap-x-3 gap-y-1 p-3 lg:scroll-m-0 lg:p-2 ${isLast ? 'bg-tag-100' : ''}`}
    >
      <img
        src={line.image ?? '/uploads/logo.png'}
        alt=""
        width={48}
        height={48}
        decoding="async"
        className="size-12 rounded-tag object-cover"
      />
      <span className="min-w-0 grow basis-40">
        <span className="line-clamp-3 font-semibold break-words" title={name}>
          {name}
        </span>
        <span className="flex flex-wrap items-center gap-x-3">
          <LinePrice line={line} onChange={change} />
          <LineDiscount line={line} onChange={change} />
          <LineNoteField line={line} onChange={change} />
        </span>
        <LineNotes id={notesId} line={line} shortage={shortage} isOnline={isOnline} needsSupervisor={needsSupervisor} />
      </span>
      <LineQuantity line={line} describedBy={notesId} onChange={(quantity) => change({ quantity })} />
      <span
        className="tabular-nums ms-auto min-h-11 min-w-24 content-center @max-lg:order-1 text-end text-lg font-semibold"
        data-line-total
      >
        {formatTakaExact(poisha(posLineTotal(line) - (lineDiscount(line) ?? 0)), lang)}
      </span>
      <button
        type="button"
        className={STEP_BUTTON}
        aria-label={t('pos.remove', { name })}
        onClick={(event) => {
          focusBeside(event, 'li', 'pos-search')
          onRemove(id)
        }}
      >
        <TrashIcon size={18} />
      </button>
    </li>
  )
})
