import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { countStock } from '#test/invariants.ts'
import { expectLedger } from '#test/ledger-checks.ts'
import { openShop } from '#test/request.ts'
import { erasePerson } from './erase-person.server.ts'
import { findPerson, readPersonalData } from './read-personal-data.server.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { produce: 80 })
const mango = await buildProduct(db, { stock_milli: 50_000 })
const before = await countStock(db)
const NAME = 'Rahima Uniquename'
const PHONE = '01853127062'
const customer = {
  name: NAME,
  phone: PHONE,
  email: 'unique@customer.example',
  address: 'Uniqueroad 12',
  landmark: '',
  note: '',
  area_id: area.id,
}
const body = orderBody(area.id, [[mango.id, 2]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE', customer })

/** Tables with a row that names the person. */
async function tablesNaming(...words: string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(db)
  const found: string[] = []
  for (const { name } of rows) {
    const { rows } = await sql`select 1 from ${sql.table(name)} t where t::text ~ ${words.join('|')} limit 1`.execute(db)
    if (rows.length > 0) found.push(name)
  }
  return found
}

it('prints all data of a customer, and erases it everywhere once nothing is open', { timeout: 60_000 }, async () => {
  const placed = await shop.post('/customer-orders', body)
  expect(placed.status).toBe(200)
  const person = (await findPerson(db, PHONE))!
  const data = await readPersonalData(db, person)
  expect(data).toMatchObject({ orders: [{ name: NAME, phone: PHONE, address: 'Uniqueroad 12' }], orderLines: [{ quantity_milli: 2000 }] })
  expect(JSON.stringify(data)).not.toMatch(/password_hash|view_key|token/)
  expect(await erasePerson(db, person, new Date())).toEqual({ ok: false, reasons: ['open-orders', 'money-due'] })
  expect(await tablesNaming(PHONE)).toContain('orders')

  const manager = await signedIn(shop, 'manager')
  const change = { orders: [{ id: placed.body.order_id, version: 1 }], status: 'cancelled', reason: 'Not needed' }
  const cancelled = await manager.post('/admin/orders/status', change)
  expect([cancelled.status, cancelled.body]).toEqual([200, expect.anything()])
  expect(cancelled.status).toBe(200)
  expect(await erasePerson(db, person, new Date())).toEqual({ ok: true, orders: 1 })
  expect(await tablesNaming(NAME, 'Uniqueroad', 'unique@customer', PHONE)).toEqual([])
  expect(await findPerson(db, PHONE)).toBeNull()
  const { rows } = await sql<{
    total: number
    lines: number
  }>`select total_poisha as total, (select count(*)::int from order_lines) as lines from orders`.execute(db)
  expect(rows).toEqual([{ total: expect.any(Number), lines: 1 }])
  // The number is free for its next holder, who sees nothing of the former one.
  expect((await shop.post('/customer-orders', { ...body, customer: { ...customer, name: 'Next Holder' } })).status).toBe(200)
  expect((await readPersonalData(db, (await findPerson(db, PHONE))!)).orders).toHaveLength(1)
  await expectLedger(db, before)
})

it('knows neither staff nor unknown numbers', async () => {
  const { phone } = await buildUser(db, { role: 'sales' })
  expect(await findPerson(db, phone)).toBeNull()
  expect(await findPerson(db, '01999999999')).toBeNull()
})
