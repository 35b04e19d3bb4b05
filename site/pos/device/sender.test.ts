import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { posCall } from './network.ts'
import type { AddedSale } from './outbox.ts'
import type { QueuedSale } from './outbox-rules.ts'
import { runSender, type Sender, sendWaiting } from './sender.ts'

const { outbox, storage } = vi.hoisted(() => ({ outbox: [] as QueuedSale[], storage: { isFull: false, reads: 0, steps: [] as string[] } }))
vi.mock('../after-paint.ts', () => ({ afterPaint: (work: () => void) => work() }))
vi.mock('./outbox.ts', () => ({
  storedSales: async () => {
    storage.reads += 1
    return outbox
  },
  changeInOutbox: async (key: string, changes: Partial<QueuedSale>) => {
    if (storage.isFull) throw new DOMException('full', 'QuotaExceededError')
    Object.assign(
      outbox.find((sale) => sale.key === key)!,
      changes,
    )
  },
  returnToScreen: async () => void storage.steps.push('left the device'),
}))

const WAITING: QueuedSale = {
  key: 'one',
  sequence: 1,
  cashier: { id: 7, name: 'Rahim' },
  soldAt: '2026-11-20T06:00:00.000Z',
  total: 100,
  body: {},
  sale: null,
  state: 'waiting',
}

/** How the server answers the sale; every other call succeeds. */
let storeAnswer: () => Response
let sender: Sender | undefined

beforeEach(() => {
  vi.useFakeTimers()
  outbox.splice(0, outbox.length, { ...WAITING })
  Object.assign(storage, { isFull: false, reads: 0, steps: [] })
  const target = new EventTarget()
  vi.stubGlobal('window', target)
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible', querySelector: () => null }))
  vi.stubGlobal('navigator', { onLine: true, locks: { request: async (_name: string, _options: object, work: () => unknown) => work() } })
  vi.stubGlobal('fetch', async (url: string) => (url.endsWith('/store') ? storeAnswer() : Response.json([])))
})
afterEach(() => {
  sender?.stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const noAnswer = () => {
  throw new TypeError('no network')
}
const sold = () => Response.json({ order_id: 9, redirect: '/slip/9' })
const settle = () => vi.advanceTimersByTimeAsync(10)

it('sends an unsent sale as soon as another call succeeds, without waiting for the delay', async () => {
  storeAnswer = noAnswer
  sender = runSender(7, () => {})
  await vi.advanceTimersByTimeAsync(20_000)
  expect(outbox[0]?.state).toBe('waiting')
  storeAnswer = sold
  await posCall('/api/product/search?q=mango')
  await settle()
  expect(outbox[0]).toMatchObject({ state: 'sold', orderId: 9 })
})

it('tries ever more rarely where every call but the sale itself succeeds', async () => {
  let attempts = 0
  storeAnswer = () => {
    attempts += 1
    return noAnswer()
  }
  sender = runSender(7, () => {})
  for (let call = 0; call < 600; call += 1) {
    await posCall('/api/product/search?q=mango')
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(attempts).toBeGreaterThan(3)
  expect(attempts).toBeLessThan(20)
})

it('keeps the delay after an error of the server, which other calls say nothing about', async () => {
  const answers = vi.fn<() => Response>(() => Response.json({ message: 'Oh' }, { status: 500 }))
  storeAnswer = answers
  sender = runSender(7, () => {})
  await settle()
  for (let call = 0; call < 5; call++) await posCall('/api/product/search?q=mango')
  await settle()
  expect(answers).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(2000)
  expect(answers).toHaveBeenCalledTimes(2)
})

it('sends a sale that was stored without an answer after a delay', async () => {
  outbox.length = 0
  storeAnswer = sold
  sender = runSender(7, () => {})
  await settle()
  outbox.push({ ...WAITING })
  sender?.soon()
  await settle()
  expect(outbox[0]?.state).toBe('waiting')
  await vi.advanceTimersByTimeAsync(2000)
  expect(outbox[0]?.state).toBe('sold')
})

it.each(['now', 'soon'] as const)('a sale that comes while others are sent goes out after them: %s', async (ask) => {
  const first = Promise.withResolvers<Response>()
  let attempts = 0
  vi.stubGlobal('fetch', async () => (++attempts === 1 ? first.promise : sold()))
  sender = runSender(7, () => {})
  await settle()
  outbox.push({ ...WAITING, key: 'two', sequence: 2 })
  sender[ask]()
  await settle()
  expect(attempts).toBe(1)
  first.resolve(sold())
  await settle()
  await settle()
  expect(outbox.map(({ state }) => state)).toEqual(['sold', 'sold'])
  await vi.advanceTimersByTimeAsync(600_000)
  expect(attempts).toBe(2)
})

it('the cashier does not wait until all earlier sales are sent', async () => {
  const day = Array.from({ length: 40 }, (_, at): QueuedSale => ({ ...WAITING, key: `sale ${at}`, sequence: at }))
  outbox.splice(0, outbox.length, ...day)
  vi.stubGlobal('fetch', async () => {
    await new Promise((resolve) => setTimeout(resolve, 900))
    return sold()
  })
  const begin = Date.now()
  const adding = Promise.resolve({ sale: day.at(-1)!, isAlone: false })
  const sent = sendWaiting(7, { adding, timeoutMs: 8000 }).then((outcome) => [outcome, Date.now() - begin])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await sent).toEqual([{ kind: 'later', answered: false }, 8100])
})

it('the device is read for sales before the one on the screen, unless that was alone', async () => {
  storeAnswer = sold
  const own = (isAlone: boolean) => ({ adding: Promise.resolve({ sale: { ...WAITING }, isAlone }), timeoutMs: 8000 })
  expect(await sendWaiting(7, own(true))).toMatchObject({ kind: 'sold', orderId: 9 })
  expect([storage.reads, outbox[0]?.state]).toEqual([0, 'sold'])
  outbox.splice(0, outbox.length, { ...WAITING, key: 'earlier', sequence: 0 }, { ...WAITING })
  expect(await sendWaiting(7, own(false))).toMatchObject({ kind: 'sold' })
  expect([storage.reads, ...outbox.map(({ state }) => state)]).toEqual([1, 'sold', 'sold'])
})

it('a sale is sent when it is stored, and not at all when it cannot be', async () => {
  let attempts = 0
  storeAnswer = () => {
    attempts += 1
    return sold()
  }
  const stored = Promise.withResolvers<AddedSale>()
  const sent = sendWaiting(7, { adding: stored.promise, timeoutMs: 8000 })
  await settle()
  expect(attempts).toBe(0)
  stored.resolve({ sale: { ...WAITING }, isAlone: true })
  expect(await sent).toMatchObject({ kind: 'sold' })
  const full = Promise.reject<AddedSale>(new DOMException('full', 'QuotaExceededError'))
  await expect(sendWaiting(7, { adding: full, timeoutMs: 8000 })).rejects.toThrow('full')
  expect(attempts).toBe(1)
})

it('a rejected sale is on the screen again before it leaves the device: the tab may end between', async () => {
  storeAnswer = () => Response.json({ message: 'Changed' }, { status: 422 })
  const adding = Promise.resolve({ sale: { ...WAITING }, isAlone: true })
  const onRejected = () => void storage.steps.push('on the screen')
  expect(await sendWaiting(7, { adding, timeoutMs: 8000, onRejected })).toMatchObject({ kind: 'rejected' })
  expect(storage.steps).toEqual(['on the screen', 'left the device'])
})

it('a rejection that a full device cannot store does not stop the sale behind it', async () => {
  outbox.push({ ...WAITING, key: 'two', sequence: 2 })
  storage.isFull = true
  let asked = 0
  storeAnswer = () => (++asked === 1 ? Response.json({ message: 'Changed' }, { status: 422 }) : sold())
  sender = runSender(7, () => {})
  await settle()
  expect(asked).toBe(2)
})

it.each([
  ['other-cashier', 409],
  ['other-user', 403],
])('a sale waits while the session is that of another cashier: %s', async (reason, status) => {
  let isSignInNeeded = false
  storeAnswer = () => Response.json({ message: 'The sale is of another cashier.', reason }, { status })
  sender = runSender(7, (needed) => (isSignInNeeded = needed))
  await settle()
  expect([outbox[0]?.state, isSignInNeeded]).toEqual(['waiting', true])
  storeAnswer = sold
  sender.now()
  await settle()
  expect([outbox[0]?.state, isSignInNeeded]).toEqual(['sold', false])
})
