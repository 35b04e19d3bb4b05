import { expect, test } from 'vitest'
import { type Consent, parseConsent, storedConsentText } from './consent-rules.ts'

test.each<[answer: Consent, asked: boolean, now: boolean, expected: Consent | null]>([
  ['yes', false, false, 'yes'],
  // The server gives phone, email and name to Meta: who agreed to less is asked again.
  ['yes', false, true, null],
  ['yes', true, true, 'yes'],
  ['yes', true, false, 'yes'],
  ['no', false, true, 'no'],
  ['no', true, false, 'no'],
])('%s, asked with server reports: %s; they are on: %s', (answer, asked, now, expected) => {
  expect(parseConsent(storedConsentText(answer, asked), now)).toBe(expected)
})

test.each([null, '', 'maybe', 'YES'])('%s is no answer', (stored) => {
  expect(parseConsent(stored, false)).toBeNull()
})
