import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import type { SharedReadCache } from '#lib/async/shared-read-cache.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { Env } from '#lib/runtime/env.server.ts'
import type { ResponseCache } from './cache/response-cache.ts'
import type { Gateways } from '#features/payments/gateway.ts'
import type { SmsSender } from '#features/messaging/sender.server.ts'
import type { SmsSimulatorOptions } from '#dev/sms-simulator/plugin.server.ts'
import type { SimulatorOptions } from '#dev/payment-simulator/options.ts'
import type { ProductSearch } from '#features/search/product-search.server.ts'
import type { ShopCache } from '#features/catalog/shop-cache.server.ts'

/** What the routes of one process share. */
export interface Deps {
  env: Env
  db: Db
  pool: pg.Pool
  now: () => Date
  kept: ResponseCache
  seen: SharedReadCache
  facts: ShopCache
  search: ProductSearch
  gateways: Gateways
  /** The demo's own payment companies; null outside a demo. */
  simulator: SimulatorOptions | null
  sms: SmsSender
  /** The demo's own SMS company; null outside a demo. */
  smsSimulator: SmsSimulatorOptions | null
  log: FastifyBaseLogger
}
