import { sql } from 'kysely'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { csvLine } from '#lib/csv/csv.server.ts'
import { exportHead, exportProducts } from './export-products.server.ts'
import { readProductFilter } from './list-query-rules.ts'
import { openCatalog } from './testing/catalog.ts'

const { db, shop, clerk, cow, fresh, goods, rate, create, created, save, log, inShop } = await openCatalog()
afterAll(() => expect(shop.failures).toEqual([]))
beforeEach(() => rate(200_000, 550))

const words = (html: string) => html.replaceAll(/<[^>]+>/g, '|').replaceAll(/\|+/g, '|')

it('the sex of an animal is stored, and shown on its page, its public card and in the form', async () => {
  const { id } = await created({ ...cow, sex: 'heifer' })
  expect(await inShop(id)).toMatchObject({ sex: 'heifer' })
  for (const path of ['product', 'animal'])
    for (const [cookie, row] of [
      ['lang=en', '|Sex|Heifer|'],
      ['lang=bn', '|লিঙ্গ|বকনা|'],
    ])
      expect(words((await shop.get(`/${path}/${id}`, { accept: 'text/html', cookie: cookie! })).text)).toContain(row)
  const { text: form } = await clerk.get(`/admin/products/${id}`, { accept: 'text/html' })
  expect(form).toMatch(/<option value="heifer" selected="">/)
})

it('is null where it is unknown, left out by older forms, and for other products than animals', async () => {
  const animal = await created({ ...cow, sex: '' })
  const older = await created({ ...cow, tag_number: 'OLD-1' })
  const mango = await created({ ...goods, ...fresh, barcode: '', sex: 'bull' })
  for (const { id } of [animal, older, mango]) expect(await inShop(id)).toMatchObject({ sex: null })
})

it.each(['bullock', 'BULL', 7, ['bull'], null])('refuses %j', async (sex) => {
  const response = await create({ ...cow, sex })
  expect([response.status, Object.keys(response.body.errors ?? {})]).toEqual([422, ['sex']])
})

it('the database refuses another value', async () => {
  const { id } = await created({ ...cow, sex: 'ox' })
  await expect(sql`update products set sex = 'bullock' where id = ${id}`.execute(db)).rejects.toThrow(/products_sex_known/)
})

it('a change raises the version, and the audit log has both values', async () => {
  const product = await created({ ...cow, sex: 'bull' })
  const response = await save(product, { sex: 'ox' })
  expect(response.body).toMatchObject({ product: { sex: 'ox', version: product.version + 1 } })
  expect((await log()).at(-1)).toMatchObject({ before: { sex: 'bull' }, after: { sex: 'ox' } })
})

it('is exported in the reader’s language, and imported in either', async () => {
  const { id } = await created({ ...cow, sex: 'cow' })
  const exported = async (lang: 'en' | 'bn', heading: string) => {
    for await (const [line] of exportProducts(db, readProductFilter({}), 0, lang)) return line?.[exportHead(lang).indexOf(heading)]
  }
  expect([await exported('en', 'Sex'), await exported('bn', 'লিঙ্গ')]).toEqual(['Cow', 'গাভী'])
  for (const [heading, cell, stored] of [
    ['Sex', 'ox', 'ox'],
    ['লিঙ্গ', 'ষাঁড়', 'bull'],
    ['sex', '', null],
  ]) {
    const csv = csvLine(['Number', heading!]) + csvLine([id, cell!])
    const plan = (await clerk.post('/admin/products/import', { csv })).body as unknown as { previewHash: string }
    expect((await clerk.post('/admin/products/import', { csv, previewHash: plan.previewHash })).status).toBe(200)
    expect((await sql`select sex from products where id = ${id}`.execute(db)).rows).toEqual([{ sex: stored }])
  }
})
