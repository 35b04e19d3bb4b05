import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import type { Faults } from '#dev/payment-simulator/faults.ts'
import { expireOrders } from '#features/orders/status/expire-orders.server.ts'
import { followRefunds } from '#features/payments/refunds/follow-refunds.server.ts'
import { expectLedger } from '#test/ledger-checks.ts'
import { testDb } from '#test/db.ts'
import { buildArea } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { signedIn } from '../testing/admin-shop.ts'
import { payAtSimulator } from '../testing/online-payments.ts'

// Generated lives of orders with a payment by gateway: accepted, risky or of another amount, recorded by hand as well, refunded through the
// gateway and in cash, rejected, cancelled, reopened and expired. The shop never pays back more than it has received.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500 })
const manager = await signedIn(shop, 'manager')
const { simulator, paid } = await payAtSimulator(shop)
const deps = { ...shop.deps, catalogChanged() {} }
afterAll(async () => {
  expect(shop.failures).toEqual([])
  await expectLedger(db)
  await simulator.close()
})

const ORDERS = 40
const PER_TEST = 10

const STARTS: { gateway: 'sslcommerz' | 'bkash'; faults: Faults }[] = [
  { gateway: 'bkash', faults: {} },
  { gateway: 'sslcommerz', faults: { risky: true } },
  { gateway: 'sslcommerz', faults: { risky: true, twoPaid: true } },
  { gateway: 'bkash', faults: { paidAmount: '11000.00' } },
  { gateway: 'bkash', faults: { paidAmount: '11000.00' } },
]
const REFUNDS: Faults[] = [{}, {}, { refund: 'failed' }, { refund: 'error' }, { refundCancelled: true, refundPolls: 1 }]
const STEPS = ['record', 'accept', 'reject', 'refund', 'pay', 'pay back', 'follow', 'resolve', 'end', 'reopen', 'fee', 'expire'] as const

interface OrderState {
  version: number
  status: string
  received: number
  due: number
  attempt: number
  gateway: string
  transaction: string
}

const stateOf = async (id: number) =>
  (
    await sql<OrderState>`select o.version, o.status, amount_received(o)::float8 / 100 as received, amount_due(o)::float8 / 100 as due,
      a.id as attempt, a.gateway, coalesce(a.gateway_txn, '') as transaction
    from orders o join payment_attempts a on a.order_id = o.id where o.id = ${id} order by a.id limit 1`.execute(db)
  ).rows[0]!

const step = fc.record({ do: fc.constantFrom(...STEPS), size: fc.integer({ min: 1, max: 10 }), refunds: fc.constantFrom(...REFUNDS) })
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
const ofSize = (names: Step['do'][]): Step[] => names.map((name) => ({ do: name, size: 8, refunds: {} }))

// Random steps alone seldom record a payment in review by hand and then reject it.
const FIRST: Step['do'][][] = [[], ['record'], ['record', 'pay back'], ['record', 'end', 'fee']]
const life = fc.record({
  start: fc.constantFrom(...STARTS),
  steps: fc
    .tuple(
      fc.constantFrom(...FIRST),
      fc.array(step, { maxLength: 6 }),
      fc.constantFrom<Step['do'][][]>([], ['reject'], ['reject', 'expire']),
    )
    .map(([first, steps, last]) => [...ofSize(first), ...steps, ...ofSize(last)]),
})
const lives = fc.sample(life, { numRuns: ORDERS, seed: 129 })

/** Runs a step. The shop rejects steps that the state of the order does not allow. */
async function take(id: number, { faults }: (typeof STARTS)[number], { do: name, size, refunds }: Step): Promise<void> {
  shop.clock.now = new Date(shop.clock.now.getTime() + 1000)
  await simulator.faults({ notify: 'never', ...faults, ...refunds })
  const { version, status, received, due, attempt, gateway, transaction } = await stateOf(id)
  const post = (path: string, body: object) => manager.post(path, { version, ...body })
  const part = size > 5 ? 1 : size / 10
  switch (name) {
    case 'record':
      await post(`/admin/orders/payments/${id}`, {
        method: 'bkash',
        amount: size > 2 ? 11_000 : 1000,
        transaction_id: transaction,
        confirmed: true,
      })
      return
    case 'accept':
    case 'reject':
      await manager.post(`/admin/payments/${name === 'accept' ? 'accept' : 'refuse'}/${attempt}`, { reason: 'Not him' })
      return
    case 'refund': {
      const amount = Math.max(1, Math.round(11_000 * part))
      await post(`/admin/orders/gateway-refunds/${id}`, { gateway, transaction, amount, reason: 'Not him' })
      return
    }
    case 'pay':
      await post(`/admin/orders/payments/${id}`, { method: 'cash', amount: size * 1000, confirmed: true })
      return
    case 'pay back':
      await post(`/admin/orders/refunds/${id}`, { method: 'cash', amount: Math.max(1, Math.round(received * part)) })
      return
    case 'follow':
      await sql`update gateway_refunds set sent_at = sent_at - interval '10 minutes', updated_at = updated_at - interval '1 day'`.execute(
        db,
      )
      await followRefunds(deps)
      return
    case 'resolve': {
      await sql`update gateway_refunds set sent_at = sent_at - interval '10 minutes'`.execute(db)
      const { rows } = await sql<{ id: number }>`select id from gateway_refunds where order_id = ${id} order by id desc limit 1`.execute(db)
      const body = { outcome: size > 5 ? 'done' : 'failed', reference: `BANK${id}${version}` }
      if (rows[0]) await manager.post(`/admin/refunds/resolve/${rows[0].id}`, body)
      return
    }
    case 'end':
    case 'reopen': {
      const to = name === 'end' ? 'cancelled' : 'placed'
      await post('/admin/orders/status', { orders: [{ id, version }], status: to, reason: 'As agreed' })
      return
    }
    case 'fee':
      if (status === 'cancelled')
        await post(`/admin/orders/adjustments/${id}`, { kind: 'fee', amount: Math.max(1, -due * part), reason: 'As agreed' })
      return
    case 'expire':
      await sql`update orders set expires_at = ${shop.clock.now} where expires_at is not null`.execute(db)
      await expireOrders(deps)
  }
}

it.each(Array.from({ length: ORDERS / PER_TEST }, (_, index) => index * PER_TEST))(
  'orders %i to +9 hold the money that is left of their payments',
  { timeout: 120_000 },
  async (from) => {
    for (const { start, steps } of lives.slice(from, from + PER_TEST)) {
      const { id } = await paid(area.id, start)
      const done: string[] = [JSON.stringify(start)]
      for (const [at, one] of steps.entries()) {
        // Every other step is taken twice at once, or together with the one before it.
        const also = at % 2 === 0 ? [] : [one.size > 5 ? steps[at - 1]! : one]
        await Promise.all([one, ...also].map((step) => take(id, start, step)))
        done.push(JSON.stringify(one))
        const { received, due, status } = await stateOf(id)
        expect({ received: received >= 0, due: status !== 'cancelled' || due <= 0 }, `${id}: ${done.join(' ')}`).toEqual({
          received: true,
          due: true,
        })
      }
    }
  },
)
