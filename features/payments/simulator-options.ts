export type SimulatorCredentials = {
  storeId: string
  storePassword: string
  bkash: { username: string; password: string; appKey: string; appSecret: string }
}

/** Options of the payment simulator, which a demo mounts in place of the gateways. */
export type SimulatorOptions = {
  credentials: SimulatorCredentials
  /** The URL at which browsers reach the plugin: `http://localhost:3000/demo-gateway`. */
  publicPrefix: string
  clock?: () => Date
  /** Opens `/__sim/…` for tests. A public demo leaves it closed. */
  faultSwitch?: boolean
  /** The only shop that is served; notifications go to `internal` instead of `origin`. Without it, any shop. */
  shop?: { origin: string; internal: string }
}
