import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { signedIn, stockOf } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildProduct, buildUser } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'

// Refunds of a cashier without a supervisor: ৳2,000 of a sale, ৳5,000 a day, 7 days after the sale.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url, rateLimit: true })
const manager = await signedIn(shop, 'manager')
const CODE = '403917'
const phone = (await sql<{ phone: string }>`select phone from users where id = ${manager.id}`.execute(db)).rows[0]!.phone
expect((await manager.post('/admin/quick-orders/code', { code: CODE })).status).toBe(200)
await manager.post('/admin/quick-orders/shift/open', { opening_cash: 500_000 })
const supervisor = { phone, code: CODE }

let before = new Map<number, number>()
let honey: { id: number }
let cashier: Visitor & { id: number }
let other: Visitor & { id: number }
beforeEach(async () => {
  await sql`delete from attempt_counts`.execute(db)
  honey = await buildProduct(db, { unit: 'kg', stock_milli: 500_000, price_poisha: 50_000 })
  before = await countStock(db)
  cashier = await signedIn(shop, 'cashier')
  other = await signedIn(shop, 'cashier')
  for (const one of [cashier, other]) await one.post('/admin/quick-orders/shift/open', { opening_cash: 500_000 })
})
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

async function sold(kilograms: number, { id = honey.id, price = 500, who = cashier }: { id?: number; price?: number; who?: Visitor } = {}) {
  const total = kilograms * price
  const answer = await who.post('/admin/quick-orders/store', {
    products: [{ id, quantity: kilograms, price }],
    transactions: { cash: total },
    total,
    customer: { phone: '01712345678' },
  })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.order_id!
}
/** Returns so many kilograms as spoiled, for cash. */
const back = (id: number, quantity: number, more: object = {}, { who = cashier, key }: { who?: Visitor; key?: string } = {}) =>
  who.post(
    `/admin/quick-orders/return/${id}`,
    { lines: [{ product_id: honey.id, quantity, spoiled: true }], refund: { cash: quantity * 500 }, reason: 'Soft', ...more },
    key ? { headers: { 'idempotency-key': key } } : {},
  )
const refunded = async (id: number) =>
  (
    await sql<{ sum: number }>`select coalesce(sum(-amount_poisha), 0)::int / 100 as sum from ledger_entries
    where order_id = ${id} and kind = 'refund'`.execute(db)
  ).rows[0]!.sum

describe('a cashier alone', () => {
  it('refunds up to the limit of a sale', async () => {
    const id = await sold(10)
    const refused = await back(id, 4.01)
    expect([refused.status, refused.body.reason, refused.body.message]).toEqual([
      422,
      'approval',
      'A cashier refunds up to ৳2,000 of a sale and ৳5,000 a day. A supervisor must approve this refund.',
    ])
    expect([refused.body, await refunded(id)]).toMatchObject([{ approval_needed: { refund: 2005 } }, 0])
    expect((await back(id, 4)).status).toBe(200)
    expect(await refunded(id)).toBe(2000)
  })

  it('refunds no more of a sale in ten small concurrent returns by several cashiers', async () => {
    const id = await sold(20)
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => back(id, 1, {}, { who: n % 2 === 0 ? cashier : other })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4)
    expect(new Set(answers.map(({ body }) => body.reason))).toEqual(new Set([undefined, 'approval']))
    expect(await refunded(id)).toBe(2000)
  })

  it('refunds no more of many sales in a day, also in another shift', async () => {
    const ids = [await sold(4), await sold(4), await sold(8, { who: other })] as const
    expect([(await back(ids[0], 4)).status, (await back(ids[1], 4)).status]).toEqual([200, 200])
    await cashier.post('/admin/quick-orders/shift/close', { counted_cash: 1, counted_bkash: 0, counted_bank: 0, note: 'Again' })
    await cashier.post('/admin/quick-orders/shift/open', { opening_cash: 500_000 })
    const [first, second] = await Promise.all([back(ids[2], 2.02), back(ids[2], 2)])
    expect([first.body.reason, second.status]).toEqual(['approval', 200])
    expect((await back(ids[2], 0.01)).body.reason).toBe('approval')
    // Another cashier has a daily limit of their own.
    expect((await back(ids[2], 0.01, {}, { who: other })).status).toBe(200)
    // Yesterday's refunds do not count.
    await sql`update pos_returns set at = at - interval '1 day'`.execute(db)
    expect((await back(ids[2], 0.01)).status).toBe(200)
  })

  it('refunds nothing of a sale that is too old', async () => {
    const id = await sold(2)
    await sql`update orders set placed_at = placed_at - interval '8 days' where id = ${id}`.execute(db)
    const refused = await back(id, 0.01)
    expect([refused.status, refused.body.message]).toEqual([
      422,
      'This sale is more than 7 days old. A supervisor must approve this refund.',
    ])
    await sql`update orders set placed_at = placed_at + interval '1 day' where id = ${id}`.execute(db)
    expect((await back(id, 0.01)).status).toBe(200)
  })

  it('lowers no debt on account by more than the limit, though nothing is paid back', async () => {
    const { phone: debtor } = await buildUser(db, { credit_limit_poisha: 1_000_000 })
    const sale = {
      products: [{ id: honey.id, quantity: 10 }],
      customer: { phone: debtor },
      transactions: {},
      total: 5000,
      on_account: 5000,
    }
    const id = (await cashier.post('/admin/quick-orders/store', sale)).body.order_id!
    const lower = (quantity: number, more: object = {}) => back(id, quantity, { refund: { cash: 0 }, ...more })
    expect((await lower(4.01)).body.reason).toBe('approval')
    expect((await lower(4)).status).toBe(200)
    expect((await lower(0.01)).body.reason).toBe('approval')
    const page = await cashier.get(`/admin/quick-orders/return?receipt=${id}`, { accept: 'text/html' })
    expect(pageProps<{ allowance: number }>(page.text).allowance).toBe(0)
    expect((await lower(6, { supervisor })).status).toBe(200)
  })

  it('takes back no animal', async () => {
    const cow = await buildAnimal(db)
    before = await countStock(db)
    const id = await sold(1, { id: cow.id, price: 110_000 })
    const lines = [{ product_id: cow.id, quantity: 1, spoiled: true }]
    const answer = await back(id, 1, { lines, refund: { cash: 110_000 } })
    expect([answer.body.reason, await stockOf(db, cow.id)]).toEqual(['approval', { left: 0, status: 'sold' }])
  })

  it('learns nothing about the drawer from returns that need a supervisor; other refusals are logged', async () => {
    const id = await sold(5)
    const out = { direction: 'out', amount: 501_000, reason: 'To the bank' }
    expect((await cashier.post('/admin/quick-orders/shift/cash', out)).status).toBe(200)
    // 1,500 taka are left. Each answer is the same below and above.
    const lines = [{ product_id: honey.id, quantity: 5, price: 500 }]
    const without = (refund: object) =>
      cashier.post('/admin/quick-orders/return-without-receipt', { lines, phone: '01712345678', reason: 'Soft', refund })
    for (const refund of [{ cash: 1400, bkash: 1100 }, { cash: 1600, bkash: 900 }, { cash: 2500 }]) {
      expect([refund, (await back(id, 5, { refund })).body.reason]).toEqual([refund, 'approval'])
      expect([refund, (await without(refund)).body.reason]).toEqual([refund, 'approval'])
    }
    expect((await back(id, 4, { refund: { cash: 1501, bkash: 499 } })).body.errors).toHaveProperty(['refund.cash'])
    const log = await db.selectFrom('audit_log').select('after').where('actor_id', '=', cashier.id).orderBy('id', 'desc').executeTakeFirst()
    expect(log?.after).toEqual({ cash: -1501, reason: 'Soft', refused: true })
    expect((await back(id, 4, { refund: { cash: 1500, bkash: 500 } })).status).toBe(200)
  })

  it('sees the maximum on the page', async () => {
    const id = await sold(10)
    await back(id, 1)
    const seen = async (who: Visitor) =>
      pageProps<{ allowance: number | null }>((await who.get(`/admin/quick-orders/return?receipt=${id}`, { accept: 'text/html' })).text)
    expect([(await seen(cashier)).allowance, (await seen(manager)).allowance]).toEqual([150_000, null])
  })
})

describe('a supervisor', () => {
  it('approves one return, which is recorded and counts towards no limit', async () => {
    const id = await sold(20)
    expect((await back(id, 4)).status).toBe(200)
    const body = { supervisor }
    const done = await back(id, 10, body, { key: 'approved-return-1' })
    expect(done.status, done.text).toBe(200)
    const { rows } =
      await sql`select approved_by, refund_poisha / 100 as refund from pos_returns where order_id = ${id} order by id`.execute(db)
    expect(rows).toEqual([
      { approved_by: null, refund: 2000 },
      { approved_by: manager.id, refund: 5000 },
    ])
    const events =
      await sql`select detail->'approved' as approved from order_events where order_id = ${id} and kind = 'goods-returned' order by id`.execute(
        db,
      )
    expect(events.rows).toEqual([{ approved: null }, { approved: { by: expect.any(String) } }])
    const receipt = await cashier.get(done.body.redirect!, { accept: 'text/html' })
    expect(receipt.text).toContain('Approved by')
    // Sent again it is the same return, also without the code; no other return is approved by it.
    expect((await back(id, 10, body, { key: 'approved-return-1' })).text).toBe(done.text)
    expect((await back(id, 10, {}, { key: 'approved-return-1' })).text).toBe(done.text)
    expect((await back(id, 1)).body.reason).toBe('approval')
    expect(await refunded(id)).toBe(7000)
    // A small return of another sale needs no approval: the approved one used none of the daily limit.
    expect((await back(await sold(4), 4)).status).toBe(200)
    const log = JSON.stringify((await sql`select * from audit_log`.execute(db)).rows)
    expect(log.includes(CODE)).toBe(false)
  })

  it('needs no code at their own POS', async () => {
    const id = await sold(10)
    await sql`update orders set placed_at = placed_at - interval '80 days' where id = ${id}`.execute(db)
    expect((await back(id, 10, {}, { who: manager })).status).toBe(200)
    const { rows } = await sql`select approved_by from pos_returns where order_id = ${id}`.execute(db)
    expect(rows).toEqual([{ approved_by: manager.id }])
  })

  it.each<[string, object, number]>([
    ['a wrong code', { phone, code: '111222' }, 422],
    ['no code', { phone, code: '' }, 422],
    ['a hostile phone', { phone: "1'; drop", code: CODE }, 422],
    ['a phone that is no text', { phone: 1, code: CODE }, 422],
    ['a code that is missing', { phone }, 422],
    ['another field', { phone, code: CODE, approved: true }, 422],
    ['a huge code', { phone, code: '4'.repeat(1000) }, 422],
  ])('is not %s', async (_what, wrong, status) => {
    const id = await sold(10)
    const answer = await back(id, 10, { supervisor: wrong })
    expect([answer.status, await refunded(id)]).toEqual([status, 0])
  })

  it('is locked after five wrong codes, for approvals and returns together', async () => {
    const id = await sold(10)
    for (let n = 0; n < 5; n++)
      expect((await back(id, 10, { supervisor: { phone, code: `11122${n}` } })).body.errors).toHaveProperty('code')
    const locked = await back(id, 10, { supervisor })
    expect([locked.status, Number(locked.headers['retry-after'])]).toEqual([429, expect.any(Number)])
    expect(await refunded(id)).toBe(0)
  })
})
