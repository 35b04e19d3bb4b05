// Money through a payment gateway.
import { taka } from '#lib/money.ts'
import type { Poisha } from '#lib/money.ts'

export const GATEWAY_MINIMUM = taka(10)
export const GATEWAY_MAXIMUM = taka(500_000)

/** Whether a gateway takes a sum: null when it does, else which of its bounds (10 to 500,000 taka) is crossed. */
export function gatewayBounds(amount: Poisha): 'below-gateway-minimum' | 'above-gateway-maximum' | null {
  if (amount < GATEWAY_MINIMUM) return 'below-gateway-minimum'
  return amount > GATEWAY_MAXIMUM ? 'above-gateway-maximum' : null
}
