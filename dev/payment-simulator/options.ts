export type SimulatorCredentials = {
  storeId: string
  storePassword: string
  bkash: { username: string; password: string; appKey: string; appSecret: string }
}

export type SimulatorOptions = {
  credentials: SimulatorCredentials
  /** Where browsers reach this plugin, with its prefix: `http://localhost:3000/demo-gateway`. */
  publicPrefix: string
  clock?: () => Date
  /** Opens `/__sim/…`. For tests; a demo that strangers can reach leaves it shut. */
  faultSwitch?: boolean
  /** The one shop that is served. Notifications go to `internal` in place of `origin`. Without it, any shop. */
  shop?: { origin: string; internal: string }
}

/** Whether the simulator sends browsers or notifications to this address: it must not become a way to reach others. */
export function mayCall(address: string, options: SimulatorOptions): boolean {
  const url = URL.parse(address)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return false
  return options.shop === undefined || url.origin === new URL(options.shop.origin).origin
}
