import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { fromMicros, toMicros } from '#lib/db/keyset.server.ts'
import { isAscending, type KeysetPage, keysetPage, type ListView } from '#lib/db/keyset.ts'
import { datesToText, type WithDates } from '#lib/db/rows.ts'
import { addDays, dhakaInstant } from '#lib/format/time.ts'
import { PAYMENT_KINDS, type PAYMENT_SORTS, type PaymentFilter, type PaymentKind } from './payment-list-rules.ts'

/** A payment or a refund of the ledger. A refund is negative; money in taka. */
export interface PaymentRow {
  id: number
  at: string
  kind: PaymentKind
  method: string
  amount: number
  reference: string | null
  /** Null for a refund of a return without a receipt. */
  order_id: number | null
  name: string | null
  by: string | null
}

export const PAYMENTS_PAGE = 25

/** A page of the payments and refunds of all orders, newest first unless the view says otherwise. */
export async function listPayments(
  db: Db,
  { kind, method, from, to }: PaymentFilter,
  view: ListView<keyof typeof PAYMENT_SORTS>,
): Promise<KeysetPage<PaymentRow>> {
  const { size = PAYMENTS_PAGE } = view
  const isUp = isAscending(view)
  const [micros, id] = (view.from ?? []).map(Number)
  const isPast = Number.isSafeInteger(micros) && Number.isSafeInteger(id)
  const conditions = [
    sql`e.kind = any(${kind === null ? [...PAYMENT_KINDS] : [kind]}::text[])`,
    ...(method === null ? [] : [sql`e.method = ${method}`]),
    ...(from === null ? [] : [sql`e.at >= ${dhakaInstant(from)}`]),
    ...(to === null ? [] : [sql`e.at < ${dhakaInstant(addDays(to, 1))}`]),
    ...(isPast ? [sql`(e.at, e.id) ${isUp ? sql`>` : sql`<`} (${fromMicros(sql`${micros}`)}, ${id}::bigint)`] : []),
  ]
  const order = isUp ? sql`e.at, e.id` : sql`e.at desc, e.id desc`
  const { rows } = await sql<WithDates<PaymentRow, 'at'> & { micros: number }>`
    select e.id, e.at, e.kind, e.method, e.amount_poisha::float8 / 100 as amount, e.reference, e.order_id, o.name, u.name as by,
      ${toMicros(sql`e.at`)} as micros
    from (select * from ledger_entries e where ${sql.join(conditions, sql` and `)} order by ${order} limit ${size + 1}) e
    left join orders o on o.id = e.order_id left join users u on u.id = e.actor_id
    order by ${order}`.execute(db)
  const page = keysetPage(rows, view, size, (row) => [row.micros, row.id])
  return { ...page, rows: page.rows.map(({ micros: _micros, ...row }) => datesToText(row)) }
}
