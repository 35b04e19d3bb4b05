import { type RawBuilder, sql } from 'kysely'
import { type AttemptState, OPEN_ATTEMPT_STATES } from '#features/payments/payment-status.ts'
import type { GatewayName, PaymentHint } from '#features/payments/gateway.ts'
import { pagePayable } from '#features/payments/payment-verification-rules.ts'
import { ORDER_MONEY } from '#features/ledger/ledger.server.ts'
import type { OrderMoney } from '#features/ledger/rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import { type SnakeCased, toCamel } from '#lib/db/rows.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { type Poisha, poishaToTaka } from '#lib/format/money.ts'

export type Attempt = {
  id: number
  orderId: number
  gateway: GatewayName
  tranId: string
  gatewayRef: string | null
  amountPoisha: Poisha
  state: AttemptState
  /** It pays the rest (`restPayable`), and not the payment promised with the order. */
  isRest: boolean
  redirectUrl: string | null
  failure: string | null
  createdAt: Date
}

/** Whether the payment page of an attempt is open. Its literals are those of the index `payment_attempts_open`. */
export const IS_OPEN_ATTEMPT: RawBuilder<boolean> = sql`state in (${sql.join(OPEN_ATTEMPT_STATES.map((state) => sql.lit(state)))})`

const selectAttempts = (db: Db) =>
  db
    .selectFrom('payment_attempts')
    .select([
      'id',
      'order_id',
      'gateway',
      'tran_id',
      'gateway_ref',
      'amount_poisha',
      'state',
      'is_rest',
      'redirect_url',
      'failure',
      'created_at',
    ])

/** The attempt that a hint names, or null. */
export async function findHintedAttempt(db: Db, gateway: GatewayName, hint: PaymentHint): Promise<Attempt | null> {
  const attempts = selectAttempts(db).where('gateway', '=', gateway)
  const row = await (
    hint.tranId === undefined ? attempts.where('gateway_ref', '=', hint.gatewayRef ?? null) : attempts.where('tran_id', '=', hint.tranId)
  ).executeTakeFirst()
  return row ? toCamel<Attempt>(row) : null
}

export async function findAttempt(db: Db, id: number): Promise<Attempt | null> {
  const row = await selectAttempts(db).where('id', '=', id).executeTakeFirst()
  return row ? toCamel<Attempt>(row) : null
}

/** All attempts of an order, newest first. */
export async function listAttempts(db: Db, orderId: number): Promise<Attempt[]> {
  const rows = await selectAttempts(db).where('order_id', '=', orderId).orderBy('id', 'desc').execute()
  return rows.map(toCamel<Attempt>)
}

/** A payment page of an order that is open: staff ask before they take the money another way. `amount` is in taka. */
export interface OpenPayment {
  gateway: GatewayName
  amount: number
  since: string
}

/** The latest open payment page of an order on which something is left to pay; null without one. */
export async function findOpenPayment(db: Db, orderId: number): Promise<OpenPayment | null> {
  const pages = (await listAttempts(db, orderId)).filter(({ state }) => OPEN_ATTEMPT_STATES.includes(state))
  // Most orders have none.
  const order = pages.length > 0 ? await findPayableOrder(db, orderId) : null
  const open = order && pages.find((one) => pagePayable(order, one) > 0)
  return open ? { gateway: open.gateway, amount: poishaToTaka(open.amountPoisha), since: open.createdAt.toISOString() } : null
}

/** Whether this event of a gateway is recorded already. */
export async function isRecorded(db: Db, gateway: GatewayName, eventId: string): Promise<boolean> {
  const event = db.selectFrom('gateway_events').select('attempt_id').where('gateway', '=', gateway).where('event_id', '=', eventId)
  return (await event.executeTakeFirst()) !== undefined
}

export type PayableOrder = OrderMoney & {
  id: number
  gateway: 'NONE' | GatewayName
  /** Reported advances that staff have not verified or rejected. */
  waitingAdvances: number
  placedAt: Date
  expiresAt: Date | null
  name: string
  phone: string
  email: string
  address: string
  area: string
  lang: Lang
}

/** The sums of an order and the customer's data that a gateway needs; null when there is none. */
export async function findPayableOrder(db: Db, id: number): Promise<PayableOrder | null> {
  const { rows } = await sql<SnakeCased<PayableOrder>>`
    select o.id, o.payment_gateway as gateway, o.placed_at, o.expires_at, o.name, o.phone, o.email, o.address,
      coalesce(area.name_en, '') as area, o.lang, ${ORDER_MONEY},
      (select count(*)::int from advance_reports c where c.order_id = o.id and c.state = 'waiting') as waiting_advances
    from orders o left join areas area on area.id = o.area_id
    where o.id = ${id}`.execute(db)
  return rows[0] ? toCamel<PayableOrder>(rows[0]) : null
}

/** Locks the row of an order until the transaction ends: the first lock of every change of its payments. Reads nothing. */
export async function lockOrderRow(tx: Db, id: number): Promise<void> {
  await tx.selectFrom('orders').select('id').where('id', '=', id).forUpdate().execute()
}

/** The English names of an order's lines: every bank can print Latin letters. */
export async function listLineNames(db: Db, orderId: number): Promise<string[]> {
  const rows = await db.selectFrom('order_lines').select('name_en').where('order_id', '=', orderId).orderBy('position').execute()
  return rows.map((row) => row.name_en)
}

export type OrderAccess = { id: number; customerId: number; browserHash: Buffer | null; viewKey: string }

/** The data that decides on access to an order; null when there is none. */
export async function findOrderAccess(db: Db, id: number): Promise<OrderAccess | null> {
  const order = db.selectFrom('orders').select(['customer_id', 'access_token_hash', 'view_key']).where('id', '=', id)
  const row = await order.executeTakeFirst()
  return row ? { id, customerId: row.customer_id, browserHash: row.access_token_hash, viewKey: row.view_key } : null
}
