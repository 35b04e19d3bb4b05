import { afterAll, expect, it } from 'vitest'
import type { ListingQuery } from '#features/catalog/listing-query-rules.ts'
import type { ListFilterJson, ListingJson } from '#features/catalog/types.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildCategory, buildProduct } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))

const [kurbani, beef, fruits] = await Promise.all((['kurbani', 'beef', 'fruits'] as const).map((key) => buildCategory(db, { key })))
const deshi = {
  category_id: kurbani!.id,
  breed_en: 'Deshi',
  breed_bn: 'দেশি',
  coat: 'red',
  teeth: 2,
  sex: 'bull',
  price_poisha: 100_000_00,
}
const [bull, ox, sold, bengali] = await Promise.all([
  buildAnimal(db, deshi),
  buildAnimal(db, { ...deshi, sex: 'ox', coat: 'black', teeth: 4, price_poisha: 150_000_00 }),
  buildAnimal(db, { ...deshi, coat: null, teeth: 0, sex: null, status: 'sold' }),
  buildAnimal(db, { ...deshi, breed_en: null, breed_bn: 'মীরকাদিম', coat: 'red-pied' }),
])
const inBeef = await buildAnimal(db, { ...deshi, category_id: beef!.id, breed_en: 'Sahiwal' })
await buildProduct(db, { category_id: fruits!.id })

const list = async (path: string) => JSON.parse((await shop.get(path)).text) as ListingJson
const page = async (path: string, lang = 'en') =>
  pageProps<{ listing: ListingJson; query: ListingQuery }>((await shop.get(path, { accept: 'text/html', cookie: `lang=${lang}` })).text)
const idsOf = ({ products }: ListingJson) => products.map(({ id }) => id).toSorted((a, b) => a - b)
const counts = (filters: ListFilterJson[]) =>
  Object.fromEntries(filters.map(({ name, options }) => [name, options.map(({ value, count }) => `${value} ${count}`).join()]))

it('lists the traits of a list’s animals with their numbers, in the reader’s language', async () => {
  const { filters } = await list('/api/kurbani-cows?lang=en')
  expect(counts(filters)).toEqual({
    breed: 'Deshi 3,মীরকাদিম 1',
    sex: 'bull 2,ox 1',
    teeth: '0 1,2 2,4 1',
    coat: 'red 1,black 1,red-pied 1',
  })
  expect(filters.map(({ label, options }) => [label, options[0]!.label])).toEqual([
    ['Breed', 'Deshi'],
    ['Sex', 'Bull'],
    ['Teeth', 'Milk teeth'],
    ['Colour', 'Red'],
  ])
  expect((await list('/api/kurbani-cows?lang=bn')).filters.map(({ label, options }) => [label, options.at(-1)!.label])).toEqual([
    ['জাত', 'মীরকাদিম'],
    ['লিঙ্গ', 'বলদ'],
    ['দাঁত', '৪ দাঁত'],
    ['গায়ের রং', 'লাল-সাদা'],
  ])
})

it('has none where nothing would be narrowed', async () => {
  for (const path of ['/api/products', '/api/products?category_name=Fruits', '/api/products?category_name=beef'])
    expect((await list(path)).filters).toEqual([])
})

it.each([
  ['breed=Deshi', () => [bull, ox, sold]],
  ['breed=%E0%A6%AE%E0%A7%80%E0%A6%B0%E0%A6%95%E0%A6%BE%E0%A6%A6%E0%A6%BF%E0%A6%AE', () => [bengali]],
  ['sex=ox', () => [ox]],
  ['teeth=0', () => [sold]],
  ['coat=red&sex=bull&teeth=2&breed=Deshi', () => [bull]],
  ['coat=red&sex=ox', () => []],
  ['breed=deshi', () => []],
  ['sex=bull&maxPrice=120000&status=in-stock', () => [bull, bengali]],
  ['breed=&sex=&teeth=&coat=', () => [bull, ox, sold, bengali]],
])('?%s narrows the API and the page alike', async (query, animals) => {
  const ids = animals()
    .map(({ id }) => id)
    .toSorted((a, b) => a - b)
  const [api, { listing }] = [await list(`/api/kurbani-cows?lang=en&${query}`), await page(`/kurbani?${query}`)]
  expect([idsOf(api), idsOf(listing), api.pagination.total]).toEqual([ids, ids, ids.length])
  expect(listing.filters).toEqual(api.filters)
})

it('counts the other values of a chosen trait, and lists a chosen value that nothing has', async () => {
  const { filters } = await list('/api/kurbani-cows?sex=ox&coat=red')
  expect(counts(filters)).toEqual({ sex: 'bull 1,ox 0', coat: 'red 0,black 1' })
  expect(counts((await list('/api/kurbani-cows?breed=Gone')).filters)).toMatchObject({ breed: 'Deshi 3,মীরকাদিম 1,Gone 0' })
})

it('follows a change of an animal', async () => {
  await db.updateTable('products').set({ sex: 'heifer', coat: 'grey' }).where('id', '=', inBeef.id).execute()
  await expect.poll(async () => idsOf(await list('/api/products?category_name=beef&sex=heifer&coat=grey'))).toEqual([inBeef.id])
  expect(idsOf(await list('/api/products?category_name=beef&sex=bull'))).toEqual([])
  expect(idsOf(await list('/api/products?sex=heifer'))).toEqual([inBeef.id])
})

it('searches and filters by status in every list', async () => {
  const tag = encodeURIComponent(ox!.tag_number!)
  for (const listing of [
    await list(`/api/products?search=${tag}`),
    await list(`/api/kurbani-cows?search=${tag}`),
    (await page(`/kurbani?search=${tag}`)).listing,
    (await page(`/?search=${tag}`)).listing,
  ])
    expect(idsOf(listing)).toEqual([ox!.id])
  expect(idsOf(await list('/api/products?status=sold'))).toEqual([sold!.id])
})

it.each([
  'sex=bullock',
  'sex=constructor',
  'coat=__proto__',
  'teeth=9',
  'teeth=-1',
  'teeth=two',
  'sex=ox&sex=cow',
  `breed=${'x'.repeat(101)}`,
  'breed=a%00b',
])('?%s is refused by the API and ignored by the page', async (query) => {
  for (const path of ['/api/products', '/api/kurbani-cows']) expect((await shop.get(`${path}?${query}`)).status).toBe(422)
  const answer = await page(`/beef?${query}`)
  expect(answer.query).toMatchObject(query.startsWith('sex=ox') ? { sex: 'ox' } : { breed: '', sex: '', teeth: null, coat: '' })
})

it('renders removable filters and the options as links, which work without scripts', async () => {
  const html = (
    await shop.get('/kurbani?sex=ox&breed=Deshi&status=in-stock&minPrice=5&search=%3Cb%3E&page=3', {
      accept: 'text/html',
      cookie: 'lang=en',
    })
  ).text
  expect(html).toContain('aria-label="Clear filter: Ox"')
  expect(html).toContain('href="/kurbani?minPrice=5&amp;status=in-stock&amp;search=%3Cb%3E&amp;breed=Deshi"')
  expect(html).toContain('aria-label="Clear filter: &lt;b&gt;"')
  expect(html).toMatch(/href="\/kurbani"[^>]*>Clear all</)
  expect(html).toMatch(/<input type="hidden" name="breed" value="Deshi"\/>/)
})

it.each(['sold', 'pre-book'])('the status of the address is the chosen one: %s', async (status) => {
  const html = (await shop.get(`/kurbani?status=${status}`, { accept: 'text/html', cookie: 'lang=en' })).text
  expect(html).toMatch(new RegExp(`<option value="${status}" selected=""`))
})
