import { sql } from 'kysely'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { listDate } from '#features/orders/list-date.ts'
import { addDays, dhakaDate, formatDay } from '#lib/format/time.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildCategory, buildProduct } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { findProduct, listStatuses } from './queries.server.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))

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

it.each([24, 1])('a delivery date is shown while an order can come on it, with the cut-off hour %i', async (hour) => {
  await sql`insert into settings values ('cutoff_hour', ${hour}) on conflict (key) do update set value = excluded.value`.execute(db)
  onTestFinished(async () => void (await sql`delete from settings`.execute(db)))
  const first = listDate(new Date(), hour)
  const shown = async (delivery_on: string) => {
    const { id } = await buildProduct(db, { delivery_on })
    const [status] = await listStatuses(db, [id], null, 'en')
    return [(await findProduct(db, id, 'en'))?.delivery_date, status?.delivery_date]
  }
  const days = [-1, 0, 1].map((more) => addDays(first, more))
  expect(await Promise.all(days.map(shown))).toEqual([null, days[1], days[2]].map((day) => [day, day]))
})

it('a stored cut-off hour that is no number counts as the default', async () => {
  await sql`insert into settings values ('cutoff_hour', '"nine"')`.execute(db)
  onTestFinished(async () => void (await sql`delete from settings`.execute(db)))
  const day = addDays(dhakaDate(new Date()), 9)
  const { id } = await buildProduct(db, { delivery_on: day })
  expect(await findProduct(db, id, 'en')).toMatchObject({ delivery_date: day })
})
