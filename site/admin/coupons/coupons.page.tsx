import { ButtonLink } from '#components/button.tsx'
import type { CouponRecord } from '#features/pricing/coupons/admin-queries.server.ts'
import type { KeysetPage } from '#lib/db/keyset.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { formatMoment } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { CouponChip, couponWorth } from './coupon-labels.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { EmptyList } from '../ui/empty-list.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { Paging } from '../ui/paging.tsx'
import { usePermissions } from '../ui/use-permissions.ts'
import { PlusIcon } from '../ui/icons.tsx'

export interface Props {
  page: KeysetPage<CouponRecord>
}

/** The list of coupons: discount, uses, state. */
export function Page({ page }: Props) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const columns: Column<CouponRecord>[] = [
    { key: 'code', head: t('coupons.code'), lead: true, cell: ({ code }) => <span className="tabular-nums">{code}</span> },
    { key: 'state', head: t('coupons.state'), corner: true, cell: ({ state }) => <CouponChip state={state} /> },
    { key: 'worth', head: t('coupons.worth'), cell: (coupon) => couponWorth(coupon, lang) },
    {
      key: 'uses',
      head: t('coupons.uses'),
      align: 'end',
      cell: ({ uses, max_uses }) =>
        max_uses === null ? formatNumber(uses, lang) : `${formatNumber(uses, lang)} / ${formatNumber(max_uses, lang)}`,
    },
    {
      key: 'until',
      head: t('coupons.ends'),
      cell: ({ ends_at }) => <span className="tabular-nums">{ends_at ? formatMoment(ends_at, lang) : t('popups.no-end')}</span>,
    },
    { key: 'note', head: t('coupons.note'), wideOnly: true, cell: ({ note }) => <span className="wrap-anywhere">{note}</span> },
  ]
  return (
    <AdminLayout
      title={t('admin.nav.coupons')}
      actions={
        can('catalog.write') ? (
          <ButtonLink href="/admin/coupons/create">
            <PlusIcon size={18} />
            {t('coupons.add')}
          </ButtonLink>
        ) : null
      }
    >
      <DataTable
        label={t('admin.nav.coupons')}
        rows={page.rows}
        columns={columns}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/admin/coupons/${id}`}
        empty={
          <EmptyList
            text={t('coupons.empty')}
            action={can('catalog.write') ? { href: '/admin/coupons/create', label: t('coupons.add') } : null}
          />
        }
      />
      <Paging prev={page.prev} next={page.next} />
    </AdminLayout>
  )
}
