import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildCategory, buildImage, buildProduct } from '#test/factories.ts'
import { openShop } from '#test/request.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const { id: beef } = await buildCategory(db, { key: 'beef' })
const mango = await buildProduct(db, { category_id: beef })
await sql`insert into product_media (product_id, position, kind, image_id) values (${mango.id}, 0, 'image', ${(await buildImage(db)).id})`.execute(
  db,
)
afterAll(() => expect(shop.failures).toEqual([]))

// A preload that differs in a letter fetches the picture twice.
it.each(['/beef', `/product/${mango.id}`])('%s asks ahead for the very file that its first picture chooses', async (path) => {
  const { text } = await shop.get(path)
  const ahead = /<link rel="preload" as="image" type="image\/avif" imagesrcset="([^"]+)" imagesizes="([^"]+)"/.exec(text)
  const shown = /<source type="image\/avif" srcSet="([^"]+)" sizes="([^"]+)"/.exec(text)
  expect(ahead?.slice(1)).toEqual(shown?.slice(1))
  expect(ahead).not.toBeNull()
})
