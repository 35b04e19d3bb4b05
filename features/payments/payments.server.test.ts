import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { payAgain } from '#features/payments/commands/pay-again.server.ts'
import { acceptPayment } from '#features/payments/commands/review-payment.server.ts'
import { startPayment } from '#features/payments/commands/start-payment.server.ts'
import { checkBeforeExpiry, reconcilePayments } from './commands/reconcile-payments.server.ts'
import type { Faults } from '#dev/payment-simulator/faults.ts'
import { anOpenedOrder, anOrder, findOrderSnapshot, startPayingShop, type OrderInput } from './testing/payment-shop.ts'
import { startSimulator } from '#features/payments/testing/start-simulator.ts'
import { ulid } from '#lib/ids/ids.server.ts'
import { testDb } from '#test/db.ts'

const { db } = await testDb()
const simulator = await startSimulator()
const shop = await startPayingShop(db, simulator)
const { deps } = shop
afterAll(async () => {
  await shop.close()
  await simulator.close()
})
beforeEach(async () => {
  shop.clock.now = new Date('2026-11-20T06:00:00Z')
  deps.gateways = { sslcommerz: simulator.sslcommerz, bkash: simulator.bkash, default: 'sslcommerz' }
  await simulator.faults({ notify: 'never' })
})

const later = (minutes: number) => {
  shop.clock.now = new Date(shop.clock.now.getTime() + minutes * 60_000)
}
const snapshot = (orderId: number) => findOrderSnapshot(db, orderId)
const cancel = (orderId: number) =>
  sql`update orders set status = 'cancelled', reason = 'Not paid in time' where id = ${orderId}`.execute(db)

const opened = (input: OrderInput) => anOpenedOrder(db, shop, input)

/** Presses a button and follows the redirect by POST or GET. */
async function payAt(page: string, label = 'Pay with bKash') {
  const pressed = await simulator.press(page, label)
  const back =
    pressed.status === 307
      ? await fetch(pressed.location, { method: 'POST', body: new URLSearchParams(pressed.body), redirect: 'manual' })
      : await fetch(pressed.location, { redirect: 'manual' })
  return { body: pressed.body, status: back.status, location: back.headers.get('location') }
}

const ipn = (body: Record<string, string> | string, headers: Record<string, string> = {}) =>
  fetch(`${shop.url}/payments/sslcommerz/ipn`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: typeof body === 'string' ? body : new URLSearchParams(body).toString(),
  })

async function eventually(check: () => Promise<void>) {
  for (let tries = 0; ; tries++) {
    try {
      return await check()
    } catch (error) {
      if (tries > 60) throw error
      await sleep(25)
    }
  }
}

const PAID = { ledger: 1, sms: 1, needs_attention: null, expires_at: null }

describe('a payment through SSLCommerz', () => {
  it('is recorded when the browser returns; the repeated notification has no effect', async () => {
    const { orderId, page } = await opened({ payable: 1500 })
    const back = await payAt(page)
    expect(back).toMatchObject({ status: 303, location: `/order/confirmed/${orderId}` })
    expect(await snapshot(orderId)).toMatchObject({ ...PAID, paid: 1500, attempts: ['paid'], events: ['payment-received'] })
    expect((await ipn(back.body)).status).toBe(200)
    expect(await snapshot(orderId)).toMatchObject({ ...PAID, paid: 1500 })
  })

  it.each<[string, Faults]>([
    ['before the browser', { notify: 'before-return' }],
    ['five times at once', { notify: 'five-times' }],
    ['late', { notify: 'late', notifyDelayMs: 100 }],
    ['soon', {}],
  ])('is recorded once when the notification comes %s', async (_name, faults) => {
    await simulator.faults(faults)
    const { orderId, page } = await opened({ payable: 1500 })
    await simulator.press(page, 'Pay with VISA')
    await eventually(async () => expect(await snapshot(orderId)).toMatchObject({ ...PAID, paid: 1500 }))
    await sleep(60)
    expect(await snapshot(orderId)).toMatchObject({ ...PAID, paid: 1500 })
  })

  it('is recorded once by twenty concurrent notifications and five browsers', async () => {
    const { orderId, page } = await opened({ payable: 1500, animal: true })
    const { body } = await simulator.press(page, 'Pay with Nagad')
    const browser = () =>
      fetch(`${shop.url}/payments/sslcommerz/success`, { method: 'POST', body: new URLSearchParams(body), redirect: 'manual' })
    const answers = await Promise.all([...Array.from({ length: 20 }, () => ipn(body)), ...Array.from({ length: 5 }, browser)])
    expect(answers.every((answer) => answer.status === 200 || answer.status === 303)).toBe(true)
    expect(await snapshot(orderId)).toMatchObject({ ...PAID, paid: 1500, product: 'sold', events: ['payment-received'] })
  })

  it('is found by reconciliation without a notification', async () => {
    const { orderId, page } = await opened({ payable: 1500 })
    await simulator.press(page, 'Pay with bKash')
    expect(await reconcilePayments(deps)).toBe(0)
    later(4)
    await reconcilePayments(deps)
    expect(await snapshot(orderId)).toMatchObject({ ...PAID, paid: 1500 })
  })

  it('stays pending while validation is unavailable, and is recorded afterwards', async () => {
    const { orderId, page } = await opened({ payable: 1500 })
    await simulator.faults({ notify: 'never', validate: 'error', query: 'html' })
    const { status } = await payAt(page)
    expect(status).toBe(303)
    expect(await snapshot(orderId)).toMatchObject({ paid: 0, attempts: ['pending'], status: 'placed' })
    later(60)
    expect(await checkBeforeExpiry(deps, orderId)).toEqual({ free: false, reason: 'unknown' })
    await simulator.faults({})
    expect(await checkBeforeExpiry(deps, orderId)).toEqual({ free: false, reason: 'paid' })
    expect(await snapshot(orderId)).toMatchObject({ ...PAID, paid: 1500 })
  })

  it.each([
    ['Fail', 'payment-failed'],
    ['Cancel', 'payment-cancelled'],
  ])('%s leaves the order, and another try is a new attempt', async (label, event) => {
    const { orderId, page } = await opened({ payable: 1500 })
    expect(await payAt(page, label)).toMatchObject({ status: 303, location: `/invoice/${orderId}` })
    expect(await snapshot(orderId)).toMatchObject({ status: 'placed', paid: 0, attempts: ['failed'], events: [event] })
    const again = await startPayment(deps, orderId)
    if (!again.ok) throw new Error(again.reason)
    await payAt(again.redirectUrl)
    expect(await snapshot(orderId)).toMatchObject({ ...PAID, paid: 1500, attempts: ['failed', 'paid'] })
  })
})

describe('a payment through bKash', () => {
  it('is executed when the browser comes back', async () => {
    const { orderId, page } = await opened({ payable: 1500, gateway: 'bkash' })
    expect(await payAt(page, 'Pay')).toMatchObject({ status: 303, location: `/order/confirmed/${orderId}` })
    expect(await snapshot(orderId)).toMatchObject({ ...PAID, paid: 1500 })
  })
  it('is not executed for an order that has ended', async () => {
    const { orderId, page } = await opened({ payable: 1500, gateway: 'bkash' })
    await cancel(orderId)
    const before = (await simulator.calls())['execute'] ?? 0
    await payAt(page, 'Pay')
    expect((await simulator.calls())['execute'] ?? 0).toBe(before)
    expect(await snapshot(orderId)).toMatchObject({ paid: 0, needs_attention: null })
  })
  it('is recorded once when execute hangs after moving the money', async () => {
    const { orderId, page } = await opened({ payable: 1500, gateway: 'bkash' })
    await simulator.faults({ execute: 'hang' })
    await payAt(page, 'Pay')
    expect(await snapshot(orderId)).toMatchObject({ ...PAID, paid: 1500 })
  })
  it('is neither paid by a forged success nor ended by a repeated key', async () => {
    const { orderId } = await opened({ payable: 1500, gateway: 'bkash' })
    const { rows } = await sql<{ gateway_ref: string }>`select gateway_ref from payment_attempts where order_id = ${orderId}`.execute(db)
    const id = rows[0]!.gateway_ref
    const at = (query: string) => fetch(`${shop.url}/payments/bkash/callback?${query}`, { redirect: 'manual' })
    expect((await at(`paymentID=${id}&status=success`)).headers.get('location')).toBe(`/invoice/${orderId}`)
    expect((await at(`paymentID=${id}&paymentID=x&status=success`)).headers.get('location')).toBe('/')
    expect(await snapshot(orderId)).toMatchObject({ paid: 0, attempts: ['pending'] })
  })
})

describe('what is not a payment', () => {
  it('a made-up val_id', async () => {
    const { orderId, tranId } = await opened({ payable: 1500 })
    expect(await (await ipn({ tran_id: tranId, val_id: 'made-up', status: 'VALID', amount: '1500.00' })).text()).toBe('OK')
    expect(await snapshot(orderId)).toMatchObject({ paid: 0, attempts: ['pending'], events: [] })
  })
  it.each(['FAILED', 'CANCELLED', 'EXPIRED'])('a forged %s does not end a live one', async (status) => {
    const { orderId, tranId, page } = await opened({ payable: 1500 })
    await ipn({ tran_id: tranId, status })
    expect(await snapshot(orderId)).toMatchObject({ attempts: ['pending'] })
    await payAt(page)
    await ipn({ tran_id: tranId, status })
    expect(await snapshot(orderId)).toMatchObject({ ...PAID, attempts: ['paid'] })
  })
  it('the val_id of another order, which then still counts for its own', async () => {
    const cheap = await opened({ payable: 10 })
    const dear = await opened({ payable: 10 })
    const { body } = await simulator.press(cheap.page, 'Pay with bKash')
    await ipn({ ...body, tran_id: dear.tranId })
    expect(await snapshot(dear.orderId)).toMatchObject({ paid: 0, attempts: ['pending'], events: ['payment-foreign'] })
    await ipn(body)
    expect(await snapshot(cheap.orderId)).toMatchObject({ ...PAID, paid: 10 })
  })
  it.each<[string, Faults]>([
    ['another amount', { paidAmount: '10.00' }],
    ['another currency', { paidCurrency: 'USD' }],
  ])('%s: held for the staff', async (_name, faults) => {
    await simulator.faults({ notify: 'never', ...faults })
    const { orderId, page } = await opened({ payable: 10_000, animal: true })
    await payAt(page)
    expect(await snapshot(orderId)).toMatchObject({
      paid: 0,
      sms: 0,
      attempts: ['review'],
      needs_attention: 'payment-mismatch',
      product: 'hold',
      expires_at: null,
    })
  })
  it.each<[string, Faults]>([
    ['another tran_id', { tranId: '01JOTHER' }],
    ['another store', { storeId: 'elsewhere' }],
  ])('%s', async (_name, faults) => {
    await simulator.faults({ notify: 'never', ...faults })
    const { orderId, page, tranId } = await opened({ payable: 10_000 })
    const { body } = await simulator.press(page, 'Pay with bKash')
    await ipn({ ...body, tran_id: tranId })
    expect(await snapshot(orderId)).toMatchObject({ paid: 0, sms: 0, attempts: ['pending'], events: ['payment-foreign'] })
  })
  it('an unknown tran_id, answered like any other', async () =>
    expect(await (await ipn({ tran_id: ulid(), val_id: 'x', status: 'VALID' })).text()).toBe('OK'))
  it.each<[string, string, Record<string, string>, number]>([
    ['a repeated key', 'tran_id=A&tran_id=B', {}, 400],
    ['an array key', 'tran_id[]=A', {}, 200],
    ['nothing', '', {}, 200],
    ['a NUL', 'tran_id=A%00&val_id=%00', {}, 200],
    ['a broken escape', 'tran_id=%E0%A4%A', {}, 200],
    ['__proto__', '__proto__=x&tran_id=A', {}, 200],
    ['200 keys', Array.from({ length: 200 }, (_, n) => `k${n}=v`).join('&'), {}, 400],
    ['over', `tran_id=${'x'.repeat(70_000)}`, {}, 413],
    ['JSON', '{"tran_id":"A"}', { 'content-type': 'application/json' }, 415],
    ['text', 'tran_id=A', { 'content-type': 'text/plain' }, 415],
  ])('%s', async (_name, body, headers, status) => expect((await ipn(body, headers)).status).toBe(status))
  it('a success address that is typed in', async () => {
    const { orderId, page } = await opened({ payable: 1500 })
    const { body } = await simulator.press(page, 'Pay with bKash')
    const answer = await fetch(`${shop.url}/payments/sslcommerz/success?${new URLSearchParams(body)}`, { redirect: 'manual' })
    expect(answer.headers.get('location')).toBe('/')
    expect(await snapshot(orderId)).toMatchObject({ paid: 0 })
  })
})

describe('payments in review', () => {
  it('a risky payment waits for the staff and is then recorded', async () => {
    await simulator.faults({ notify: 'never', risky: true })
    const { orderId, page } = await opened({ payable: 1500, animal: true })
    const { body } = await payAt(page)
    await ipn(body)
    expect(await snapshot(orderId)).toMatchObject({
      paid: 0,
      sms: 0,
      attempts: ['review'],
      needs_attention: 'risky-payment',
      product: 'hold',
      events: ['risky-payment'],
    })
    expect(await checkBeforeExpiry(deps, orderId)).toEqual({ free: false, reason: 'review' })
    const { rows } = await sql<{
      id: number
      customer_id: number
    }>`select a.id, o.customer_id from payment_attempts a join orders o on o.id = a.order_id where o.id = ${orderId}`.execute(db)
    const clerk = { kind: 'staff' as const, id: rows[0]!.customer_id, ip: '' }
    expect(await acceptPayment(deps, rows[0]!.id, clerk)).toEqual({ ok: true, orderId })
    expect(await snapshot(orderId)).toMatchObject({ ...PAID, paid: 1500, product: 'sold' })
    expect(await acceptPayment(deps, rows[0]!.id, clerk)).toEqual({ ok: false, reason: 'not-in-review' })
  })

  it('a payment of a cancelled order is recorded and flagged', async () => {
    const { orderId, page } = await opened({ payable: 1500 })
    later(31)
    expect(await checkBeforeExpiry(deps, orderId)).toMatchObject({ free: true })
    await cancel(orderId)
    await payAt(page)
    expect(await snapshot(orderId)).toMatchObject({
      status: 'cancelled',
      paid: 1500,
      sms: 1,
      needs_attention: 'paid-after-end',
      attempts: ['paid'],
    })
    const { rows } = await sql`select body from sms_outbox where order_id = ${orderId}`.execute(db)
    expect(rows).toEqual([{ body: expect.stringContaining(`অর্ডার ${orderId}-এর ৳১,৫০০ পেয়েছি, তবে অর্ডারটি বন্ধ`) }])
  })

  it('so is a payment without a notification', async () => {
    const { orderId, page } = await opened({ payable: 1500 })
    later(31)
    await checkBeforeExpiry(deps, orderId)
    await cancel(orderId)
    await simulator.press(page, 'Pay with bKash')
    later(30)
    await reconcilePayments(deps, { limit: 1000 })
    expect(await snapshot(orderId)).toMatchObject({ paid: 1500, needs_attention: 'paid-after-end' })
  })

  it('the second of two paid attempts is flagged', async () => {
    const { orderId, page } = await opened({ payable: 1500, animal: true })
    later(1)
    const second = await startPayment(deps, orderId)
    if (!second.ok) throw new Error(second.reason)
    await payAt(page)
    await payAt(second.redirectUrl)
    expect(await snapshot(orderId)).toMatchObject({
      paid: 3000,
      ledger: 2,
      sms: 1,
      needs_attention: 'paid-twice',
      attempts: ['paid', 'paid'],
    })
  })

  it('two payments under one tran_id: the second is flagged', async () => {
    const { orderId, page } = await opened({ payable: 1500 })
    await simulator.press(page, 'Pay with bKash')
    await simulator.faults({ twoPaid: true })
    later(4)
    await reconcilePayments(deps, { limit: 1000 })
    expect(await snapshot(orderId)).toMatchObject({ paid: 3000, sms: 1, needs_attention: 'paid-twice' })
  })

  it('a notification repeated after a refund changes nothing', async () => {
    const { orderId, page } = await opened({ payable: 1500 })
    const { body } = await payAt(page)
    await sql`insert into ledger_entries (order_id, kind, method, amount_poisha, reference) values (${orderId}, 'refund', 'sslcommerz', -150000, 'R1')`.execute(
      db,
    )
    await ipn(body)
    expect(await snapshot(orderId)).toMatchObject({ paid: 0, ledger: 2, sms: 1 })
  })

  it('a transaction that the staff recorded by hand is not counted twice', async () => {
    const { orderId, page } = await opened({ payable: 1500 })
    const { body } = await simulator.press(page, 'Pay with bKash')
    await sql`insert into ledger_entries (order_id, kind, method, amount_poisha, reference) values (${orderId}, 'advance', 'sslcommerz', 150000, ${body['bank_tran_id']})`.execute(
      db,
    )
    await ipn(body)
    // Staff send their own SMS of a payment that they record.
    expect(await snapshot(orderId)).toMatchObject({ paid: 1500, ledger: 1, sms: 0, events: ['payment-received'] })
  })
})

describe('animals', () => {
  it.each([
    [{ payable: 10_000, total: 80_000, advance: 10_000 }, 'sold'],
    [{ payable: 80_000, total: 80_000, advance: 0 }, 'sold'],
    [{ payable: 1_500, total: 80_000, advance: 0 }, 'hold'],
  ])('paid %j: %s', async (input, product) => {
    const { orderId, page } = await opened({ ...input, animal: true })
    await payAt(page)
    expect(await snapshot(orderId)).toMatchObject({ product, paid: input.payable })
  })
})

describe('starting a payment', () => {
  it('returns one URL for a double click', async () => {
    const { orderId } = await anOrder(db, shop, { payable: 1500 })
    const before = (await simulator.calls())['session'] ?? 0
    const results = await Promise.all(Array.from({ length: 10 }, () => startPayment(deps, orderId)))
    expect(new Set(results.map((result) => (result.ok ? result.redirectUrl : result.reason))).size).toBe(1)
    expect(results[0]!.ok).toBe(true)
    expect((await simulator.calls())['session']).toBe(before + 1)
  })

  it('returns one URL for a double click on "pay again"', async () => {
    const { orderId, page } = await opened({ payable: 1500 })
    await payAt(page, 'Fail')
    const before = (await simulator.calls())['session'] ?? 0
    const results = await Promise.all(Array.from({ length: 10 }, () => payAgain(deps, orderId)))
    expect(new Set(results.map((result) => (result.ok ? result.redirectUrl : result.reason))).size).toBe(1)
    expect((await simulator.calls())['session']).toBe(before + 1)
  })

  it.each<[string, Faults, string, string]>([
    ['refuses', { create: 'failed' }, 'gateway-refused', 'failed'],
    ['answers 500', { create: 'error' }, 'gateway-silent', 'failed'],
    ['answers HTML', { create: 'html' }, 'gateway-silent', 'failed'],
    ['is down', { down: true }, 'gateway-silent', 'failed'],
    ['hangs', { create: 'hang' }, 'gateway-silent', 'pending'],
  ])('keeps the order when the gateway %s, and can be tried again', async (_name, faults, reason, state) => {
    const { orderId } = await anOrder(db, shop, { payable: 1500, animal: true })
    await simulator.faults(faults)
    expect(await startPayment(deps, orderId)).toEqual({ ok: false, reason })
    expect(await snapshot(orderId)).toMatchObject({ status: 'placed', product: 'hold', attempts: [state], needs_attention: null })
    await simulator.faults({ notify: 'never' })
    const again = await startPayment(deps, orderId)
    if (!again.ok) throw new Error(again.reason)
    await payAt(again.redirectUrl)
    expect(await snapshot(orderId)).toMatchObject({ ...PAID, paid: 1500 })
  })

  it('fails outside the limits, for ended and for paid orders, without calling the gateway', async () => {
    const before = (await simulator.calls())['session'] ?? 0
    const start = async (input: OrderInput) => startPayment(deps, (await anOrder(db, shop, input)).orderId)
    expect(await start({ payable: 9 })).toEqual({ ok: false, reason: 'below-gateway-minimum' })
    expect(await start({ payable: 500_001 })).toEqual({ ok: false, reason: 'above-gateway-maximum' })
    expect(await start({ payable: 1500, status: 'cancelled' })).toEqual({ ok: false, reason: 'order-ended' })
    expect(await startPayment(deps, 1)).toEqual({ ok: false, reason: 'no-such-order' })
    deps.gateways = { default: null }
    expect(await start({ payable: 1500 })).toEqual({ ok: false, reason: 'no-gateway' })
    expect((await simulator.calls())['session'] ?? 0).toBe(before)
  })
})

describe('paying again, and the payment status', () => {
  const pay = (orderId: number, sees: number, body: object = {}) =>
    fetch(`${shop.url}/orders/${orderId}/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-sees': String(sees) },
      body: JSON.stringify(body),
    })
  const status = async (orderId: number, sees: number) => {
    const answer = await fetch(`${shop.url}/payments/status?order=${orderId}`, { headers: { 'x-sees': String(sees) } })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }

  it('opens the page that is still open, or another gateway', async () => {
    const { orderId, page } = await opened({ payable: 1500 })
    expect(await (await pay(orderId, orderId)).json()).toEqual({ redirect_url: page })
    const { redirect_url } = (await (await pay(orderId, orderId, { payment_gateway: 'bkash' })).json()) as { redirect_url: string }
    expect(redirect_url).toContain('/bkash/pay/')
    expect(await status(orderId, orderId)).toMatchObject({
      status: 200,
      body: { payment: 'pending', payable_amount: 1500, paid_amount: 0, expires_at: expect.stringMatching(/^\d{4}-.*Z$/) },
    })
    await payAt(redirect_url, 'Pay')
    expect(await status(orderId, orderId)).toMatchObject({ body: { payment: 'paid', paid_amount: 1500, due_amount: 0 } })
    expect((await pay(orderId, orderId)).status).toBe(409)
  })

  it('finds an existing payment before it opens another', async () => {
    const { orderId, page } = await opened({ payable: 1500 })
    await simulator.press(page, 'Pay with bKash')
    expect((await pay(orderId, orderId)).status).toBe(409)
    expect(await snapshot(orderId)).toMatchObject({ ...PAID, paid: 1500 })
  })

  it('waits while a bank processes the payment', async () => {
    const { orderId, page } = await opened({ payable: 1500 })
    await simulator.press(page, 'Wait')
    expect((await pay(orderId, orderId)).status).toBe(409)
    later(31)
    expect(await checkBeforeExpiry(deps, orderId)).toEqual({ free: false, reason: 'in-flight' })
    later(25 * 60)
    expect(await checkBeforeExpiry(deps, orderId)).toMatchObject({ free: true })
  })

  it('is 404 without access and for unknown orders', async () => {
    const { orderId } = await opened({ payable: 1500 })
    expect((await pay(orderId, 0)).status).toBe(404)
    expect(await status(orderId, 0)).toMatchObject({ status: 404 })
    expect(await status(999_999_999, 999_999_999)).toMatchObject({ status: 404 })
  })

  it('extends the expiry of an order up to a limit', async () => {
    const { orderId } = await opened({ payable: 1500, gateway: 'bkash' })
    const placed = shop.clock.now.getTime()
    later(29)
    await pay(orderId, orderId)
    expect((await snapshot(orderId)).expires_at!.getTime()).toBe(placed + 59 * 60_000)
    later(60)
    await pay(orderId, orderId)
    expect((await snapshot(orderId)).expires_at!.getTime()).toBe(placed + 90 * 60_000)
  })
})
