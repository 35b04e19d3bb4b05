import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { orderedByShopper, orderOf, signedIn, storeBody } from '../testing/admin-shop.ts'

// Cash of an order that is paid or paid back at the counter: the drawer of the open shift expects it.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const [manager, other, sales] = [await signedIn(shop, 'manager'), await signedIn(shop, 'manager'), await signedIn(shop, 'sales')]
const shift = (await manager.post('/admin/quick-orders/shift/open', { opening_cash: 500, register: 'Front' })).body as { shift_id: number }

let before = new Map<number, number>()
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

async function ordered() {
  const order = await orderedByShopper(shop, area.id)
  before = await countStock(db)
  return order
}
const record = (kind: 'payments' | 'refunds', id: number, amount: number, more: object = {}, who = manager) =>
  who.post(`/admin/orders/${kind}/${id}`, { method: 'cash', amount, version: 1, drawer: true, confirmed: true, ...more })
async function moves() {
  const { rows } = await sql<{ amount: number; reason: string }>`
    select amount_poisha / 100 as amount, reason from pos_cash_movements where shift_id = ${shift.shift_id} order by id`.execute(db)
  return rows.map(({ amount, reason }) => [Number(amount), reason])
}
async function report() {
  const page = await manager.get(`/admin/quick-orders/shift-report/${shift.shift_id}?lang=en`, { accept: 'text/html' })
  const { shift: read } = pageProps<{ shift: { cash_in: number; cash_out: number; methods: { method: string; expected: number }[] } }>(
    page.text,
  )
  return [read.cash_in, read.cash_out, read.methods.find(({ method }) => method === 'cash')!.expected]
}

it('cash of an order goes into the drawer and a refund comes out of it; the ledger has each once, of the staff', async () => {
  const { id } = await ordered()
  const paid = await record('payments', id, 1000)
  expect([paid.status, orderOf(paid).paid]).toEqual([200, 1000])
  expect(await moves()).toEqual([[1000, `Payment for order ${id}`]])
  expect(await report()).toEqual([1000, 0, 1500])
  expect((await record('refunds', id, 400, { version: 2 })).status).toBe(200)
  expect((await moves()).at(-1)).toEqual([-400, `Refund for order ${id}`])
  expect(await report()).toEqual([1000, 400, 1100])
  const { rows } = await sql`select shift_id, amount_poisha from ledger_entries where order_id = ${id} order by id`.execute(db)
  expect(rows).toEqual([
    { shift_id: null, amount_poisha: 100_000 },
    { shift_id: null, amount_poisha: -40_000 },
  ])
})

it('other cash, other methods and a rejected entry leave the drawer alone', async () => {
  const { id } = await ordered()
  const [known, drawer] = [await moves(), await report()]
  expect((await record('payments', id, 100, { version: 7 })).status).toBe(409)
  expect((await record('refunds', id, 100)).status).toBe(422)
  expect((await record('payments', id, 100, { drawer: false })).status).toBe(200)
  const bank = { version: 2, method: 'bank', transaction_id: 'BRAC 771' }
  expect((await record('payments', id, 100, bank)).status).toBe(200)
  expect([await moves(), await report()]).toEqual([known, drawer])
})

it('cash that is collected with the hand-over goes into the drawer, and not without an open shift', async () => {
  const { id } = await ordered()
  const [known, [cashIn, , expected]] = [await moves(), await report()]
  for (const [version, status] of [
    [1, 'processing'],
    [2, 'on_delivery'],
  ])
    expect((await manager.post('/admin/orders/status', { orders: [{ id, version }], status })).body).toMatchObject({
      results: [{ ok: true }],
    })
  const handOver = (who: typeof manager) =>
    who.post(`/admin/orders/update/${id}`, { version: 3, address: 'Savar', status: 'delivered', collected: 300, drawer: true })
  const refused = await handOver(sales)
  expect([refused.status, refused.body]).toMatchObject([422, { errors: { collected: [expect.stringContaining('shift is closed')] } }])
  expect((await handOver(manager)).status).toBe(200)
  expect(await moves()).toEqual([...known, [300, `Payment for order ${id}`]])
  expect(await report()).toMatchObject([cashIn! + 300, expect.anything(), expected! + 300])
})

it('cash of several orders that are delivered at once goes into the drawer, each with its order; nothing moves without an open shift', async () => {
  const orders = [await ordered(), await ordered()].map(({ id }) => id)
  const [known, [cashIn, , expected]] = [await moves(), await report()]
  const deliver = (who: typeof manager, ids: number[], drawer: boolean) =>
    who.post('/admin/orders/status', { orders: ids.map((id) => ({ id, version: 3, collected: 200 })), status: 'delivered', drawer })
  for (const [version, status] of [
    [1, 'processing'],
    [2, 'on_delivery'],
  ])
    await manager.post('/admin/orders/status', { orders: orders.map((id) => ({ id, version })), status })
  const refused = await deliver(other, orders, true)
  expect(refused.body).toMatchObject({
    results: orders.map((id) => ({ id, ok: false, message: expect.stringContaining('shift is closed') })),
  })
  expect((await deliver(manager, [orders[0]!], true)).body).toMatchObject({ results: [{ ok: true, version: 5 }] })
  expect((await deliver(manager, [orders[1]!], false)).body).toMatchObject({ results: [{ ok: true, version: 5 }] })
  expect(await moves()).toEqual([...known, [200, `Payment for order ${orders[0]}`]])
  expect(await report()).toMatchObject([cashIn! + 200, expect.anything(), expected! + 200])
})

it('cash of a new order goes into the drawer once; without an open shift there is no order', async () => {
  const honey = await buildProduct(db, { stock_milli: 50_000, price_poisha: 12_000 })
  before = await countStock(db)
  const known = await moves()
  const store = (who: typeof manager, more: object) =>
    who.post('/admin/orders/store', storeBody(area.id, [[honey.id, 2]], { advance_amount: 100, advance_drawer: true, ...more }), {
      headers: { 'idempotency-key': `drawer-${JSON.stringify(more)}` },
    })
  const refused = await store(other, {})
  expect([refused.status, refused.body]).toMatchObject([422, { errors: { advance_amount: [expect.stringContaining('shift is closed')] } }])
  const [first, again] = [await store(manager, {}), await store(manager, {})]
  expect([first.status, again.body.order_id]).toEqual([200, first.body.order_id])
  expect(await moves()).toEqual([...known, [100, `Payment for order ${first.body.order_id}`]])
  for (const more of [{ advance_drawer: false }, { advance_method: 'bkash', advance_transaction: 'BKDRAWER01' }, { advance_amount: '' }])
    expect((await store(manager, more)).status).toBe(200)
  expect(await moves()).toHaveLength(known.length + 1)
})

it('without an open shift nothing is recorded, and the order page offers no drawer', async () => {
  const { id } = await ordered()
  for (const who of [other, sales]) {
    expect((await record('payments', id, 100, {}, who)).status).toBe(409)
    const page = await who.get(`/admin/orders/update/${id}`, { accept: 'text/html' })
    expect(pageProps<{ hasDrawer: boolean; order: { paid: number } }>(page.text)).toMatchObject({ hasDrawer: false, order: { paid: 0 } })
  }
  const own = await manager.get(`/admin/orders/update/${id}`, { accept: 'text/html' })
  expect(pageProps<{ hasDrawer: boolean }>(own.text).hasDrawer).toBe(true)
})

it('a refund that the drawer does not hold is refused and logged; nothing of it is recorded', async () => {
  const { id } = await ordered()
  expect((await record('payments', id, 100_000, { drawer: false })).status).toBe(200)
  const known = await moves()
  const refused = await record('refunds', id, 50_000, { version: 2 })
  expect([refused.status, refused.body]).toMatchObject([422, { errors: { amount: [expect.any(String)] } }])
  expect(await moves()).toEqual(known)
  const { rows } = await sql`select after from audit_log where subject = 'shift' and after ? 'refused'`.execute(db)
  expect(rows).toMatchObject([{ after: { cash: -50_000, refused: true } }])
  expect((await record('refunds', id, 50_000, { version: 2, drawer: false })).status).toBe(200)
})

it('the drawer of a closing shift has the cash, or the payment is refused', async () => {
  const { id } = await ordered()
  const count = { counted_cash: 0, counted_bkash: 0, counted_bank: 0, note: 'Test' }
  const [paid, closed] = await Promise.all([record('payments', id, 700), manager.post('/admin/quick-orders/shift/close', count)])
  expect(closed.status).toBe(200)
  const [, , expected] = await report()
  const { rows } = await sql<{
    closed: number
  }>`select expected_cash_poisha / 100 as closed from pos_shifts where id = ${shift.shift_id}`.execute(db)
  expect(Number(rows[0]!.closed)).toBe(expected)
  expect((await moves()).filter(([, reason]) => reason === `Payment for order ${id}`)).toHaveLength(paid.status === 200 ? 1 : 0)
  expect([200, 409]).toContain(paid.status)
})
