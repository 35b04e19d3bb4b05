import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { AttemptRef, PaymentRequest, SessionResult } from '#features/payments/gateway.ts'
import { sslcommerzGateway } from '#features/payments/gateways/sslcommerz.server.ts'
import type { Faults } from '#dev/payment-simulator/faults.ts'
import { startSimulator } from '#features/payments/testing/start-simulator.ts'
import { ulid } from '#lib/ids/ids.server.ts'
import type { Poisha } from '#lib/format/money.ts'

const simulator = await startSimulator()
const gateway = simulator.sslcommerz
afterAll(() => simulator.close())
beforeEach(() => simulator.faults({ notify: 'never' }))

const payment = (changes: Partial<PaymentRequest> = {}): PaymentRequest => ({
  tranId: ulid(),
  orderId: 1001,
  amountPoisha: 150_000 as Poisha,
  customer: { name: 'রহিমা বেগম', email: '', phone: '01711000001', address: 'বাড়ি ১২, সড়ক ৩', city: 'Dhaka' },
  productNames: ['আম', 'Sugarcane'],
  itemCount: 2,
  returnUrls: {
    success: 'https://shop.example/s',
    fail: 'https://shop.example/f',
    cancel: 'https://shop.example/c',
    notify: 'https://shop.example/n',
  },
  ...changes,
})

const opened = (session: SessionResult) => {
  if (!session.ok) throw new Error(session.detail)
  return session
}

async function paidAttempt() {
  const request = payment()
  const session = opened(await gateway.createSession(request))
  const attempt: AttemptRef = { tranId: request.tranId, gatewayRef: session.gatewayRef, amountPoisha: request.amountPoisha }
  const pressed = await simulator.press(session.redirectUrl, 'Pay with bKash')
  return { attempt, pressed, hint: gateway.readHint(pressed.body)!, session }
}

/** The gateway of a vendor that gives these answers. */
async function answering(answer: (url: string) => object) {
  const vendor = createServer((request, response) => void response.end(JSON.stringify(answer(request.url!))))
  onTestFinished(() => void vendor.close())
  await once(vendor.listen(0, '127.0.0.1'), 'listening')
  const baseUrl = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`
  return sslcommerzGateway({ storeId: 's', storePassword: 'p', baseUrl, fallbackEmail: 'a@b.example', log: { info() {}, warn() {} } })
}

describe('opening a session', () => {
  it('returns the URL of the payment page', async () => {
    const session = opened(await gateway.createSession(payment()))
    expect(session.redirectUrl).toContain(`${simulator.baseUrl}/EasyCheckOut/testcde`)
    expect(session.gatewayRef).toMatch(/^[0-9A-F]{32}$/)
  })
  it.each<[string, Faults, string]>([
    ['refused', { create: 'failed' }, 'rejected'],
    ['hanging', { create: 'hang' }, 'unknown'],
    ['500', { create: 'error' }, 'unknown'],
    ['HTML', { create: 'html' }, 'unknown'],
    ['down', { down: true }, 'unknown'],
  ])('%s is a value, not an exception', async (_name, faults, reason) => {
    await simulator.faults(faults)
    expect(await gateway.createSession(payment())).toMatchObject({ ok: false, reason })
  })
  it('sends nothing twice when it hangs', async () => {
    await simulator.faults({ create: 'hang' })
    const before = (await simulator.calls())['session'] ?? 0
    await gateway.createSession(payment())
    expect((await simulator.calls())['session']).toBe(before + 1)
  })
  it('is rejected for a used tran_id and outside the limits', async () => {
    const request = payment()
    await gateway.createSession(request)
    expect(await gateway.createSession(request)).toMatchObject({ reason: 'rejected' })
    for (const amountPoisha of [999, 50_000_001] as Poisha[])
      expect(await gateway.createSession(payment({ amountPoisha }))).toMatchObject({ reason: 'rejected' })
  })
})

describe('confirming', () => {
  it('reads the hint of the browser and queries the gateway', async () => {
    const { attempt, pressed, hint } = await paidAttempt()
    expect(pressed).toMatchObject({ status: 307, location: 'https://shop.example/s' })
    expect(hint).toMatchObject({ tranId: attempt.tranId, claimedStatus: 'VALID', isSigned: true })
    expect(await gateway.confirm(attempt, hint)).toMatchObject({
      state: 'paid',
      amountPoisha: 150_000,
      currency: 'BDT',
      tranId: attempt.tranId,
      isOurs: true,
      isRisky: false,
      instrument: 'BKASH-BKash',
      extra: [],
    })
    // The second response is VALIDATED: still paid, the same event.
    expect(await gateway.confirm(attempt, hint)).toMatchObject({ state: 'paid', eventId: hint.confirmationId })
    expect(await gateway.query(attempt)).toMatchObject({ state: 'paid', eventId: hint.confirmationId })
  })

  it.each<[string, Faults, object]>([
    ['a wrong amount', { paidAmount: '10.00' }, { state: 'paid', amountPoisha: 1_000 }],
    ['a wrong currency', { paidCurrency: 'USD' }, { state: 'paid', currency: 'USD' }],
    ['another tran_id', { tranId: '01JOTHER' }, { state: 'paid', tranId: '01JOTHER' }],
    ['another store', { storeId: 'elsewhere' }, { state: 'paid', isOurs: false }],
    ['a risky card', { risky: true }, { state: 'paid', isRisky: true }],
    ['an amount without decimals', { shortAmount: true }, { state: 'paid', amountPoisha: 150_000 }],
    ['VALIDATED at once', { validate: 'validated-first' }, { state: 'paid' }],
    ['500', { validate: 'error' }, { state: 'unknown', detail: 'http-500' }],
    ['HTML', { validate: 'html' }, { state: 'unknown', detail: 'not-json' }],
    ['silence', { validate: 'hang' }, { state: 'unknown', detail: 'timeout' }],
    ['a cut line', { down: true }, { state: 'unknown' }],
  ])('passes on %s as it is', async (_name, faults, outcome) => {
    const { attempt, hint } = await paidAttempt()
    await simulator.faults({ notify: 'never', ...faults })
    expect(await gateway.confirm(attempt, hint)).toMatchObject(outcome)
  })

  it('does not trust a forged val_id', async () => {
    const request = payment()
    const session = opened(await gateway.createSession(request))
    const attempt = { tranId: request.tranId, gatewayRef: session.gatewayRef, amountPoisha: request.amountPoisha }
    expect(await gateway.confirm(attempt, { tranId: request.tranId, confirmationId: 'made-up', claimedStatus: 'VALID' })).toEqual({
      state: 'pending',
      inFlight: false,
    })
  })

  it('does not take the failure of another payment for that of the attempt', async () => {
    const reversed = { APIConnect: 'DONE', status: 'FAILED', tran_id: ulid(), error: 'Reversed by the bank' }
    const own = await answering((url) => (url.includes('validationserver') ? reversed : { APIConnect: 'DONE', element: [] }))
    const attempt = { tranId: ulid(), gatewayRef: 'K', amountPoisha: 150_000 as Poisha }
    const confirm = (of: AttemptRef) => own.confirm(of, { tranId: of.tranId, confirmationId: 'of-another' })
    expect(await confirm(attempt)).toEqual({ state: 'pending', inFlight: false })
    expect(await confirm({ ...attempt, tranId: reversed.tran_id })).toEqual({ state: 'failed', reason: 'Reversed by the bank' })
  })
  it('does not trust a forged FAILED of an unpaid attempt', async () => {
    const request = payment()
    const session = opened(await gateway.createSession(request))
    const attempt = { tranId: request.tranId, gatewayRef: session.gatewayRef, amountPoisha: request.amountPoisha }
    expect(await gateway.confirm(attempt, { tranId: request.tranId, claimedStatus: 'FAILED' })).toEqual({
      state: 'pending',
      inFlight: false,
    })
  })

  it.each([
    ['Fail', 'failed', 'https://shop.example/f'],
    ['Cancel', 'failed', 'https://shop.example/c'],
  ])('%s ends the attempt', async (label, state, location) => {
    const request = payment()
    const session = opened(await gateway.createSession(request))
    const pressed = await simulator.press(session.redirectUrl, label)
    expect(pressed).toMatchObject({ status: 307, location })
    expect(pressed.body['val_id']).toBeUndefined()
    const attempt = { tranId: request.tranId, gatewayRef: session.gatewayRef, amountPoisha: request.amountPoisha }
    expect(await gateway.confirm(attempt, gateway.readHint(pressed.body)!)).toMatchObject({ state })
  })

  it('"Wait" is a payment in flight, "Close" is none', async () => {
    const request = payment()
    const session = opened(await gateway.createSession(request))
    const attempt = { tranId: request.tranId, gatewayRef: session.gatewayRef, amountPoisha: request.amountPoisha }
    expect((await simulator.press(session.redirectUrl, 'Close')).html).toContain('Back to the shop')
    expect(await gateway.query(attempt)).toEqual({ state: 'pending', inFlight: false })
    await simulator.press(session.redirectUrl, 'Wait')
    expect(await gateway.query(attempt)).toEqual({ state: 'pending', inFlight: true })
  })

  it('lists a second payment under the same tran_id', async () => {
    const { attempt } = await paidAttempt()
    await simulator.faults({ twoPaid: true })
    expect(await gateway.query(attempt)).toMatchObject({ state: 'paid', extra: [{ amountPoisha: 150_000 }] })
  })

  it('logs an invalid signature and continues', async () => {
    await simulator.faults({ notify: 'never', badSignature: true })
    const { attempt, hint } = await paidAttempt()
    expect(hint.isSigned).toBe(false)
    expect(await gateway.confirm(attempt, hint)).toMatchObject({ state: 'paid' })
  })

  it.each<Record<string, string>>([{}, { tran_id: '' }, { tran_id: 'x'.repeat(31) }])('has no hint in %j', (fields) =>
    expect(gateway.readHint(fields)).toBeNull(),
  )
})

describe('refunding', () => {
  const refundOf = async (amountPoisha: number) => {
    const { attempt, hint } = await paidAttempt()
    const paid = await gateway.confirm(attempt, hint)
    if (paid.state !== 'paid') throw new Error(paid.state)
    return {
      paid,
      refund: await gateway.refund({
        refundId: ulid(),
        gatewayTxn: paid.gatewayTxn,
        gatewayRef: null,
        amountPoisha: amountPoisha as Poisha,
        reason: 'Second payment',
      }),
    }
  }
  it('is processing until the gateway says refunded', async () => {
    await simulator.faults({ notify: 'never', refundPolls: 1 })
    const { paid, refund } = await refundOf(150_000)
    if (refund.state !== 'processing') throw new Error(refund.state)
    const amountPoisha = 150_000 as Poisha
    const ref = { refundRef: refund.refundRef, gatewayTxn: paid.gatewayTxn, gatewayRef: null, amountPoisha, otherRefs: [] }
    expect(await gateway.refundStatus(ref)).toMatchObject({ state: 'processing' })
    expect(await gateway.refundStatus(ref)).toMatchObject({ state: 'refunded' })
  })
  it('ends as failed when the bank cancels it', async () => {
    const { paid, refund } = await refundOf(150_000)
    if (refund.state !== 'processing') throw new Error(refund.state)
    await simulator.faults({ notify: 'never', refundCancelled: true })
    const amountPoisha = 150_000 as Poisha
    const ref = { refundRef: refund.refundRef, gatewayTxn: paid.gatewayTxn, gatewayRef: null, amountPoisha, otherRefs: [] }
    expect(await gateway.refundStatus(ref)).toEqual({ state: 'refused', reason: 'Cancelled by the bank' })
  })
  it.each<[Faults, string]>([
    [{ refund: 'failed' }, 'refused'],
    [{ refund: 'hang' }, 'unknown'],
    [{ refund: 'error' }, 'unknown'],
    [{ refund: 'html' }, 'unknown'],
  ])('with %j is %s', async (faults, state) => {
    await simulator.faults({ notify: 'never', ...faults })
    expect((await refundOf(150_000)).refund).toMatchObject({ state })
  })
  it('is rejected with invalid credentials', async () => {
    const config = { storeId: 'demostore', storePassword: 'wrong', baseUrl: simulator.baseUrl, fallbackEmail: 'a@b.example' }
    const own = sslcommerzGateway({ ...config, log: { info() {}, warn() {} } })
    const request = { refundId: ulid(), gatewayTxn: 'x', gatewayRef: null, amountPoisha: 100 as Poisha, reason: 'x' }
    expect(await own.refund(request)).toEqual({ state: 'refused', reason: 'APIConnect INVALID_REQUEST' })
  })
  it('is not queried without the gateway’s id', async () => {
    const before = (await simulator.calls())['refund-status'] ?? 0
    const ref = { refundRef: null, gatewayTxn: 'x', gatewayRef: null, amountPoisha: 1 as Poisha, otherRefs: [] }
    expect(await gateway.refundStatus(ref)).toMatchObject({ state: 'unknown' })
    expect((await simulator.calls())['refund-status'] ?? 0).toBe(before)
  })
  it.each([
    [{ refund_ref_id: 'B' }, 'unknown'],
    [{ refund_ref_id: 'A' }, 'refunded'],
    [{}, 'refunded'],
  ])('with an answer about refund %j is %s', async (named, state) => {
    const own = await answering(() => ({ APIConnect: 'DONE', status: 'refunded', ...named }))
    const ref = { refundRef: 'A', gatewayTxn: 'x', gatewayRef: null, amountPoisha: 1 as Poisha, otherRefs: ['B'] }
    expect(await own.refundStatus(ref)).toMatchObject({ state })
  })
  it('is rejected above the paid sum', async () => expect((await refundOf(150_001)).refund).toMatchObject({ state: 'refused' }))
})

it('never writes the password to the log', async () => {
  await paidAttempt()
  await simulator.faults({ down: true })
  await gateway.query({ tranId: 'x', gatewayRef: null, amountPoisha: 1 as Poisha })
  expect(JSON.stringify(simulator.logged)).not.toContain('demo-pass')
  expect(simulator.logged.length).toBeGreaterThan(3)
})
