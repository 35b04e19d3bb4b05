import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import type { Db } from '#lib/db.server.ts'
import type { Env } from '#lib/env.server.ts'
import type { KeptAnswers } from './page/kept-answers.ts'
import type { Gateways } from '#features/payments/gateway.ts'
import type { SimulatorOptions } from '#features/payments/simulator/options.ts'
import type { ShopFacts } from '#features/catalog/shop-facts.server.ts'

/** What the routes of one process share. */
export interface Deps {
  env: Env
  db: Db
  pool: pg.Pool
  now: () => Date
  kept: KeptAnswers
  facts: ShopFacts
  gateways: Gateways
  /** The demo's own payment companies; null outside a demo. */
  simulator: SimulatorOptions | null
  log: FastifyBaseLogger
}
