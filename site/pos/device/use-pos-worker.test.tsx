// @vitest-environment happy-dom
import { renderHook } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { usePosWorker } from './use-pos-worker.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

it('a page that is left while the worker is registered does not try again', async () => {
  vi.useFakeTimers()
  vi.stubEnv('PROD', true)
  const register = vi.fn<() => Promise<never>>().mockRejectedValue(new TypeError('no network'))
  vi.stubGlobal('navigator', { serviceWorker: { register } })
  const { unmount } = renderHook(usePosWorker, { initialProps: { canSell: true } })
  await vi.advanceTimersByTimeAsync(20_000)
  expect(register).toHaveBeenCalledTimes(2)
  unmount()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(register).toHaveBeenCalledTimes(2)
  renderHook(usePosWorker, { initialProps: { canSell: true } }).unmount()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(register).toHaveBeenCalledTimes(3)
})
