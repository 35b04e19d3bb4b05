import { listGatewayMoney } from '#features/orders/payments/gateway-payments.server.ts'
import { PAYMENT_SORTS, readPaymentFilter } from '#features/orders/payments/payment-list-rules.ts'
import { listPayments, PAYMENTS_PAGE } from '#features/orders/payments/payment-list.server.ts'
import { listAdjustmentDays, listPaymentDays, listPaymentEntries, sumByMethod } from '#features/reports/payments-by-day.server.ts'
import { MAX_DAYS_OF_ENTRIES, type Period, readPeriod } from '#features/reports/period-rules.ts'
import type { CsvFile } from '#lib/csv/csv.server.ts'
import { parseCursor, readListView, readPages } from '#lib/db/keyset.ts'
import { shownName } from '#lib/format/shown-name.ts'
import { dhakaDate, dhakaMoment, isDay } from '#lib/format/time.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { AdminContext, AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'
import { csvInstant, exportList } from '../list-export.server.ts'
import { methodName } from './method-name.ts'

/** Rows of a file; a day of one method has far fewer. */
const MAX_FILE_ROWS = 50_000

export const paymentsRoutes: AdminRoute[] = [
  {
    url: '/admin/payments',
    page: 'admin/payments/payments',
    permission: 'orders.read',
    screen: 'payments',
    async load({ db, lang, now, query }) {
      const [open, list] = await Promise.all([
        listGatewayMoney(db, now),
        listPayments(db, readPaymentFilter(query), readListView(query, PAYMENT_SORTS, PAYMENTS_PAGE)),
      ])
      return { props: { ...open, list, query }, head: adminHead(lang, { key: 'admin.nav.payments' }) }
    },
  },
  {
    url: '/admin/payments/days',
    page: 'admin/payments/days',
    permission: 'reports.read',
    async load(context) {
      const { db, lang, now, query } = context
      const period = readPeriod(query, dhakaDate(now), MAX_DAYS_OF_ENTRIES)
      if (query.download !== undefined) return { csv: await daysFile(context, period) }
      const [days, adjustments] = await Promise.all([listPaymentDays(db, period), listAdjustmentDays(db, period)])
      const props = { period, maxDays: MAX_DAYS_OF_ENTRIES, days, methods: sumByMethod(days), adjustments }
      return { props, head: adminHead(lang, { key: 'money.days' }) }
    },
  },
  {
    url: '/admin/payments/days/:day',
    page: 'admin/payments/day',
    permission: 'reports.read',
    async load(context) {
      const { db, lang, query, params } = context
      const { day = '' } = params
      const method = (query.method ?? '').slice(0, 50)
      if (!isDay(day) || method.includes('\0')) return { refuse: 404 }
      if (method === '') return { redirect: `/admin/payments/days?from=${day}&to=${day}` }
      if (query.download !== undefined) return { csv: await entriesFile(context, day, method) }
      const page = await listPaymentEntries(db, { day, method }, parseCursor(query, 1))
      return { props: { day, method, page }, head: adminHead(lang, { key: 'money.days' }) }
    },
  },
  {
    url: '/admin/payments/export',
    page: 'admin/payments/payments',
    permission: 'orders.read',
    load: exportPayments,
  },
]

const taka = (poisha: number) => poisha / 100

async function daysFile({ db, lang }: AdminContext, period: Period): Promise<CsvFile> {
  const t = translate(lang)
  const sums = ['money.channel.staff', 'money.channel.web', 'money.channel.pos', 'money.channel.refunds', 'money.total'] as const
  const [days, adjustments] = await Promise.all([listPaymentDays(db, period), listAdjustmentDays(db, period)])
  return {
    filename: `khamar-payments-${period.from}-${period.to}.csv`,
    head: [t('money.day'), t('money.method'), t('money.entries'), ...sums.map((key) => t(key)), t('money.adjustments')],
    rows: [
      ...days.map((row) => [
        row.day,
        methodName(t, row.method),
        row.entries,
        taka(row.staff_poisha),
        taka(row.web_poisha),
        taka(row.pos_poisha),
        taka(row.refunds_poisha),
        taka(row.total_poisha),
        0,
      ]),
      ...adjustments.map((row) => [row.day, methodName(t, row.kind), row.entries, 0, 0, 0, 0, 0, taka(row.retained_poisha)]),
    ],
  }
}

async function entriesFile({ db, lang }: AdminContext, day: string, method: string): Promise<CsvFile> {
  const t = translate(lang)
  const { rows } = await listPaymentEntries(db, { day, method }, { backward: false, from: null }, MAX_FILE_ROWS)
  const names = ['money.time', 'admin-orders.order', 'money.kind', 'money.channel', 'admin-orders.transaction', 'advances.amount'] as const
  return {
    filename: `khamar-payments-${day}-${method.replaceAll(/[^a-z0-9_-]/gi, '')}.csv`,
    head: [...names.map((key) => t(key)), t('money.by')],
    rows: rows.map((row) => [
      dhakaMoment(new Date(row.at)).replace('T', ' '),
      row.order_id,
      t(`ledger.${row.kind}`),
      t(`money.channel.${row.channel}`),
      row.reference,
      taka(row.amount_poisha),
      row.by ?? t('money.gateway'),
    ]),
  }
}

/** The payments and refunds of the list as a file, in its order. */
function exportPayments(context: AdminContext) {
  const { db, lang, query } = context
  const t = translate(lang)
  const filter = readPaymentFilter(query)
  return exportList(context, {
    subject: 'payment',
    name: 'payments',
    head: [
      t('audit.when'),
      t('admin-orders.order'),
      t('admin-orders.customer'),
      t('payments.kind'),
      t('admin-orders.method'),
      t('admin-orders.transaction'),
      t('advances.amount'),
      t('audit.who'),
    ],
    pages: readPages(readListView(query, PAYMENT_SORTS, PAYMENTS_PAGE), (view) => listPayments(db, filter, view)),
    line: (row) => [
      csvInstant(row.at),
      row.order_id,
      shownName(row.name, lang),
      t(`ledger.${row.kind}`),
      methodName(t, row.method),
      row.reference,
      row.amount,
      row.by,
    ],
  })
}
