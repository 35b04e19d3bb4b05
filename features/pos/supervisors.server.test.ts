import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { signedIn, stockOf } from '#features/orders/office/testing/office-shop.ts'
import { poisha } from '#lib/money.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildProduct, buildUser } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import { discountLimit, isEasyTillCode, notApproved } from './approval-rules.ts'

// What a cashier does not do alone, and the code of who approves it.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url, rateLimit: true })
const [cashier, other, manager, sales] = [
  await signedIn(shop, 'cashier'),
  await signedIn(shop, 'cashier'),
  await signedIn(shop, 'manager'),
  await signedIn(shop, 'sales'),
]
for (const one of [cashier, other, manager]) await one.post('/admin/quick-orders/shift/open', { opening_cash: 1000 })
const CODE = '403917'
const phone = (await sql<{ phone: string }>`select phone from users where id = ${manager.id}`.execute(db)).rows[0]!.phone
expect((await manager.post('/admin/quick-orders/code', { code: CODE })).status).toBe(200)

let before = new Map<number, number>()
let honey: { id: number }
let key = ''
beforeEach(async () => {
  key = `sale-${Math.random()}`
  honey = await buildProduct(db, { unit: 'kg', stock_milli: 50_000, price_poisha: 12_000 })
  before = await countStock(db)
  await sql`delete from attempt_counts`.execute(db)
})
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

const sale = (line: object = {}, more: { discount?: number } = {}, price = 120) => ({
  products: [{ id: honey.id, quantity: 10, price, ...line }],
  transactions: { cash: price * 10 - (more.discount ?? 0) },
  total: price * 10 - (more.discount ?? 0),
  customer: { phone: '01712345678' },
  ...more,
})
const store = (body: object, who = cashier, saleKey = key) =>
  who.post('/admin/quick-orders/store', body, { headers: { 'idempotency-key': saleKey } })
const approve = (what: object, more: object = {}, who = cashier) =>
  who.post('/admin/quick-orders/approve', { sale_key: key, phone, code: CODE, ...what, ...more })
const needed = (answer: { body: object }) => (answer.body as { approval_needed?: object }).approval_needed

describe('a cashier', () => {
  it('takes off up to the limit, and no more without a supervisor', async () => {
    expect((await store(sale({}, { discount: 60 }))).status).toBe(200)
    key += 'b'
    const refused = await store(sale({}, { discount: 60.01 }))
    expect([refused.status, refused.body.errors, needed(refused)]).toEqual([
      422,
      { discount: [expect.any(String)] },
      { discount: 60.01, prices: [], held: [] },
    ])
    expect((await approve({ discount: 60 })).status).toBe(200)
    expect((await store(sale({}, { discount: 60.01 }))).status).toBe(422)
    expect((await approve({ discount: 100 })).status).toBe(200)
    expect((await store(sale({}, { discount: 100 }), other)).status).toBe(422)
    expect((await store(sale({}, { discount: 100 }), cashier, `${key}-another`)).status).toBe(422)
    const done = await store(sale({}, { discount: 100 }))
    expect(done.status, done.text).toBe(200)
    expect((await store(sale({}, { discount: 100 }))).body.order_id).toBe(done.body.order_id)
    expect((await approve({ discount: 500 })).status).toBe(409)
    const { rows } = await sql<{ approved: object }>`select detail->'approved' as approved from order_events
      where order_id = ${done.body.order_id} and kind = 'placed'`.execute(db)
    expect(rows[0]?.approved).toEqual({ by: expect.any(String), discount: 100 })
    const log = await sql`select after from audit_log where action = 'approved' order by id desc limit 1`.execute(db)
    expect(log.rows).toMatchObject([{ after: { supervisor_id: manager.id, discount: 100 } }])
  })

  it('asks no other price without a supervisor', async () => {
    const cheap = sale({ price_is_set: true }, {}, 90)
    const refused = await store(cheap)
    expect([refused.status, needed(refused)]).toEqual([422, { discount: 0, prices: [{ id: honey.id, price: 90 }], held: [] }])
    expect((await approve({ prices: [{ id: honey.id, price: 91 }] })).status).toBe(200)
    expect((await store(cheap)).status).toBe(422)
    expect((await approve({ prices: [{ id: honey.id, price: 90 }] })).status).toBe(200)
    // Without saying that it is set, a price is a mistake of the screen.
    expect((await store(sale({}, {}, 90))).status).toBe(422)
    const done = await store(cheap)
    expect(done.status, done.text).toBe(200)
    const line =
      await sql`select base_price_poisha as base, price_poisha as price from order_lines where order_id = ${done.body.order_id}`.execute(db)
    expect(line.rows).toEqual([{ base: 12_000, price: 9000 }])
  })

  it('is asked for everything again when one thing more is wanted', async () => {
    const discounted = { ...sale({}, { discount: 100 }), discount: 100 }
    expect((await approve({ discount: 100 })).status).toBe(200)
    const more = {
      ...discounted,
      products: [{ id: honey.id, quantity: 10, price: 110, price_is_set: true }],
      total: 1000,
      transactions: { cash: 1000 },
    }
    const all = { discount: 100, prices: [{ id: honey.id, price: 110 }], held: [] }
    expect(needed(await store(more))).toEqual(all)
    expect((await approve(all)).status).toBe(200)
    expect((await store(more)).status).toBe(200)
  })

  it('sells nothing that is held back without a supervisor, and with one not what has a buyer', async () => {
    const [held, booked] = [
      await buildAnimal(db, { name_en: 'Held Cow', status: 'hold', hold_reason: 'soon' }),
      await buildAnimal(db, { name_en: 'Booked Cow' }),
    ]
    before = await countStock(db)
    const body = (id: number) => ({ ...sale({ id, quantity: 1, price: 110_000 }), transactions: { cash: 110_000 }, total: 110_000 })
    const refused = await store(body(held.id))
    expect([refused.status, refused.body.message?.includes('Held Cow'), needed(refused)]).toEqual([
      410,
      true,
      { discount: 0, prices: [], held: [held.id] },
    ])
    expect(await stockOf(db, held.id)).toMatchObject({ status: 'hold' })
    expect((await approve({ held: [held.id] })).status).toBe(200)
    expect((await store(body(held.id))).status).toBe(200)
    expect(await stockOf(db, held.id)).toEqual({ left: 0, status: 'sold' })
    key += 'b'
    expect((await store(body(booked.id), other)).status).toBe(200)
    expect((await approve({ held: [booked.id] })).status).toBe(200)
    expect((await store(body(booked.id))).status).toBe(410)
  })

  it('who may approve needs no code at his own till, and is written down', async () => {
    const done = await store(sale({ price_is_set: true }, { discount: 300 }, 90), manager)
    expect(done.status, done.text).toBe(200)
    const { rows } = await sql<{ detail: object }>`select detail from order_events where order_id = ${done.body.order_id}`.execute(db)
    expect(rows[0]?.detail).toMatchObject({ approved: { discount: 300, prices: [{ id: honey.id, price: 90 }] } })
  })
})

describe('codes', () => {
  it('wrong ones are counted, of the supervisor and at the till; the sale stays', async () => {
    const clerk = await buildUser(db, { role: 'sales' })
    const closed = await buildUser(db, { role: 'owner' })
    await sql`insert into till_codes (user_id, code_hash, set_at) select u, code_hash, set_at from till_codes, unnest(array[${closed.id}, ${clerk.id}]::bigint[]) u`.execute(
      db,
    )
    await sql`update users set disabled_at = now() where id = ${closed.id}`.execute(db)
    for (const wrong of [
      { code: '000000' },
      { code: '' },
      { code: `${CODE}'--` },
      { phone: closed.phone },
      { phone: clerk.phone },
      { phone: '<script>' },
      { phone: '' },
    ]) {
      const answer = await approve({ discount: 100 }, wrong)
      expect([wrong, answer.status, answer.body.errors]).toEqual([wrong, 422, { code: ['Phone or code is wrong.'] }])
    }
    for (const code of ['111111', '222222']) expect((await approve({ discount: 100 }, { code })).status).toBe(422)
    const locked = await approve({ discount: 100 })
    expect([locked.status, Number(locked.headers['retry-after'])]).toEqual([429, expect.any(Number)])
    // The supervisor is locked at every till.
    expect((await approve({ discount: 100 }, {}, other)).status).toBe(429)
    expect((await sql`select 1 from till_approvals where sale_key = ${key}`.execute(db)).rows).toEqual([])
    await sql`delete from attempt_counts`.execute(db)
    expect((await approve({ discount: 100 }, { code: '৪০৩ ৯১৭' })).status).toBe(200)
    await sql`delete from users where id = ${closed.id}`.execute(db)
  })

  it('many wrong ones at the same moment are counted all', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => approve({ discount: 100 }, { code: String(100_007 + n) })))
    expect(answers.filter((answer) => answer.status === 422)).toHaveLength(5)
  })

  it.each<[string, object, number]>([
    ['nothing to approve', {}, 422],
    ['a discount below zero', { discount: -1 }, 422],
    ['a huge discount', { discount: 1e15 }, 422],
    ['no price', { prices: [{ id: 1 }] }, 422],
    ['a text for a product', { held: ["1'; drop"] }, 422],
    ['too many', { held: Array.from({ length: 300 }, () => 1) }, 422],
    ['a key that is none', { discount: 100, sale_key: 'x' }, 422],
    ['another field', { discount: 100, approved: true }, 422],
  ])('%s', async (_name, what, status) => {
    expect((await approve(what)).status).toBe(status)
  })

  it('are six figures, not easily guessed, of one who may approve and has just shown who he is', async () => {
    for (const code of ['12345', '1234567', 'abcdef', '123456', '987654', '111111', '121212', '123123', phone.slice(-6)])
      expect([code, (await manager.post('/admin/quick-orders/code', { code })).status]).toEqual([code, 422])
    expect((await cashier.post('/admin/quick-orders/code', { code: CODE })).status).toBe(403)
    expect((await manager.post('/admin/quick-orders/code', { code: CODE }, { token: null })).status).toBe(403)
    expect((await sales.post('/admin/quick-orders/approve', { sale_key: key, phone, code: CODE, discount: 1 })).status).toBe(403)
    await sql`update sessions set checked_at = ${new Date(shop.clock.now.getTime() - 86_400_000)} where user_id = ${manager.id}`.execute(db)
    expect((await manager.post('/admin/quick-orders/code', { code: '918273' })).status).toBe(409)
    const log = JSON.stringify((await sql`select * from audit_log`.execute(db)).rows)
    expect(log.includes(CODE)).toBe(false)
  })
})

describe('rules', () => {
  it.each([
    [120_000, 5, 500, 6000],
    [120_000, 5, 50, 5000],
    [120_000, 0, 500, 0],
    [999, 5, 500, 49],
    [120_000, 100, 10_000, 120_000],
  ])('%i poisha, %i percent, %i taka: %i', (goods, percent, taka, most) => {
    expect(discountLimit(poisha(goods), { percent, taka })).toBe(most)
  })
  it('what is approved covers no more than it says', () => {
    const asked = { discount: poisha(100), prices: [{ id: 1, price: poisha(5) }], held: [2, 3] }
    expect(notApproved(asked, null)).toEqual(asked)
    expect(notApproved(asked, { discount: poisha(99), prices: [{ id: 1, price: poisha(5) }], held: [3] })).toEqual({
      discount: 100,
      prices: [],
      held: [2],
    })
  })
  it.each([
    ['403917', false],
    ['000000', true],
    ['345678', true],
    ['890123', true],
    ['321098', true],
    ['246813', false],
    ['454545', true],
    ['787787', true],
  ])('%s is easy: %s', (code, easy) => expect(isEasyTillCode(code, '01711000002')).toBe(easy))
})
