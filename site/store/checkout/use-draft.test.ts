import { expect, it, test } from 'vitest'
import { parseDraft } from './use-draft.ts'

const details = {
  name: 'Rina',
  email: '',
  phone: '01712345678',
  alternate_phone: '',
  address: 'Road 1',
  landmark: '',
  note: '',
  area_id: 4,
}
const stored = {
  details,
  choice: 'partial',
  deliveries: 2,
  deliveryOn: '2026-11-27',
  isCollection: true,
  part: '500',
  couponCode: 'EID10',
  saveAddress: false,
  account: 7,
}

it('restores the draft of the same account', () => {
  expect(parseDraft(stored, 7)).toEqual(stored)
})

it('uses the draft of a guest after signing in', () => {
  expect(parseDraft({ ...stored, account: null }, 7)).toEqual(stored)
})

it('ignores the draft of another account, for a customer and for a guest', () => {
  for (const account of [8, null]) {
    expect(parseDraft(stored, account)).toMatchObject({ choice: null, couponCode: null, part: '', account })
    expect(parseDraft(stored, account).details.name).toBe('')
  }
})

test.each([null, 'text', 5, {}, { details: 'text' }, { details: { name: 5, area_id: 'x' }, choice: 'gold', deliveries: 9, part: 1 }])(
  'starts empty with the unreadable value %j',
  (value) => {
    const draft = parseDraft(value, null)
    expect(draft).toMatchObject({ choice: null, deliveries: 1, part: '', couponCode: null, saveAddress: true, account: null })
    expect(draft.details).toMatchObject({ name: '', area_id: null })
  },
)

it('cuts texts that are far too long', () => {
  const draft = parseDraft({ details: { ...details, address: 'x'.repeat(5000) }, part: '9'.repeat(99), couponCode: 'C'.repeat(999) }, null)
  expect([draft.details.address.length, draft.part.length, draft.couponCode?.length]).toEqual([2000, 40, 255])
})
