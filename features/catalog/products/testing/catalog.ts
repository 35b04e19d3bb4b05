import { sql } from 'kysely'
import { afterAll, beforeEach, expect } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildCategory, buildUser } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { blankProduct } from '../blank-product.ts'
import type { ProductDetails } from '../product-editor-queries.server.ts'

/** A shop with two categories and a signed-in owner. Each test starts without products. */
export async function openCatalog() {
  const { db, url } = await testDb()
  const shop = await openShop({ databaseUrl: url })
  afterAll(() => expect(shop.failures).toEqual([]))
  const owner = await buildUser(db, { role: 'owner' })
  const clerk = shop.visitor()
  await clerk.signIn(owner.phone)
  beforeEach(() => sql`truncate products, orders, images, audit_log, rate_tiers, videos cascade`.execute(db))

  const { id: fruits } = await buildCategory(db, { name_en: 'Fruits and more' })
  const { id: cattle } = await buildCategory(db, { delivery_group: 'cattle' })

  const { kind: _goods, stock: _none, weight_kg: _unweighed, weighed_on: _never, ...blank } = blankProduct('goods')
  const goods = {
    ...blank,
    category_id: fruits,
    name_en: 'Himsagar mango',
    name_bn: 'হিমসাগর আম',
    price: '১২০.৫০',
    discount_kind: 'percentage',
    discount: '7.5',
    sizes: '১০, 5',
    shipping_cost: '80',
    advance_percentage: '10',
    advance_round_figure: '500',
    barcode: ' 8941100000017 ',
    search_aliases: 'am aam',
  }
  const fresh = { kind: 'goods', stock: '25.5', weight_kg: '', weighed_on: '' }
  const cow = {
    ...goods,
    kind: 'animal',
    category_id: cattle,
    name_en: 'Red bull',
    price: '',
    discount_kind: 'none',
    discount: null,
    sizes: '',
    unit: 'piece',
    barcode: '',
    tag_number: 'k-১২',
    coat: 'red',
    teeth: '২',
    birth_month: '2024-03',
    sold_by_live_weight: true,
    season: 'kurbani',
    stock: '',
    weight_kg: '২৫০.৫',
    weighed_on: '2026-11-20',
  }
  const rate = (fromGrams: number, taka: number) =>
    sql`insert into rate_tiers (category_id, season, from_grams, poisha_per_kg) values (${cattle}, 'kurbani', ${fromGrams}, ${taka * 100})`.execute(
      db,
    )
  const create = (body: object) => clerk.post('/admin/products/store', body)
  const created = async (body: object) => {
    const response = await create(body)
    expect([response.status, response.body.errors]).toEqual([200, undefined])
    return (response.body as unknown as { product: ProductDetails }).product
  }
  const bodyOf = ({ id: _id, kind: _kind, state: _state, pictures, ...rest }: ProductDetails) => ({
    ...rest,
    picture_ids: pictures.map((p) => p.image_id),
  })
  const save = (product: ProductDetails, changes: object = {}) =>
    clerk.post(`/admin/products/${product.id}`, { ...bodyOf(product), ...changes })
  const log = async () =>
    (
      await sql<{
        action: string
        before: object | null
        after: object | null
      }>`select action, before, after from audit_log order by id`.execute(db)
    ).rows
  const inShop = async (id: number) => (await shop.get(`/api/products/${id}`)).body as unknown as Record<string, unknown>
  return { db, shop, clerk, owner, fruits, cattle, goods, fresh, cow, rate, create, created, bodyOf, save, log, inShop }
}
