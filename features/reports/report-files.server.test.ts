import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildUser } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const manager = shop.visitor()
await manager.signIn((await buildUser(db, { role: 'manager' })).phone)
await buildAnimal(db)

it.each([
  ['days', '"তারিখ","অর্ডার","টাকা"'],
  ['categories', '"নাম","অর্ডার","টাকা"'],
  ['areas', '"নাম","অর্ডার","টাকা"'],
  ['due', '"অবস্থা","অর্ডার","টাকা"'],
  ['held', '"অবস্থা","অর্ডার","টাকা"'],
  ['refunds', '"অবস্থা","অর্ডার","টাকা"'],
  ['stock', '"অবস্থা","পশু","অন্য পণ্য"'],
  ['gains', '"ট্যাগ","নাম","শুরুতে, কেজি","শেষে, কেজি","বৃদ্ধি, কেজি","দিন"'],
])('the file of %s is in the language of the reader', async (table, head) => {
  const cookie = `${[...manager.cookies].map(([name, value]) => `${name}=${value}`).join('; ')}; lang=bn`
  const file = await manager.get(`/admin/reports?download=${table}`, { accept: 'text/html', cookie })
  expect([file.status, file.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
  const lines = file.text.replace('\ufeff', '').split('\r\n')
  expect(lines[0]).toBe(head)
  if (table === 'stock') expect(lines[1]).toMatch(/^"[^"a-z]+",\d+,\d+$/)
})

it('the file of areas names sales without an area, as the page does', async () => {
  await sql`insert into sales_days (day, area_id, source, orders, total_poisha, discount_poisha, shipping_poisha, done_orders, done_poisha, lost_orders, lost_poisha)
    values ('2026-11-01', 0, 'pos', 2, 50000, 0, 0, 2, 50000, 0, 0)`.execute(db)
  const file = await manager.get('/admin/reports?download=areas&from=2026-11-01&to=2026-11-01', { accept: 'text/html' })
  expect(file.text.split('\r\n').slice(1)).toEqual(['"No area",2,500', ''])
})

it('the sum and the file of weight gains have all animals; the page shows the first ones', async () => {
  const animals = await Promise.all(Array.from({ length: 202 }, () => buildAnimal(db)))
  const ids = animals.map(({ id }) => id)
  // The last one has lost 50 kg.
  await sql`insert into weigh_ins (product_id, weighed_on, grams)
    select id, day::date, case when day = '2026-10-01' then 200000 when id = ${ids.at(-1)} then 150000 else 210000 end
    from unnest(${ids}::bigint[]) id, unnest(array['2026-10-01', '2026-10-11']) day`.execute(db)
  const query = 'from=2026-10-01&to=2026-10-31'
  const page = await manager.get(`/admin/reports?${query}`, { accept: 'text/html' })
  const { gains, gained } = pageProps<{ gains: object[]; gained: object }>(page.text)
  expect([gains.length, gained]).toEqual([200, { animals: 202, grams: 201 * 10_000 - 50_000 }])
  const file = await manager.get(`/admin/reports?download=gains&${query}`, { accept: 'text/html' })
  const lines = file.text.split('\r\n').filter((line) => line !== '')
  expect([lines.length, lines.at(-1)?.endsWith(',200,150,-50,10')]).toEqual([203, true])
})
