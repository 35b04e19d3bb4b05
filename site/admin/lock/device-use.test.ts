import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { BACKGROUND_HEADER } from '#lib/http/background-header.ts'
import { syncCatalog } from '#site/pos/device/catalog.ts'
import { backgroundHeaders, trackUse, unusedMs } from './device-use.ts'

const MINUTE = 60_000
const stored = new Map<string, string>()
let stop: () => void
/** Whether each call for the catalog said that nobody uses the device. */
let calls: boolean[]

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-20T06:00:00Z') })
  stored.clear()
  calls = []
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
  })
  vi.stubGlobal('navigator', {
    onLine: true,
    locks: { request: async (_name: string, _options: object, work: (lock: object) => Promise<void>) => work({}) },
  })
  vi.stubGlobal('fetch', async (_url: string, { headers }: { headers: Record<string, string> }) => {
    calls.push(BACKGROUND_HEADER in headers)
    return Response.json({ full: true, since: '1-1', groups: {}, rows: [], gone: [], next: null })
  })
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  stop = trackUse()
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it('the POS says of its own calls that the device is unused, until it is used again', async () => {
  const stopCatalog = syncCatalog(1)
  await vi.advanceTimersByTimeAsync(5 * MINUTE)
  expect([calls[0], calls.at(-1)]).toEqual([false, true])
  window.dispatchEvent(new Event('keydown'))
  await vi.advanceTimersByTimeAsync(MINUTE)
  expect(calls.at(-1)).toBe(false)
  stopCatalog()
})

it('a use in another tab counts, one in the future does not', async () => {
  await vi.advanceTimersByTimeAsync(10 * MINUTE)
  expect([unusedMs(), backgroundHeaders()]).toEqual([10 * MINUTE, { [BACKGROUND_HEADER]: '1' }])
  stored.set('khamar.active-at', String(Date.now() + 60 * MINUTE))
  expect(unusedMs()).toBe(10 * MINUTE)
  stored.set('khamar.active-at', String(Date.now() - MINUTE))
  expect([unusedMs(), backgroundHeaders()]).toEqual([MINUTE, {}])
})
