import { sql } from 'kysely'
import type { ProductSearch } from '#features/search/product-search.server.ts'
import { searchTerm } from '#lib/format/search-term.ts'
import { findCustomers as findCustomersBy } from '#features/customers/customer-list.server.ts'
import { readCustomerSearch } from '#features/customers/list-query-rules.ts'
import type { OrderStatus } from '#features/orders/rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import { shownName } from '#lib/format/shown-name.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { localizeDigits, latinDigits } from '#lib/format/numbers.ts'
import { readTypedId } from '#lib/format/id.ts'
import { phoneRange } from '#lib/format/phone.ts'

export interface Found {
  kind: 'order' | 'product' | 'customer'
  id: number
  title: string
  detail: string
}

/** What the permissions of the user allow to find. */
export interface FindPermissions {
  orders: boolean
  products: boolean
  customers: boolean
}

const MAX_OF_EACH = 6

/** Finds orders by number or phone, customers by phone, name or email, products by name or tag, for the command palette. */
export async function findAnything(
  { db, search }: { db: Db; search: ProductSearch },
  typed: string,
  may: FindPermissions,
  lang: Lang,
): Promise<Found[]> {
  const text = latinDigits(typed.trim()).slice(0, 100)
  const term = searchTerm(text)
  const [orders, customers, products] = await Promise.all([
    may.orders ? findOrders(db, text, lang) : [],
    may.customers ? findCustomers(db, text, lang) : [],
    may.products && term ? search.findMatches(term, MAX_OF_EACH) : [],
  ])
  const shown = products.map((row): Found => ({
    kind: 'product',
    id: row.id,
    title: lang === 'bn' ? row.name_bn : row.name_en,
    detail: row.tag_number ?? '',
  }))
  return [...orders, ...customers, ...shown]
}

async function findOrders(db: Db, text: string, lang: Lang): Promise<Found[]> {
  const id = readTypedId(text)
  const range = phoneRange(text)
  if (id === null && !range) return []
  // Without a phone the range is null, not empty: sales without a customer have an empty phone.
  const { rows } = await sql<{
    id: number
    name: string
    phone: string
    status: OrderStatus
  }>`
    (select id, name, phone, status from orders where id = ${id}::bigint)
    union all
    (select id, name, phone, status from orders where phone between ${range?.from ?? null}::text and ${range?.to ?? null}::text
      order by phone, id desc limit ${MAX_OF_EACH})`.execute(db)
  const t = translate(lang)
  return rows.map(({ id, name, phone, status }) => ({
    kind: 'order',
    id,
    title: `#${localizeDigits(lang, String(id))} · ${shownName(name, lang)}`,
    detail: `${localizeDigits(lang, phone)} · ${t(`order-status.${status}`)}`,
  }))
}

async function findCustomers(db: Db, text: string, lang: Lang): Promise<Found[]> {
  const search = readCustomerSearch(text)
  // A plain number is an order id.
  if (!search || search.by === 'number') return []
  const rows = await findCustomersBy(db, search, MAX_OF_EACH)
  return rows.map(({ id, name, phone }) => ({ kind: 'customer', id, title: shownName(name, lang), detail: localizeDigits(lang, phone) }))
}
