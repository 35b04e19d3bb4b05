import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { expireOrders } from '#features/orders/status/expire-orders.server.ts'
import { reconcilePayments } from '#features/payments/commands/reconcile-payments.server.ts'
import { startSimulator } from '#features/payments/testing/start-simulator.ts'
import { aggregateSales } from '#features/reports/aggregate-sales.server.ts'
import { expectLedger } from '#test/ledger-checks.ts'
import { testDb } from '#test/db.ts'
import { startServer } from '#test/start-server.ts'
import { countStock } from '#test/invariants.ts'
import { openShop, type TestShop } from '#test/request.ts'
import * as admin from './admin.ts'
import * as shoppers from './shoppers.ts'
import * as pos from './pos.ts'
import { buildWorld, chance, pick, type World } from './world.ts'

// Everybody at once, in two processes on one database: guests, customers with coupons, payments and their failures, the admin with orders, money,
// goods and people, the scale, the tills, and what the shop does by itself. Whatever comes of it, the books must be right.
// STRESS_SECONDS makes it longer.

const SECONDS = Number(process.env.STRESS_SECONDS ?? 10)
const AT_ONCE = 14
/** On a slow machine it lasts until so much has been done. */
const ACTS_AT_LEAST = 400

const { db, url } = await testDb()
const shops: [TestShop, TestShop] = [await openShop({ databaseUrl: url }), await openShop({ databaseUrl: url })]
const simulator = await startSimulator({ timeoutMs: 10_000 })
afterAll(() => simulator.close())

/** What the shop does by itself; some orders have run out of time just now. */
async function sweep(world: World): Promise<void> {
  const { deps, clock } = pick(world.shops)
  if (chance(60))
    await sql`update orders set expires_at = ${clock.now} where expires_at is not null and id in (
      select id from orders where status = 'placed' and expires_at is not null order by random() limit 1)`.execute(db)
  const own = { ...deps, catalogChanged: () => deps.kept.bump() }
  await pick([() => expireOrders(own), () => expireOrders(own), () => reconcilePayments(deps), () => aggregateSales(db, deps.now())])()
}

/** How often each happens among the others. */
const WEIGHTS: [weight: number, act: (world: World) => Promise<void>][] = [
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
  [2, admin.lookAfter],
  [4, admin.weigh],
  [4, admin.settle],
  [6, admin.saveProduct],
  [3, admin.importFile],
  [4, admin.changeSeveral],
  [2, admin.setRates],
  [5, admin.maintainProductIndex],
  [1, admin.putAway],
  [2, admin.mergeCustomers],
  [12, pos.sell],
  [7, pos.takeBack],
  [2, pos.changeShift],
  [6, sweep],
]
const ACTS = WEIGHTS.flatMap(([weight, act]) => Array<(world: World) => Promise<void>>(weight).fill(act))

it(
  'everybody at once: nobody meets a fault, nobody waits in a ring, and the books are right',
  async () => {
    const world = await buildWorld(db, shops, simulator)
    const before = await countStock(db)
    const [start, morning] = [Date.now(), shops[0].clock.now.getTime()]
    const end = start + SECONDS * 1000
    let acts = 0
    const ticking = setInterval(() => shops.forEach(({ clock }) => (clock.now = new Date(morning + Date.now() - start))), 20)
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (Date.now() < end || acts < ACTS_AT_LEAST) {
          acts += 1
          await pick(ACTS)(world)
        }
      }),
    )
    clearInterval(ticking)
    // What the payment company still has to tell.
    await sleep(1500)
    if (process.env.STRESS_SECONDS) console.log(summary(world))
    expect([...new Set(world.problems)]).toEqual([])
    expect(shops.flatMap(({ failures }) => failures)).toEqual([])
    await expectLedger(db, before)
    expect(await deadlocks()).toBe(0)
    const fresh = await shown(world, await openAnother())
    for (const shop of shops) expect(await shown(world, shop)).toEqual(fresh)
    expect(idle(world)).toEqual([])
  },
  (SECONDS + 120) * 1000,
)

/** A process that has just been started, and has kept nothing yet. */
async function openAnother(): Promise<TestShop> {
  const another = await startServer({ databaseUrl: url })
  onTestFinished(another.close)
  return another
}

/** What shoppers are told of all goods. */
async function shown({ goods, animals }: World, shop: TestShop): Promise<object> {
  const paths = [...goods.map(({ id }) => id), ...animals].map((id) => `/api/products/${id}`)
  const answers = await Promise.all(
    [...paths, '/api/products', '/api/kurbani-cows', '/api/product/search?q=cow'].map((path) => shop.get(path)),
  )
  return Object.fromEntries(answers.map(({ status, text }, at) => [paths[at] ?? `list ${at - paths.length}`, `${status} ${text}`]))
}

async function deadlocks(): Promise<number> {
  const { rows } = await sql<{ n: number }>`select deadlocks::int as n from pg_stat_database where datname = current_database()`.execute(db)
  return rows[0]!.n
}

/** What was never once done would prove nothing. The rarer things have their turn in a longer storm. */
const SURE = [
  'order as guest',
  'sell',
  'edit an order',
  'move orders on',
  'count goods',
  'save a product',
  'enter payments',
  'decide an advance',
]

function idle({ tried }: World): string[] {
  return SURE.filter((what) => !tried.get(what)?.has(200))
}

function summary({ tried }: World): string {
  const line = ([status, { times, text }]: [number, { times: number; text: string }]) =>
    `${status}×${times}${status === 200 ? '' : ` ${text}`}`
  return [...tried].map(([what, answers]) => `${what}: ${[...answers].map(line).join('\n    ')}`).join('\n')
}
