import type { KeyboardEvent, ReactNode } from 'react'
import { Button } from '#components/button.tsx'
import type { LineProblem } from '#features/stock-takes/close.server.ts'
import type { TakeRow } from '#features/stock-takes/queries.server.ts'
import { expectedNow, MAX_TYPED_COUNT_LENGTH, readCounted, reasonsOf, type TakeReason } from '#features/stock-takes/rules.ts'
import { formatQuantity, localizeDigits } from '#lib/format/numbers.ts'
import { formatTaka, type Poisha } from '#lib/format/money.ts'
import { dhakaTime, formatTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { signed, useReasonName } from './take-state.tsx'
import type { Conflict, StockTakeModel } from './use-stock-take.ts'

interface TakeRowProps {
  row: TakeRow
  model: StockTakeModel
  isEditable: boolean
  problem?: LineProblem
}

/** A product of a sheet: its stock at the first count, what was counted, the difference and its reason. */
export function TakeRowCard({ row, model, isEditable, problem }: TakeRowProps) {
  const { t, lang } = useI18n()
  const name = lang === 'bn' ? row.name_bn : row.name_en
  const { line } = row
  const error = model.errors[row.id]
  const conflict = model.conflicts[row.id]
  return (
    <li className="grid grid-cols-1 gap-x-4 gap-y-2 p-3 sm:grid-cols-[minmax(0,1fr)_8rem_13rem_minmax(12rem,14rem)] sm:items-start">
      <div className="min-w-0">
        <a href={`/admin/products/${row.id}`} className="tap font-semibold break-words hover:underline">
          {name}
        </a>{' '}
        {row.tag_number ? <span className="ear-tag -rotate-2 text-xs">{row.tag_number}</span> : null}
        <p className="text-sm text-stone">{line ? <CountedBy row={row} /> : t('stock-take.not-yet')}</p>
        {isEditable ? <Moved row={row} /> : null}
      </div>
      <Stated label={t('stock-take.expected')}>
        {row.is_unique ? <Presence milli={line?.expected_milli ?? expectedNow(row) ?? 0} /> : <Expected row={row} />}
      </Stated>
      {isEditable ? <Quantity row={row} name={name} model={model} /> : <ReadCount row={row} />}
      <Difference row={row} name={name} model={model} isEditable={isEditable} />
      {error || problem ? (
        <p role="alert" className="text-sm font-semibold text-terracotta sm:col-span-full">
          {error ?? (problem ? <ProblemText problem={problem} /> : null)}
        </p>
      ) : null}
      {conflict ? <ConflictNote conflict={conflict} model={model} unit={row.unit} /> : null}
    </li>
  )
}

/** A value with its label; on a phone both stand in one line. */
function Stated({ label, children }: { label: string; children: ReactNode }) {
  return (
    <p className="tabular-nums max-sm:flex max-sm:gap-2">
      <span className="text-sm text-stone sm:block">{label}</span>
      <span>{children}</span>
    </p>
  )
}

function Expected({ row }: { row: TakeRow }) {
  const { t, lang } = useI18n()
  const milli = row.line?.expected_milli ?? expectedNow(row)
  if (milli === null) return '–'
  return (
    <>
      {formatQuantity(milli, row.unit, lang)}
      {row.line === null && row.ordered_milli > 0 ? (
        <span className="block text-sm text-stone">
          {t('stock-take.expected-ordered', { quantity: formatQuantity(row.ordered_milli, row.unit, lang) })}
        </span>
      ) : null}
    </>
  )
}

function Presence({ milli }: { milli: number }) {
  const { t } = useI18n()
  return t(milli > 0 ? 'stock-take.present' : 'stock-take.absent')
}

function ReadCount({ row }: { row: TakeRow }) {
  const { t, lang } = useI18n()
  const { line } = row
  return (
    <Stated label={t('stock-take.counted')}>
      {line === null ? '–' : row.is_unique ? <Presence milli={line.counted_milli} /> : formatQuantity(line.counted_milli, row.unit, lang)}
    </Stated>
  )
}

function CountedBy({ row }: { row: TakeRow }) {
  const { t, lang } = useI18n()
  if (!row.line) return null
  return t('stock-take.counted-by', { name: row.line.by, time: formatTime(dhakaTime(new Date(row.line.at)), lang) })
}

/** Sales and deliveries since the first count: they are not part of the difference. */
function Moved({ row }: { row: TakeRow }) {
  const { t, lang } = useI18n()
  const expected = expectedNow(row)
  if (!row.line || row.is_unique || expected === null || expected === row.line.expected_milli) return null
  return (
    <p className="text-sm text-indigo">
      {t('stock-take.moved', {
        change: signed(expected - row.line.expected_milli, lang),
        expected: formatQuantity(expected, row.unit, lang),
      })}
    </p>
  )
}

function Quantity({ row, name, model }: { row: TakeRow; name: string; model: StockTakeModel }) {
  const { t, lang } = useI18n()
  const { line } = row
  const typed = model.unsaved[row.id]
  const unsaved = typed === undefined ? undefined : localizeDigits(lang, typed)
  if (row.is_unique) {
    const counted = unsaved === undefined ? line?.counted_milli : readCounted(unsaved)
    return (
      <div role="group" aria-label={t('stock-take.counted-of', { name })} className="flex flex-wrap gap-2">
        {(['present', 'absent'] as const).map((one) => {
          const milli = one === 'present' ? 1000 : 0
          return (
            <Button
              key={one}
              size="small"
              kind={counted === milli ? 'tag' : 'secondary'}
              aria-pressed={counted === milli}
              onClick={() => model.count(row, String(milli / 1000))}
            >
              {t(`stock-take.${one}`)}
            </Button>
          )
        })}
      </div>
    )
  }
  const shown = model.drafts.get(row.id) ?? unsaved ?? (line ? localizeDigits(lang, String(line.counted_milli / 1000)) : '')
  /** Saves what was typed, where that differs from what is shown. */
  const save = () => {
    const typed = model.drafts.get(row.id)
    if (typed === undefined) return
    if (typed.trim() === '') model.drafts.end(row.id)
    else model.count(row, typed)
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape') model.drafts.end(row.id)
    if (event.key !== 'Enter') return
    event.preventDefault()
    save()
    nextField(event.currentTarget)?.focus()
  }
  return (
    <label className="block">
      <span className="text-sm text-stone">{t('stock-take.counted')}</span>
      <span className="flex items-center gap-2">
        <input
          data-count
          aria-label={t('stock-take.counted-of', { name })}
          aria-invalid={model.errors[row.id] ? true : undefined}
          inputMode="decimal"
          autoComplete="off"
          maxLength={MAX_TYPED_COUNT_LENGTH}
          className="admin-input min-h-11 w-28 text-end text-lg tabular-nums"
          value={shown}
          onChange={({ target }) => model.drafts.type(row.id, target.value)}
          onKeyDown={press}
          onBlur={save}
        />
        <span className="text-stone">{t(`stock-take.unit.${row.unit}`)}</span>
      </span>
    </label>
  )
}

/** The quantity below, for a count that goes down the list by Enter. */
function nextField(field: HTMLInputElement): HTMLInputElement | undefined {
  const all = [...document.querySelectorAll<HTMLInputElement>('input[data-count]')]
  return all[all.indexOf(field) + 1]
}

function Difference({ row, name, model, isEditable }: Omit<TakeRowProps, 'problem'> & { name: string }) {
  const { t, lang } = useI18n()
  const reasonName = useReasonName()
  const { line } = row
  if (!line) return null
  const difference = line.counted_milli - line.expected_milli
  const reasons = reasonsOf(difference)
  // Closing leaves it to the product page, and no sum has its value.
  const isFound = row.is_unique && difference > 0
  const value = Math.round((difference * row.price_poisha) / 1000) as Poisha
  return (
    <div className="min-w-0">
      {difference === 0 ? (
        <p className="text-leaf-800">{t('stock-take.agrees')}</p>
      ) : (
        <p className={`tabular-nums ${difference < 0 ? 'text-terracotta' : 'text-leaf-800'}`}>
          <b>{signed(difference, lang)}</b>
          {isFound ? null : ` · ${formatTaka(value, lang)}`}
        </p>
      )}
      {isEditable ? (
        <span className="mt-1 flex flex-wrap items-center gap-2">
          {difference === 0 ? null : (
            <select
              aria-label={t('stock-take.reason-of', { name })}
              className="admin-input min-h-11"
              value={line.reason}
              onChange={({ target }) => model.count(row, String(line.counted_milli / 1000), target.value as TakeReason)}
            >
              {reasons.map((reason) => (
                <option key={reason} value={reason}>
                  {reasonName(reason, row.is_unique)}
                </option>
              ))}
            </select>
          )}
          <Button size="small" kind="quiet" aria-label={t('stock-take.remove-of', { name })} onClick={() => model.remove(row)}>
            {t('stock-take.remove')}
          </Button>
        </span>
      ) : difference === 0 ? null : (
        <p className="text-sm text-stone">{reasonName(line.reason, row.is_unique)}</p>
      )}
      {isFound ? <p className="text-sm text-indigo">{t('stock-take.animal-found')}</p> : null}
    </div>
  )
}

function ProblemText({ problem: { row, reason, order_id: order } }: { problem: LineProblem }) {
  const { t, lang } = useI18n()
  if (reason === 'below-zero') return t('stock-take.below-zero', { stock: formatQuantity(row.stock_milli ?? 0, row.unit, lang) })
  if (reason !== 'ordered') return t(`stock-take.${reason}`)
  return (
    <>
      {t('stock-take.ordered')}{' '}
      <a href={`/admin/orders/update/${order}`} className="underline underline-offset-4">
        {localizeDigits(lang, String(order))}
      </a>
    </>
  )
}

/** Both counts of a line that two people changed at once. */
function ConflictNote({ conflict, model, unit }: { conflict: Conflict; model: StockTakeModel; unit: string }) {
  const { t, lang } = useI18n()
  const { row, quantity } = conflict
  const theirs = row.line ? formatQuantity(row.line.counted_milli, unit, lang) : t('stock-take.not-yet')
  return (
    <div role="alert" className="rounded-card border border-terracotta bg-milk p-3 text-sm sm:col-span-full">
      <p className="font-semibold text-terracotta">
        {row.line
          ? t('stock-take.conflict-by', { name: row.line.by, count: theirs, time: formatTime(dhakaTime(new Date(row.line.at)), lang) })
          : t('stock-take.conflict-removed')}
      </p>
      <p className="mt-2 flex flex-wrap gap-2">
        <Button size="small" kind="secondary" onClick={() => model.settle(conflict, false)}>
          {t('stock-take.keep-theirs')}
        </Button>
        {quantity === '' ? null : (
          <Button size="small" onClick={() => model.settle(conflict, true)}>
            {t('stock-take.save-mine', { count: localizeDigits(lang, quantity) })}
          </Button>
        )}
      </p>
    </div>
  )
}
