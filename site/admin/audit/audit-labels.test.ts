import { expect, test } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { translate } from '#lib/i18n/translate.ts'
import { auditedChanges, auditedRecord, auditedValue } from './audit-labels.ts'
import { PRODUCT_WORDS } from './product-words.ts'

const names = { 'product 12': 'Red bull · B-218', 'category 2': 'Fruit', 'category 5': 'Beef', 'user 7': 'Rahima', 'area 3': 'Uttara' }
const words = { t: translate('en'), lang: 'en', names, product: PRODUCT_WORDS } as const
const bengali = { t: translate('bn'), lang: 'bn', names, product: PRODUCT_WORDS } as const

test.each([
  ['order', '1009', 'changed', 'Order 1009', '/admin/orders/update/1009'],
  ['product', '12', 'weighed', 'Product: Red bull · B-218 (12)', '/admin/products/12'],
  ['product', '999', 'changed', 'Product 999', null],
  ['product', '', 'imported', 'Products', null],
  ['category', '', 'reordered', 'Categories', null],
  ['slot', '', 'reordered', 'Home page sections', null],
  ['customer', '7', 'changed', 'Customer: Rahima', '/admin/customers/7'],
  ['customer', 'leaderboard', 'exported', 'Leaderboard', '/admin/leaderboard'],
  ['settings', 'messages', 'changed', 'Settings: SMS texts', null],
  ['settings', 'opening', 'changed', 'Settings: Opening', null],
  ['text', 'shipping-info', 'changed', 'Text page: Shipping information', null],
  ['rate', '5 2027', 'changed', 'Rate: Beef Kurbani 2027', null],
  ['staff', '7', 'disabled', 'Staff: Rahima', null],
  ['unknown-kind', '../x', 'changed', 'unknown-kind ../x', null],
  ['campaign', '4', 'created', 'SMS campaign 4', '/admin/sms/campaigns/4'],
] as const)('the record of %s %s (%s) reads %s', (subject, subject_id, action, text, href) => {
  expect(auditedRecord({ subject, subject_id, action }, words)).toEqual({ text, href })
})

test.each([
  ['booking', 'handled_at', '2026-11-22T11:22:16.735+00:00', '22 Nov'],
  ['order', 'listOn', '2026-11-23', '23 Nov'],
  // A season that moves by a year would otherwise read the same before and after.
  ['settings', 'kurbani.deliveryFrom', '2027-06-02', '2 June 2027'],
  ['category', 'order', [5, 2], 'Beef; Fruit'],
  ['order', 'areaId', 3, 'Uttara'],
  ['settings', 'delivery_days.closed_weekdays', [5, 6], 'Friday; Saturday'],
  ['area', 'closed_weekdays', [0], 'Sunday'],
  ['order', 'lines', ['12: 1 × 125000'], 'Red bull · B-218: 1 × 125000'],
  ['order', 'lines', ['Mango: 2.5 × 120'], 'Mango: 2.5 × 120'],
  ['order', 'total', 125_000.5, '৳1,25,000.50'],
  ['product', 'discount', 10, '10'],
  ['order', 'lines', [{ product_id: 12, quantity: 1, price: 125000 }], 'Product: Red bull · B-218, Quantity: 1, Price'],
  ['order', 'status', 'on_delivery', 'Out for delivery'],
  ['booking', 'state', 'matched', 'Matched'],
  ['campaign', 'state', 'paused', 'Paused'],
  ['campaign', 'why', 'author', 'Its author may no longer send campaigns'],
  ['bulk-run', 'why', 'actor', 'Its author may no longer change orders'],
  ['campaign', 'why', 'late', 'Not begun within a day of its time'],
  ['staff', 'role', 'weigher', 'Weigher'],
  ['product', 'visible', true, 'yes'],
  ['product', 'grams', 232500, '232.5 kg'],
  ['product', 'price_poisha', 12_500_000, '৳1,25,000'],
  ['area', 'cattle', { kind: 'closed', charge: null }, 'No delivery'],
  ['order', 'reason', '', '–'],
  ['order', 'reason', null, '–'],
  ['coupon', 'percent_bp', 1250, '12.5%'],
  ['coupon', 'min_subtotal_poisha', 50_000, '৳500'],
  ['coupon', 'categories', [2], 'Fruit'],
  ['product', 'kind', 'vaccination', 'Vaccination'],
  ['order', 'note', 'constructor', 'constructor'],
  ['order', 'status', 'toString', 'toString'],
] as const)('the field %s.%s with %j says %s', (subject, field, value, text) => {
  const said = auditedValue(subject, field, value, words)
  expect(said).toContain(text)
  expect(said).not.toMatch(/\d{4}-\d\d-\d\d|[a-z]_[a-z]/)
})

test('a Bengali reader finds Bengali digits and words', () => {
  expect(auditedRecord({ subject: 'order', subject_id: '1009', action: 'changed' }, bengali).text).toMatch(/১০০৯$/)
  expect(auditedValue('product', 'grams', 232500, bengali)).toBe('২৩২.৫ কেজি')
  expect(auditedValue('order', 'shipping', 60, bengali)).toBe('৳৬০')
  expect(auditedValue('order', 'lines', ['12: 1.5 × 120', 'Mango 7: 2 × 90'], bengali)).toBe('Red bull · B-218: ১.৫ × ১২০; Mango 7: ২ × ৯০')
})

test.each([
  [
    'order',
    'q=…&status=placed&area_id=3&list_on=2027-06-02&sort=sum&order=desc',
    'Search: …; Status: Placed; Area: Uttara; Delivery date: 2 June 2027',
    'অর্ডার গৃহীত',
  ],
  ['order', 'due=refund&source=pos&tag=vip_2&user_id=7', 'Refund due; Channel: POS; Tag: vip_2; Customer: Rahima', 'কাউন্টার'],
  ['order', 'late_on=2027-06-02&open=1&attention=1', 'Still open: yes; Needs attention: yes', '২০২৭'],
  ['customer', 'category_id=5&due=yes&state=disabled', 'Bought: Beef; ', 'Beef'],
  ['payment', 'kind=payment&method=bank&from=2027-06-01', 'Payment method: bank; From: 1 June 2027', '১ জুন ২০২৭'],
  ['audit', 'subject=coupon&actor=7', 'Object: Coupon; Who: Rahima', 'কুপন'],
  ['bulk-run', 'status=delivered', 'Status: Delivered', 'অবস্থা'],
  ['order', 'rows=100&sort=sum', '–', '–'],
  ['order', 'unknown=1', 'unknown: 1', '১'],
])('the filters of a list of %s are said in words: %s', (subject, filter, english, bangla) => {
  const said = auditedChanges(subject, { filter }, words)
  expect(said).toContain(english)
  expect(said.replace('vip_2', '')).not.toMatch(/[=&]|\d{4}-\d\d-\d\d|[a-z]_[a-z]/)
  expect(auditedChanges(subject, { filter }, bengali)).toContain(bangla)
})

test('the products of an approval are named, and its prices are in taka', () => {
  const approved = { supervisor: 'Rahima', discount: 500, prices: [{ id: 12, quantity: 1, price: 125_000 }], held: [12, 13] }
  expect(auditedChanges('shift', approved, words)).toBe(
    'Approved by: Rahima; Discount: ৳500; Prices: Product: Red bull · B-218, Quantity: 1, Price: ৳1,25,000; On hold: Red bull · B-218; 13',
  )
})

test('a season is said in words', () => {
  expect(auditedValue('settings', 'kurbani.season', 'kurbani', bengali)).toBe('কোরবানি')
  expect(auditedValue('product', 'season', '2027', bengali)).toBe('কোরবানি ২০২৭')
  expect(auditedRecord({ subject: 'rate', subject_id: '5 eid-2027', action: 'changed' }, bengali).text).toContain('Beef ঈদ-২০২৭')
})

test('a number that is dialled or copied stands with the digits of all other pages', () => {
  for (const [field, code] of [
    ['phone', '01911000022'],
    ['transaction_id', '8842003311'],
    ['barcode', '8801234567893'],
  ] as const)
    expect(auditedValue('order', field, code, bengali)).toBe(code)
})

test.each([
  [{ 'fee-kept': 100, reason: 'Transport' }, 'Fee kept: ৳100; Reason: Transport', 'কেটে রাখা'],
  [{ 'write-off-reversed': 30 }, 'Write-off undone: ৳30', '৩০'],
  [
    { return_id: 4, amount: 600, lines: [{ product_id: 12, quantity: 5, spoiled: true }] },
    'Product: Red bull · B-218, Quantity: 5, Spoiled: yes',
    '৬০০',
  ],
])('what happened to the money of an order is said in words: %j', (after, english, bangla) => {
  expect(auditedChanges('order', after, words)).toContain(english)
  const said = auditedChanges('order', after, bengali)
  expect(said).toContain(bangla)
  expect(said).not.toMatch(/[a-z]+[-_][a-z]+/)
})
