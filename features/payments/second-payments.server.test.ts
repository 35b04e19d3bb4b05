import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { findBroken } from '#db/invariants/find-broken.ts'
import { LEDGER_INVARIANTS } from '#db/invariants/ledger-invariants.ts'
import { ORDER_INVARIANTS } from '#db/invariants/order-invariants.ts'
import { addLedgerEntry, findOrderMoney } from '#features/ledger/ledger.server.ts'
import { startSimulator } from '#features/payments/testing/start-simulator.ts'
import { testDb } from '#test/db.ts'
import { payAgain } from './commands/pay-again.server.ts'
import { handleGatewayCallback } from './commands/handle-gateway-callback.server.ts'
import { checkBeforeExpiry, expireAttempts, reconcilePayments } from './commands/reconcile-payments.server.ts'
import { recordOutcome } from './commands/record-outcome.server.ts'
import { rejectPaymentInReview } from './commands/review-payment.server.ts'
import { startPayment } from './commands/start-payment.server.ts'
import type { PaidOutcome } from './gateway.ts'
import { tranIdOutcome } from './gateways/sslcommerz-outcome.ts'
import { listAttempts } from './queries.server.ts'
import { listRefundable } from './refunds/queries.server.ts'
import { anOpenedOrder, anOrder, findOrderSnapshot, type OrderInput, paidOutcome, startPayingShop } from './testing/payment-shop.ts'

// More than one payment for one order: all the money is in the ledger or in a review, and nothing is taken that is not due.

const { db } = await testDb()
const simulator = await startSimulator()
const shop = await startPayingShop(db, simulator)
const { deps } = shop
afterAll(async () => {
  await shop.close()
  await simulator.close()
})
beforeEach(() => simulator.faults({ notify: 'never' }))

const PAID = 'paid attempt that is not in the ledger'
const WAITING = 'waiting report of a transaction that is in the ledger'
/** What the command `check` finds. */
const check = () => findBroken(db, { [PAID]: ORDER_INVARIANTS[PAID]!, [WAITING]: LEDGER_INVARIANTS[WAITING]! })
const snapshot = (orderId: number) => findOrderSnapshot(db, orderId)

const opened = (input: OrderInput) => anOpenedOrder(db, shop, input)

describe('a second payment under one tran_id', () => {
  it.each<[string, Partial<PaidOutcome>, object]>([
    ['risky', { isRisky: true }, { paid: 3000, ledger: 2, needs_attention: 'paid-twice' }],
    [
      'of another amount',
      { amountPoisha: 50_000 as PaidOutcome['amountPoisha'] },
      { paid: 2000, ledger: 2, needs_attention: 'paid-twice' },
    ],
    ['in another currency', { currency: 'USD' }, { paid: 1500, ledger: 1, needs_attention: 'payment-mismatch' }],
  ])('after a recorded one, %s: the staff see it', async (_name, more, expected) => {
    const { orderId, tranId, attempt } = await opened({ payable: 1500 })
    expect(await recordOutcome(deps, attempt, paidOutcome(tranId))).toBe('paid')
    const second = paidOutcome(tranId, more)
    await recordOutcome(deps, attempt, second)
    await recordOutcome(deps, attempt, second)
    expect(await snapshot(orderId)).toMatchObject({ ...expected, sms: 1, attempts: ['paid'] })
  })

  it('in another currency, listed with the first one: it does not count as taka', async () => {
    const { orderId, tranId, attempt } = await opened({ payable: 1500 })
    const { eventId, gatewayTxn, amountPoisha } = paidOutcome(tranId)
    const extra = [{ eventId, gatewayTxn, amountPoisha, currency: 'USD' }]
    for (const _ of [1, 2])
      expect(await recordOutcome(deps, attempt, paidOutcome(tranId, { eventId: 'first', gatewayTxn: 'first', extra }))).toBe('paid')
    expect(await snapshot(orderId)).toMatchObject({
      paid: 1500,
      ledger: 1,
      needs_attention: 'payment-mismatch',
      sms: 1,
      attempts: ['paid'],
    })
  })

  it('after one in review: both are in the ledger, and the staff see it', async () => {
    const { orderId, tranId, attempt } = await opened({ payable: 1500 })
    const held = paidOutcome(tranId, { isRisky: true })
    expect(await recordOutcome(deps, attempt, held)).toBe('review')
    expect(await recordOutcome(deps, attempt, paidOutcome(tranId))).toBe('paid')
    expect(await snapshot(orderId)).toMatchObject({ paid: 3000, ledger: 2, sms: 1, needs_attention: 'paid-twice', attempts: ['paid'] })
    await recordOutcome(deps, attempt, held)
    expect(await snapshot(orderId)).toMatchObject({ paid: 3000, ledger: 2 })
  })

  it('a held payment that the gateway no longer calls risky counts once', async () => {
    const { orderId, tranId, attempt } = await opened({ payable: 1500 })
    const held = paidOutcome(tranId, { isRisky: true })
    await recordOutcome(deps, attempt, held)
    await recordOutcome(deps, attempt, { ...held, isRisky: false })
    expect(await snapshot(orderId)).toMatchObject({ paid: 1500, ledger: 1, sms: 1, needs_attention: null, attempts: ['paid'] })
  })

  it('an acceptable one goes before a risky one, whatever their ids are', () => {
    const element = (val_id: string, risk_level: string) => ({
      status: 'VALID',
      val_id,
      risk_level,
      tran_id: 'T',
      amount: '1500.00',
      currency: 'BDT',
    })
    const attempt = { tranId: 'T', gatewayRef: null, amountPoisha: 150_000 as PaidOutcome['amountPoisha'] }
    for (const [risky, good] of [
      ['A', 'B'],
      ['B', 'A'],
    ]) {
      const outcome = tranIdOutcome({ element: [element(risky!, '1'), element(good!, '0')] }, attempt, 'store')
      expect(outcome).toMatchObject({ state: 'paid', eventId: good, isRisky: false, extra: [{ eventId: risky }] })
    }
  })
})

it('bKash takes nothing for a page that asks for more than is left, and the rest can be paid', async () => {
  const { orderId, page } = await opened({ payable: 1500, gateway: 'bkash' })
  await sql`insert into ledger_entries (order_id, kind, method, amount_poisha, reference) values (${orderId}, 'advance', 'bkash', 50000, 'BYHAND0001')`.execute(
    db,
  )
  const pay = async (url: string) => {
    const { location } = await simulator.press(url, 'Pay')
    await fetch(location, { redirect: 'manual' })
  }
  await pay(page)
  expect(await snapshot(orderId)).toMatchObject({ paid: 500, ledger: 1, attempts: ['pending'] })
  const again = await payAgain(deps, orderId)
  if (!again.ok) throw new Error(again.reason)
  await pay(again.redirectUrl)
  expect(await snapshot(orderId)).toMatchObject({ paid: 1500, ledger: 2, needs_attention: null })
})

it('a payment on a page that had failed is found before another page opens', async () => {
  const { orderId, page } = await opened({ payable: 1500 })
  const failed = await simulator.press(page, 'Fail')
  await fetch(failed.location, { method: 'POST', body: new URLSearchParams(failed.body), redirect: 'manual' })
  expect(await snapshot(orderId)).toMatchObject({ attempts: ['failed'] })
  // The payer goes back, pays with another card, and closes the tab; the notification is late.
  await simulator.press(page, 'Pay with VISA')
  expect(await payAgain(deps, orderId)).toEqual({ ok: false, reason: 'nothing-to-pay' })
  expect(await snapshot(orderId)).toMatchObject({ paid: 1500, ledger: 1, attempts: ['paid'], needs_attention: null })
})

it('a failed page whose gateway does not answer keeps nobody from paying', async () => {
  const { orderId, page } = await opened({ payable: 1500 })
  const failed = await simulator.press(page, 'Fail')
  await fetch(failed.location, { method: 'POST', body: new URLSearchParams(failed.body), redirect: 'manual' })
  await simulator.faults({ notify: 'never', query: 'error' })
  expect(await payAgain(deps, orderId)).toMatchObject({ ok: true })
})

it('a page that was opened while its order was cancelled is not shown, and a payment there is found', async () => {
  const { orderId, tranId } = await anOrder(db, shop, { payable: 1500 })
  let page = ''
  const cancelled: typeof simulator.sslcommerz = {
    ...simulator.sslcommerz,
    async createSession(payment) {
      const session = await simulator.sslcommerz.createSession(payment)
      const check = await checkBeforeExpiry(deps, orderId)
      await expireAttempts(db, check.free ? check.attempts : [], deps.now())
      await sql`update orders set status = 'cancelled', reason = 'Changed' where id = ${orderId}`.execute(db)
      if (session.ok) page = session.redirectUrl
      return session
    },
  }
  expect(await startPayment({ ...deps, gateways: { ...deps.gateways, sslcommerz: cancelled } }, orderId)).toEqual({
    ok: false,
    reason: 'order-ended',
  })
  expect((await listAttempts(db, orderId))[0]).toMatchObject({ tranId, state: 'expired', gatewayRef: expect.any(String) })
  const { body, location } = await simulator.press(page, 'Pay with bKash')
  await fetch(location, { method: 'POST', body: new URLSearchParams(body), redirect: 'manual' })
  expect(await snapshot(orderId)).toMatchObject({ paid: 1500, needs_attention: 'paid-after-end' })
})

it('after a refused payment a reported advance keeps its day', async () => {
  const { orderId, page, attempt } = await opened({ payable: 1500 })
  await simulator.faults({ notify: 'never', risky: true })
  const { body, location } = await simulator.press(page, 'Pay with bKash')
  await fetch(location, { method: 'POST', body: new URLSearchParams(body), redirect: 'manual' })
  expect(await snapshot(orderId)).toMatchObject({ attempts: ['review'], expires_at: null })
  await sql`insert into advance_reports (order_id, method, transaction_id, amount_poisha) values (${orderId}, 'bkash', 'REPORTED01', 150000)`.execute(
    db,
  )
  const { rows } = await sql<{ id: number }>`select customer_id as id from orders where id = ${orderId}`.execute(db)
  const clerk = { kind: 'staff' as const, id: rows[0]!.id, ip: '' }
  expect(await rejectPaymentInReview(deps, attempt.id, 'Stolen card', clerk)).toMatchObject({ ok: true })
  expect((await snapshot(orderId)).expires_at).toEqual(new Date(shop.clock.now.getTime() + 24 * 3_600_000))
})

describe('on the page of a rejected payment another one', () => {
  const notify = (tranId: string) =>
    handleGatewayCallback(deps, { gateway: 'sslcommerz', hint: { tranId, confirmationId: `B-${tranId}`, claimedStatus: 'VALID' } })
  it.each<[string, (tranId: string) => Promise<unknown>]>([
    ['is notified', notify],
    [
      'is found by the job',
      async () => {
        shop.clock.now = new Date(shop.clock.now.getTime() + 2 * 3_600_000)
        await reconcilePayments(deps, { limit: 1000 })
      },
    ],
  ])('%s: the staff see it, and it can be refunded', async (_name, comes) => {
    const { orderId, page, tranId, attempt } = await opened({ payable: 1500 })
    await simulator.faults({ notify: 'never', risky: true })
    const { body, location } = await simulator.press(page, 'Pay with bKash')
    await fetch(location, { method: 'POST', body: new URLSearchParams(body), redirect: 'manual' })
    const { rows } = await sql<{ id: number }>`select customer_id as id from orders where id = ${orderId}`.execute(db)
    await rejectPaymentInReview(deps, attempt.id, 'Stolen card', { kind: 'staff', id: rows[0]!.id, ip: '' })
    expect(await notify(tranId)).toMatchObject({ status: 'refused' })
    expect([await snapshot(orderId), await listRefundable(db, orderId)]).toMatchObject([
      { needs_attention: null, attempts: ['refused'] },
      [],
    ])
    await simulator.faults({ notify: 'never', risky: true, twoPaid: true })
    for (const _ of [1, 2]) await comes(tranId)
    expect(await snapshot(orderId)).toMatchObject({ paid: 0, needs_attention: 'risky-payment', expires_at: null, attempts: ['refused'] })
    expect(await listRefundable(db, orderId)).toMatchObject([{ leftPoisha: 150_000, inLedger: false }])
    expect((await snapshot(orderId)).events.filter((kind) => kind === 'risky-payment')).toHaveLength(2)
  })
})

describe('a payment that comes late', () => {
  it('for a debt that was written off reverses that much of it', async () => {
    const { orderId, tranId, attempt } = await opened({ payable: 1500 })
    const money = (kind: 'counter' | 'write_off', amount: number) =>
      addLedgerEntry(db, {
        orderId,
        kind,
        method: kind === 'counter' ? 'cash' : kind,
        amount: amount as PaidOutcome['amountPoisha'],
        reference: null,
        actorId: null,
        at: shop.clock.now,
      })
    await sql`update orders set status = 'delivered', expires_at = null where id = ${orderId}`.execute(db)
    await money('counter', 30_000)
    await money('write_off', 120_000)
    await recordOutcome(deps, attempt, paidOutcome(tranId))
    expect(await findOrderMoney(db, orderId)).toMatchObject({ paidPoisha: 180_000, duePoisha: -30_000, writtenOffPoisha: 0 })
    expect(await snapshot(orderId)).toMatchObject({ events: ['write-off-reversed', 'payment-received'] })
  })

  it('under a transaction that staff recorded for another order: they see it, and the customer is told nothing', async () => {
    const other = await opened({ payable: 1500 })
    const { orderId, tranId, attempt } = await opened({ payable: 1500 })
    const paid = paidOutcome(tranId, { gatewayTxn: 'TYPED1' })
    const entry = { kind: 'advance', method: 'sslcommerz', amount: paid.amountPoisha, reference: 'TYPED1', actorId: null } as const
    await addLedgerEntry(db, { ...entry, orderId: other.orderId, at: shop.clock.now })
    await recordOutcome(deps, attempt, paid)
    await recordOutcome(deps, attempt, paid)
    expect(await snapshot(orderId)).toMatchObject({ paid: 0, sms: 0, needs_attention: 'recorded-elsewhere', attempts: ['paid'] })
    expect(await check()).toEqual({})
    await sql`delete from ledger_entries where reference = 'TYPED1'`.execute(db)
    expect(await check(), 'money without an entry is found').toEqual({ [PAID]: [{ id: expect.any(Number) }] })
    await addLedgerEntry(db, { ...entry, orderId: other.orderId, at: shop.clock.now })
  })

  it('that staff recorded with another amount: they see it, the ledger has it once', async () => {
    const { orderId, tranId, attempt } = await opened({ payable: 1500 })
    const entry = { orderId, kind: 'advance', method: 'sslcommerz', reference: 'TYPED2', actorId: null, at: shop.clock.now } as const
    await addLedgerEntry(db, { ...entry, amount: 15_000 as PaidOutcome['amountPoisha'] })
    const paid = paidOutcome(tranId, { gatewayTxn: 'TYPED2' })
    await recordOutcome(deps, attempt, paid)
    await recordOutcome(deps, attempt, paid)
    const seen = { paid: 150, ledger: 1, sms: 0, needs_attention: 'payment-mismatch', attempts: ['paid'], events: ['payment-mismatch'] }
    expect(await snapshot(orderId)).toMatchObject(seen)
    // The review of another payment leaves the flag.
    const second = await startPayment(deps, orderId)
    expect(second).toMatchObject({ ok: true })
    const [other] = await listAttempts(db, orderId)
    await recordOutcome(deps, other!, paidOutcome(other!.tranId, { amountPoisha: other!.amountPoisha }))
    expect(await snapshot(orderId)).toMatchObject({ paid: 1500, needs_attention: 'payment-mismatch', sms: 1 })
  })

  it('that its customer has reported by hand verifies the report; a report for another order waits for the staff', async () => {
    const other = await opened({ payable: 1500 })
    const { orderId, tranId, attempt } = await opened({ payable: 1500, gateway: 'bkash' })
    for (const id of [other.orderId, orderId])
      await sql`insert into advance_reports (order_id, method, transaction_id, amount_poisha) values (${id}, 'bkash', 'BFD90JRLST', 150000)`.execute(
        db,
      )
    await recordOutcome(deps, attempt, paidOutcome(tranId, { gatewayTxn: 'BFD90JRLST' }))
    const { rows } = await sql`select order_id, state, decided_at is not null as decided from advance_reports
      where transaction_id = 'BFD90JRLST' order by order_id`.execute(db)
    expect(rows).toEqual([
      { order_id: other.orderId, state: 'waiting', decided: false },
      { order_id: orderId, state: 'verified', decided: true },
    ])
    expect(await check()).toEqual({})
    const back = (order: number, to: string) => sql`update advance_reports set state = ${to} where order_id = ${order}`.execute(db)
    await back(orderId, 'waiting')
    expect(await check(), 'a report that its own payment should have verified is found').toEqual({
      [WAITING]: [{ id: expect.any(Number) }],
    })
    await back(orderId, 'verified')
    expect(await snapshot(orderId)).toMatchObject({ paid: 1500, ledger: 1, sms: 1, needs_attention: null })
  })
})
