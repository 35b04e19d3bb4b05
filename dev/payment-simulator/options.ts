import type { SimulatorOptions } from '#features/payments/simulator-options.ts'

/** Whether the simulator may send browsers or notifications to this URL: an open redirect must not be possible. */
export function isAllowedTarget(address: string, options: SimulatorOptions): boolean {
  const url = URL.parse(address)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return false
  return options.shop === undefined || url.origin === new URL(options.shop.origin).origin
}
