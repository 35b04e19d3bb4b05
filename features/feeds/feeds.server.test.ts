import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, readlink, rm, utimes } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildImage, buildProduct } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { rowsRead } from '#test/rows-read.ts'
import { FeedFiles } from './feed-files.server.ts'
import { listFeedProducts } from './queries.server.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const folder = await mkdtemp(path.join(tmpdir(), 'khamar-feeds-'))
afterAll(() => rm(folder, { recursive: true }))

async function withPicture<Row extends { id: number }>(product: Row): Promise<Row> {
  const image = await buildImage(db)
  await sql`insert into product_media (product_id, position, kind, image_id) values (${product.id}, 0, 'image', ${image.id})`.execute(db)
  return product
}

const FEED = { publicUrl: 'https://shop.example', name: 'Farm', lang: 'en' as const, target: 'google' as const }
async function feed(more: Partial<typeof FEED> | { lang: 'bn' } | { target: 'facebook' } = {}): Promise<string> {
  const files = new FeedFiles({ db, folder, revision: () => null })
  return gunzipSync(await readFile(await files.get('test', () => Promise.resolve({ ...FEED, ...more })))).toString()
}
/** The feeds of a folder that this process has open. */
async function openFeeds(dataDir: string): Promise<string[]> {
  const files = await Promise.all((await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
  return files.filter((file) => file.startsWith(path.join(dataDir, 'feeds')))
}
const itemOf = (xml: string, id: number) => xml.split('<item>').find((item) => item.includes(`<g:id>${id}</g:id>`)) ?? ''
const valueOf = (item: string, name: string) => new RegExp(`<g:${name}>(.*?)</g:${name}>`, 's').exec(item)?.[1]

describe('a product feed', () => {
  let mango: { id: number }
  let cow: { id: number }
  beforeAll(async () => {
    mango = await withPicture(
      await buildProduct(db, {
        name_en: 'Mango <b>&',
        description_en: 'Sweet\u0007 "fruit"',
        discount_kind: 'percentage',
        discount_value: 1000,
      }),
    )
    cow = await withPicture(await buildAnimal(db))
  })

  it('has the fields that the channels require', async () => {
    const xml = await feed()
    const item = itemOf(xml, mango.id)
    expect(xml).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<rss version="2.0" xmlns:g="http:\/\/base.google.com\/ns\/1.0">/)
    expect(xml.endsWith('</channel>\n</rss>\n')).toBe(true)
    expect({
      title: valueOf(item, 'title'),
      description: valueOf(item, 'description'),
      link: valueOf(item, 'link'),
      price: valueOf(item, 'price'),
      sale: valueOf(item, 'sale_price'),
      availability: valueOf(item, 'availability'),
      condition: valueOf(item, 'condition'),
      measure: valueOf(item, 'unit_pricing_measure'),
      brand: valueOf(item, 'brand'),
    }).toEqual({
      title: 'Mango &lt;b&gt;&amp;',
      description: 'Sweet &quot;fruit&quot;',
      link: `https://shop.example/product/${mango.id}`,
      price: '120.00 BDT',
      sale: '108.00 BDT',
      availability: 'in_stock',
      condition: 'new',
      measure: '1 kg',
      brand: 'Farm',
    })
    expect(valueOf(item, 'image_link')).toMatch(/^https:\/\/shop\.example\/uploads\/\w+-feed\.jpg$/)
    expect(valueOf(itemOf(xml, cow.id), 'unit_pricing_measure')).toBe('200 kg')
  })

  it('speaks Bengali, and the words of Facebook', async () => {
    const item = itemOf(await feed({ lang: 'bn' }), mango.id)
    expect(valueOf(item, 'title')).toMatch(/^আম/)
    expect(valueOf(item, 'link')).toBe(`https://shop.example/product/${mango.id}?lang=bn`)
    expect(valueOf(itemOf(await feed({ target: 'facebook' }), mango.id), 'availability')).toBe('in stock')
  })

  it.each([
    ['sold', { status: 'sold', stock_milli: 0 }],
    ['hidden', { visible: false }],
    ['out of stock', { status: 'out-of-stock' }],
    ['on hold', { status: 'hold', hold_reason: 'soon' }],
  ])('leaves out a product that is %s', async (_what, values) => {
    const animal = await withPicture(await buildAnimal(db))
    expect(itemOf(await feed(), animal.id)).not.toBe('')
    await db
      .updateTable('products')
      .set(values as never)
      .where('id', '=', animal.id)
      .execute()
    expect(itemOf(await feed(), animal.id)).toBe('')
  })

  it('leaves out a product without a picture, and has the date of a pre-booked one', async () => {
    const bare = await buildProduct(db)
    const later = await withPicture(await buildProduct(db, { status: 'pre-book', delivery_on: '2027-05-20' }))
    const xml = await feed()
    expect(itemOf(xml, bare.id)).toBe('')
    expect(valueOf(itemOf(xml, later.id), 'availability')).toBe('preorder')
    expect(valueOf(itemOf(xml, later.id), 'availability_date')).toBe('2027-05-20T00:00+06:00')
  })

  it('has no date that has passed', async () => {
    const past = await withPicture(await buildProduct(db, { status: 'pre-book', delivery_on: '2025-05-20' }))
    const item = itemOf(await feed(), past.id)
    expect(valueOf(item, 'availability')).toBe('preorder')
    expect(item).not.toContain('availability_date')
  })

  it('is written once per revision and replaces its file', async () => {
    let [revision, writes] = [1, 0]
    const own = await mkdtemp(path.join(tmpdir(), 'khamar-feeds-'))
    const files = new FeedFiles({ db, folder: own, revision: () => revision, minAgeMs: 0 })
    const get = () => files.get('test', () => Promise.resolve(((writes += 1), FEED)))
    await Promise.all([get(), get(), get()])
    await get()
    expect(writes).toBe(1)
    revision += 1
    // The reader of the first file has its name only.
    const first = await get()
    revision += 1
    const second = await get()
    expect(writes).toBe(3)
    expect((await readdir(own)).map((name) => path.join(own, name)).toSorted()).toEqual([first, second].toSorted())
    revision += 1
    await get()
    expect(await readdir(own)).toHaveLength(2)
    await rm(own, { recursive: true })
  })

  it('is written again after its time, also by a clock that was set back meanwhile', async () => {
    let revision = 1
    const own = await mkdtemp(path.join(tmpdir(), 'khamar-feeds-'))
    const files = new FeedFiles({ db, folder: own, revision: () => revision, minAgeMs: 20 })
    const get = () => files.get('test', () => Promise.resolve(FEED))
    const first = await get()
    revision += 1
    vi.useFakeTimers({ now: Date.now() - 5 * 3_600_000, toFake: ['Date'] })
    try {
      await sleep(40)
      expect(await get()).not.toBe(first)
    } finally {
      vi.useRealTimers()
    }
    await rm(own, { recursive: true })
  })

  it('is written again when its file was deleted, as one that is older than two days is', async () => {
    const own = await mkdtemp(path.join(tmpdir(), 'khamar-feeds-'))
    const files = new FeedFiles({ db, folder: own, revision: () => 1 })
    const get = (name: string) => files.get(name, () => Promise.resolve(FEED))
    const first = await get('google')
    const old = new Date(Date.now() - 3 * 86_400_000)
    await utimes(first, old, old)
    await get('facebook')
    expect(existsSync(first)).toBe(false)
    expect(gunzipSync(await readFile(await get('google'))).toString()).toContain('<rss')
    await rm(own, { recursive: true })
  })
})

describe('the feed over HTTP', () => {
  // A feed is written again after five minutes: a second try gets the file of the first.
  let product: { id: number }
  beforeAll(async () => {
    product = await withPicture(await buildProduct(db))
  })

  it('is served in both languages for both channels, with and without gzip', async () => {
    for (const name of ['google-en', 'google-bn', 'facebook-en', 'facebook-bn']) {
      const response = await fetch(`${shop.deps.env.publicUrl}/feeds/${name}.xml`)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('application/xml; charset=utf-8')
      expect(itemOf(await response.text(), product.id)).not.toBe('')
    }
    const plain = await fetch(`${shop.deps.env.publicUrl}/feeds/google-en.xml`, { headers: { 'accept-encoding': 'identity' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(await plain.text()).toContain('<rss')
    expect((await fetch(`${shop.deps.env.publicUrl}/feeds/google-fr.xml`)).status).toBe(404)
  })
  it('closes its file when the reader goes away', async () => {
    // 1,500 products of 5,000 random letters are more than the sockets and the decompression hold.
    const { id } = await withPicture(await buildProduct(db))
    await sql`with added as (
        insert into products (category_id, name_en, name_bn, price_poisha, unit, description_en)
        select p.category_id, p.name_en, p.name_bn, p.price_poisha, p.unit, random.text
        from products p, generate_series(1, 1500) n, lateral (select string_agg(md5(n || ' ' || m), '') as text from generate_series(1, 160) m) random
        where p.id = ${id} returning id)
      insert into product_media (product_id, position, kind, image_id)
      select added.id, 0, 'image', m.image_id from added, product_media m where m.product_id = ${id}`.execute(db)
    // Its feed has these products.
    const other = await openShop({ databaseUrl: url })
    const { hostname, port } = new URL(other.deps.env.publicUrl)
    for (let count = 0; count < 3; count++) {
      const request = get({ hostname, port, path: '/feeds/google-en.xml', headers: { 'accept-encoding': 'identity' } })
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      await once(response, 'readable')
      response.destroy()
    }
    await vi.waitFor(async () => expect(await openFeeds(other.deps.env.dataDir)).toEqual([]), 5000)
  })
})

it('a batch reads its own pictures, not those of all products before it', async () => {
  const image = await buildImage(db)
  const { id: model } = await buildProduct(db)
  await sql`with added as (insert into products (category_id, name_en, name_bn, description_en, description_bn, price_poisha, unit, status, stock_milli)
      select category_id, 'Batch', 'Batch', '', '', price_poisha, unit, status, stock_milli from products, generate_series(1, 3000) where id = ${model} returning id)
    insert into product_media (product_id, position, kind, image_id) select id, 0, 'image', ${image.id} from added`.execute(db)
  await sql`analyze products, product_media`.execute(db)
  const { rows } = await sql<{ id: number }>`select id from products where name_en = 'Batch' order by id offset 2800 limit 1`.execute(db)
  const read = await rowsRead(db, 'product_media', async (tx) => {
    expect(await listFeedProducts(tx, rows[0]!.id, 100, 'en')).toHaveLength(100)
  })
  // Each product's pictures, videos, and whether it has a picture.
  expect(read).toBeLessThan(1500)
})
