import { describe, expect, it } from 'vitest'
import { backoff, leftByOthers, outcomeOf, shortNumber, waitingOf, type QueuedSale } from './outbox-rules.ts'

const sale = (key: string, place: number, cashierId = 1, state: QueuedSale['state'] = 'waiting'): QueuedSale => ({
  key,
  place,
  cashier: { id: cashierId, name: `Cashier ${cashierId}` },
  soldAt: '2026-11-20T06:00:00.000Z',
  total: 100,
  body: {},
  sale: null,
  state,
})
const answer = (status: number, body: object | null) => outcomeOf({ ok: status < 400, status, body })

describe('what an answer means', () => {
  it.each<[string, ReturnType<typeof outcomeOf>, string]>([
    ['no answer', outcomeOf({ ok: false, noResponse: true }), 'later'],
    ['an order', answer(200, { order_id: 7, redirect: '/slip' }), 'sold'],
    ['a wall page that says 200', answer(200, null), 'later'],
    ['an error of the shop', answer(500, { message: 'Oh' }), 'later'],
    ['a proxy that knows nothing', answer(404, null), 'later'],
    ['too many', answer(429, { message: 'Wait' }), 'later'],
    ['a session that is locked', answer(423, { message: 'Locked' }), 'locked'],
    ['a session that ended', answer(401, { message: 'Sign in' }), 'sign-in'],
    ['another price', answer(422, { message: 'It is 250', reason: 'changed', products: [{ id: 1, price: 250 }] }), 'clash'],
    ['goods that are gone', answer(410, { message: 'Gone', reason: 'missing' }), 'clash'],
    ['a right that is missing', answer(403, { message: 'No' }), 'clash'],
  ])('%s', (_name, outcome, kind) => {
    expect(outcome.kind).toBe(kind)
  })

  it('keeps what the shop said and asks', () => {
    expect(answer(422, { message: 'It is 250', reason: 'changed', products: [{ id: 1, price: 250 }] })).toMatchObject({
      clash: { reason: 'changed', message: 'It is 250', products: [{ id: 1, price: 250 }] },
    })
    expect(answer(403, { message: 'No' })).toMatchObject({ clash: { reason: '403', message: 'No' } })
  })
})

it('sends in the order of the sales, those of this cashier that wait', () => {
  const sales = [sale('c', 3), sale('a', 1), sale('of another', 2, 2), sale('clash', 4, 1, 'clash'), sale('sold', 5, 1, 'sold')]
  expect(waitingOf(sales, 1).map(({ key }) => key)).toEqual(['a', 'c'])
})

it('tells of others how many, not what; what is sold is nobody’s concern', () => {
  const sales = [sale('a', 1, 2), sale('b', 2, 2, 'clash'), sale('c', 3, 3, 'sold'), sale('own', 4)]
  expect(leftByOthers(sales, 1)).toEqual([{ name: 'Cashier 2', count: 2 }])
})

it('waits twice as long each time, at most a minute', () => {
  expect([0, 1, 2, 4, 5, 100].map(backoff)).toEqual([2000, 4000, 8000, 32_000, 60_000, 60_000])
})

it('has a number to read aloud', () => {
  expect(shortNumber('a52-652f0-11')).toBe('UA52652')
})
