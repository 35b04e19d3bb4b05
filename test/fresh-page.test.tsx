// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest'
import { pendingToasts, showToast } from '#components/toast.tsx'
import { startFresh } from './fresh-page.ts'

it('a file finds nothing that another one left in the worker', async () => {
  const now = Date.now()
  vi.useFakeTimers({ now: 0 })
  vi.stubGlobal('isSecureContext', false)
  vi.stubEnv('KHAMAR_STUBBED', 'yes')
  showToast('Saved')
  document.body.append('left over')
  localStorage.setItem('left', 'over')
  sessionStorage.setItem('left', 'over')
  vi.spyOn(document, 'hasFocus').mockReturnValue(false)
  await startFresh()
  expect(Date.now()).toBeGreaterThanOrEqual(now)
  expect('isSecureContext' in globalThis).toBe(false)
  expect(process.env['KHAMAR_STUBBED']).toBeUndefined()
  expect(pendingToasts()).toEqual([])
  expect(vi.isMockFunction(document.hasFocus)).toBe(false)
  expect([document.body.textContent, localStorage.length, sessionStorage.length]).toEqual(['', 0, 0])
})
