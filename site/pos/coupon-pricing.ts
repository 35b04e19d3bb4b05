// The price of a coupon that the shop is computing. F9 waits for it: a resumed sale prices its coupon by itself.
let running: Promise<unknown> | null = null

/** Resolves when the coupon is priced or rejected; null while no price is computed. */
export const couponPricing = () => running

/** Notes the pricing until it ends. */
export function noteCouponPricing(pricing: Promise<unknown>): void {
  const mine = pricing.catch(() => {}).then(() => void (running === mine && (running = null)))
  running = mine
}
