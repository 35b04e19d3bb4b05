import { describe, expect, test } from 'vitest'
import { type GuestDetails, guestDetailsProblems, normalizeDetails } from './details-rules.ts'

const NO_DETAILS: GuestDetails = {
  name: '',
  email: '',
  phone: '',
  alternate_phone: '',
  address: '',
  landmark: '',
  note: '',
  area_id: null,
}

const GOOD: GuestDetails = {
  name: 'রহিমা খাতুন',
  email: 'rahima@example.com',
  phone: '01811000009',
  alternate_phone: '',
  address: 'House 4, Road 7',
  landmark: '',
  note: '',
  area_id: 3,
}

describe('guest details', () => {
  test('valid details have no problem', () => {
    expect(guestDetailsProblems(GOOD, { areaIds: [1, 2, 3] })).toEqual({})
  })

  test('a collected order needs neither area nor address', () => {
    expect(Object.keys(guestDetailsProblems(NO_DETAILS, { areaIds: [1], isCollection: true }))).toEqual(['name', 'email', 'phone'])
  })

  test('an empty form lacks exactly the five required fields', () => {
    expect(guestDetailsProblems(NO_DETAILS)).toEqual({
      name: 'details.name-required',
      email: 'details.email-required',
      phone: 'details.phone-required',
      area_id: 'details.area-required',
      address: 'details.address-required',
    })
  })

  test.each<[string, Partial<GuestDetails>, object]>([
    ['a name of spaces', { name: ' \u200b ' }, { name: 'details.name-required' }],
    ['255 characters fit', { address: 'x'.repeat(255) }, {}],
    ['255 emoji fit: the database counts each as one', { address: '🐄'.repeat(255) }, {}],
    ['256 emoji do not', { address: '🐄'.repeat(256) }, { address: 'details.too-long' }],
    ['256 do not', { note: 'x'.repeat(256) }, { note: 'details.too-long' }],
    ['spaces around are not counted', { name: ` ${'x'.repeat(255)} ` }, {}],
    ['Bengali digits in phones', { phone: '০১৮১১-০০০০০৯', alternate_phone: '+৮৮০ ১৮১১ ০০০০১০' }, {}],
    ['a landline', { phone: '029551234' }, { phone: 'details.phone-invalid' }],
    ['ten digits are too few', { phone: '0181100000' }, { phone: 'details.phone-invalid' }],
    ['an invalid alternate phone', { alternate_phone: '123' }, { alternate_phone: 'details.phone-invalid' }],
    ['an email without a dot', { email: 'rahima@localhost' }, { email: 'details.email-invalid' }],
    ['an email with two ats', { email: 'a@b@c.com' }, { email: 'details.email-invalid' }],
    ['an email with an empty label', { email: 'a@b..com' }, { email: 'details.email-invalid' }],
    ['an unknown area', { area_id: 9 }, { area_id: 'details.area-unknown' }],
    ['a lone surrogate', { name: 'a\ud83d' }, { name: 'details.not-text' }],
  ])('%s', (_name, change, problems) => {
    expect(guestDetailsProblems({ ...GOOD, ...change }, { areaIds: [1, 2, 3] })).toEqual(problems)
  })

  test('normalized details have no spaces and local phone numbers', () => {
    expect(normalizeDetails({ ...GOOD, name: '  Rahima ', phone: '+880 1811-000009', alternate_phone: '' })).toMatchObject({
      name: 'Rahima',
      phone: '01811000009',
      alternate_phone: '',
    })
  })
})
