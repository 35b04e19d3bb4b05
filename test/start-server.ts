import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { ShopCache } from '#features/catalog/shop-cache.server.ts'
import { ProductSearch } from '#features/search/product-search.server.ts'
import { SmsSender } from '#features/messaging/sender.server.ts'
import { configureGateways } from '#features/payments/configure.server.ts'
import { openDb, type Db, type QueryObserver } from '#lib/db/db.server.ts'
import { ReadReplica } from '#lib/db/read-replica.server.ts'
import { openUploads, uploadsFolder, type UploadsPlace } from '#lib/files/uploads.server.ts'
import { openLog } from '#lib/runtime/log.server.ts'
import { SharedReadCache } from '#lib/async/shared-read-cache.ts'
import { buildApp } from '#server/app.ts'
import { subscribeToCatalogChanges } from '#server/cache/invalidation.ts'
import type { Deps } from '#server/deps.ts'
import { freePort } from '#test/free-port.ts'
import { builtPages, type PageSource } from '#server/page/assets.ts'
import { CatalogRevision } from '#server/cache/catalog-revision.ts'
import { ResponseCache } from '#server/cache/response-cache.ts'
import { LONG_TIMEOUTS } from './clone.ts'
import { Visitor } from './visitor.ts'

export type TestShop = Visitor & {
  app: FastifyInstance
  deps: Deps
  db: Db
  /** What the shop takes for now; move it. */
  clock: { now: Date }
  /** Moves it on. */
  passMinutes(count: number): void
  /** Lines of the log that say "unexpected error". */
  failures: string[]
  /** A visitor with a browser of their own. */
  visitor(): Visitor
  close(): Promise<void>
}

export type ServerOptions = {
  databaseUrl: string
  rateLimit?: boolean
  trustProxy?: string
  publicUrl?: string
  /** Connections to the database. Few, because each costs some 40 ms of processor time; tests of races set more. */
  max?: number
  /** Those of a real shop when {}; else longer ones, so that a busy machine fails no test. */
  timeouts?: { connectTimeout?: number; statementTimeout?: number }
  /** Where an earlier one has been. */
  port?: number
  /** A replica of the database. */
  databaseReadUrl?: string
  /** Another place than the data folder, with the address of its files for browsers. */
  uploads?: UploadsPlace
  uploadsPublicUrl?: string
  /** The origin of a simulated push service. */
  pushSimulator?: string
  /** The folder of another build of the pages. */
  dist?: string
  /** Other pages than those of a build. */
  pages?: PageSource
  /** As without an SMS provider when false: codes reach nobody. */
  sendsSms?: boolean
  /** Called with each statement of the shop. */
  onQuery?: QueryObserver
}

let pages: PageSource | undefined

/** Pages of this build are read once a worker: every app has the same. */
const pagesFrom = (dist: string | undefined) => (dist ? builtPages(dist) : (pages ??= builtPages()))

/** The whole shop in this process on a real port, with built pages, the simulated gateways and a clock that stands still. */
export async function startServer({
  databaseUrl,
  rateLimit = false,
  trustProxy,
  publicUrl,
  max = 8,
  timeouts = LONG_TIMEOUTS,
  databaseReadUrl,
  uploads,
  uploadsPublicUrl,
  pushSimulator,
  sendsSms = true,
  onQuery,
  ...where
}: ServerOptions): Promise<TestShop> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'khamar-request-'))
  // What a product without a picture shows.
  cpSync(path.resolve(import.meta.dirname, '../public/logo.png'), path.join(dataDir, 'uploads/logo.png'))
  const port = where.port ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const clock = { now: new Date('2026-11-20T06:00:00Z') }
  const passMinutes = (count: number) => void (clock.now = new Date(clock.now.getTime() + count * 60_000))
  const failures: string[] = []
  const log = openLog('error', new Writable({ write: (line, _encoding, done) => (failures.push(String(line)), done()) }))
  const { db, pool, close } = openDb(databaseUrl, { max, ...timeouts, ...(onQuery ? { onQuery } : {}) })
  const catalogRevision = new CatalogRevision()
  const revision = () => catalogRevision.ifSubscribed
  const shopCache = new ShopCache(db, revision)
  const search = new ProductSearch(db, revision)
  const replica = databaseReadUrl
    ? new ReadReplica({ primary: db, url: databaseReadUrl, warn: (detail, message) => log.error(detail, message) })
    : null
  const env: Deps['env'] = {
    port,
    host: '127.0.0.1',
    dataDir,
    databaseUrl,
    databaseReadUrl: databaseReadUrl ?? null,
    publicUrl: publicUrl ?? url,
    sessionSecret: 'a secret of thirty-two characters',
    demo: 'on',
    rateLimit,
    production: false,
    trustProxy: trustProxy ?? null,
    logLevel: 'error',
    s3: null,
    backupTo: path.join(dataDir, 'backups'),
    uploads: uploads ?? uploadsFolder(dataDir),
    uploadsPublicUrl: uploadsPublicUrl ?? null,
    observability: { metricsPort: null, metricsHost: '', metricsToken: null, slowQueryMs: 0, otlpEndpoint: null, traceRatio: 0 },
  }
  const deps: Deps = {
    env,
    uploads: openUploads(env.uploads),
    db,
    pool,
    replica,
    now: () => clock.now,
    catalogRevision,
    responseCache: new ResponseCache(catalogRevision),
    sharedReads: new SharedReadCache(),
    shopCache,
    search,
    ...configureGateways({ env: { ...env, publicUrl: url }, log }),
    // Messages stay where tests look for them: nothing is started.
    sms: new SmsSender({ db, gateway: null, log, storesCodes: sendsSms }),
    smsSimulator: null,
    email: null,
    conversions: null,
    push: { simulator: pushSimulator ?? null, timeoutMs: 1500 },
    log,
    metrics: null,
    tracing: null,
  }
  const stopListening = subscribeToCatalogChanges(databaseUrl, catalogRevision)
  const app = await buildApp(deps, where.pages ?? pagesFrom(where.dist))
  await app.listen({ port, host: '127.0.0.1' })
  await untilListening(catalogRevision)
  let isClosed = false
  async function closeShop(): Promise<void> {
    if (isClosed) return
    isClosed = true
    await app.close()
    await stopListening()
    await replica?.close()
    await close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  const stranger = new Visitor(url, { storesCookies: false })
  return Object.assign(stranger, { app, deps, db, clock, passMinutes, failures, visitor: () => new Visitor(url), close: closeShop })
}

async function untilListening(revision: CatalogRevision): Promise<void> {
  while (!revision.isSubscribed) await sleep(5)
}
