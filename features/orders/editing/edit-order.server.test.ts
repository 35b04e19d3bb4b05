import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { orderedByShopper, orderOf, signedIn, stockOf, storeBody } from '../testing/admin-shop.ts'

// Editing an order in the admin, with its stock.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const elsewhere = await buildArea(db, { cattle: 2500, produce: 150 })
const noCattle = await buildArea(db, { cattle: 'closed', produce: 80 })
const [manager, sales, viewer] = [await signedIn(shop, 'manager'), await signedIn(shop, 'sales'), await signedIn(shop, 'viewer')]

let before = new Map<number, number>()
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

async function ordered(options = {}) {
  const order = await orderedByShopper(shop, area.id, options)
  before = await countStock(db)
  return order
}
const update = (id: number, body: Record<string, unknown>, who = manager) =>
  who.post(`/admin/orders/update/${id}`, { address: 'House 5, Road 3', ...body })
const line = (product_id: number, quantity: number, price_on_order: number | '' = '') => ({
  product_id,
  quantity,
  base_price: 1,
  price_on_order,
})
const read = async (id: number) => (await sql<Record<string, unknown>>`select * from orders where id = ${id}`.execute(db)).rows[0]!
const lines = async (id: number) =>
  (
    await sql<object>`select product_id, quantity_milli / 1000 as quantity, price_poisha / 100 as price, tag_number, booked_grams from order_lines where order_id = ${id} order by position`.execute(
      db,
    )
  ).rows

describe('contact and charges', () => {
  it('are saved and audited; other fields are unchanged', async () => {
    const { id } = await ordered()
    const answer = await update(id, {
      version: 1,
      name: 'Karim',
      phone: '+8801911111111',
      address: 'Village road',
      area_id: elsewhere.id,
      landmark: 'Bridge',
      remarks: 'Fragile',
      shipping_cost: 2500,
      discount: 500,
      list_on: '2026-12-01',
    })
    expect(answer).toMatchObject({ status: 200, body: { message: 'Order saved.' } })
    expect(orderOf(answer)).toMatchObject({
      version: 2,
      name: 'Karim',
      phone: '01911111111',
      area_id: elsewhere.id,
      shipping_cost: 2500,
      discount: 500,
      list_on: '2026-12-01',
      note: '',
    })
    expect(await read(id)).toMatchObject({ total_poisha: 11_000_000 + 150_000 + 250_000 - 50_000, landmark: 'Bridge', remarks: 'Fragile' })
    const [event] = orderOf(answer).events
    expect(event).toMatchObject({
      kind: 'edited',
      actor: 'staff',
      detail: { address: { from: 'House 5, Road 3', to: 'Village road' }, shipping: { from: 1500, to: 2500 } },
    })
    const { rows } = await sql<{
      before: object
      after: object
    }>`select before, after from audit_log where subject_id = ${String(id)}`.execute(db)
    expect(rows).toMatchObject([{ before: { shipping: 1500 }, after: { shipping: 2500, name: 'Karim' } }])
  })

  it('a corrected phone ends the links that the wrong number was sent', async () => {
    const { id } = await ordered()
    await sql`update orders set phone_verified = true where id = ${id}`.execute(db)
    const { view_key: sent } = await read(id)
    const open = async (key: unknown) => (await shop.visitor().get(`/invoice/${id}?key=${String(key)}`, { accept: 'text/html' })).status
    await update(id, { version: 1, name: 'Karim' })
    expect([await open(sent), (await read(id)).phone_verified]).toEqual([200, true])
    await update(id, { version: 2, phone: '01911111111' })
    const order = await read(id)
    expect([await open(sent), await open(order.view_key), order.phone_verified]).toEqual([404, 200, false])
  })

  it('an unchanged order is not written', async () => {
    const { id } = await ordered()
    expect(orderOf(await update(id, { version: 1 })).version).toBe(1)
    expect((await sql`select 1 from audit_log where subject_id = ${String(id)}`.execute(db)).rows).toEqual([])
  })

  it.each([
    ['', 'address'],
    ['  ', 'address'],
    [null, 'address'],
    ['a'.repeat(256), 'address'],
  ])('an address of %j is rejected', async (address, field) => {
    const { id } = await ordered()
    expect(Object.keys((await update(id, { address })).body.errors ?? {})).toEqual([field])
  })

  it.each([
    [{ phone: '123' }, 'phone'],
    [{ name: '' }, 'name'],
    [{ area_id: 9999 }, 'area_id'],
    [{ area_id: noCattle.id }, 'area_id'],
    [{ discount: 200_000 }, 'discount'],
    [{ status: 'gone' }, 'status'],
    [{ list_on: '2026-13-01' }, 'list_on'],
    [{ products: [] }, 'products'],
    [{ shipping_cost: 'free' }, 'shipping_cost'],
    [{ version: 'x' }, 'version'],
    [{ products: [{ product_id: 99_999, quantity: 1 }] }, 'products.0.product_id'],
  ])('%j is rejected at its field', async (body, field) => {
    const { id } = await ordered()
    const answer = await update(id, body)
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]])
    expect(await read(id)).toMatchObject({ version: 1 })
  })

  it('by a form without script, with lines as form fields', async () => {
    const { id, cow, honey } = await ordered()
    const answer = await manager.postForm(`/admin/orders/update/${id}`, {
      address: 'Form street',
      status: 'processing',
      reason: '',
      shipping_cost: '1,500',
      'products[0][product_id]': String(cow),
      'products[0][quantity]': '1',
      'products[1][product_id]': String(honey),
      'products[1][quantity]': '5',
      'products[1][price_on_order]': '500',
    })
    expect([answer.status, answer.headers.location]).toEqual([303, `/admin/orders/update/${id}?saved=1`])
    expect(await read(id)).toMatchObject({ address: 'Form street', status: 'processing' })
    expect(await stockOf(db, honey)).toEqual({ left: 5, status: 'in-stock' })
  })

  it('a rejected form without script names the errors of its fields on the page', async () => {
    const { id } = await ordered()
    const { status, text } = await manager.postForm(`/admin/orders/update/${id}`, { address: 'House 5', name: '', phone: '' })
    const { message } = pageProps<{ message: string }>(text)
    expect([status, message]).toEqual([422, 'Please check the form for errors: Name is required · Phone is required'])
  })
})

describe('lines', () => {
  it('more, fewer, removed and other lines: the stock follows every edit', async () => {
    const { id, cow, tag, honey } = await ordered({ jars: 3, stock: 10 })
    const [mango, other] = [await buildProduct(db, { price_poisha: 12_000 }), await buildAnimal(db)]
    before = await countStock(db)
    await update(id, { products: [line(cow, 1), line(honey, 10)] })
    expect(await stockOf(db, honey)).toEqual({ left: 0, status: 'out-of-stock' })
    await update(id, { products: [line(cow, 1), line(honey, 4), line(mango.id, 2.5)] })
    expect(await stockOf(db, honey)).toEqual({ left: 6, status: 'in-stock' })
    expect(await lines(id)).toEqual([
      { product_id: cow, quantity: 1, price: 110_000, tag_number: tag, booked_grams: 200_000 },
      { product_id: honey, quantity: 4, price: 500, tag_number: null, booked_grams: null },
      { product_id: mango.id, quantity: expect.anything(), price: 120, tag_number: null, booked_grams: null },
    ])
    await update(id, { products: [line(other.id, 1)] })
    expect([await stockOf(db, cow), await stockOf(db, other.id), await stockOf(db, honey)]).toEqual([
      { left: 1, status: 'in-stock' },
      { left: 0, status: 'hold' },
      { left: 10, status: 'in-stock' },
    ])
    expect(await read(id)).toMatchObject({ subtotal_poisha: 11_000_000, total_poisha: 11_150_000 })
  })

  it('keep the ordered price when the list price changes; a manager may set another', async () => {
    const { id, cow, honey } = await ordered()
    await sql`update products set price_poisha = price_poisha * 2 where id in (${cow}, ${honey})`.execute(db)
    expect(orderOf(await update(id, { products: [line(cow, 1), line(honey, 4)] })).lines.map((one) => one.price_on_order)).toEqual([
      110_000, 500,
    ])
    expect((await update(id, { products: [line(cow, 1, 105_000), line(honey, 4)] }, sales)).body.errors).toHaveProperty([
      'products.0.price_on_order',
    ])
    const cheaper = orderOf(await update(id, { products: [line(cow, 1, 105_000), line(honey, 4)] }))
    expect(cheaper).toMatchObject({ subtotal: 112_000, discount: 0, total: 112_000 - 5000 + 1500 })
    expect(orderOf(await update(id, { products: [line(cow, 1), line(honey, 4)] })).lines[0]?.price_on_order).toBe(105_000)
  })

  it('above the stock, or reserved by other orders: nothing is written', async () => {
    const { id, cow, honey } = await ordered({ jars: 3, stock: 5 })
    const taken = await buildAnimal(db)
    await shop.post('/customer-orders', orderBody(area.id, [[taken.id, 1]]))
    before = await countStock(db)
    const answer = await update(id, { address: 'Elsewhere', products: [line(cow, 1), line(honey, 6), line(taken.id, 1)] })
    expect(answer.status).toBe(410)
    expect(answer.body.errors).toEqual({
      'products.1.quantity': ['Not enough Honey in stock. Available: 2 pieces.'],
      'products.2.product_id': [expect.stringContaining('Cow')],
    })
    expect(await read(id)).toMatchObject({ address: 'House 5, Road 3', version: 1 })
  })

  it('an animal added to a sent order is sold, paid or not', async () => {
    const { id } = await ordered()
    const more = await buildAnimal(db)
    for (const status of ['processing', 'on_delivery']) expect((await update(id, { status })).status).toBe(200)
    const { rows } = await sql<{ product_id: number }>`select product_id from order_lines where order_id = ${id}`.execute(db)
    const unchanged = rows.map((one) => line(one.product_id, 1))
    expect((await update(id, { products: [...unchanged, line(more.id, 1)] })).status).toBe(200)
    expect(await stockOf(db, more.id)).toEqual({ left: 0, status: 'sold' })
  })

  it('an archived product stays in its orders', async () => {
    const { id, cow, honey } = await ordered()
    await sql`update products set visible = false where id = ${honey}`.execute(db)
    expect((await update(id, { products: [line(cow, 1), line(honey, 4)] })).status).toBe(200)
  })
})

describe('status', () => {
  it('and contact are saved together; cancelling needs a reason and releases the stock', async () => {
    const { id, cow } = await ordered()
    expect((await update(id, { status: 'cancelled' })).body.errors).toEqual({ reason: ['Enter a reason'] })
    expect(orderOf(await update(id, { status: 'cancelled', reason: 'Changed his mind', note: 'Called twice' }))).toMatchObject({
      status: 'cancelled',
      reason: 'Changed his mind',
      note: 'Called twice',
      is_editable: false,
    })
    expect(await stockOf(db, cow)).toEqual({ left: 1, status: 'in-stock' })
  })

  it('delivered cannot become placed; a completed order cannot be edited', async () => {
    const { id, honey } = await ordered()
    for (const status of ['processing', 'on_delivery', 'delivered']) expect((await update(id, { status })).status).toBe(200)
    expect((await update(id, { status: 'placed' })).body.errors).toHaveProperty('status')
    expect((await update(id, { status: 'completed' })).status).toBe(200)
    expect((await update(id, { note: 'late' })).status).toBe(409)
    expect((await update(id, { products: [line(honey, 1)] })).status).toBe(409)
    expect((await update(id, { status: 'delivered' }, sales)).body.errors).toHaveProperty('status')
    expect(orderOf(await update(id, { status: 'delivered', note: 'late' })).note).toBe('late')
  })

  it('a reopened order reserves its stock, or reports the missing products at their lines', async () => {
    const { id, cow, honey } = await ordered()
    await update(id, { status: 'cancelled', reason: 'No answer' })
    await shop.post('/customer-orders', orderBody(area.id, [[cow, 1]]))
    before = await countStock(db)
    const answer = await update(id, { status: 'placed', products: [line(cow, 1), line(honey, 3)] })
    expect(answer.body.errors).toHaveProperty(['products.0.product_id'])
    expect((await update(id, { status: 'placed', products: [line(honey, 3)] })).status).toBe(200)
    expect(await stockOf(db, honey)).toEqual({ left: 7, status: 'in-stock' })
  })

  it('concurrent creation and editing never sells an animal twice', async () => {
    const orders = await Promise.all([ordered(), ordered(), ordered()])
    const cow = await buildAnimal(db)
    before = await countStock(db)
    const answers = await Promise.all([
      ...orders.map((order) => update(order.id, { products: [line(cow.id, 1), line(order.cow, 1)] })),
      manager.post('/admin/orders/store', storeBody(area.id, [[cow.id, 1]])),
      shop.post('/customer-orders', orderBody(area.id, [[cow.id, 1]])),
    ])
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    for (const answer of answers) expect([200, 410, 422]).toContain(answer.status)
  })
})

describe('two concurrent edits', () => {
  it('the second is rejected with the current order and writes nothing', async () => {
    const { id } = await ordered()
    const answers = await Promise.all([update(id, { version: 1, note: 'first' }), update(id, { version: 1, note: 'second' }, sales)])
    const [won, lost] = answers[0]!.status === 200 ? answers : answers.toReversed()
    expect([won!.status, lost!.status]).toEqual([200, 409])
    expect(orderOf(lost!)).toMatchObject({ version: 2, note: orderOf(won!).note })
    expect(lost!.body.message).toContain('Nothing was saved')
    expect((await update(id, { version: 2, note: 'second, knowing' }, sales)).status).toBe(200)
  })
})

it('needs the permission; a missing order is not found', async () => {
  const { id } = await ordered()
  expect((await update(id, {}, viewer)).status).toBe(403)
  expect((await update(999_999, {})).status).toBe(404)
  expect((await manager.post('/admin/orders/update/abc', { address: 'x' })).status).toBe(422)
  expect((await manager.post(`/admin/orders/update/${id}`, { address: 'x' }, { token: 'wrong' })).status).toBe(403)
})
