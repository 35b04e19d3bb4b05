import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { buildAnimal, buildArea, orderBody } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import type { ProductDetails } from './product-editor-queries.server.ts'
import { openCatalog } from './testing/catalog.ts'

const { db, shop, clerk, cattle } = await openCatalog()

it('before an animal is archived, names its order that is still to be delivered', async () => {
  const area = await buildArea(db)
  const animal = await buildAnimal(db, { category_id: cattle })
  const free = await buildAnimal(db, { category_id: cattle })
  await shop.visitor().post('/customer-orders', orderBody(area.id, [[animal.id, 1]]))
  const { rows } = await sql<{ id: number }>`select order_id as id from animal_holds where product_id = ${animal.id}`.execute(db)
  const order = rows[0]!.id
  const bulk = { what: 'archived', archived: true, ids: [animal.id, free.id] }
  interface Preview {
    lines: { open_order_id: number | null }[]
    previewHash: string
  }
  const warnings = async () => {
    const { text } = await clerk.get(`/admin/products/${animal.id}`, { accept: 'text/html' })
    const { lines } = (await clerk.post('/admin/products/bulk', bulk)).body as unknown as Preview
    return [pageProps<{ product: ProductDetails }>(text).product.state.open_order_id, ...lines.map((line) => line.open_order_id)]
  }
  expect(await warnings()).toEqual([order, order, null])
  const { previewHash } = (await clerk.post('/admin/products/bulk', bulk)).body as unknown as Preview
  await sql`update orders set status = 'delivered' where id = ${order}`.execute(db)
  expect(await warnings()).toEqual([null, null, null])
  expect((await clerk.post('/admin/products/bulk', { ...bulk, previewHash })).status, 'the preview of then').toBe(409)
})
