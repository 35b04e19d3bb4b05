import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OrderRow } from '#features/orders/history/order-list.server.ts'
import type { PaymentDay, PaymentEntry } from '#features/reports/payments-by-day.server.ts'
import type { SalesTotals } from '#features/reports/sales.server.ts'
import { dhakaDate } from '#lib/format/time.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, buildUser } from '#test/factories.ts'
import { expectLedger } from '#test/ledger-checks.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { orderOf, signedIn } from '../testing/admin-shop.ts'
import { keepFee, move, orderAt, pay, refund, reverse, sumsOf, takeBack, write, writeOff } from '../testing/delivered-order.ts'
import { adminOrder } from '../testing/online-payments.ts'

// Fees retained of refunds, and write-offs.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const [owner, manager, sales, viewer, cashier] = [
  await signedIn(shop, 'owner'),
  await signedIn(shop, 'manager'),
  await signedIn(shop, 'sales'),
  await signedIn(shop, 'viewer'),
  await signedIn(shop, 'cashier'),
]
const buyer = shop.visitor()
await buyer.signIn((await buildUser(db, { phone: '01712345678', phone_verified_at: new Date() })).phone)
const mango = await buildProduct(db, { unit: 'kg', stock_milli: 9_000_000, price_poisha: 10_000 })
beforeEach(() => void (shop.clock.now = new Date(shop.clock.now.getTime() + 30_000)))
afterEach(async () => {
  await expectLedger(db)
  expect(shop.failures).toEqual([])
})

/** 10 kg of mangoes and 80 taka for the delivery: 1,080 taka. */
const order = (paid: number, status = 'delivered') => orderAt(manager, { areaId: area.id, lines: [[mango.id, 10]], paid, status })
async function cancelled(paid = 1080) {
  const id = await order(paid, 'processing')
  await move(manager, id, 'cancelled')
  return id
}
const isListed = async (id: number, due: string) =>
  (await manager.get(`/admin/orders?q=${id}&due=${due}`, { accept: 'text/html' })).text.includes(`/admin/orders/update/${id}`)

describe('a fee', () => {
  it('of a cancelled order: only the rest is owed, and refunds due end with it', async () => {
    const id = await cancelled()
    const retained = await keepFee(manager, id, '৳100')
    expect(sumsOf(retained)).toEqual({ status: 'cancelled', due: -980, paid: 1080, fee: 100, written_off: 0, settlement: 0 })
    expect(orderOf(retained).events[0]).toMatchObject({ kind: 'fee-kept', detail: { amount: 100, reason: 'Transport' } })
    expect((await refund(manager, id, 981)).body.errors).toHaveProperty('amount')
    expect(sumsOf(await refund(manager, id, 980))).toMatchObject({ due: 0, paid: 100 })
    expect([await isListed(id, 'refund'), await isListed(id, 'yes')]).toEqual([false, false])
    expect((await refund(manager, id, 1)).status).toBe(422)
    for (const [who, path] of [
      [manager, `/admin/orders/invoice/${id}`],
      [buyer, '/account?lang=en'],
    ] as const)
      expect((await who.get(path, { accept: 'text/html' })).text).toMatch(/Fee kept.*৳100/s)
    const { rows } =
      await sql`select actor_id, after from audit_log where subject = 'order' and subject_id = ${String(id)} and after ? 'fee-kept'`.execute(
        db,
      )
    expect(rows).toEqual([{ actor_id: manager.id, after: { 'fee-kept': 100, reason: 'Transport' } }])
  })

  it('may be all that was paid, and is taken back by an opposite entry', async () => {
    const id = await cancelled(500)
    expect(sumsOf(await keepFee(owner, id, 500))).toMatchObject({ due: 0, paid: 500, fee: 500 })
    expect((await refund(manager, id, 1)).status).toBe(422)
    expect(sumsOf(await reverse(owner, id, 'fee'))).toMatchObject({ due: -500, fee: 0 })
    expect((await reverse(owner, id, 'fee')).status).toBe(409)
  })

  it('of a partial return lowers its refund; a reopened order charges none', async () => {
    const id = await order(1080)
    expect((await keepFee(manager, id, 50)).status).toBe(409)
    await takeBack(manager, id, [{ product_id: mango.id, quantity: 5 }])
    expect(sumsOf(await keepFee(manager, id, 50))).toMatchObject({ due: -450, fee: 50 })
    expect((await keepFee(manager, id, 451)).body.errors).toHaveProperty('amount')
    expect(sumsOf(await refund(manager, id, 450))).toMatchObject({ due: 0, paid: 630 })
    expect(sumsOf(await takeBack(manager, id, [{ product_id: mango.id, quantity: 5 }]))).toMatchObject({ due: -580, fee: 50 })

    const other = await cancelled()
    await keepFee(manager, other, 100)
    await move(manager, other, 'placed')
    expect(await adminOrder(manager, other)).toMatchObject({ due: 0, fee: 0, paid: 1080 })
    expect((await adminOrder(manager, other)).events.map(({ kind }) => kind)).toContain('fee-reversed')
  })

  it.each<[string, () => Promise<number>, unknown, object, number]>([
    ['a live order', () => order(1080), 50, {}, 409],
    ['an overpaid order without a return', () => order(1200), 50, {}, 409],
    ['a cancelled order that was not paid', () => cancelled(0), 50, {}, 409],
    ['zero', cancelled, 0, {}, 422],
    ['below zero', cancelled, -5, {}, 422],
    ['no amount', cancelled, undefined, {}, 422],
    ['a word', cancelled, 'lots', {}, 422],
    ['a poisha more than was paid', cancelled, 1080.01, {}, 422],
    ['an endless amount', cancelled, 1e30, {}, 422],
    ['no reason', cancelled, 50, { reason: ' ' }, 422],
    ['another kind', cancelled, 50, { kind: 'refund' }, 422],
    ['a stale version', cancelled, 50, { version: 1 }, 409],
  ])('is refused for %s', async (_name, make, amount, more, status) => {
    const id = await make()
    const answer = await keepFee(manager, id, amount, more)
    expect(answer.status, answer.text).toBe(status)
    expect(await adminOrder(manager, id)).toMatchObject({ fee: 0 })
  })

  it('under a stale version is answered with the order as it is saved, as are payments and refunds', async () => {
    const id = await cancelled()
    const { version } = await adminOrder(manager, id)
    const money = { method: 'cash', amount: 1, version: 1 }
    for (const answer of [
      await keepFee(manager, id, 50, { version: 1 }),
      await write(manager, 'payments', id, money),
      await write(manager, 'refunds', id, money),
      await write(manager, 'gateway-refunds', id, { ...money, gateway: 'bkash', transaction: 'TRX1', reason: 'Late' }),
    ])
      expect([answer.status, answer.body]).toMatchObject([409, { order: { id, version } }])
  })

  it('is retained by managers and owners alone', async () => {
    const id = await cancelled()
    const { version } = await adminOrder(manager, id)
    for (const who of [sales, viewer, cashier]) expect((await keepFee(who, id, 50, { version })).status).toBe(403)
    const body = { kind: 'fee', amount: 50, reason: 'x', version }
    expect((await manager.post(`/admin/orders/adjustments/${id}`, body, { token: null })).status).toBe(403)
    expect((await shop.visitor().post(`/admin/orders/adjustments/${id}`, body)).status).toBe(401)
    expect((await manager.post('/admin/orders/adjustments/99999999', body)).status).toBe(404)
  })
})

describe('a write-off', () => {
  it('that is paid after all, in part or in excess, is reversed by what is paid of it', async () => {
    const id = await order(1000)
    await writeOff(manager, id, 80)
    const payment = { method: 'cash', confirmed: false }
    const paid = await write(sales, 'payments', id, { ...payment, amount: 30 })
    expect(sumsOf(paid)).toMatchObject({ due: 0, paid: 1030, written_off: 50 })
    expect(orderOf(paid).events.slice(0, 2)).toMatchObject([
      { kind: 'payment-recorded' },
      { kind: 'write-off-reversed', detail: { amount: 30 } },
    ])
    expect((await write(sales, 'payments', id, { ...payment, amount: 51 })).status).toBe(409)
    expect(sumsOf(await pay(sales, id, 60))).toMatchObject({ due: -10, paid: 1090, written_off: 0 })
  })

  it('of a debt that the customer has reported as paid is reversed when staff find the money', async () => {
    const id = await order(1000)
    await buyer.post(`/orders/${id}/advance`, { method: 'bkash', transaction_id: 'WO7TRX80AB', sender: '01712345678', amount: 80 })
    await writeOff(manager, id, 80)
    const report = await db.selectFrom('advance_reports').select('id').where('order_id', '=', id).executeTakeFirstOrThrow()
    const verify = (amount: number) => sales.post(`/admin/advances/verify/${report.id}`, { amount })
    expect((await verify(81)).status).toBe(409)
    expect(sumsOf(await verify(80))).toMatchObject({ due: 0, paid: 1080, written_off: 0 })
  })

  it('of a small rest ends the amount due, and is undone by an opposite entry', async () => {
    const id = await order(1050)
    expect(await isListed(id, 'yes')).toBe(true)
    expect(sumsOf(await writeOff(manager, id, 30))).toEqual({
      status: 'delivered',
      due: 0,
      paid: 1050,
      fee: 0,
      written_off: 30,
      settlement: 0,
    })
    expect(await isListed(id, 'yes')).toBe(false)
    expect((await writeOff(manager, id, 1)).status).toBe(409)
    expect(sumsOf(await reverse(manager, id, 'write_off'))).toMatchObject({ due: 30, written_off: 0 })
    expect(sumsOf(await pay(manager, id, 30))).toMatchObject({ due: 0, paid: 1080 })
  })

  it('leaves what the customer spent alone; of what a refund left due it makes the price whole again', async () => {
    const spent = async (id: number) =>
      (await sql<{ taka: number }>`select spent_poisha::int / 100 as taka from orders where id = ${id}`.execute(db)).rows[0]!.taka
    const short = await order(1050)
    await writeOff(manager, short, 30)
    expect(await spent(short)).toBe(1080)
    const paid = await order(1080)
    await refund(manager, paid, 80)
    expect(await spent(paid)).toBe(1000)
    expect(sumsOf(await writeOff(manager, paid, 80))).toMatchObject({ due: 0, written_off: 80, paid: 1000 })
    expect(await spent(paid)).toBe(1080)
    expect((await refund(manager, paid, 1000.01)).status).toBe(422)
  })

  it('of an overpayment keeps it: it is not refunded', async () => {
    const id = await order(1085)
    expect(sumsOf(await writeOff(manager, id, 5))).toMatchObject({ due: 0, paid: 1085, written_off: -5 })
    expect(await isListed(id, 'refund')).toBe(false)
    expect((await refund(manager, id, 1081)).body.errors).toHaveProperty('amount')
    expect(sumsOf(await reverse(manager, id, 'write_off'))).toMatchObject({ due: -5, written_off: 0 })
  })

  it('of a refund that the customer of a cancelled order does not collect', async () => {
    const id = await cancelled(20)
    expect(sumsOf(await writeOff(manager, id, 20))).toMatchObject({ due: 0, paid: 20, written_off: -20 })
    expect(sumsOf(await reverse(manager, id, 'write_off'))).toMatchObject({ due: -20 })
  })

  it('is reversed when products come back, when the order is returned, and when its price changes', async () => {
    const parts = await order(1000)
    await writeOff(manager, parts, 80)
    expect(sumsOf(await takeBack(manager, parts, [{ product_id: mango.id, quantity: 5 }]))).toMatchObject({ due: -420, written_off: 0 })
    const whole = await order(1000)
    await writeOff(manager, whole, 80)
    await move(manager, whole, 'returned')
    expect(await adminOrder(manager, whole)).toMatchObject({ due: -1000, written_off: 0 })
    const cheaper = await order(1000)
    const { order: written } = (await writeOff(manager, cheaper, 80)).body as unknown as { order: { version: number } }
    const edited = await manager.post(`/admin/orders/update/${cheaper}`, {
      version: written.version,
      address: 'House 5, Road 3',
      discount: 30,
    })
    expect(sumsOf(edited)).toMatchObject({ due: 50, written_off: 0 })
  })

  it.each<[string, () => Promise<number>, unknown, object, number]>([
    ['an order on its way', () => order(1000, 'on_delivery'), 80, {}, 409],
    ['a paid order', () => order(1080), 1, {}, 409],
    ['more than is due', () => order(1050), 30.01, {}, 422],
    ['more than was overpaid', () => order(1085), 6, {}, 422],
    ['no reason', () => order(1050), 30, { reason: '' }, 422],
    ['a stale version', () => order(1050), 30, { version: 2 }, 409],
  ])('is refused for %s', async (_name, make, amount, more, status) => {
    const id = await make()
    const answer = await writeOff(manager, id, amount, more)
    expect(answer.status, answer.text).toBe(status)
    expect(await adminOrder(manager, id)).toMatchObject({ written_off: 0 })
  })

  it('and its reversal belong to managers and owners alone', async () => {
    const id = await order(1050)
    const { version } = await adminOrder(manager, id)
    for (const who of [sales, viewer, cashier]) {
      expect((await writeOff(who, id, 30, { version })).status).toBe(403)
      expect((await reverse(who, id, 'write_off', { version })).status).toBe(403)
    }
  })
})

it('stand apart from payments, by the day of the entry, in the reports and in the files', async () => {
  const props = async () => {
    const days = pageProps<{ adjustments: { kind: string; retained_poisha: number }[]; days: PaymentDay[] }>(
      (await manager.get('/admin/payments/days', { accept: 'text/html' })).text,
    )
    const { totals } = pageProps<{ totals: SalesTotals }>((await manager.get('/admin/reports', { accept: 'text/html' })).text)
    const retained = (kind: string) => days.adjustments.find((one) => one.kind === kind)?.retained_poisha ?? 0
    const money = days.days.reduce((sum, { total_poisha }) => sum + total_poisha, 0)
    return { fee: retained('fee'), writtenOff: retained('write_off'), money, fees: totals.fees_poisha, lost: totals.written_off_poisha }
  }
  const before = await props()
  const [ended, short] = [await cancelled(), await order(1050)]
  await keepFee(manager, ended, 100)
  await writeOff(manager, short, 30)
  const after = await props()
  expect(after).toEqual({
    fee: before.fee + 10_000,
    writtenOff: before.writtenOff - 3000,
    money: before.money + 213_000,
    fees: before.fees + 10_000,
    lost: before.lost + 3000,
  })
  const day = dhakaDate(shop.clock.now)
  const entries = await manager.get(`/admin/payments/days/${day}?method=write_off`, { accept: 'text/html' })
  expect(pageProps<{ page: { rows: PaymentEntry[] } }>(entries.text).page.rows[0]).toMatchObject({
    order_id: short,
    channel: 'books',
    amount_poisha: 3000,
  })
  expect((await manager.get('/admin/payments/days?download=1')).text).toMatch(
    new RegExp(`"${day}","Fee kept",\\d+,0,0,0,0,0,${after.fee / 100}\r`),
  )
  expect((await manager.get(`/admin/orders/export?q=${ended}`)).text).toMatch(/,0,100,0\r/)
  // The sum is the price, by which the list is sorted; the write-off stands beside it.
  expect((await manager.get(`/admin/orders/export?q=${short}`)).text).toMatch(/,1080,0,.*,0,0,30\r/)
  const list = pageProps<{ list: { rows: OrderRow[] } }>((await manager.get(`/admin/orders?q=${short}`, { accept: 'text/html' })).text)
  expect(list.list.rows).toMatchObject([{ total: 1080, due: 0, written_off: 30 }])
  expect((await manager.get('/admin/reports?download=due')).text).toContain('"Written off",')
})

it('at the same moment: a fee, refunds and a write-off never take more than is to be refunded', async () => {
  const id = await cancelled()
  const { version } = await adminOrder(manager, id)
  const answers = await Promise.all([
    keepFee(manager, id, 1000, { version }),
    refund(owner, id, 1000, { version }),
    writeOff(manager, id, 1000, { version }),
    keepFee(owner, id, 1000, { version }),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
  expect(await adminOrder(manager, id)).toMatchObject({ due: -80 })
})
