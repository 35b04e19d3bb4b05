import { listDeliverySheet } from '#features/delivery/delivery-sheet.server.ts'
import { MAX_PRINTED, ORDER_SORTS, readOrderFilter } from '#features/orders/history/list-query-rules.ts'
import { listOrderIds, ORDERS_PAGE } from '#features/orders/history/order-list.server.ts'
import { idsToPrint, listPrintedOrders } from '#features/orders/printing/printable-order.server.ts'
import { readListView } from '#lib/db/keyset.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { dhakaDate } from '#lib/format/time.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { AdminContext, AdminLoaded, AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'
import type { PageProps } from '../../pages.ts'

/** Print views of orders: A4 invoices, single or in bulk, the deliveries of a day, and POS receipts. */
export const printRoutes: AdminRoute[] = [
  {
    url: '/admin/orders/invoice/:id',
    page: 'admin/print/invoice',
    permission: 'orders.read',
    load: (context) => invoices(context, oneId(context), ['customer', 'farm']),
  },
  {
    url: '/admin/orders/single_invoice/:id',
    page: 'admin/print/invoice',
    permission: 'orders.read',
    load: (context) => invoices(context, oneId(context), ['customer']),
  },
  {
    url: '/admin/orders/invoices',
    page: 'admin/print/invoice',
    permission: 'orders.read',
    load: async (context) => invoices(context, await batchOf(context), ['customer'], true),
  },
  {
    url: '/admin/orders/delivery-sheet',
    page: 'admin/print/delivery-sheet',
    permission: 'orders.read',
    async load({ db, lang, now, query }) {
      const { listOn, areaId } = readOrderFilter(query)
      const day = listOn ?? dhakaDate(now)
      const sheet = await listDeliverySheet(db, { day, today: dhakaDate(now), areaId, lang })
      const list = new URLSearchParams({ list_on: day, ...(areaId === null ? {} : { area_id: String(areaId) }) })
      return {
        props: { day, ...sheet, listHref: `/admin/orders?${list.toString()}`, printsImmediately: query.print === '1' },
        head: adminHead(lang, { key: 'delivery-sheet.title' }),
      }
    },
  },
  {
    url: '/admin/quick-orders/pos-invoice/:id',
    page: 'admin/print/receipt',
    permission: ['orders.read', 'pos.read'],
    async load(context) {
      const { db, lang, publicUrl, query, staff } = context
      const [printed] = await listPrintedOrders(db, oneId(context), { lang, publicUrl, counterOnly: !staff.can('orders.read') })
      if (!printed) return { refuse: 404 }
      const title = translate(lang)('print.receipt-title', { id: localizeDigits(lang, String(printed.order.id)) })
      return {
        props: { printed, isFromOrder: query.from === 'order', printsImmediately: query.print === '1' },
        head: adminHead(lang, title),
      }
    },
  },
]

/** Those that are named, or with `all` all that the list's filters let through, in its order. */
function batchOf({ db, query }: AdminContext): number[] | Promise<number[]> {
  if (query.all !== '1') return idsToPrint(query.ids ?? '')
  return listOrderIds(db, readOrderFilter(query), MAX_PRINTED, readListView(query, ORDER_SORTS, ORDERS_PAGE))
}

const oneId = ({ params }: AdminContext) => idsToPrint(params.id ?? '')

async function invoices(
  { db, lang, publicUrl, query }: AdminContext,
  ids: number[],
  copies: ('customer' | 'farm')[],
  isBatch = false,
): Promise<AdminLoaded<PageProps<'admin/print/invoice'>>> {
  const orders = await listPrintedOrders(db, ids, { lang, publicUrl })
  if (orders.length === 0 && !isBatch) return { refuse: 404 }
  const found = new Set(orders.map(({ order }) => order.id))
  const props = { orders, copies, isBatch, missing: ids.filter((id) => !found.has(id)), printsImmediately: query.print === '1' }
  const t = translate(lang)
  return {
    props,
    head: adminHead(lang, isBatch ? t('print.batch-title') : t('invoice.title', { id: localizeDigits(lang, String(ids[0])) })),
  }
}
