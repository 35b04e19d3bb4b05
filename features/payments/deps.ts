import type { Settings } from '#features/settings/settings.ts'
import type { GatewayLog, Gateways } from '#features/payments/gateway.ts'
import type { Db } from '#lib/db/db.server.ts'

/** Dependencies of the payment commands; a subset of the server's. */
export type PaymentDeps = {
  db: Db
  gateways: Gateways
  now: () => Date
  env: { publicUrl: string }
  shopCache: { settings(): Promise<Settings> }
  log: GatewayLog
}
