import { useState } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { showToast } from '#components/toast.tsx'
import type { LineProblem } from '#features/stock-takes/close.server.ts'
import { type Take, type TakeRow, type TakeSummary } from '#features/stock-takes/queries.server.ts'
import { CLOSE_WAIT_MS, MAX_OPEN, TAKE_LISTS, type TakeList } from '#features/stock-takes/rules.ts'
import type { ScaleLabelRule } from '#features/settings/settings.ts'
import type { KeysetPage } from '#lib/db/keyset.ts'
import { formatTaka, poisha, type Poisha } from '#lib/format/money.ts'
import { formatNumber, localizeDigits } from '#lib/format/numbers.ts'
import { MAX_SEARCH_LENGTH } from '#lib/format/search-term.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { useConfirm } from '../ui/confirm.tsx'
import { DownloadIcon, SearchIcon } from '../ui/icons.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { Paging } from '../ui/paging.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { useLeaveGuard } from '../ui/use-form.ts'
import { usePermissions } from '../ui/use-permissions.ts'
import { Scanning } from './scanning.tsx'
import { TakeRowCard } from './take-row.tsx'
import { TakeState, useTakeScope } from './take-state.tsx'
import { type StockTakeModel, useStockTake } from './use-stock-take.ts'
import { failureText } from '../ui/admin-post.ts'

export interface Props {
  take: Take
  list: TakeList
  rows: KeysetPage<TakeRow>
  summary: TakeSummary
  scales: ScaleLabelRule[]
  query: Record<string, string>
}

/** A sheet: scanning and typing counts, the differences, and closing. */
export function Page({ take, list, rows: page, summary, scales, query }: Props) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const isOpen = take.state === 'open'
  const isNewest = list === 'counted' && page.prev === null && !query.q
  const model = useStockTake({ id: take.id, rows: page.rows, summary, isOpen, isNewest })
  const isEditable = isOpen && model.ended === null && can('catalog.write')
  const [problems, setProblems] = useState<LineProblem[]>([])
  useLeaveGuard(model.waiting.count > 0)
  const url = `/admin/stock-takes/${take.id}`
  return (
    <AdminLayout
      title={t('stock-take.title', { id: localizeDigits(lang, String(take.id)) })}
      note={<TakeState state={model.ended ?? take.state} />}
      back={{ href: '/admin/stock-takes', label: t('admin.nav.stock-takes') }}
      actions={
        <>
          <ButtonLink kind="secondary" href={`${url}/export`} download>
            <DownloadIcon size={18} />
            {t('admin.csv')}
          </ButtonLink>
          <ButtonLink kind="secondary" href={`${url}/print`}>
            {t('stock-take.print')}
          </ButtonLink>
          {isEditable ? <EndButtons take={take} model={model} onProblems={setProblems} /> : null}
        </>
      }
    >
      <About take={take} />
      {isOpen && model.ended !== null ? (
        <p role="alert" className="mb-4 rounded-card border border-terracotta bg-milk p-4 font-semibold text-terracotta">
          {t('stock-take.ended')}{' '}
          <a href={url} className="underline underline-offset-4">
            {t('stock-take.reload')}
          </a>
        </p>
      ) : null}
      {isEditable ? <Scanning model={model} scales={scales} /> : null}
      <Summary summary={model.summary} />
      {problems.length > 0 ? <Problems problems={problems} model={model} isEditable={isEditable} /> : null}
      <Tabs
        label={t('stock-take.lists')}
        tabs={TAKE_LISTS.map((one) => tabOf(one, list, url, { t, lang, summary: model.summary, isOpen }))}
      />
      <SearchForm url={url} list={list} search={query.q ?? ''} />
      <Rows
        rows={model.rows.filter(({ id }) => !problems.some(({ row }) => row.id === id))}
        list={list}
        model={model}
        isEditable={isEditable}
      />
      <Paging prev={page.prev} next={page.next} />
    </AdminLayout>
  )
}

/** The scope, the staff who started and ended the stock take, and the note. */
function About({ take }: { take: Take }) {
  const { t, lang } = useI18n()
  const scopeOf = useTakeScope()
  return (
    <p className="-mt-2 mb-3 text-stone">
      {scopeOf(take)} · {t('stock-take.started-by', { name: take.started_by, when: formatDateTime(new Date(take.started_at), lang) })}
      {take.ended_at === null
        ? null
        : ` · ${t(`stock-take.ended-by.${take.state === 'closed' ? 'closed' : 'cancelled'}`, { name: take.ended_by ?? '', when: formatDateTime(new Date(take.ended_at), lang) })}`}
      {take.note ? <span className="block break-words">{take.note}</span> : null}
    </p>
  )
}

type TabWords = Pick<ReturnType<typeof useI18n>, 't' | 'lang'> & { summary: TakeSummary; isOpen: boolean }

function tabOf(one: TakeList, list: TakeList, url: string, { t, lang, summary, isOpen }: TabWords) {
  const counts = { counted: summary.counted, open: summary.open, different: summary.different }
  const more = one === 'open' && summary.open > MAX_OPEN
  const count = more ? `${formatNumber(MAX_OPEN, lang)}+` : formatNumber(counts[one], lang)
  const label = one === 'open' && !isOpen ? t('stock-take.list.open') : `${t(`stock-take.list.${one}`)} (${count})`
  return { href: `${url}?list=${one}`, label, isCurrent: one === list }
}

/** Finds products in the list that is open. */
function SearchForm({ url, list, search }: { url: string; list: TakeList; search: string }) {
  const { t } = useI18n()
  return (
    <form method="get" action={url} role="search" className="mb-3 flex max-w-xl items-end gap-2">
      <input type="hidden" name="list" value={list} />
      <label className="min-w-0 grow text-xs text-stone">
        {t('products.search')}
        <input type="search" name="q" defaultValue={search} maxLength={MAX_SEARCH_LENGTH} className="admin-input mt-0.5 w-full" />
      </label>
      <Button type="submit" size="small" kind="secondary">
        <SearchIcon size={17} />
        {t('stock-take.find')}
      </Button>
    </form>
  )
}

function Summary({ summary }: { summary: TakeSummary }) {
  const { t, lang } = useI18n()
  const taka = (poisha: Poisha) => formatTaka(poisha, lang)
  const sums = [
    [t('stock-take.list.counted'), formatNumber(summary.counted, lang)],
    [t('stock-take.list.different'), formatNumber(summary.different, lang)],
    [t('stock-take.missing'), taka(summary.missing_poisha)],
    [t('stock-take.surplus'), taka(summary.surplus_poisha)],
    [t('stock-take.value'), taka(poisha(summary.missing_poisha + summary.surplus_poisha))],
  ]
  return (
    <section aria-label={t('stock-take.summary')} className="admin-card mb-4 p-4">
      <dl className="flex flex-wrap gap-x-8 gap-y-2">
        {sums.map(([label, value]) => (
          <div key={label}>
            <dt className="text-sm text-stone">{label}</dt>
            <dd className="tabular-nums text-lg font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-1 text-sm text-stone">{t('stock-take.value-hint')}</p>
    </section>
  )
}

interface RowsProps {
  rows: TakeRow[]
  list: TakeList
  model: StockTakeModel
  isEditable: boolean
}

function Rows({ rows, list, model, isEditable }: RowsProps) {
  const { t } = useI18n()
  if (rows.length === 0) return <p className="admin-card px-4 py-10 text-center text-stone">{t(`stock-take.empty.${list}`)}</p>
  return (
    <ul aria-label={t(`stock-take.list.${list}`)} className="admin-card divide-y divide-line">
      {rows.map((row) => (
        <TakeRowCard key={row.id} row={row} model={model} isEditable={isEditable} />
      ))}
    </ul>
  )
}

/** Lines that could not be applied, with the newest state of this page. */
function Problems({ problems, model, isEditable }: { problems: LineProblem[]; model: StockTakeModel; isEditable: boolean }) {
  const { t } = useI18n()
  return (
    <section aria-labelledby="take-problems" className="mb-4">
      <h2 id="take-problems" className="mb-2 text-lg text-terracotta">
        {t('stock-take.lines-problem')}
      </h2>
      <ul className="admin-card divide-y divide-line border-terracotta">
        {problems.map((problem) => {
          const now = model.rows.find(({ id }) => id === problem.row.id) ?? problem.row
          const isChanged = now.line?.version !== problem.row.line?.version
          return <TakeRowCard key={now.id} row={now} model={model} isEditable={isEditable} {...(isChanged ? {} : { problem })} />
        })}
      </ul>
    </section>
  )
}

interface EndButtonsProps {
  take: Take
  model: StockTakeModel
  onProblems: (problems: LineProblem[]) => void
}

function EndButtons({ take, model, onProblems }: EndButtonsProps) {
  const { t, lang } = useI18n()
  const { ask, dialog } = useConfirm()
  const [isBusy, setBusy] = useState(false)
  const { waiting } = model
  const number = localizeDigits(lang, String(take.id))
  async function end(does: 'close' | 'cancel', body: object) {
    setBusy(true)
    const answer = await call<{ message?: string; problems?: LineProblem[] } | null>(`/admin/stock-takes/${take.id}/${does}`, {
      method: 'POST',
      body,
      timeoutMs: CLOSE_WAIT_MS,
    })
    if (answer.ok) return location.assign(`/admin/stock-takes/${take.id}`)
    setBusy(false)
    onProblems(answer.body?.problems ?? [])
    showToast(failureText(answer.body, t), { kind: 'error' })
    void model.refresh()
  }
  async function close() {
    // What was counted a moment ago is in it: the shop closes only what was confirmed.
    setBusy(true)
    const summary = (await model.refresh()) ?? model.summary
    setBusy(false)
    const value = formatTaka(poisha(summary.missing_poisha + summary.surplus_poisha), lang)
    const open = summary.open > MAX_OPEN ? `${formatNumber(MAX_OPEN, lang)}+` : formatNumber(summary.open, lang)
    const agreed = await ask({
      title: t('stock-take.close-title', { id: number }),
      text: t('stock-take.close-text', { count: formatNumber(summary.applied, lang), value, open }),
      action: t('stock-take.close'),
      kind: 'primary',
    })
    if (agreed) await end('close', { revision: summary.revision })
  }
  async function cancel() {
    const agreed = await ask({
      title: t('stock-take.cancel-title', { id: number }),
      text: t('stock-take.cancel-text'),
      action: t('stock-take.cancel'),
    })
    if (agreed) await end('cancel', {})
  }
  return (
    <>
      <Button kind="secondary" disabled={waiting.count > 0} onClick={() => void cancel()}>
        {t('stock-take.cancel')}
      </Button>
      <Button busy={isBusy} disabled={waiting.count > 0} onClick={() => void close()}>
        {t('stock-take.close')}
      </Button>
      {dialog}
    </>
  )
}
