// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest'
import type { Consent } from './consent-rules.ts'
import { offerConsent, storedConsent } from './consent-banner.ts'

const TERMS = { serverReports: false }

it('a refusal counts where the browser cannot store it, and no earlier answer outlives it', () => {
  const stored = new Map([['analyticsConsent', 'yes']])
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    removeItem: (key: string) => stored.delete(key),
    setItem() {
      throw new DOMException('The storage is full', 'QuotaExceededError')
    },
  })
  expect(storedConsent(TERMS)).toBe('yes')
  const decided: Consent[] = []
  offerConsent(TERMS, (consent) => decided.push(consent))
  document.querySelector('button')!.click()
  const [refuse] = document.querySelectorAll<HTMLButtonElement>('#consent div button')
  refuse!.click()
  expect(decided).toEqual(['no'])
  expect(document.getElementById('consent')).toBeNull()
  expect(storedConsent(TERMS)).toBeNull()
})
