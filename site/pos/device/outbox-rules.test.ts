import { describe, expect, it } from 'vitest'
import { backoff, isSameBody, leftByOthers, outcomeOf, shortNumber, waitingOf, withNewKey, type QueuedSale } from './outbox-rules.ts'
import { fromStored } from './stored-sale.ts'
import { newSale, type Sale } from '../sale.ts'

const sale = (key: string, sequence: number, cashierId = 1, state: QueuedSale['state'] = 'waiting'): QueuedSale => ({
  key,
  sequence,
  cashier: { id: cashierId, name: `Cashier ${cashierId}` },
  soldAt: '2026-11-20T06:00:00.000Z',
  total: 100,
  body: {},
  sale: null,
  state,
})
const answer = (status: number, body: object | null) => outcomeOf({ ok: status < 400, status, body })

describe('outcome of a response', () => {
  it.each<[string, ReturnType<typeof outcomeOf>, string]>([
    ['no response', outcomeOf({ ok: false, noResponse: true }), 'later'],
    ['an order', answer(200, { order_id: 7, redirect: '/slip' }), 'sold'],
    ['a login page of the network with status 200', answer(200, null), 'later'],
    ['a server error', answer(500, { message: 'Oh' }), 'later'],
    ['a status of a proxy, without a message', answer(404, null), 'later'],
    ['too many requests', answer(429, { message: 'Wait' }), 'later'],
    ['a locked session', answer(423, { message: 'Locked' }), 'locked'],
    ['an ended session', answer(401, { message: 'Sign in' }), 'sign-in'],
    ['another price', answer(422, { message: 'It is 250', reason: 'changed', products: [{ id: 1, price: 250 }] }), 'rejected'],
    ['sold-out products', answer(410, { message: 'Gone', reason: 'missing' }), 'rejected'],
    ['a missing permission', answer(403, { message: 'No' }), 'rejected'],
  ])('%s', (_name, outcome, kind) => {
    expect(outcome.kind).toBe(kind)
  })

  it('keeps the message and the current prices of the server', () => {
    expect(answer(422, { message: 'It is 250', reason: 'changed', products: [{ id: 1, price: 250 }] })).toMatchObject({
      summary: { reason: 'changed', message: 'It is 250', products: [{ id: 1, price: 250 }] },
    })
    expect(answer(403, { message: 'No' })).toMatchObject({ summary: { reason: '403', message: 'No' } })
  })
})

it('sends the waiting sales of this cashier in order', () => {
  const sales = [sale('c', 3), sale('a', 1), sale('of another', 2, 2), sale('rejected', 4, 1, 'rejected'), sale('sold', 5, 1, 'sold')]
  expect(waitingOf(sales, 1).map(({ key }) => key)).toEqual(['a', 'c'])
})

it('counts the sales of other cashiers without showing them; sent sales do not count', () => {
  const sales = [sale('a', 1, 2), sale('b', 2, 2, 'rejected'), sale('c', 3, 3, 'sold'), sale('own', 4)]
  expect(leftByOthers(sales, 1)).toEqual([{ name: 'Cashier 2', count: 2 }])
})

it('reads unsent sales that release 0.1 stored', () => {
  const { sequence: place, ...rest } = sale('a', 3)
  const clash = { reason: 'changed', message: 'It is 250' }
  expect(fromStored({ ...rest, place, state: 'clash', clash })).toEqual({ ...sale('a', 3, 1, 'rejected'), rejection: clash })
  expect(fromStored({ ...rest, place, state: 'waiting' })).toEqual(sale('a', 3))
  expect(fromStored(sale('b', 4))).toEqual(sale('b', 4))
})

it('fills in the inputs that a stored sale does not have yet', () => {
  const { nagad: _nagad, ...entered } = newSale('b')
  const stored = { ...sale('b', 4), sale: entered as Sale }
  expect(fromStored(stored).sale).toEqual(newSale('b'))
})

it('doubles the delay with each try, up to a minute', () => {
  expect([0, 1, 2, 4, 5, 100].map(backoff)).toEqual([2000, 4000, 8000, 32_000, 60_000, 60_000])
})

it('has a short number to read aloud', () => {
  expect(shortNumber('a52-652f0-11')).toBe('UA52652')
})

describe('two bodies under one key', () => {
  const body = { total: 100, products: [{ id: 1, quantity: '1' }], sold_at: '2026-11-20T06:00:00.000Z' }

  it('are the same sale at another time', () => {
    expect(isSameBody(body, { ...body, sold_at: '2026-11-20T06:01:00.000Z' })).toBe(true)
  })

  it('are two sales with other contents', () => {
    expect(isSameBody(body, { ...body, total: 200 })).toBe(false)
    expect(isSameBody(body, {})).toBe(false)
  })

  it('a sale under a new key stays as it is', () => {
    const { key, ...renewed } = withNewKey({ ...sale('a', 3), body })
    const { key: before, ...same } = { ...sale('a', 3), body }
    expect(key).not.toBe(before)
    expect(renewed).toEqual(same)
  })
})
