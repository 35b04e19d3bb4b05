import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { type HoldReason, MOVEMENTS, nextProductState, type ProductStatus } from './rules.ts'

const { db } = await testDb()

const STATUSES: ProductStatus[] = ['in-stock', 'pre-book', 'hold', 'out-of-stock', 'sold']
const HOLD_REASONS: (HoldReason | null)[] = [null, 'booked', 'soon', 'returned']

it('the transition tables of SQL and TypeScript agree on every state', async () => {
  const cases = MOVEMENTS.flatMap((movement) =>
    [true, false].flatMap((isAnimal) =>
      STATUSES.flatMap((status) =>
        HOLD_REASONS.flatMap((holdReason) => [null, 0, 1000, 250_000].map((stock) => ({ movement, isAnimal, status, holdReason, stock }))),
      ),
    ),
  )
  const { rows } = await sql<{ status: string; holdReason: string | null }>`
    select s.status, s.hold_reason as "holdReason"
    from jsonb_array_elements(${JSON.stringify(cases)}::jsonb) with ordinality as c(state, n),
      jsonb_to_record(c.state) as x(movement text, "isAnimal" boolean, status text, "holdReason" text, stock bigint),
      next_product_state(x.movement, x."isAnimal", x.status, x."holdReason", x.stock) s order by c.n`.execute(db)
  expect(rows.map((row, index) => ({ ...cases[index], next: row }))).toEqual(
    cases.map(({ movement, stock, ...state }) => ({ movement, stock, ...state, next: nextProductState(movement, state, stock) })),
  )
})

/** The demo releases the stock of deleted orders through the same SQL functions, and writes the movements of its past orders. */
const WRITERS = ['db/demo/add-traces.ts', 'db/demo/clear-demo.ts', 'db/demo/complete-demo.ts', 'features/stock/stock.server.ts']

it('only features/stock writes stock movements, stock, status or hold reason of products', () => {
  const root = path.resolve(import.meta.dirname, '../..')
  const files = ['features', 'server', 'site', 'db', 'lib'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  const writers = files.filter((file) => {
    if (!/\.tsx?$/.test(file) || /\.test\.tsx?$|\/testing\//.test(file)) return false
    const text = readFileSync(path.join(root, file), 'utf8')
    return /insert into stock_movements|update products[^`;]*\bset\b[^`;]*\b(stock_milli|status|hold_reason) *=|move_stock|sync_order_stock/s.test(
      text,
    )
  })
  expect(writers.toSorted()).toEqual(WRITERS)
})
