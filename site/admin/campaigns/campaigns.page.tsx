import { ButtonLink } from '#components/button.tsx'
import type { Campaign } from '#features/campaigns/types.ts'
import type { KeysetPage } from '#lib/db/keyset.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { EmptyList } from '../ui/empty-list.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { Paging } from '../ui/paging.tsx'
import { CampaignStateChip } from './campaign-state.tsx'

export interface Props {
  list: KeysetPage<Campaign>
}

/** The campaigns, newest first. They start from the list of customers. */
export function Page({ list }: Props) {
  const { t } = useI18n()
  return (
    <AdminLayout
      title={t('campaigns.title')}
      back={{ href: '/admin/sms', label: t('admin.nav.sms') }}
      actions={list.rows.length > 0 ? <ButtonLink href="/admin/customers">{t('campaigns.choose')}</ButtonLink> : null}
    >
      <DataTable
        label={t('campaigns.title')}
        rows={list.rows}
        columns={useColumns()}
        rowKey={(row) => row.id}
        rowHref={(row) => `/admin/sms/campaigns/${row.id}`}
        empty={
          <EmptyList text={t('campaigns.empty')} action={{ href: '/admin/customers', label: t('campaigns.choose'), isElsewhere: true }} />
        }
      />
      <Paging prev={list.prev} next={list.next} />
    </AdminLayout>
  )
}

function useColumns(): Column<Campaign>[] {
  const { t, lang } = useI18n()
  const number = (value: number) => formatNumber(value, lang)
  return [
    { key: 'name', head: t('campaigns.name'), lead: true, cell: (row) => row.name },
    { key: 'state', head: t('campaigns.state'), cell: (row) => <CampaignStateChip campaign={row} /> },
    { key: 'people', head: t('campaigns.people'), align: 'end', cell: (row) => number(row.total) },
    { key: 'sent', head: t('campaigns.sent'), align: 'end', cell: (row) => number(row.sent) },
    { key: 'not-reached', head: t('campaigns.not-reached'), align: 'end', cell: (row) => number(row.not_reached) },
    { key: 'parts', head: t('campaigns.parts'), align: 'end', cell: (row) => number(row.parts_used) },
    {
      key: 'start',
      head: t('campaigns.start'),
      cell: (row) => <span className="whitespace-nowrap">{formatDateTime(new Date(row.starts_at), lang)}</span>,
    },
    { key: 'by', head: t('campaigns.by'), wideOnly: true, cell: (row) => row.by },
  ]
}
