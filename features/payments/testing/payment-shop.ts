import Fastify from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { sql } from 'kysely'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import { paymentsApi } from '#features/payments/api.server.ts'
import { startPayment } from '#features/payments/commands/start-payment.server.ts'
import type { PaymentDeps } from '#features/payments/deps.ts'
import type { GatewayName, PaidOutcome } from '#features/payments/gateway.ts'
import { listAttempts } from '#features/payments/queries.server.ts'
import type { RunningSimulator } from './start-simulator.ts'
import type { Db } from '#lib/db/db.server.ts'
import { ulid } from '#lib/ids/ids.server.ts'

export type PayingShop = { url: string; deps: PaymentDeps; clock: { now: Date }; close(): Promise<void> }

/** Serves the payment routes on a port. The header `x-sees: <order id>` grants access to an order. */
export async function startPayingShop(db: Db, simulator: RunningSimulator): Promise<PayingShop> {
  const clock = { now: new Date('2026-11-20T06:00:00Z') }
  const env = { publicUrl: '' }
  const { sslcommerz, bkash } = simulator
  const log = { info() {}, warn() {} }
  const deps: PaymentDeps = {
    db,
    gateways: { sslcommerz, bkash, default: 'sslcommerz' },
    now: () => clock.now,
    env,
    shopCache: { settings: async () => DEFAULT_SETTINGS },
    log,
  }
  const app = Fastify({ forceCloseConnections: true })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorateReply('fail', function fail(status, key) {
    return this.code(status).send({ message: key, error: key })
  })
  await app.register(paymentsApi(deps, { canSeeOrder: (request, order) => request.headers['x-sees'] === String(order.id) }))
  env.publicUrl = await app.listen({ port: 0, host: '127.0.0.1' })
  return { url: env.publicUrl, deps, clock, close: () => app.close() }
}

export type OrderInput = { payable: number; total?: number; gateway?: GatewayName; animal?: boolean; advance?: number; status?: string }

let serial = 0

/** Writes an order, in taka, with its first attempt as checkout does; with `animal`, a cow on hold. */
export async function anOrder(
  db: Db,
  shop: PayingShop,
  input: OrderInput,
): Promise<{ orderId: number; productId: number; tranId: string }> {
  const number = (serial += 1)
  const { gateway = 'sslcommerz', animal = false, status = 'placed' } = input
  const total = (input.total ?? input.payable) * 100
  const phone = `017${String(10_000_000 + number)}`
  const one = async (query: ReturnType<typeof sql<{ id: number }>>) => (await query.execute(db)).rows[0]!.id
  await sql`insert into categories (id, slug, name_en, name_bn) values (900, 'test', 'Test', 'টেস্ট') on conflict do nothing`.execute(db)
  const userId = await one(sql<{ id: number }>`insert into users (name, phone) values ('Rahima', ${phone}) returning id`)
  const productId = await one(sql<{ id: number }>`
    insert into products (category_id, name_en, name_bn, price_poisha, status, hold_reason, is_unique, stock_milli, tag_number)
    values (900, 'Cow', 'গরু', ${total}, ${animal ? 'hold' : 'in-stock'}, ${animal ? 'booked' : null}, ${animal}, ${animal ? 0 : null}, ${animal ? `T-${number}` : null}) returning id`)
  const orderId = await one(sql<{ id: number }>`
    insert into orders (customer_id, name, phone, address, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type, payment_gateway,
      payable_poisha, list_on, placed_at, expires_at, view_key, tracking_code, status, reason)
    values (${userId}, 'Rahima', ${phone}, 'House 1', ${total}, 0, 0, ${total}, ${total === input.payable * 100 ? 'full' : 'partial'}, ${gateway},
      ${input.payable * 100}, '2026-11-21', ${shop.clock.now}, ${new Date(shop.clock.now.getTime() + 30 * 60_000)}, 'view-key', ${ulid()}, ${status},
      ${status === 'cancelled' ? 'Not paid in time' : null}) returning id`)
  await sql`insert into order_lines (order_id, position, product_id, name_en, name_bn, unit, quantity_milli, base_price_poisha, price_poisha, line_total_poisha, advance_poisha)
    values (${orderId}, 1, ${productId}, 'Cow', 'গরু', 'piece', 1000, ${total}, ${total}, ${total}, ${(input.advance ?? 0) * 100})`.execute(
    db,
  )
  if (animal) await sql`insert into animal_holds (product_id, order_id) values (${productId}, ${orderId})`.execute(db)
  const tranId = ulid()
  await sql`insert into payment_attempts (order_id, gateway, tran_id, amount_poisha, created_at, updated_at)
    values (${orderId}, ${gateway}, ${tranId}, ${input.payable * 100}, ${shop.clock.now}, ${shop.clock.now})`.execute(db)
  return { orderId, productId, tranId }
}

/** Writes an order and opens its page at the gateway. */
export async function anOpenedOrder(db: Db, shop: PayingShop, input: OrderInput) {
  const order = await anOrder(db, shop, input)
  const started = await startPayment(shop.deps, order.orderId)
  if (!started.ok) throw new Error(started.reason)
  return { ...order, page: started.redirectUrl, attempt: (await listAttempts(db, order.orderId))[0]! }
}

let outcomes = 0
/** A payment of 1500 taka that a gateway reports, each time with other ids. */
export function paidOutcome(tranId: string, more: Partial<PaidOutcome> = {}): PaidOutcome {
  const id = `${(outcomes += 1)}-${tranId}`
  return {
    state: 'paid',
    eventId: id,
    gatewayTxn: `bank-${id}`,
    gatewayRef: null,
    tranId,
    amountPoisha: 150_000 as PaidOutcome['amountPoisha'],
    currency: 'BDT',
    isOurs: true,
    isRisky: false,
    instrument: 'VISA',
    paidAt: null,
    extra: [],
    ...more,
  }
}

export type OrderSnapshot = {
  status: string
  needs_attention: string | null
  expires_at: Date | null
  product: string
  paid: number
  ledger: number
  sms: number
  attempts: string[]
  events: string[]
}

/** All data of an order that a payment may change, in taka. */
export async function findOrderSnapshot(db: Db, orderId: number): Promise<OrderSnapshot> {
  const { rows } = await sql<OrderSnapshot>`
    select o.status, o.needs_attention, o.expires_at,
      (select p.status from order_lines l join products p on p.id = l.product_id where l.order_id = o.id limit 1) as product,
      (select coalesce(sum(amount_poisha), 0)::bigint / 100 from ledger_entries where order_id = o.id) as paid,
      (select count(*) from ledger_entries where order_id = o.id) as ledger,
      (select count(*) from sms_outbox where order_id = o.id) as sms,
      (select array_agg(state order by id) from payment_attempts where order_id = o.id) as attempts,
      (select coalesce(array_agg(kind order by id), '{}') from order_events where order_id = o.id) as events
    from orders o where o.id = ${orderId}`.execute(db)
  return rows[0]!
}
