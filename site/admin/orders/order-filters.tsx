import { ORDER_STATUSES } from '#features/orders/rules.ts'
import { MAX_COUNTED } from '#lib/db/keyset.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { formatDay, isDay } from '#lib/format/time.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { FIRST_PAGE, withQuery } from '../ui/url-query.ts'
import { Chips } from '../ui/filter-chips.tsx'
import { InfoIcon } from '../ui/icons.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { usePermissions } from '../ui/use-permissions.ts'

/** Tabs: all orders, each status, and orders that need attention. */
export function StatusTabs({ query, isDrafts = false }: { query: Record<string, string>; isDrafts?: boolean }) {
  const { t } = useI18n()
  const { path } = usePageContext()
  const { can } = usePermissions()
  const list = isDrafts ? '/admin/orders' : path
  const to = (status: string | null, attention: string | null = null) => withQuery(list, { ...FIRST_PAGE, status, attention })
  const isFlagged = query.attention === '1'
  const tabs = [
    { label: t('admin-orders.all'), href: to(null), isCurrent: !isDrafts && !query.status && !isFlagged },
    ...ORDER_STATUSES.map((status) => ({
      label: t(`order-status.${status}`),
      href: to(status),
      isCurrent: query.status === status && !isFlagged,
    })),
    { label: t('admin-orders.flagged'), href: to(null, '1'), isCurrent: isFlagged },
    ...(can('orders.write') ? [{ label: t('admin-orders.drafts'), href: '/admin/orders/drafts', isCurrent: isDrafts }] : []),
  ]
  return <Tabs label={t('admin-orders.status')} tabs={tabs} />
}

/** The link between a customer's delivered and completed orders. */
export function OtherPurchases({ status, count, customer }: { status: 'delivered' | 'completed'; count: number } & { customer: string }) {
  const { t, lang } = useI18n()
  const { path } = usePageContext()
  const shown = formatNumber(Math.min(count, MAX_COUNTED), lang) + (count > MAX_COUNTED ? '+' : '')
  return (
    <p className="mb-3 flex flex-wrap items-center gap-x-2 rounded-card bg-indigo-100 px-3.5 py-1">
      <InfoIcon className="shrink-0 text-indigo" />
      <a
        href={withQuery(path, { ...FIRST_PAGE, status })}
        className="inline-flex min-h-11 items-center font-semibold text-indigo underline underline-offset-4 wrap-anywhere"
      >
        {t(`admin-orders.also-${status}`, { count: shown, name: customer })}
      </a>
    </p>
  )
}

/** Active filters without a field, each with a button that removes it. */
export function FilterChips({ query, customer }: { query: Record<string, string>; customer: string | null }) {
  const { t, lang } = useI18n()
  const dayOf = (name: string) => (isDay(query[name] ?? '') ? formatDay(query[name]!, lang) : null)
  const [late, kurbani] = [dayOf('late_on'), dayOf('kurbani_after')]
  const chips: [name: string, text: string | null][] = [
    ['user_id', customer === null ? null : t('admin-orders.of-customer', { name: customer })],
    ['open', query.open === '1' ? t('admin-orders.still-to-go') : null],
    ['late_on', late && t('admin-orders.late-on', { day: late })],
    ['kurbani_after', kurbani && t('admin-orders.kurbani-after', { day: kurbani })],
    ['tag', query.tag ? t('admin-orders.tag-is', { tag: query.tag }) : null],
    ['attention', query.attention === '1' ? t('admin-orders.flagged') : null],
  ]
  return <Chips label={t('admin-orders.chips')} chips={chips} />
}
