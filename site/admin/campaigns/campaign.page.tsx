import { useEffect, useState } from 'react'
import { Button } from '#components/button.tsx'
import type { Campaign, CampaignProgress, NotReached } from '#features/campaigns/types.ts'
import { formatNumber, localizeDigits } from '#lib/format/numbers.ts'
import { shownName } from '#lib/format/shown-name.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost, showFailure } from '../ui/admin-post.ts'
import { useConfirm } from '../ui/confirm.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { InfoIcon } from '../ui/icons.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { Paging } from '../ui/paging.tsx'
import { Figure } from '../ui/figure.tsx'
import { CampaignStateChip } from './campaign-state.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'

export interface Props {
  progress: CampaignProgress
  notReached: NotReached[]
  prev: Record<string, string> | null
  next: Record<string, string> | null
}

const POLL_MS = 5000

/** The progress of a campaign, and the people that were not reached. */
export function Page({ progress, notReached, prev, next }: Props) {
  const { t, lang } = useI18n()
  const { campaign, waits, act, isBusy } = useCampaign(progress)
  const { ask, dialog } = useConfirm()
  const { state } = campaign
  const stop = async () => {
    const question = {
      title: t('campaigns.stop-ask', { name: campaign.name }),
      text: t('campaigns.stop-text'),
      action: t('campaigns.stop'),
    }
    if (await ask(question)) await act('stop')
  }
  const number = (value: number) => formatNumber(value, lang)
  return (
    <AdminLayout
      title={campaign.name}
      note={<CampaignStateChip campaign={campaign} />}
      back={{ href: '/admin/sms/campaigns', label: t('campaigns.title') }}
      actions={
        <>
          {state === 'running' ? (
            <Button kind="secondary" busy={isBusy} onClick={() => void act('pause')}>
              {t('campaigns.pause')}
            </Button>
          ) : null}
          {state === 'paused' ? (
            <Button busy={isBusy} onClick={() => void act('resume')}>
              {t('campaigns.resume')}
            </Button>
          ) : null}
          {state === 'running' || state === 'paused' ? (
            <Button kind="quiet" disabled={isBusy} onClick={() => void stop()}>
              {t('campaigns.stop')}
            </Button>
          ) : null}
        </>
      }
    >
      <Waiting campaign={campaign} waits={waits} />
      <ProgressBar className="mb-3" aria-label={campaign.name} max={campaign.total} value={campaign.sent + campaign.not_reached} />
      <dl className="grid grid-cols-2 gap-3 md:grid-cols-4" aria-live="polite">
        <Figure name={t('campaigns.sent')} note={t('campaigns.of-people', { count: number(campaign.total) })}>
          {number(campaign.sent)}
        </Figure>
        <Figure name={t('campaigns.waiting')}>{number(campaign.waiting)}</Figure>
        <Figure name={t('campaigns.not-reached')}>{number(campaign.not_reached)}</Figure>
        <Figure name={t('campaigns.parts')} note={t('campaigns.of-limit', { limit: number(campaign.parts_limit) })}>
          {number(campaign.parts_used)}
        </Figure>
      </dl>
      <Texts campaign={campaign} />
      <h2 className="mt-6 mb-2 text-lg">{t('campaigns.not-reached-title')}</h2>
      <DataTable
        label={t('campaigns.not-reached-title')}
        rows={notReached}
        columns={useColumns()}
        rowKey={(row) => row.phone}
        rowHref={(row) => `/admin/customers/${row.customer_id}`}
        empty={t('campaigns.all-reached')}
      />
      <Paging prev={prev} next={next} hasEnd={false} />
      {dialog}
    </AdminLayout>
  )
}

/** The campaign, read again while it goes on, and its actions. */
function useCampaign(first: CampaignProgress) {
  const { t } = useI18n()
  const [{ campaign, waits }, setProgress] = useState(first)
  const [isBusy, setBusy] = useState(false)
  const { id } = first.campaign
  const isRunning = campaign.state === 'running'
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(async () => {
      const found = document.hidden ? null : await call<CampaignProgress>(`/api/admin/sms/campaigns/${id}`)
      if (found?.ok) setProgress(found.body)
    }, POLL_MS)
    return () => clearInterval(timer)
  }, [isRunning, id])
  async function act(action: 'pause' | 'resume' | 'stop') {
    setBusy(true)
    const written = await adminPost<CampaignProgress>(`/admin/sms/campaigns/${id}/${action}`, {})
    setBusy(false)
    if (written.ok) setProgress(written.body)
    else showFailure(written, t)
  }
  return { campaign, waits, act, isBusy }
}

/** Why nothing is sent at the moment. */
function Waiting({ campaign, waits }: CampaignProgress) {
  const { t, lang } = useI18n()
  if (waits === null) return null
  const when = formatDateTime(new Date(campaign.starts_at), lang)
  const text = waits === 'start' ? t('campaigns.waits-start', { when }) : t(`campaigns.waits-${waits}`)
  return (
    <p role="status" className="mb-3 flex items-start gap-2 rounded-card bg-tag-100 px-3.5 py-2.5 font-semibold">
      <InfoIcon className="mt-0.5 shrink-0" />
      <span>
        {text}{' '}
        {waits === 'provider' ? (
          <a href="/admin/sms" className="tap inline-block underline underline-offset-4">
            {t('campaigns.provider-why')}
          </a>
        ) : null}
      </span>
    </p>
  )
}

function Texts({ campaign }: { campaign: Campaign }) {
  const { t, lang } = useI18n()
  const by = t('campaigns.started-by', { name: campaign.by, when: formatDateTime(new Date(campaign.created_at), lang) })
  return (
    <section className="admin-card mt-4 p-4">
      <h2 className="text-lg">{t('campaigns.message')}</h2>
      <div className="mt-2 grid gap-3 md:grid-cols-2">
        {(['bn', 'en'] as const).map((language) =>
          campaign[`text_${language}`] === '' ? null : (
            <p key={language} lang={language} className="stitch rounded-card bg-sand px-3.5 py-2 text-sm break-words whitespace-pre-line">
              {campaign[`text_${language}`]}
            </p>
          ),
        )}
      </div>
      <p className="mt-2 text-sm text-stone">{by}</p>
    </section>
  )
}

function useColumns(): Column<NotReached>[] {
  const { t, lang } = useI18n()
  return [
    {
      key: 'name',
      head: t('customers.customer'),
      lead: true,
      cell: (row) => <span className="break-words">{shownName(row.name, lang) || t('customers.customer')}</span>,
    },
    { key: 'phone', head: t('customers.phone'), cell: (row) => <span className="tabular-nums">{localizeDigits(lang, row.phone)}</span> },
    { key: 'reason', head: t('campaigns.reason'), cell: (row) => t(`campaigns.reason.${row.reason}`) },
  ]
}
