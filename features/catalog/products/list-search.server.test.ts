import { expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildProduct } from '#test/factories.ts'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import { listAdminProducts } from './product-list.server.ts'
import { readProductFilter } from './list-query-rules.ts'

const { db } = await testDb()

const bull = await buildAnimal(db, { tag_number: 'B-218' })
const hidden = await buildAnimal(db, { tag_number: 'B-219', visible: false })
const mango = await buildProduct(db, { name_en: 'Himsagar mango', name_bn: 'হিমসাগর আম' })

it.each([
  ['B-218', [bull.id]],
  ['b218', [bull.id]],
  ['বি-২১৮', [bull.id]],
  ['বি ২১৮', [bull.id]],
  ['বি-২১৯', [hidden.id]],
  ['বি-৯৯৯', []],
  ['himsagar', [mango.id]],
  ['হিমসাগর', [mango.id]],
])('the list of products finds %s', async (q, ids) => {
  const list = await listAdminProducts(db, readProductFilter({ q }), { from: null, backward: false }, DEFAULT_SETTINGS.low_stock, 'en')
  expect(list.rows.map((row) => row.id)).toEqual(ids)
})
