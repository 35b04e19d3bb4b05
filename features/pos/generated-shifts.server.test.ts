import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { listDays } from '#features/reconciliation/queries.server.ts'
import { listPaymentDays } from '#features/reports/payments-by-day.server.ts'
import { testDb } from '#test/db.ts'
import { countStock } from '#test/invariants.ts'
import { expectLedger } from '#test/ledger-checks.ts'
import { openShop } from '#test/request.ts'
import { readDayReport, readShiftSums } from './day-report.server.ts'
import { drawersOf } from './drawer-rules.ts'
import { differenceToLedger } from './rules.ts'
import { cashInDrawer, findOpenShift, findShift, listShifts, sumShift } from './shift-queries.server.ts'
import {
  closeShift,
  exchange,
  METHODS,
  moveCash,
  openCounterShop,
  openShift,
  payOnAccount,
  type Register,
  type Rolls,
  sell,
  takeBack,
  takeBackWithoutReceipt,
} from './testing/counter-shop.ts'

// Generated sales, returns, exchanges, payments on account and cash movements at two registers. What the test counts by hand is the ledger, the
// Z reports, the day report, the drawers, the payments by day, and the books of a statement account, in every method to the poisha.

const DAY = '2026-11-20'
const STEPS = 150
const SCOPE = { cashierId: null, isBlind: false }

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
shop.clock.now = new Date('2026-11-20T03:00:00Z')
const counter = await openCounterShop(db, shop)
const stock = await countStock(db)
/** The money that left with closed shifts, beside the drawers' opening cash and movements. */
const closed: { id: number; counted: Register['counted'] }[] = []

afterAll(async () => {
  await expectLedger(db, stock)
  expect(shop.failures).toEqual([])
})

/** The report computes the cash of a drawer in SQL; what may leave it, and the closing, in `cashInDrawer`. */
async function expectSameCash({ shiftId, who }: Register): Promise<void> {
  const open = (await findOpenShift(db, who.id))!
  const shown = (await findShift(db, shiftId, SCOPE))!.methods.find(({ method }) => method === 'cash')
  expect(shown!.expected! * 100).toBe(cashInDrawer(open, await sumShift(db, shiftId)))
}

/** Closes the shift and opens the next one at this register with the cash that is in the drawer. */
async function changeShift(register: Register): Promise<void> {
  const answer = await closeShift(register)
  expect(answer.status, answer.text).toBe(200)
  closed.push({ id: register.shiftId, counted: register.counted })
  await openShift(register, register.counted.cash)
}

const ACTIONS = { sell, takeBack, exchange, payOnAccount, moveCash, takeBackWithoutReceipt }
const action = fc.constantFrom<(keyof typeof ACTIONS)[]>(
  ...(['sell', 'sell', 'sell', 'takeBack', 'takeBack', 'exchange', 'payOnAccount', 'moveCash', 'takeBackWithoutReceipt'] as const),
)
const roll = fc.integer({ min: 0, max: 999 }).map((number) => number / 1000)
const step = fc.record({ action, register: fc.constantFrom(0, 1), rolls: fc.array(roll, { minLength: 16, maxLength: 16 }) })
const steps = fc.sample(step, { numRuns: STEPS, seed: 7 })

it('every shift closes without a difference to what was counted by hand', { timeout: 300_000 }, async () => {
  for (const [at, { action: name, register: index, rolls }] of steps.entries()) {
    shop.clock.now = new Date(shop.clock.now.getTime() + 20_000)
    const register = counter.registers[index]!
    const run: (shop: typeof counter, register: Register, rolls: Rolls) => Promise<void> = ACTIONS[name]
    await run(counter, register, rolls).catch((error: unknown) => {
      throw new Error(`step ${at}: ${JSON.stringify({ name, index, rolls })}`, { cause: error })
    })
    await expectSameCash(register)
    if (at % 40 === 39) await changeShift(register)
  }
  // All that was sold comes back: what is left of each sale is refunded to the poisha.
  for (const id of counter.sales) await takeBack(counter, counter.registers[id % 2]!, steps[id % STEPS]!.rolls, id)
  for (const register of counter.registers) {
    const answer = await closeShift(register)
    expect(answer.status, answer.text).toBe(200)
    closed.push({ id: register.shiftId, counted: register.counted })
  }
})

it('the Z report of each shift has what was counted, and agrees with its sums', async () => {
  const numbers: (number | null)[] = []
  for (const { id, counted } of closed) {
    const shift = (await findShift(db, id, SCOPE))!
    numbers.push(shift.z_number)
    const shown = shift.methods.map(({ method, expected, counted: typed }) => [method, expected, typed])
    expect(shown).toEqual(METHODS.map((method) => [method, counted[method] / 100, counted[method] / 100]))
    const sums = await readShiftSums(db, id, 'en')
    expect(differenceToLedger(sums)).toBe(0)
    const cashMoves = Math.round((shift.opening_cash + shift.cash_in - shift.cash_out) * 100)
    for (const { method, taken, given } of sums.methods)
      expect([method, taken - given + (method === 'cash' ? cashMoves : 0)]).toEqual([method, counted[method as (typeof METHODS)[number]]])
  }
  expect(numbers).toEqual(closed.map((_, at) => at + 1))
})

it('day report, drawers, payments by day and the books of a statement account have the same sums', async () => {
  const { rows: ledger } = await sql<{ method: string; poisha: number }>`
    select method, sum(amount_poisha)::bigint as poisha from ledger_entries where method = any(${[...METHODS]}::text[]) group by 1`.execute(
    db,
  )
  const inLedger = Object.fromEntries(ledger.map(({ method, poisha }) => [method, poisha]))
  const shifts = await listShifts(db, DAY, SCOPE)
  const moves = shifts.reduce((sum, shift) => sum + Math.round((shift.opening_cash + shift.cash_in - shift.cash_out) * 100), 0)
  const byHand = Object.fromEntries(
    METHODS.map((method) => [method, closed.reduce((sum, { counted }) => sum + counted[method], 0) - (method === 'cash' ? moves : 0)]),
  )
  expect(inLedger).toEqual(byHand)

  const report = await readDayReport(db, DAY, 'en')
  expect(differenceToLedger(report)).toBe(0)
  expect(Object.fromEntries(report.methods.map(({ method, taken, given }) => [method, taken - given]))).toEqual(byHand)

  const days = await listPaymentDays(db, { from: DAY, to: DAY })
  const paid = Object.fromEntries(days.map(({ method, total_poisha }) => [method, total_poisha]))
  expect(paid).toMatchObject(byHand)
  for (const method of ['bkash', 'bank', 'nagad'] as const)
    expect(await listDays(db, { id: 1, method }, { from: DAY, to: DAY })).toMatchObject([{ books_poisha: byHand[method] }])

  for (const { day, shifts: ofDrawer } of drawersOf(shifts)) {
    expect([day.difference, day.between]).toEqual([0, 0])
    expect(day.expected).toBe(ofDrawer.at(-1)!.counted)
  }
})

it('nothing is left of the sales, and every kind of step was taken', async () => {
  const { rows } = await sql<{ id: number }>`select id from orders o where source = 'pos'
    and (status <> 'returned' or amount_due(o) <> 0 or amount_received(o) <> 0)`.execute(db)
  expect(rows).toEqual([])
  const kinds = [
    'sale',
    'coupon',
    'line discount',
    'on account',
    'store credit spent',
    'store credit given',
    'return',
    'return without receipt',
  ]
  const rest = ['exchange for more', 'exchange for less', 'account payment', 'cash movement']
  for (const kind of [...kinds, ...rest]) expect([kind, (counter.done[kind] ?? 0) > 2]).toEqual([kind, true])
})
