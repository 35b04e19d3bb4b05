import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { followRefunds } from '#features/payments/refunds/follow-refunds.server.ts'
import type { Faults } from '#dev/payment-simulator/faults.ts'
import { listTasks } from '#features/reports/dashboard-tasks.server.ts'
import { expectLedger } from '#test/ledger-checks.ts'
import { testDb } from '#test/db.ts'
import { buildArea } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'
import { moneyOf, adminOrder, payAtSimulator } from '../testing/online-payments.ts'
import { signedIn } from '../testing/admin-shop.ts'

// Refunds through the gateway of the payment: within the amount paid, sent once, tracked until they end.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const [manager, other, sales] = [await signedIn(shop, 'manager'), await signedIn(shop, 'owner'), await signedIn(shop, 'sales')]
const { simulator, orderedInFull, payOn, paid } = await payAtSimulator(shop)
const { deps } = shop
const START = shop.clock.now
const online = (faults: Faults = {}) => simulator.faults({ notify: 'never', ...faults })
beforeEach(async () => {
  shop.clock.now = START
  await online()
})
afterEach(() => expect(shop.failures).toEqual([]))
afterAll(async () => {
  await expectLedger(db)
  await simulator.close()
})

const stateOf = (id: number) => moneyOf(shop, id)

async function refund(id: number, amount: unknown, more: object = {}, who: Visitor = manager) {
  const { version, refundable } = await adminOrder(manager, id)
  const { gateway, transaction } = refundable[0] ?? { gateway: 'sslcommerz', transaction: 'none' }
  const body = { gateway, transaction, amount, reason: 'Animal fell ill', version, ...more }
  return who.post(`/admin/orders/gateway-refunds/${id}`, body)
}
/** Runs the scheduled job that queries the gateways. */
async function follow(after = 3) {
  shop.passMinutes(after)
  await followRefunds(deps)
}
const callsOf = async (name: string) => (await simulator.calls())[name] ?? 0
const refundsOf = async (id: number) =>
  (
    await sql<{ id: number; state: string; gateway_ref: string | null; failure: string | null }>`
      select id, state, gateway_ref, failure from gateway_refunds where order_id = ${id} order by id`.execute(db)
  ).rows

describe('through SSLCommerz', () => {
  it('enters the ledger when the gateway accepts it, and is tracked until it ends', async () => {
    const { id } = await paid(area.id)
    await online({ refundPolls: 1 })
    const answer = await refund(id, 1500)
    expect([answer.status, answer.body]).toMatchObject([200, { state: 'processing' }])
    expect(await stateOf(id)).toMatchObject({
      paid: 10_000,
      ledger: [11_500, -1500],
      refunds: ['processing'],
      events: ['payment-received gateway', 'refund-requested staff', 'refund-accepted gateway'],
      log: ['refunded'],
      cow: 'sold',
    })
    await follow()
    expect((await refundsOf(id))[0]).toMatchObject({ state: 'processing' })
    await follow()
    const after = await stateOf(id)
    expect(after).toMatchObject({ ledger: [11_500, -1500], refunds: ['done'] })
    expect(after.events.at(-1)).toBe('refund-done gateway')
    const asked = await callsOf('refund-status')
    await follow(20)
    expect([await callsOf('refund-status'), await stateOf(id)]).toEqual([asked, after])
    const { refunds, payments } = await adminOrder(manager, id)
    expect(refunds).toMatchObject([{ gateway: 'sslcommerz', amount: 1500, state: 'done', reason: 'Animal fell ill', failure: null }])
    expect(payments.at(-1)).toMatchObject({ kind: 'refund', method: 'sslcommerz', amount: -1500, reference: refunds[0]!.reference })
  })

  it('is limited to the rest of the payment', async () => {
    const { id } = await paid(area.id)
    expect((await refund(id, 11_500.01)).body.errors).toHaveProperty('amount')
    expect((await refund(id, 11_000)).status).toBe(200)
    expect((await refund(id, 500.01)).body.errors).toHaveProperty('amount')
    expect((await refund(id, 500)).status).toBe(200)
    expect(await stateOf(id)).toMatchObject({ paid: 0, ledger: [11_500, -11_000, -500] })
    expect((await adminOrder(manager, id)).refundable).toEqual([])
    expect((await refund(id, 1)).status).toBe(409)
  })

  it('is limited to the money received less refunds by hand', async () => {
    const { id } = await paid(area.id)
    const { version } = await adminOrder(manager, id)
    await manager.post(`/admin/orders/refunds/${id}`, { method: 'cash', amount: 11_000, version })
    expect((await refund(id, 501)).body.errors).toHaveProperty('amount')
    expect((await refund(id, 500)).status).toBe(200)
  })

  it('clears the flag of an order that was paid twice', async () => {
    const { id, page } = await orderedInFull(area.id)
    const { rows } = await sql<{ view_key: string }>`select view_key from orders where id = ${id}`.execute(db)
    const second = await shop.post(`/orders/${id}/pay?key=${rows[0]!.view_key}`, { payment_gateway: 'bkash' })
    await payOn(second.body.redirect_url!)
    await payOn(page)
    expect(await stateOf(id)).toMatchObject({ attention: 'paid-twice', paid: 23_000 })
    const { refundable } = await adminOrder(manager, id)
    expect(refundable.map(({ gateway, left }) => [gateway, left])).toEqual([
      ['sslcommerz', 11_500],
      ['bkash', 11_500],
    ])
    expect((await refund(id, 11_500)).status).toBe(200)
    expect(await stateOf(id)).toMatchObject({ attention: null, paid: 11_500 })
  })
})

it('through bKash is done immediately', async () => {
  const { id } = await paid(area.id, { gateway: 'bkash' })
  expect(await refund(id, 11_500)).toMatchObject({ status: 200, body: { state: 'done' } })
  expect(await stateOf(id)).toMatchObject({ paid: 0, ledger: [11_500, -11_500], refunds: ['done'] })
  const { rows } = await sql`select reference = (select gateway_ref from gateway_refunds where order_id = ${id}) as same from ledger_entries
    where order_id = ${id} and kind = 'refund'`.execute(db)
  expect(rows).toEqual([{ same: true }])
})

describe('concurrently', () => {
  it('five repeated requests and another manager make one refund', async () => {
    const { id } = await paid(area.id)
    const { version, refundable } = await adminOrder(manager, id)
    const before = await callsOf('refund')
    const body = { ...refundable[0], amount: 1500, reason: 'Animal fell ill', version }
    const send = (who: Visitor) => who.post(`/admin/orders/gateway-refunds/${id}`, body)
    const answers = await Promise.all([send(manager), send(manager), send(other), send(manager), send(other)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    expect(await callsOf('refund')).toBe(before + 1)
    expect(await stateOf(id)).toMatchObject({ ledger: [11_500, -1500] })
  })

  it('a refund through the gateway and one by hand never exceed what was paid', async () => {
    for (let round = 0; round < 4; round++) {
      const { id } = await paid(area.id)
      const { version, refundable } = await adminOrder(manager, id)
      const answers = await Promise.all([
        manager.post(`/admin/orders/gateway-refunds/${id}`, { ...refundable[0], amount: 11_500, reason: 'x', version }),
        other.post(`/admin/orders/refunds/${id}`, { method: 'cash', amount: 11_500, version }),
      ])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
      expect(await stateOf(id)).toMatchObject({ paid: 0 })
    }
  })

  it('several processes that track it write one entry', async () => {
    const { id } = await paid(area.id, { gateway: 'bkash' })
    await online({ refund: 'hang' })
    await refund(id, 1500)
    await online()
    shop.passMinutes(3)
    await Promise.all([1, 2, 3, 4, 5].map(() => followRefunds(deps)))
    expect(await stateOf(id)).toMatchObject({ ledger: [11_500, -1500], refunds: ['done'] })
  })
})

describe('a gateway that rejects the refund', () => {
  it.each(['sslcommerz', 'bkash'] as const)(
    '%s: nothing is in the ledger, the order is flagged, it can be tried again',
    async (gateway) => {
      const { id } = await paid(area.id, { gateway })
      await online({ refund: 'failed' })
      expect(await refund(id, 1500)).toMatchObject({ status: 200, body: { state: 'failed' } })
      expect(await stateOf(id)).toMatchObject({ attention: 'refund-failed', ledger: [11_500], refunds: ['failed'] })
      await online()
      expect((await refund(id, 1500)).status).toBe(200)
      expect(await stateOf(id)).toMatchObject({ ledger: [11_500, -1500] })
    },
  )

  it('after accepting it: the entry is reversed and the order flagged', async () => {
    const { id } = await paid(area.id)
    await refund(id, 1500)
    await online({ refundCancelled: true })
    await follow()
    expect(await stateOf(id)).toMatchObject({
      attention: 'refund-failed',
      paid: 11_500,
      ledger: [11_500, -1500, 1500],
      refunds: ['failed'],
    })
    expect((await adminOrder(manager, id)).refunds).toMatchObject([{ state: 'failed', failure: 'Cancelled by the bank' }])
    await online()
    await follow(600)
    expect(await stateOf(id)).toMatchObject({ ledger: [11_500, -1500, 1500] })
  })
})

describe('a gateway that does not answer', () => {
  it.each<[Faults]>([[{ refund: 'hang' }], [{ refund: 'error' }], [{ refund: 'html' }]])(
    'bKash %j: unknown, shown to the staff, then found by asking; sent once',
    async (faults) => {
      const { id } = await paid(area.id, { gateway: 'bkash' })
      const before = await callsOf('wallet-refund')
      await online(faults)
      expect(await refund(id, 1500)).toMatchObject({ status: 200, body: { state: 'unknown' } })
      expect(await stateOf(id)).toMatchObject({ ledger: [11_500], refunds: ['unknown'] })
      expect(await adminOrder(manager, id)).toMatchObject({ paid: 11_500, refund_under_way: 1500 })
      // A refund that may have been sent is neither repeated nor refunded by hand.
      expect((await refund(id, 100)).status).toBe(409)
      const { version } = await adminOrder(manager, id)
      const byHand = await manager.post(`/admin/orders/refunds/${id}`, { method: 'cash', amount: 10_001, version })
      expect(byHand.body.errors).toHaveProperty('amount')
      await online({ refundStatus: 'error' })
      await follow()
      expect((await refundsOf(id))[0]).toMatchObject({ state: 'unknown' })
      await online()
      await follow(11)
      expect(await stateOf(id)).toMatchObject({ ledger: [11_500, -1500], refunds: ['done'] })
      expect(await adminOrder(manager, id)).toMatchObject({ paid: 10_000, refund_under_way: 0 })
      expect(await callsOf('wallet-refund')).toBe(before + 1)
    },
  )

  it('SSLCommerz: a refund without reference cannot be queried; a manager records the outcome', async () => {
    const { id } = await paid(area.id)
    const before = await callsOf('refund')
    await online({ refund: 'hang' })
    expect(await refund(id, 1500)).toMatchObject({ status: 200, body: { state: 'unknown' } })
    await online()
    const [one] = await refundsOf(id)
    const resolve = (body: object, who: Visitor = manager) => who.post(`/admin/refunds/resolve/${one!.id}`, body)
    expect((await resolve({ outcome: 'failed' })).status).toBe(409)
    await follow(15)
    expect((await refundsOf(id))[0]).toMatchObject({ state: 'unknown' })
    expect((await listTasks(db, shop.clock.now)).find(({ key }) => key === 'payments')?.count).toBeGreaterThan(0)
    expect((await resolve({ outcome: 'done', reference: '' })).body.errors).toHaveProperty('reference')
    expect((await resolve({ outcome: 'maybe', reference: 'REF-000001' })).status).toBe(422)
    expect((await resolve({ outcome: 'done', reference: 'REF-000001' }, sales)).status).toBe(403)
    expect((await resolve({ outcome: 'done', reference: 'ref-000001' })).status).toBe(200)
    expect(await stateOf(id)).toMatchObject({ ledger: [11_500, -1500], refunds: ['done'] })
    expect((await stateOf(id)).events.at(-1)).toBe('refund-done staff')
    expect((await stateOf(id)).log).toEqual(['refunded', 'verified'])
    expect(await resolve({ outcome: 'failed' })).toMatchObject({ status: 409, body: { order: { id, refunds: [{ state: 'done' }] } } })
    expect((await manager.post('/admin/refunds/resolve/999999', { outcome: 'failed' })).status).toBe(404)
    expect(await callsOf('refund')).toBe(before + 1)
  })

  it('a refund recorded as not done may be repeated', async () => {
    const { id } = await paid(area.id)
    await online({ down: true })
    expect(await refund(id, 1500)).toMatchObject({ status: 200, body: { state: 'unknown' } })
    await online()
    shop.passMinutes(3)
    const [one] = await refundsOf(id)
    expect((await manager.post(`/admin/refunds/resolve/${one!.id}`, { outcome: 'failed' })).status).toBe(200)
    expect(await stateOf(id)).toMatchObject({ ledger: [11_500], refunds: ['failed'], attention: 'refund-failed' })
    expect((await refund(id, 1500)).status).toBe(200)
    expect(await stateOf(id)).toMatchObject({ ledger: [11_500, -1500] })
  })
})

describe('bad input', () => {
  it.each<[object, number]>([
    [{ amount: 0 }, 422],
    [{ amount: -1 }, 422],
    [{ amount: 'x' }, 422],
    [{ amount: null }, 422],
    [{ amount: 1e15 }, 422],
    [{ reason: '' }, 422],
    [{ reason: 'x'.repeat(256) }, 422],
    [{ gateway: 'nagad' }, 422],
    [{ transaction: 'another' }, 409],
    [{ transaction: '\u0000' }, 422],
    [{ version: 99 }, 409],
    [{ version: 'x' }, 422],
  ])('%j: %d without changes', async (more, status) => {
    const { id } = await paid(area.id)
    expect((await refund(id, 1500, more)).status).toBe(status)
    expect(await stateOf(id)).toMatchObject({ ledger: [11_500], refunds: [] })
  })

  it('is rejected for a payment of another order, without permission, and without the gateway', async () => {
    const [one, two] = [await paid(area.id), await paid(area.id)]
    const { refundable } = await adminOrder(manager, two.id)
    expect((await refund(one.id, 1500, { transaction: refundable[0]!.transaction })).status).toBe(409)
    expect((await refund(one.id, 1500, {}, sales)).status).toBe(403)
    expect(
      (await manager.post('/admin/orders/gateway-refunds/999999', { ...refundable[0], amount: 1, reason: 'x', version: 1 })).status,
    ).toBe(404)
    const { sslcommerz } = deps.gateways
    delete deps.gateways.sslcommerz
    expect((await refund(one.id, 1500)).status).toBe(409)
    Object.assign(deps.gateways, { sslcommerz })
    expect([await stateOf(one.id), await stateOf(two.id)]).toMatchObject([{ refunds: [] }, { refunds: [] }])
  })
})
