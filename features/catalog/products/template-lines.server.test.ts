import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildCategory, buildUser } from '#test/factories.ts'
import { openShop } from '#test/request.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
await buildCategory(db, { key: 'fruits' })
await buildCategory(db, { key: 'beef', delivery_group: 'cattle' })
const clerk = shop.visitor()
await clerk.signIn((await buildUser(db, { role: 'manager' })).phone)

it.each(['en', 'bn'])('the rows of the template in %s are imported as they are, hidden from shoppers', async (lang) => {
  await sql`truncate products cascade`.execute(db)
  await clerk.postForm('/language', { lang })
  const { text: csv } = await clerk.get('/admin/products/export?template=1')
  const preview = await clerk.post('/admin/products/import', { csv })
  const { previewHash } = preview.body as { previewHash?: string }
  expect(preview.body).toMatchObject({ sums: { create: 2, change: 0, same: 0, error: 0 }, unknown: [] })
  await clerk.post('/admin/products/import', { csv, previewHash })
  const stored =
    await sql`select name_en, is_unique, visible, price_poisha, stock_milli, weight_grams, advance_minimum_poisha from products order by is_unique`.execute(
      db,
    )
  expect(stored.rows).toEqual([
    {
      name_en: 'Example: Mango',
      is_unique: false,
      visible: false,
      price_poisha: 12_000,
      stock_milli: 100_000,
      weight_grams: null,
      advance_minimum_poisha: 0,
    },
    {
      name_en: 'Example: Bull',
      is_unique: true,
      visible: false,
      price_poisha: 9_000_000,
      stock_milli: 1000,
      weight_grams: 200_000,
      advance_minimum_poisha: 1_000_000,
    },
  ])
})
