import { afterAll, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildCategory, buildImage, buildProduct } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { Props } from '#site/store/listing/search.page.tsx'
import type { SuggestionsJson } from './types.ts'

// The search box, its suggestions and the search page: exact words first, then weight and budget, then other spellings.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const kurbani = await buildCategory(db, { key: 'kurbani' })
const animal = (name_en: string, name_bn: string, kg: number, taka: number) =>
  buildAnimal(db, {
    category_id: kurbani.id,
    name_en,
    name_bn,
    weight_grams: kg * 1000,
    weighed_on: '2026-11-01',
    price_poisha: taka * 100,
  })
const small = await animal('Red bull', 'লাল গরু', 180, 90_000)
const middle = await animal('Black bull', 'কালো গরু', 250, 130_000)
const large = await animal('White bull', 'সাদা গরু', 400, 210_000)
const mango = await buildProduct(db, {
  name_en: 'Langra mango',
  name_bn: 'ল্যাংড়া আম',
  price_poisha: 20_000,
  discount_kind: 'fixed',
  discount_value: 2_550,
})
const jackfruit = await buildProduct(db, { name_en: 'Jackfruit', name_bn: 'কাঁঠাল', price_poisha: 30_000, status: 'hold' })
const bag = await buildProduct(db, { name_en: 'Cattle feed, bag of 50 kg', name_bn: 'গোখাদ্য', price_poisha: 250_000 })
const image = await buildImage(db)
await db.insertInto('product_media').values({ product_id: mango.id, position: 0, kind: 'image', image_id: image.id }).execute()

const query = (q: string, lang = 'en') => new URLSearchParams({ q, lang })
const ids = async (q: string) =>
  (JSON.parse((await shop.get(`/api/product/search?${query(q)}`)).text) as { id: number }[]).map(({ id }) => id)
const suggest = async (q: string, lang = 'en') =>
  JSON.parse((await shop.get(`/api/product/suggestions?${query(q, lang)}`)).text) as SuggestionsJson
const page = async (q: string) => pageProps<Props>((await shop.get(`/search?${query(q)}`, { accept: 'text/html' })).text)

describe('the search', () => {
  it.each([
    ['mago', [mango]],
    ['mangos', [mango]],
    ['jackfrut', [jackfruit]],
    ['katal', [jackfruit]],
    ['কাঠাল', [jackfruit]],
    ['লাংরা', [mango]],
    ['250 kg', [middle]],
    ['২৫০ কেজি', [middle]],
    ['50 kg', [bag]],
    ['under 1 lakh', [small]],
    ['১ লাখের নিচে', [small]],
    ['গরু ২ লাখের উপরে', [large]],
    ['80k-1.5 lakh', [small, middle]],
    ['bull 100-500 kg under 1.5 lakh', [small, middle]],
    ['blak bull 250 kg', [middle]],
    ['5 kg mango', [mango]],
    ['under 500 taka mango', [mango]],
    ['mango over 1 lakh', []],
    ['xylophone', []],
  ])('%s', async (text, wanted) => expect(await ids(text)).toEqual(wanted.map(({ id }) => id)))

  it.each([
    'x'.repeat(5000),
    '%_\\',
    "'; drop table products;--",
    '🐄🐄',
    '1 lakh '.repeat(200),
    '\u0000\u0000',
    '-',
    '999999999999 crore',
  ])('refuses nothing: %s', async (text) => {
    const answers = await Promise.all([1, 2].map(() => shop.get(`/api/product/suggestions?${query(text)}`)))
    for (const { status, text: body } of answers) expect([status, JSON.parse(body)]).toEqual([200, { products: [] }])
    expect((await shop.get(`/search?${query(text)}`, { accept: 'text/html' })).status).toBe(200)
  })
})

describe('suggestions', () => {
  it('have the price as shown, the smallest picture and the name in the language', async () => {
    const { products } = await suggest('mago', 'bn')
    expect(products).toEqual([
      expect.objectContaining({ id: mango.id, name: 'ল্যাংড়া আম', price: 175, unit: 'kg', status: 'in-stock', weight_kg: null }),
    ])
    expect(products[0]?.picture).toMatch(/^\/uploads\/.+\.webp$/)
    expect((await suggest('katal')).products).toMatchObject([{ name: 'Jackfruit', status: 'hold', picture: null }])
  })

  it('are six at most, and none for one letter or a repeated parameter', async () => {
    expect((await suggest('a')).products).toEqual([])
    expect((await suggest('bull')).products).toHaveLength(3)
    expect((await shop.get('/api/product/suggestions')).status).toBe(200)
    expect((await shop.get('/api/product/suggestions?q=a&q=b')).status).toBe(422)
  })
})

describe('the search page', () => {
  it('shows weight and budget as filters that can be removed', async () => {
    const { chips, products } = await page('bull 100-300 kg, under 1 lakh')
    expect(products?.map(({ id }) => id)).toEqual([small.id])
    expect(chips).toEqual([
      { label: '100–300 kg', href: '/search?q=bull+under+1+lakh' },
      { label: 'Up to ৳1,00,000', href: '/search?q=bull+100-300+kg' },
    ])
    expect((await page('under 1 lakh')).chips).toEqual([{ label: 'Up to ৳1,00,000', href: '/search' }])
    expect((await page('under 1.1 lakh')).chips).toEqual([{ label: 'Up to ৳1,10,000', href: '/search' }])
    expect((await page('under 1000.555 taka')).chips).toEqual([{ label: 'Up to ৳1,000.56', href: '/search' }])
  })

  it('has no filter where the words are found as they are', async () => expect((await page('50 kg')).chips).toEqual([]))
})
