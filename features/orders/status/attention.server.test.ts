import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { clearRefundFlag } from '#features/ledger/attention.server.ts'
import { addLedgerEntry } from '#features/ledger/ledger.server.ts'
import { recordOutcome } from '#features/payments/commands/record-outcome.server.ts'
import { rejectPaymentInReview } from '#features/payments/commands/review-payment.server.ts'
import { listAttempts } from '#features/payments/queries.server.ts'
import { anOpenedOrder, findOrderSnapshot, type OrderInput, paidOutcome, startPayingShop } from '#features/payments/testing/payment-shop.ts'
import { startSimulator } from '#features/payments/testing/start-simulator.ts'
import { testDb } from '#test/db.ts'
import { clearAttention } from './clear-attention.server.ts'

// An order shows one flag at a time: one that another replaced shows again until it is settled itself.

const { db } = await testDb()
const simulator = await startSimulator()
const shop = await startPayingShop(db, simulator)
const { deps } = shop
afterAll(async () => {
  await shop.close()
  await simulator.close()
})
beforeEach(() => simulator.faults({ notify: 'never' }))

const flagOf = async (orderId: number) => (await findOrderSnapshot(db, orderId)).needs_attention
const setFlag = (orderId: number, flag: string) => sql`update orders set needs_attention = ${flag} where id = ${orderId}`.execute(db)

async function opened(input: OrderInput) {
  const order = await anOpenedOrder(db, shop, input)
  const { rows } = await sql<{ id: number }>`select customer_id as id from orders where id = ${order.orderId}`.execute(db)
  const clerk = { kind: 'staff' as const, id: rows[0]!.id, ip: '' }
  return { ...order, clerk }
}

async function another(orderId: number) {
  const tranId = `SECOND${orderId}`
  await sql`insert into payment_attempts (order_id, gateway, tran_id, amount_poisha, state, created_at, updated_at)
    values (${orderId}, 'sslcommerz', ${tranId}, 150000, 'pending', ${deps.now()}, ${deps.now()})`.execute(db)
  return (await listAttempts(db, orderId)).find((attempt) => attempt.tranId === tranId)!
}

describe('a payment in another currency', () => {
  it('after a recorded one stays flagged until the staff clear it, whatever else of the order is settled', async () => {
    const { orderId, tranId, attempt, clerk } = await opened({ payable: 1500, total: 4000 })
    const foreign = paidOutcome(tranId, { currency: 'USD' })
    await recordOutcome(deps, attempt, paidOutcome(tranId))
    await recordOutcome(deps, attempt, foreign)
    expect(await flagOf(orderId)).toBe('payment-mismatch')
    const second = await another(orderId)
    await recordOutcome(deps, second, paidOutcome(second.tranId, { isRisky: true }))
    expect(await flagOf(orderId)).toBe('risky-payment')
    const query = () => Promise.resolve({ state: 'failed', reason: 'Reversed' } as const)
    const gateways = { ...deps.gateways, sslcommerz: { ...simulator.sslcommerz, query } }
    expect(await rejectPaymentInReview({ ...deps, gateways }, second.id, 'Stolen card', clerk)).toMatchObject({ ok: true })
    expect(await flagOf(orderId)).toBe('payment-mismatch')
    await setFlag(orderId, 'paid-twice')
    await clearRefundFlag(db, orderId)
    expect(await flagOf(orderId)).toBe('payment-mismatch')
    expect(await clearAttention(deps as never, orderId, clerk)).toBe('done')
    expect(await flagOf(orderId)).toBe(null)
    await recordOutcome(deps, attempt, foreign)
    expect(await flagOf(orderId)).toBe(null)
  })

  it('that waits for its review stays flagged when one in taka is recorded', async () => {
    const { orderId, tranId, attempt } = await opened({ payable: 1500 })
    expect(await recordOutcome(deps, attempt, paidOutcome(tranId, { currency: 'USD' }))).toBe('review')
    expect(await recordOutcome(deps, attempt, paidOutcome(tranId))).toBe('paid')
    expect(await findOrderSnapshot(db, orderId)).toMatchObject({ paid: 1500, needs_attention: 'payment-mismatch', attempts: ['paid'] })
  })
})

it('a payment in review keeps its flag when a double payment is paid back, and loses it when the staff clear it', async () => {
  const { orderId, tranId, attempt, clerk } = await opened({ payable: 1500 })
  await recordOutcome(deps, attempt, paidOutcome(tranId, { isRisky: true }))
  await setFlag(orderId, 'paid-twice')
  await clearRefundFlag(db, orderId)
  expect(await flagOf(orderId)).toBe('risky-payment')
  await clearAttention(deps as never, orderId, clerk)
  expect(await flagOf(orderId)).toBe(null)
})

it('a payment that is recorded for another order stays flagged until the staff clear it, whatever else of the order is settled', async () => {
  const other = await opened({ payable: 1500 })
  const { orderId, tranId, attempt, clerk } = await opened({ payable: 1500 })
  const paid = paidOutcome(tranId, { gatewayTxn: 'TYPED1' })
  const entry = { kind: 'advance', method: 'sslcommerz', amount: paid.amountPoisha, reference: 'TYPED1', actorId: null } as const
  await addLedgerEntry(db, { ...entry, orderId: other.orderId, at: deps.now() })
  await recordOutcome(deps, attempt, paid)
  expect(await flagOf(orderId)).toBe('recorded-elsewhere')
  const second = await another(orderId)
  await recordOutcome(deps, second, paidOutcome(second.tranId, { isRisky: true }))
  expect(await flagOf(orderId)).toBe('risky-payment')
  expect(await clearAttention(deps as never, orderId, clerk)).toBe('done')
  expect(await flagOf(orderId)).toBe('recorded-elsewhere')
  await setFlag(orderId, 'paid-twice')
  await clearRefundFlag(db, orderId)
  expect(await flagOf(orderId)).toBe('recorded-elsewhere')
  expect(await clearAttention(deps as never, orderId, clerk)).toBe('done')
  expect(await flagOf(orderId)).toBe(null)
})
