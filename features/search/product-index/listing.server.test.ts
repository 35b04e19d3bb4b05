import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { pricesOf } from '#features/catalog/shown-price-rules.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildCategory, buildImage, buildProduct } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { ListingJson } from '#features/catalog/types.ts'

// Lists and the search of two processes on one database, while products change.

const { db, url } = await testDb()
const shops = [await openShop({ databaseUrl: url }), await openShop({ databaseUrl: url })]
afterAll(() => expect(shops.flatMap(({ failures }) => failures)).toEqual([]))
const kurbani = await buildCategory(db, { key: 'kurbani' })
beforeEach(() => sql`truncate products cascade`.execute(db))

const list = async (path: string, shop = shops[0]!) => JSON.parse((await shop.get(path)).text) as ListingJson
const idsOf = ({ products }: ListingJson) => products.map(({ id }) => id)
const found = async (q: string, shop = shops[0]!) =>
  (JSON.parse((await shop.get(`/api/product/search?q=${encodeURIComponent(q)}`)).text) as { id: number }[]).map(({ id }) => id)

describe('lists', () => {
  it('are sorted and filtered by the shown price, in every list', async () => {
    for (const [price, kind, value] of [
      [120_000, 'percentage', 2500],
      [100_000, null, null],
      [95_000, 'fixed', 1_000_000],
      [90_000.5, 'fixed', 0],
      [85_000.5, 'percentage', 1],
      [200_000, 'percentage', 10_000],
      [90_000, null, null],
    ] as const)
      await buildAnimal(db, { category_id: kurbani.id, price_poisha: price * 100, discount_kind: kind, discount_value: value })
    const shown = (listing: ListingJson) => listing.products.map((product) => pricesOf(product).now / 100)
    const cheapestFirst = [0, 84_992, 85_000, 90_000, 90_000, 90_000.5, 100_000]
    const page = async (path: string) =>
      pageProps<{ listing: ListingJson }>((await shops[0]!.get(path, { accept: 'text/html' })).text).listing
    for (const read of [
      () => list('/api/products?sort=asc'),
      () => list('/api/kurbani-cows?sort=asc'),
      () => page('/?sort=asc'),
      () => page('/kurbani?sort=asc'),
    ])
      expect(shown(await read())).toEqual(cheapestFirst)
    expect(shown(await list('/api/products?sort=desc'))).toEqual(cheapestFirst.toReversed())
    expect(shown(await list('/api/products?minPrice=84992&maxPrice=89999.99&sort=desc'))).toEqual([85_000, 84_992])
    const ends = pageProps<{ prices: object }>((await shops[0]!.get('/kurbani', { accept: 'text/html' })).text).prices
    expect(ends).toEqual({ from: 0, to: 100_000 })
  })

  it('have a product in each of its categories, in every process, and the menu leads there', async () => {
    const { slug, id: offers } = await buildCategory(db, { name_en: 'Eid offers', name_bn: 'ঈদ অফার', slug: 'eid-offers' })
    const [bull, mango] = [await buildAnimal(db, { category_id: kurbani.id }), await buildProduct(db)]
    const set = (change: 'add' | 'take', productId: number) =>
      change === 'add'
        ? db.insertInto('product_categories').values({ product_id: productId, category_id: offers }).execute()
        : db.deleteFrom('product_categories').where('product_id', '=', productId).execute()
    const shown = async (shop: (typeof shops)[0]) => idsOf(await list(`/api/products?category_name=${slug}`, shop))
    const menu = async (shop: (typeof shops)[0]) => (await shop.get('/cart', { accept: 'text/html' })).text.includes(`/category/${slug}`)
    for (const shop of shops) await expect.poll(async () => [await shown(shop), await menu(shop)]).toEqual([[], false])
    await set('add', bull.id)
    await set('add', mango.id)
    for (const shop of shops) {
      await expect.poll(() => shown(shop)).toEqual([bull.id, mango.id])
      expect(await menu(shop)).toBe(true)
      expect((await shop.get('/sitemap-pages.xml')).text).toContain(`/category/${slug}`)
      expect(idsOf(await list('/api/kurbani-cows', shop))).toEqual([bull.id])
    }
    await set('take', bull.id)
    for (const shop of shops) await expect.poll(() => shown(shop)).toEqual([mango.id])
    await db.updateTable('products').set({ visible: false }).where('id', '=', mango.id).execute()
    for (const shop of shops) await expect.poll(async () => [await shown(shop), await menu(shop)]).toEqual([[], false])
  })

  it('of the home listing are those without a category', async () => {
    await buildCategory(db, { key: 'home', name_en: 'The whole farm' })
    const [bull, mango] = [await buildAnimal(db, { category_id: kurbani.id }), await buildProduct(db)]
    const ids = [bull.id, mango.id]
    await expect.poll(async () => idsOf(await list('/api/products'))).toEqual(ids)
    for (const category of ['home', 'The whole farm'])
      expect(idsOf(await list(`/api/products?category_name=${encodeURIComponent(category)}`))).toEqual(ids)
    expect(idsOf(await list('/api/kurbani-cows?category=home'))).toEqual([bull.id])
  })

  it('follow a change in every process', async () => {
    const [first, second] = [await buildProduct(db, { price_poisha: 10_000 }), await buildProduct(db, { price_poisha: 20_000 })]
    for (const shop of shops)
      await expect.poll(async () => idsOf(await list('/api/products?sort=asc', shop))).toEqual([first.id, second.id])
    await db.updateTable('products').set({ discount_kind: 'percentage', discount_value: 7500 }).where('id', '=', second.id).execute()
    for (const shop of shops)
      await expect.poll(async () => idsOf(await list('/api/products?sort=asc', shop))).toEqual([second.id, first.id])
    await db.updateTable('products').set({ visible: false }).where('id', '=', first.id).execute()
    for (const shop of shops) await expect.poll(async () => (await list('/api/products?sort=asc', shop)).pagination.total).toBe(1)
  })

  it('of all products end with those of the home page’s sections, and only without a filter', async () => {
    const goods = []
    for (let n = 0; n < 23; n++) goods.push(await buildProduct(db, { price_poisha: 10_000 + n }))
    const hidden = await buildProduct(db, { status: 'sold', stock_milli: null })
    const ids = goods.map(({ id }) => id)
    const [first, second] = ids as [number, number]
    const section = async (products: number[]) => {
      const { id } = await db.insertInto('slots').values({ name_en: 'Fresh', name_bn: 'টাটকা' }).returning('id').executeTakeFirstOrThrow()
      const rows = products.map((product_id, position) => ({ slot_id: id, product_id, position }))
      await db.insertInto('slot_products').values(rows).execute()
      return id
    }
    const shown = await section([second, first])
    // Nothing of this one can be ordered, so the page hides it.
    await section([hidden.id])
    const others = ids.slice(2)
    await expect.poll(async () => idsOf(await list('/api/products'))).toEqual(others.slice(0, 20))
    const page = async (path: string) =>
      pageProps<{ listing: ListingJson }>((await shops[0]!.get(path, { accept: 'text/html' })).text).listing
    expect(idsOf(await page('/'))).toEqual(others.slice(0, 20))
    for (const read of [() => list('/api/products?page=2'), () => page('/?page=2')]) {
      const { pagination, products } = await read()
      expect(products.map(({ id }) => id)).toEqual([...others.slice(20), hidden.id, first, second])
      expect(pagination).toEqual({ from: 21, to: 24, total: 24, lastPage: 2, currentPage: 2 })
    }
    for (const path of ['/api/products?sort=asc', '/api/products?minPrice=1', '/api/products?maxPrice=100000'])
      expect(idsOf(await list(path)).slice(0, 2), path).toEqual([first, second])
    await db.updateTable('slots').set({ active: false }).where('id', '=', shown).execute()
    await expect.poll(async () => idsOf(await list('/api/products'))).toEqual(ids.slice(0, 20))
    await sql`truncate slots cascade`.execute(db)
  })

  it('have pages to the end of the list', async () => {
    await sql`insert into products (category_id, name_en, name_bn, price_poisha, status)
      select ${kurbani.id}, 'Cow ' || n, 'গরু', n * 100, (array['in-stock', 'hold', 'sold'])[1 + n % 3] from generate_series(1, 95) n`.execute(
      db,
    )
    await expect.poll(async () => (await list('/api/kurbani-cows?sort=desc')).pagination.total).toBe(95)
    const pages = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((page) => list(`/api/kurbani-cows?sort=desc&status=hold&minPrice=5&page=${page}`)),
    )
    const prices = pages.flatMap(({ products }) => products.map(({ price }) => price))
    expect(prices).toEqual(Array.from({ length: 30 }, (_, n) => 94 - 3 * n))
    expect(pages.map(({ pagination: { from, to, total, lastPage } }) => [from, to, total, lastPage]).slice(0, 3)).toEqual([
      [1, 20, 30, 2],
      [21, 30, 30, 2],
      [0, 0, 30, 2],
    ])
  })
})

describe('the search', () => {
  it('follows a change in every process, and finds either spelling', async () => {
    const mango = await buildProduct(db, { name_en: 'Himsagar mango', name_bn: 'হিমসাগর আম' })
    for (const shop of shops) {
      await expect.poll(() => found('sagar', shop)).toEqual([mango.id])
      await expect.poll(() => found('হিমসাগর', shop)).toEqual([mango.id])
    }
    await db.updateTable('products').set({ name_en: 'Langra mango', name_bn: 'ল্যাংড়া আম' }).where('id', '=', mango.id).execute()
    for (const shop of shops) {
      await expect.poll(() => found('langra', shop)).toEqual([mango.id])
      expect(await found('himsagar', shop)).toEqual([])
      expect(await found('mango আম', shop)).toEqual([mango.id])
    }
  })

  it('puts an exact barcode or tag first, at any rank', async () => {
    for (let n = 0; n < 25; n++) await buildProduct(db, { name_en: `Mango 4711 ${n}`, barcode: `4711000${100 + n}` })
    const sold = await buildProduct(db, { status: 'sold', barcode: '4711', name_en: 'Old mango' })
    const long = await buildProduct(db, { status: 'sold', barcode: '471100010', name_en: 'Older mango' })
    const cow = await buildAnimal(db, { tag_number: 'MANGO', status: 'hold' })
    await expect.poll(async () => (await found('4711')).slice(0, 1)).toEqual([sold.id])
    expect(await found('4711')).toHaveLength(20)
    expect(await found('471100010')).toEqual([long.id])
    expect((await found('mango'))[0]).toBe(cow.id)
  })

  it('finds the same in the digits of both scripts, and a tag in Bengali letters', async () => {
    const tagged = await buildAnimal(db, { tag_number: 'B-201' })
    const named = await buildProduct(db, { name_en: 'Crate', name_bn: 'ঝুড়ি ৫২০১' })
    // A name of its own: the numbers of usual test names may be searched for here.
    const coded = await buildProduct(db, { name_en: 'Honey', name_bn: 'মধু', barcode: '8900000000017' })
    await expect.poll(() => found('201')).toEqual([tagged.id, named.id])
    expect(await found('২০১')).toEqual([tagged.id, named.id])
    expect(await found('5201')).toEqual(await found('৫২০১'))
    for (const typed of ['b-201', 'B-২০১', 'বি-২০১', 'ব-২০১', 'b201', 'বি ২০১', 'ব২০১'])
      expect(await found(typed), typed).toEqual([tagged.id])
    for (const typed of ['8900000000017', '৮৯০০০০০০০০০১৭']) expect(await found(typed), typed).toEqual([coded.id])
    expect(await found('কে-২০১')).toEqual([])
  })

  it('has the current stock, and a picture as soon as it is stored', async () => {
    const honey = await buildProduct(db, {
      name_en: 'Honey',
      name_bn: 'মধু "খাঁটি"',
      stock_milli: 7500,
      sizes_milli: [500],
      shipping_poisha: 8050,
    })
    await buildProduct(db, { name_en: 'Honey comb', name_bn: 'চাক', stock_milli: null })
    await buildProduct(db, { name_en: 'Honey old', name_bn: 'পুরনো', stock_milli: 3000, status: 'hold' })
    type Row = { id: number; name: string; maxOrderQty: number; images: { url: string }[]; shipping_cost: number }
    const rows = async (lang = 'en') => JSON.parse((await shops[0]!.get(`/api/product/search?q=honey&lang=${lang}`)).text) as Row[]
    await expect
      .poll(async () => (await rows()).map(({ name, maxOrderQty }) => [name, maxOrderQty]))
      .toEqual([
        ['Honey', 7.5],
        ['Honey comb', 9999],
        ['Honey old', 0],
      ])
    // Stock changes with every order and sends no notification.
    await db.updateTable('products').set({ stock_milli: 2000 }).where('id', '=', honey.id).execute()
    expect((await rows('bn'))[0]).toMatchObject({ name: 'মধু "খাঁটি"', maxOrderQty: 2, images: [], shipping_cost: 80.5 })
    const image = await buildImage(db)
    await db.insertInto('product_media').values({ product_id: honey.id, position: 0, kind: 'image', image_id: image.id }).execute()
    await expect.poll(async () => (await rows())[0]?.images).toHaveLength(1)
  })
})
