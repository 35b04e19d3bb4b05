import { expect, test } from 'vitest'
import { langFromRequest } from './lang.ts'

test.each([
  ['bn', 'en', 'bn'],
  ['en', 'bn', 'en'],
  ['xx', 'bn-BD,en;q=0.8', 'bn'],
  [null, 'en-GB,bn;q=0.9', 'en'],
  [undefined, 'fr,bn;q=0.3,en;q=0.2', 'bn'],
  [undefined, 'bn;q=0,en;q=0.1', 'en'],
  [undefined, 'fr', 'en'],
  [undefined, '', 'en'],
  [undefined, undefined, 'en'],
  [undefined, ';;q=,,=', 'en'],
  ['', 'bn;q=9', 'en'],
])('choice %j, browser %j: %s', (cookie, acceptLanguage, lang) => {
  expect(langFromRequest({ cookie, acceptLanguage })).toBe(lang)
})
