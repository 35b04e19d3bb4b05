import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AttemptRef, PaymentRequest } from '#features/payments/gateway.ts'
import { bkashGateway } from '#features/payments/gateways/bkash.server.ts'
import type { Faults } from '#dev/payment-simulator/faults.ts'
import { DEMO_CREDENTIALS, startSimulator } from '#features/payments/testing/start-simulator.ts'
import { ulid } from '#lib/ids/ids.server.ts'
import type { Poisha } from '#lib/format/money.ts'

const simulator = await startSimulator()
const gateway = simulator.bkash
afterAll(() => simulator.close())
beforeEach(() => simulator.faults({}))

const payment = (): PaymentRequest => ({
  tranId: ulid(),
  orderId: 1001,
  amountPoisha: 150_050 as Poisha,
  customer: { name: 'Rahima', email: '', phone: '01711000001', address: 'House 1', city: 'Dhaka' },
  productNames: ['Mango'],
  itemCount: 1,
  returnUrls: {
    success: 'https://shop.example/cb',
    fail: 'https://shop.example/cb',
    cancel: 'https://shop.example/cb',
    notify: 'https://shop.example/cb',
  },
})

async function openedAttempt() {
  const request = payment()
  const session = await gateway.createSession(request)
  if (!session.ok) throw new Error(session.detail)
  const attempt: AttemptRef = { tranId: request.tranId, gatewayRef: session.gatewayRef, amountPoisha: request.amountPoisha }
  return { attempt, session }
}

async function allowedAttempt(label = 'Pay') {
  const { attempt, session } = await openedAttempt()
  const pressed = await simulator.press(session.redirectUrl, label)
  const fields = Object.fromEntries(new URL(pressed.location).searchParams)
  return { attempt, hint: gateway.readHint(fields)!, pressed }
}

describe('bKash', () => {
  it('moves the money by execute, and does not query after a success', async () => {
    const before = await simulator.calls()
    const { attempt, hint, pressed } = await allowedAttempt()
    expect(pressed).toMatchObject({ status: 303 })
    expect(hint).toEqual({ gatewayRef: attempt.gatewayRef, claimedStatus: 'success' })
    expect(await gateway.query(attempt)).toEqual({ state: 'pending', inFlight: false })
    const queries = (await simulator.calls())['wallet-query']
    expect(await gateway.confirm(attempt, hint)).toMatchObject({
      state: 'paid',
      amountPoisha: 150_050,
      currency: 'BDT',
      tranId: attempt.tranId,
      isOurs: true,
      instrument: 'bKash',
    })
    expect((await simulator.calls())['wallet-query']).toBe(queries)
    expect((await simulator.calls())['grant'] ?? 0).toBeLessThanOrEqual((before['grant'] ?? 0) + 1)
  })

  it('queries when execute was called before', async () => {
    const { attempt, hint } = await allowedAttempt()
    const first = await gateway.confirm(attempt, hint)
    expect(await gateway.confirm(attempt, hint)).toEqual(first)
  })

  it.each<[string, Faults]>([
    ['hangs', { execute: 'hang' }],
    ['answers 500', { execute: 'error' }],
    ['answers HTML', { execute: 'html' }],
  ])('asks when execute %s after moving the money', async (_name, faults) => {
    const { attempt, hint } = await allowedAttempt()
    await simulator.faults(faults)
    expect(await gateway.confirm(attempt, hint)).toMatchObject({ state: 'paid' })
  })

  it('is unknown when neither answers', async () => {
    const { attempt, hint } = await allowedAttempt()
    await simulator.faults({ execute: 'hang', query: 'error' })
    expect(await gateway.confirm(attempt, hint)).toEqual({ state: 'unknown', detail: 'http-500' })
    await simulator.faults({ down: true })
    expect(await gateway.confirm(attempt, hint)).toMatchObject({ state: 'unknown' })
  })

  it('is failed for a wrong PIN or an empty wallet, and nothing else', async () => {
    const { attempt, hint } = await allowedAttempt()
    await simulator.faults({ execute: '2023' })
    expect(await gateway.confirm(attempt, hint)).toMatchObject({ state: 'failed' })
    await simulator.faults({ execute: '9999' })
    expect(await gateway.confirm(attempt, hint)).toEqual({ state: 'pending', inFlight: false })
  })

  it('neither executes on a forged failure nor trusts a forged success', async () => {
    const { attempt } = await openedAttempt()
    const before = (await simulator.calls())['execute'] ?? 0
    expect(await gateway.confirm(attempt, { gatewayRef: attempt.gatewayRef!, claimedStatus: 'failure' })).toEqual({
      state: 'pending',
      inFlight: false,
    })
    expect((await simulator.calls())['execute'] ?? 0).toBe(before)
    expect(await gateway.confirm(attempt, { gatewayRef: attempt.gatewayRef!, claimedStatus: 'success' })).toEqual({
      state: 'pending',
      inFlight: false,
    })
  })

  it.each([
    ['Cancel', 'cancel'],
    ['Fail', 'failure'],
  ])('%s comes back as %s', async (label, said) => {
    const { attempt, hint } = await allowedAttempt(label)
    expect(hint.claimedStatus).toBe(said)
    expect(await gateway.confirm(attempt, hint)).toMatchObject({ state: 'failed' })
  })

  it.each<[string, Faults, string]>([
    ['refuses', { create: 'failed' }, 'rejected'],
    ['hangs', { create: 'hang' }, 'unknown'],
    ['answers 500', { create: 'error' }, 'unknown'],
  ])('createSession when bKash %s', async (_name, faults, reason) => {
    await simulator.faults(faults)
    expect(await gateway.createSession(payment())).toMatchObject({ ok: false, reason })
  })

  it('renews an expired token once', async () => {
    await gateway.createSession(payment())
    await simulator.faults({ grant: 'expired' })
    expect(await gateway.createSession(payment())).toMatchObject({ ok: true })
  })

  it('requests one token for concurrent payments, and another only near its expiry', async () => {
    let clock = 0
    const own = bkashGateway({
      ...DEMO_CREDENTIALS.bkash,
      baseUrl: `${simulator.baseUrl}/bkash`,
      log: { info() {}, warn() {} },
      now: () => clock,
    })
    const grants = async () => (await simulator.calls())['grant'] ?? 0
    const before = await grants()
    await Promise.all([payment(), payment(), payment()].map((request) => own.createSession(request)))
    expect(await grants()).toBe(before + 1)
    clock = 54 * 60_000
    await own.createSession(payment())
    expect(await grants()).toBe(before + 1)
    clock = 56 * 60_000
    await own.createSession(payment())
    expect(await grants()).toBe(before + 2)
  })

  it('pauses after bKash rejects a token request', async () => {
    await simulator.faults({ grant: 'refuse' })
    const own = bkashGateway({ ...DEMO_CREDENTIALS.bkash, baseUrl: `${simulator.baseUrl}/bkash`, log: { info() {}, warn() {} } })
    const before = (await simulator.calls())['grant'] ?? 0
    for (let n = 0; n < 3; n++) expect(await own.createSession(payment())).toMatchObject({ ok: false, reason: 'unknown' })
    expect((await simulator.calls())['grant']).toBe(before + 1)
    // The pause is no shorter, and no longer, when the clock is set.
    vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date'] })
    try {
      expect(await own.createSession(payment())).toMatchObject({ ok: false, reason: 'unknown' })
    } finally {
      vi.useRealTimers()
    }
    expect((await simulator.calls())['grant']).toBe(before + 1)
  })

  it('refunds once and queries the refund', async () => {
    const { attempt, hint } = await allowedAttempt()
    const paid = await gateway.confirm(attempt, hint)
    if (paid.state !== 'paid') throw new Error(paid.state)
    await simulator.faults({ refundPolls: 1 })
    const request = {
      refundId: ulid(),
      gatewayTxn: paid.gatewayTxn,
      gatewayRef: attempt.gatewayRef,
      amountPoisha: 150_050 as Poisha,
      reason: 'Second payment',
    }
    const refund = await gateway.refund(request)
    if (refund.state !== 'processing') throw new Error(refund.state)
    const { gatewayTxn } = paid
    const named = {
      refundRef: refund.refundRef,
      gatewayTxn,
      gatewayRef: attempt.gatewayRef,
      amountPoisha: 150_050 as Poisha,
      otherRefs: [],
    }
    expect(await gateway.refundStatus(named)).toMatchObject({ state: 'refunded' })
    expect(await gateway.refundStatus({ ...named, refundRef: null })).toMatchObject({ state: 'refunded', refundRef: refund.refundRef })
    // The response names another refund or another sum, so the state is unknown.
    expect(await gateway.refundStatus({ ...named, refundRef: null, otherRefs: [refund.refundRef] })).toMatchObject({ state: 'unknown' })
    expect(await gateway.refundStatus({ ...named, amountPoisha: 100 as Poisha })).toMatchObject({ state: 'unknown' })
    expect(await gateway.refundStatus({ ...named, gatewayTxn: 'none', refundRef: null })).toMatchObject({ state: 'unknown' })
    expect(await gateway.refund({ ...request, amountPoisha: 1 as Poisha })).toMatchObject({ state: 'refused' })
  })

  it.each<[Faults, string]>([
    [{ refund: 'failed' }, 'refused'],
    [{ refund: 'hang' }, 'unknown'],
    [{ refund: 'error' }, 'unknown'],
    [{ down: true }, 'unknown'],
  ])('a refund with %j is %s', async (faults, state) => {
    const { attempt, hint } = await allowedAttempt()
    const paid = await gateway.confirm(attempt, hint)
    if (paid.state !== 'paid') throw new Error(paid.state)
    await simulator.faults(faults)
    const request = {
      refundId: ulid(),
      gatewayTxn: paid.gatewayTxn,
      gatewayRef: attempt.gatewayRef,
      amountPoisha: 100 as Poisha,
      reason: 'x',
    }
    expect(await gateway.refund(request)).toMatchObject({ state })
  })

  it('a refund without a token is not sent', async () => {
    await simulator.faults({ grant: 'refuse' })
    const own = bkashGateway({ ...DEMO_CREDENTIALS.bkash, baseUrl: `${simulator.baseUrl}/bkash`, log: { info() {}, warn() {} } })
    const request = { refundId: ulid(), gatewayTxn: 'D1', gatewayRef: 'T1', amountPoisha: 100 as Poisha, reason: 'x' }
    expect(await own.refund(request)).toMatchObject({ state: 'not-sent' })
  })

  it('never writes a secret to the log', () => expect(JSON.stringify(simulator.logged)).not.toMatch(/demo-(pass|secret|key)/))
})
