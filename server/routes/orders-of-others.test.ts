import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildAddress, buildArea, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { registeredRoutes } from '#test/registered-routes.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'

// Every route without a permission whose path names an order or an address, found among the registered routes: strangers, other customers
// and staff without a permission for orders get the answer for a missing one.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))

const area = await buildArea(db, { produce: 80 })
const mango = await buildProduct(db)
const owner = await buildUser(db, { phone_verified_at: new Date() })
const buyer = shop.visitor()
await buyer.signIn(owner.phone)
const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
const orderId = (await buyer.post('/customer-orders', orderBody(area.id, [[mango.id, 2]], cash))).body.order_id!
const { id: addressId } = await buildAddress(db, owner.id, area.id)

const people: Record<string, Visitor> = { 'a stranger': shop.visitor() }
for (const role of ['customer', 'cashier', 'weigher'] as const) {
  const visitor = shop.visitor()
  await visitor.signIn((await buildUser(db, { role, phone_verified_at: new Date() })).phone)
  people[`a ${role}`] = visitor
}

const address = { name: 'Eve', phone: '01712345678', alternate_phone: '', address: 'Road 1', note: '', area_id: area.id }
/** A body that the route takes; a route that is not named takes none. */
const BODIES: Record<string, object> = {
  '/orders/:id/advance': { method: 'bkash', transaction_id: 'BKA1234567', sender: '01712345678' },
  '/orders/:id/payment-method': { method: 'cash_on_delivery' },
  '/orders/:id/cancel': { reason: 'Not mine' },
  '/address/add/:id': address,
  '/address/update/:id': address,
}
const FORM = { 'content-type': 'multipart/form-data; boundary=x' }
const REVIEW = ['product_id', mango.id, 'rating', 1, 'body', 'Bad'].reduce<string>(
  (form, part, index) => form + (index % 2 === 0 ? `--x\r\ncontent-disposition: form-data; name="${part}"\r\n\r\n` : `${part}\r\n`),
  '',
)

const routes = registeredRoutes.flatMap(({ method, url: path, config }) =>
  [method].flat().flatMap((one) => {
    const isOne = /^\/(orders|invoice|order\/(confirmed|review)|address)\/.*:id/.test(path)
    // The address of a form that was rejected leads all to the same invoice, which is tested here.
    const isFormPage = one === 'GET' && /\/pay(ment-method)?$/.test(path)
    return isOne && one !== 'HEAD' && !isFormPage && !config?.permission ? [[String(one), path] as const] : []
  }),
)

async function ask(who: Visitor, method: string, path: string, id: number) {
  const at = path.replace(':id', String(id))
  if (method === 'GET') return who.get(at, path.startsWith('/orders/') ? {} : { accept: 'text/html' })
  if (path.endsWith('/reviews'))
    return who.send('POST', at, `${REVIEW}--x--\r\n`, {
      headers: { ...FORM, accept: 'application/json', 'x-csrf-token': await who.token() },
    })
  if (method === 'DELETE')
    return who.send('DELETE', at, undefined, { headers: { accept: 'application/json', 'x-csrf-token': await who.token() } })
  return who.post(at, BODIES[path] ?? {})
}

const state = async () =>
  (
    await sql<object>`select (select to_jsonb(o) from orders o where id = ${orderId}) as changed_order,
      (select jsonb_agg(a order by id) from addresses a) as addresses, (select count(*)::int from order_events) as events,
      (select count(*)::int from advance_reports) as reports, (select count(*)::int from payment_attempts) as attempts,
      (select count(*)::int from challenges) as challenges, (select count(*)::int from reviews) as reviews`.execute(db)
  ).rows[0]

it('knows the routes of orders and addresses', () => {
  expect([orderId, addressId]).toEqual([expect.any(Number), expect.any(Number)])
  expect(routes.length).toBeGreaterThan(12)
  const paths = routes.map(([, path]) => path)
  expect(paths).toEqual(expect.arrayContaining([...Object.keys(BODIES), '/invoice/:id', '/orders/:id/reviews', '/orders/:id/pay']))
})

describe.each(routes)('%s %s', (method, path) => {
  it.each(Object.entries(people))('to %s, is that of none', async (_name, who) => {
    const before = await state()
    const foreign = path.startsWith('/address/') ? (path.includes('/add/') ? owner.id : addressId) : orderId
    const [found, missing] = [await ask(who, method, path, foreign), await ask(who, method, path, 99_999_999)]
    expect([401, 404]).toContain(found.status)
    expect([found.status, found.text.replaceAll(String(foreign), '99999999')]).toEqual([missing.status, missing.text])
    expect(await state()).toEqual(before)
  })
})
