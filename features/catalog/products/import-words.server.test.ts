import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { buildCategory } from '#test/factories.ts'
import { openCatalog } from './testing/catalog.ts'

const { db, clerk, goods, fresh, created } = await openCatalog()

const linesOf = async (csv: string) => {
  const { body } = await clerk.post('/admin/products/import?lang=bn', { csv })
  return (body as unknown as { lines: { name: string; errors: { field: string; text: string }[] }[] }).lines
}
const errorsOf = async (csv: string) => (await linesOf(csv)).flatMap(({ errors }) => errors)

it('a unit that does not exist is answered with the words of the reader', async () => {
  const csv = 'ইংরেজি নাম,বাংলা নাম,বিভাগ,দাম,একক\nLitchi,লিচু,Fruits and more,300,থলে\n'
  expect(await errorsOf(csv)).toEqual([{ field: 'একক', text: 'এর একটি লিখুন: কেজি, পিস, ডজন, আঁটি' }])
})

it('a file without categories says that they are missing', async () => {
  expect(await errorsOf('Name in English,Name in Bengali,Price\nLitchi,লিচু,300\n')).toEqual([{ field: 'বিভাগ', text: 'এই ঘরটি পূরণ করুন।' }])
})

it('amounts are read as a spreadsheet shows them, with the sign of the taka and in Bengali digits', async () => {
  const prices = ['৳ 120', '৳১২০', '৳\u00a01,200.50', '১২০', '৳   ১,২০,০০০']
  const csv = ['ইংরেজি নাম,বাংলা নাম,বিভাগ,দাম,মজুত', ...prices.map((price, n) => `Litchi ${n},লিচু,Fruits and more,"${price}",১২.৫`)].join('\n')
  expect(await errorsOf(csv)).toEqual([])
  // A sign elsewhere is no amount.
  expect(await errorsOf('ইংরেজি নাম,বাংলা নাম,বিভাগ,দাম,মজুত\nLitchi,লিচু,Fruits and more,120,৳ 5\n')).toHaveLength(1)
})

it('all cells of a row are checked at once, each with one error', async () => {
  const csv = 'ইংরেজি নাম,বাংলা নাম,বিভাগ,দাম,একক,মজুত\n,কলা,নেই এমন,আশি টাকা,হালি,-5\n'
  expect(await errorsOf(csv)).toEqual([
    { field: 'বিভাগ', text: 'এমন কোনো বিভাগ নেই।' },
    { field: 'একক', text: 'এর একটি লিখুন: কেজি, পিস, ডজন, আঁটি' },
    { field: 'ইংরেজি নাম', text: 'এই ঘরটি পূরণ করুন।' },
    { field: 'দাম', text: 'টাকার অঙ্ক লিখুন, যেমন ১৫০০ বা ১৫০.৫০।' },
    { field: 'মজুত', text: '০ বা তার বেশি সংখ্যা লিখুন, সর্বোচ্চ তিন দশমিক।' },
  ])
})

it('all cells of a stored product are checked at once too', async () => {
  await created({ ...goods, ...fresh })
  const csv = `ইংরেজি নাম,বিভাগ,আরও বিভাগ,দাম,একক\n${goods.name_en},Fruits and more,নেই এমন,আশি টাকা,হালি\n`
  expect((await errorsOf(csv)).map(({ field }) => field)).toEqual(['আরও বিভাগ', 'একক', 'দাম'])
})

it('rows have the name in the language of the reader, else the other one', async () => {
  const csv = 'ইংরেজি নাম,বাংলা নাম,বিভাগ,দাম\nLitchi,লিচু,Fruits and more,300\n,কলা,Fruits and more,80\nGuava,,Fruits and more,90\n'
  expect((await linesOf(csv)).map(({ name }) => name)).toEqual(['কলা', 'Guava', 'লিচু'])
})

it('the tag of a product that is no animal is an error: it is not stored, so that the file would create the product at each import', async () => {
  const { id } = await created({ ...goods, ...fresh })
  const csv = `Number,Type,Name in English,Name in Bengali,Category,Price,Tag number\n,goods,Litchi,লিচু,Fruits and more,300,L-1\n${id},,Guava,পেয়ারা,Fruits and more,90,L-2\n`
  const error = { field: 'ট্যাগ নম্বর', text: 'ট্যাগ শুধু পশুর হয়। ঘরটি খালি রাখুন।' }
  expect(await errorsOf(csv)).toEqual([error, error])
})

it('a name that several products have is an error: each import of the file would create one more', async () => {
  for (const barcode of ['', '8941100000024']) await created({ ...goods, ...fresh, barcode })
  const csv = `Name in English,Name in Bengali,Category,Price\n${goods.name_en},আম,Fruits and more,90\n`
  expect(await errorsOf(csv)).toEqual([{ field: 'ইংরেজি নাম', text: 'এই নামে একাধিক পণ্য আছে। নম্বর বা বারকোড লিখুন।' }])
})

it.each(['en', 'bn'])('an exported file in %s with unclear names of categories changes nothing when it is imported', async (lang) => {
  const build = (name_en: string, name_bn: string) => buildCategory(db, { name_en: `${name_en} ${lang}`, name_bn: `${name_bn} ${lang}` })
  const [gifts, sweets, others] = [await build('Gifts; hampers', 'উপহার'), await build('Sweets', 'অন্যান্য'), await build('Others', 'অন্যান্য')]
  await created({ ...goods, ...fresh, further_category_ids: [gifts.id, sweets.id, others.id] })
  const { text: csv } = await clerk.get(`/admin/products/export?lang=${lang}`)
  const cell = lang === 'en' ? `${gifts.id}; Sweets en; Others en` : `উপহার bn; ${sweets.id}; ${others.id}`
  expect(csv).toContain(`"${cell}"`)
  const { body } = await clerk.post('/admin/products/import', { csv })
  expect(body).toMatchObject({ sums: { create: 0, change: 0, same: 1, error: 0 } })
})

it('a date that a spreadsheet has rewritten is answered with the form that is read', async () => {
  const head = 'ইংরেজি নাম,বাংলা নাম,বিভাগ,দাম,ডেলিভারির তারিখ,জন্মের মাস,ধরন,ট্যাগ নম্বর,ওজন (কেজি),ওজনের তারিখ\n'
  expect(await errorsOf(`${head}Bull,ষাঁড়,Fruits and more,90000,31/12/2026,May-24,পশু,D-1,200,31/12/2026\n`)).toEqual(
    [
      ['জন্মের মাস', 'মাস এভাবে লিখুন: ২০২৪-০৫। এক্সেল বদলে দিলে কলামটি আগে Text করে নিন।'],
      ['ডেলিভারির তারিখ', 'তারিখ এভাবে লিখুন: ২০২৬-১২-৩১। এক্সেল বদলে দিলে কলামটি আগে Text করে নিন।'],
      ['ওজনের তারিখ', 'তারিখ এভাবে লিখুন: ২০২৬-১২-৩১। এক্সেল বদলে দিলে কলামটি আগে Text করে নিন।'],
    ].map(([field, text]) => ({ field, text })),
  )
  expect(await errorsOf(`${head}Lime,কাগজি লেবু,Fruits and more,90,২০২৬-১২-৩১,,,,,\n`)).toEqual([])
  expect(await errorsOf(`${head}Bull,ষাঁড়,Fruits and more,90000,,,পশু,D-1,ভারী,1026-12-31\n`)).toEqual([
    { field: 'ওজন (কেজি)', text: expect.stringContaining('কেজি') },
    { field: 'ওজনের তারিখ', text: expect.stringContaining('সাল') },
  ])
})

it.each([
  ['কোরবানি', 'A'],
  ['Kurbani', 'B'],
  ['kurbani', 'C'],
  ['KURBANI', 'D'],
])('the season %s of an animal is the one that has rates', async (word, herd) => {
  const { id } = await buildCategory(db, { delivery_group: 'cattle', name_en: `Cows ${herd}`, name_bn: `গরু ${herd}` })
  await sql`insert into rate_tiers (category_id, season, from_grams, poisha_per_kg) values (${id}, 'kurbani', 0, 52000)`.execute(db)
  const head = 'Type,Tag number,Name in English,Name in Bengali,Category,Sold by live weight,Season,Weight in kg,Weighed on'
  const csv = `${head}\nanimal,SEASON-${id},Ox,ষাঁড়,Cows ${herd},yes,${word},250,2026-11-01\n`
  expect(await errorsOf(csv)).toEqual([])
  const { text } = await clerk.post('/admin/products/import', { csv })
  const { previewHash } = JSON.parse(text) as { previewHash: string }
  expect((await clerk.post('/admin/products/import', { csv, previewHash })).status).toBe(200)
  const { rows } = await sql`select season from products where tag_number = ${`SEASON-${id}`}`.execute(db)
  expect(rows).toEqual([{ season: 'kurbani' }])
})
