import { afterAll, expect, it } from 'vitest'
import { addDays, dhakaDate, formatDay } from '#lib/format/time.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildCategory, buildProduct } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { shownDeliveryDate } from './product-rows.server.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))

it('a delivery date is shown until its day is over', () => {
  expect(['2026-06-09', '2026-06-10', '2026-06-11', null].map((day) => shownDeliveryDate(day, '2026-06-10'))).toEqual([
    null,
    '2026-06-10',
    '2026-06-11',
    null,
  ])
})

it('pages, lists and the refresh promise no delivery from a day in the past', async () => {
  const today = dhakaDate(new Date())
  const [past, ahead] = [addDays(today, -2), addDays(today, 30)]
  const old = await buildProduct(db, { status: 'pre-book', delivery_on: past })
  const next = await buildProduct(db, { status: 'pre-book', delivery_on: ahead })
  type Dated = { id: number; delivery_date: string | null }
  const dates = (body: object) =>
    Object.fromEntries((body as { products: Dated[] }).products.map(({ id, delivery_date: date }) => [id, date]))
  const shown = { [old.id]: null, [next.id]: ahead }
  expect(dates((await shop.get('/api/products')).body)).toEqual(shown)
  expect(dates((await shop.get(`/api/product-status-update?productIds=${old.id},${next.id}`)).body)).toEqual(shown)
  expect((await shop.get(`/api/products/${old.id}`)).body).toMatchObject({ delivery_date: null })
  const page = async (id: number) => (await shop.get(`/product/${id}`, { accept: 'text/html' })).text
  expect(await page(next.id)).toContain(`Delivery from ${formatDay(ahead, 'en')}`)
  expect(await page(old.id)).not.toContain(`Delivery from ${formatDay(past, 'en')}`)
})

it('pages of an animal that is sold promise neither delivery nor advance', async () => {
  const { id: category_id } = await buildCategory(db, { key: 'kurbani', delivery_group: 'cattle' })
  const day = addDays(dhakaDate(new Date()), 30)
  const texts = ['Delivery date', 'Delivery charge', 'Minimum advance', 'Read before you order']
  const read = async (path: string) => (await shop.get(path, { accept: 'text/html' })).text
  const shown = async (id: number) => {
    const page = await read(`/product/${id}`)
    return texts.filter((text) => page.includes(text))
  }
  const free = await buildAnimal(db, { category_id, delivery_on: day })
  const sold = await buildAnimal(db, { category_id, delivery_on: day, status: 'sold', stock_milli: 0 })
  expect(await shown(free.id)).toEqual(texts)
  expect(await shown(sold.id)).toEqual([])
  for (const text of ['may change with your area', formatDay(day, 'en')]) {
    expect(await read(`/order/place/${free.id}`)).toContain(text)
    expect(await read(`/order/place/${sold.id}`)).not.toContain(text)
  }
  expect(await read(`/compare?ids=${free.id}`)).toContain(formatDay(day, 'en'))
  expect(await read(`/compare?ids=${sold.id}`)).not.toContain(formatDay(day, 'en'))
})
