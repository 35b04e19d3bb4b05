import type { GatewayName } from './gateway.ts'

/** The marks of payment methods, in the order in which pages show them. Their pictures are `public/pay/NAME.svg`. */
export const PAYMENT_MARKS = ['bkash', 'nagad', 'rocket', 'visa', 'mastercard'] as const

export type PaymentMark = (typeof PAYMENT_MARKS)[number]

/** What SSLCommerz takes on its page. */
const GATEWAY_MARKS: Record<GatewayName, readonly PaymentMark[]> = { sslcommerz: PAYMENT_MARKS, bkash: ['bkash'] }

/** The methods with which this shop can be paid: online by its gateways, by hand to its merchant numbers. */
export function paymentMarks(gateways: readonly GatewayName[], numbers: { bkash: string; nagad: string }): PaymentMark[] {
  const taken = new Set(gateways.flatMap((name) => GATEWAY_MARKS[name]))
  if (numbers.bkash !== '') taken.add('bkash')
  if (numbers.nagad !== '') taken.add('nagad')
  return PAYMENT_MARKS.filter((mark) => taken.has(mark))
}
