import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildProduct, buildUser } from '#test/factories.ts'
import { openLimitedShop } from '#test/limited-shop.ts'
import { openShop } from '#test/request.ts'
import { findPosCustomer } from './customers.server.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })

/** Two customers, the other one merged into the target. */
async function mergedCustomers(targetName: string, otherName: string) {
  const [target, other] = [await buildUser(db, { name: targetName }), await buildUser(db, { name: otherName })]
  await sql`update users set merged_into = ${target.id}, merged_at = now(), disabled_at = now() where id = ${other.id}`.execute(db)
  return { target, other }
}

it('the number of a merged customer finds the customer that it was merged into', async () => {
  const { target, other } = await mergedCustomers('Karim Mia', 'Karim old')
  await sql`update users set email = case when id = ${target.id} then 'new@example.com' else 'old@example.com' end where id in (${target.id}, ${other.id})`.execute(
    db,
  )
  const found = { name: 'Karim Mia', email: 'new@example.com' }
  expect([await findPosCustomer(db, target.phone), await findPosCustomer(db, other.phone)]).toEqual([found, found])
})

it('a sale to the number of a merged customer has the name of the target, and names a target without a name', async () => {
  const cashier = await signedIn(shop, 'cashier')
  await cashier.post('/admin/quick-orders/shift/open', { opening_cash: 0 })
  const honey = await buildProduct(db, { stock_milli: 90_000, price_poisha: 12_000 })
  const sell = async (customer: object, more: object = {}) => {
    const products = [{ id: honey.id, quantity: '2', price: 120 }]
    const body = { products, transactions: { cash: 240 }, total: 240, customer, ...more }
    const { order_id: id } = (await cashier.post('/admin/quick-orders/store', body)).body
    return db.selectFrom('orders').select(['customer_id', 'name']).where('id', '=', Number(id)).executeTakeFirstOrThrow()
  }
  const withLocks = { handed_over: true, sold_at: shop.clock.now.toISOString() }
  const { target, other } = await mergedCustomers('Karim Mia', 'Karim old')
  const named = { customer_id: target.id, name: 'Karim Mia' }
  expect([await sell({ phone: other.phone }), await sell({ phone: other.phone }, withLocks)]).toEqual([named, named])
  const walkIn = await mergedCustomers('Walk-in customer', 'Rahima old')
  expect(await sell({ phone: walkIn.other.phone, name: 'Rahima' })).toEqual({ customer_id: walkIn.target.id, name: 'Rahima' })
  const { rows } = await sql`select name from users where id in (${walkIn.target.id}, ${walkIn.other.id}) order by id`.execute(db)
  expect(rows).toEqual([{ name: 'Rahima' }, { name: 'Rahima old' }])
  expect(shop.failures).toEqual([])
})

it.each(['customer', 'account'])('the lookup of the %s of a number is limited far above what a counter needs', async (part) => {
  const [limited, close] = await openLimitedShop(db, url)
  onTestFinished(close)
  const cashier = await signedIn(limited, 'cashier')
  const statuses: number[] = []
  for (let at = 0; at <= 60; at += 1) {
    const phone = `0171${String(at).padStart(7, '0')}`
    statuses.push((await cashier.get(`/api/admin/quick-orders/${part}?phone=${phone}`)).status)
  }
  expect(statuses).toEqual([...Array<number>(60).fill(200), 429])
})
