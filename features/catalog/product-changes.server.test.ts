import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildProduct } from '#test/factories.ts'

const { db } = await testDb()

const NOT_SHOWN = [
  'id',
  'stock_milli',
  'search_text',
  'version',
  'created_at',
  'updated_at',
  'availability_rank',
  'archived_at',
  'is_low_stock',
  'changed_xid',
  'sold_out_as',
]

it.each(['products_change', 'products_shown_change'])('%s watches every column that shoppers see', async (trigger) => {
  const { rows } = await sql<{ column: string }>`
    select a.attname as column from pg_attribute a join pg_trigger t on t.tgrelid = a.attrelid
    where t.tgname = ${trigger} and a.attnum > 0 and not a.attisdropped and not a.attnum = any(t.tgattr::int2[])`.execute(db)
  expect(rows.map(({ column }) => column).toSorted()).toEqual(NOT_SHOWN.toSorted())
})

it.each([
  ['the month of birth', sql`birth_month = '2022-03-01'`, 1],
  ['the season', sql`season = 'kurbani'`, 1],
  ['the way of selling', sql`sold_by_live_weight = true`, 1],
  ['the price', sql`price_poisha = price_poisha + 100`, 1],
  ['the stock', sql`stock_milli = 7000`, 0],
  ['no value', sql`season = season, name_en = name_en`, 0],
])('a change of %s raises the version or not', async (_what, change, versions) => {
  const product = await buildProduct(db, { stock_milli: 9000 })
  await sql`update products set ${change} where id = ${product.id}`.execute(db)
  const { rows } = await sql<{ version: number }>`select version from products where id = ${product.id}`.execute(db)
  expect(rows[0]?.version).toBe(1 + versions)
})
