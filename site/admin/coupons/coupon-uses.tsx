import type { CouponSums, CouponUse } from '#features/pricing/coupons/admin-queries.server.ts'
import type { KeysetPage } from '#lib/db/keyset.ts'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { localizeDigits, formatNumber } from '#lib/format/numbers.ts'
import { shownName } from '#lib/format/shown-name.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { Paging } from '../ui/paging.tsx'

interface CouponUsesProps {
  uses: number
  sums: CouponSums
  /** Null without the permission to see orders. */
  page: KeysetPage<CouponUse> | null
}

/** The orders that used a coupon, and the sum of its discounts. */
export function CouponUses({ uses, sums, page }: CouponUsesProps) {
  const { t, lang } = useI18n()
  const taka = (amount: number) => formatTaka(takaToPoisha(amount), lang)
  const columns: Column<CouponUse>[] = [
    {
      key: 'order',
      head: t('coupons.order'),
      lead: true,
      cell: ({ order_id }) => <span className="tabular-nums">{localizeDigits(lang, String(order_id))}</span>,
    },
    { key: 'at', head: t('audit.when'), cell: ({ at }) => <span className="tabular-nums">{formatDateTime(new Date(at), lang)}</span> },
    {
      key: 'customer',
      head: t('coupons.customer'),
      cell: ({ customer, phone }) => `${shownName(customer, lang)} · ${localizeDigits(lang, phone)}`,
    },
    { key: 'total', head: t('coupons.order-total'), align: 'end', cell: ({ total }) => taka(total) },
    { key: 'off', head: t('coupons.off'), align: 'end', cell: ({ given }) => taka(given) },
    {
      key: 'freed',
      head: t('coupons.state'),
      cell: ({ freed }) => (freed ? <span className="chip chip-stone">{t('coupons.freed')}</span> : null),
    },
  ]
  return (
    <section className="mt-8">
      <h2 className="mb-3 text-xl">{t('coupons.used-in')}</h2>
      <dl className="mb-3 grid max-w-3xl gap-3 sm:grid-cols-3">
        <Figure label={t('coupons.uses')}>{formatNumber(uses, lang)}</Figure>
        <Figure label={t('coupons.given')}>{taka(sums.given)}</Figure>
        <Figure label={t('coupons.orders-sum')}>{taka(sums.orders_total)}</Figure>
      </dl>
      {page ? (
        <>
          <DataTable
            label={t('coupons.used-in')}
            rows={page.rows}
            columns={columns}
            rowKey={({ order_id }) => order_id}
            rowHref={({ order_id }) => `/admin/orders/update/${order_id}`}
            empty={t('coupons.unused')}
          />
          <Paging prev={page.prev} next={page.next} />
        </>
      ) : null}
    </section>
  )
}

function Figure({ label, children }: { label: string; children: string }) {
  return (
    <div className="admin-card px-4 py-2.5">
      <dt className="text-sm text-stone">{label}</dt>
      <dd className="tabular-nums text-xl font-semibold">{children}</dd>
    </div>
  )
}
