import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { showToast } from '#components/toast.tsx'
import { failureLabel } from '#features/messaging/failure-rules.ts'
import { SMS_WAIT_MS } from '#features/messaging/gateway.ts'
import { LOW_BALANCE_TAKA } from '#features/messaging/provider-response-rules.ts'
import { SMS_COUNT_DAYS, type SmsBudgetJson, type SmsCounts, type SmsJson, type SmsProviderJson } from '#features/messaging/types.ts'
import { SmsStateTag } from '#features/messaging/ui/sms-state.tsx'
import type { SavedFilter } from '#features/admin-search/saved-filters.server.ts'
import { type KeysetPage, LOG_SORTS, readListView } from '#lib/db/keyset.ts'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { localizeDigits, formatNumber } from '#lib/format/numbers.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { CampaignsLink } from '../campaigns/campaigns-link.tsx'
import { adminPost, showFailure } from '../ui/admin-post.ts'
import { ExportLink } from '../ui/export-link.tsx'
import { useConfirm } from '../ui/confirm.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { Paging } from '../ui/paging.tsx'
import { usePermissions } from '../ui/use-permissions.ts'
import { AlertIcon } from '../ui/icons.tsx'
import { SmsFilters } from './sms-filters.tsx'

export interface Props {
  page: KeysetPage<SmsJson>
  counts: SmsCounts
  provider: SmsProviderJson
  budget: SmsBudgetJson
  query: Record<string, string>
  savedFilters: SavedFilter[]
}

/** The SMS log, with delivery states and failed messages. */
export function Page({ page, counts, provider, budget, query, savedFilters }: Props) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const { rows, resend, dialog } = useResend(page.rows)
  const { sort, order, size } = readListView(query, LOG_SORTS, 50)
  const columns: Column<SmsJson>[] = [
    { key: 'to', head: t('sms.log.to'), lead: true, cell: (sms) => <To sms={sms} /> },
    { key: 'text', head: t('sms.log.text'), cell: (sms) => <Text sms={sms} /> },
    { key: 'state', head: t('sms.log.state'), cell: (sms) => <State sms={sms} /> },
    {
      key: 'when',
      head: t('sms.log.when'),
      sort: 'new',
      cell: (sms) => (
        <time dateTime={sms.created_at} className="whitespace-nowrap">
          {formatDateTime(new Date(sms.created_at), lang)}
        </time>
      ),
    },
    {
      key: 'resend',
      head: t('admin.table.actions'),
      align: 'end',
      cell: (sms) =>
        can('sms.send') && canResend(sms) ? (
          <Button size="small" kind="secondary" onClick={() => resend(sms)}>
            {t(sms.state === 'skipped' ? 'sms.resend.now' : 'sms.resend')}
          </Button>
        ) : null,
    },
  ]
  return (
    <AdminLayout
      title={t('admin.nav.sms')}
      actions={
        <>
          <ExportLink list="/admin/sms" />
          <CampaignsLink />
        </>
      }
    >
      <ProviderState counts={counts} provider={provider} budget={budget} mayAsk={can('sms.send')} />
      <SmsFilters query={query} saved={savedFilters} />
      <DataTable
        label={t('admin.nav.sms')}
        rows={rows}
        columns={columns}
        rowKey={(sms) => sms.id}
        sort={{ by: sort, order }}
        empty={query.q || query.state ? t('admin.table.empty-filtered') : t('sms.log.empty')}
      />
      <Paging prev={page.prev} next={page.next} size={size} />
      {dialog}
    </AdminLayout>
  )
}

const canResend = ({ purpose, state, failure }: SmsJson) =>
  purpose !== 'code' &&
  purpose !== 'campaign' &&
  (state === 'failed' || state === 'unknown' || (state === 'skipped' && failure !== 'overtaken'))

/** The rows, updated after a message is sent again. */
function useResend(first: SmsJson[]) {
  const { t, lang } = useI18n()
  const { ask, dialog } = useConfirm()
  const [again, setAgain] = useState<ReadonlySet<number>>(new Set())
  async function resend(sms: SmsJson) {
    const text = <Question sms={sms} />
    const title = t(sms.state === 'skipped' ? 'sms.resend.title-skipped' : 'sms.resend.title', { phone: localizeDigits(lang, sms.phone) })
    if (
      !(await ask({
        title,
        text,
        action: t(sms.state === 'skipped' ? 'sms.resend.now' : 'sms.resend'),
        kind: sms.state === 'unknown' ? 'danger' : 'primary',
      }))
    )
      return
    const written = await adminPost(`/admin/sms/${sms.id}/resend`, { updated_at: sms.updated_at })
    if (!written.ok) return showFailure(written, t)
    setAgain((now) => new Set([...now, sms.id]))
    showToast(t('sms.resend.done'))
  }
  const rows = first.map((sms) => (again.has(sms.id) ? { ...sms, state: 'queued' as const, failure: null } : sms))
  return { rows, resend, dialog }
}

function Question({ sms }: { sms: SmsJson }) {
  const { t } = useI18n()
  return (
    <>
      <blockquote className="stitch mb-3 max-h-48 overflow-auto rounded-card bg-sand px-3.5 py-2 text-sm break-words whitespace-pre-line">
        {sms.text}
      </blockquote>
      <p>{t(sms.state === 'skipped' ? 'sms.resend.skipped' : sms.state === 'unknown' ? 'sms.resend.unknown' : 'sms.resend.failed')}</p>
    </>
  )
}

function To({ sms }: { sms: SmsJson }) {
  const { t, lang } = useI18n()
  return (
    <>
      <a
        href={`/admin/sms?q=${sms.phone}`}
        className="tap tabular-nums inline-flex min-h-6 items-center font-semibold text-leaf-800 hover:underline"
      >
        {localizeDigits(lang, sms.phone)}
      </a>
      <span className="block text-xs font-normal text-stone">
        {sms.order_id === null ? (
          t(`sms.purpose.${sms.purpose as 'code'}`)
        ) : (
          <a href={`/admin/orders/update/${sms.order_id}`} className="tap inline-flex min-h-6 items-center underline underline-offset-2">
            {t('sms.log.order')} {localizeDigits(lang, String(sms.order_id))}
          </a>
        )}
        {sms.sent_by === null ? null : ` · ${t('sms.log.by', { name: sms.sent_by })}`}
      </span>
    </>
  )
}

function Text({ sms }: { sms: SmsJson }) {
  const { t } = useI18n()
  return (
    <span
      lang={/[ঀ-৿]/.test(sms.text) ? 'bn' : 'en'}
      className="block max-w-prose min-w-0 text-start break-words whitespace-pre-line md:min-w-72"
      title={sms.purpose === 'code' ? t('sms.log.code-hidden') : undefined}
    >
      {sms.text}
    </span>
  )
}

function State({ sms }: { sms: SmsJson }) {
  const { t } = useI18n()
  const isOver = sms.state === 'failed' || sms.state === 'unknown' || sms.state === 'skipped'
  return (
    <>
      <SmsStateTag state={sms.state} />
      {sms.failure === null ? null : (
        <span className="mt-0.5 block text-xs text-stone">
          {t(`sms.failure.${failureLabel(sms.failure)}`)}
          {sms.state === 'skipped' ? '' : ` (${sms.failure})`}
          {isOver || sms.attempts === 0 ? '' : ` · ${t('sms.log.tries', { count: sms.attempts })}`}
        </span>
      )}
    </>
  )
}

interface ProviderStateProps {
  counts: SmsCounts
  provider: SmsProviderJson
  budget: SmsBudgetJson
  mayAsk: boolean
}

/** Counts of failed messages, and the reason when sending is paused. */
function ProviderState({ counts, provider: first, budget, mayAsk }: ProviderStateProps) {
  const { t, lang } = useI18n()
  const [provider, setProvider] = useState(first)
  const [busy, setBusy] = useState(false)
  const when = (text: string | null) => (text === null ? '' : formatDateTime(new Date(text), lang))
  async function ask() {
    setBusy(true)
    const written = await adminPost<{ provider: SmsProviderJson }>('/admin/sms/balance', {}, { timeoutMs: SMS_WAIT_MS })
    setBusy(false)
    if (written.ok) setProvider(written.body.provider)
    else showFailure(written, t)
  }
  return (
    <>
      {provider.problem === null ? null : (
        <p role="alert" className="mb-3 flex items-start gap-2 rounded-card bg-terracotta-100 px-4 py-3 text-terracotta">
          <AlertIcon className="mt-0.5 shrink-0" />
          <span>
            <strong className="font-semibold">{t(`sms.problem.${provider.problem}`)}</strong>{' '}
            {provider.problem_since === null ? null : t('sms.problem.since', { when: when(provider.problem_since) })}
          </span>
        </p>
      )}
      {budget.sent >= budget.limit ? (
        <p role="alert" className="mb-3 flex items-start gap-2 rounded-card bg-terracotta-100 px-4 py-3 text-terracotta">
          <AlertIcon className="mt-0.5 shrink-0" />
          <span>{t('sms.budget.used-up', { limit: formatNumber(budget.limit, lang) })}</span>
        </p>
      ) : null}
      <dl className="mb-4 grid grid-cols-[repeat(auto-fit,minmax(6.5rem,1fr))] gap-2 lg:grid-cols-5">
        <Figure label={t('sms.count.waiting')} href="/admin/sms?state=queued">
          {formatNumber(counts.waiting, lang)}
        </Figure>
        <Figure label={t('sms.count.failed')} href={`/admin/sms?state=failed&days=${SMS_COUNT_DAYS}`} isAlert={counts.failed > 0}>
          {formatNumber(counts.failed, lang)}
        </Figure>
        <Figure label={t('sms.count.unknown')} href={`/admin/sms?state=unknown&days=${SMS_COUNT_DAYS}`} isAlert={counts.unknown > 0}>
          {formatNumber(counts.unknown, lang)}
        </Figure>
        <div className="admin-card col-span-full px-3.5 py-2.5 lg:col-span-1">
          <dt className="text-xs text-stone">{t('sms.budget')}</dt>
          <dd className={`tabular-nums text-xl font-semibold ${budget.sent >= budget.limit ? 'text-terracotta' : ''}`}>
            {formatNumber(budget.sent, lang)}{' '}
            <span className="text-sm font-normal text-stone">{t('sms.budget.of', { limit: formatNumber(budget.limit, lang) })}</span>
          </dd>
        </div>
        <div className="admin-card col-span-full px-3.5 py-2.5 lg:col-span-1">
          <dt className="text-xs text-stone">{t('sms.balance')}</dt>
          <dd className="tabular-nums flex flex-wrap items-baseline gap-x-2 text-xl font-semibold">
            {provider.balance === null ? (
              <span className="text-sm font-normal text-stone">{t('sms.balance.never')}</span>
            ) : (
              formatTaka(takaToPoisha(provider.balance), lang)
            )}
            {provider.balance !== null && provider.balance < LOW_BALANCE_TAKA ? (
              <span className="chip chip-mango">{t('sms.balance.low')}</span>
            ) : null}
          </dd>
          <dd className="flex flex-wrap items-center gap-x-2 text-xs text-stone">
            {provider.balance_at === null ? null : t('sms.balance.at', { when: when(provider.balance_at) })}
            {mayAsk ? (
              <button
                type="button"
                aria-busy={busy || undefined}
                aria-disabled={busy || undefined}
                className="min-h-8 pointer-coarse:min-h-11 font-semibold text-leaf-600 underline underline-offset-2 aria-disabled:opacity-60"
                onClick={() => !busy && ask()}
              >
                {t('sms.balance.ask')}
              </button>
            ) : null}
          </dd>
        </div>
      </dl>
    </>
  )
}

function Figure({ label, href, isAlert = false, children }: { label: string; href: string; isAlert?: boolean; children: string }) {
  return (
    <div className="admin-card relative px-3.5 py-2.5 hover:border-leaf-600">
      <dt className="text-xs text-stone">{label}</dt>
      <dd className={`tabular-nums text-xl font-semibold ${isAlert ? 'text-terracotta' : ''}`}>
        <a href={href} className="after:absolute after:inset-0">
          {children}
        </a>
      </dd>
    </div>
  )
}
