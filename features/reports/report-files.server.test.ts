import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildUser } from '#test/factories.ts'
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
