import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { type SnakeCased, toCamel } from '#lib/db/rows.ts'
import type { CustomerAccount, OpenOrder } from './account-rules.ts'
import type { Poisha } from '#lib/format/money.ts'

/** The customer of a phone, or of an id; a merged customer is the one it was merged into. Staff are not customers. */
const customerBy = (by: { phone: string } | { id: number }) =>
  'phone' in by
    ? sql`(select coalesce(merged_into, id) from users where phone = ${by.phone} and role = 'customer')`
    : sql`(select coalesce(merged_into, id) from users where id = ${by.id} and role = 'customer')`

/** The account of a customer; null when there is no such customer. */
export async function findAccount(db: Db, by: { phone: string } | { id: number }): Promise<CustomerAccount | null> {
  const { rows } = await sql<SnakeCased<CustomerAccount>>`
    select u.id, u.name, u.phone, u.credit_limit_poisha as limit, account_balance(u.id) as owed,
      (select coalesce(sum(greatest(-amount_due(o), 0)), 0)::bigint from orders o join account_sales a on a.order_id = o.id
        where o.customer_id = u.id) as refund_due,
      store_credit_balance(u.id) as store_credit from users u where u.id = ${customerBy(by)}`.execute(db)
  return rows[0] ? toCamel<CustomerAccount>(rows[0]) : null
}

/**
 * Locks the customer until the transaction ends, then reads the account: sales of other registers wait, so that no two of them use the same
 * credit. Lock order: after orders and products.
 */
export async function lockAccount(tx: Db, by: { phone: string } | { id: number }): Promise<CustomerAccount | null> {
  for (;;) {
    const { rows } = await sql<{ id: number }>`select id from users where id = ${customerBy(by)} for no key update`.execute(tx)
    const account = await findAccount(tx, by)
    // A merge that was waited for has given the account to another customer.
    if (!account || account.id === rows[0]?.id) return account
  }
}

/** Locks the account sales with an amount due, by ascending id. */
export async function lockOpenOrders(tx: Db, customerId: number): Promise<OpenOrder[]> {
  const { rows } = await sql<SnakeCased<OpenOrder>>`
    select o.id, o.placed_at, amount_due(o) as due from orders o
    where o.customer_id = ${customerId} and o.id in (select order_id from account_sales) and amount_due(o) > 0 order by o.id for update`.execute(
    tx,
  )
  return rows.map((row) => toCamel<OpenOrder>(row))
}

/** The account sales with an amount due in poisha, oldest first, at most 100. */
export async function listOpenOrders(db: Db, customerId: number): Promise<{ id: number; placed_at: string; due: Poisha }[]> {
  const { rows } = await sql<{ row: { id: number; placed_at: string; due: Poisha } }>`
    select json_build_object('id', o.id, 'placed_at', o.placed_at, 'due', amount_due(o)) as row
    from orders o join account_sales a on a.order_id = o.id
    where o.customer_id = ${customerId} and amount_due(o) > 0 order by o.placed_at, o.id limit 100`.execute(db)
  return rows.map(({ row }) => row)
}
