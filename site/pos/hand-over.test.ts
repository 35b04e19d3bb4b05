import { afterEach, expect, it, vi } from 'vitest'
import { handOverSale } from './hand-over.ts'
import { PAGE_CACHE, SALE_CASHIER_KEY } from '#features/pos/storage-names.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it('removes the cached page of the former cashier before other tabs open theirs again', async () => {
  const steps: string[] = []
  const storage = (name: string) => ({ getItem: () => null, setItem: (key: string) => steps.push(`${name} ${key}`) })
  vi.stubGlobal('sessionStorage', storage('session'))
  vi.stubGlobal('localStorage', storage('local'))
  vi.stubGlobal('navigator', { locks: { request: async (_name: string, _options: object, held: () => unknown) => void held() } })
  vi.stubGlobal('caches', {
    delete: async (cache: string) => {
      await Promise.resolve()
      steps.push(`delete ${cache}`)
    },
  })
  // Node has no IndexedDB.
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  await handOverSale(3, 4)
  expect(steps.slice(0, 3)).toEqual([`delete ${PAGE_CACHE}`, `session ${SALE_CASHIER_KEY}`, 'local khamar.pos.cashier'])
})

it('the next cashier goes on where the browser does not answer about the begun sale', async () => {
  vi.useFakeTimers()
  const storage = { getItem: () => null, setItem: () => {} }
  for (const name of ['sessionStorage', 'localStorage']) vi.stubGlobal(name, storage)
  vi.stubGlobal('navigator', { locks: { request: async (_name: string, _options: object, held: () => unknown) => void held() } })
  vi.stubGlobal('caches', { delete: async () => true })
  vi.stubGlobal('indexedDB', { open: () => new EventTarget() })
  vi.stubGlobal('IDBRequest', EventTarget)
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  let isDone = false
  void handOverSale(3, 4).then(() => (isDone = true))
  await vi.advanceTimersByTimeAsync(5000)
  expect(isDone).toBe(true)
  vi.useRealTimers()
})
