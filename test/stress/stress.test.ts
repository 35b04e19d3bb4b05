import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { expireOrders } from '#features/orders/status/expire-orders.server.ts'
import { reconcilePayments } from '#features/payments/commands/reconcile-payments.server.ts'
import { startSimulator } from '#features/payments/testing/start-simulator.ts'
import { aggregateSales } from '#features/reports/aggregate-sales.server.ts'
import { expectLedger } from '#test/ledger-checks.ts'
import { openDb, type Db } from '#lib/db/db.server.ts'
import { LONG_TIMEOUTS } from '#test/clone.ts'
import { newDatabase } from '#test/db.ts'
import { shared } from '#test/shared.ts'
import { startServer, type TestShop } from '#test/start-server.ts'
import { countStock } from '#test/invariants.ts'
import * as account from './account.ts'
import * as admin from './admin.ts'
import { wrongDues } from './dues.ts'
import * as money from './money.ts'
import * as shoppers from './shoppers.ts'
import * as pos from './pos.ts'
import { buildWorld, chance, pick, type World } from './world.ts'

// Runs shoppers, coupons, payments, admin, scale, POS and scheduled jobs concurrently in two processes on one database. Afterwards all
// invariants of stock and ledger must hold. STRESS_SECONDS sets the duration.

const SECONDS = Number(process.env.STRESS_SECONDS ?? 10)
const MAX_CONCURRENT = 14
/** The test continues on a slow machine until this many actions have run, and until each of the required ones has succeeded. */
const MIN_ACTIONS = 400
const MAX_ACTIONS = 4000

let [db, url]: [Db, string] = [null!, '']
let shops: [TestShop, TestShop]
await shared('pages')
const simulator = await startSimulator({ timeoutMs: 10_000 })
afterAll(() => simulator.close())

/** A second try begins with an empty shop too. */
beforeEach(async () => {
  const database = await newDatabase()
  url = database.url
  const opened = openDb(url, { max: 20, ...LONG_TIMEOUTS })
  db = opened.db
  shops = [await startServer({ databaseUrl: url, max: 16 }), await startServer({ databaseUrl: url, max: 16 })]
  return async () => {
    await Promise.all(shops.map(({ close }) => close()))
    await opened.close()
    await database.drop()
  }
})

/** Runs a scheduled job, sometimes after an order has reached its deadline. */
async function runJob(world: World): Promise<void> {
  const { deps, clock } = pick(world.shops)
  if (chance(60))
    await sql`update orders set expires_at = ${clock.now} where expires_at is not null and id in (
      select id from orders where status = 'placed' and expires_at is not null order by random() limit 1)`.execute(db)
  const own = { ...deps, catalogChanged: () => deps.catalogRevision.advance() }
  await pick([() => expireOrders(own), () => expireOrders(own), () => reconcilePayments(deps), () => aggregateSales(db, deps.now())])()
}

/** The relative frequency of each action. */
const WEIGHTS: [weight: number, action: (world: World) => Promise<void>][] = [
  [16, shoppers.orderAsGuest],
  [8, shoppers.orderWithCoupon],
  [8, shoppers.payAtGateway],
  [3, shoppers.payAgain],
  [5, shoppers.reportAdvance],
  [4, shoppers.cancelOwn],
  [6, shoppers.browse],
  [2, shoppers.joinGuest],
  [5, admin.takePhoneOrder],
  [12, admin.editOrder],
  [9, admin.moveOrders],
  [5, admin.recordMoney],
  [4, admin.decideAdvance],
  [2, admin.clearAttention],
  [4, admin.weigh],
  [4, admin.settle],
  [6, admin.saveProduct],
  [3, admin.importFile],
  [4, admin.changeSeveral],
  [2, admin.setRates],
  [5, admin.receiveStock],
  [1, admin.archiveProduct],
  [2, admin.mergeCustomers],
  [12, pos.sell],
  [7, pos.takeBack],
  [2, pos.changeShift],
  [6, runJob],
  [6, money.adjust],
  [3, money.unadjust],
  [5, money.returnInAdmin],
  [5, money.refundDue],
  [4, money.payIntoDrawer],
  [5, money.refundByGateway],
  [4, money.followOrResolve],
  [3, money.lie],
  [3, money.decideReview],
  [6, account.sellOnAccount],
  [4, account.payOnAccount],
  [5, account.creditReturn],
  [5, account.exchange],
  [4, account.sellWithCoupon],
  [3, money.movePhone],
  [1, money.erase],
  [2, money.moveInBulk],
  [3, money.changeMethod],
  [2, money.reconcile],
]
const ACTIONS = WEIGHTS.flatMap(([weight, action]) => Array<(world: World) => Promise<void>>(weight).fill(action))

it(
  'concurrent actions of all kinds: no faults, no deadlocks, consistent stock and ledger',
  async () => {
    const world = await buildWorld(db, shops, simulator)
    const before = await countStock(db)
    const [start, morning] = [Date.now(), shops[0].clock.now.getTime()]
    const end = start + SECONDS * 1000
    let actions = 0
    const ticking = setInterval(() => shops.forEach(({ clock }) => (clock.now = new Date(morning + Date.now() - start))), 20)
    await Promise.all(
      Array.from({ length: MAX_CONCURRENT }, async () => {
        while (Date.now() < end || actions < MIN_ACTIONS || (actions < MAX_ACTIONS && neverSucceeded(world).length > 0)) {
          actions += 1
          await pick(ACTIONS)(world)
        }
      }),
    )
    clearInterval(ticking)
    // Waits for the last notifications of the gateway.
    await sleep(1500)
    if (process.env.STRESS_SECONDS) console.log(summary(world))
    expect([...new Set(world.problems), ...shops.flatMap(({ failures }) => failures)]).toEqual([])
    expect(waitedInVain(world)).toBeLessThan(actions / 20)
    await expectLedger(db, before)
    expect(await wrongDues(world, 25)).toEqual([])
    expect(await deadlocks()).toBe(0)
    const fresh = await shown(world, await openAnother())
    for (const shop of shops) expect(await shown(world, shop)).toEqual(fresh)
    expect(neverSucceeded(world)).toEqual([])
  },
  (SECONDS + 120) * 1000,
)

/** A new process with empty caches. */
async function openAnother(): Promise<TestShop> {
  const another = await startServer({ databaseUrl: url, max: 16 })
  onTestFinished(another.close)
  return another
}

/** The responses that shoppers get for all products. */
async function shown({ products, animals }: World, shop: TestShop): Promise<object> {
  const paths = [...products.map(({ id }) => id), ...animals].map((id) => `/api/products/${id}`)
  const answers = await Promise.all(
    [...paths, '/api/products', '/api/kurbani-cows', '/api/product/search?q=cow'].map((path) => shop.get(path)),
  )
  return Object.fromEntries(answers.map(({ status, text }, at) => [paths[at] ?? `list ${at - paths.length}`, `${status} ${text}`]))
}

async function deadlocks(): Promise<number> {
  const { rows } = await sql<{ n: number }>`select deadlocks::int as n from pg_stat_database where datname = current_database()`.execute(db)
  return rows[0]!.n
}

/** The actions that must have succeeded at least once. Rarer ones need a longer run. */
const REQUIRED = [
  'order as guest',
  'sell',
  'edit an order',
  'move orders on',
  'change the stock',
  'save a product',
  'record payments',
  'decide an advance',
]

function neverSucceeded({ tried }: World): string[] {
  return REQUIRED.filter((what) => !tried.get(what)?.has(200))
}

const waitedInVain = ({ tried }: World): number => [...tried.values()].reduce((sum, answers) => sum + (answers.get(503)?.times ?? 0), 0)

function summary({ tried }: World): string {
  const line = ([status, { times, text }]: [number, { times: number; text: string }]) =>
    `${status}×${times}${status === 200 ? '' : ` ${text}`}`
  return [...tried].map(([what, answers]) => `${what}: ${[...answers].map(line).join('\n    ')}`).join('\n')
}
