import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { reconcilePayments } from '#features/payments/commands/reconcile-payments.server.ts'
import { followRefunds } from '#features/payments/refunds/follow-refunds.server.ts'
import type { Attempt } from '#features/payments/queries.server.ts'
import { type SnakeCased, toCamel } from '#lib/db/rows.ts'
import { testDb } from '#test/db.ts'
import { countStock } from '#test/invariants.ts'
import { expectLedger } from '#test/ledger-checks.ts'
import { openShop } from '#test/request.ts'
import { expectBooks } from './books-pages.ts'
import { expectLists } from './books-lists.ts'
import { BOOK_STEPS, readCategories } from './books-steps.ts'
import { readBooks } from './books-sums.ts'
import { Dice, stepsOf, weighted } from './dice.ts'
import { ONLINE_ORDER_STEPS, openOnlineShop } from './online-shop.ts'
import { ONLINE_STEPS } from './online-steps.ts'
import { runSteps } from './run-steps.ts'
import { COUNTER_STEPS } from './stock-counter.ts'
import { FARM_STEPS } from './stock-farm.ts'
import { ORDER_STEPS } from './stock-orders.ts'

// Generated weeks of payments that come late, twice, in another amount or after the end of their order, by gateway, transfer and store credit, while
// customers are merged, moved and erased. Pages agree with plain sums, and the ledger with what customers have sent.

const STEPS = { ...ORDER_STEPS, ...COUNTER_STEPS, ...FARM_STEPS, ...BOOK_STEPS, ...ONLINE_ORDER_STEPS, ...ONLINE_STEPS }
/** The relative frequency of each step. */
const WEIGHTS: Partial<Record<keyof typeof STEPS, number>> = {
  orderOnline: 18,
  payAgain: 5,
  payPage: 16,
  report: 8,
  decide: 9,
  recordTransfer: 4,
  reviewPayment: 6,
  reconcile: 5,
  refundAtGateway: 5,
  follow: 3,
  takeBackAsCredit: 6,
  sellForCredit: 5,
  movePhone: 6,
  merge: 2,
  erase: 2,
  expire: 3,
  changeOwn: 3,
  edit: 3,
  move: 24,
  moveAll: 1,
  pay: 3,
  returnInAdmin: 3,
  weigh: 6,
  settle: 8,
  refund: 5,
  adjust: 4,
  reverse: 2,
  sellOnAccount: 4,
  payAccount: 2,
}
const FIRST = '2026-12-29'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
shop.clock.now = new Date(`${FIRST}T05:00:00Z`)
const world = await openOnlineShop(db, shop, FIRST)
for (let n = 0; n < 6; n++)
  await sql`insert into users (name, phone, credit_limit_poisha) values ('Rahim', ${`017${30_000_000 + n}`}, 900000000)
    on conflict do nothing`.execute(db)
const before = await countStock(db)
before.delete(world.seldomCounted)
const categories = await readCategories(world)

afterAll(async () => {
  expect(shop.failures).toEqual([])
  await expectLedger(db, before)
  await world.simulator.close()
})

const stayLoggedIn = () =>
  sql`update sessions set last_seen_at = ${shop.clock.now}, expires_at = ${shop.clock.now}::timestamptz + interval '1 day'`.execute(db)

async function wait(hours: number): Promise<void> {
  shop.clock.now = new Date(shop.clock.now.getTime() + hours * 3_600_000)
  await stayLoggedIn()
}

/** Transfers and store credit as the answers of the staff say. */
async function expectSent(): Promise<void> {
  const { rows } = await sql<{ key: string; amount: number }>`select method || ' ' || reference as key, amount_poisha::float8 as amount
    from ledger_entries where reference ~ '^(SENT|TRX)' order by 1`.execute(db)
  expect(rows).toEqual([...world.transfers].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, amount]) => ({ key, amount })))
  const { rows: credit } = await sql<{
    credit: number
  }>`select coalesce(sum(store_credit_balance(id)), 0)::float8 as credit from users`.execute(db)
  expect(credit[0]!.credit).toBe(world.credit)
}

/** What a gateway took for each order is in its ledger, in a review, or was sent back by a refusal. */
async function expectTaken(): Promise<void> {
  const { rows: attempts } = await sql<
    SnakeCased<Attempt>
  >`select id, order_id, gateway, tran_id, gateway_ref, amount_poisha, state, is_rest, redirect_url,
    failure, created_at from payment_attempts where gateway_ref is not null order by id`.execute(db)
  for (const attempt of attempts.map(toCamel<Attempt>)) {
    const outcome = await shop.deps.gateways[attempt.gateway]!.query(attempt)
    const taken = outcome.state === 'paid' ? [outcome, ...outcome.extra] : []
    for (const { gatewayTxn, amountPoisha } of taken) {
      const { rows } = await sql<{ known: number }>`select ((select coalesce(sum(amount_poisha), 0) from ledger_entries
          where method = ${attempt.gateway} and reference = ${gatewayTxn} and kind = 'gateway')
        + (select coalesce(sum(amount_poisha), 0) from gateway_refunds where gateway = ${attempt.gateway} and gateway_txn = ${gatewayTxn} and not in_ledger))::float8 as known`.execute(
        db,
      )
      expect([attempt.orderId, attempt.state, attempt.state === 'review' ? amountPoisha : rows[0]!.known]).toEqual([
        attempt.orderId,
        attempt.state,
        amountPoisha,
      ])
    }
  }
}

const NAMES = weighted(WEIGHTS as Record<keyof typeof STEPS, number>)

it('every report is the sum of its rows, and every transfer is recorded once', { timeout: 900_000 }, async () => {
  await wait(0)
  await runSteps({
    db,
    clock: shop.clock,
    count: stepsOf(120),
    names: NAMES,
    take: (name, dice) => STEPS[name](world, dice),
    refusals: [303, 400, 403, 404, 409, 410, 422, 502],
    silent: ['expire', 'moveAll', 'payPage', 'payAgain', 'changeOwn', 'reconcile', 'follow', 'erase'],
    check: async (at) => {
      const dice = new Dice(at + 900_000)
      await expectSent()
      if (at % 15 === 14) {
        await expectBooks(world, categories, FIRST, at)
        await expectLists(world, await readBooks(db))
      }
      await wait(dice.chance(50) ? dice.below(4) : 0)
    },
  })
})

it('no payment at a gateway is lost', async () => {
  for (let n = 0; n < 30; n++) {
    await wait(1)
    await reconcilePayments(shop.deps)
    await followRefunds(shop.deps)
  }
  await expectTaken()
})
