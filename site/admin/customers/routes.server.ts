import { listCategories } from '#features/catalog/categories/queries.server.ts'
import { findCustomer } from '#features/customers/customer-record.server.ts'
import { CUSTOMERS_PAGE, findProductName, listCounted, listCustomers } from '#features/customers/customer-list.server.ts'
import { CUSTOMER_SORTS, readCustomerFilter, readCustomerSearch } from '#features/customers/list-query-rules.ts'
import { findMergeCandidate, previewMerge } from '#features/customers/merge-customers.server.ts'
import { placeText } from '#features/kurbani/districts-rules.ts'
import { DISTRICTS } from '#features/kurbani/districts.server.ts'
import { listBookings } from '#features/kurbani/booking-queries.server.ts'
import { readableSms } from '#features/messaging/link-keys.ts'
import { listSms } from '#features/messaging/queries.server.ts'
import { readOrderFilter } from '#features/orders/history/list-query-rules.ts'
import { listOrders } from '#features/orders/history/order-list.server.ts'
import { findAccount } from '#features/pos/account/account-queries.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { shownName } from '#lib/format/shown-name.ts'
import { translate } from '#lib/i18n/translate.ts'
import { type KeysetCursor, readListView, readPages } from '#lib/db/keyset.ts'
import { readId } from '#lib/format/id.ts'
import { normalizePhone } from '#lib/format/phone.ts'
import { ZERO } from '#lib/format/money.ts'
import type { AdminContext, AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'
import { csvInstant, exportList } from '../list-export.server.ts'

const NEWEST: KeysetCursor = { backward: false, from: null }

export const customersRoutes: AdminRoute[] = [
  {
    url: '/admin/customers',
    page: 'admin/customers/customers',
    permission: 'customers.read',
    readsReplica: true,
    screen: 'customers',
    async load({ db, shopCache, lang, query }) {
      const filter = readCustomerFilter(query)
      const [list, areas, categories, product] = await Promise.all([
        listCounted(db, filter, readListView(query, CUSTOMER_SORTS, CUSTOMERS_PAGE)),
        shopCache.areaNames(),
        listCategories(db, lang),
        filter.productId === null ? null : findProductName(db, filter.productId, lang),
      ])
      const props = {
        list,
        query,
        product,
        areas: areas.map((area) => ({ id: area.id, name: lang === 'bn' ? area.name_bn : area.name_en })),
        categories: categories.map(({ id, name }) => ({ id, name })),
      }
      return { props, head: adminHead(lang, { key: 'admin.nav.customers' }) }
    },
  },
  {
    url: '/admin/customers/export',
    page: 'admin/customers/customers',
    permission: 'customers.read',
    load: exportCustomers,
  },
  {
    url: '/admin/customers/create',
    page: 'admin/customers/customer-create',
    permission: 'customers.write',
    load: async ({ lang, query }) => ({
      props: { phone: normalizePhone(query.phone ?? '') ?? '' },
      head: adminHead(lang, { key: 'customers.new' }),
    }),
  },
  {
    url: '/admin/customers/:id',
    page: 'admin/customers/customer',
    permission: 'customers.read',
    async load({ db, lang, now, params, staff }) {
      const customer = await findCustomer(db, readId(params.id) ?? 0, now)
      if (!customer) return { refuse: 404 }
      if ('mergedInto' in customer) return { redirect: `/admin/customers/${customer.mergedInto}` }
      const phones = [customer.phone, ...customer.other_phones.map(({ phone }) => phone)]
      const [orders, account, bookings, sms] = await Promise.all([
        listOrders(db, readOrderFilter({ user_id: String(customer.id) }), NEWEST, lang),
        findAccount(db, { id: customer.id }),
        ofPhones(phones, async (phone) => (await listBookings(db, { phones: { from: phone, to: phone } }, NEWEST)).rows),
        ofPhones(phones, async (phone) => readableSms((await listSms(db, { phone }, NEWEST)).rows, staff)),
      ])
      const placed = bookings.map((one) => ({ ...one, place: placeText(DISTRICTS, one, lang) }))
      return {
        props: { customer, storeCredit: account?.storeCredit ?? ZERO, orders: orders.rows, bookings: placed, sms },
        head: adminHead(lang, shownName(customer.name, lang)),
      }
    },
  },
  {
    url: '/admin/customers/:id/edit',
    page: 'admin/customers/customer-edit',
    permission: 'customers.write',
    async load({ db, lang, now, params }) {
      const customer = await findCustomer(db, readId(params.id) ?? 0, now)
      if (!customer) return { refuse: 404 }
      if ('mergedInto' in customer) return { redirect: `/admin/customers/${customer.mergedInto}/edit` }
      const { id, name, phone, email, owns_account } = customer
      return { props: { customer: { id, name, phone, email, owns_account } }, head: adminHead(lang, { key: 'customers.edit' }) }
    },
  },
  {
    url: '/admin/customers/:id/merge',
    page: 'admin/customers/customer-merge',
    permission: 'customers.write',
    async load({ db, lang, now, params, query }) {
      const target = await findCustomer(db, readId(params.id) ?? 0, now)
      if (!target) return { refuse: 404 }
      if ('mergedInto' in target) return { redirect: `/admin/customers/${target.mergedInto}/merge` }
      const { id, name, phone } = target
      const props = { target: { id, name, phone }, typed: query.with ?? '', preview: await previewOf(db, id, query.with) }
      return { props, head: adminHead(lang, { key: 'customers.merge' }) }
    },
  },
]

/** The customers of the list as a file, in its order. */
function exportCustomers(context: AdminContext) {
  const { db, lang, query } = context
  const t = translate(lang)
  const filter = readCustomerFilter(query)
  return exportList(context, {
    subject: 'customer',
    name: 'customers',
    head: [
      t('leaderboard.id'),
      ...(['customer', 'phone', 'email', 'account', 'spent', 'orders', 'last-order', 'since'] as const).map((name) =>
        t(`customers.${name}`),
      ),
    ],
    pages: readPages(readListView(query, CUSTOMER_SORTS, CUSTOMERS_PAGE), (view) => listCustomers(db, filter, view)),
    line: (row) => [
      row.id,
      shownName(row.name, lang),
      row.phone,
      row.email,
      t(row.is_disabled ? 'customers.disabled' : row.has_account ? 'customers.has-account' : 'customers.guest'),
      row.spent,
      row.orders_count,
      row.last_order_at && csvInstant(row.last_order_at),
      csvInstant(row.created_at),
    ],
  })
}

const SHOWN = 20

/** The newest rows of all phones of a customer; nearly always there is one. */
async function ofPhones<Row extends { id: number }>(phones: string[], read: (phone: string) => Promise<Row[]>): Promise<Row[]> {
  const rows = (await Promise.all(phones.map(read))).flat()
  return rows.sort((a, b) => b.id - a.id).slice(0, SHOWN)
}

/** Preview of a merge with the customer of a phone or id; null for empty input. */
async function previewOf(db: Db, targetId: number, typed: string | undefined) {
  const search = readCustomerSearch(typed)
  if (!search) return null
  const by = search.by === 'phone' ? { phone: search.phone } : search.by === 'number' ? { id: search.id } : null
  const otherId = by && (await findMergeCandidate(db, by))
  return otherId === null ? ({ ok: false, reason: 'missing' } as const) : previewMerge(db, targetId, otherId)
}
