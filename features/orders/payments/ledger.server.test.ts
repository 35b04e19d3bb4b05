import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildArea } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import { orderedByShopper, orderOf, signedIn, stockOf } from '../testing/admin-shop.ts'
import { listWaitingAdvances } from '../advances/waiting-advances.server.ts'

// Payments and refunds that staff record [M6, M7].

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const [manager, sales, viewer] = [await signedIn(shop, 'manager'), await signedIn(shop, 'sales'), await signedIn(shop, 'viewer')]

let before = new Map<number, number>()
let serial = 0
const transaction = () => `TX${String((serial += 1)).padStart(8, '0')}`
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

async function ordered() {
  const order = await orderedByShopper(shop, area.id)
  before = await countStock(db)
  return order
}
const pay = (id: number, amount: unknown, more: object = {}, who = manager) =>
  who.post(`/admin/orders/payments/${id}`, { method: 'cash', amount, version: 1, ...more })
const refund = (id: number, amount: unknown, more: object = {}, who = manager) =>
  who.post(`/admin/orders/refunds/${id}`, { method: 'cash', amount, version: 2, ...more })
const cancel = (id: number, version: number) =>
  manager.post('/admin/orders/status', { orders: [{ id, version }], status: 'cancelled', reason: 'No answer' })
async function claimed(order: { id: number }, amount = 11_500) {
  const { rows } = await sql<{
    id: number
  }>`insert into advance_reports (order_id, method, transaction_id, sender, amount_poisha, created_at)
    values (${order.id}, 'bkash', ${transaction()}, '01711111111', ${amount * 100}, ${shop.clock.now}) returning id`.execute(db)
  return rows[0]!.id
}
const verify = (claim: number, who = manager, body: object = {}) => who.post(`/admin/advances/verify/${claim}`, body)
const told = async (id: number, event: string) =>
  (await sql`select 1 from sms_outbox where order_id = ${id} and template like ${event}`.execute(db)).rows.length

describe('a payment', () => {
  it.each([
    ['cash', ''],
    ['bank', 'brac-77 1234'],
    ['bkash', 'bk9x77aa21'],
    ['nagad', '৭৮১২৩৪৫৬'],
  ])('by %s adds an entry; the rest is due', async (method, typed) => {
    const { id } = await ordered()
    // A second try has a transaction of its own.
    const transaction_id = typed && `${typed}${(serial += 1)}`
    const answer = await pay(id, '১২,০০০', { method, transaction_id }, sales)
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
    expect(orderOf(answer)).toMatchObject({ paid: 12_000, due: 113_000 - 12_000, money: 'due', version: 2, expires_at: null })
    expect(orderOf(answer).payments).toMatchObject([{ kind: 'advance', method, amount: 12_000 }])
  })

  it('that covers the advance sells the animal; more than the total is shown as overpaid', async () => {
    const { id, cow } = await ordered()
    await pay(id, 5000)
    expect(await stockOf(db, cow)).toMatchObject({ status: 'hold' })
    await pay(id, 5000, { version: 2 })
    expect(await stockOf(db, cow)).toMatchObject({ status: 'sold' })
    expect(orderOf(await pay(id, 200_000, { version: 3, confirmed: true }))).toMatchObject({ money: 'overpaid', due: 113_000 - 210_000 })
  })

  it.each([
    ['all that is due', 113_000, 200],
    ['a poisha more', 113_000.01, 409],
    ['a figure too many', 1_130_000, 409],
    ['a finger that stayed on the key', 99_999_999, 409],
  ])('of %s: %d has status %d; an excess is recorded only when confirmed', async (_, amount, status) => {
    const { id } = await ordered()
    const answer = await pay(id, amount)
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([status, status === 200 ? [] : ['amount']])
    if (status === 200) return expect(orderOf(answer)).toMatchObject({ money: 'settled' })
    const { rows } = await sql`select ledger_balance_poisha, version from orders where id = ${id}`.execute(db)
    expect(rows).toEqual([{ ledger_balance_poisha: 0, version: 1 }])
    expect(orderOf(await pay(id, amount, { confirmed: true }))).toMatchObject({ money: 'overpaid', paid: amount })
    return undefined
  })

  it('may include the price increase of a weighing without confirmation', async () => {
    const { id } = await ordered()
    await sql`insert into ledger_entries (order_id, kind, method, amount_poisha, reference, at)
      values (${id}, 'settlement', 'weighing', -500000, ${transaction()}, ${shop.clock.now})`.execute(db)
    expect((await pay(id, 118_000.01)).status).toBe(409)
    expect(orderOf(await pay(id, 118_000))).toMatchObject({ money: 'settled' })
  })

  it('a repeated request is one payment; a transaction id counts for one order', async () => {
    const [one, two] = [await ordered(), await ordered()]
    const answers = await Promise.all(Array.from({ length: 5 }, () => pay(one.id, 1000)))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409, 409])
    const same = { method: 'bkash', transaction_id: transaction() }
    const both = await Promise.all([pay(one.id, 500, { ...same, version: 2 }), pay(two.id, 500, same)])
    expect(both.map((answer) => answer.status).sort()).toEqual([200, 409])
  })

  it('for an ended order is recorded and flagged; a refund clears the flag', async () => {
    const { id } = await ordered()
    await cancel(id, 1)
    expect((await pay(id, 1500, { version: 2 })).status).toBe(409)
    const late = orderOf(await pay(id, 1500, { version: 2, confirmed: true }))
    expect(late).toMatchObject({ money: 'to-refund', needs_attention: 'paid-after-end', status: 'cancelled' })
    expect(orderOf(await refund(id, 1500, { version: 3 }))).toMatchObject({ money: 'settled', needs_attention: null, paid: 0 })
  })

  it.each([
    [{ amount: 0 }, 'amount'],
    [{ amount: -5 }, 'amount'],
    [{ amount: 'x' }, 'amount'],
    [{ amount: 1e15 }, 'amount'],
    [{ amount: null }, 'amount'],
    [{ method: 'gold' }, 'method'],
    [{ method: 'bkash' }, 'transaction_id'],
    [{ method: 'bank', transaction_id: "'; drop" }, 'transaction_id'],
    [{ version: 'x' }, 'version'],
    [{ version: undefined }, 'version'],
  ])('%j is rejected', async (body, field) => {
    const { id } = await ordered()
    const answer = await pay(id, 100, body)
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]])
  })
})

describe('a refund', () => {
  it('is a negative entry, limited to the amount paid, and needs a manager', async () => {
    const { id } = await ordered()
    expect((await refund(id, 100, { version: 1 })).body.errors).toHaveProperty('amount')
    await pay(id, 1000)
    expect((await refund(id, 1001)).body.errors).toHaveProperty('amount')
    expect((await refund(id, 400, {}, sales)).status).toBe(403)
    const answers = await Promise.all([refund(id, 700), refund(id, 700)])
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409])
    const order = orderOf(answers.find((answer) => answer.status === 200)!)
    expect(order).toMatchObject({ paid: 300 })
    expect(order.payments.map((row) => [row.kind, row.amount])).toEqual([
      ['advance', 1000],
      ['refund', -700],
    ])
  })
})

it('a part paid before the cancellation is refunded once, with its own transaction id', async () => {
  const { id } = await ordered()
  const number = transaction()
  await pay(id, 5000, { method: 'bkash', transaction_id: number })
  await cancel(id, 2)
  const back = (amount: unknown, transaction_id: string, version: number) =>
    refund(id, amount, { method: 'bkash', transaction_id, version })
  expect((await back(5000.01, transaction(), 3)).body.errors).toHaveProperty('amount')
  for (const wrong of [0, -5000, '1e3', 'NaN', '']) expect([wrong, (await back(wrong, transaction(), 3)).status]).toEqual([wrong, 422])
  // The transaction id of the payment cannot be the one of the refund.
  expect((await back(5000, ` ${number.toLowerCase()} `, 3)).body.errors).toHaveProperty('transaction_id')
  expect((await back(2000, transaction(), 3)).status).toBe(200)
  const rest = await back(3000, transaction(), 4)
  expect(orderOf(rest)).toMatchObject({ paid: 0, money: 'settled', status: 'cancelled' })
  expect((await back(1, transaction(), 5)).body.errors).toHaveProperty('amount')
})

describe('a reported advance', () => {
  it('is verified with one request: ledger, animal sold, SMS, actor', async () => {
    const order = await ordered()
    const claim = await claimed(order)
    expect((await listWaitingAdvances(db, 'en')).find((one) => one.id === claim)).toMatchObject({
      order_id: order.id,
      amount: 11_500,
      advance: expect.any(Number),
      tags: [order.tag],
    })
    expect(await verify(claim, sales)).toMatchObject({ status: 200, body: { order_id: order.id, late: false } })
    expect(await stockOf(db, order.cow)).toEqual({ left: 0, status: 'sold' })
    expect(await told(order.id, 'advance-verified%')).toBe(1)
    const { rows } = await sql`select state, decided_by from advance_reports where id = ${claim}`.execute(db)
    expect(rows).toEqual([{ state: 'verified', decided_by: sales.id }])
    const { rows: log } =
      await sql`select action, actor_id from audit_log where subject = 'order' and subject_id = ${String(order.id)}`.execute(db)
    expect(log).toEqual([{ action: 'verified', actor_id: sales.id }])
    expect((await listWaitingAdvances(db, 'en')).some((one) => one.id === claim)).toBe(false)
    const page = (await manager.get(`/admin/orders/update/${order.id}`, { accept: 'text/html' })).text.replace(
      /data-props=(["']).*?\1/s,
      '',
    )
    expect(page, 'the advance is a row of the payments').toContain('01711111111')
    expect(page, 'and no report beside it').not.toMatch(/received (<!-- -->)?by/)
  })

  it('ten concurrent verifications count once; of a concurrent verification and rejection one succeeds', async () => {
    const order = await ordered()
    const claim = await claimed(order)
    const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => verify(claim, at % 2 ? sales : manager)))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(9)
    expect(await told(order.id, 'advance-verified%')).toBe(1)
    const other = await claimed(order)
    const both = await Promise.all([verify(other), sales.post(`/admin/advances/refuse/${other}`, { reason: 'Not on the statement' })])
    expect(both.map((answer) => answer.status).sort()).toEqual([200, 409])
  })

  it('below the required advance leaves the animal on hold, also with a corrected amount', async () => {
    const order = await ordered()
    expect((await verify(await claimed(order), manager, { amount: 500 })).status).toBe(200)
    expect(await stockOf(db, order.cow)).toMatchObject({ status: 'hold' })
    const { rows } = await sql`select ledger_balance_poisha from orders where id = ${order.id}`.execute(db)
    expect(rows).toEqual([{ ledger_balance_poisha: 50_000 }])
  })

  it('with a corrected amount above the amount due waits until it is confirmed', async () => {
    const order = await ordered()
    const claim = await claimed(order)
    expect((await verify(claim, manager, { amount: 9_99_99_999 })).body.errors).toHaveProperty('amount')
    expect((await listWaitingAdvances(db, 'en')).some((one) => one.id === claim)).toBe(true)
    expect((await verify(claim, manager, { amount: 120_000, confirmed: true })).status).toBe(200)
    const { rows } = await sql`select ledger_balance_poisha from orders where id = ${order.id}`.execute(db)
    expect(rows).toEqual([{ ledger_balance_poisha: 12_000_000 }])
  })

  it('for an ended order is recorded and flagged, and its SMS confirms no booking', async () => {
    const order = await ordered()
    const claim = await claimed(order)
    await cancel(order.id, 1)
    expect(await verify(claim)).toMatchObject({ status: 200, body: { late: true } })
    expect(await told(order.id, 'advance-verified%')).toBe(0)
    const { rows } = await sql<{
      version: number
    }>`select needs_attention, ledger_balance_poisha, version from orders where id = ${order.id}`.execute(db)
    expect(rows).toMatchObject([{ needs_attention: 'paid-after-end', ledger_balance_poisha: 1_150_000 }])
    expect(await stockOf(db, order.cow)).toEqual({ left: 1, status: 'in-stock' })
    expect(orderOf(await manager.post(`/admin/orders/attention/${order.id}`))).toMatchObject({ needs_attention: null })
  })

  it('is verified when staff record its transaction id for the order', async () => {
    const order = await ordered()
    const claim = await claimed(order)
    const { rows } = await sql<{ id: string }>`select transaction_id as id from advance_reports where id = ${claim}`.execute(db)
    await pay(order.id, 11_500, { method: 'bkash', transaction_id: rows[0]!.id })
    expect((await verify(claim)).status).toBe(409)
    expect(await sql`select state, decided_by from advance_reports where id = ${claim}`.execute(db)).toMatchObject({
      rows: [{ state: 'verified', decided_by: manager.id }],
    })
  })

  it('with a transaction id in the ledger of another order shows that order', async () => {
    const [order, other] = [await ordered(), await ordered()]
    const claim = await claimed(order)
    await sql`insert into ledger_entries (order_id, kind, method, amount_poisha, reference)
      select ${other.id}::bigint, 'advance', method, 100, transaction_id from advance_reports where id = ${claim}`.execute(db)
    const refused = await verify(claim)
    expect([refused.status, 'order' in refused.body]).toEqual([409, false])
    expect((await listWaitingAdvances(db, 'en')).find((one) => one.id === claim)).toMatchObject({ used_by: other.id })
  })

  it('is rejected with a reason and a permission; an unknown one is not found', async () => {
    const order = await ordered()
    const claim = await claimed(order)
    expect((await manager.post(`/admin/advances/refuse/${claim}`, { reason: ' ' })).body.errors).toHaveProperty('reason')
    expect((await verify(claim, viewer)).status).toBe(403)
    expect((await manager.post(`/admin/advances/refuse/${claim}`, { reason: 'Not on the statement' })).status).toBe(200)
    const again = await verify(claim)
    expect([again.status, orderOf(again).advances[0]!.state]).toEqual([409, 'refused'])
    expect((await verify(999_999)).status).toBe(404)
  })

  it('a rejection sends its reason by SMS; an ended order gets none', async () => {
    const texts = async (claim: number) =>
      (await sql<{ body: string }>`select body from sms_outbox where template = ${`advance-refused-${claim}`}`.execute(db)).rows
    const order = await ordered()
    const claim = await claimed(order)
    await Promise.all([1, 2, 3].map(() => manager.post(`/admin/advances/refuse/${claim}`, { reason: 'এই আইডিতে টাকা আসেনি' })))
    const { transaction_id: id } = await db
      .selectFrom('advance_reports')
      .select('transaction_id')
      .where('id', '=', claim)
      .executeTakeFirstOrThrow()
    const text = `অর্ডার ${order.id}-এর অগ্রিম পাওয়া যায়নি: ${id}, এই আইডিতে টাকা আসেনি।`
    expect(await texts(claim)).toEqual([{ body: expect.stringContaining(text) }])
    const ended = await ordered()
    const late = await claimed(ended)
    const { rows } = await sql<{ version: number }>`select version from orders where id = ${ended.id}`.execute(db)
    await manager.post('/admin/orders/status', { orders: [{ id: ended.id, ...rows[0] }], status: 'cancelled', reason: 'Never came' })
    expect((await manager.post(`/admin/advances/refuse/${late}`, { reason: 'No money' })).status).toBe(200)
    expect(await texts(late)).toEqual([])
  })
})
