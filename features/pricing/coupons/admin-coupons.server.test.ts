import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildArea, buildCategory, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { CouponRecord, CouponSums, CouponUse } from './admin-queries.server.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const clerk = shop.visitor()
await clerk.signIn((await buildUser(db, { role: 'manager' })).phone)
const weigher = shop.visitor()
await weigher.signIn((await buildUser(db, { role: 'weigher' })).phone)
const customer = await buildUser(db)
const buyer = shop.visitor()
await buyer.signIn(customer.phone)
const area = await buildArea(db, { produce: 60 })
const fruits = await buildCategory(db)
const mango = await buildProduct(db, { category_id: fruits.id, name_en: 'Himsagar' })
beforeEach(() => sql`truncate coupons, orders, audit_log cascade`.execute(db))

// As the form sends it: numbers as typed, empty fields as empty texts.
const body = {
  code: 'eid-26',
  kind: 'percentage',
  percent: '১২.৫',
  value: '',
  max_discount: '500',
  scope: 'all',
  product_ids: [],
  category_ids: [],
  min_subtotal: '',
  starts_at: '2020-01-01T10:00',
  ends_at: '',
  max_uses: '2',
  max_uses_per_customer: '',
  first_order_only: false,
  active: true,
  note: 'For Eid',
}
const store = (more: object = {}) => clerk.post('/admin/coupons/store', { ...body, ...more })
const made = async (more: object = {}) => Number((await store(more)).body.redirect?.split('/').at(-1))
const page = async (id: number) =>
  pageProps<{ coupon: CouponRecord; sums: CouponSums; page: { rows: CouponUse[] } | null }>(
    (await clerk.get(`/admin/coupons/${id}`, { accept: 'text/html' })).text,
  )
const validate = (code: string) => buyer.post('/coupons/validate', { code, cart_items: [{ product_id: mango.id, quantity: 10 }] })
const order = (code: string) =>
  buyer.post('/customer-orders', {
    ...orderBody(area.id, [[mango.id, 10]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }),
    products: [{ product_id: mango.id, quantity: 10, coupon: code }],
    couponDiscountAmount: 150,
  })
const actions = async () =>
  (await sql<{ action: string }>`select action from audit_log order by id`.execute(db)).rows.map(({ action }) => action)

it('the home listing is offered for a coupon where it has products of its own, or is chosen', async () => {
  const home = await buildCategory(db, { key: 'home' })
  const offered = async (path: string) => {
    const { text } = await clerk.get(`/admin/coupons/${path}`, { accept: 'text/html' })
    return pageProps<{ categories: { id: number }[] }>(text).categories.map(({ id }) => id)
  }
  expect(await offered('create')).toContain(fruits.id)
  expect(await offered('create')).not.toContain(home.id)
  const coupon = await made({ scope: 'categories', category_ids: [home.id] })
  expect(await offered(String(coupon))).toContain(home.id)
  await buildProduct(db, { category_id: home.id })
  // The shop reads its categories again once the database has told it.
  await expect.poll(() => offered('create')).toContain(home.id)
})

it('a coupon sent again after a lost answer is the same one, not a code that is taken', async () => {
  const headers = { 'idempotency-key': randomUUID() }
  const send = (more: object = {}) => clerk.post('/admin/coupons/store', { ...body, ...more }, { headers })
  const [first, again] = [await send(), await send()]
  expect([again.status, again.body.redirect]).toEqual([200, first.body.redirect])
  expect(await actions()).toEqual(['created'])
  expect((await store()).body.errors).toMatchObject({ code: [expect.any(String)] })
})

it('a coupon is created as typed, used in the shop, and its uses are counted with their totals', async () => {
  const id = await made()
  expect((await page(id)).coupon).toMatchObject({
    code: 'EID-26',
    percent: 12.5,
    max_discount: 500,
    max_uses: 2,
    starts_at: '2020-01-01T10:00',
    ends_at: null,
    state: 'running',
    uses: 0,
    version: 1,
  })
  expect(await validate('EID-26')).toMatchObject({ status: 200, body: { order: { coupon_discount: 150 } } })
  const placed = await order('EID-26')
  expect(placed.status).toBe(200)
  expect(await page(id)).toMatchObject({
    coupon: { uses: 1, state: 'running' },
    sums: { given: 150, orders_total: 1110 },
    page: { rows: [{ order_id: placed.body.order_id, given: 150, total: 1110, freed: false }] },
  })
  await order('EID-26')
  expect((await page(id)).coupon).toMatchObject({ uses: 2, state: 'used-up' })
  await clerk.post(`/admin/coupons/${id}`, { ...body, max_uses: '', version: 1 })
  expect((await page(id)).coupon).toMatchObject({ state: 'running', version: 2 })
})

it('the totals leave out returned orders, and count no value that came back', async () => {
  const id = await made({ max_uses: '' })
  const ids = []
  for (let n = 0; n < 3; n++) ids.push((await order('EID-26')).body.order_id!)
  const [whole, part] = ids
  const move = async (id: number, status: string) => {
    const { version } = await db.selectFrom('orders').select('version').where('id', '=', id).executeTakeFirstOrThrow()
    return clerk.post('/admin/orders/status', { orders: [{ id, version }], status, reason: 'As agreed' })
  }
  for (const id of [whole!, part!]) for (const status of ['processing', 'on_delivery', 'delivered']) await move(id, status)
  await move(whole!, 'returned')
  const { version } = await db.selectFrom('orders').select('version').where('id', '=', part!).executeTakeFirstOrThrow()
  const half = { lines: [{ product_id: mango.id, quantity: 5 }], reason: 'Not ripe', version }
  expect((await clerk.post(`/admin/orders/returns/${part!}`, half)).status).toBe(200)
  // Two orders of 1,110 taka, one of them less half of its products.
  expect(await page(id)).toMatchObject({ coupon: { uses: 3 }, sums: { given: 300, orders_total: 2220 - 525 } })
})

it('sums of products and delivery are whole poisha', async () => {
  const id = await made()
  const { order_id } = (await order('EID-26')).body
  await sql`update coupon_uses set discount_poisha = 110, delivery_saved_poisha = 220 where order_id = ${order_id}`.execute(db)
  expect(await page(id)).toMatchObject({ sums: { given: 3.3 }, page: { rows: [{ given: 3.3 }] } })
})

it('a stopped coupon has an unknown code; the second of two concurrent stops is a conflict', async () => {
  const id = await made()
  const stop = () => clerk.post(`/admin/coupons/${id}/stop`, { version: 1 })
  expect((await Promise.all([stop(), stop()])).map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await validate('EID-26')).status).toBe(400)
  expect((await page(id)).coupon.state).toBe('off')
  expect(await actions()).toEqual(['created', 'disabled'])
  expect((await clerk.post('/admin/coupons/999999/stop', { version: 1 })).status).toBe(404)
})

it('of two coupons with the same code one is created; of two concurrent updates one is saved', async () => {
  const responses = await Promise.all([store(), store({ code: 'EID-২৬' })])
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 422])
  expect(responses.find(({ status }) => status === 422)?.body.errors).toEqual({ code: ['This code is already used by another coupon.'] })
  const id = Number(
    responses
      .find(({ status }) => status === 200)
      ?.body.redirect?.split('/')
      .at(-1),
  )
  const change = (percent: number) => clerk.post(`/admin/coupons/${id}`, { ...body, percent, version: 1 })
  expect((await Promise.all([change(5), change(6)])).map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await actions()).toEqual(['created', 'changed'])
})

it.each<[string, object, Record<string, string[]>]>([
  ['no code', { code: ' ' }, { code: ['Use 3 to 32 letters, numbers, - or _.'] }],
  ['a code of markup', { code: '<b>EID</b>' }, { code: ['Use 3 to 32 letters, numbers, - or _.'] }],
  ['a huge code', { code: 'X'.repeat(10_000) }, { code: ['Use 3 to 32 letters, numbers, - or _.'] }],
  ['101 percent', { percent: '101' }, { percent: [expect.stringMatching(/0\.01 to 100/)] as string[] }],
  ['minus one percent', { percent: '-1' }, { percent: [expect.stringMatching(/0\.01 to 100/)] as string[] }],
  ['nothing off', { kind: 'others', value: '' }, { value: ['Enter an amount above 0.'] }],
  ['words for taka', { kind: 'others', value: 'much' }, { value: ['Enter an amount, e.g. 1500 or 150.50.'] }],
  ['another kind', { kind: 'gift' }, { kind: ['Choose an option.'] }],
  ['an end that is no day', { ends_at: '2026-13-01T10:00' }, { ends_at: ['Enter a date and time.'] }],
  ['an end before the beginning', { ends_at: '2019-01-01T10:00' }, { ends_at: ['The end must be after the start.'] }],
  ['no uses', { max_uses: '0' }, { max_uses: ['Enter a whole number within the allowed range.'] }],
  ['no product chosen', { scope: 'products' }, { product_ids: ['Choose at least one.'] }],
  [
    'a product that is not there',
    { scope: 'products', product_ids: [999_999] },
    { product_ids: ['One of the products no longer exists.'] },
  ],
  [
    'a category that is not there',
    { scope: 'categories', category_ids: [999_999] },
    { category_ids: ['One of the categories no longer exists.'] },
  ],
])('422 at the field for %s', async (_name, more, errors) => {
  expect(await store(more)).toMatchObject({ status: 422, body: { errors } })
  expect((await sql`select 1 from coupons`.execute(db)).rows).toEqual([])
})

it('rejects unknown fields, and a limit below the number of uses', async () => {
  expect((await store({ uses: 0 })).status).toBe(422)
  expect((await clerk.post('/admin/coupons/store', {})).status).toBe(422)
  const id = await made()
  await sql`update coupons set uses = 2 where id = ${id}`.execute(db)
  expect((await clerk.post(`/admin/coupons/${id}`, { ...body, max_uses: 1, version: 1 })).body.errors).toEqual({
    max_uses: ['It has already been used more often than this.'],
  })
  expect((await clerk.post('/admin/coupons/999999', { ...body, version: 1 })).status).toBe(404)
  for (const wrong of ['0', 'abc', '99999999999999999'])
    expect((await clerk.get(`/admin/coupons/${wrong}`, { accept: 'text/html' })).status).toBe(404)
})

it('a weigher sees neither coupons nor their customers', async () => {
  const id = await made()
  await order('EID-26')
  const { status, text } = await weigher.get(`/admin/coupons/${id}`, { accept: 'text/html' })
  expect([status, text.includes(customer.phone)]).toEqual([403, false])
})

it('the list is newest first and has keyset pages', async () => {
  await sql`insert into coupons (code, kind, percent_bp) select 'BULK' || n, 'percentage', 100 from generate_series(1, 51) n`.execute(db)
  const read = async (query = '') =>
    pageProps<{ page: { rows: CouponRecord[]; next: { after: string } | null } }>(
      (await clerk.get(`/admin/coupons${query}`, { accept: 'text/html' })).text,
    ).page
  const first = await read()
  expect([first.rows.length, first.rows[0]?.code]).toEqual([50, 'BULK51'])
  expect((await read(`?after=${first.next?.after}`)).rows.map(({ code }) => code)).toEqual(['BULK1'])
  expect((await read('?after=%27;drop')).rows).toHaveLength(50)
})
