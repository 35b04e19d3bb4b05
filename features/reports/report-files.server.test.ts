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
