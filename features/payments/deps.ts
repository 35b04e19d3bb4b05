import type { Settings } from '#features/settings/settings.ts'
import type { GatewayLog, Gateways } from '#features/payments/gateway.ts'
import type { Db } from '#lib/db/db.server.ts'

/** What the payment commands need of the process; the server's own deps fit. */
export type PaymentDeps = {
  db: Db
  gateways: Gateways
  now: () => Date
  env: { publicUrl: string }
  facts: { settings(): Promise<Settings> }
  log: GatewayLog
}
