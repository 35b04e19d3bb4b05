import { expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from './settings.ts'
import { settingsFrom } from './stored-settings.ts'

test('nothing stored: the defaults', () => {
  expect(settingsFrom({})).toEqual(DEFAULT_SETTINGS)
})

test('what is stored holds, whatever it leaves out stays', () => {
  const settings = settingsFrom({ cutoff_hour: 20, shop: { phone: '01700000000' } })
  expect(settings.cutoff_hour).toBe(20)
  expect(settings.shop).toEqual({ ...DEFAULT_SETTINGS.shop, phone: '01700000000' })
})

test('values of another type and unknown keys are ignored', () => {
  expect(settingsFrom({ cutoff_hour: 'nine', shop: null, expiry: [1], colour: 'red' })).toEqual(DEFAULT_SETTINGS)
})
