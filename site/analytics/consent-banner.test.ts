// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest'
import type { Consent } from './consent-rules.ts'
import { offerConsent, storedConsent } from './consent-banner.ts'

const TERMS = { serverReports: false }

it('a refusal counts where the browser cannot store it, and no earlier answer outlives it', () => {
  localStorage.setItem('analyticsConsent', 'yes')
  const decided: Consent[] = []
  offerConsent(TERMS, (consent) => decided.push(consent))
  vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
    throw new DOMException('The storage is full', 'QuotaExceededError')
  })
  document.querySelector('button')!.click()
  const [refuse] = document.querySelectorAll<HTMLButtonElement>('#consent div button')
  refuse!.click()
  expect(decided).toEqual(['no'])
  expect(document.getElementById('consent')).toBeNull()
  expect(storedConsent(TERMS)).toBeNull()
})
