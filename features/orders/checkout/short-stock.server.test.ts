import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { signedIn, storeBody } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'

// Insufficient stock and reserved animals: every way to order names the product, in both languages.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const [manager, cashier, shopper] = [await signedIn(shop, 'manager'), await signedIn(shop, 'cashier'), shop.visitor()]
await cashier.post('/admin/quick-orders/shift/open', { opening_cash: 0 })

let before = new Map<number, number>()
let honey: { id: number }
let cow: { id: number }
beforeEach(async () => {
  honey = await buildProduct(db, { unit: 'piece', stock_milli: 3000, price_poisha: 50_000, name_en: 'Honey', name_bn: 'মধু' })
  cow = await buildAnimal(db, { name_en: 'Red Cow', name_bn: 'লাল গরু' })
  before = await countStock(db)
})
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

const sale = (id: number, quantity: number, price: number) => ({
  products: [{ id, quantity, price }],
  transactions: { cash: quantity * price },
  total: quantity * price,
  customer: { phone: '01712345678' },
})
const legacy = (id: number, quantity: number) => ({
  full_name: 'Karim',
  phone: '01712345678',
  email: 'k@customer.example',
  quantity: String(quantity),
  delivery_address: 'Road 1',
  landmark: 'Mosque',
  area: String(area.id),
  pid: String(id),
  payment_gateway: 'pgw',
})
/** Adds a quantity of a product to an existing order. */
async function edit(id: number, quantity: number) {
  const other = await buildProduct(db, { unit: 'piece', stock_milli: 9000 })
  before.set(other.id, 9000)
  const { body } = await manager.post('/admin/orders/store', storeBody(area.id, [[other.id, 1]]))
  const products = [
    { product_id: other.id, quantity: 1 },
    { product_id: id, quantity },
  ]
  return manager.post(`/admin/orders/update/${body.order_id}`, { address: 'House 5', products })
}
type Way = (id: number, quantity: number, price: number) => ReturnType<typeof edit>
const WAYS: [way: string, order: Way, field: string | null, id: string][] = [
  ['the cart', (id, quantity) => shopper.post('/customer-orders', orderBody(area.id, [[id, quantity]])), null, ''],
  ['the one-product form', (id, quantity) => shopper.post('/order-store', legacy(id, quantity)), 'form', ''],
  [
    'a new order of the staff',
    (id, quantity) => manager.post('/admin/orders/store', storeBody(area.id, [[id, quantity]])),
    'products.0.',
    'product_id',
  ],
  ['a changed order', edit, 'products.1.', 'product_id'],
  ['the POS', (id, quantity, price) => cashier.post('/admin/quick-orders/store', sale(id, quantity, price)), 'products.0.', 'id'],
]

describe.each(WAYS)('%s', (_way, order, field, id) => {
  it.each([
    ['en', 'Not enough Honey in stock.'],
    ['bn', 'মধু এত পরিমাণে আর নেই।'],
  ])('reports insufficient stock (%s)', async (lang, text) => {
    for (const one of [manager, cashier, shopper]) one.cookies.set('lang', lang)
    const answer = await order(honey.id, 4, 500)
    expect([answer.status, answer.text.includes(text)], answer.text).toEqual([410, true])
    if (field) expect(Object.keys(answer.body.errors ?? {})).toEqual([field === 'form' ? field : `${field}quantity`])
    expect(
      (await sql<{ left: number }>`select stock_milli / 1000 as left from products where id = ${honey.id}`.execute(db)).rows[0]?.left,
    ).toBe(3)
    expect((await order(honey.id, 3, 500)).status).toBe(200)
  })

  it.each([
    ['en', 'Red Cow is not available right now.'],
    ['bn', 'লাল গরু এখন পাওয়া যাচ্ছে না।'],
  ])('returns 410 with the name of a reserved animal (%s)', async (lang, text) => {
    await shop.visitor().post('/customer-orders', orderBody(area.id, [[cow.id, 1]]))
    for (const one of [manager, cashier, shopper]) one.cookies.set('lang', lang)
    const answer = await order(cow.id, 1, 110_000)
    expect([answer.status, answer.body.message], answer.text).toEqual([410, text])
    if (field) expect(Object.keys(answer.body.errors ?? {})).toEqual([field === 'form' ? field : `${field}${id}`])
    if (field !== 'form') expect(answer.body.product_ids).toEqual([cow.id])
  })
})

it('of two clerks who order the same animal concurrently one gets 410 with its name', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => manager.post('/admin/orders/store', storeBody(area.id, [[cow.id, 1]]))))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410])
  for (const { status, body } of answers)
    if (status === 410) expect(body.errors).toEqual({ 'products.0.product_id': [expect.stringContaining('লাল গরু')] })
})

it('of two clerks who order the last products concurrently one gets 410 with their name', async () => {
  manager.cookies.set('lang', 'en')
  const order = () => manager.post('/admin/orders/store', storeBody(area.id, [[honey.id, 2]]))
  const answers = await Promise.all([order(), order()])
  expect(answers.map(({ status, body }) => [status, body.message]).sort()).toEqual([
    [200, 'Order created successfully!'],
    [410, 'Not enough Honey in stock. Available: 1 piece.'],
  ])
})

it('an order with a reserved animal and insufficient stock names both', async () => {
  manager.cookies.set('lang', 'en')
  await shop.visitor().post('/customer-orders', orderBody(area.id, [[cow.id, 1]]))
  const answer = await manager.post(
    '/admin/orders/store',
    storeBody(area.id, [
      [honey.id, 4],
      [cow.id, 1],
    ]),
  )
  expect([answer.status, answer.body]).toMatchObject([
    410,
    {
      message: 'Not enough Honey in stock. Available: 3 pieces.\nRed Cow is not available right now.',
      errors: { 'products.0.quantity': [expect.any(String)], 'products.1.product_id': [expect.any(String)] },
      product_ids: expect.arrayContaining([honey.id, cow.id]),
    },
  ])
})
