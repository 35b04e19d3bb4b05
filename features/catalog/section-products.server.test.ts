import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildProduct } from '#test/factories.ts'
import { listSectionProductIds, listSlots, MAX_SECTION_PRODUCTS } from './queries.server.ts'

const { db } = await testDb()

it('the products of the sections are those that the page has room for, where there are more', async () => {
  const { id } = await buildProduct(db)
  await sql`insert into products (category_id, name_en, name_bn, price_poisha)
    select category_id, name_en || ' ' || n, name_bn || ' ' || n, price_poisha from products, generate_series(1, ${MAX_SECTION_PRODUCTS}) n
    where id = ${id}`.execute(db)
  const { rows } = await sql<{
    id: number
  }>`insert into slots (name_en, name_bn, position, active) values ('All', 'সব', 1, true) returning id`.execute(db)
  await sql`insert into slot_products (slot_id, product_id, position)
    select ${rows[0]!.id}, id, row_number() over (order by id desc) from products where visible`.execute(db)
  const shown = (await listSlots(db, 'en')).flatMap(({ products }) => products.map((product) => product.id))
  expect(shown).toHaveLength(MAX_SECTION_PRODUCTS)
  expect(shown).not.toContain(id)
  expect(await listSectionProductIds(db)).toEqual(shown)
})
