import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { outcomeOf, RETRY_STATUSES } from '../device/outbox-rules.ts'
import { PAGE_CACHE, SYNC_TAG, WITHDRAWN_CACHE, WORKER_NAMES } from '#features/pos/storage-names.ts'

// The service worker as a script, with the parts of the browser that it uses.

interface Stored {
  key: string
  sequence: number
  state: string
  orderId?: number
}
interface PosEvent {
  tag?: string
  request?: object
  waitUntil(work: Promise<unknown>): void
  respondWith(answer: Promise<Response>): void
}

const STORE = '/admin/quick-orders/store'
let outbox: Map<string, Stored>
let listeners: Map<string, (event: PosEvent) => void>
let dropped: string[]
/** How the server answers a request with this idempotency key. */
let answers: Record<string, () => Response>
let navigation: () => Response
/** What a page has marked as withdrawn. */
let withdrawn: string[]

const answered = <Result>(result: () => Result) => {
  const request = Object.assign(new EventTarget(), { result: null as Result | null })
  setTimeout(() => {
    request.result = result()
    request.dispatchEvent(new Event('success'))
  })
  return request
}
const store = {
  getAll: () => answered(() => [...outbox.values()]),
  get: (key: string) => answered(() => outbox.get(key)),
  put: (sale: Stored) => answered(() => outbox.set(sale.key, sale)),
}
const database = { transaction: () => ({ objectStore: () => store }), close: () => {} }
const CACHED = new Response('the cached page')
const withdrawnCache = { match: async (path: string) => (withdrawn.includes(path) ? new Response() : undefined) }
const pageCache = { match: async () => CACHED, keys: async () => [], put: async () => {}, addAll: async () => {} }

beforeEach(async () => {
  outbox = new Map(['one', 'two'].map((key, at) => [key, { key, sequence: at + 1, state: 'waiting' }]))
  listeners = new Map()
  dropped = []
  answers = {}
  withdrawn = []
  vi.stubGlobal('self', {
    POS_BUILD: { build: 'b1', files: [], names: WORKER_NAMES, retryStatuses: RETRY_STATUSES },
    skipWaiting: async () => {},
    addEventListener: (type: string, listener: (event: PosEvent) => void) => listeners.set(type, listener),
  })
  vi.stubGlobal('location', { origin: 'https://shop.example' })
  vi.stubGlobal('navigator', { locks: { request: (_name: string, work: () => Promise<void>) => work() } })
  vi.stubGlobal('indexedDB', { open: () => answered(() => database) })
  vi.stubGlobal('caches', {
    open: async (name: string) => (name === WITHDRAWN_CACHE ? withdrawnCache : pageCache),
    delete: async (name: string) => dropped.push(name),
  })
  vi.stubGlobal('fetch', async (url: string, options?: { headers: Record<string, string> }) => {
    if (url === STORE) return answers[options!.headers['idempotency-key']!]!()
    return url === '/csrf-token' ? Response.json({ token: 't' }) : navigation()
  })
  vi.resetModules()
  // A script is no module for the compiler.
  const script = './pos-worker.ts'
  await import(/* @vite-ignore */ script)
})
afterEach(() => vi.unstubAllGlobals())

const run = (type: string, event: Partial<PosEvent>) =>
  new Promise<unknown>((resolve, reject) => {
    const settle = (work: Promise<unknown>) => void work.then(resolve, reject)
    listeners.get(type)!({ waitUntil: settle, respondWith: settle, ...event })
  })
const sync = () => run('sync', { tag: SYNC_TAG })
const sold = (id: number) => () => Response.json({ order_id: id })
const states = () => [...outbox.values()].map(({ state, orderId }) => orderId ?? state)

it('notes the orders of unsent sales', async () => {
  answers = { one: sold(7), two: sold(8) }
  await sync()
  expect(states()).toEqual([7, 8])
})

it('does not bring back a sale that a page took back while it was sent', async () => {
  answers = {
    one: () => {
      outbox.delete('one')
      return sold(7)()
    },
    two: sold(8),
  }
  await sync()
  expect([...outbox.keys()]).toEqual(['two'])
})

it('does not send a sale that was taken back and could not be deleted', async () => {
  withdrawn = ['/withdrawn-sales/one']
  answers = { two: sold(8) }
  await sync()
  expect(states()).toEqual(['waiting', 8])
})

it.each<[string, () => Response]>([
  ['an error of the server', () => new Response('<html>Bad gateway</html>', { status: 502 })],
  ['too many requests', () => Response.json({ message: 'Wait' }, { status: 429 })],
  ['the page of a network that asks to sign in', () => new Response('<html>Sign in</html>')],
])('after %s the next sale is sent, and the browser repeats the sync', async (_name, answer) => {
  answers = { one: answer, two: sold(8) }
  await expect(sync()).rejects.toThrow('did not take all sales')
  expect(states()).toEqual(['waiting', 8])
})

const PAGE = '<html>Blocked</html>'
it.each<[status: number, body: object | string]>([
  [200, { order_id: 7, redirect: '/admin/quick-orders/pos-invoice/7' }],
  [200, PAGE],
  // Ended and locked: the shop says so in its own words.
  [401, { message: 'No' }],
  [423, { message: 'No' }],
  ...[403, 404, 408, 409, 422, 425, 429, 500, 503].flatMap((status): [number, object | string][] => [
    [status, { message: 'No' }],
    [status, PAGE],
  ]),
])('decides about an answer %i %j as the page does', async (status, body) => {
  const answer = () => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status })
  outbox.delete('two')
  answers = { one: answer }
  const isRepeated = await sync().then(
    () => false,
    () => true,
  )
  const { kind } = outcomeOf({ ok: answer().ok, status, body: typeof body === 'string' ? null : body })
  expect([isRepeated, states()]).toEqual([kind === 'later', [kind === 'sold' ? 7 : 'waiting']])
})

it('leaves a rejected sale to the page', async () => {
  answers = { one: () => Response.json({ message: 'The total is now 120' }, { status: 422 }), two: sold(8) }
  await sync()
  expect(states()).toEqual(['waiting', 8])
})

const open = () => {
  const request = { url: 'https://shop.example/admin/quick-orders', method: 'GET', mode: 'navigate' }
  return run('fetch', { request })
}
const redirect = { type: 'opaqueredirect', status: 0, ok: false } as Response

it.each<[string, () => Response, boolean]>([
  ['signed out', () => redirect, true],
  ['not authorized', () => new Response('', { status: 403 }), true],
  ['too many requests', () => new Response('', { status: 429 }), false],
  ['not found by a proxy', () => new Response('', { status: 404 }), false],
])('%s: whether the page for the time without network is dropped', async (_name, answer, isDropped) => {
  navigation = answer
  await open()
  expect(dropped).toEqual(isDropped ? [PAGE_CACHE] : [])
})

it('an error of the server shows the cached page', async () => {
  navigation = () => new Response('', { status: 503 })
  expect(await open()).toBe(CACHED)
})

it('lets the browser send writes without starting the worker, where it can', async () => {
  navigation = () => new Response('the page')
  const addRoutes = vi.fn<(routes: object[]) => Promise<void>>(async () => {})
  const work: Promise<unknown>[] = []
  const event = { waitUntil: (one: Promise<unknown>) => void work.push(one), respondWith: () => {} }
  listeners.get('install')!({ ...event, addRoutes } as PosEvent)
  expect(addRoutes).toHaveBeenCalledWith([{ condition: { requestMethod: 'POST' }, source: 'network' }])
  listeners.get('install')!(event)
  await Promise.all(work)
})
