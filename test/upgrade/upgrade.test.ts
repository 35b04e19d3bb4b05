import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { completeDemo } from '#db/demo/complete-demo.ts'
import { findBroken } from '#db/invariants/find-broken.ts'
import { LEDGER_INVARIANTS } from '#db/invariants/ledger-invariants.ts'
import { ORDER_INVARIANTS } from '#db/invariants/order-invariants.ts'
import { openDb } from '#lib/db/db.server.ts'
import { newDatabase } from '#test/db.ts'
import { migrate } from '#server/migrate.ts'
import { fillWithRelease, readRelease } from './release-0-1-0.ts'
import { EMPTIED_TABLES, RENAMED, sumsAfter, sumsBefore } from './sums.ts'

// A database of release 0.1.0 with orders in every status upgrades to today's schema, and every sum stays the same.

const database = await newDatabase({ template: 'template1' })
await fillWithRelease(database.url)
const client = new pg.Client({ connectionString: database.url })
await client.connect()
afterAll(async () => {
  await client.end()
  await database.drop()
})

const query = async (text: string) => (await client.query({ text, rowMode: 'array' })).rows
const { tables } = await readRelease()
// The upgrade happens once, also when a test is tried again.
const before = await sumsBefore(query)

it('holds orders in every status and from every source, and rows in every table that an order needs', async () => {
  const distinct = async (column: string) => (await query(`select distinct ${column} from orders order by 1`)).flat()
  expect(await distinct('status')).toEqual(
    (
      await query(
        `select unnest(array['placed', 'processing', 'on_delivery', 'delivered', 'completed', 'cancelled', 'returned']) order by 1`,
      )
    ).flat(),
  )
  expect(await distinct('source')).toEqual(expect.arrayContaining(['admin', 'pos', 'web']))
  for (const [name, rows] of Object.entries(before)) expect(rows.length, name).toBeGreaterThan(0)
})

it('upgrades with all sums and all rows', async () => {
  await migrate(database.url)
  expect(await sumsAfter(query)).toEqual(before)
  const counts: Record<string, number> = {}
  for (const [table, { rows }] of Object.entries(tables)) if (!EMPTIED_TABLES.includes(table)) counts[table] = rows.length
  const found: Record<string, number> = {}
  for (const table of Object.keys(counts)) found[table] = Number((await query(`select count(*) from "${RENAMED[table] ?? table}"`))[0]?.[0])
  const [[added] = []] = await query(
    'select count(*)::int from stock_movements m join orders o on o.id = m.order_id where m.at = o.placed_at',
  )
  // Migrations add the user of sales without a phone, the refund limits of cashiers under their new key, and movements of the demo's orders.
  expect(found).toEqual({
    ...counts,
    users: counts.users! + 1,
    settings: counts.settings! + 1,
    stock_movements: counts.stock_movements! + Number(added),
  })
  const limits = (key: string) => query(`select value from settings where key = '${key}'`)
  expect(await limits('pos_return')).toEqual(await limits('till_return'))
})

let completed: Promise<boolean> | undefined

it('breaks no rule of the check after the next start of its demo', async () => {
  const { db, close } = openDb(database.url, { max: 1 })
  try {
    completed ??= completeDemo(db, 'http://127.0.0.1')
    expect(await completed).toBe(true)
    expect(await findBroken(db, { ...ORDER_INVARIANTS, ...LEDGER_INVARIANTS })).toEqual({})
  } finally {
    await close()
  }
})
