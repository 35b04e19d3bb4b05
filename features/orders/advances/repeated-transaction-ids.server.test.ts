import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { addLedgerEntry } from '#features/ledger/ledger.server.ts'
import type { Poisha } from '#lib/format/money.ts'
import { expectLedger } from '#test/ledger-checks.ts'
import { testDb } from '#test/db.ts'
import { buildArea } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'
import { orderedByShopper, orderOf, signedIn, stockOf } from '../testing/admin-shop.ts'
import { move, write } from '../testing/delivered-order.ts'
import { listWaitingAdvances } from './waiting-advances.server.ts'

// Several orders report one transaction id: a false report does not block the payer, and an id is verified once [M6].

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const [manager, sales] = [await signedIn(shop, 'manager'), await signedIn(shop, 'sales')]
afterEach(() => expect(shop.failures).toEqual([]))
afterAll(() => expectLedger(db))

let serial = 0
const newId = () => `RPT${String((serial += 1)).padStart(7, '0')}`

async function ordered() {
  const order = await orderedByShopper(shop, area.id)
  const { rows } = await sql<{ view_key: string }>`select view_key from orders where id = ${order.id}`.execute(db)
  return { ...order, key: rows[0]!.view_key }
}
type Order = Awaited<ReturnType<typeof ordered>>

type Report = { lang?: string; method?: string; amount?: number }
const report = (order: Order, transaction_id: string, { lang, method = 'bkash', amount = 11_500 }: Report = {}) =>
  shop.post(
    `/orders/${order.id}/advance`,
    { method, transaction_id, sender: '01711111111', amount, key: order.key },
    lang ? { headers: { cookie: `lang=${lang}` } } : {},
  )
const claims = async (transactionId: string) =>
  (
    await sql<{ id: number; order_id: number; state: string; is_duplicate: boolean }>`
      select id, order_id, state, is_duplicate from advance_reports where transaction_id = ${transactionId} order by id`.execute(db)
  ).rows
const claimOf = async (order: Order, transactionId: string) =>
  (await claims(transactionId)).findLast((claim) => claim.order_id === order.id)!.id
const verify = (claim: number, who: Visitor = manager) => who.post(`/admin/advances/verify/${claim}`, {})
const refuse = (claim: number) => manager.post(`/admin/advances/refuse/${claim}`, { reason: 'Not on the statement' })
const statesOf = async (transactionId: string) => (await claims(transactionId)).map(({ order_id, state }) => [order_id, state])

it('a sum of floats is the amount that it means; three decimals are none', async () => {
  const [order, id] = [await ordered(), newId()]
  expect((await report(order, newId(), { amount: 0.125 })).status).toBe(422)
  const answer = await report(order, id, { amount: 1000.1 + 0.2 })
  expect([answer.status, answer.body]).toMatchObject([200, { advance: { amount: 1000.3 } }])
  const { rows } = await sql`select amount_poisha from advance_reports where transaction_id = ${id}`.execute(db)
  expect(rows).toEqual([{ amount_poisha: 100_030 }])
})

describe('a rejected transaction id', () => {
  it('can be reported by another order and verified', async () => {
    const [liar, payer, id] = [await ordered(), await ordered(), newId()]
    await report(liar, id)
    expect((await refuse(await claimOf(liar, id))).status).toBe(200)
    const answer = await report(payer, id)
    expect([answer.status, answer.body]).toMatchObject([200, { advance: { state: 'waiting', is_duplicate: false } }])
    expect((await verify(await claimOf(payer, id))).status).toBe(200)
    expect(await statesOf(id)).toEqual([
      [liar.id, 'refused'],
      [payer.id, 'verified'],
    ])
    expect(await stockOf(db, payer.cow)).toMatchObject({ status: 'sold' })
  })

  it('can be reported again by the same order', async () => {
    const [order, id] = [await ordered(), newId()]
    await report(order, id)
    await refuse(await claimOf(order, id))
    expect((await report(order, id)).status).toBe(200)
    expect((await verify(await claimOf(order, id))).status).toBe(200)
  })
})

it('the SMS of a rejected id asks for the right one while an advance is to be sent, not once the order was paid in another way', async () => {
  const [waits, paid, sent] = [await ordered(), await ordered(), await ordered()]
  const bodies: string[] = []
  for (const order of [waits, paid, sent]) {
    const id = newId()
    await report(order, id)
    if (order === paid) {
      const { rows } = await sql<{ due: number }>`select amount_due(o) / 100 as due from orders o where id = ${paid.id}`.execute(db)
      expect((await write(manager, 'payments', paid.id, { method: 'bank', amount: rows[0]!.due, transaction_id: newId() })).status).toBe(
        200,
      )
    }
    if (order === sent) for (const status of ['processing', 'on_delivery']) await move(manager, sent.id, status)
    const claim = await claimOf(order, id)
    expect((await refuse(claim)).status).toBe(200)
    const { rows } = await sql<{ body: string }>`select body from sms_outbox where template = ${`advance-refused-${claim}`}`.execute(db)
    expect(rows[0]!.body).toContain(`${id}, Not on the statement`)
    bodies.push(rows[0]!.body)
  }
  expect(bodies.map((body) => body.includes('সঠিক ট্রানজ্যাকশন আইডি দিন'))).toEqual([true, false, false])
  expect(bodies[1]).toContain('বাকি ৳০')
})

it('an id that entered the ledger of its order in another way is verified without a second entry', async () => {
  const [order, other, id] = [await ordered(), await ordered(), newId()]
  await report(order, id)
  await report(other, id)
  const entry = { kind: 'counter', method: 'bkash', amount: 1_150_000 as Poisha, reference: id, actorId: null } as const
  await addLedgerEntry(db, { ...entry, orderId: order.id, at: shop.clock.now })
  expect((await verify(await claimOf(other, id))).status).toBe(409)
  const answer = await verify(await claimOf(order, id))
  expect(answer.status, answer.text).toBe(200)
  expect(orderOf(answer)).toMatchObject({ paid: 11_500 })
  expect(await statesOf(id)).toEqual([
    [order.id, 'verified'],
    [other.id, 'refused'],
  ])
})

describe('an id that waits for another order', () => {
  it.each([
    ['en', 'This transaction ID was reported before for another order.'],
    ['bn', 'এই ট্রানজ্যাকশন আইডি আগে অন্য একটি অর্ডারের জন্য জানানো হয়েছে।'],
  ])('is accepted as a duplicate with a message (%s); both reports wait', async (lang, text) => {
    const [liar, between, payer, id] = [await ordered(), await ordered(), await ordered(), newId()]
    await report(liar, id)
    await report(between, newId())
    const answer = await report(payer, id, { lang })
    expect([answer.status, answer.body.message]).toEqual([200, expect.stringContaining(text)])
    expect(answer.body).toMatchObject({ advance: { state: 'waiting', is_duplicate: true, transaction_id: id } })
    const rows = await listWaitingAdvances(db, 'en')
    const at = rows.findIndex((row) => row.order_id === liar.id)
    expect(rows.slice(at, at + 2)).toMatchObject([
      { order_id: liar.id, others: [{ order_id: payer.id, state: 'waiting' }] },
      { order_id: payer.id, others: [{ order_id: liar.id, state: 'waiting' }] },
    ])
    const page = orderOf(await manager.post(`/admin/orders/attention/${payer.id}`))
    expect(page.advances).toMatchObject([{ transaction_id: id, others: [{ order_id: liar.id, state: 'waiting' }] }])
  })

  it('has one form: repeated words of the SMS are left out, hyphens are for banks', async () => {
    const [liar, payer, id] = [await ordered(), await ordered(), newId()]
    await report(payer, id)
    for (const twin of [`TrxIDTrxID-${id}`, `${id}-`, `${id.slice(0, 4)}-${id.slice(4)}`])
      expect((await report(liar, twin)).body).toMatchObject({ advance: { is_duplicate: true, transaction_id: id } })
    expect((await report(liar, 'FT-2026-0001', { method: 'bank' })).body).toMatchObject({ advance: { transaction_id: 'FT-2026-0001' } })
  })

  it('has that form for staff too: a payment that they recorded with hyphens is not recorded again', async () => {
    const [one, other, id] = [await ordered(), await ordered(), newId()]
    const pay = (order: { id: number }, transaction_id: string) =>
      write(manager, 'payments', order.id, { method: 'bkash', amount: 100, transaction_id, confirmed: true })
    expect((await pay(one, `${id.slice(0, 4)}-${id.slice(4)}`)).status).toBe(200)
    expect((await pay(other, id)).status).toBe(409)
    expect((await report(other, id)).status).toBe(409)
  })

  it('repeated by the same order returns the first report', async () => {
    const [liar, payer, id] = [await ordered(), await ordered(), newId()]
    await report(liar, id)
    await Promise.all(Array.from({ length: 5 }, () => report(payer, id)))
    expect(await statesOf(id)).toEqual([
      [liar.id, 'waiting'],
      [payer.id, 'waiting'],
    ])
  })

  it('verified for one order is rejected for the other: event, audit log, SMS with the reason', async () => {
    const [liar, payer, id] = [await ordered(), await ordered(), newId()]
    await report(liar, id)
    await report(payer, id)
    const liarsClaim = await claimOf(liar, id)
    expect((await verify(await claimOf(payer, id), sales)).body).toMatchObject({ order_id: payer.id, refused: [liar.id] })
    expect(await statesOf(id)).toEqual([
      [liar.id, 'refused'],
      [payer.id, 'verified'],
    ])
    expect(await stockOf(db, liar.cow)).toMatchObject({ status: 'hold' })
    const { rows: events } = await sql`select kind, actor, actor_id, detail ->> 'reason' as reason from order_events
      where order_id = ${liar.id} order by id desc limit 1`.execute(db)
    expect(events).toEqual([
      { kind: 'advance-refused', actor: 'staff', actor_id: sales.id, reason: expect.stringContaining('verified for another order') },
    ])
    const { rows: log } = await sql`select action, actor_id from audit_log where subject_id = ${String(liar.id)}`.execute(db)
    expect(log).toEqual([{ action: 'refused', actor_id: sales.id }])
    const { rows: sms } = await sql`select body from sms_outbox where template = ${`advance-refused-${liarsClaim}`}`.execute(db)
    expect(sms).toEqual([{ body: expect.stringContaining('অন্য অর্ডারের জন্য যাচাই হয়েছে') }])
  })

  it('recorded by hand for one order is verified for it and rejected for the other', async () => {
    const [liar, payer, id] = [await ordered(), await ordered(), newId()]
    await report(liar, id)
    await report(payer, id)
    const entered = await manager.post(`/admin/orders/payments/${payer.id}`, {
      method: 'bkash',
      amount: 11_500,
      transaction_id: id,
      version: 2,
    })
    expect(entered.status, entered.text).toBe(200)
    expect(await statesOf(id)).toEqual([
      [liar.id, 'refused'],
      [payer.id, 'verified'],
    ])
  })
})

describe('a verified id', () => {
  it('cannot be reported again; nor can one in the ledger', async () => {
    const [first, second, id] = [await ordered(), await ordered(), newId()]
    await report(first, id)
    await verify(await claimOf(first, id))
    expect([(await report(second, id)).status, await statesOf(id)]).toEqual([409, [[first.id, 'verified']]])
    // The same id of another company is another transaction.
    expect((await report(second, id, { method: 'nagad' })).status).toBe(200)
    const byHand = newId()
    await manager.post(`/admin/orders/payments/${second.id}`, { method: 'bkash', amount: 100, transaction_id: byHand, version: 2 })
    expect([(await report(first, byHand)).status, await statesOf(byHand)]).toEqual([409, []])
  })
})

describe('concurrently', () => {
  it('two clerks verify two reports of an id: one succeeds', async () => {
    for (let round = 0; round < 8; round++) {
      const [one, two, id] = [await ordered(), await ordered(), newId()]
      await report(one, id)
      await report(two, id)
      const answers = await Promise.all([verify(await claimOf(one, id), manager), verify(await claimOf(two, id), sales)])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
      expect((await claims(id)).map(({ state }) => state).toSorted()).toEqual(['refused', 'verified'])
      const { rows } = await sql`select 1 from ledger_entries where reference = ${id}`.execute(db)
      expect(rows).toHaveLength(1)
    }
  })

  it('reports that arrive during a verification do not stay waiting', async () => {
    for (let round = 0; round < 6; round++) {
      const [first, second, third, id] = [await ordered(), await ordered(), await ordered(), newId()]
      await report(first, id)
      const claim = await claimOf(first, id)
      const [verified, ...reported] = await Promise.all([verify(claim), report(second, id), report(third, id)])
      expect(verified.status).toBe(200)
      for (const { status } of reported) expect([200, 409]).toContain(status)
      expect((await claims(id)).filter(({ state }) => state === 'waiting')).toEqual([])
    }
  })
})

describe('limits', () => {
  it('an order has at most five reports, also concurrently', async () => {
    const order = await ordered()
    const answers = await Promise.all(Array.from({ length: 12 }, () => report(order, newId())))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7)
  })

  it('at most ten orders wait with one id', async () => {
    const id = newId()
    const orders = []
    for (let count = 0; count < 12; count++) orders.push(await ordered())
    const answers = await Promise.all(orders.map((order) => report(order, id)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2)
  })
})
