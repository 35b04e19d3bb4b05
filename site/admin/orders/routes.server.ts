import { listBulkRuns } from '#features/bulk-orders/bulk-queries.server.ts'
import { listOrderEmails } from '#features/email/queries.server.ts'
import { findCustomerName } from '#features/customers/customer-record.server.ts'
import { listAreas } from '#features/catalog/areas/queries.server.ts'
import { listWeighingsOfOrder } from '#features/cattle/settlement/final-weighings.server.ts'
import { readableText } from '#features/messaging/link-keys.ts'
import { readCalendar } from '#features/orders/delivery-calendar.server.ts'
import { ORDER_SORTS, readOrderFilter } from '#features/orders/history/list-query-rules.ts'
import { type AdminOrder, findAdminOrder } from '#features/orders/history/order-details.server.ts'
import { findOtherPurchases, listOrderGoods, listOrders, ORDERS_PAGE } from '#features/orders/history/order-list.server.ts'
import { findDraft, listDrafts } from '#features/orders/drafts/drafts.server.ts'
import { listedDates } from '#features/orders/expected-delivery-rules.ts'
import { listDate } from '#features/orders/list-date.ts'
import { isLive } from '#features/orders/rules.ts'
import { listUsedTags } from '#features/orders/tags/tags.server.ts'
import { findOpenPayment } from '#features/payments/queries.server.ts'
import { findOpenShift } from '#features/pos/shift-queries.server.ts'
import { readId } from '#lib/format/id.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { shownName } from '#lib/format/shown-name.ts'
import { translate } from '#lib/i18n/translate.ts'
import { readListView, readPages } from '#lib/db/keyset.ts'
import { findBooking } from '#features/kurbani/booking-queries.server.ts'
import { normalizePhone } from '#lib/format/phone.ts'
import type { AdminContext, AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'
import type { CopiedOrder } from './order-create.page.tsx'
import { csvInstant, exportList } from '../list-export.server.ts'

/** What the customer wrote in the pre-booking that a new order is opened from. */
async function bookedContact(
  { db, staff }: Pick<AdminContext, 'db' | 'staff'>,
  id: string | undefined,
): Promise<{ phone?: string; booked: { name: string; email: string } | null }> {
  const booking = staff.can('bookings.read') ? await findBooking(db, readId(id) ?? 0) : null
  return booking ? { phone: booking.phone, booked: { name: booking.name, email: booking.email } } : { booked: null }
}

export const ordersRoutes: AdminRoute[] = [
  {
    url: '/admin/orders',
    page: 'admin/orders/orders',
    permission: 'orders.read',
    readsReplica: true,
    screen: 'orders',
    async load({ db, shopCache, lang, query }) {
      const filter = readOrderFilter(query)
      const [list, areas, customer, other, runs, usedTags] = await Promise.all([
        listOrders(db, filter, readListView(query, ORDER_SORTS, ORDERS_PAGE), lang),
        shopCache.areaNames(),
        filter.userId ? findCustomerName(db, filter.userId) : null,
        findOtherPurchases(db, filter),
        listBulkRuns(db),
        listUsedTags(db),
      ])
      const props = {
        list,
        query,
        customer: customer === null ? null : shownName(customer, lang),
        other,
        runs,
        usedTags,
        areas: areas.map((area) => ({ id: area.id, area_name: lang === 'bn' ? area.name_bn : area.name_en })),
      }
      return { props, head: adminHead(lang, { key: 'admin.nav.orders' }) }
    },
  },
  {
    url: '/admin/orders/export',
    page: 'admin/orders/orders',
    permission: 'orders.read',
    load: exportOrders,
  },
  {
    url: '/admin/orders/drafts',
    page: 'admin/orders/drafts',
    permission: 'orders.write',
    async load({ db, lang, now, query }) {
      return {
        props: { drafts: await listDrafts(db, now), isGone: query.gone === '1' },
        head: adminHead(lang, { key: 'admin-orders.drafts' }),
      }
    },
  },
  {
    url: '/admin/orders/create',
    page: 'admin/orders/order-create',
    permission: 'orders.write',
    async load({ db, shopCache, lang, query, now, staff }) {
      const draft = query.draft === undefined ? null : await findDraft(db, readId(query.draft) ?? 0, now)
      if (query.draft !== undefined && !draft) return { redirect: '/admin/orders/drafts?gone=1' }
      const earlier = await findAdminOrder(db, readId(query.from) ?? 0, lang, false)
      const { phone: bookedPhone, booked } = await bookedContact({ db, staff }, query.booking)
      const phone = normalizePhone(query.phone ?? bookedPhone ?? earlier?.phone ?? '') ?? ''
      const settings = await shopCache.settings()
      const listOn = listDate(now, settings.cutoff_hour)
      const [areas, calendar, shift] = await Promise.all([
        listAreas(db, true, lang),
        readCalendar(db, settings, listOn),
        findOpenShift(db, staff.id),
      ])
      return {
        props: {
          areas,
          phone,
          booked,
          copied: earlier && copyOf(earlier),
          draft,
          listOn,
          calendar,
          hasDrawer: shift !== null,
        },
        head: adminHead(lang, { key: 'admin-orders.new' }),
      }
    },
  },
  {
    url: '/admin/orders/update/:id',
    page: 'admin/orders/order-edit',
    permission: 'orders.read',
    async load({ db, lang, params, query, staff }) {
      const id = readId(params.id) ?? 0
      const [order, areas, weighings, emails, usedTags, shift, openPayment] = await Promise.all([
        findAdminOrder(db, id, lang, staff.can('orders.reopen')),
        listAreas(db, false, lang),
        listWeighingsOfOrder(db, id),
        listOrderEmails(db, id),
        staff.can('orders.write') ? listUsedTags(db) : [],
        findOpenShift(db, staff.id),
        findOpenPayment(db, id),
      ])
      if (!order) return { refuse: 404 }
      const title = translate(lang)('admin-orders.title', { id: localizeDigits(lang, String(id)) })
      const more = { weighings, areas, emails, usedTags, hasDrawer: shift !== null, openPayment, saved: query.saved === '1' }
      return { props: { order: readableOrder(order, staff), ...more }, head: adminHead(lang, title) }
    },
  },
]

/** The order as the staff may read it: messages in its timeline have links too. */
function readableOrder(order: AdminOrder, staff: AdminContext['staff']): AdminOrder {
  const events = order.events.map((event) => {
    const { text } = event.detail
    return typeof text === 'string' ? { ...event, detail: { ...event.detail, text: readableText(text, staff) } } : event
  })
  return { ...order, events }
}

/** What a new order takes from an earlier one: customer and products, no money. */
function copyOf({ id, name, address, landmark, area_id, is_collection, lines }: AdminOrder): CopiedOrder {
  return {
    order_id: id,
    contact: { name, address: is_collection ? '' : address, landmark, area_id: area_id === null ? '' : String(area_id), is_collection },
    lines: lines.map((line) => ({ product_id: line.product_id, name: line.product_name, quantity: line.quantity })),
  }
}

/**
 * The orders of the list as a file, in its order, with all their products. The total is the list's: charged, and of an ended order what was
 * ordered.
 */
function exportOrders(context: AdminContext) {
  const { db, lang, query } = context
  const t = translate(lang)
  const filter = readOrderFilter(query)
  return exportList(context, {
    subject: 'order',
    name: 'orders',
    head: [
      ...(['order', 'placed', 'source', 'status', 'customer', 'phone', 'area', 'goods', 'sum', 'due', 'delivery-day', 'tags'] as const).map(
        (name) => t(`admin-orders.${name}`),
      ),
      ...(['return', 'fee', 'write_off'] as const).map((kind) => t(`ledger.${kind}`)),
    ],
    pages: readPages(readListView(query, ORDER_SORTS, ORDERS_PAGE), async (view) => {
      const page = await listOrders(db, filter, view, lang)
      const ids = page.rows.map(({ id }) => id)
      const goods = await listOrderGoods(db, ids, lang)
      return { ...page, rows: page.rows.map((row) => ({ ...row, allGoods: goods.get(row.id) ?? '' })) }
    }),
    line: (row) => [
      row.id,
      csvInstant(row.placed_at),
      t(`admin-orders.source.${row.source}`),
      t(`order-status.${row.status}`),
      shownName(row.name, lang),
      row.phone,
      row.is_collection ? t('admin-orders.collection') : row.area_name,
      row.allGoods,
      isLive(row.status) ? row.total : row.ordered,
      row.due,
      listedDates(row).join(' + '),
      row.tags.join(', '),
      row.returned,
      row.fee,
      row.written_off,
    ],
  })
}
