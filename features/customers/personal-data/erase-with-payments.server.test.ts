import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { adminOrder, payAtSimulator } from '#features/orders/testing/online-payments.ts'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { move, orderAt, write } from '#features/orders/testing/delivered-order.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { erasePerson } from './erase-person.server.ts'
import { findPerson, readPersonalData } from './read-personal-data.server.ts'

// A customer whose money is not in the ledger yet is not erased: nobody could pay it back.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const manager = await signedIn(shop, 'manager')
const { simulator, paid } = await payAtSimulator(shop)
afterAll(async () => {
  expect(shop.failures).toEqual([])
  await simulator.close()
})

const hours = (count: number) => new Date(shop.clock.now.getTime() + count * 3_600_000)

async function erase(orderId: number, now = hours(25)) {
  const { rows } = await sql<{ phone: string }>`select phone from orders where id = ${orderId}`.execute(db)
  return erasePerson(db, (await findPerson(db, rows[0]!.phone))!, now)
}
const WAITS = { ok: false, reasons: ['payments'] }

it('with a reported advance of a cancelled order, until it is decided', async () => {
  const cow = await buildAnimal(db)
  const advance = { payment_type: 'partial', payment_gateway: 'NONE', payable_amount: 11_500, partial_payment: 11_500 }
  const guest = shop.visitor()
  const { order_id: id } = (await guest.post('/customer-orders', orderBody(area.id, [[cow.id, 1]], advance))).body
  const report = { method: 'bkash', transaction_id: 'ERASE1', sender: '01711111111', amount: 11_500 }
  expect((await guest.post(`/orders/${id}/advance`, report)).status).toBe(200)
  await move(manager, id!, 'cancelled')
  expect(await erase(id!)).toEqual(WAITS)
  const { rows } = await sql<{ id: number }>`select id from advance_reports where order_id = ${id!}`.execute(db)
  expect((await manager.post(`/admin/advances/refuse/${rows[0]!.id}`, { reason: 'Not there' })).status).toBe(200)
  expect(await erase(id!)).toEqual({ ok: true, orders: 1 })
  const { rows: texts } =
    await sql`select o.reason, a.reason as refusal from orders o join advance_reports a on a.order_id = o.id where o.id = ${id!}`.execute(
      db,
    )
  expect(texts).toEqual([{ reason: 'Erased · মুছে ফেলা হয়েছে', refusal: 'Erased · মুছে ফেলা হয়েছে' }])
})

it('with a payment in review of a cancelled order, and with one whose refund failed', async () => {
  const { id } = await paid(area.id, { faults: { risky: true } })
  await move(manager, id, 'cancelled')
  expect(await erase(id)).toEqual(WAITS)
  await simulator.faults({ notify: 'never', risky: true, refund: 'failed' })
  const { rows } = await sql<{ id: number }>`select id from payment_attempts where order_id = ${id}`.execute(db)
  expect((await manager.post(`/admin/payments/refuse/${rows[0]!.id}`, { reason: 'Stolen card' })).status).toBe(200)
  expect(await erase(id)).toEqual(WAITS)
  expect((await manager.post(`/admin/orders/attention/${id}`, {})).status).toBe(200)
  expect(await erase(id)).toEqual({ ok: true, orders: 1 })
})

it('while a payment page of the cancelled order may bring money', async () => {
  await simulator.faults({ notify: 'never' })
  const cow = await buildAnimal(db)
  const { order_id: id } = (await shop.post('/customer-orders', orderBody(area.id, [[cow.id, 1]]))).body
  await move(manager, id!, 'cancelled')
  expect(await erase(id!, hours(1))).toEqual(WAITS)
  expect(await erase(id!)).toEqual({ ok: true, orders: 1 })
})

it('erases what staff typed when they matched or explained the statement row of a payment', async () => {
  const mango = await buildProduct(db)
  const id = await orderAt(manager, { areaId: area.id, lines: [[mango.id, 1]], paid: 0 })
  const { due } = await adminOrder(manager, id)
  const payment = { method: 'bkash', amount: due, transaction_id: 'ERASE00002', confirmed: true }
  expect((await write(manager, 'payments', id, payment)).status).toBe(200)
  const { phone } = (await sql<{ phone: string }>`select phone from orders where id = ${id}`.execute(db)).rows[0]!
  const { rows } = await sql<{ entry: number; row: number }>`
    with a as (insert into statement_accounts (name, method) values (${`Gateway ${id}`}, 'bkash') returning id),
      u as (insert into statement_uploads (account_id, file_name, row_count, new_count, uploaded_by, uploaded_at)
        select id, 'x.csv', 2, 2, ${manager.id}, now() from a returning id, account_id),
      r as (insert into statement_rows (account_id, upload_id, line, day, amount_poisha, details, row_hash)
        select account_id, id, n, current_date, 12000, '', 'h' || n from u, generate_series(1, 2) n returning id)
    select (select min(id) from ledger_entries where order_id = ${id}) as entry, id as row from r order by id`.execute(db)
  const post = async (row: number, path: string, body: object) =>
    expect((await manager.post(`/admin/payments/statement-rows/${row}/${path}`, body)).status).toBe(200)
  const reason = `Farhana ${phone}, paid by her son`
  const [{ entry, row: first }, { row: second }] = [rows[0]!, rows[1]!]
  await post(first, 'match', { entries: [entry], reason })
  await post(first, 'unmatch', { reason: 'Farhana paid in cash' })
  await post(first, 'match', { entries: [entry], reason: 'Farhana after all' })
  await post(second, 'explain', { reason: `Farhana ${localizeDigits('bn', phone.replace(/^(.{5})/, '$1-'))}, paid by her son` })
  const person = (await findPerson(db, phone))!
  const { auditLog } = await readPersonalData(db, person)
  const printed = (auditLog as { subject: string }[]).filter(({ subject }) => subject === 'statement-row')
  expect(await erase(id)).toEqual({ ok: true, orders: 1 })
  const naming = async (table: string) =>
    (await sql`select 1 from ${sql.table(table)} t where t::text ~ ${`Farhana|${phone}`}`.execute(db)).rows
  const left = [await naming('audit_log'), await naming('statement_matches'), await naming('statement_rows')]
  expect([left, printed.length]).toEqual([[[], [], []], 4])
})
