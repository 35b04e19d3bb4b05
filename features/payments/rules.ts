// Money through a payment gateway.
import { MAX_ONLINE_PAYMENT, MIN_ONLINE_PAYMENT } from '#features/catalog/limits.ts'
import type { Poisha } from '#lib/format/money.ts'

/** Whether a gateway takes a sum: null when it does, else which of its bounds (10 to 500,000 taka) is crossed. */
export function gatewayBounds(amount: Poisha): 'below-gateway-minimum' | 'above-gateway-maximum' | null {
  if (amount < MIN_ONLINE_PAYMENT) return 'below-gateway-minimum'
  return amount > MAX_ONLINE_PAYMENT ? 'above-gateway-maximum' : null
}
