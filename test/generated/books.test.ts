import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildCategory } from '#test/factories.ts'
import { countStock } from '#test/invariants.ts'
import { expectLedger } from '#test/ledger-checks.ts'
import { openShop } from '#test/request.ts'
import { expectBooks } from './books-pages.ts'
import { BOOK_STEPS, readCategories } from './books-steps.ts'
import { Dice, stepsOf, weighted } from './dice.ts'
import { runSteps } from './run-steps.ts'
import { COUNTER_STEPS } from './stock-counter.ts'
import { FARM_STEPS } from './stock-farm.ts'
import { ORDER_STEPS } from './stock-orders.ts'
import { openStockShop } from './stock-shop.ts'

// Generated weeks of all channels, across midnight in Dhaka, the end of a month and of a year. Every report of a period is the plain sum of its rows.

const STEPS = { ...ORDER_STEPS, ...COUNTER_STEPS, ...FARM_STEPS, ...BOOK_STEPS }
/** The relative frequency of each step. */
const WEIGHTS: Partial<Record<keyof typeof STEPS, number>> = {
  webOrder: 8,
  expire: 1,
  phoneOrder: 6,
  edit: 5,
  move: 22,
  pay: 10,
  changeOwn: 4,
  moveAll: 1,
  sell: 8,
  sellLate: 4,
  takeBack: 5,
  returnInAdmin: 5,
  exchange: 5,
  takeBackWithoutReceipt: 4,
  count: 10,
  weigh: 6,
  settle: 6,
  offer: 4,
  release: 4,
  refund: 8,
  adjust: 6,
  reverse: 3,
  sellOnAccount: 5,
  payAccount: 4,
  closeShift: 3,
  aggregate: 8,
}
const FIRST = '2026-12-29'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const world = await openStockShop(db, shop)
for (let n = 0; n < 6; n++)
  await sql`insert into users (name, phone, credit_limit_poisha) values ('Rahim', ${`017${30_000_000 + n}`}, 900000000)
    on conflict do nothing`.execute(db)
const before = await countStock(db)
before.delete(world.seldomCounted)
const categories = await readCategories(world)
const others = [await buildCategory(db, { name_en: 'Sweets' }), await buildCategory(db, { name_en: 'Gifts' })].map(({ id }) => id)

afterAll(async () => {
  expect(shop.failures).toEqual([])
  await expectLedger(db, before)
})

/** Some hours later, in which the staff did not sign in again. */
async function wait(dice: Dice): Promise<void> {
  if (dice.chance(60)) shop.clock.now = new Date(shop.clock.now.getTime() + dice.below(5 * 3_600_000))
  await sql`update sessions set last_seen_at = ${shop.clock.now}, expires_at = ${shop.clock.now}::timestamptz + interval '1 day'`.execute(
    db,
  )
}

/** A product gets another category; the database has another clock than the shop. */
async function moveToCategory(dice: Dice): Promise<void> {
  const { id } = dice.pick(world.products)
  const category = dice.pick(others)
  const from = new Date(shop.clock.now.getTime() + 1)
  const { rows } = await sql<{ was: Date }>`select now() as was`.execute(db)
  await sql`update products set category_id = ${category} where id = ${id}`.execute(db)
  await sql`update past_categories set until = ${from} where product_id = ${id} and until between ${rows[0]!.was} and now()`.execute(db)
  categories.get(id)!.push({ from, category })
}

it('every report of a period is the sum of its rows', { timeout: 900_000 }, async () => {
  shop.clock.now = new Date(`${FIRST}T05:00:00Z`)
  const names = weighted(WEIGHTS as Record<keyof typeof STEPS, number>)
  await wait(new Dice(0))
  await runSteps({
    db,
    clock: shop.clock,
    count: stepsOf(90),
    names,
    take: (name, dice) => STEPS[name](world, dice),
    refusals: [303, 400, 404, 409, 410, 422],
    silent: ['expire', 'moveAll'],
    check: async (at) => {
      const dice = new Dice(at + 900_000)
      if (dice.chance(15)) await moveToCategory(dice)
      if (at % 10 === 9) await expectBooks(world, categories, FIRST, at)
      await wait(dice)
    },
  })
})
