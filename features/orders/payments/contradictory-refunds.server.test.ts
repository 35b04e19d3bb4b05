import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { handleGatewayCallback } from '#features/payments/commands/handle-gateway-callback.server.ts'
import { holdForReview } from '#features/payments/commands/hold-payment.server.ts'
import type { Gateway, GatewayName, RefundOutcome } from '#features/payments/gateway.ts'
import { findAttempt } from '#features/payments/queries.server.ts'
import { followRefunds } from '#features/payments/refunds/follow-refunds.server.ts'
import { recordRefundOutcome } from '#features/payments/refunds/record-refund.server.ts'
import { expectLedger } from '#test/ledger-checks.ts'
import { testDb } from '#test/db.ts'
import { buildArea } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { adminOrder, moneyOf, payAtSimulator } from '../testing/online-payments.ts'
import { signedIn } from '../testing/admin-shop.ts'

// A gateway that answers about another refund, or after the staff have decided, and a payment that comes during a decision.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500 })
const manager = await signedIn(shop, 'manager')
const { simulator, paid } = await payAtSimulator(shop)
const { deps } = shop
const { sslcommerz, bkash } = deps.gateways
afterEach(() => {
  Object.assign(deps.gateways, { sslcommerz, bkash })
  expect(shop.failures).toEqual([])
})
afterAll(async () => {
  await expectLedger(db)
  await simulator.close()
})

const later = (minutes: number) => void (shop.clock.now = new Date(shop.clock.now.getTime() + minutes * 60_000))
const answers = (name: GatewayName, calls: Partial<Gateway>) =>
  Object.assign(deps.gateways, { [name]: { ...{ sslcommerz, bkash }[name]!, ...calls } })

async function refund(id: number, amount: number) {
  const { version, refundable } = await adminOrder(manager, id)
  return manager.post(`/admin/orders/gateway-refunds/${id}`, { ...refundable[0], amount, reason: 'Spoilt', version })
}

it('the id of another refund of the payment is no acceptance: SSLCommerz names a refund that it has begun already', async () => {
  const { id } = await paid(area.id)
  const first: RefundOutcome = { state: 'processing', refundRef: `REF-${id}` }
  answers('sslcommerz', { refund: async () => first, refundStatus: async () => first })
  expect((await refund(id, 1500)).body).toMatchObject({ state: 'processing' })
  expect((await refund(id, 500)).body).toMatchObject({ state: 'unknown' })
  expect(await moneyOf(shop, id)).toMatchObject({ paid: 10_000, ledger: [11_500, -1500], refunds: ['processing', 'unknown'] })
  expect((await adminOrder(manager, id)).refund_under_way).toBe(500)
  // The first one is followed under its id as before.
  answers('sslcommerz', { refundStatus: async () => ({ state: 'refunded', refundRef: `REF-${id}` }) })
  later(3)
  await followRefunds(deps)
  expect(await moneyOf(shop, id)).toMatchObject({ ledger: [11_500, -1500], refunds: ['done', 'unknown'] })
  const second = (await adminOrder(manager, id)).refunds.at(-1)!
  const record = (reference: string) => manager.post(`/admin/refunds/resolve/${second.id}`, { outcome: 'done', reference })
  expect((await record(`ref-${id}`)).body.errors).toHaveProperty('reference')
  expect((await record(`REF-${id}-2`)).status).toBe(200)
  expect(await moneyOf(shop, id)).toMatchObject({ ledger: [11_500, -1500, -500], refunds: ['done', 'done'] })
})

it('a refund keeps its id when the gateway no longer names it', async () => {
  const { id } = await paid(area.id)
  const begun: RefundOutcome = { state: 'processing', refundRef: `REF-${id}` }
  answers('sslcommerz', { refund: async () => begun, refundStatus: async () => ({ state: 'refunded', refundRef: '' }) })
  await refund(id, 1500)
  later(3)
  await followRefunds(deps)
  expect((await adminOrder(manager, id)).refunds).toMatchObject([{ state: 'done', reference: `REF-${id}` }])
  // The gateway names the refund that it has made already.
  expect((await refund(id, 500)).body).toMatchObject({ state: 'unknown' })
  expect(await moneyOf(shop, id)).toMatchObject({ ledger: [11_500, -1500], refunds: ['done', 'unknown'] })
})

it('staff record no outcome while bKash may still be sent the refund: it asks for a token twice', async () => {
  const { id } = await paid(area.id, { gateway: 'bkash' })
  answers('bkash', {
    async refund() {
      later(119 / 60)
      const [one] = (await adminOrder(manager, id)).refunds
      expect((await manager.post(`/admin/refunds/resolve/${one!.id}`, { outcome: 'failed' })).status).toBe(409)
      return { state: 'refunded', refundRef: `SLOW-${id}` }
    },
  })
  expect((await refund(id, 1500)).body).toMatchObject({ state: 'done' })
})

it.each<[string, RefundOutcome, string, number[]]>([
  ['was never accepted', { state: 'unknown', detail: 'timeout' }, 'unknown', [11_500, -1500]],
  ['was accepted', { state: 'processing', refundRef: 'REF-LATE' }, 'processing', [11_500, -1500, 1500, -1500]],
])('a gateway that has refunded is believed after staff recorded a refund that %s as not done', async (_how, sent, state, ledger) => {
  const { id } = await paid(area.id, { gateway: 'bkash' })
  const resolve = async () => {
    const [one] = (await adminOrder(manager, id)).refunds
    expect((await manager.post(`/admin/refunds/resolve/${one!.id}`, { outcome: 'failed' })).status).toBe(200)
    return { state: 'refunded', refundRef: 'REF-LATE' } as const
  }
  answers('bkash', { refund: async () => sent, refundStatus: resolve })
  expect((await refund(id, 1500)).body).toMatchObject({ state })
  later(3)
  // The staff decide while the gateway is being asked.
  await followRefunds(deps)
  expect(await moneyOf(shop, id)).toMatchObject({ paid: 10_000, ledger, refunds: ['done'], attention: 'refund-failed' })
  expect((await adminOrder(manager, id)).refundable).toMatchObject([{ left: 10_000 }])
})

it('an answer of before the failure does not take it back', async () => {
  const { id } = await paid(area.id, { gateway: 'bkash' })
  const accepted: RefundOutcome = { state: 'processing', refundRef: `REF-${id}` }
  const late = async () => {
    // Another process is told of the failure while the answer to this one is on its way.
    const { rows } = await sql<{ id: number }>`select id from gateway_refunds where order_id = ${id}`.execute(db)
    await recordRefundOutcome(deps, rows[0]!.id, { state: 'refused', reason: 'account closed' })
    return accepted
  }
  answers('bkash', { refund: async () => accepted, refundStatus: late })
  await refund(id, 1500)
  later(3)
  await followRefunds(deps)
  expect(await moneyOf(shop, id)).toMatchObject({ paid: 11_500, ledger: [11_500, -1500, 1500], refunds: ['failed'] })
})

it('a rejected payment that the gateway did not report is seen when it reports it again', async () => {
  const { id, returned } = await paid(area.id, { faults: { risky: true } })
  const { rows } = await sql<{ id: number }>`select id from payment_attempts where order_id = ${id}`.execute(db)
  answers('sslcommerz', { query: async () => ({ state: 'failed', reason: 'failed' }) })
  const answer = await manager.post(`/admin/payments/refuse/${rows[0]!.id}`, { reason: 'Card reported stolen' })
  expect(answer).toMatchObject({ status: 200, body: { refunds: [] } })
  expect(await moneyOf(shop, id)).toMatchObject({ attempts: ['refused'], attention: null })
  answers('sslcommerz', {})
  const hint = { tranId: returned['tran_id'], confirmationId: returned['val_id'] }
  for (const _ of [1, 2]) await handleGatewayCallback(deps, { gateway: 'sslcommerz', hint })
  expect(await moneyOf(shop, id)).toMatchObject({ attempts: ['refused'], attention: 'risky-payment', refunds: [] })
  expect((await adminOrder(manager, id)).refundable).toMatchObject([{ left: 11_500, in_ledger: false }])
})

describe('a payment that comes while a review is being decided is not left behind', () => {
  async function inReview() {
    const { id } = await paid(area.id, { faults: { risky: true } })
    const { rows } = await sql<{ id: number }>`select id from payment_attempts where order_id = ${id}`.execute(db)
    const attempt = (await findAttempt(db, rows[0]!.id))!
    let second: { eventId: string; gatewayTxn: string; amountPoisha: typeof attempt.amountPoisha; currency: string }[] = []
    answers('sslcommerz', {
      async query(asked) {
        const outcome = await sslcommerz!.query(asked)
        if (outcome.state !== 'paid') throw new Error(outcome.state)
        if (second.length > 0) return { ...outcome, extra: second }
        second = [{ eventId: `second-${id}`, gatewayTxn: `SECOND-${id}`, amountPoisha: attempt.amountPoisha, currency: 'BDT' }]
        await holdForReview(deps, attempt, { ...outcome, ...second[0], isRisky: true }, 'risky-payment')
        return outcome
      },
    })
    return { id, before: await moneyOf(shop, id), attempt: attempt.id }
  }

  it('a rejection refunds both', async () => {
    const { id, before, attempt } = await inReview()
    const refuse = () => manager.post(`/admin/payments/refuse/${attempt}`, { reason: 'Card reported stolen' })
    expect((await refuse()).status).toBe(502)
    expect(await moneyOf(shop, id)).toMatchObject({ attempts: ['review'], attention: 'risky-payment', refunds: [], log: before.log })
    expect((await refuse()).body).toMatchObject({ refunds: ['processing', expect.any(String)] })
  })

  it('an acceptance records both', async () => {
    const { id, before, attempt } = await inReview()
    const accept = () => manager.post(`/admin/payments/accept/${attempt}`)
    expect((await accept()).status).toBe(502)
    expect(await moneyOf(shop, id)).toMatchObject({ attempts: ['review'], attention: 'risky-payment', ledger: [], log: before.log })
    expect((await accept()).status).toBe(200)
    expect(await moneyOf(shop, id)).toMatchObject({ attempts: ['paid'], attention: 'paid-twice', ledger: [11_500, 11_500] })
  })
})
