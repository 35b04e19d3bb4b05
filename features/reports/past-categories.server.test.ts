import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { readShiftSums } from '#features/pos/day-report.server.ts'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { dhakaDate } from '#lib/format/time.ts'
import { testDb } from '#test/db.ts'
import { buildCategory, buildProduct } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { aggregateSales } from './aggregate-sales.server.ts'

// A product that moves to another category leaves its sales where they were, also when their day is added up again.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
shop.clock.now = new Date()
const today = dhakaDate(shop.clock.now)
const manager = await signedIn(shop, 'manager')
const { shift_id: shiftId } = (await manager.post('/admin/quick-orders/shift/open', { opening_cash: 5000 })).body as { shift_id?: number }
const fruits = await buildCategory(db, { name_en: 'Fruits' })
const sweets = await buildCategory(db, { name_en: 'Sweets' })
const mango = await buildProduct(db, { category_id: fruits.id, unit: 'piece', price_poisha: 10_000, stock_milli: 90_000 })
afterAll(() => expect(shop.failures).toEqual([]))

async function sell(quantity: number): Promise<number> {
  const total = quantity * 100
  const products = [{ id: mango.id, quantity: String(quantity), price: 100 }]
  const body = { products, discount: 0, sub_total: total, total, transactions: { cash: total }, customer: { phone: '01712345671' } }
  const answer = await manager.post('/admin/quick-orders/store', body)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.order_id!
}

async function moveTo(category: number): Promise<void> {
  await sql`update products set category_id = ${category} where id = ${mango.id}`.execute(db)
  shop.clock.now = new Date(Date.now() + 1000)
}

async function shown(): Promise<{ report: string; shift: (string | number)[][] }> {
  await aggregateSales(db, shop.clock.now)
  const { text } = await manager.get(`/admin/reports?from=${today}&to=${dhakaDate(shop.clock.now)}&download=categories&lang=en`)
  const { categories } = await readShiftSums(db, shiftId!, 'en')
  return { report: text, shift: categories.map(({ name, sold, returned }) => [name, sold, returned]) }
}

it('sales stay in the category that the product had', async () => {
  const first = await sell(3)
  await shown()
  await moveTo(sweets.id)
  const lines = [{ product_id: mango.id, quantity: 1 }]
  // The return makes the job add up the day again.
  const back = await manager.post(`/admin/quick-orders/return/${first}`, { lines, refund: { cash: 100 }, reason: 'Not ripe' })
  expect(back.status, back.text).toBe(200)
  await sell(1)
  const { report, shift } = await shown()
  expect(report.replaceAll('\r', '')).toContain('"Fruits",1,200\n"Sweets",1,100')
  expect(shift).toEqual([
    ['Fruits', 30_000, 10_000],
    ['Sweets', 10_000, 0],
  ])
})

it('sales of a category that was deleted say so', async () => {
  const owner = await signedIn(shop, 'owner')
  const deleted = await owner.send('DELETE', `/admin/category/delete/${fruits.id}`, undefined, {
    headers: { accept: 'application/json', 'x-csrf-token': await owner.token() },
  })
  expect(deleted.status, deleted.text).toBe(200)
  const { report, shift } = await shown()
  expect(report).toContain('"Deleted category",1,200')
  expect(shift[0]).toEqual(['', 30_000, 10_000])
  const page = await manager.get(`/admin/quick-orders/shift-report/${shiftId}?lang=en`, { accept: 'text/html' })
  expect(page.text).toContain('Deleted category')
})
