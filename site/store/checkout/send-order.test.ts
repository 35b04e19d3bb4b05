// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { customerOrderRequest } from '#features/orders/checkout/order-request-rules.ts'
import { type Quote, quoteOrder } from '#features/pricing/quote-rules.ts'
import { sendOrder } from './send-order.ts'

// What the page does when the answer to an order was lost and the shopper presses again, perhaps with another payment.

const DETAILS = { name: 'Rahima', email: '', phone: '01811223344', alternate_phone: '', area_id: 1, address: 'x', landmark: '', note: '' }
const quote: Quote = quoteOrder({ products: [], area: null, coupon: null }, { lines: [], paymentType: null, partial: null })
const by = (choice: 'full' | 'cash_on_delivery') => ({
  ...customerOrderRequest(DETAILS, quote, { choice, couponCode: null, deliveryOn: null }),
  is_free_order: false,
})

interface Sent {
  key: string
  payment: string
}
let sent: Sent[]
let answers: (Response | null)[]

beforeEach(() => {
  sent = []
  sessionStorage.clear()
  vi.stubGlobal('fetch', (_url: string, { headers, body }: { headers: Record<string, string>; body: string }) => {
    sent.push({ key: new Headers(headers).get('idempotency-key') ?? '', payment: JSON.parse(body).payment_type })
    const answer = answers.shift()
    return answer ? Promise.resolve(answer) : Promise.reject(new TypeError('Failed to fetch'))
  })
})
afterEach(() => vi.unstubAllGlobals())

const answer = (status: number, body: object) => new Response(JSON.stringify(body), { status })
const reused = () => answer(409, { message: 'This order was already sent' })

async function pressTwice(second: 'full' | 'cash_on_delivery', ...later: Response[]) {
  answers = [null, ...later]
  expect(await sendOrder(by('cash_on_delivery'), quote)).toBeNull()
  return sendOrder(by(second), quote)
}

it('finds the order of the lost answer under its key, also after another payment was chosen', async () => {
  expect(await pressTwice('full', reused(), answer(200, { order_id: 7 }))).toEqual({ kind: 'thanks', orderId: 7 })
  expect(sent.map(({ payment }) => payment)).toEqual(['cash_on_delivery', 'full', 'cash_on_delivery'])
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
})

it.each([
  ['it was cancelled', () => answer(200, { order_id: 7, has_ended: true })],
  ['its time to pay is over', () => answer(410, { message: 'closed' })],
])('places a new order when the first one has ended: %s', async (_how, ended) => {
  expect(await pressTwice('full', reused(), ended(), answer(200, { order_id: 8 }))).toEqual({ kind: 'thanks', orderId: 8 })
  expect(sent.at(-1)).toMatchObject({ payment: 'full' })
  expect(sent.at(-1)?.key).not.toBe(sent[0]?.key)
})

it('sends no earlier request after a refusal that has the same status', async () => {
  const refused = answer(409, { message: 'At most 3 unpaid animals', held: 3 })
  expect(await pressTwice('full', refused)).toMatchObject({ kind: 'failed', lines: ['At most 3 unpaid animals'] })
  expect(sent).toHaveLength(2)
})

it('repeats an attempt that release 0.1.0 stored', async () => {
  const request = by('full')
  sessionStorage.setItem('orderAttempt', JSON.stringify({ key: 'of-0.1.0', body: JSON.stringify(request) }))
  answers = [answer(200, { order_id: 9 })]
  expect(await sendOrder(request, quote)).toEqual({ kind: 'thanks', orderId: 9 })
  expect(sent).toEqual([{ key: 'of-0.1.0', payment: 'full' }])
})
