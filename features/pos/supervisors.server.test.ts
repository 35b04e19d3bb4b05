import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeOwner } from '#features/auth/make-owner.server.ts'
import { changeRole, renewPassword } from '#features/auth/staff/commands.server.ts'
import { signedIn, stockOf } from '#features/orders/testing/admin-shop.ts'
import { poisha } from '#lib/format/money.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildProduct, buildUser } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import { discountLimit, isEasyPosCode } from './approval-rules.ts'
import { readShiftSums } from './day-report.server.ts'

// Exceptions that need a supervisor, and supervisors' codes.

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
let jar: { id: number }
let key = ''
beforeEach(async () => {
  key = `sale-${Math.random()}`
  honey = await buildProduct(db, { unit: 'kg', stock_milli: 50_000, price_poisha: 12_000 })
  jar = await buildProduct(db, { unit: 'piece', stock_milli: 50_000, price_poisha: 50_000 })
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
/** The terms of this sale that the server says must be approved. */
const needed = (answer: { body: object }) => (answer.body as { approval_needed?: { discount: number; lines: object[] } }).approval_needed
const line = (more: object = {}) => ({ id: honey.id, quantity: 10, price: 120, price_is_set: false, held: false, ...more })
const approve = (what: object, more: object = {}, who = cashier) =>
  who.post('/admin/quick-orders/approve', { sale_key: key, phone, code: CODE, discount: 0, lines: [line()], ...what, ...more })
const setPrice = (price: number, quantity: number) => {
  const body = sale({ price_is_set: true, quantity }, {}, price)
  return { ...body, transactions: { cash: price * quantity }, total: price * quantity }
}

describe('a cashier', () => {
  it('gives a discount up to the limit, and more only with a supervisor', async () => {
    expect((await store(sale({}, { discount: 60 }))).status).toBe(200)
    key += 'b'
    const refused = await store(sale({}, { discount: 60.01 }))
    expect([refused.status, refused.body.errors, needed(refused)]).toEqual([
      422,
      { discount: [expect.any(String)] },
      { discount: 60.01, lines: [line()] },
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

  it('sets no price without a supervisor', async () => {
    const cheap = setPrice(90, 10)
    const refused = await store(cheap)
    expect([refused.status, needed(refused)]).toEqual([422, { discount: 0, lines: [line({ price: 90, price_is_set: true })] }])
    expect((await approve({ lines: [line({ price: 91, price_is_set: true })] })).status).toBe(200)
    expect((await store(cheap)).status).toBe(422)
    expect((await approve(needed(refused)!)).status).toBe(200)
    // Without the flag that it is set, another price is an error.
    expect((await store(sale({}, {}, 90))).status).toBe(422)
    const done = await store(cheap)
    expect(done.status, done.text).toBe(200)
    const prices =
      await sql`select base_price_poisha as base, price_poisha as price from order_lines where order_id = ${done.body.order_id}`.execute(db)
    expect(prices.rows).toEqual([{ base: 12_000, price: 9000 }])
    const { rows } = await sql<{ approved: object }>`select detail->'approved' as approved from order_events
      where order_id = ${done.body.order_id} and kind = 'placed'`.execute(db)
    expect(rows[0]?.approved).toMatchObject({ prices: [{ id: honey.id, quantity: 10, price: 90 }] })
  })

  // The reported attack: approved for one at ৳1, then 200 sold at ৳1 under the same key.
  it.each<[string, () => object]>([
    ['more of it', () => setPrice(1, 40)],
    ['a little more of it', () => setPrice(1, 1.01)],
    ['less of it', () => setPrice(1, 0.5)],
    ['a lower price', () => setPrice(0.5, 1)],
    ['a higher price', () => setPrice(2, 1)],
    ['a discount besides', () => ({ ...setPrice(1, 1), discount: 0.5, total: 0.5, transactions: { cash: 0.5 } })],
    [
      'another line besides',
      () => ({
        ...setPrice(1, 1),
        products: [...setPrice(1, 1).products, { id: jar.id, quantity: 1, price: 500 }],
        total: 501,
        transactions: { cash: 501 },
      }),
    ],
    ['another product', () => ({ ...setPrice(1, 1), products: [{ id: jar.id, quantity: 1, price: 1, price_is_set: true }] })],
    ['the old sale held back by its clock', () => ({ ...setPrice(1, 40), sold_at: shop.clock.now.toISOString(), handed_over: true })],
  ])('sells nothing but what was approved: not %s', async (_what, other) => {
    const approved = await store(setPrice(1, 1))
    expect((await approve(needed(approved)!)).status).toBe(200)
    const attack = await store(other())
    expect([attack.status, attack.body.reason], attack.text).toEqual([422, 'approval'])
    expect((await sql`select 1 from orders where idempotency_key = ${`pos-${cashier.id}:${key}`}`.execute(db)).rows).toEqual([])
    // The rejected sale has not used the approval.
    expect((await store(setPrice(1, 1))).status).toBe(200)
  })

  it('uses an approval once: of concurrent requests one sells', async () => {
    expect((await approve({ lines: [line({ price: 1, price_is_set: true, quantity: 1 })] })).status).toBe(200)
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => store(setPrice(1, n === 0 ? 1 : 40))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await stockOf(db, honey.id)).toMatchObject({ left: 49 })
  })

  it('uses an approval within a quarter of an hour, by the time of the sale', async () => {
    const approved = await store(setPrice(1, 1))
    expect((await approve(needed(approved)!)).status).toBe(200)
    const start = shop.clock.now
    const at = (minutes: number) => new Date(start.getTime() + minutes * 60_000)
    const body = setPrice(1, 1)
    const late = (soldAfter: number) =>
      cashier.post(
        '/admin/quick-orders/store',
        { ...body, sold_at: at(soldAfter).toISOString() },
        {
          headers: { 'idempotency-key': key, 'x-sent-at': at(20).toISOString() },
        },
      )
    try {
      shop.clock.now = at(20)
      expect((await store(body)).body.reason).toBe('approval')
      expect((await late(16)).body.reason).toBe('approval')
      // Sold in time offline, sent later.
      expect((await late(5)).status).toBe(200)
    } finally {
      shop.clock.now = start
    }
  })

  it('uses no approval of an earlier shift', async () => {
    const clerk = await signedIn(shop, 'cashier')
    await clerk.post('/admin/quick-orders/shift/open', { opening_cash: 0 })
    expect((await approve(needed(await store(setPrice(1, 1), clerk))!, {}, clerk)).status).toBe(200)
    await clerk.post('/admin/quick-orders/shift/close', { counted_cash: 0, counted_bkash: 0, counted_bank: 0 })
    await clerk.post('/admin/quick-orders/shift/open', { opening_cash: 0 })
    expect((await store(setPrice(1, 1), clerk)).body.reason).toBe('approval')
  })

  it('needs a new approval of everything when the sale changes', async () => {
    const discounted = { ...sale({}, { discount: 100 }), discount: 100 }
    expect((await approve({ discount: 100 })).status).toBe(200)
    const more = {
      ...discounted,
      products: [{ id: honey.id, quantity: 10, price: 110, price_is_set: true }],
      total: 1000,
      transactions: { cash: 1000 },
    }
    const all = { discount: 100, lines: [line({ price: 110, price_is_set: true })] }
    expect(needed(await store(more))).toEqual(all)
    expect((await approve(all)).status).toBe(200)
    expect((await store(more)).status).toBe(200)
  })

  it('sells no product on hold without a supervisor, and with one none that has a buyer', async () => {
    const [held, booked] = [
      await buildAnimal(db, { name_en: 'Held Cow', status: 'hold', hold_reason: 'soon' }),
      await buildAnimal(db, { name_en: 'Booked Cow' }),
    ]
    before = await countStock(db)
    const body = (id: number) => ({ ...sale({ id, quantity: 1, price: 110_000 }), transactions: { cash: 110_000 }, total: 110_000 })
    const refused = await store(body(held.id))
    const terms = (id: number) => ({ discount: 0, lines: [line({ id, quantity: 1, price: 110_000, held: true })] })
    expect([refused.status, refused.body.message?.includes('Held Cow'), needed(refused)]).toEqual([410, true, terms(held.id)])
    expect(await stockOf(db, held.id)).toMatchObject({ status: 'hold' })
    expect((await approve(terms(held.id))).status).toBe(200)
    expect((await store(body(held.id))).status).toBe(200)
    expect(await stockOf(db, held.id)).toEqual({ left: 0, status: 'sold' })
    key += 'b'
    expect((await store(body(booked.id), other)).status).toBe(200)
    key += 'c'
    expect((await approve(terms(booked.id))).status).toBe(200)
    expect((await store(body(booked.id))).status).toBe(410)
  })

  it('sells a part of a product on hold, and the rest stays on hold', async () => {
    const ghee = { unit: 'kg', status: 'hold', hold_reason: 'soon', price_poisha: 11_000 }
    const [counted, uncounted] = [
      await buildProduct(db, { ...ghee, stock_milli: 9000 }),
      await buildProduct(db, { ...ghee, stock_milli: null }),
    ]
    before = await countStock(db)
    for (const { id } of [counted, uncounted]) {
      key += 'd'
      const refused = await store({ ...sale({ id, quantity: 2 }, {}, 110), transactions: { cash: 220 }, total: 220 })
      expect((await approve(needed(refused) ?? {})).status).toBe(200)
      const sold = await store({ ...sale({ id, quantity: 2 }, {}, 110), transactions: { cash: 220 }, total: 220 })
      expect(sold.status, sold.text).toBe(200)
      const { rows } = await sql<object>`select stock_milli::float8 as milli, status, hold_reason from products where id = ${id}`.execute(
        db,
      )
      expect(rows).toEqual([{ milli: id === counted.id ? 7000 : null, status: 'hold', hold_reason: 'soon' }])
    }
  })

  it('with the permission to approve needs no code at their own POS, and is recorded', async () => {
    const done = await store(sale({ price_is_set: true }, { discount: 300 }, 90), manager)
    expect(done.status, done.text).toBe(200)
    const { rows } = await sql<{ detail: object }>`select detail from order_events where order_id = ${done.body.order_id}`.execute(db)
    expect(rows[0]?.detail).toMatchObject({ approved: { discount: 300, prices: [{ id: honey.id, price: 90 }] } })
    const { shift_id: shift } = await db
      .selectFrom('pos_sales')
      .select('shift_id')
      .where('order_id', '=', done.body.order_id!)
      .executeTakeFirstOrThrow()
    const { name } = await db.selectFrom('users').select('name').where('id', '=', manager.id).executeTakeFirstOrThrow()
    expect((await readShiftSums(db, shift, 'en')).approved).toEqual([{ order_id: done.body.order_id, by: name, discount: 30_000 }])
  })
})

describe('codes', () => {
  it('wrong ones count for the supervisor and for the POS; the sale stays', async () => {
    const clerk = await buildUser(db, { role: 'sales' })
    const closed = await buildUser(db, { role: 'owner' })
    await sql`insert into pos_approval_codes (user_id, code_hash, set_at) select u, code_hash, set_at from pos_approval_codes, unnest(array[${closed.id}, ${clerk.id}]::bigint[]) u`.execute(
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
      expect([wrong, answer.status, answer.body.errors]).toEqual([wrong, 422, { code: ['Incorrect phone or code.'] }])
    }
    for (const code of ['111111', '222222']) expect((await approve({ discount: 100 }, { code })).status).toBe(422)
    const locked = await approve({ discount: 100 })
    expect([locked.status, Number(locked.headers['retry-after'])]).toEqual([429, expect.any(Number)])
    // The supervisor is locked at every POS.
    expect((await approve({ discount: 100 }, {}, other)).status).toBe(429)
    expect((await sql`select 1 from pos_approvals where sale_key = ${key}`.execute(db)).rows).toEqual([])
    await sql`delete from attempt_counts`.execute(db)
    expect((await approve({ discount: 100 }, { code: '৪০৩ ৯১৭' })).status).toBe(200)
    await sql`delete from users where id = ${closed.id}`.execute(db)
  })

  it('a right one does not begin the count of the day again: guesses between approvals add up', async () => {
    expect((await approve({ discount: 100 }, { code: '100007' })).status).toBe(422)
    await sql`update attempt_counts set count = 49 where key like 'pos-code-day:%'`.execute(db)
    const statuses = []
    for (const code of [CODE, '100007', CODE]) statuses.push((await approve({ discount: 100 }, { code })).status)
    expect(statuses).toEqual([200, 422, 429])
  })

  it('a refused one at a locked POS locks no supervisor elsewhere', async () => {
    for (let n = 0; n < 10; n++) expect((await approve({ discount: 100 }, { phone: `0171200990${n}` })).status).toBe(422)
    for (let n = 0; n < 6; n++) expect((await approve({ discount: 100 })).status).toBe(429)
    expect((await approve({ discount: 100 }, {}, other)).status).toBe(200)
  })

  it('concurrent wrong codes all count', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => approve({ discount: 100 }, { code: String(100_007 + n) })))
    expect(answers.filter((answer) => answer.status === 422)).toHaveLength(5)
  })

  it.each<[string, object, number]>([
    ['nothing to approve', {}, 422],
    ['no lines', { discount: 100, lines: [] }, 422],
    ['a line without quantity', { discount: 100, lines: [{ id: 1, price: 1 }] }, 422],
    ['a quantity below zero', { discount: 100, lines: [{ id: 1, price: 1, quantity: -1 }] }, 422],
    ['a quantity that is none', { discount: 100, lines: [{ id: 1, price: 1, quantity: 'NaN' }] }, 422],
    ['lines that are none', { discount: 100, lines: { length: 1 } }, 422],
    ['a discount below zero', { discount: -1 }, 422],
    ['a huge discount', { discount: 1e15 }, 422],
    ['no price', { lines: [{ id: 1, quantity: 1 }] }, 422],
    ['a text for a product', { lines: [{ id: "1'; drop", quantity: 1, price: 1 }] }, 422],
    ['too many', { discount: 100, lines: Array.from({ length: 300 }, () => ({ id: 1, quantity: 1, price: 1 })) }, 422],
    ['a key that is none', { discount: 100, sale_key: 'x' }, 422],
    ['another field', { discount: 100, approved: true }, 422],
  ])('%s', async (_name, what, status) => {
    expect((await approve(what)).status).toBe(status)
  })

  it('have six digits, are not easy to guess, and are set by a recently authenticated supervisor', async () => {
    for (const code of ['12345', '1234567', 'abcdef', '123456', '987654', '111111', '121212', '123123', phone.slice(-6)])
      expect([code, (await manager.post('/admin/quick-orders/code', { code })).status]).toEqual([code, 422])
    expect((await cashier.post('/admin/quick-orders/code', { code: CODE })).status).toBe(403)
    expect((await manager.post('/admin/quick-orders/code', { code: CODE }, { token: null })).status).toBe(403)
    expect((await sales.post('/admin/quick-orders/approve', { sale_key: key, phone, code: CODE, discount: 1 })).status).toBe(403)
    await sql`update sessions set checked_at = ${new Date(shop.clock.now.getTime() - 86_400_000)} where user_id = ${manager.id}`.execute(db)
    expect((await manager.post('/admin/quick-orders/code', { code: '918273' })).status).toBe(403)
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
  it.each([
    ['403917', false],
    ['000000', true],
    ['345678', true],
    ['890123', true],
    ['321098', true],
    ['246813', false],
    ['454545', true],
    ['787787', true],
  ])('%s is easy: %s', (code, easy) => expect(isEasyPosCode(code, '01711000002')).toBe(easy))
})

describe('the code of a supervisor ends', () => {
  const OWNER = { kind: 'staff' as const, id: manager.id, ip: '127.0.0.1' }
  const ways: [string, (boss: Awaited<ReturnType<typeof signedIn>>) => Promise<unknown>][] = [
    [
      'with the own new password',
      async (boss) =>
        expect(await boss.post('/account/security/password', { password: 'two white goats' })).toMatchObject({
          status: 200,
          body: { redirect: '/account/security?done=staff-password' },
        }),
    ],
    ['with a password that an owner renews', async ({ id }) => renewPassword(db, OWNER, id)],
    [
      'with another role, also after the role came back',
      async ({ id }) => {
        await changeRole(db, OWNER, id, { role: 'viewer', previous: 'manager' })
        await changeRole(db, OWNER, id, { role: 'manager', previous: 'viewer' })
      },
    ],
    [
      'with the command that makes an owner',
      async ({ id }) => {
        const { rows } = await sql<{ phone: string }>`select phone from users where id = ${id}`.execute(db)
        await makeOwner(db, { phone: rows[0]!.phone, name: 'Boss', passwordHash: 'x', once: true, now: new Date() })
      },
    ],
  ]
  it.each(ways)('%s', async (_way, end) => {
    const boss = await signedIn(shop, 'manager')
    expect((await boss.post('/admin/quick-orders/code', { code: '582031' })).status).toBe(200)
    const { rows } = await sql<{ phone: string }>`select phone from users where id = ${boss.id}`.execute(db)
    const ask = () => approve({ discount: 100 }, { phone: rows[0]!.phone, code: '582031' })
    expect((await ask()).status).toBe(200)
    await end(boss)
    expect((await ask()).status).toBe(422)
  })
})
