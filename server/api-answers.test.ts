import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { BOOKING_RANGES } from '#features/kurbani/rules.ts'
import { testDb } from '#test/db.ts'
import {
  buildAddress,
  buildAnimal,
  buildArea,
  buildCategory,
  buildCoupon,
  buildImage,
  buildProduct,
  buildUser,
  orderBody,
  TEST_PASSWORD,
  legacyOrderBody,
} from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'
import { ANSWERS, refusal } from './api-answers.ts'

// The API description is true: every answer has exactly the fields that are described, and every described call is tried.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
await sql`update areas set closed_weekdays = '{5}' where id = ${area.id}`.execute(db)
const kurbani = await buildCategory(db, { key: 'kurbani' })
const mango = await buildProduct(db, { discount_kind: 'fixed', discount_value: 500, sizes_milli: [5000], coupon_applicable: true })
const cow = await buildAnimal(db, { category_id: kurbani.id, tag_number: 'K-9', weight_grams: 250_000, weighed_on: '2026-11-01' })
const image = await buildImage(db)
for (const product of [mango, cow])
  await db.insertInto('product_media').values({ product_id: product.id, position: 0, kind: 'image', image_id: image.id }).execute()
await sql`insert into weigh_ins (product_id, weighed_on, grams, method) values (${cow.id}, '2026-11-01', 250000, 'scale')`.execute(db)
const { code } = await buildCoupon(db)
const customer = await buildUser(db)
const address = await buildAddress(db, customer.id, area.id)
const buyer = shop.visitor()
await buyer.signIn(customer.phone)
const owner = shop.visitor()
await owner.signIn((await buildUser(db, { role: 'owner' })).phone)
await owner.post('/admin/quick-orders/shift/open', { opening_cash: 0 })
const guava = await buildProduct(db)
const emptyCategory = await buildCategory(db)
const { body: ordered } = await shop.post('/customer-orders', orderBody(area.id, [[mango.id, 5]]))
const orderId = ordered.order_id
const { rows: categoryOrder } = await sql<{ id: number; priority: number }>`
  select id, (row_number() over (order by id))::integer as priority from categories`.execute(db)
afterAll(() => expect(shop.failures).toEqual([]))

const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
const form = { name: 'Karim', phone: '01711222333', alternate_phone: '', address: 'Road 1', landmark: '', note: '', area_id: area.id }
const legacy = legacyOrderBody(area.id, mango.id, { phone: '01711222444' })
const booking = { name: 'Karim', email: '', phone: '01711222333', district: '', thana: '', price: BOOKING_RANGES[0], weight: '' }

const line = { product_id: mango.id, quantity: 5, base_price: 120, price_on_order: 120 }
const clerkOrder = { name: 'Karim', phone: '01711222555', email: '', address: 'Road 1', area_id: area.id, products: [line] }
const sale = {
  products: [{ id: guava.id, quantity: '2', price: 120 }],
  transactions: { cash: 240, bkash: 0, bank: 0 },
  discount: 0,
  sub_total: 240,
  shipping_cost: 0,
  total: 240,
  customer: { phone: '01711222666', name: '', email: '' },
  change_amount: 0,
  paid_amount: 240,
}

const tries: [call: string, path: string, body?: object, who?: Visitor][] = [
  ['GET /api/products', '/api/products'],
  ['GET /api/products/:id', `/api/products/${cow.id}`],
  ['GET /api/products/:id', `/api/products/${mango.id}`],
  ['GET /api/kurbani-cows', '/api/kurbani-cows'],
  ['GET /api/product-status-update', `/api/product-status-update?productIds=${mango.id},${cow.id}`],
  ['GET /api/product/search', '/api/product/search?q=K-9'],
  ['GET /api/product/suggestions', '/api/product/suggestions?q=K-9'],
  ['GET /api/areas', '/api/areas?active=true'],
  ['POST /api/kurbani-bookings', '/api/kurbani-bookings', booking],
  ['POST /mark-popup-shown', '/mark-popup-shown', { shown: true }],
  ['POST /login', '/login', { identifier: customer.phone, password: TEST_PASSWORD }, shop.visitor()],
  ['POST /register', '/register', { name: 'Karim', phone: '01711222777', password: TEST_PASSWORD }, shop.visitor()],
  ['POST /logout', '/logout', {}, shop.visitor()],
  ['POST /coupons/validate', '/coupons/validate', { code, cart_items: [{ product_id: mango.id, quantity: 5 }], is_new_customer: false }],
  ['POST /customer-orders', '/customer-orders', orderBody(area.id, [[mango.id, 5]], cash)],
  ['POST /customer-orders', '/customer-orders', orderBody(area.id, [[mango.id, 5]])],
  ['POST /order-store', '/order-store', legacy],
  ['GET /address/customer-info', '/address/customer-info'],
  ['GET /address/all', '/address/all'],
  ['POST /address/add/:id', `/address/add/${customer.id}`, form],
  ['POST /address/update/:id', `/address/update/${address.id}`, form],
  ['POST /address/selectAddress', '/address/selectAddress', { address_id: address.id }],
  ['DELETE /address/delete/:id', `/address/delete/${address.id}`],
  ['POST /admin/orders/store', '/admin/orders/store', clerkOrder, owner],
  ['POST /admin/orders/update/:id', `/admin/orders/update/${orderId}`, { address: 'Road 2', products: [line] }, owner],
  ['POST /admin/orders/send_sms/:id', `/admin/orders/send_sms/${orderId}`, { message: 'Ready' }, owner],
  ['POST /admin/quick-orders/store', '/admin/quick-orders/store', sale, owner],
  ['GET /api/admin/categories', '/api/admin/categories', undefined, owner],
  ['POST /api/admin/categories/reorder', '/api/admin/categories/reorder', { order: categoryOrder }, owner],
  ['DELETE /admin/category/delete/:id', `/admin/category/delete/${emptyCategory.id}`, undefined, owner],
]

it.each(tries)('%s answers as described (%s)', async (call, path, body, who = buyer) => {
  const [method = ''] = call.split(' ')
  const answer = await who.send(method, path, body === undefined ? undefined : JSON.stringify(body), {
    headers: { accept: 'application/json', ...(body ? { 'content-type': 'application/json' } : {}), 'x-csrf-token': await who.token() },
  })
  const described = ANSWERS[call]
  expect(answer.status, answer.text).toBe(described?.status ?? 200)
  const found: unknown = JSON.parse(answer.text)
  if (Array.isArray(found)) expect(found.length).toBeGreaterThan(0)
  // Parsing drops undescribed fields and throws when a described one is missing.
  expect(described?.body.parse(found)).toEqual(found)
})

it('tries every call that it describes', () => {
  expect(new Set(tries.map(([call]) => call))).toEqual(new Set(Object.keys(ANSWERS)))
})

it('a refusal is as described', async () => {
  const answer = await buyer.post('/customer-orders', orderBody(area.id, [[cow.id, 2]]))
  expect(answer.status).toBe(422)
  expect(refusal.parse(answer.body)).toEqual(answer.body)
})

it('the description tells answers, refusals, the token and the key of an order', async () => {
  type Paths = Record<string, Record<string, Described>>
  const pathsAt = async (url: string) => (JSON.parse((await owner.get(url)).text) as { paths: Paths }).paths
  const paths = { ...(await pathsAt('/api/docs')), ...(await pathsAt('/api/admin/docs')) }
  const order = paths['/customer-orders']?.post
  expect(Object.keys(order?.responses ?? {})).toEqual(['200', '4XX', '5XX'])
  expect(Object.keys(order?.responses['200']?.content['application/json'].schema.properties ?? {})).toEqual(['order_id', 'redirect_url'])
  expect(order?.parameters.map(({ in: where, name, required }) => [where, name, required])).toEqual([
    ['header', 'x-csrf-token', true],
    ['header', 'idempotency-key', false],
  ])
  const described = Object.keys(ANSWERS).map((call) => call.replace(/:(\w+)/g, '{$1}').split(' ') as [string, string])
  for (const [method, path] of described) expect(paths[path]?.[method.toLowerCase()]?.responses, path).toHaveProperty('4XX')
  expect(paths['/api/kurbani-bookings']?.post?.responses).toHaveProperty('201')
  expect(paths['/payments/status']?.get?.responses).toHaveProperty('200')
})

interface Described {
  responses: Record<string, { content: { 'application/json': { schema: { properties?: object } } } }>
  parameters: { in: string; name: string; required?: boolean }[]
}

it('a stranger reads the calls of the storefront, and no call that needs a permission', async () => {
  const pathsOf = (text: string) => Object.keys((JSON.parse(text) as { paths: object }).paths)
  const { text } = await shop.get('/api/docs')
  expect(text).not.toContain('$ref')
  const outside = pathsOf(text)
  expect(outside).toEqual(expect.arrayContaining(['/customer-orders', '/api/products', '/login', '/unlock']))
  expect(outside).not.toContain('/account/addresses')
  const guarded = new Set(
    shop.app.adminGuardedRoutes.filter(({ isPage }) => !isPage).map(({ url: path }) => path.replace(/:(\w+)/g, '{$1}')),
  )
  expect(guarded.size).toBeGreaterThan(50)
  expect(outside.filter((path) => guarded.has(path) || path.includes('/admin'))).toEqual([])

  expect((await shop.get('/api/admin/docs')).status).toBe(401)
  expect((await buyer.get('/api/admin/docs')).status).toBe(403)
  const weigher = shop.visitor()
  await weigher.signIn((await buildUser(db, { role: 'weigher' })).phone)
  const answer = await weigher.get('/api/admin/docs')
  expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store'])
  const inside = pathsOf(answer.text)
  expect(inside).toEqual(expect.arrayContaining(['/admin/orders/store', '/admin/animals/{id}/weigh-ins']))
  expect(inside.filter((path) => outside.includes(path))).toEqual([])
  expect([...guarded].filter((path) => !inside.includes(path))).toEqual(['/api/admin/docs', '/admin/quick-orders/worker.js'])
})
