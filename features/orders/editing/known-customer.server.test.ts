import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, buildUser } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { findKnownCustomer } from './known-customer.server.ts'
import { signedIn, storeBody } from '../testing/admin-shop.ts'

// The customer of a phone number, in the form of a new order.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const [near, far] = [await buildArea(db), await buildArea(db)]
const sales = await signedIn(shop, 'sales')
afterEach(() => expect(shop.failures).toEqual([]))

const ask = async (phone: string, who = sales) => who.get(`/api/admin/orders/customer?phone=${encodeURIComponent(phone)}`)
const order = async (more: Record<string, unknown>, areaId = near.id) => {
  const { id } = await buildProduct(db, { unit: 'piece' })
  expect((await sales.post('/admin/orders/store', storeBody(areaId, [[id, 1]], more))).status).toBe(200)
}

describe('the customer of a phone', () => {
  it('is found in every notation of the number, with distinct addresses: default, other saved ones, latest orders', async () => {
    const { id, phone } = await buildUser(db, { role: 'customer', name: 'Rahima Khatun', email: 'rahima@example.com' })
    await sql`insert into addresses (customer_id, name, address, area_id, is_default)
      values (${id}, 'R', 'Kept second', ${far.id}, false), (${id}, 'R', 'Kept first', ${near.id}, true)`.execute(db)
    await order({ phone, address: 'Kept first' })
    await order({ phone, address: 'Older order', landmark: 'Mosque' })
    await order({ phone, address: 'Newer order' }, far.id)
    await order({ phone, address: 'Newest order' })
    const { body } = await ask(`+88 ${phone.slice(0, 5)}-${phone.slice(5)}`)
    expect(body).toMatchObject({
      customer: { id, name: 'Rahima Khatun', email: 'rahima@example.com', orders_count: 4, is_closed: false },
    })
    expect((body as { customer: { places: { address: string; area_id: number }[] } }).customer.places).toEqual([
      { address: 'Kept first', landmark: '', area_id: near.id },
      { address: 'Kept second', landmark: '', area_id: far.id },
      { address: 'Newest order', landmark: '', area_id: near.id },
      { address: 'Newer order', landmark: '', area_id: far.id },
    ])
  })

  it('of a merged number is the remaining customer; a disabled account is flagged', async () => {
    const remaining = await buildUser(db, { role: 'customer', name: 'Kept' })
    const gone = await buildUser(db, { role: 'customer', name: 'Gone' })
    await sql`update users set merged_into = ${remaining.id}, merged_at = now(), disabled_at = now(), password_hash = null where id = ${gone.id}`.execute(
      db,
    )
    expect(await findKnownCustomer(db, gone.phone)).toMatchObject({ id: remaining.id, name: 'Kept', is_closed: false })
    await sql`update users set disabled_at = now() where id = ${remaining.id}`.execute(db)
    expect(await findKnownCustomer(db, remaining.phone)).toMatchObject({ id: remaining.id, is_closed: true })
  })

  it('of a POS sale without a name has no name', async () => {
    const { phone } = await buildUser(db, { role: 'customer', name: 'Walk-in customer' })
    expect(await findKnownCustomer(db, phone)).toMatchObject({ name: '' })
  })

  it.each([
    ['a number nobody has', '01799999999'],
    ['no number', 'x'],
    ['half a number', '0171'],
    ['nothing', ''],
  ])('%s: no customer', async (_what, phone) => {
    const { status, body } = await ask(phone)
    expect([status, body]).toEqual([200, { customer: null }])
  })

  it('is never staff; the lookup needs the permission to write orders', async () => {
    const cashier = await signedIn(shop, 'cashier')
    const { rows } = await sql<{ phone: string }>`select phone from users where id = ${cashier.id}`.execute(db)
    expect((await ask(rows[0]!.phone)).body).toEqual({ customer: null })
    for (const who of [cashier, await signedIn(shop, 'viewer'), await signedIn(shop, 'customer')]) {
      expect((await ask('01712345678', who)).status).toBe(403)
    }
  })

  it('rejects a missing or too long number', async () => {
    expect((await sales.get('/api/admin/orders/customer')).status).toBe(422)
    expect((await ask('1'.repeat(5000))).status).toBe(422)
  })
})
