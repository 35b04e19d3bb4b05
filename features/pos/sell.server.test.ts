import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { signedIn, stockOf } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildProduct, buildUser } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'

// POS sales: exact to the poisha, recorded once, also with concurrent requests.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const [cashier, other, viewer, sales] = [
  await signedIn(shop, 'cashier'),
  await signedIn(shop, 'cashier'),
  await signedIn(shop, 'viewer'),
  await signedIn(shop, 'sales'),
]
for (const one of [cashier, other]) await one.post('/admin/quick-orders/shift/open', { opening_cash: 1000 })

let before = new Map<number, number>()
let honey: { id: number }
beforeEach(async () => {
  honey = await buildProduct(db, { unit: 'kg', stock_milli: 50_000, price_poisha: 12_000 })
  before = await countStock(db)
})
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

type Sent = Record<string, unknown>
const sale = (more: Sent = {}, line: Sent = {}): Sent => ({
  products: [{ id: honey.id, quantity: '2', price: 120, ...line }],
  transactions: { cash: 240, bkash: 0, bank: 0 },
  discount: 0,
  sub_total: 240,
  shipping_cost: 0,
  total: 240,
  customer: { phone: '01712345678', name: 'Rahima', email: '' },
  change_amount: 0,
  paid_amount: 240,
  ...more,
})
const store = (body: unknown, key?: string, who = cashier) =>
  who.post('/admin/quick-orders/store', body, key ? { headers: { 'idempotency-key': key } } : {})
const orders = async () => Number((await sql<{ n: number }>`select count(*) as n from orders`.execute(db)).rows[0]!.n)
const ledgerOf = async (id: number | undefined) =>
  (
    await sql<{ kind: string; method: string; amount: number }>`select kind, method, amount_poisha as amount from ledger_entries
      where order_id = ${id} order by id`.execute(db)
  ).rows
const refused = async (body: unknown, status: number, who = cashier) => {
  const there = await orders()
  const answer = await store(body, undefined, who)
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([status, expect.any(String)])
  expect(await orders()).toBe(there)
  expect(await stockOf(db, honey.id)).toMatchObject({ left: 50 })
  return answer.body
}

describe('a sale', () => {
  it('writes everything: customer, sums, stock, a ledger entry for each payment method, history, receipt', async () => {
    const answer = await store(
      sale({ transactions: { cash: 100, bkash: 100, bank: 60 }, change_amount: 20, paid_amount: 260, customer: { phone: '01712345678' } }),
    )
    expect(answer).toMatchObject({ status: 200, body: { success: true, message: 'Order placed successfully!' } })
    const id = answer.body.order_id
    expect(answer.body.redirect).toBe(`/admin/quick-orders/pos-invoice/${id}`)
    const { rows } = await sql`select source, status, total_poisha, name, payment_type, is_free_order from orders where id = ${id}`.execute(
      db,
    )
    expect(rows).toEqual([
      { source: 'pos', status: 'completed', total_poisha: 24_000, name: 'Walk-in customer', payment_type: 'full', is_free_order: false },
    ])
    expect(await ledgerOf(id)).toEqual([
      { kind: 'counter', method: 'cash', amount: 8000 },
      { kind: 'counter', method: 'bkash', amount: 10_000 },
      { kind: 'counter', method: 'bank', amount: 6000 },
    ])
    expect(await stockOf(db, honey.id)).toEqual({ left: 48, status: 'in-stock' })
    const receipt = await cashier.get(answer.body.redirect ?? '', { accept: 'text/html' })
    expect([receipt.status, receipt.text.includes('240')]).toEqual([200, true])
    const sms = await sql`select id from sms_outbox where order_id = ${id}`.execute(db)
    expect(sms.rows).toEqual([])
  })

  it('belongs to the customer of the phone; an unnamed customer gets the name of a later sale', async () => {
    for (const [phone, name] of [
      ['01799000001', ''],
      ['০১৭৯৯০০০০০১', 'Karim'],
      ['+8801799000001', 'Somebody Else'],
    ]) {
      expect((await store(sale({ customer: { phone, name, email: '' } }))).status).toBe(200)
      const { customer } = JSON.parse((await cashier.get('/api/admin/quick-orders/customer?phone=01799000001')).text)
      expect(customer.name).toBe(name === '' ? '' : 'Karim')
    }
    const { rows } = await sql`select name, role from users where phone = '01799000001'`.execute(db)
    expect(rows).toEqual([{ name: 'Karim', role: 'customer' }])
    const found = await cashier.get('/api/admin/quick-orders/customer?phone=01799000001')
    expect(JSON.parse(found.text)).toEqual({ customer: { name: 'Karim', email: '' } })
    for (const phone of ['0179900000', '', "'; drop", cashier.id])
      expect(JSON.parse((await cashier.get(`/api/admin/quick-orders/customer?phone=${phone}`)).text)).toEqual({ customer: null })
    const clerk = await buildUser(db, { role: 'owner' })
    expect(JSON.parse((await cashier.get(`/api/admin/quick-orders/customer?phone=${clerk.phone}`)).text)).toEqual({ customer: null })
  })

  it('uses the discounted unit price, times a quantity with two decimals', async () => {
    const mango = await buildProduct(db, { price_poisha: 9950, discount_kind: 'percentage', discount_value: 1000 })
    const body = sale({
      products: [{ id: mango.id, quantity: 1.25, price: 90 }],
      sub_total: 112.5,
      total: 112.5,
      transactions: { cash: 200 },
      change_amount: 87.5,
      paid_amount: 200,
    })
    const answer = await store(body)
    expect(answer.status, answer.text).toBe(200)
    expect(await ledgerOf(answer.body.order_id)).toEqual([{ kind: 'counter', method: 'cash', amount: 11_250 }])
  })

  it('sells an animal with its hold', async () => {
    const cow = await buildAnimal(db)
    const body = sale({
      products: [{ id: cow.id, quantity: 1 }],
      sub_total: 110_000,
      total: 110_000,
      transactions: { bank: 110_000 },
      paid_amount: 110_000,
    })
    expect((await store(body)).status).toBe(200)
    expect(await stockOf(db, cow.id)).toEqual({ left: 0, status: 'sold' })
    const again = await store(body)
    expect([again.status, again.body.message?.includes('Cow')]).toEqual([410, true])
  })

  it('of pre-order products has their delivery date when delivered, and none when handed over', async () => {
    await sql`update products set delivery_on = '2090-06-06' where id = ${honey.id}`.execute(db)
    const dates = async (body: Sent) => {
      const { body: answer, text } = await store(body)
      if (!answer.order_id) throw new Error(text)
      const { rows } = await sql<{ deliver_on: string; goods_on: string | null }>`
        select deliver_on, goods_on from orders where id = ${answer.order_id}`.execute(db)
      return rows[0]!
    }
    const delivery = { area_id: area.id, address: 'House 5' }
    const paid = { shipping_cost: 80, total: 320, transactions: { bkash: 320 }, paid_amount: 320 }
    expect(await dates(sale({ delivery, ...paid }))).toEqual({ deliver_on: '2090-06-06', goods_on: '2090-06-06' })
    expect(await dates(sale())).toMatchObject({ goods_on: null })
  })

  it('is handed over at the counter: invoice and order page name no delivery', async () => {
    const { body } = await store(sale())
    const html = { accept: 'text/html', 'accept-language': 'en' }
    const invoice = await sales.get(`/admin/orders/invoice/${body.order_id}`, html)
    expect([invoice.status, /Delivery address|Delivery date/.exec(invoice.text)]).toEqual([200, null])
    const page = await sales.get(`/admin/orders/update/${body.order_id}`, html)
    expect(page.text).toContain('Handed over at the counter')
    expect(page.text).not.toContain('Delivery date')
  })

  it('with delivery costs the same charge as in the cart, and waits for delivery', async () => {
    const delivery = { area_id: area.id, address: 'House 5' }
    const body = sale({ delivery, shipping_cost: 80, total: 320, transactions: { bkash: 320 }, paid_amount: 320 })
    const answer = await store(body)
    const { rows } = await sql`select status, shipping_poisha, area_id from orders where id = ${answer.body.order_id}`.execute(db)
    expect(rows).toEqual([{ status: 'processing', shipping_poisha: 8000, area_id: area.id }])
    before = await countStock(db)
  })
})

describe('payments and bad input', () => {
  it.each<[string, Sent, number]>([
    ['0.02 too little', { transactions: { cash: 239.98 }, paid_amount: 239.98 }, 422],
    ['0.02 too much and no change', { transactions: { cash: 240.02 }, paid_amount: 240.02 }, 422],
    ['negative cash', { transactions: { cash: -1, bkash: 241 } }, 422],
    ['negative bank', { transactions: { cash: 250, bank: -10 } }, 422],
    ['three decimals', { transactions: { cash: 240.001 } }, 422],
    ['change out of bKash', { transactions: { cash: 0, bkash: 300 }, change_amount: 60, paid_amount: 300 }, 422],
    ['another sum paid', { paid_amount: 500 }, 422],
    ['no payments', { transactions: undefined }, 422],
    ['total of zero', { total: 0, discount: 240, transactions: { cash: 0 }, paid_amount: 0 }, 422],
    ['total below zero', { total: -1 }, 422],
    ['discount above the total', { discount: 241, total: 1, transactions: { cash: 1 }, paid_amount: 1 }, 422],
    ['a delivery charge nobody asked for', { shipping_cost: 50, total: 290, transactions: { cash: 290 }, paid_amount: 290 }, 422],
    ['phone of 10 digits', { customer: { phone: '1712345678' } }, 422],
    ['phone of 12 digits', { customer: { phone: '017123456789' } }, 422],
    ['no phone', { customer: { phone: '' } }, 422],
    ['a hostile email', { customer: { phone: '01712345678', email: '"><script>' } }, 422],
    ['no products', { products: [] }, 422],
    ['an unknown area', { delivery: { area_id: 999_999, address: 'X' } }, 422],
  ])('%s', async (_name, more, status) => {
    const body = await refused(sale(more), status)
    expect(body).toMatchObject({ message: expect.any(String), error: body.message, errors: expect.any(Object) })
  })

  it.each([0, -1, 0.005, '0.005', '1.234', 'abc', 1e9, null, '1e2', ''])('quantity %j', async (quantity) => {
    expect(await refused(sale({}, { quantity }), 422)).toMatchObject({ errors: { 'products.0.quantity': [expect.any(String)] } })
  })

  it('a difference of 0.01 is tolerated, and booked as exactly the total', async () => {
    for (const cash of [239.99, 240.01]) {
      const answer = await store(sale({ transactions: { cash }, paid_amount: cash }))
      expect(answer.status, answer.text).toBe(200)
      expect(await ledgerOf(answer.body.order_id)).toEqual([{ kind: 'counter', method: 'cash', amount: 24_000 }])
    }
  })

  it('a price of the device is not trusted: the response has the current one', async () => {
    expect(await refused(sale({ sub_total: 2, total: 2, transactions: { cash: 2 }, paid_amount: 2 }, { price: 1 }), 422)).toMatchObject({
      total: 240,
      sub_total: 240,
      products: [{ id: honey.id, price: 120 }],
      errors: { 'products.0.price': [expect.any(String)], total: [expect.any(String)] },
    })
    expect(await refused(sale({ total: 239.98 }), 422)).toMatchObject({ total: 240 })
  })

  it.each([
    ['text', 'hello'],
    ['a list', '[]'],
    ['null', 'null'],
    ['broken', '{'],
  ])('a body that is %s', async (_name, body) => {
    expect([400, 422]).toContain((await store(body)).status)
  })

  it('more than the stock, and an out-of-stock product, name the product', async () => {
    const rare = await buildProduct(db, { name_en: 'Rare Litchi', stock_milli: 1000 })
    const none = await buildProduct(db, { name_en: 'No Mango', stock_milli: 0, status: 'out-of-stock' })
    const held = await buildAnimal(db, { name_en: 'Held Cow', status: 'hold', stock_milli: 1000 })
    for (const [product, price, name] of [
      [rare, 120, 'Rare Litchi'],
      [none, 120, 'No Mango'],
      [held, 110_000, 'Held Cow'],
    ] as const) {
      const quantity = product === held ? 1 : 2
      const total = price * quantity
      const body = sale({
        products: [{ id: product.id, quantity }],
        sub_total: total,
        total,
        transactions: { cash: total },
        paid_amount: total,
      })
      const answer = await refused(body, 410)
      expect([answer.message?.includes(name), answer.product_ids]).toEqual([true, [product.id]])
    }
    await sql`delete from products where id in (${none.id}, ${held.id})`.execute(db)
  })
})

describe('authorization', () => {
  it('needs the permission, the token and an open shift', async () => {
    await refused(sale(), 403, viewer)
    await refused(sale(), 403, sales)
    expect((await cashier.post('/admin/quick-orders/store', sale(), { token: null })).status).toBe(403)
    const fresh = await signedIn(shop, 'cashier')
    expect(await refused(sale(), 409, fresh)).toMatchObject({ open_shift: '/admin/quick-orders/shift/open' })
  })
})

describe('once', () => {
  it('the same key and body is the same sale; another body is rejected', async () => {
    const first = await store(sale(), 'tab-key-0001')
    const again = await store(sale(), 'tab-key-0001')
    expect(again.body).toEqual(first.body)
    expect((await store(sale({ discount: 1, total: 239 }), 'tab-key-0001')).status).toBe(409)
    // Another cashier has the sale on the screen.
    expect(await store(sale(), 'tab-key-0001', other)).toMatchObject({ status: 409, body: { order_id: first.body.order_id } })
    expect((await store(sale(), 'x')).status).toBe(422)
  })

  it('from seven concurrent requests', async () => {
    const there = await orders()
    const answers = await Promise.all(Array.from({ length: 7 }, () => store(sale(), 'tab-key-0002')))
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.body.order_id}`)).size).toBe(1)
    expect(await orders()).toBe(there + 1)
  })

  it('sells the last three units once each to concurrent POS requests', async () => {
    const last = await buildProduct(db, { unit: 'piece', stock_milli: 3000 })
    before = await countStock(db)
    const body = sale({
      products: [{ id: last.id, quantity: 1 }],
      sub_total: 120,
      total: 120,
      transactions: { cash: 120 },
      paid_amount: 120,
    })
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => store(body, undefined, n % 2 ? cashier : other)))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 200, 200, 410, 410, 410, 410, 410])
    expect(await stockOf(db, last.id)).toEqual({ left: 0, status: 'out-of-stock' })
  })

  it('sells an animal once to concurrent POS and web requests', async () => {
    const cow = await buildAnimal(db)
    before = await countStock(db)
    const body = sale({
      products: [{ id: cow.id, quantity: 1 }],
      sub_total: 110_000,
      total: 110_000,
      transactions: { bank: 110_000 },
      paid_amount: 110_000,
    })
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => store(body, undefined, n % 2 ? cashier : other)))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
  })
})

describe('a shift', () => {
  it('opens once, sums its sales, and closes with its difference explained', async () => {
    const who = await signedIn(shop, 'cashier')
    const post = (path: string, body: object) => who.post(`/admin/quick-orders/shift/${path}`, body)
    expect((await post('close', { counted_cash: 0, counted_bkash: 0, counted_bank: 0 })).status).toBe(409)
    const opened = await Promise.all([1, 2, 3].map(() => post('open', { opening_cash: '৫০০' })))
    expect(opened.map((answer) => answer.status).sort()).toEqual([200, 409, 409])
    expect(
      (await store(sale({ transactions: { cash: 200, bkash: 100 }, change_amount: 60, paid_amount: 300 }), undefined, who)).status,
    ).toBe(200)
    expect((await post('cash', { direction: 'out', amount: 640.01, reason: 'Bank' })).status).toBe(422)
    expect((await post('cash', { direction: 'out', amount: 40, reason: ' ' })).status).toBe(422)
    const moves = [
      { direction: 'out', amount: 40, reason: 'Tea' },
      { direction: 'in', amount: 10.5, reason: 'Coins' },
    ]
    for (const move of moves) expect((await post('cash', move)).status).toBe(200)
    const counted = { counted_cash: 600, counted_bkash: 100, counted_bank: 0 }
    expect(await post('close', counted)).toMatchObject({ status: 422, body: { errors: { note: [expect.any(String)] } } })
    const closed = await post('close', { ...counted, note: 'A note was torn' })
    expect(closed.status, closed.text).toBe(200)
    expect((await store(sale(), undefined, who)).status).toBe(409)
    const { rows } = await sql`select expected_cash_poisha as cash, counted_cash_poisha as counted from pos_shifts
      where cashier_id = ${who.id}`.execute(db)
    expect(rows).toEqual([{ cash: 61_050, counted: 60_000 }])
  })

  it('closes beside concurrent sales, exact to the poisha', async () => {
    const who = await signedIn(shop, 'cashier')
    await who.post('/admin/quick-orders/shift/open', { opening_cash: 0 })
    const close = { counted_cash: 240, counted_bkash: 0, counted_bank: 0, note: 'Counted in the rush' }
    const selling = Array.from({ length: 6 }, () => store(sale(), undefined, who))
    const [closed, ...sales] = await Promise.all([who.post('/admin/quick-orders/shift/close', close), ...selling])
    const statuses = sales.map(({ status }) => status)
    expect([closed.status, statuses.filter((status) => status !== 200 && status !== 409)]).toEqual([200, []])
    const sold = statuses.filter((status) => status === 200).length
    const { rows } = await sql`select expected_cash_poisha as cash from pos_shifts where cashier_id = ${who.id}`.execute(db)
    expect(rows).toEqual([{ cash: sold * 24_000 }])
  })
})
