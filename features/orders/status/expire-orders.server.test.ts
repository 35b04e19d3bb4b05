import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { handleGatewayCallback } from '#features/payments/commands/handle-gateway-callback.server.ts'
import { rejectPaymentInReview } from '#features/payments/commands/review-payment.server.ts'
import { startPayment } from '#features/payments/commands/start-payment.server.ts'
import { listAttempts } from '#features/payments/queries.server.ts'
import { anOpenedOrder, findOrderSnapshot, startPayingShop } from '#features/payments/testing/payment-shop.ts'
import { startSimulator } from '#features/payments/testing/start-simulator.ts'
import { testDb } from '#test/db.ts'
import { buildUser } from '#test/factories.ts'
import { expireOrders } from './expire-orders.server.ts'

const { db } = await testDb()
const simulator = await startSimulator()
const shop = await startPayingShop(db, simulator)
const deps = { ...shop.deps, catalogChanged() {} }
afterAll(async () => {
  await shop.close()
  await simulator.close()
})

const later = (minutes: number) => {
  shop.clock.now = new Date(shop.clock.now.getTime() + minutes * 60_000)
}

const opened = () => anOpenedOrder(db, shop, { payable: 1500, animal: true })

it('cancels unpaid orders at the deadline, not earlier, and releases the animal', async () => {
  const { orderId } = await opened()
  later(29)
  expect(await expireOrders(deps)).toBe(0)
  later(2)
  expect(await expireOrders(deps)).toBe(1)
  expect(await findOrderSnapshot(db, orderId)).toMatchObject({ status: 'cancelled', paid: 0, attempts: ['expired'] })
})

it('finds a payment without notification and does not cancel the order', async () => {
  await simulator.faults({ notify: 'never' })
  const { orderId, page } = await opened()
  await simulator.press(page, 'Pay with bKash')
  later(31)
  expect(await expireOrders(deps)).toBe(0)
  expect(await findOrderSnapshot(db, orderId)).toMatchObject({ status: 'placed', paid: 1500, product: 'sold' })
})

it('a page that is opened while the gateway is queried takes the payment', async () => {
  const { orderId } = await opened()
  later(31)
  let page = ''
  const { sslcommerz } = simulator
  async function query(attempt: Parameters<typeof sslcommerz.query>[0]) {
    if (page === '') {
      const started = await startPayment(shop.deps, orderId, { gateway: 'bkash' })
      page = started.ok ? started.redirectUrl : started.reason
    }
    return sslcommerz.query(attempt)
  }
  expect(await expireOrders({ ...deps, gateways: { ...deps.gateways, sslcommerz: { ...sslcommerz, query } } })).toBe(0)
  const { location } = await simulator.press(page, 'Pay')
  await fetch(location, { redirect: 'manual' })
  // The first page stays open: the gateway is still asked about it.
  expect(await findOrderSnapshot(db, orderId)).toMatchObject({ status: 'placed', paid: 1500, attempts: ['pending', 'paid'] })
})

it('does not cancel while the gateway is unreachable, for three hours', async () => {
  const { orderId } = await opened()
  await simulator.faults({ down: true })
  later(31)
  expect(await expireOrders(deps)).toBe(0)
  later(100)
  expect(await expireOrders(deps)).toBe(0)
  expect(await findOrderSnapshot(db, orderId)).toMatchObject({ status: 'placed' })
  later(60)
  expect(await expireOrders(deps)).toBe(1)
  await simulator.faults({})
})

it('an order that cannot be cancelled blocks no other', async () => {
  const orders = await Promise.all(Array.from({ length: 3 }, opened))
  const bad = Math.min(...orders.map(({ orderId }) => orderId))
  await sql`create function never() returns trigger language plpgsql as $$ begin raise exception 'never'; end $$`.execute(db)
  await sql`create trigger never before update of status on orders for each row when (new.id = ${sql.lit(bad)}) execute function never()`.execute(
    db,
  )
  later(31)
  await expect(expireOrders(deps)).rejects.toThrow('never')
  for (const { orderId } of orders)
    expect(await findOrderSnapshot(db, orderId)).toMatchObject({ status: orderId === bad ? 'placed' : 'cancelled' })
  await sql`drop trigger never on orders`.execute(db)
  later(2)
  expect(await expireOrders(deps)).toBe(1)
})

it('does not cancel an order whose payment is recorded concurrently', async () => {
  const { orderId } = await opened()
  later(31)
  let entering: Promise<void> | undefined
  const enter = async () => {
    await db.transaction().execute(async (tx) => {
      await sql`select 1 from orders where id = ${orderId} for update`.execute(tx)
      await sleep(150)
      await sql`insert into ledger_entries (order_id, kind, method, amount_poisha, reference) values (${orderId}, 'gateway', 'sslcommerz', 150000, 'R-1')`.execute(
        tx,
      )
      await sql`update orders set version = version + 1 where id = ${orderId}`.execute(tx)
    })
  }
  // The gateway reports no payment, then the payment arrives by another way.
  const query = async () => {
    entering = enter()
    await sleep(50)
    return { state: 'pending', inFlight: false } as const
  }
  await expireOrders({ ...deps, gateways: { sslcommerz: { ...simulator.sslcommerz, query }, default: 'sslcommerz' } })
  await entering
  expect(await findOrderSnapshot(db, orderId)).toMatchObject({ status: 'placed', product: 'hold' })
})

it('an order that is paid while it expires stays, with its payment once', async () => {
  await simulator.faults({ notify: 'never' })
  const orders = await Promise.all(Array.from({ length: 10 }, opened))
  const hints = []
  for (const { page } of orders) hints.push(simulator.sslcommerz.readHint((await simulator.press(page, 'Pay with VISA')).body)!)
  later(31)
  await Promise.all([
    ...hints.map((hint) => handleGatewayCallback(deps, { gateway: 'sslcommerz', hint })),
    expireOrders(deps),
    expireOrders(deps),
  ])
  for (const { orderId } of orders) {
    expect(await findOrderSnapshot(db, orderId)).toMatchObject({
      paid: 1500,
      ledger: 1,
      status: 'placed',
      product: 'sold',
      needs_attention: null,
    })
  }
})

it('a gateway that hangs for one order keeps no other order waiting', async () => {
  const orders = await Promise.all(Array.from({ length: 4 }, opened))
  const others = orders.slice(1).map(({ orderId }) => orderId)
  const isCancelled = async () => {
    const { rows } = await sql<{ open: number }>`select count(*)::int as open from orders
      where id = any(${others}) and status <> 'cancelled'`.execute(db)
    return rows[0]!.open === 0
  }
  const { sslcommerz } = deps.gateways
  const hanging: typeof sslcommerz = {
    ...sslcommerz!,
    async query(attempt) {
      if (attempt.tranId === orders[0]!.tranId) while (!(await isCancelled())) await sleep(20)
      return sslcommerz!.query(attempt)
    },
  }
  later(31)
  expect(await expireOrders({ ...deps, gateways: { ...deps.gateways, sslcommerz: hanging } })).toBe(4)
})

it('an order whose payment the staff reject while another gateway is queried gets its time to pay', async () => {
  const clerk = { kind: 'staff' as const, id: (await buildUser(db, { role: 'manager' })).id, ip: '' }
  const { orderId } = await anOpenedOrder(db, shop, { payable: 1500, animal: true, gateway: 'bkash' })
  await simulator.faults({ notify: 'never', risky: true })
  const page = await startPayment(shop.deps, orderId, { gateway: 'sslcommerz' })
  await simulator.press(page.ok ? page.redirectUrl : page.reason, 'Pay with VISA')
  later(31)
  let rejected: unknown
  async function query(attempt: Parameters<typeof simulator.bkash.query>[0]) {
    const held = (await listAttempts(db, orderId)).find(({ state }) => state === 'review')
    rejected = await rejectPaymentInReview(shop.deps, held!.id, 'Card reported stolen', clerk)
    return simulator.bkash.query(attempt)
  }
  expect(await expireOrders({ ...deps, gateways: { ...deps.gateways, bkash: { ...simulator.bkash, query } } })).toBe(0)
  await simulator.faults({})
  expect(rejected).toMatchObject({ ok: true })
  expect((await findOrderSnapshot(db, orderId)).expires_at).toEqual(new Date(shop.clock.now.getTime() + 30 * 60_000))
})
