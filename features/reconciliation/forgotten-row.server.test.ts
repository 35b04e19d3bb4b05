import { RawNode, sql } from 'kysely'
import { expect, it } from 'vitest'
import { inTransaction } from '#lib/db/db.server.ts'
import { addDays } from '#lib/format/time.ts'
import { testDb } from '#test/db.ts'
import { openShop } from '#test/request.ts'
import { matchRows } from './match-rows.server.ts'
import { bkashFile, openStatementShop } from './testing/statement-shop.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const { entry, account, upload, manager } = await openStatementShop(db, shop)

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  Plans?: Plan[]
}

/** The rows of the ledger that a plan reads. */
const ledgerRows = (plan: Plan): number => {
  const own = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
  const below = (plan.Plans ?? []).reduce((sum, one) => sum + ledgerRows(one), 0)
  return plan['Relation Name'] === 'ledger_entries' ? own + below : below
}

/** The rows of the node of a plan that has the most in all its loops, those that a join left out included. */
const mostRows = (plan: Plan): number =>
  Math.max(
    (plan['Actual Rows'] + (plan['Rows Removed by Join Filter'] ?? 0)) * plan['Actual Loops'],
    ...(plan.Plans ?? []).map((one) => mostRows(one)),
  )

/** The plans of the statements that match the rows of an account, by transaction ID and by amount, as they were carried out. */
async function plansOf(id: number, setting = ''): Promise<Plan[]> {
  const plans: Plan[] = []
  const explained = db.withPlugin({
    transformQuery: ({ node }) =>
      RawNode.is(node) && node.sqlFragments[0]?.includes('insert into statement_matches')
        ? { ...node, sqlFragments: [`explain (analyze, format json) ${node.sqlFragments[0]}`, ...node.sqlFragments.slice(1)] }
        : node,
    async transformResult({ result }) {
      for (const row of result.rows) if ('QUERY PLAN' in row) plans.push((row['QUERY PLAN'] as { Plan: Plan }[])[0]!.Plan)
      return result
    },
  })
  await inTransaction(explained, async (tx) => {
    if (setting !== '') await sql`set local ${sql.raw(setting)}`.execute(tx)
    await matchRows(tx, { id, method: 'bkash' }, manager.id, new Date())
  })
  expect(plans).toHaveLength(2)
  return plans
}

it('a row that stays open for a year does not make the next matching read the ledger of the year', async () => {
  const first = await entry(1, { reference: 'BKX0000000' })
  await sql`insert into ledger_entries (order_id, kind, method, amount_poisha, reference, at)
    select order_id, 'advance', 'bkash', 5000, 'REF' || n, '2025-11-25T12:00:00+06:00'::timestamptz + n * interval '4 hours'
    from ledger_entries, generate_series(1, 2000) n where id = ${first}`.execute(db)
  await sql`analyze ledger_entries`.execute(db)
  const id = await account('bKash')
  await upload(id, bkashFile([['2025-11-24', 'BKX0000001', 77]]))
  await upload(id, bkashFile([['2026-11-20', 'BKX0000002', 77]]))
  const [, byAmount] = await plansOf(id, 'enable_seqscan = off')
  expect(ledgerRows(byAmount!)).toBeLessThan(50)
})

it('the days of many open rows are not multiplied by the entries of the ledger', async () => {
  const id = await account('bKash of years')
  const days = Array.from({ length: 300 }, (_, n) => addDays('2025-12-01', n))
  await upload(id, bkashFile(days.map((day, n) => [day, `BKY${String(n).padStart(7, '0')}`, 78])))
  await sql`analyze statement_rows, ledger_entries`.execute(db)
  const [, byAmount] = await plansOf(id)
  const entries = (await sql`select 1 from ledger_entries`.execute(db)).rows.length
  expect(entries).toBeGreaterThan(2000)
  expect(mostRows(byAmount!)).toBeLessThan(3 * entries)
})
