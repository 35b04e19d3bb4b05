import { sql } from 'kysely'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { csvLine } from '#lib/csv/csv.server.ts'
import { exportHead, exportProducts } from './export-products.server.ts'
import { readProductFilter } from './list-query-rules.ts'
import { openCatalog } from './testing/catalog.ts'

const { db, shop, clerk, cow, fresh, goods, rate, create, created, save, log, inShop } = await openCatalog()
afterAll(() => expect(shop.failures).toEqual([]))
beforeEach(() => rate(200_000, 550))

const raisedIn = async (id: number, lang: string) =>
  ((await shop.get(`/api/products/${id}?lang=${lang}`)).body as unknown as { raised_in: string | null }).raised_in

it('the district of an animal is stored, returned and shown in both languages', async () => {
  const { id } = await created({ ...cow, raised_in: 'Pabna' })
  expect([await raisedIn(id, 'en'), await raisedIn(id, 'bn')]).toEqual(['Pabna', 'পাবনা'])
  for (const path of ['product', 'animal'])
    for (const [cookie, label, district] of [
      ['lang=en', 'Raised in', 'Pabna'],
      ['lang=bn', 'যে জেলায় পালিত', 'পাবনা'],
    ]) {
      const { text } = await shop.get(`/${path}/${id}`, { accept: 'text/html', cookie: cookie! })
      expect(text.replaceAll(/<[^>]+>/g, '|').replaceAll(/\|+/g, '|')).toContain(`|${label}|${district}|`)
    }
  const { text: form } = await clerk.get(`/admin/products/${id}`, { accept: 'text/html' })
  expect(form).toMatch(/<option value="Pabna" selected="">/)
})

it('is null without a district, and for other products than animals', async () => {
  const animal = await created({ ...cow, raised_in: '' })
  const mango = await created({ ...goods, ...fresh, barcode: '', raised_in: 'Rajshahi' })
  for (const { id } of [animal, mango]) expect((await inShop(id)).raised_in).toBeNull()
  const card = await shop.get(`/animal/${animal.id}`, { accept: 'text/html', cookie: 'lang=en' })
  expect([card.status, card.text.includes('Raised in')]).toEqual([200, false])
})

it('accepts the 64 districts only', async () => {
  const response = await create({ ...cow, raised_in: 'Atlantis' })
  expect([response.status, Object.keys(response.body.errors ?? {})]).toEqual([422, ['raised_in']])
})

it('a change raises the version, and the audit log has both values', async () => {
  const product = await created({ ...cow, raised_in: 'Pabna' })
  const response = await save(product, { raised_in: 'Kushtia' })
  const changed = response.body as unknown as { product: { version: number; raised_in: string } }
  expect([response.status, changed.product.raised_in, changed.product.version]).toEqual([200, 'Kushtia', product.version + 1])
  expect((await log()).at(-1)).toMatchObject({ before: { raised_in: 'Pabna' }, after: { raised_in: 'Kushtia' } })
})

it('is exported in the reader’s language, and imported in either', async () => {
  const { id } = await created({ ...cow, raised_in: 'Pabna' })
  const exported = async (lang: 'en' | 'bn') => {
    for await (const [line] of exportProducts(db, readProductFilter({}), 0, lang))
      return line?.[exportHead(lang).indexOf(lang === 'en' ? 'Raised in' : 'যে জেলায় পালিত')]
  }
  expect([await exported('en'), await exported('bn')]).toEqual(['Pabna', 'পাবনা'])
  for (const [heading, cell, stored] of [
    ['Raised in', 'kushtia', 'Kushtia'],
    ['যে জেলায় পালিত', 'রাজশাহী', 'Rajshahi'],
    ['raised_in', '', null],
  ]) {
    const csv = csvLine(['Number', heading!]) + csvLine([id, cell!])
    const plan = (await clerk.post('/admin/products/import', { csv })).body as unknown as { previewHash: string }
    expect((await clerk.post('/admin/products/import', { csv, previewHash: plan.previewHash })).status).toBe(200)
    const { rows } = await sql`select raised_in from products where id = ${id}`.execute(db)
    expect(rows).toEqual([{ raised_in: stored }])
  }
})
