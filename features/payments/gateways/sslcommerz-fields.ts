import type { PaymentRequest } from '#features/payments/gateway.ts'
import { truncate } from '#lib/format/text.ts'
import { decimalTaka } from '#lib/format/money.ts'

/** Limits of the session call, from the vendor's own library. Longer values are cut. */
export const FIELD_LIMITS = {
  product_category: 50,
  product_name: 255,
  success_url: 255,
  fail_url: 255,
  cancel_url: 255,
  ipn_url: 255,
  cus_name: 50,
  cus_email: 50,
  cus_add1: 50,
  cus_city: 50,
  cus_postcode: 30,
  cus_country: 50,
  cus_phone: 20,
  value_a: 255,
} as const

function cut(text: string, limit: number): string {
  const clean = text.replace(/[\u0000-\u001f\u007f]+/g, ' ').trim()
  return truncate(clean, limit).trimEnd()
}

const EMAIL = /^[^\s@,;<>]+@[^\s@,;<>]+\.[A-Za-z]{2,}$/

/** SSLCommerz requires an e-mail address; the shop's own replaces a missing or invalid one. */
function emailOf(given: string, fallback: string): string {
  return EMAIL.test(given) && given.length <= FIELD_LIMITS.cus_email ? given : fallback
}

/** The session fields without the store's credentials. With `shipping_method=NO` no shipping address is required. */
export function sessionFields(payment: PaymentRequest, fallbackEmail: string): Record<string, string> {
  const { customer, returnUrls } = payment
  const city = cut(customer.city, FIELD_LIMITS.cus_city) || 'Dhaka'
  return {
    total_amount: decimalTaka(payment.amountPoisha),
    currency: 'BDT',
    tran_id: payment.tranId,
    success_url: returnUrls.success,
    fail_url: returnUrls.fail,
    cancel_url: returnUrls.cancel,
    ipn_url: returnUrls.notify,
    cus_name: cut(customer.name, FIELD_LIMITS.cus_name) || 'Customer',
    cus_email: emailOf(customer.email.trim(), fallbackEmail),
    cus_add1: cut(customer.address, FIELD_LIMITS.cus_add1) || city,
    cus_city: city,
    cus_postcode: '1000',
    cus_country: 'Bangladesh',
    cus_phone: cut(customer.phone, FIELD_LIMITS.cus_phone),
    shipping_method: 'NO',
    num_of_item: String(payment.itemCount),
    product_name: cut(payment.productNames.join(', '), FIELD_LIMITS.product_name) || 'Farm produce',
    product_category: 'Farm produce',
    product_profile: 'physical-goods',
    value_a: String(payment.orderId),
  }
}
