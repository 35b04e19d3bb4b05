import { afterAll, describe, expect, it } from 'vitest'
import { policyBody } from '#features/catalog/policies/forms.ts'
import { SETTINGS_FORMS } from '#features/settings/forms.ts'
import { SMS_FIELDS } from '#features/settings/sms/template-rules.ts'
import { SMALL_BODY, TEXT_BODY } from '#lib/http/body-limits.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildCategory, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { registeredRoutes } from '#test/registered-routes.ts'
import { openShop } from '#test/request.ts'

// What a call takes: no more than its longest valid input needs [E1], and all of that.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))

const area = await buildArea(db, { produce: 80 })
const owner = shop.visitor()
await owner.signIn((await buildUser(db, { role: 'owner' })).phone)
const guest = shop.visitor()
const buyer = shop.visitor()
await buyer.signIn((await buildUser(db)).phone)

const writes = registeredRoutes.filter(
  ({ method, schema, url: path }) => method === 'POST' && schema?.body && !/import|\/statement$/.test(path),
)

it.each(writes.map((route) => [route.url, route.bodyLimit ?? SMALL_BODY] as const))(
  '%s takes %i bytes and no more',
  async (path, limit) => {
    expect(limit).toBeLessThanOrEqual(TEXT_BODY)
    const who = path.includes('/admin/') ? owner : path.startsWith('/a') || path.startsWith('/coupons') ? buyer : guest
    const at = path.replace(/:\w+/g, '1')
    const sized = (bytes: number) => `{"_token":"${'x'.repeat(bytes - 13)}"}`
    expect(Buffer.byteLength(sized(limit))).toBe(limit)
    const refused = await who.post(at, sized(limit + 1))
    expect([refused.status, refused.body.error]).toEqual([413, refused.body.message])
    expect((await who.post(at, sized(limit))).status).not.toBe(413)
  },
)

const ক = (length: number) => 'ক'.repeat(length)

describe('the longest valid input goes through', () => {
  it('an order of a hundred products, with every line in Bengali', async () => {
    const goods = await Promise.all(Array.from({ length: 100 }, () => buildProduct(db)))
    const lines = goods.map(({ id }): [number, number] => [id, 3])
    const body = orderBody(area.id, lines, { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' })
    const written = { name: ক(255), address: ক(255), landmark: ক(255), note: ক(255), email: `${'e'.repeat(239)}@shop.example` }
    const answer = await guest.post('/customer-orders', { ...body, customer: { ...body.customer, ...written } })
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('order_id')])
  })
  it('the one-product form, as a browser without script sends it', async () => {
    const mango = await buildProduct(db)
    const form = { full_name: ক(255), phone: '01711222444', email: 'k@customer.example', quantity: '1', delivery_address: ক(255) }
    const answer = await guest.postForm('/order-store', { ...form, landmark: ক(255), area: String(area.id), pid: String(mango.id) })
    expect(answer.status).toBe(303)
  })
  it('an order of the admin with a hundred products, as JSON and as a form', async () => {
    const goods = await Promise.all(Array.from({ length: 100 }, () => buildProduct(db)))
    const about = { name: ক(255), phone: '01711222445', email: '', address: ক(255), landmark: ক(255), note: ক(255), remarks: ক(1000) }
    const products = goods.map(({ id }) => ({ product_id: id, quantity: 1.125, price_on_order: 120.25, base_price: 120 }))
    const made = await owner.post('/admin/orders/store', { ...about, area_id: area.id, products })
    expect([made.status, made.text]).toEqual([200, expect.stringContaining('order_id')])
    const lines = products.flatMap((line, index) =>
      Object.entries(line).map(([field, value]) => [`products[${index}][${field}]`, String(value)]),
    )
    const { email: _none, ...texts } = about
    const changed = await owner.postForm(`/admin/orders/update/${made.body.order_id}`, {
      ...texts,
      ...(Object.fromEntries(lines) as object),
    })
    expect(changed.status).toBe(303)
  })
  it('a product with all its texts', async () => {
    const category = await buildCategory(db)
    const product = {
      category_id: category.id,
      further_category_ids: [],
      name_en: ক(255),
      name_bn: ক(255),
      description_en: ক(5000),
      description_bn: ক(5000),
      price: '120',
      unit: 'kg',
      discount_kind: 'none',
      discount: '',
      sizes: '',
      status: 'in-stock',
      note_en: ক(500),
      note_bn: ক(500),
      delivery_on: '',
      shipping_cost: '',
      advance_minimum: '',
      advance_percentage: '',
      advance_round_figure: '',
      coupon_applicable: true,
      barcode: '',
      search_aliases: ক(1000),
      visible: true,
      tag_number: '',
      breed_en: ক(100),
      breed_bn: ক(100),
      coat: '',
      teeth: '',
      birth_month: '',
      sold_by_live_weight: false,
      season: '',
      picture_ids: [],
      videos: Array<string>(5).fill(`https://www.youtube.com/watch?v=aaaaaaaaaaa&${'x'.repeat(450)}`),
      kind: 'goods',
      stock: '',
      weight_kg: '',
      weighed_on: '',
    }
    const answer = await owner.post('/admin/products/store', product)
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.stringContaining('product')])
  })
  it('a policy page', async () => {
    const page = { title_en: ক(150), title_bn: ক(150), body_en: ক(30_000), body_bn: ক(30_000), version: 0 as const }
    expect(policyBody.safeParse(page).success).toBe(true)
    expect((await owner.post('/admin/texts/privacy-policy', page)).status).not.toBe(413)
  })
  it('the texts of all SMS, a thousand reordered rows, two thousand ids of a coupon, a sale of two hundred products', async () => {
    expect(Object.keys(SETTINGS_FORMS)).toContain('messages')
    const messages = Object.fromEntries(Object.keys(SMS_FIELDS).map((name) => [name, { en: ক(1000), bn: ক(1000) }]))
    const rows = Array.from({ length: 1000 }, (_, index) => ({ id: 999_999_000 + index, priority: index + 1 }))
    const ids = Array.from({ length: 1000 }, (_, index) => 2_147_482_000 + index)
    const goods = Array.from({ length: 200 }, () => ({ id: 123_456_789, quantity: '123456.125', price: 123_456.25, price_is_set: true }))
    for (const [path, body] of [
      [
        '/admin/settings/messages',
        { sms_english: true, quiet_hours: { from: 22, to: 8 }, delivery_sms: { automatic: false, hour: 18 }, messages },
      ],
      ['/api/admin/categories/reorder', { order: rows }],
      ['/admin/slots/reorder', { order: rows }],
      ['/admin/coupons/store', { product_ids: ids, category_ids: ids, note: ক(255) }],
      ['/admin/quick-orders/store', { products: goods, customer: { phone: '01711222333', name: ক(255), email: '' } }],
      ['/admin/orders/send_sms/1', { message: ক(20_000) }],
    ] as const)
      expect([path, (await owner.post(path, body)).status]).not.toEqual([path, 413])
  })
})
