import { afterEach, beforeEach, expect, it, vi } from 'vitest'

// The catalog of a device whose IndexedDB fails.

const storage = vi.hoisted(() => ({ state: 'hangs' as 'hangs' | 'full' | 'works', about: undefined as { since: string } | undefined }))
vi.mock('./device-db.ts', async (original) => {
  const never = new Promise<never>(() => {})
  const put = async () => {
    if (storage.state === 'full') throw new DOMException('The disk is full', 'QuotaExceededError')
  }
  const store = { get: async () => undefined, getAllKeys: async () => [], put }
  const db = {
    get: async () => storage.about,
    put: async (_store: string, about: { since: string }) => void (storage.about = about),
    transaction: () => ({ store, done: Promise.resolve() }),
  }
  return { ...(await original<object>()), deviceDb: async () => (storage.state === 'hangs' ? never : db) }
})

type Catalog = typeof import('./catalog.ts')
let device: Catalog
let stop: () => void
let requests: string[]
const row = (id: number) => [id, `Honey ${id}`, `মধু ${id}`, '', 10_000, 'kg', 'in-stock', null, 0, 3, 0, null, null, null]
const groups = {}
const FIRST = { full: true, since: '1-1', groups, rows: [row(1)], gone: [], next: '0.1', shift_id: null, latest_shift_id: null }
const SECOND = { ...FIRST, since: '1-2', rows: [row(2)], next: null }
const CHANGE = { ...SECOND, full: false, since: '1-3', rows: [row(3)] }

/** The answers of the shop: the whole catalog in two parts, later what has changed. */
function answer(url: string): Response {
  const query = url.slice(url.indexOf('?'))
  requests.push(query)
  const names = new URLSearchParams(query)
  return Response.json(names.has('since') ? CHANGE : names.has('after') ? SECOND : FIRST)
}

beforeEach(async () => {
  vi.useFakeTimers()
  requests = []
  Object.assign(storage, { state: 'hangs', about: undefined })
  vi.stubGlobal('window', new EventTarget())
  const locks = { request: async (_name: string, _options: object, work: (lock: object) => Promise<void>) => work({}) }
  vi.stubGlobal('navigator', { locks, onLine: true })
  vi.stubGlobal('fetch', async (url: string) => answer(url))
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.resetModules()
  device = await import('./catalog.ts')
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const known = () => [1, 2, 3].filter((id) => device.catalog.product(id) !== null)

it('a scan does not wait for a database that hangs, and the products come from the shop', async () => {
  stop = device.syncCatalog(1)
  let isLoaded = false
  void device.catalogLoaded().then(() => (isLoaded = true))
  await vi.advanceTimersByTimeAsync(16_000)
  expect(isLoaded).toBe(true)
  expect(known()).toEqual([1, 2])
  expect(device.catalogProblem()).toBe('not-stored')
})

it('loads all products where the disk is full, then only what changes, and stores them when there is room again', async () => {
  storage.state = 'full'
  stop = device.syncCatalog(1)
  await vi.advanceTimersByTimeAsync(100)
  expect(known()).toEqual([1, 2])
  expect(device.catalogProblem()).toBe('not-stored')
  await vi.advanceTimersByTimeAsync(61_000)
  expect(known()).toEqual([1, 2, 3])
  expect(requests).toEqual(['?', '?after=0.1', '?since=1-1'])
  storage.state = 'works'
  await vi.advanceTimersByTimeAsync(11 * 60_000)
  expect(device.catalogProblem()).toBeNull()
  expect(storage.about).toMatchObject({ since: expect.any(String) })
})

it('a network that returns during an update leaves one round of updates', async () => {
  storage.state = 'full'
  stop = device.syncCatalog(1)
  await vi.advanceTimersByTimeAsync(100)
  let finish: () => void
  const finished = new Promise<void>((resolve) => (finish = resolve))
  vi.stubGlobal('fetch', async (url: string) => finished.then(() => answer(url)))
  window.dispatchEvent(new Event('online'))
  window.dispatchEvent(new Event('online'))
  finish!()
  await vi.advanceTimersByTimeAsync(100)
  requests = []
  await vi.advanceTimersByTimeAsync(61_000)
  expect(requests).toHaveLength(1)
})

it('a change that another tab has loaded after another cursor leaves the own one, which misses what lies between', async () => {
  const channel = Object.assign(new EventTarget(), { postMessage() {}, close() {} })
  vi.stubGlobal('BroadcastChannel', function BroadcastChannel() {
    return channel
  })
  storage.state = 'full'
  stop = device.syncCatalog(1)
  await vi.advanceTimersByTimeAsync(100)
  const tell = (change: object) => channel.dispatchEvent(new MessageEvent('message', { data: { ...CHANGE, ...change } }))
  tell({ from: '1-7', since: '1-9' })
  expect(known()).toEqual([1, 2, 3])
  await vi.advanceTimersByTimeAsync(61_000)
  expect(requests.at(-1)).toBe('?since=1-1')
  tell({ from: '1-3', since: '1-4' })
  await vi.advanceTimersByTimeAsync(61_000)
  expect(requests.at(-1)).toBe('?since=1-4')
})
