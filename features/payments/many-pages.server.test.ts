import { afterAll, beforeEach, expect, it } from 'vitest'
import { startSimulator } from '#features/payments/testing/start-simulator.ts'
import { testDb } from '#test/db.ts'
import { payAgain } from './commands/pay-again.server.ts'
import { startPayment } from './commands/start-payment.server.ts'
import { listAttempts } from './queries.server.ts'
import { anOpenedOrder, anOrder, startPayingShop } from './testing/payment-shop.ts'

// The gateway is asked about every page of an order, so an order must not have any number of them.

const { db } = await testDb()
const simulator = await startSimulator()
const shop = await startPayingShop(db, simulator)
afterAll(async () => {
  await shop.close()
  await simulator.close()
})
beforeEach(() => simulator.faults({ notify: 'never' }))

const failAt = (page: string) => fetch(`${page}/fail`, { method: 'POST', redirect: 'manual' })
const queries = async () => (await simulator.calls())['query'] ?? 0

it('an order has at most twenty payment pages; others have theirs', async () => {
  const order = await anOpenedOrder(db, shop, { payable: 1500 })
  let { page } = order
  for (let tried = 1; tried < 20; tried += 1) {
    await failAt(page)
    const again = await payAgain(shop.deps, order.orderId)
    if (!again.ok) throw new Error(`${tried}: ${again.reason}`)
    page = again.redirectUrl
  }
  // Its last page can still be paid.
  expect(await payAgain(shop.deps, order.orderId)).toEqual({ ok: true, redirectUrl: page })
  await failAt(page)
  const before = await queries()
  expect(await payAgain(shop.deps, order.orderId)).toEqual({ ok: false, reason: 'too-many-attempts' })
  expect((await queries()) - before).toBeLessThanOrEqual(20)
  expect((await payAgain(shop.deps, (await anOpenedOrder(db, shop, { payable: 1500 })).orderId)).ok).toBe(true)
})

it('a gateway that is down uses up none of them', async () => {
  const { orderId, page } = await anOpenedOrder(db, shop, { payable: 1500 })
  await failAt(page)
  await simulator.faults({ notify: 'never', create: 'failed' })
  for (let tried = 0; tried < 25; tried += 1) expect(await payAgain(shop.deps, orderId)).toEqual({ ok: false, reason: 'gateway-refused' })
  await simulator.faults({ notify: 'never' })
  expect((await payAgain(shop.deps, orderId)).ok).toBe(true)
})

it('a gateway that refuses is asked for an order a hundred and twenty times at most', async () => {
  const { orderId, page } = await anOpenedOrder(db, shop, { payable: 1500 })
  await failAt(page)
  await simulator.faults({ notify: 'never', create: 'failed' })
  const sessions = async () => (await simulator.calls())['session'] ?? 0
  const before = await sessions()
  const reasons = new Set<string>()
  for (let tried = 0; tried < 125; tried += 1) {
    const again = await payAgain(shop.deps, orderId)
    reasons.add(again.ok ? 'ok' : again.reason)
  }
  expect([...reasons]).toEqual(['gateway-refused', 'too-many-attempts'])
  // The page that failed is one of them.
  expect((await sessions()) - before).toBe(119)
})

it('a gateway that names the session of another page has opened none', async () => {
  const { attempt } = await anOpenedOrder(db, shop, { payable: 1500 })
  const { orderId } = await anOrder(db, shop, { payable: 1500 })
  const gateway = shop.deps.gateways.sslcommerz!
  const createSession = async () => ({ ok: true, redirectUrl: 'https://example.com/', gatewayRef: attempt.gatewayRef! }) as const
  const deps = { ...shop.deps, gateways: { ...shop.deps.gateways, sslcommerz: { ...gateway, createSession } } }
  expect(await startPayment(deps, orderId)).toEqual({ ok: false, reason: 'gateway-refused' })
  expect(await listAttempts(db, orderId)).toMatchObject([{ state: 'failed', gatewayRef: null, redirectUrl: null }])
  // The order can be paid at once on a page of its own.
  expect((await startPayment(shop.deps, orderId)).ok).toBe(true)
})
