import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { storeImage } from '#features/catalog/media/images.server.ts'
import { structuredDataErrors } from '#test/structured-data.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildCategory, buildProduct } from '#test/factories.ts'
import { openShop } from '#test/request.ts'

// What search engines and link previews read of a shop.

const PUBLIC_URL = 'https://shop.example'
const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url, publicUrl: PUBLIC_URL })
afterAll(() => expect(shop.failures).toEqual([]))

const photo = await sharp({ create: { width: 900, height: 1200, channels: 3, background: '#3a7' } })
  .jpeg()
  .toBuffer()
const stored = await storeImage(db, shop.deps.uploads, photo)
if (!stored.ok) throw new Error(stored.reason)
const { imageId } = stored
const { token } = stored.picture
const fruits = await buildCategory(db, { key: 'fruits' })
const mango = await buildProduct(db, {
  category_id: fruits.id,
  name_en: 'Mango "A" </script>',
  discount_kind: 'fixed',
  discount_value: 2000,
})
const cow = await buildAnimal(db)
const bare = await buildProduct(db, { status: 'out-of-stock' })
for (const { id } of [mango, cow])
  await sql`insert into product_media (product_id, position, kind, image_id) values (${id}, 0, 'image', ${imageId})`.execute(db)
shop.deps.catalogRevision.advance()

const metaOf = (html: string, property: string) =>
  new RegExp(`<meta (?:property|name)="${property}" content="([^"]*)">`).exec(html)?.[1] ?? null
const linksOf = (html: string, rel: string) =>
  [...html.matchAll(/<link rel="([a-z]+)"(?: hreflang="([a-z-]+)")? href="([^"]+)">/g)].flatMap(([, found, lang = '', href]) =>
    found === rel ? [[lang, href]] : [],
  )
const jsonLdOf = (html: string) =>
  [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(
    ([, json]) => JSON.parse(json!) as Record<string, unknown>,
  )

describe('structured data', () => {
  it.each([
    ['a product', `/product/${mango.id}`, ['Product', 'BreadcrumbList']],
    ['an animal', `/product/${cow.id}`, ['Product', 'BreadcrumbList']],
    ['a product without a picture that is sold out', `/product/${bare.id}`, ['Product', 'BreadcrumbList']],
    ['the home page', '/', ['OnlineStore']],
  ])('is valid for %s, in both languages', async (_what, path, types) => {
    for (const lang of ['en', 'bn']) {
      const { text } = await shop.get(`${path}?lang=${lang}`)
      const data = jsonLdOf(text)
      expect(data.map((one) => one['@type'])).toEqual(types)
      expect(data.flatMap((one) => structuredDataErrors(one))).toEqual([])
    }
  })

  it('has the price that is charged, and the validator finds what is missing', async () => {
    const [product] = jsonLdOf((await shop.get(`/product/${mango.id}`)).text)
    expect(product!.offers).toMatchObject({ price: 100, priceCurrency: 'BDT', availability: 'https://schema.org/InStock' })
    expect(
      structuredDataErrors({ '@type': 'Product', name: ' ', image: ['/a.jpg'], offers: { '@type': 'Offer', price: '12' } }),
    ).toHaveLength(8)
  })
})

describe('link previews', () => {
  it.each(['en', 'bn'])('name title, price and a picture of 1200 × 630 (%s)', async (lang) => {
    const { text } = await shop.get(`/product/${mango.id}?lang=${lang}`)
    expect(metaOf(text, 'og:title')).toMatch(lang === 'en' ? /^Mango &quot;A&quot; &lt;\/script&gt;/ : /^আম/)
    expect(metaOf(text, 'og:description')).not.toBeNull()
    expect([metaOf(text, 'product:price:amount'), metaOf(text, 'product:price:currency')]).toEqual(['100', 'BDT'])
    expect(metaOf(text, 'og:image')).toBe(`${PUBLIC_URL}/uploads/${token}-og.jpg`)
  })

  it('are made from the photo, the same for concurrent requests', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => fetch(`http://127.0.0.1:${shop.deps.env.port}/uploads/${token}-og.jpg`)))
    for (const answer of all) {
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
      expect(await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).toMatchObject({ width: 1200, height: 630, format: 'jpeg' })
    }
  })

  it.each([`${'0'.repeat(32)}-og.jpg`, `${token}-og.png`, `${token}-2400-og.jpg`, '../logo-og.jpg', `${token}%2F..%2Flogo-og.jpg`])(
    'are made of stored pictures only: %s',
    async (name) => {
      expect((await fetch(`http://127.0.0.1:${shop.deps.env.port}/uploads/${name}`)).status).toBe(404)
    },
  )
})

describe('addresses for search engines', () => {
  it.each(['/', '/fruits', `/product/${mango.id}`])('%s has itself as canonical and both languages', async (path) => {
    const own = PUBLIC_URL + path
    const languages = [
      ['en', own],
      ['bn', `${own}?lang=bn`],
      ['x-default', own],
    ]
    for (const [lang, canonical] of [
      ['en', own],
      ['bn', `${own}?lang=bn`],
    ]) {
      const { text } = await shop.get(`${path}?lang=${lang}`)
      expect(linksOf(text, 'canonical')).toEqual([['', canonical]])
      expect(linksOf(text, 'alternate')).toEqual(languages)
    }
  })

  it('private pages are not to be indexed', async () => {
    expect((await shop.get('/search?q=mango')).text).toContain('<meta name="robots" content="noindex">')
    const { text } = await shop.get('/robots.txt')
    for (const path of ['/admin', '/api/', '/invoice/', '/order/']) expect(text).toContain(`Disallow: ${path}\n`)
    expect(text).not.toMatch(/Disallow: \/(uploads|feeds|product)/)
    expect(text).toContain(`Sitemap: ${PUBLIC_URL}/sitemap.xml`)
  })

  it('every address of the sitemap opens and is canonical', async () => {
    const index = await shop.get('/sitemap.xml')
    const files = locationsOf(index.text)
    const pages = (await Promise.all(files.map((file) => shop.get(file.slice(PUBLIC_URL.length))))).flatMap(({ text }) => locationsOf(text))
    expect(pages).toContain(`${PUBLIC_URL}/product/${cow.id}`)
    expect(new Set(pages).size).toBe(pages.length)
    for (const page of pages) {
      const { status, text } = await shop.get(`${page.slice(PUBLIC_URL.length)}?lang=en`)
      // An empty database has no policies yet, and no page of a category that was not made.
      if (status === 404) expect(page).toMatch(/-(condition|policy|refund|info)$|\/(beef|kurbani)$/)
      else expect(linksOf(text, 'canonical')).toEqual([['', page]])
    }
  })
})

/** The addresses of a sitemap; its elements must be closed in order. */
function locationsOf(xml: string): string[] {
  const open: string[] = []
  for (const [, slash, name, self] of xml.matchAll(/<(\/?)([\w:]+)[^<>]*?(\/?)>/g)) {
    if (slash) expect(open.pop()).toBe(name)
    else if (!self) open.push(name!)
  }
  expect(open).toEqual([])
  return [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => address!)
}
