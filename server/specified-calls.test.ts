import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { testDb } from '#test/db.ts'
import { buildUser } from '#test/factories.ts'
import { openShop } from '#test/request.ts'

// The API description takes what the specification says that the shop's pages send. Payloads are those of the specification's tables of calls,
// with values of each kind that it names.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))

type Json = Record<string, unknown>
type Described = { requestBody?: { content: Record<string, { schema: Json }> }; parameters?: { name: string; in: string }[] }
let paths: Record<string, Record<string, Described>> = {}
beforeAll(async () => {
  const owner = shop.visitor()
  await owner.signIn((await buildUser(db, { role: 'owner' })).phone)
  for (const document of ['/api/docs', '/api/admin/docs'])
    paths = { ...paths, ...(JSON.parse((await owner.get(document)).text) as { paths: typeof paths }).paths }
})

const details = {
  name: 'Karim',
  email: 'k@customer.example',
  phone: '01711222333',
  alternate_phone: '',
  address: 'Road 1',
  note: '',
  area_id: 1,
}
const addressForm = { name: 'Karim', phone: '01711222333', alternate_phone: '', address: 'Road 1', note: '', area_id: '1' }
const savedAddress = { ...details, id: 7, landmark: 'Mosque', is_default: true }
const order = {
  customer: details,
  couponFreeShipping: 80,
  couponDiscountAmount: 56,
  totalProductDiscount: 0,
  products: [{ product_id: 17, quantity: 5, coupon: 'EID10' }],
  payment_gateway: 'NONE',
  payable_amount: 430,
  payment_type: 'partial',
  partial_payment: 430,
  is_free_order: false,
}
const legacy = {
  full_name: 'Karim',
  phone: '01711222333',
  email: 'k@customer.example',
  quantity: '5',
  delivery_address: 'Road 1',
  landmark: 'Mosque',
  area: '1',
  pid: '17',
  shipping_cost: '80',
  payment_gateway: 'pgw',
}
const booking = { name: 'Karim', email: '', phone: '01711222333', district: '', thana: '', price: '৬০,০০০-৮০,০০০ টাকা', weight: '250' }
const coupon = { code: 'EID10', cart_items: [{ product_id: 17, quantity: 5 }], is_new_customer: false }
const clerkOrder = {
  name: 'Karim',
  phone: '01711222333',
  email: 'k@customer.example',
  address: 'Road 1',
  area_id: 1,
  status: 'placed',
  shipping_cost: 80,
  discount: 0,
  landmark: '',
  note: '',
  remarks: '',
  products: [{ product_id: 17, quantity: 5, base_price: 70, price_on_order: 70 }],
}
const edit = { ...clerkOrder, reason: '', email: undefined }
const sale = {
  products: [{ id: 17, quantity: '1.25', price: 70 }],
  transactions: { cash: 100, bkash: 0, bank: 0 },
  discount: 0,
  sub_total: 87.5,
  shipping_cost: 0,
  total: 87.5,
  customer: { phone: '01711222333', name: '', email: '' },
  change_amount: 12.5,
  paid_amount: 100,
}
const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'

const sent: [call: string, body: Json, type?: string][] = [
  ['post /mark-popup-shown', { shown: true }],
  ['post /api/kurbani-bookings', booking],
  ['post /address/add/{id}', addressForm, FORM],
  ['post /address/add/{id}', { ...addressForm, landmark: 'Mosque', area_id: 1 }],
  ['post /address/update/{id}', addressForm, MULTIPART],
  ['post /address/selectAddress', { address_id: '7' }, FORM],
  ['post /address/selectAddress', { address_id: 7 }],
  ['post /coupons/validate', coupon],
  ['post /customer-orders', order],
  ['post /customer-orders', { ...order, customer: savedAddress, partial_payment: 0, couponFreeShipping: 0 }],
  ['post /customer-orders', { ...order, partial_payment: '', payment_type: 'cash_on_delivery', payable_amount: 0 }],
  ['post /order-store', legacy, FORM],
  ['post /login', { identifier: '01711222333', password: 'a password' }],
  ['post /login', { identifier: 'k@customer.example', password: 'a password' }, FORM],
  ['post /register', { name: 'Karim', phone: '01711222333', password: 'a password' }],
  ['post /admin/orders/store', clerkOrder],
  ['post /admin/orders/update/{id}', edit, FORM],
  ['post /admin/orders/send_sms/{id}', { message: 'Ready' }, FORM],
  ['post /admin/quick-orders/store', sale],
  ['post /api/admin/categories/reorder', { order: [{ id: 1, priority: 1 }] }],
]

/** The schema of a body as it is described. */
function bodyOf(call: string, type: string): Json {
  const [method = '', path = ''] = call.split(' ')
  const content = paths[path]?.[method]?.requestBody?.content ?? {}
  expect(Object.keys(content), call).toContain(type)
  return content[type]?.schema ?? {}
}

/** The fields of a body that its schema does not name, with those of its objects and lists. */
function unnamed(schema: Json, value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => unnamed(schema.items as Json, item, at))
  if (typeof value !== 'object' || value === null) return []
  const choices = [schema, ...((schema.anyOf ?? schema.oneOf ?? []) as Json[])]
  const properties = Object.assign({}, ...choices.map((choice) => choice.properties)) as Record<string, Json>
  return Object.entries(value).flatMap(([key, field]) => {
    if (field === undefined) return []
    const described = properties[key]
    return described ? unnamed(described, field, `${at}${key}.`) : [`${at}${key}`]
  })
}

it.each(sent)('%s is described with the fields %j', (call, body, type = 'application/json') => {
  const schema = bodyOf(call, type)
  expect(z.fromJSONSchema(schema).safeParse(body).error).toBeUndefined()
  // The address that a page sends has a field more than the shop reads.
  expect(unnamed(schema, body)).toEqual(body.customer === savedAddress ? ['customer.is_default'] : [])
})

it.each([
  ['/api/kurbani-cows', ['sort', 'page', 'minPrice', 'maxPrice', 'status', 'category', 'search', 'limit']],
  ['/api/product-status-update', ['productIds', 'status']],
  ['/api/products', ['category_name', 'minPrice', 'maxPrice', 'sort', 'page']],
  ['/api/areas', ['active']],
  ['/api/product/search', ['q']],
  ['/address/customer-info', []],
  ['/address/all', []],
  ['/api/products/{id}', ['id']],
  ['/api/admin/categories', []],
])('get %s is described with %j', (path, names) => {
  expect(paths[path]?.get?.parameters?.map(({ name }) => name) ?? []).toEqual(expect.arrayContaining(names))
})

it.each(['/address/delete/{id}', '/admin/category/delete/{id}'])('delete %s is described', (path) => {
  expect(paths[path]?.delete).toBeDefined()
})
