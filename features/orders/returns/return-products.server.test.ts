import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listLeaderboard } from '#features/reports/leaderboard.server.ts'
import { readLeaderboardQuery } from '#features/reports/leaderboard-rules.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildCategory, buildProduct } from '#test/factories.ts'
import { countStock } from '#test/invariants.ts'
import { expectLedger } from '#test/ledger-checks.ts'
import { openShop } from '#test/request.ts'
import { orderOf, signedIn, stockOf } from '../testing/admin-shop.ts'
import { keepFee, move, orderAt, pay, refund, sumsOf, takeBack } from '../testing/delivered-order.ts'
import { adminOrder } from '../testing/online-payments.ts'

// Products that come back to the admin after they were sent.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const [manager, sales, viewer, cashier] = [
  await signedIn(shop, 'manager'),
  await signedIn(shop, 'sales'),
  await signedIn(shop, 'viewer'),
  await signedIn(shop, 'cashier'),
]
let before = new Map<number, number>()
beforeEach(() => void (shop.clock.now = new Date(shop.clock.now.getTime() + 60_000)))
afterEach(async () => {
  await expectLedger(db, before)
  expect(shop.failures).toEqual([])
})

/** 10 kg of mangoes at 100 taka and three jars at 500: 2,500 taka, 80 for the delivery, 250 discount. */
async function delivered({ paid = 2330, status = 'delivered', discount = 250 } = {}) {
  const mango = await buildProduct(db, { unit: 'kg', stock_milli: 40_000, price_poisha: 10_000, name_en: 'Mango', name_bn: 'আম' })
  const jar = await buildProduct(db, { unit: 'piece', stock_milli: 10_000, price_poisha: 50_000, name_en: 'Honey', name_bn: 'মধু' })
  before = await countStock(db)
  const lines: [number, number][] = [
    [mango.id, 10],
    [jar.id, 3],
  ]
  const id = await orderAt(manager, { areaId: area.id, lines, paid, status, more: { discount } })
  return { id, mango: mango.id, jar: jar.id }
}

/** 10 kg of mangoes, sold at the POS for 1,000 taka in cash. */
async function soldAtPos() {
  await manager.post('/admin/quick-orders/shift/open', { opening_cash: 5000 })
  const { id: mango } = await buildProduct(db, { unit: 'kg', stock_milli: 40_000, price_poisha: 10_000 })
  before = await countStock(db)
  const sale = { products: [{ id: mango, quantity: 10 }], customer: { phone: '01712345678' }, total: 1000 }
  const sold = await manager.post('/admin/quick-orders/store', { ...sale, transactions: { cash: 1000 }, change_amount: 0 })
  if (!sold.body.order_id) throw new Error(sold.text)
  return { id: sold.body.order_id, mango }
}

const returnAtPos = (id: number, mango: number, quantity: number, cash: number) =>
  manager.post(`/admin/quick-orders/return/${id}`, { lines: [{ product_id: mango, quantity }], refund: { cash }, reason: 'Soft' })

/** The kind of each ledger entry with its amount in taka. */
async function ledgerOf(id: number) {
  const { rows } = await sql<{ entry: [string, number] }>`select json_build_array(kind, amount_poisha / 100.0) as entry
    from ledger_entries where order_id = ${id} order by id`.execute(db)
  return rows.map(({ entry }) => entry)
}

describe('a return of some products', () => {
  it('5 of 10 kg by a clerk: stock, amount due, refund, timeline and leaderboard follow', async () => {
    const { id, mango } = await delivered()
    // Mangoes are 1,000 of 2,500 taka, less their share of the discount: 5 kg are worth 450.
    const answer = await takeBack(sales, id, [{ product_id: mango, quantity: '5' }])
    expect(sumsOf(answer)).toEqual({ status: 'delivered', due: -450, paid: 2330, fee: 0, written_off: 0, settlement: -450 })
    expect(orderOf(answer)).toMatchObject({ money: 'overpaid', is_editable: false, has_returns: true })
    expect(orderOf(answer).lines.map(({ returned }) => returned)).toEqual([5, 0])
    expect(orderOf(answer).events[0]).toMatchObject({
      kind: 'items-returned',
      by: expect.any(String),
      detail: { amount: 450, reason: 'Not ripe', lines: [{ product: 'Mango', unit: 'kg', quantity: 5 }] },
    })
    expect(await stockOf(db, mango)).toMatchObject({ left: 35 })
    expect((await refund(sales, id, 450)).status).toBe(403)
    expect(sumsOf(await refund(manager, id, 450))).toMatchObject({ due: 0, paid: 1880 })
    expect(await ledgerOf(id)).toEqual([
      ['advance', 2330],
      ['return', 450],
      ['refund', -450],
    ])
    const query = readLeaderboardQuery({ start_date: '2026-01-01', end_date: '2030-01-01' }, '2026-11-20')
    const { rows } = await listLeaderboard(db, query, { backward: false, from: null })
    expect(rows.find(({ phone }) => phone === '01712345678')?.total_spent).toBe(1880)
  })

  it('many parts are worth what one return is; the last one ends the order and gives back the delivery', async () => {
    const { id, mango, jar } = await delivered()
    await takeBack(manager, id, [{ product_id: mango, quantity: 3.333 }])
    await takeBack(manager, id, [{ product_id: mango, quantity: 3.333 }])
    const third = await takeBack(manager, id, [
      { product_id: mango, quantity: 3.334 },
      { product_id: jar, quantity: 2 },
    ])
    expect(sumsOf(third)).toMatchObject({ status: 'delivered', due: -1800 })
    const last = await takeBack(manager, id, [{ product_id: jar, quantity: 1 }])
    expect(sumsOf(last)).toMatchObject({ status: 'returned', due: -2330, settlement: 0 })
    expect(orderOf(last)).toMatchObject({ money: 'to-refund', reason: 'Not ripe', statuses: ['returned'] })
    expect([await stockOf(db, mango), await stockOf(db, jar)]).toMatchObject([{ left: 40 }, { left: 10 }])
    expect(sumsOf(await refund(manager, id, 2330))).toMatchObject({ due: 0, paid: 0 })
  })

  it('damaged products are written off and stay sold', async () => {
    const { id, mango, jar } = await delivered()
    const answer = await takeBack(manager, id, [
      { product_id: mango, quantity: 2, damaged: true },
      { product_id: jar, quantity: 1 },
    ])
    expect(answer.status, answer.text).toBe(200)
    expect([await stockOf(db, mango), await stockOf(db, jar)]).toMatchObject([{ left: 30 }, { left: 8 }])
    const { rows } =
      await sql`select reason, delta_milli::int as delta from stock_movements where product_id = ${mango} order by id desc limit 2`.execute(
        db,
      )
    expect(rows).toEqual([
      { reason: 'spoiled', delta: -2000 },
      { reason: 'freed', delta: 2000 },
    ])
  })

  it('of an unpaid order lowers the amount due; what is retained is paid first', async () => {
    const { id, mango } = await delivered({ paid: 0 })
    expect(sumsOf(await takeBack(manager, id, [{ product_id: mango, quantity: 5 }]))).toMatchObject({ due: 1880, paid: 0 })
    expect(sumsOf(await pay(manager, id, 1880))).toMatchObject({ due: 0 })
  })

  it('the order goes on, may be returned as a whole, and is neither edited nor reopened', async () => {
    const { id, mango } = await delivered({ status: 'on_delivery' })
    await takeBack(manager, id, [{ product_id: mango, quantity: 5 }])
    await move(manager, id, 'delivered')
    const { version } = await adminOrder(manager, id)
    expect((await manager.post(`/admin/orders/update/${id}`, { version, address: 'House 6', discount: 0 })).status).toBe(409)
    await move(manager, id, 'returned')
    expect(await adminOrder(manager, id)).toMatchObject({ due: -2330, statuses: ['returned'] })
    expect(await stockOf(db, mango)).toMatchObject({ left: 40 })
  })

  it('the invoice and the receipt show what came back, the new total and the refund due', async () => {
    const { id, mango } = await delivered()
    await takeBack(manager, id, [{ product_id: mango, quantity: 5 }])
    for (const path of [`/admin/orders/invoice/${id}`, `/admin/quick-orders/pos-invoice/${id}`]) {
      const { text } = await manager.get(path, { accept: 'text/html' })
      expect(text).toContain('Returned: 5 kg')
      expect(text).toContain('Refund due')
      expect(text).toContain('৳1,880')
    }
  })
})

describe('animals', () => {
  async function soldCow() {
    const category = await buildCategory(db, { delivery_group: 'cattle', final_weighing_days: 4 })
    await db
      .insertInto('rate_tiers')
      .values([{ category_id: category.id, season: '', from_grams: 0, poisha_per_kg: 50_000 }])
      .execute()
    const cow = await buildAnimal(db, { category_id: category.id, weight_grams: 200_000, price_poisha: 10_000_000 })
    const jar = await buildProduct(db, { unit: 'piece', stock_milli: 10_000, price_poisha: 50_000 })
    before = await countStock(db)
    const lines: [number, number][] = [
      [cow.id, 1],
      [jar.id, 1],
    ]
    return { id: await orderAt(manager, { areaId: area.id, lines, paid: 102_000 }), cow: cow.id, jar: jar.id }
  }

  it('a cow goes on hold until staff decide; the order keeps the rest', async () => {
    const { id, cow } = await soldCow()
    const answer = await takeBack(manager, id, [{ product_id: cow, quantity: 1 }])
    expect(sumsOf(answer)).toMatchObject({ status: 'delivered', due: -100_000 })
    expect(await stockOf(db, cow)).toMatchObject({ status: 'hold' })
    const { rows } = await sql<{ version: number; order_id: number }>`
      select p.version, r.order_id from returned_animals r join products p on p.id = r.product_id where p.id = ${cow}`.execute(db)
    expect(rows[0]!.order_id).toBe(id)
    const decided = await manager.post(`/admin/animals/${cow}/release`, { outcome: 'healthy', reason: 'Sound', version: rows[0]!.version })
    expect([decided.status, await stockOf(db, cow)]).toMatchObject([200, { status: 'in-stock' }])
  })

  it('a settled cow is worth its final weight, and is not weighed for the order again', async () => {
    const { id, cow } = await soldCow()
    const weighing = { weight_kg: 190, weighed_on: '2026-11-20', method: 'scale', weighed_by: 'Rafiq', confirmed: true }
    shop.clock.now = new Date(shop.clock.now.getTime() + 1000)
    const weighed = await manager.post(`/admin/animals/${cow}/weigh-ins`, weighing)
    expect(weighed.status, weighed.text).toBe(200)
    const settled = await manager.post(`/admin/orders/${id}/settle`, { animal_id: cow })
    expect(settled.status, settled.text).toBe(200)
    expect(sumsOf(await takeBack(manager, id, [{ product_id: cow, quantity: 1 }]))).toMatchObject({ due: -100_000, settlement: -100_000 })
    await manager.post(`/admin/animals/${cow}/weigh-ins`, { ...weighing, weight_kg: 210 })
    expect((await manager.post(`/admin/orders/${id}/settle`, { animal_id: cow })).status).toBe(422)
  })

  it('is never written off by the return', async () => {
    const { id, cow } = await soldCow()
    const answer = await takeBack(manager, id, [{ product_id: cow, quantity: 1, damaged: true }])
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, ['lines.0.damaged']])
    expect(await stockOf(db, cow)).toMatchObject({ status: 'sold' })
  })
})

describe('refused', () => {
  it.each<[string, (order: { mango: number; jar: number }) => object[], object, number, string[]]>([
    ['nothing', () => [], {}, 422, ['lines']],
    ['no list', () => 'x' as unknown as object[], {}, 422, ['lines']],
    ['more than was ordered', ({ mango }) => [{ product_id: mango, quantity: 10.001 }], {}, 422, ['lines.0.quantity']],
    ['zero', ({ mango }) => [{ product_id: mango, quantity: 0 }], {}, 422, ['lines.0.quantity']],
    ['below zero', ({ mango }) => [{ product_id: mango, quantity: -1 }], {}, 422, ['lines.0.quantity']],
    ['four decimals', ({ mango }) => [{ product_id: mango, quantity: 1.0001 }], {}, 422, ['lines.0.quantity']],
    ['a huge number', ({ mango }) => [{ product_id: mango, quantity: 1e300 }], {}, 422, ['lines.0.quantity']],
    ['half a jar', ({ jar }) => [{ product_id: jar, quantity: 0.5 }], {}, 422, ['lines.0.quantity']],
    ['a product that was not ordered', () => [{ product_id: 999_999, quantity: 1 }], {}, 422, ['lines.0.product_id']],
    [
      'a line twice',
      ({ jar }) => [
        { product_id: jar, quantity: 1 },
        { product_id: jar, quantity: 1 },
      ],
      {},
      422,
      ['lines.1.product_id'],
    ],
    ['an unknown field', ({ jar }) => [{ product_id: jar, quantity: 1, price: 1 }], {}, 422, ['lines.0']],
    ['no reason', ({ jar }) => [{ product_id: jar, quantity: 1 }], { reason: '  ' }, 422, ['reason']],
    ['a hostile reason', ({ jar }) => [{ product_id: jar, quantity: 1 }], { reason: 'a\u0000b' }, 422, ['reason']],
    ['an endless reason', ({ jar }) => [{ product_id: jar, quantity: 1 }], { reason: 'x'.repeat(3000) }, 422, ['reason']],
    ['a stale version', ({ jar }) => [{ product_id: jar, quantity: 1 }], { version: 1 }, 409, []],
  ])('%s', async (_name, lines, more, status, fields) => {
    const order = await delivered()
    const answer = await takeBack(manager, order.id, lines(order), more)
    expect([answer.status, Object.keys(answer.body.errors ?? {})], answer.text).toEqual([status, fields])
    expect(await ledgerOf(order.id)).toEqual([['advance', 2330]])
  })

  it('an order that was not sent, an unknown one, other roles, and a call without a token', async () => {
    const { id, jar } = await delivered({ status: 'processing' })
    const body = { lines: [{ product_id: jar, quantity: 1 }], reason: 'x', version: 1 }
    expect((await takeBack(manager, id, body.lines)).status).toBe(409)
    expect((await manager.post('/admin/orders/returns/99999999', body)).status).toBe(404)
    expect((await manager.post('/admin/orders/returns/abc', body)).status).toBe(422)
    for (const who of [viewer, cashier]) expect((await who.post(`/admin/orders/returns/${id}`, body)).status).toBe(403)
    expect((await shop.visitor().post(`/admin/orders/returns/${id}`, body)).status).toBe(401)
    expect((await manager.post(`/admin/orders/returns/${id}`, body, { token: null })).status).toBe(403)
  })
})

describe('at the same moment', () => {
  it('two clerks who return 6 of 10 kg: one return is recorded', async () => {
    const { id, mango } = await delivered()
    const { version } = await adminOrder(manager, id)
    const answers = await Promise.all(
      [manager, sales, manager, sales].map((who) => takeBack(who, id, [{ product_id: mango, quantity: 6 }], { version })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
    expect(await stockOf(db, mango)).toMatchObject({ left: 36 })
    const next = await takeBack(sales, id, [{ product_id: mango, quantity: 6 }])
    expect([next.status, next.body.errors]).toEqual([422, { 'lines.0.quantity': ['Only 4 kg can still be returned.'] }])
  })

  it('the POS and the admin return 6 of 10 kg of a sale: one return is recorded, and the rest is refunded once', async () => {
    const { id, mango } = await soldAtPos()
    const { version } = await adminOrder(manager, id)
    const [atPos, inAdmin] = await Promise.all([
      returnAtPos(id, mango, 6, 600),
      takeBack(manager, id, [{ product_id: mango, quantity: 6 }], { version }),
    ])
    expect([atPos.status, inAdmin.status].filter((status) => status === 200)).toHaveLength(1)
    expect((await returnAtPos(id, mango, 4, 400)).status).toBe(200)
    expect(await adminOrder(manager, id)).toMatchObject({ status: 'returned', due: inAdmin.status === 200 ? -600 : 0 })
    expect(await stockOf(db, mango)).toMatchObject({ left: 40 })
  })

  it('the POS pays back nothing of a fee', async () => {
    const { id, mango } = await soldAtPos()
    await takeBack(manager, id, [{ product_id: mango, quantity: 6 }])
    expect(sumsOf(await keepFee(manager, id, 600))).toMatchObject({ due: 0, fee: 600 })
    expect((await refund(manager, id, 401)).status).toBe(422)
    expect((await returnAtPos(id, mango, 4, 401)).status).toBe(422)
    expect((await returnAtPos(id, mango, 4, 400)).status).toBe(200)
    expect(await adminOrder(manager, id)).toMatchObject({ status: 'returned', due: 0, paid: 600, fee: 600 })
  })

  it('the same key returns the first result, also later; other words under it are refused', async () => {
    const { id, mango } = await delivered()
    const { version } = await adminOrder(manager, id)
    const send = (quantity = 2) => takeBack(manager, id, [{ product_id: mango, quantity }], { version }, { key: 'return-of-two-kg' })
    const answers = await Promise.all([send(), send(), send()])
    const ids = [...answers, await send()].map(({ status, body }) => [status, (body as { return_id?: number }).return_id])
    expect(new Set(ids.map(String)).size).toBe(1)
    expect(ids[0]![0]).toBe(200)
    expect((await send(3)).status).toBe(409)
    expect(await stockOf(db, mango)).toMatchObject({ left: 32 })
  })
})
