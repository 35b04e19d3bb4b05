import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { findBroken } from '#db/invariants/find-broken.ts'
import { LEDGER_INVARIANTS } from '#db/invariants/ledger-invariants.ts'
import { ORDER_INVARIANTS } from '#db/invariants/order-invariants.ts'
import { erasePerson } from '#features/customers/personal-data/erase-person.server.ts'
import { findPerson } from '#features/customers/personal-data/read-personal-data.server.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { signedIn, storeBody } from '../testing/admin-shop.ts'

// The command `check` finds nothing in what one member of staff alone did to an order.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const mango = await buildProduct(db)
const AUDITED = 'event of staff without an audit entry'
const check = () => findBroken(db, { ...ORDER_INVARIANTS, ...LEDGER_INVARIANTS })
afterAll(() => expect(shop.failures).toEqual([]))

const body = () => orderBody(area.id, [[mango.id, 1]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' })
async function place(order = body()): Promise<number> {
  return (await shop.visitor().post('/customer-orders', order)).body.order_id!
}

it('a comment', async () => {
  const [id, sales] = [await place(), await signedIn(shop, 'sales')]
  expect((await sales.post(`/admin/orders/${id}/comments`, { text: 'Calls before noon' })).status).toBe(200)
  expect(await check()).toEqual({})
})

it('an SMS, also after its customer was erased; one without its audit entry is found', async () => {
  const order = body()
  const [id, sales, manager] = [await place(order), await signedIn(shop, 'sales'), await signedIn(shop, 'manager')]
  expect((await sales.post(`/admin/orders/send_sms/${id}`, { message: 'On our way' })).status).toBe(200)
  expect(await check()).toEqual({})
  const cancel = { orders: [{ id, version: 1 }], status: 'cancelled', reason: 'Moved away' }
  expect((await manager.post('/admin/orders/status', cancel)).body).toMatchObject({ results: [{ ok: true }] })
  expect(await erasePerson(db, (await findPerson(db, order.customer.phone as string))!, new Date())).toMatchObject({ ok: true })
  expect(await check()).toEqual({})
  await sql`delete from audit_log where subject = 'sms' and after ->> 'order' = ${String(id)}`.execute(db)
  expect(await check()).toEqual({ [AUDITED]: [expect.objectContaining({ order_id: id, kind: 'sms-sent' })] })
  await sql`delete from order_events where order_id = ${id} and kind = 'sms-sent'`.execute(db)
})

it('the release of a returned animal by another manager', async () => {
  const [first, second] = [await signedIn(shop, 'manager'), await signedIn(shop, 'manager')]
  const { id: cow } = await buildAnimal(db)
  const id = (await first.post('/admin/orders/store', storeBody(area.id, [[cow, 1]]))).body.order_id!
  for (const status of ['processing', 'on_delivery', 'returned']) {
    const { rows } = await sql<{ version: number }>`select version from orders where id = ${id}`.execute(db)
    const move = { orders: [{ id, version: rows[0]!.version }], status, reason: 'Limps' }
    expect((await first.post('/admin/orders/status', move)).body).toMatchObject({ results: [{ ok: true }] })
  }
  const { rows } = await sql<{ version: number }>`select version from products where id = ${cow}`.execute(db)
  const release = { outcome: 'healthy', reason: 'Examined', version: rows[0]!.version }
  expect((await second.post(`/admin/animals/${cow}/release`, release)).status).toBe(200)
  expect(await check()).toEqual({})
})
