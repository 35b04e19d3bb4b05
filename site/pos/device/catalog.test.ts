import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { catalog, catalogProblem, onCatalogChange, syncCatalog } from './catalog.ts'

const part = { full: true, since: '1-1', groups: {}, limit: { percent: 10, taka: 500 }, rows: [], gone: [], next: null }
let answers: (() => Promise<Response>)[]
let stop: () => void
const warnings = vi.fn<typeof console.warn>()

beforeEach(() => {
  answers = []
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('navigator', {
    locks: { request: async (_name: string, _options: object, work: (lock: object) => Promise<void>) => work({}) },
    onLine: true,
  })
  vi.stubGlobal('fetch', async () => {
    const answer = answers.shift()
    if (!answer) throw new TypeError('no network')
    return answer()
  })
  vi.spyOn(console, 'warn').mockImplementation(warnings)
})
afterEach(() => {
  stop()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  warnings.mockReset()
})

const status = (code: number, body: unknown) => async () => Response.json(body, { status: code })

it('shows and logs a rejected update of the catalog until one succeeds', async () => {
  const heard = vi.fn<() => void>()
  const unsubscribe = onCatalogChange(heard)
  answers = [status(500, { message: 'Oh' }), status(200, part)]
  stop = syncCatalog(1)
  await expect.poll(catalogProblem).toBe('not-updated')
  expect(warnings).toHaveBeenLastCalledWith('POS catalog not-updated', expect.objectContaining({ message: 'status 500' }))
  expect(heard).toHaveBeenCalled()
  // Node has no IndexedDB: the catalog is current now, and cannot be stored.
  window.dispatchEvent(new Event('online'))
  await expect.poll(catalogProblem).toBe('not-stored')
  expect(catalog.limit).toEqual(part.limit)
  unsubscribe()
})

it('leaves a missing network to the connection state', async () => {
  stop = syncCatalog(1)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(catalogProblem()).toBe('not-stored')
  expect(warnings).not.toHaveBeenCalledWith('POS catalog not-updated', expect.anything())
})

it('a full load that ends early leaves the products that are there; a complete one removes the others', async () => {
  const row = (id: number) => [id, `Honey ${id}`, `মধু ${id}`, '', 10_000, 'kg', 'in-stock', null, 0, 3, 0, null, null, null]
  const known = () => [1, 2, 3].filter((id) => catalog.product(id) !== null)
  const rest = { ...part, since: '1-2', rows: [row(3)] }
  answers = [status(200, { ...part, rows: [row(1), row(2)] })]
  stop = syncCatalog(1)
  await expect.poll(known).toEqual([1, 2])
  // The database was restored: everything is loaded again. The network fails after the first part.
  answers = [status(200, { ...part, since: '2-1', rows: [row(1)], next: '0.1' })]
  window.dispatchEvent(new Event('online'))
  await expect.poll(() => answers.length).toBe(0)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(known()).toEqual([1, 2])
  answers = [status(200, { ...part, since: '2-2', rows: [row(1)], next: '0.1' }), status(200, rest)]
  window.dispatchEvent(new Event('online'))
  await expect.poll(known).toEqual([1, 3])
})
