import { sql } from 'kysely'
import type { GatewayName, PaymentHint } from '#features/payments/gateway.ts'
import { ORDER_MONEY } from '#features/ledger/ledger.server.ts'
import type { OrderMoney } from '#features/ledger/rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { Poisha } from '#lib/format/money.ts'

export type AttemptState = 'initiated' | 'pending' | 'paid' | 'failed' | 'expired' | 'review' | 'refused'

export type Attempt = {
  id: number
  orderId: number
  gateway: GatewayName
  tranId: string
  gatewayRef: string | null
  amountPoisha: Poisha
  state: AttemptState
  redirectUrl: string | null
  failure: string | null
  createdAt: Date
}

const attemptColumns = sql`a.id, a.order_id as "orderId", a.gateway, a.tran_id as "tranId", a.gateway_ref as "gatewayRef",
  a.amount_poisha as "amountPoisha", a.state, a.redirect_url as "redirectUrl", a.failure, a.created_at as "createdAt"`

/** The attempt that a hint names, or null. */
export async function findHintedAttempt(db: Db, gateway: GatewayName, hint: PaymentHint): Promise<Attempt | null> {
  const named = hint.tranId !== undefined ? sql`a.tran_id = ${hint.tranId}` : sql`a.gateway_ref = ${hint.gatewayRef ?? null}`
  const { rows } = await sql<Attempt>`select ${attemptColumns} from payment_attempts a where a.gateway = ${gateway} and ${named}`.execute(
    db,
  )
  return rows[0] ?? null
}

export async function findAttempt(db: Db, id: number): Promise<Attempt | null> {
  const { rows } = await sql<Attempt>`select ${attemptColumns} from payment_attempts a where a.id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** All attempts of an order, newest first. */
export async function listAttempts(db: Db, orderId: number): Promise<Attempt[]> {
  const { rows } =
    await sql<Attempt>`select ${attemptColumns} from payment_attempts a where a.order_id = ${orderId} order by a.id desc`.execute(db)
  return rows
}

/** Whether this very success of a gateway has been counted already. */
export async function isCounted(db: Db, gateway: GatewayName, eventId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from gateway_events where gateway = ${gateway} and event_id = ${eventId}`.execute(db)
  return rows.length > 0
}

export type PayableOrder = OrderMoney & {
  id: number
  gateway: 'NONE' | GatewayName
  /** A transfer that the buyer reported waits to be verified. */
  hasReportedAdvance: boolean
  placedAt: Date
  expiresAt: Date | null
  name: string
  phone: string
  email: string
  address: string
  area: string
  viewKey: string
  lang: 'en' | 'bn'
}

/** The sums of an order and the customer's data that a gateway needs; null when there is none. */
export async function findPayableOrder(db: Db, id: number): Promise<PayableOrder | null> {
  const { rows } = await sql<PayableOrder>`
    select o.id, o.payment_gateway as gateway, o.placed_at as "placedAt", o.expires_at as "expiresAt", o.name, o.phone, o.email,
      o.address, coalesce(area.name_en, '') as area, o.view_key as "viewKey", o.lang, ${ORDER_MONEY},
      exists (select 1 from advance_reports c where c.order_id = o.id and c.state = 'waiting') as "hasReportedAdvance"
    from orders o left join areas area on area.id = o.area_id
    where o.id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** The names of an order's lines, in the letters every bank can print. */
export async function listLineNames(db: Db, orderId: number): Promise<string[]> {
  const { rows } = await sql<{ name_en: string }>`select name_en from order_lines where order_id = ${orderId} order by position`.execute(db)
  return rows.map((row) => row.name_en)
}

export type OrderAccess = { id: number; customerId: number; browserHash: Buffer | null; viewKey: string }

/** What decides who may see an order; null when there is none. */
export async function findOrderAccess(db: Db, id: number): Promise<OrderAccess | null> {
  const { rows } = await sql<OrderAccess>`select id, customer_id as "customerId", access_token_hash as "browserHash", view_key as "viewKey"
    from orders where id = ${id}`.execute(db)
  return rows[0] ?? null
}
