import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { csvLine } from '#lib/csv/csv.server.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildCategory, buildProduct, buildUser } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import { exportHead, exportProducts } from './export-products.server.ts'
import { importProducts } from './import-products.server.ts'
import { readProductFilter } from './list-query-rules.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const owner = await buildUser(db, { role: 'owner' })
const clerk = shop.visitor()
await clerk.signIn(owner.phone)
beforeEach(() => sql`truncate products, audit_log cascade`.execute(db))
const { id: fruits } = await buildCategory(db, { name_en: 'Fruits here', name_bn: 'ফল এখানে' })
const { id: cattle } = await buildCategory(db, { delivery_group: 'cattle', name_en: 'Cattle', name_bn: 'গরু' })

interface PlanJson {
  sums: { create: number; change: number; same: number; error: number }
  lines: {
    line: number
    action: string
    changes: { field: string; before: string; after: string }[]
    errors: { field: string; text: string }[]
  }[]
  unknown: string[]
  previewHash: string
  done: boolean
}
const send = async (csv: string, previewHash?: string) => {
  const response = await clerk.post('/admin/products/import', { csv, ...(previewHash ? { previewHash } : {}) })
  return { status: response.status, message: response.body.message, plan: response.body as unknown as PlanJson }
}
const both = async (csv: string) => {
  const { plan } = await send(csv)
  return send(csv, plan.previewHash)
}
const products = async () =>
  (
    await sql<{
      name_en: string
      price_poisha: number
      stock_milli: number | null
    }>`select name_en, price_poisha, stock_milli from products order by id`.execute(db)
  ).rows
const count = async () => (await sql<{ n: number }>`select count(*)::int as n from audit_log`.execute(db)).rows[0]?.n

const HEAD = 'Category,Name in English,Name in Bengali,Price,Barcode,Stock\n'

it('returns a preview first, and then writes all lines', async () => {
  const { id } = await buildProduct(db, { name_en: 'Guava', price_poisha: 5000, category_id: fruits })
  const csv = `Number,${HEAD}${id},Fruits here,Guava,পেয়ারা,৬০,,\n,Fruits here,"Litchi, ""China""",লিচু,350,8941100000017,40\n`
  const preview = await send(csv)
  expect([preview.status, preview.plan.sums, preview.plan.done]).toEqual([200, { create: 1, change: 1, same: 0, error: 0 }, false])
  expect(preview.plan.lines[0]).toMatchObject({
    action: 'change',
    changes: [
      { before: expect.any(String), after: 'পেয়ারা' },
      { field: 'Price', before: '50', after: '60' },
    ],
  })
  expect([await count(), (await products()).length]).toEqual([0, 1])
  expect((await send(csv, preview.plan.previewHash)).plan.done).toBe(true)
  expect(await products()).toEqual([
    { name_en: 'Guava', price_poisha: 6000, stock_milli: null },
    { name_en: 'Litchi, "China"', price_poisha: 35_000, stock_milli: 40_000 },
  ])
  expect(await count()).toBe(3)
  await expectInvariants(db)
})

it('accepts Bengali headings, semicolons and a byte order mark', async () => {
  const csv = '\ufeffবিভাগ;ইংরেজি নাম;বাংলা নাম;দাম;দোকানে;অবস্থা\r\nফল এখানে;Jackfruit;কাঁঠাল;১২০;না;স্টকে আছে\r\n'
  expect((await both(csv)).plan.sums).toEqual({ create: 1, change: 0, same: 0, error: 0 })
  expect(await products()).toEqual([{ name_en: 'Jackfruit', price_poisha: 12_000, stock_milli: null }])
})

const FIRST_LINES = ['sep=;\r\n', '\ufeffsep=;\n', '\r\n\r\n', ' \n']
it.each(FIRST_LINES)('accepts semicolons after the first line %j, and counts its lines', async (first) => {
  const rows = `${HEAD.replaceAll(',', ';')}Fruits here;Litchi;লিচু;350;;40\nNowhere;Guava;পেয়ারা;60;;5\n`
  const { plan } = await send(first + rows.replaceAll('\n', first.includes('\r') ? '\r\n' : '\n'))
  const at = first.split('\n').length
  expect(plan.lines.map(({ line, action }) => `${action} ${line}`)).toEqual([`error ${at + 2}`, `create ${at + 1}`])
})

it('importing a file again changes nothing, also when it is sent twice concurrently', async () => {
  const csv = `${HEAD}Fruits here,Litchi,লিচু,350,,40\n`
  const { plan } = await send(csv)
  const responses = await Promise.all([send(csv, plan.previewHash), send(csv, plan.previewHash)])
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await products()).length).toBe(1)
  expect((await send(csv)).plan.sums).toEqual({ create: 0, change: 0, same: 1, error: 0 })
})

it('reports errors by line, and writes nothing', async () => {
  await buildProduct(db, { name_en: 'Other', barcode: '4006381333931' })
  const csv = `Number,${HEAD}${[
    ',Nowhere,A,ক,5,,',
    ',Fruits here,,ক,5,,',
    ',Fruits here,B,খ,cheap,x y,1.2345',
    '999999999,Fruits here,C,গ,5,,',
    ',Fruits here,D,ঘ,5,777777,',
    ',Fruits here,E,ঙ,5,777777,',
    ',Fruits here,Fine,চ,5,,',
  ].join('\n')}\n`
  const preview = await send(csv)
  expect(preview.plan.sums).toEqual({ create: 2, change: 0, same: 0, error: 5 })
  const wrong = preview.plan.lines
    .filter(({ action }) => action === 'error')
    .map(({ line, errors }) => [line, errors.map(({ field }) => field)])
  expect(wrong).toEqual([
    [2, ['Category']],
    [3, ['Name in English']],
    [4, ['Price', 'Barcode', 'Stock']],
    [5, ['Number']],
    [7, ['Number']],
  ])
  const written = await send(csv, preview.plan.previewHash)
  expect([written.status, (await products()).length]).toEqual([422, 1])
})

it('is a conflict after another change, and overwrites nothing', async () => {
  const { id } = await buildProduct(db, { price_poisha: 5000, category_id: fruits })
  const csv = `Number,Price\n${id},60\n`
  const { plan } = await send(csv)
  await sql`update products set name_en = 'Changed' where id = ${id}`.execute(db)
  expect((await send(csv, plan.previewHash)).status).toBe(409)
  expect(await products()).toMatchObject([{ price_poisha: 5000 }])
})

it('of an animal does not change its price by weight, nor its kind', async () => {
  await sql`insert into rate_tiers (category_id, season, from_grams, poisha_per_kg) values (${cattle}, '', 0, 52000)`.execute(db)
  const csv = 'Kind,Category,Name in English,Name in Bengali,Tag number,Weight in kg,Weighed on\nanimal,Cattle,Bull,ষাঁড়,t-1,200,2026-11-01\n'
  expect((await both(csv)).status).toBe(200)
  expect(await products()).toEqual([{ name_en: 'Bull', price_poisha: 10_400_000, stock_milli: 1000 }])
  expect((await send('Tag number,Price\nT-1,5\n')).plan.sums.same).toBe(1)
  expect((await send('Tag number,Kind\nT-1,goods\n')).plan.lines[0]?.errors).toEqual([
    { field: 'Type', text: 'An animal can’t become a product, or a product an animal.' },
  ])
  await expectInvariants(db)
})

describe('an invalid file', () => {
  it.each([
    ['nothing', '', /no row/],
    ['only headings', HEAD, /no row/],
    ['no heading', 'a,b\n1,2\n', /No known column headings/],
    ['a quote too many', `${HEAD}"Fruits here,x,y,1,,\n`, /can’t be read from line/],
    ['a page', '<!doctype html><script>alert(1)</script>', /No known column headings|no row/],
    ['5,001 rows', `Number,Price\n${'1,5\n'.repeat(5001)}`, /5,000 rows/],
  ])('%s is rejected with a message', async (_name, csv, words) => {
    const { status, message } = await send(csv)
    expect([status, message]).toEqual([422, expect.stringMatching(words)])
  })
  it('more than 5 MB is too large', async () => {
    expect((await send('x'.repeat(5 * 1024 * 1024 + 1))).status).toBe(413)
    expect((await clerk.post('/admin/products/import', { csv: 'x'.repeat(11 * 1024 * 1024) })).status).toBe(413)
  })
  it('rejects other fields and types', async () => {
    for (const body of [{}, { csv: 5 }, { csv: 'a', force: true }, { csv: null }])
      expect((await clerk.post('/admin/products/import', body)).status).toBe(422)
  })
})

const words = fc
  .array(fc.constantFrom('আম', 'mango', "'", '=1', '-5', '"', ',', '\n', '0123', '@', '😀', 'é'), { minLength: 1, maxLength: 6 })
  .map((parts) => `n ${parts.join(' ')}`)

it('an exported file, in either language, changes nothing when it is imported', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          name_en: words,
          name_bn: words,
          note_en: words,
          description_bn: words,
          price: fc.integer({ min: 1, max: 10_000_000 }),
          sizes: fc.boolean(),
          discount: fc.boolean(),
        }),
        {
          minLength: 1,
          maxLength: 5,
        },
      ),
      fc.constantFrom('en' as const, 'bn' as const),
      async (made, lang) => {
        await sql`truncate products cascade`.execute(db)
        for (const { price, sizes, discount, ...texts } of made) {
          const more = {
            sizes_milli: sizes ? [2500, 5000] : [],
            discount_kind: discount ? 'percentage' : null,
            discount_value: discount ? 1250 : null,
          }
          await buildProduct(db, { ...texts, ...more, price_poisha: price, category_id: fruits, search_aliases: '=aam', barcode: null })
        }
        await buildAnimal(db, {
          category_id: cattle,
          coat: 'red',
          teeth: 2,
          birth_month: '2024-03-01',
          status: 'hold',
          barcode: '8941100000017',
        })
        let csv = csvLine(exportHead(lang))
        for await (const lines of exportProducts(db, readProductFilter({}), 10, lang)) csv += lines.map(csvLine).join('')
        const result = await importProducts(db, { kind: 'staff', id: owner.id, ip: '' }, csv, null, {
          today: '2026-11-20',
          seasonStart: null,
        })
        expect(result).toMatchObject({ ok: true, plan: { sums: { create: 0, change: 0, error: 0, same: made.length + 1 }, lines: [] } })
      },
    ),
    { numRuns: 25 },
  )
})

it('an exported file has no formulas', async () => {
  await buildProduct(db, { name_en: '=HYPERLINK("http://evil")', name_bn: '@SUM(A1)', note_en: '+cmd' })
  const { text, headers } = await clerk.get('/admin/products/export', { accept: 'text/html' })
  expect([
    headers['content-type'],
    text.includes(`"'=HYPERLINK(""http://evil"")"`),
    text.includes(`"'@SUM(A1)"`),
    text.includes(`"'+cmd"`),
  ]).toEqual([expect.stringMatching(/csv/), true, true, true])
  expect(text.trim().split('\r\n')).toHaveLength(2)
})

it('a Bengali name of two categories: a product stays in its own, a new one is an error', async () => {
  const [one, two] = [await buildCategory(db, { name_bn: 'একই নাম' }), await buildCategory(db, { name_bn: 'একই নাম' })]
  await buildProduct(db, { name_en: 'First', category_id: one.id })
  const { id } = await buildProduct(db, { name_en: 'Second', category_id: two.id })
  await db.insertInto('product_categories').values({ product_id: id, category_id: one.id }).execute()
  const exported = (await clerk.get('/admin/products/export?lang=bn')).text
  expect(exported).toContain('একই নাম')
  expect((await send(exported)).plan.sums).toEqual({ create: 0, change: 0, same: 2, error: 0 })
  const { plan } = await send(`${HEAD}একই নাম,Third,তৃতীয়,50,,\n`)
  expect(plan.lines).toMatchObject([
    { action: 'error', errors: [{ field: 'Category', text: 'Several categories have this name. Enter the category’s id.' }] },
  ])
  expect((await send(`${HEAD}${two.id},Third,তৃতীয়,50,,\n`)).plan.sums).toMatchObject({ create: 1, error: 0 })
})

describe('a file that a spreadsheet or a clerk has changed', () => {
  const errorsOf = ({ plan }: Awaited<ReturnType<typeof send>>) => plan.lines.flatMap(({ errors }) => errors.map(({ text }) => text))
  const lost = 'Letters were lost when the file was saved. Save it as “CSV UTF-8”.'
  const tooLong = 'This row has more cells than headings. Put values with commas, such as "1,500", in quotes.'

  it.each([
    ['a decimal comma', 'Number;Price\n#;89,50\n', 'Enter an amount, e.g. 1500 or 150.50.'],
    ['a thousands comma without quotes', 'Number,Price\n#,1,00,000\n', tooLong],
    ['the same below a column without heading', 'Number,Price,\n#,1,500\n', tooLong],
    ['question marks for Bengali letters', 'Number,Name in Bengali\n#,??? 5kg\n', lost],
    ['bytes that are not UTF-8', 'Number,Note in English\n#,5 \ufffd 6 kg\n', lost],
  ])('with %s is an error at its line', async (_name, csv, text) => {
    const { id } = await buildProduct(db, { price_poisha: 8000, category_id: fruits })
    const preview = await send(csv.replace('#', String(id)))
    expect([preview.plan.sums.error, errorsOf(preview)]).toEqual([1, [expect.stringContaining(text)]])
    expect(await products()).toMatchObject([{ price_poisha: 8000 }])
  })

  it('may keep grouped amounts in quotes, empty cells at the end, and a text that looks lost but is stored', async () => {
    const { id } = await buildProduct(db, { name_bn: 'Really??', price_poisha: 8000, category_id: fruits })
    expect((await both(`Number,Name in Bengali,Price\n${id},Really??,"1,00,000.50",,\n`)).plan.sums).toMatchObject({ change: 1, error: 0 })
    expect(await products()).toMatchObject([{ price_poisha: 10_000_050 }])
  })

  it('with two columns of the same field is refused', async () => {
    expect(await send('Number,Price,দাম\n1,70,75\n')).toMatchObject({
      status: 422,
      message: '“দাম” repeats a column of the file. Remove one of the two.',
    })
  })

  it('finds a product by barcode, tag, number and name in any script of digits and form of letters', async () => {
    const csv = `${HEAD}Fruits here,Litchi,লিচু,350,৮৯৪১১০০০০০০১৭,\nFruits here,Pure\u0301e,পিউরি,90,,\n`
    expect((await both(csv)).status).toBe(200)
    expect((await send(csv)).plan.sums).toEqual({ create: 0, change: 0, same: 2, error: 0 })
    const { rows } = await sql<{ id: string }>`select translate(min(id)::text, '0123456789', '০১২৩৪৫৬৭৮৯') as id from products`.execute(db)
    expect((await send(`Number,Price\n${rows[0]!.id},350\n`)).plan.sums).toMatchObject({ same: 1, error: 0 })
  })

  it('names a barcode or tag of another product, also within the file', async () => {
    const [one, two] = [await buildProduct(db, { barcode: '11111' }), await buildProduct(db, { barcode: '22222' })]
    const [bull, ox] = [await buildAnimal(db, { tag_number: 'T-1' }), await buildAnimal(db, { tag_number: 'T-2' })]
    const taken = 'Another product has this barcode.'
    expect(errorsOf(await send(`Number,Barcode\n${one.id},22222\n${two.id},11111\n`))).toEqual([taken, taken])
    expect(errorsOf(await send(`Number,Barcode\n${one.id},33333\n${two.id},33333\n`))).toEqual(['Same product as line 2.'])
    expect(errorsOf(await send(`Number,Tag number\n${bull.id},t-2\n${ox.id},T-2\n`))[0]).toMatch(/^Another animal has this tag/)
    expect((await both(`Number,Barcode\n${one.id},44444\n${two.id},22222\n`)).plan.sums).toMatchObject({ change: 1, same: 1 })
  })
})
