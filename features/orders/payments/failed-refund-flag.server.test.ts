import { sql } from 'kysely'
import { afterAll, afterEach, expect, it } from 'vitest'
import { expectLedger } from '#test/ledger-checks.ts'
import { testDb } from '#test/db.ts'
import { buildArea } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { adminOrder, moneyOf, payAtSimulator } from '../testing/online-payments.ts'
import { signedIn } from '../testing/admin-shop.ts'

// The money of a rejected payment is in no ledger. When its refund fails, the flag alone says that the customer has not got it back.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500 })
const manager = await signedIn(shop, 'manager')
const { simulator, payOn, paid } = await payAtSimulator(shop)
afterEach(() => expect(shop.failures).toEqual([]))
afterAll(async () => {
  await expectLedger(db)
  await simulator.close()
})

const flagOf = async (id: number) => (await moneyOf(shop, id)).attention
const reviewOf = async (id: number) => (await adminOrder(manager, id)).reviews[0]!.id
async function ok(answer: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await answer
  expect(status, text).toBe(200)
}

/** A rejected risky payment whose refund failed, and another risky payment of the order, whose flag replaces that of the refund. */
async function failedBeneathReview(): Promise<number> {
  const { id } = await paid(area.id, { faults: { risky: true } })
  await simulator.faults({ notify: 'never', risky: true, refund: 'failed' })
  await ok(manager.post(`/admin/payments/refuse/${await reviewOf(id)}`, { reason: 'Card reported stolen' }))
  expect(await moneyOf(shop, id)).toMatchObject({ refunds: ['failed'], attention: 'refund-failed' })
  const { rows } = await sql<{ view_key: string }>`select view_key from orders where id = ${id}`.execute(db)
  const again = await shop.post(`/orders/${id}/pay?key=${rows[0]!.view_key}`, {})
  await payOn(again.body.redirect_url!, { risky: true })
  expect(await flagOf(id)).toBe('risky-payment')
  return id
}

it('a failed refund beneath a payment in review shows its flag after the review', async () => {
  const id = await failedBeneathReview()
  await ok(manager.post(`/admin/payments/accept/${await reviewOf(id)}`, {}))
  expect(await moneyOf(shop, id)).toMatchObject({ attention: 'refund-failed', ledger: [11_500], cow: 'sold' })
})

it('staff clear the flags one after the other, and a cleared failure does not come back', async () => {
  const id = await failedBeneathReview()
  await ok(manager.post(`/admin/orders/attention/${id}`, {}))
  expect(await flagOf(id)).toBe('refund-failed')
  await ok(manager.post(`/admin/orders/attention/${id}`, {}))
  expect(await flagOf(id)).toBeNull()
  await ok(manager.post(`/admin/payments/accept/${await reviewOf(id)}`, {}))
  expect(await flagOf(id)).toBeNull()
})

it('a failed refund that was repeated flags nothing', async () => {
  const id = await failedBeneathReview()
  await simulator.faults({ notify: 'never', risky: true })
  const { version, refundable } = await adminOrder(manager, id)
  const repeated = { ...refundable[0], amount: 11_500, reason: 'Again', version }
  await ok(manager.post(`/admin/orders/gateway-refunds/${id}`, repeated))
  await ok(manager.post(`/admin/payments/accept/${await reviewOf(id)}`, {}))
  expect(await flagOf(id)).toBeNull()
})
