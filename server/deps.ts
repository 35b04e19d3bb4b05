import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import type { SharedReadCache } from '#lib/async/shared-read-cache.ts'
import type { Uploads } from '#lib/files/uploads.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { ReadReplica } from '#lib/db/read-replica.server.ts'
import type { Env } from '#lib/runtime/env.server.ts'
import type { CatalogRevision } from './cache/catalog-revision.ts'
import type { ResponseCache } from './cache/response-cache.ts'
import type { Tracing } from './tracing/tracing.server.ts'
import type { RunningMetrics } from './metrics/running-metrics.ts'
import type { Gateways } from '#features/payments/gateway.ts'
import type { DemoSmsOptions } from '#features/messaging/configure.server.ts'
import type { ConversionGateway } from '#features/analytics/meta-gateway.server.ts'
import type { EmailGateway } from '#features/email/gateway.ts'
import type { PushOptions } from '#features/news/push/push-service.server.ts'
import type { SmsSender } from '#features/messaging/sender.server.ts'
import type { SimulatorOptions } from '#features/payments/simulator-options.ts'
import type { ProductSearch } from '#features/search/product-search.server.ts'
import type { ShopCache } from '#features/catalog/shop-cache.server.ts'

/** Dependencies of the routes and jobs, one instance a process. */
export interface Deps {
  env: Env
  db: Db
  pool: pg.Pool
  /** Null without DATABASE_READ_URL. */
  replica: ReadReplica | null
  now: () => Date
  uploads: Uploads
  catalogRevision: CatalogRevision
  responseCache: ResponseCache
  sharedReads: SharedReadCache
  shopCache: ShopCache
  search: ProductSearch
  gateways: Gateways
  /** The simulated payment companies; null outside a demo. */
  simulator: SimulatorOptions | null
  sms: SmsSender
  /** The simulated SMS provider; null outside a demo. */
  smsSimulator: DemoSmsOptions | null
  /** Null when email is not configured. */
  email: EmailGateway | null
  /** Null when Meta's Conversions API is not configured. */
  conversions: ConversionGateway | null
  push: PushOptions
  log: FastifyBaseLogger
  /** Null unless a setting asks for metrics. */
  metrics: RunningMetrics | null
  /** Null without a collector of traces. */
  tracing: Tracing | null
}
