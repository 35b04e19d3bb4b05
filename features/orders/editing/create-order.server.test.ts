import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildProduct, buildUser } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import { signedIn, stockOf, storeBody } from '../testing/admin-shop.ts'

// Orders created by staff.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const manager = await signedIn(shop, 'manager')

let before = new Map<number, number>()
const counted = async () => void (before = await countStock(db))
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

const store = (body: object, who = manager, key?: string) =>
  who.post('/admin/orders/store', body, key ? { headers: { 'idempotency-key': key } } : {})
const read = async (id: number | undefined) =>
  (await sql<Record<string, unknown>>`select * from orders where id = ${id}`.execute(db)).rows[0] ?? {}
const count = async (table: string) =>
  Number((await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db)).rows[0]!.n)

describe('a phone order', () => {
  it('writes customer, totals, stock, event, SMS and audit log', async () => {
    const cow = await buildAnimal(db)
    const honey = await buildProduct(db, {
      unit: 'piece',
      stock_milli: 5000,
      price_poisha: 50_000,
      discount_kind: 'percentage',
      discount_value: 1000,
    })
    await counted()
    const answer = await store(
      storeBody(
        area.id,
        [
          [cow.id, 1],
          [honey.id, 2],
        ],
        { remarks: 'Calls back at six', note: 'Gate 2', landmark: 'Mosque' },
      ),
    )
    expect(answer).toMatchObject({ status: 200, body: { message: 'Order created successfully!', redirect: '/admin/orders' } })
    const order = await read(answer.body.order_id)
    expect(order).toMatchObject({
      source: 'admin',
      status: 'placed',
      phone: '01712345678',
      remarks: 'Calls back at six',
      subtotal_poisha: 11_100_000,
      shipping_poisha: 150_000,
      discount_poisha: 10_000,
      total_poisha: 11_240_000,
      payment_type: 'cash_on_delivery',
      payable_poisha: 0,
      is_free_order: false,
      list_on: '2026-11-21',
    })
    expect([await stockOf(db, cow.id), await stockOf(db, honey.id)]).toEqual([
      { left: 0, status: 'hold' },
      { left: 3, status: 'in-stock' },
    ])
    const { rows } = await sql`select actor, actor_id, kind, to_status from order_events where order_id = ${answer.body.order_id}`.execute(
      db,
    )
    expect(rows).toEqual([{ actor: 'staff', actor_id: manager.id, kind: 'placed', to_status: 'placed' }])
    const { rows: log } = await sql<{
      after: object
    }>`select action, after from audit_log where subject = 'order' and subject_id = ${String(answer.body.order_id)}`.execute(db)
    expect(log).toMatchObject([{ action: 'created', after: { phone: '01712345678', total: 112_400 } }])
  })

  it.each(['01712345678', '+880 1712-345678', '০১৭১২৩৪৫৬৭৮', 1712345678])(
    'belongs to the one customer of the phone, typed %j',
    async (phone) => {
      const honey = await buildProduct(db, { unit: 'piece' })
      await counted()
      const people = await sql`select id from users where phone = '01712345678'`.execute(db)
      if (people.rows.length === 0) await buildUser(db, { phone: '01712345678', name: 'Rahima Khatun', password: null })
      const answer = await store(storeBody(area.id, [[honey.id, 1]], { phone, name: 'Somebody Else' }))
      expect(answer.status, answer.text).toBe(200)
      const { rows } = await sql<{ id: number; name: string }>`select id, name from users where phone = '01712345678'`.execute(db)
      expect(rows).toHaveLength(1)
      expect(rows[0]).not.toMatchObject({ name: 'Somebody Else' })
      expect(await read(answer.body.order_id)).toMatchObject({ customer_id: rows[0]!.id, name: 'Somebody Else' })
    },
  )

  it('may start with any status; an ended one reserves no stock and needs a reason', async () => {
    for (const status of ['processing', 'cancelled', 'delivered', 'placed', 'on_delivery', 'returned', 'completed']) {
      const cow = await buildAnimal(db)
      await counted()
      const ended = status === 'cancelled' || status === 'returned'
      if (ended)
        expect(await store(storeBody(area.id, [[cow.id, 1]], { status }))).toMatchObject({
          status: 422,
          body: { errors: { reason: ['Enter a reason'] } },
        })
      const answer = await store(storeBody(area.id, [[cow.id, 1]], { status, reason: 'Written down afterwards' }))
      expect(answer.status, answer.text).toBe(200)
      const animal = ended ? 'in-stock' : ['on_delivery', 'delivered', 'completed'].includes(status) ? 'sold' : 'hold'
      expect([status, (await stockOf(db, cow.id)).status]).toEqual([status, animal])
    }
  })

  it.each<[string, unknown, number]>([
    ['not sent', undefined, 1500],
    ['left empty', '', 1500],
    ['null', null, 1500],
    ['set', '900', 900],
    ['nothing', 0, 0],
  ])('has the delivery charge of the area unless it is set: %s', async (_what, shipping_cost, expected) => {
    const cow = await buildAnimal(db)
    await counted()
    const answer = await store(storeBody(area.id, [[cow.id, 1]], { shipping_cost }))
    expect(await read(answer.body.order_id)).toMatchObject({ shipping_poisha: expected * 100 })
  })

  it('reports an invalid line as the only error, without an error of the discount', async () => {
    const honey = await buildProduct(db, { unit: 'piece', price_poisha: 50_000 })
    await counted()
    const wrong = await store(storeBody(area.id, [[honey.id, 1.5]], { discount: 100 }))
    expect([wrong.status, Object.keys(wrong.body.errors ?? {})]).toEqual([422, ['products.0.quantity']])
    const tooHigh = await store(storeBody(area.id, [[honey.id, 1]], { discount: 501 }))
    expect(Object.keys(tooHigh.body.errors ?? {})).toEqual(['discount'])
  })

  it('takes charge and discount as entered, in English or Bengali digits', async () => {
    const honey = await buildProduct(db, { unit: 'piece', price_poisha: 50_000 })
    await counted()
    const answer = await store(storeBody(area.id, [[honey.id, 2]], { shipping_cost: '১২০', discount: '1,00.50' }))
    expect(answer.status).toBe(422)
    const good = await store(storeBody(area.id, [[honey.id, 2]], { shipping_cost: '১২০', discount: '100.50' }))
    expect(await read(good.body.order_id)).toMatchObject({
      subtotal_poisha: 100_000,
      shipping_poisha: 12_000,
      discount_poisha: 10_050,
      total_poisha: 101_950,
    })
  })

  it('a price above the list price becomes the base price, a lower one is a discount; the audit log has the list price', async () => {
    const [more, less] = [
      await buildProduct(db, { unit: 'piece', price_poisha: 50_000 }),
      await buildProduct(db, { unit: 'piece', price_poisha: 50_000 }),
    ]
    await counted()
    const answer = await store(
      storeBody(area.id, [
        [more.id, 2, 600],
        [less.id, 2, 450],
      ]),
    )
    expect(await read(answer.body.order_id)).toMatchObject({ subtotal_poisha: 220_000, discount_poisha: 10_000, total_poisha: 218_000 })
    const { rows } = await sql<{
      after: { lines: object[] }
    }>`select after from audit_log where subject_id = ${String(answer.body.order_id)}`.execute(db)
    expect(rows[0]?.after.lines).toMatchObject([{ price: 600 }, { price: 450, instead_of: 500 }])
  })
})

describe('is rejected at its fields', () => {
  const bad: [string, Record<string, unknown>, string][] = [
    ['no name', { name: ' ' }, 'name'],
    ['no phone', { phone: '' }, 'phone'],
    ['a landline', { phone: '029876543' }, 'phone'],
    ['no address', { address: '\u200b' }, 'address'],
    ['no area', { area_id: '' }, 'area_id'],
    ['another area', { area_id: 99_999 }, 'area_id'],
    ['an unknown area', { area_id: '1; drop' }, 'area_id'],
    ['an unknown status', { status: 'paid' }, 'status'],
    ['an invalid email', { email: 'a@b' }, 'email'],
    ['a long name', { name: 'a'.repeat(256) }, 'name'],
    ['a lone surrogate', { note: '\ud800' }, 'note'],
    ['a list for a name', { name: ['x'] }, 'name'],
    ['a negative amount', { shipping_cost: -1 }, 'shipping_cost'],
    ['an amount with three decimals', { discount: 0.001 }, 'discount'],
    ['an amount of text', { discount: 'ten' }, 'discount'],
    ['a discount above the total', { discount: 100_000 }, 'discount'],
    ['an amount above the limit', { shipping_cost: 1e300 }, 'shipping_cost'],
    ['no lines', { products: [] }, 'products'],
    ['lines of text', { products: 'x' }, 'products'],
  ]
  it.each(bad)('%s', async (_name, more, field) => {
    const honey = await buildProduct(db, { unit: 'piece', price_poisha: 50_000 })
    await counted()
    const [orders, people] = [await count('orders'), await count('users')]
    const answer = await store(storeBody(area.id, [[honey.id, 1]], { phone: '01799999999', ...more }))
    expect([answer.status, Object.keys(answer.body.errors ?? {})], answer.text).toEqual([422, [field]])
    expect([await count('orders'), await count('users')]).toEqual([orders, people])
  })

  it.each([
    ['no product', { product_id: '' }, 'product_id'],
    ['an unknown product', { product_id: 999_999 }, 'product_id'],
    ['nothing', { quantity: 0 }, 'quantity'],
    ['a negative quantity', { quantity: -1 }, 'quantity'],
    ['half a jar', { quantity: 0.5 }, 'quantity'],
    ['words', { quantity: 'two' }, 'quantity'],
    ['too many', { quantity: 10_001 }, 'quantity'],
    ['a wrong price', { price_on_order: '-5' }, 'price_on_order'],
    ['a price above the limit', { price_on_order: 99_999_999_999 }, 'price_on_order'],
  ])('a line with %s', async (_name, wrong, field) => {
    const [mango, honey] = [await buildProduct(db), await buildProduct(db, { unit: 'piece', stock_milli: 5000 })]
    await counted()
    const body = storeBody(area.id, [
      [mango.id, 1.5],
      [honey.id, 1],
    ])
    Object.assign(body.products[1]!, wrong)
    const answer = await store(body)
    expect([answer.status, Object.keys(answer.body.errors ?? {})], answer.text).toEqual([422, [`products.1.${field}`]])
    expect(answer.body.message).toBe('Please check the form for errors')
  })

  it.each([
    [7, 'Sold in packs of 5, 10, 20. Nearest: 5 kg / 10 kg.'],
    [2.5, 'Sold in packs of 5, 10, 20. Nearest: 5 kg.'],
    [10_001, 'Enter a quantity of 10,000 or less.'],
    ['99999', 'Enter a quantity of 10,000 or less.'],
    ['1234567', 'Enter a quantity of 10,000 or less.'],
    [0, 'Enter a valid quantity.'],
    ['1.2345', 'Enter a valid quantity.'],
  ])('%s kg in packs of 5, 10 and 20 kg: the error lists the possible quantities', async (quantity, text) => {
    const mango = await buildProduct(db, { sizes_milli: [5000, 10_000, 20_000] })
    await counted()
    const body = storeBody(area.id, [[mango.id, 5]])
    Object.assign(body.products[0]!, { quantity })
    const answer = await store(body)
    expect([answer.status, answer.body.errors]).toEqual([422, { 'products.0.quantity': [text] }])
  })

  it('15 kg in packs of 5, 10 and 20 kg are accepted', async () => {
    const mango = await buildProduct(db, { sizes_milli: [5000, 10_000, 20_000] })
    await counted()
    expect((await store(storeBody(area.id, [[mango.id, 15]]))).status).toBe(200)
  })

  it('a duplicate product, a product that is not for sale, an area without cattle delivery', async () => {
    const [honey, held, hidden, cow] = [
      await buildProduct(db),
      await buildAnimal(db, { status: 'hold' }),
      await buildProduct(db, { visible: false }),
      await buildAnimal(db),
    ]
    const closed = await buildArea(db, { cattle: 'closed', produce: 80 })
    await counted()
    expect(
      (
        await store(
          storeBody(area.id, [
            [honey.id, 1],
            [honey.id, 2],
          ]),
        )
      ).body.errors,
    ).toHaveProperty(['products.1.product_id'])
    expect((await store(storeBody(area.id, [[held.id, 1]]))).body.errors).toHaveProperty(['products.0.product_id'])
    expect((await store(storeBody(area.id, [[hidden.id, 1]]))).body.errors).toHaveProperty(['products.0.product_id'])
    expect((await store(storeBody(closed.id, [[cow.id, 1]]))).body.errors).toHaveProperty('area_id')
  })

  it('ignores unknown fields and escapes entered text', async () => {
    const honey = await buildProduct(db)
    await counted()
    const evil = '"><img src=x onerror=alert(1)></script>'
    const answer = await store({
      ...storeBody(area.id, [[honey.id, 1]], { name: evil, note: evil, remarks: evil }),
      customer_id: 1,
      total_poisha: 1,
      source: 'web',
      id: 5,
      role: 'owner',
    })
    const order = await read(answer.body.order_id)
    expect(order).toMatchObject({ name: evil, source: 'admin' })
    expect(order.id).not.toBe(5)
    const page = await manager.get(`/admin/orders/update/${answer.body.order_id}`, { accept: 'text/html' })
    expect(page.status).toBe(200)
    expect(page.text).not.toContain('<img src=x')
    const list = await manager.get('/admin/orders', { accept: 'text/html' })
    expect(list.text).not.toContain('<img src=x')
  })
})
