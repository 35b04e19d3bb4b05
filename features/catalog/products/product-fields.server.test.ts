import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { FIELD_LIST, STORED_FIELDS } from './field-values.ts'
import { blankProduct } from './blank-product.ts'

const { db } = await testDb()

/** Columns that no form sets directly: identity, stock, the last weighing, the state of the row, and derived values. */
const NOT_FIELDS = [
  'id',
  'is_unique',
  'stock_milli',
  'weight_grams',
  'weighed_on',
  'hold_reason',
  'archived_at',
  'version',
  'created_at',
  'updated_at',
  'changed_xid',
  'search_text',
  'availability_rank',
  'is_low_stock',
  'sold_out_as',
]

it('the product-field list and the table have the same columns', async () => {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute where attrelid = 'products'::regclass and attnum > 0 and not attisdropped`.execute(db)
  const columns = rows.map(({ name }) => name).filter((name) => !NOT_FIELDS.includes(name))
  expect(STORED_FIELDS.map(({ column }) => column.name).toSorted()).toEqual(columns.toSorted())
})

it('the list and the table agree about nullable columns', async () => {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute where attrelid = 'products'::regclass and attnum > 0 and not attisdropped and attnotnull`.execute(
    db,
  )
  const required = new Set(rows.map(({ name }) => name))
  const animalsOnly = STORED_FIELDS.filter(({ kinds }) => kinds !== undefined)
  expect(animalsOnly.filter(({ column }) => (column.none === null) === required.has(column.name))).toEqual([])
})

it.each(['animal', 'goods'] as const)('the blank form of an %s has every field', (kind) => {
  expect(Object.keys(blankProduct(kind))).toEqual(FIELD_LIST.map(({ key }) => key))
})
