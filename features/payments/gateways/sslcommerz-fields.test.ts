import { describe, expect, it } from 'vitest'
import type { PaymentRequest } from '#features/payments/gateway.ts'
import { FIELD_LIMITS, sessionFields } from '#features/payments/gateways/sslcommerz-fields.ts'
import type { Poisha } from '#lib/format/money.ts'

const payment: PaymentRequest = {
  tranId: '01JDEMO0000000000000000001',
  orderId: 1001,
  amountPoisha: 150_000 as Poisha,
  customer: { name: 'Rahima', email: 'rahima@khamar.example', phone: '01711000001', address: 'House 1', city: 'Dhaka' },
  productNames: ['Mango', 'Sugarcane'],
  itemCount: 2,
  returnUrls: { success: 'https://s.example/a', fail: 'https://s.example/b', cancel: 'https://s.example/c', notify: 'https://s.example/d' },
}
const withCustomer = (customer: Partial<PaymentRequest['customer']>) =>
  sessionFields({ ...payment, customer: { ...payment.customer, ...customer } }, 'orders@khamar.example')

describe('the fields of a session', () => {
  it('sends no shipping address', () => {
    const fields = sessionFields(payment, 'orders@khamar.example')
    expect(fields).toMatchObject({ total_amount: '1500.00', shipping_method: 'NO', value_a: '1001', product_name: 'Mango, Sugarcane' })
  })
  it('cuts long values by code points', () => {
    const fields = withCustomer({ name: '😀'.repeat(255), address: 'ক'.repeat(255), city: 'x'.repeat(80) })
    for (const [key, limit] of Object.entries(FIELD_LIMITS)) expect([...(fields[key] ?? '')].length).toBeLessThanOrEqual(limit)
    expect(fields['cus_name']).toBe('😀'.repeat(50))
  })
  it.each(['', 'none', 'a@b', 'a b@c.de', `${'x'.repeat(50)}@c.de`])('uses the address of the shop for %j', (email) =>
    expect(withCustomer({ email })['cus_email']).toBe('orders@khamar.example'),
  )
  it('fills blank fields of a customer', () => {
    const fields = withCustomer({ name: '', address: '\n\t', city: '' })
    expect(fields).toMatchObject({ cus_name: 'Customer', cus_add1: 'Dhaka', cus_city: 'Dhaka' })
  })
})
