import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { differenceToLedger } from '#features/pos/rules.ts'
import { drawersOf } from '#features/pos/drawer-rules.ts'
import { readDayReport, readShiftSums } from '#features/pos/day-report.server.ts'
import { cashInDrawer, findOpenShift, listShifts, sumShift } from '#features/pos/shift-queries.server.ts'
import { listPaymentDays } from '#features/reports/payments-by-day.server.ts'
import { testDb } from '#test/db.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { expectLedger } from '#test/ledger-checks.ts'
import { openShop } from '#test/request.ts'
import { closeShift, COUNTER_CASH_STEPS, CREDIT_LIMIT, openCashShop, owed, reopenDrawers, shiftText } from './cash-shop.ts'
import { CASH_ORDER_STEPS } from './cash-orders.ts'
import { stepsOf, weighted } from './dice.ts'
import { runSteps } from './run-steps.ts'

// Generated cash of three drawers, some steps two at once: sales, late sales of a device, returns, cash on delivery that a courier hands over,
// payments and refunds of orders, accounts, cash movements and closings. What the answers say is in each drawer, and a closed shift never changes.

const CASH_STEPS = { ...COUNTER_CASH_STEPS, ...CASH_ORDER_STEPS }
/** The relative frequency of each step. */
const WEIGHTS: Record<keyof typeof CASH_STEPS, number> = {
  sell: 10,
  sellOffline: 6,
  deliver: 6,
  takeBack: 8,
  moveCash: 5,
  phoneOrder: 8,
  courier: 6,
  moveOrder: 12,
  orderCash: 9,
  onAccount: 5,
  payAccount: 3,
  close: 6,
}
const CASH_STEP_NAMES = weighted(WEIGHTS)
const DAY = '2026-11-20'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const world = await openCashShop(db, shop)
const before = await countStock(db)

afterAll(async () => {
  expect(shop.failures).toEqual([])
  await expectLedger(db, before)
})

/** Counted by hand and expected by the shop, for each open drawer; and the closed shifts that changed. */
async function expectDrawers(): Promise<void> {
  for (const { name, who, shiftId, cash, bkash } of world.drawers) {
    const shift = (await findOpenShift(db, who.id))!
    const totals = await sumShift(db, shift.id)
    expect([name, shift.id, cashInDrawer(shift, totals), totals.methods.bkash ?? 0]).toEqual([name, shiftId, cash, bkash])
  }
}

it('each drawer has what the answers say', { timeout: 600_000 }, async () => {
  await runSteps({
    db,
    clock: shop.clock,
    count: stepsOf(80),
    names: CASH_STEP_NAMES,
    take: (name, dice) => CASH_STEPS[name](world, dice),
    refusals: [404, 409, 410, 422],
    check: async (at) => {
      await reopenDrawers(world)
      await expectDrawers()
      expect(await owed(world)).toBeLessThanOrEqual(CREDIT_LIMIT)
      if (at % 5 === 0) await expectInvariants(db, before)
    },
  })
})

it('every shift closes without a difference, and no closed one has changed', async () => {
  for (const drawer of world.drawers) {
    const answer = await closeShift(world, drawer)
    expect(answer.status, answer.text).toBe(200)
  }
  for (const [id, report] of world.closed) {
    expect(await shiftText(db, id)).toBe(report)
    expect([id, differenceToLedger(await readShiftSums(db, id, 'en'))]).toEqual([id, 0])
  }
  const [paid] = await listPaymentDays(db, { from: DAY, to: DAY }).then((days) => days.filter(({ method }) => method === 'cash'))
  const { rows } = await sql<{ cash: number }>`select sum(amount_poisha)::float8 as cash from ledger_entries where method = 'cash'`.execute(
    db,
  )
  expect(paid!.total_poisha).toBe(rows[0]!.cash)
  const shifts = await listShifts(db, DAY, { cashierId: null, isBlind: false })
  expect(differenceToLedger(await readDayReport(db, DAY, 'en'))).toBe(0)
  for (const { day } of drawersOf(shifts)) expect([day.difference, day.between]).toEqual([0, 0])
})
