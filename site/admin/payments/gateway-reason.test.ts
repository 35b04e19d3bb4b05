import { expect, it } from 'vitest'
import { translate } from '#lib/i18n/translate.ts'
import '#messages/bn-admin.ts'
import { gatewayReason } from './gateway-reason.ts'

it.each<[string, string]>([
  ['declined', 'গেটওয়ে গ্রহণ করেনি'],
  ['failed', ''],
  ['not refunded, as found by the staff', 'গেটওয়েতে দেখা গেছে, টাকা ফেরত যায়নি'],
  ['paid in USD', 'USD মুদ্রায় পেমেন্ট হয়েছে'],
  ['paid in another currency', 'অন্য মুদ্রায় পেমেন্ট হয়েছে'],
  ['recorded with another amount or for another order', 'অন্য অঙ্কে বা অন্য অর্ডারে জমা দেখানো আছে'],
  ['more than the order still holds', 'অর্ডারে জমা থাকা টাকার চেয়ে বেশি'],
  ['Insufficient Balance', 'Insufficient Balance'],
])('the reason %j is read in Bengali', (reason, text) => {
  expect(gatewayReason(reason, translate('bn'))).toBe(text)
})
