import { sql } from 'kysely'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { expireOrders } from '#features/orders/status/expire-orders.server.ts'
import { reconcilePayments } from '#features/payments/commands/reconcile-payments.server.ts'
import { followRefunds } from '#features/payments/refunds/follow-refunds.server.ts'
import { startSimulator } from '#features/payments/testing/start-simulator.ts'
import { type Db, openDb } from '#lib/db/db.server.ts'
import { LONG_TIMEOUTS } from '#test/clone.ts'
import { newDatabase } from '#test/db.ts'
import { countStock } from '#test/invariants.ts'
import { expectLedger } from '#test/ledger-checks.ts'
import { shared } from '#test/shared.ts'
import { startServer, type TestShop } from '#test/start-server.ts'
import * as account from './account.ts'
import * as admin from './admin.ts'
import { wrongDues } from './dues.ts'
import * as money from './money.ts'
import * as pos from './pos.ts'
import * as shoppers from './shoppers.ts'
import { unknownPayments } from './taken-money.ts'
import { addAnimal, buildWorld, pick, type World } from './world.ts'

// The database fails writes at random while shoppers, staff and the gateway act concurrently. Each command is done whole or not at all, and
// every taka that the gateway took is in the ledger, in a review or in a refund. FAILING_SECONDS sets the duration.

const SECONDS = Number(process.env.FAILING_SECONDS ?? 8)
const MAX_CONCURRENT = 8
/** A slow machine goes on after the duration until so many kinds of actions have succeeded, at most so many actions. */
const MIN_SUCCEEDED = 12
const MAX_ACTIONS = 3000
/** The error codes: a fault, a deadlock, a full memory, a timeout, a conflict of transactions. */
const CODES = `array['XX000', '40P01', '53200', '57014', '40001']`
const TABLES =
  'orders order_lines order_events ledger_entries products stock_movements animal_holds returned_animals payment_attempts gateway_events gateway_refunds advance_reports ' +
  'settlements weigh_ins sms_outbox audit_log pos_sales pos_returns pos_return_lines pos_cash_movements account_sales account_payments store_credit_entries'

let db: Db
let shops: [TestShop, TestShop]
await shared('pages')
const simulator = await startSimulator({ timeoutMs: 10_000 })
afterAll(() => simulator.close())

/** A second try begins with an empty shop too. */
beforeEach(async () => {
  const { url, drop } = await newDatabase()
  const opened = openDb(url, { max: 12, ...LONG_TIMEOUTS })
  db = opened.db
  shops = [await startServer({ databaseUrl: url, max: 12 }), await startServer({ databaseUrl: url, max: 12 })]
  return async () => {
    await Promise.all(shops.map(({ close }) => close()))
    await opened.close()
    await drop()
  }
})

async function failSome(percent: number): Promise<void> {
  const code =
    percent === 0
      ? ''
      : `if random() * 100 < ${percent} then perform nextval('injected'); raise exception 'injected' using errcode = (${CODES})[1 + floor(random() * 5)::int]; end if;`
  await sql
    .raw(`create or replace function fail_some() returns trigger language plpgsql as $f$ begin ${code} return null; end $f$`)
    .execute(db)
}

const minutes = (count: number) => shops.forEach(({ clock }) => (clock.now = new Date(clock.now.getTime() + count * 60_000)))

async function runJobs(): Promise<void> {
  for (const { deps } of shops) {
    await reconcilePayments(deps, { limit: 1000 })
    await followRefunds(deps)
    await expireOrders({ ...deps, catalogChanged: () => deps.catalogRevision.advance() })
  }
}

/** The number of kinds of actions that have succeeded. */
const succeeded = ({ tried }: World) => [...tried.values()].filter((answers) => answers.has(200)).length

const passMinutes = async () => minutes(1)
const ACTIONS: ((world: World) => Promise<void>)[] = [
  shoppers.orderAsGuest,
  shoppers.orderAsGuest,
  shoppers.orderWithCoupon,
  shoppers.payAtGateway,
  shoppers.payAtGateway,
  shoppers.payAgain,
  shoppers.reportAdvance,
  shoppers.cancelOwn,
  admin.takePhoneOrder,
  admin.editOrder,
  admin.moveOrders,
  admin.recordMoney,
  admin.decideAdvance,
  admin.weigh,
  admin.settle,
  admin.mergeCustomers,
  pos.sell,
  pos.takeBack,
  pos.changeShift,
  money.lie,
  money.adjust,
  money.unadjust,
  money.returnInAdmin,
  money.refundDue,
  money.payIntoDrawer,
  money.refundByGateway,
  money.followOrResolve,
  money.decideReview,
  money.movePhone,
  money.changeMethod,
  account.sellOnAccount,
  account.payOnAccount,
  account.creditReturn,
  account.exchange,
  addAnimal,
  runJobs,
  passMinutes,
]

it('statements that fail leave orders, stock and money whole', { timeout: (SECONDS + 120) * 1000 }, async () => {
  const world = await buildWorld(db, shops, simulator)
  const before = await countStock(db)
  // Counts the failures: a sequence is not rolled back.
  await sql`create sequence injected`.execute(db)
  await failSome(6)
  for (const table of TABLES.split(' '))
    await sql
      .raw(`create trigger fail_some before insert or update or delete on ${table} for each statement execute function fail_some()`)
      .execute(db)
  const end = Date.now() + SECONDS * 1000
  const ended: unknown[] = []
  let actions = 0
  await Promise.all(
    Array.from({ length: MAX_CONCURRENT }, async () => {
      while (Date.now() < end || (actions < MAX_ACTIONS && succeeded(world) < MIN_SUCCEEDED)) {
        actions += 1
        await pick(ACTIONS)(world).catch((error: unknown) => void ended.push(error))
      }
    }),
  )
  await failSome(0)
  await simulator.faults({ notify: 'never' })
  for (let times = 0; times < 6; times++) {
    minutes(40)
    await runJobs()
  }
  expect(world.problems.filter((problem) => !/: 50[023] /.test(problem))).toEqual([])
  const failures = shops.flatMap((shop) => shop.failures)
  expect(failures.filter((line) => !line.includes('injected'))).toEqual([])
  const { rows } = await sql<{ count: number }>`select last_value as count from injected`.execute(db)
  expect(rows[0]!.count).toBeGreaterThan(5)
  // A failed statement of the test's own may end an action, and nothing else may.
  expect(ended.filter((error) => !(error instanceof Error && error.message.includes('injected')))).toEqual([])
  expect(succeeded(world)).toBeGreaterThanOrEqual(MIN_SUCCEEDED)
  await expectLedger(db, before)
  expect(await unknownPayments(world)).toEqual([])
  // The clock has passed the end of the sessions.
  const [manager] = world.managers
  manager!.at[0].clearToken()
  await manager!.at[0].signIn(manager!.phone)
  expect(await wrongDues({ ...world, managers: [manager!] }, 15)).toEqual([])
})
