// Money through a payment gateway.
import { MAX_ONLINE_PAYMENT, MIN_ONLINE_PAYMENT } from '#features/catalog/limits.ts'
import type { Poisha } from '#lib/format/money.ts'

/** Checks a sum against the limits of the gateways: null when it is within, else the bound (10 to 500,000 taka) that it exceeds. */
export function gatewayBounds(amount: Poisha): 'below-gateway-minimum' | 'above-gateway-maximum' | null {
  if (amount < MIN_ONLINE_PAYMENT) return 'below-gateway-minimum'
  return amount > MAX_ONLINE_PAYMENT ? 'above-gateway-maximum' : null
}
