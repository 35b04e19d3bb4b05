import type { FastifyBaseLogger as Logger } from 'fastify'
import { ShopCache } from '#features/catalog/shop-cache.server.ts'
import { ProductSearch } from '#features/search/product-search.server.ts'
import { configureConversions } from '#features/analytics/meta-gateway.server.ts'
import { configureEmail } from '#features/email/configure.server.ts'
import { recordEmailGateway } from '#features/email/outbox.server.ts'
import { smsLimitsAt } from '#features/messaging/campaign-limit-rules.ts'
import { configureSms } from '#features/messaging/configure.server.ts'
import { SmsSender } from '#features/messaging/sender.server.ts'
import { configurePush } from '#features/news/push/push-service.server.ts'
import { configureGateways } from '#features/payments/configure.server.ts'
import { type Db, type OpenDatabase, openDb, type QueryObserver } from '#lib/db/db.server.ts'
import { ReadReplica } from '#lib/db/read-replica.server.ts'
import { openUploads } from '#lib/files/uploads.server.ts'
import { SharedReadCache } from '#lib/async/shared-read-cache.ts'
import { type Env, publicSettings, readEnv } from '#lib/runtime/env.server.ts'
import { HAS_TERMINAL } from '#lib/runtime/terminal.mjs'
import { errorText, openLog } from '#lib/runtime/log.server.ts'
import { buildApp } from './app.ts'
import type { Deps } from './deps.ts'
import { listenForMetrics } from './metrics/endpoint.ts'
import type { RunningMetrics } from './metrics/running-metrics.ts'
import { openMetrics, openTracing, queryObserver } from './observability.ts'
import { subscribeToCatalogChanges } from './cache/invalidation.ts'
import { decideDemo, storePicturesAhead } from './demo-shop.ts'
import { startEmbedded } from './embedded-postgres.ts'
import { startJobs } from './jobs.ts'
import { assertPortsFree, explainPort } from './ports.ts'
import { storeShopAddress } from './embedded/shop-address.ts'
import { prepareUploads } from './prepare-uploads.ts'
import { failedStart } from './start-failure.ts'
import { rejectTransactionPooler } from './pooler-mode.ts'
import { retryWhileAway, waitForDatabase } from './wait-for-database.ts'
import { migrate } from './migrate.ts'
import { builtPages, type PageSource } from './page/assets.ts'
import { CatalogRevision } from './cache/catalog-revision.ts'
import { ResponseCache } from './cache/response-cache.ts'
import { collectGarbageWhenIdle } from '#lib/runtime/memory.server.ts'
import { explainUnusable } from './database-refused.ts'

/** Jobs that run together take as many: a shop without visitors opens no new connections, and the first visitor waits for none. */
const OPEN_CONNECTIONS = 8
/** Grace periods at shutdown, for requests and jobs and for database connections. The rest of ten seconds is PostgreSQL's. */
const DRAIN_MS = 5_000
const DATABASE_CLOSE_MS = 1_000

/** Run in reverse order at shutdown. */
const shutdownHooks: (() => Promise<unknown>)[] = []

async function start(): Promise<void> {
  let env: Env = readEnv()
  assertCompanySettings(env)
  // Before anything is changed: after migrations a process of the old version could not start again.
  const pages = await pageSource()
  const print = (line: string) => console.log(line)
  const embedded = env.databaseUrl ? null : await startEmbedded({ dataDir: env.dataDir, log: print })
  if (embedded) shutdownHooks.push(() => embedded.stop())
  const storePictures = storePicturesAhead(env, embedded?.fresh ?? false)
  const url = env.databaseUrl ?? embedded?.url ?? ''
  await prepareDatabase(env, url, print)

  const log = openLog(env.logLevel)
  const tracing = await openTracing(env, log, shutdownHooks)
  const database = openPool(url, log, queryObserver(env, log, tracing))
  if (!env.uploads.bucket) await prepareUploads(env.uploads.folder)
  env = { ...env, demo: await decideDemo(env, embedded !== null, database.db, print, storePictures) }

  const catalogRevision = new CatalogRevision()
  shutdownHooks.push(subscribeToCatalogChanges(url, catalogRevision))
  const revision = () => catalogRevision.ifSubscribed
  const shopCache = new ShopCache(database.db, revision)
  const search = new ProductSearch(database.db, revision)
  const { gateways, simulator } = configureGateways({ env, log })
  const { gateway, simulator: smsSimulator } = configureSms({ env, log })
  const limits = async () => smsLimitsAt(new Date(), await shopCache.settings())
  const sms = new SmsSender({ db: database.db, gateway, log, limits, storesCodes: env.demo === 'on' })
  const [email, conversions, push] = [configureEmail({ env, log }), configureConversions({ env, log }), configurePush()]
  await retryWhileAway(() => recordEmailGateway(database.db, email !== null))
  const replica = env.databaseReadUrl ? openReplica(database.db, env.databaseReadUrl, log) : null
  const base = {
    env,
    replica,
    uploads: openUploads(env.uploads),
    db: database.db,
    pool: database.pool,
    now: () => new Date(),
    catalogRevision,
    responseCache: new ResponseCache(catalogRevision),
    sharedReads: new SharedReadCache(),
    shopCache,
    search,
    log,
  }
  const metrics = await openMetrics(env, base)
  const deps: Deps = { ...base, gateways, simulator, sms, smsSimulator, email, conversions, push, metrics, tracing }
  const app = await buildApp(deps, pages)
  let stopJobs = async () => {}
  shutdownHooks.push(() => withTimeout(DRAIN_MS, Promise.all([closeApp(app), stopJobs(), sms.stop()])))
  // Loads the product index ahead of the first search. A failure is retried by that search.
  search.index().catch(() => {})
  await listen(app, env)
  if (embedded) shutdownHooks.push(storeShopAddress(env.dataDir, env.publicUrl))
  if (metrics) await openMetricsPort(env, metrics)
  shutdownHooks.push(collectGarbageWhenIdle(app.server))
  stopJobs = await startJobs(deps)
  sms.start()
  await printBanner(env, (await retryWhileAway(() => shopCache.settings())).opening.isOpen)
}

/**
 * Throws a `SettingsError` for wrong settings of payments, SMS, email or Meta before anything is changed. A demo, which only the database
 * tells, ignores them.
 */
function assertCompanySettings(env: Env): void {
  if (!env.production && env.demo !== 'off') return
  const settings = { env: { ...env, demo: 'off' as const }, log: openLog('silent') }
  for (const configure of [configureGateways, configureSms, configureEmail, configureConversions]) configure(settings)
}

/** Waits for a database of one's own and applies new migrations, when the shop could listen. */
async function prepareDatabase(env: Env, url: string, print: (line: string) => void): Promise<void> {
  await assertPortsFree(env)
  try {
    if (env.databaseUrl) {
      await waitForDatabase(url, print)
      await rejectTransactionPooler(url)
    }
    await migrate(url, { log: print })
  } catch (error) {
    throw env.databaseUrl ? explainUnusable(error) : error
  }
}

function openPool(url: string, log: Logger, onQuery: QueryObserver | undefined): OpenDatabase {
  const onError = (error: Error) => reportLostConnection(log, error)
  const onConnectionLimit = ({ message }: Error) => log.warn({ reason: message }, 'the database accepts no more connections; requests wait')
  const options = { applicationName: 'khamar', min: OPEN_CONNECTIONS, onError, onConnectionLimit }
  const database = openDb(url, { ...options, ...(onQuery ? { onQuery } : {}) })
  shutdownHooks.push(() => withTimeout(DATABASE_CLOSE_MS, database.close()))
  return database
}

/** Silent while stopping: closing may take longer than its grace period, and the embedded PostgreSQL then ends the connections itself. */
function reportLostConnection(log: Logger, error: Error): void {
  if (!stopping) log.warn({ code: (error as { code?: string }).code }, 'database connection lost')
}

function openReplica(primary: Db, url: string, log: Logger): ReadReplica {
  const replica = new ReadReplica({ primary, url, warn: (detail, message) => log.warn(detail, message) })
  shutdownHooks.push(() => withTimeout(DATABASE_CLOSE_MS, replica.close()))
  return replica
}

async function pageSource(): Promise<PageSource> {
  if (!process.env.KHAMAR_DEV) return builtPages()
  return (await import('./page/dev-pages.ts')).startDevPages((stop) => shutdownHooks.push(stop))
}

async function listen(app: Awaited<ReturnType<typeof buildApp>>, { port, host }: Env): Promise<void> {
  await app.listen({ port, host }).catch((error) => Promise.reject(explainPort(error, { port, host })))
}

async function openMetricsPort(env: Env, metrics: RunningMetrics): Promise<void> {
  const server = await listenForMetrics(env, metrics)
  shutdownHooks.push(async () => {
    metrics.stop()
    server?.close()
    server?.closeAllConnections()
  })
}

async function printBanner(env: Env, isOpen: boolean): Promise<void> {
  console.log(`\nKhamar ${isOpen ? 'is open' : 'runs'}: ${env.publicUrl}`)
  if (!isOpen) console.log(`Visitors cannot enter yet: log in as the owner (npm run owner) and follow ${env.publicUrl}/admin/setup.`)
  if (env.demo === 'on') await printDemoAccounts(env)
  const open = publicSettings(env)
  if (env.production || open.length === 0) return
  const danger = env.demo === 'on' ? 'has the demo accounts, whose password is published' : 'does not run in production mode'
  console.warn(
    `\nWARNING: this shop can be reached from outside (${open.join(', ')}) and ${danger}. For real customers set NODE_ENV=production.`,
  )
}

async function printDemoAccounts(env: Env): Promise<void> {
  const { ACCOUNTS, DEMO_PASSWORD } = await import('#db/demo/people.ts')
  console.log(`Log in at ${env.publicUrl}/login, everybody with the password ${DEMO_PASSWORD}:`)
  for (const { role, phone } of ACCOUNTS) console.log(`  ${role.padEnd(9)} ${phone}`)
  console.log(`Codes and other SMS are shown at ${env.publicUrl}/demo/sms.`)
  console.log('Stop with Ctrl-C.')
}

/** Closes connections that become idle after the close began; Fastify closes only those idle at that moment. */
async function closeApp(app: Awaited<ReturnType<typeof buildApp>>): Promise<void> {
  const timer = setInterval(() => app.server.closeIdleConnections(), 50)
  await app.close().finally(() => clearInterval(timer))
}

function withTimeout(timeoutMs: number, work: Promise<unknown>): Promise<unknown> {
  return Promise.race([work, new Promise((resolve) => setTimeout(resolve, timeoutMs))])
}

let stopping = false
async function stop(code: number): Promise<void> {
  if (stopping) return
  stopping = true
  const late = setTimeout(() => process.exit(code || 1), 9_500)
  for (const one of shutdownHooks.reverse()) await one().catch((error) => console.error(`While stopping: ${errorText(error)}`))
  clearTimeout(late)
  process.exit(code)
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(0))
// Node undoes that nohup ignores the hang-up.
process.on('SIGHUP', () => HAS_TERMINAL && void stop(0))
// Node would print every field of the error, including the rejected row.
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) => {
    console.error(`Unexpected error, stopping: ${errorText(error)}`)
    void stop(1)
  })

try {
  await start()
} catch (error) {
  // Errors of a start that was interrupted are expected.
  if (!stopping) console.error(failedStart(error) ?? errorText(error))
  await stop(1)
}
