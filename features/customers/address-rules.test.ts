import { describe, expect, test } from 'vitest'
import { addressProblems, chosenAddress, normalizeAddress, type Address, type AddressForm } from './address-rules.ts'

const form: AddressForm = { name: 'Farhana', phone: '', alternate_phone: '', address: 'House 12', landmark: '', note: '', area_id: 1 }

describe('what an address needs', () => {
  test.each([
    ['name, address and area', {}, {}],
    ['a phone of its own', { phone: '+880 1811-000001', alternate_phone: '০১৯১১০০০০০৩' }, {}],
    ['no name', { name: ' \u200b ' }, { name: 'details.name-required' }],
    ['no address', { address: '' }, { address: 'details.address-required' }],
    ['no area', { area_id: null }, { area_id: 'details.area-required' }],
    ['an area that is none of ours', { area_id: 7 }, { area_id: 'details.area-unknown' }],
    [
      'a phone that cannot be called',
      { phone: '12345', alternate_phone: '02-9876543' },
      { phone: 'details.phone-invalid', alternate_phone: 'details.phone-invalid' },
    ],
    ['255 letters', { name: 'ক'.repeat(255), note: 'x'.repeat(255) }, {}],
    ['256 letters', { name: 'ক'.repeat(256), landmark: 'x'.repeat(256) }, { name: 'details.too-long', landmark: 'details.too-long' }],
    ['what cannot be stored', { note: 'a\u0000b', address: 'a\ud800' }, { note: 'details.not-text', address: 'details.not-text' }],
  ])('%s', (_name, given, problems) => {
    expect(addressProblems({ ...form, ...given }, [1, 2])).toEqual(problems)
  })

  test('is normalized', () => {
    expect(normalizeAddress({ ...form, name: '  Farhana ', phone: '+880 1811-000001' })).toMatchObject({
      name: 'Farhana',
      phone: '01811000001',
    })
  })
})

describe('the address that is chosen', () => {
  const saved = (id: number, is_default = false): Address => ({ ...form, id, email: '', is_default })
  test.each([
    ['the default', [saved(1), saved(2, true)], null, 2],
    ['the one remembered', [saved(1), saved(2, true)], 1, 1],
    ['the default, when what was remembered is gone', [saved(1), saved(2, true)], 9, 2],
    ['none, without a default', [saved(1)], 1, null],
    ['none in an empty book', [], 1, null],
  ])('%s', (_name, addresses, remembered, id) => {
    expect(chosenAddress(addresses, remembered)?.id ?? null).toBe(id)
  })
})
