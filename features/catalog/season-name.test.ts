import { expect, it } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { translate } from '#lib/i18n/translate.ts'
import { seasonName } from './season-name.ts'

it.each([
  ['kurbani', 'Kurbani', 'কোরবানি'],
  ['2027', 'Kurbani 2027', 'কোরবানি ২০২৭'],
  ['kurbani-2027', 'Kurbani-2027', 'কোরবানি-২০২৭'],
  ['eid-2027', 'Eid-2027', 'ঈদ-২০২৭'],
  ['Boro Eid 2027', 'Boro Eid 2027', 'Boro ঈদ ২০২৭'],
  ['spring', 'spring', 'spring'],
  ['', '', ''],
])('the season %s is %s and %s', (code, english, bangla) => {
  expect([seasonName(translate('en'), 'en', code), seasonName(translate('bn'), 'bn', code)]).toEqual([english, bangla])
})
