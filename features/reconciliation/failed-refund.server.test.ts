import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { recordRefundOutcome } from '#features/payments/refunds/record-refund.server.ts'
import { writeRefund } from '#features/payments/refunds/request-refund.server.ts'
import type { Poisha } from '#lib/format/money.ts'
import { testDb } from '#test/db.ts'
import { openShop } from '#test/request.ts'
import { bkashFile, openStatementShop } from './testing/statement-shop.ts'

// A refund that bKash accepts and does not carry out: no statement has it.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
shop.clock.now = new Date('2026-11-24T12:00:00+06:00')
const { entry, account, upload, day, manager } = await openStatementShop(db, shop)
afterAll(() => expect(shop.failures).toEqual([]))

const ON = '2026-11-24'

/** A refund of 500 taka that entered the ledger and failed. */
async function failedRefund(paymentId: number, refundRef: string): Promise<number> {
  const { rows } = await sql<{ order_id: number; attempt_id: number }>`
    insert into payment_attempts (order_id, gateway, tran_id, amount_poisha, state) select order_id, 'bkash', ${refundRef}, amount_poisha, 'paid'
    from ledger_entries where id = ${paymentId} returning order_id, id as attempt_id`.execute(db)
  const { order_id: orderId, attempt_id: attemptId } = rows[0]!
  const payment = { orderId, attemptId, gateway: 'bkash', gatewayTxn: refundRef, inLedger: true } as const
  const refund = { ...payment, amountPoisha: 50_000 as Poisha, reason: 'Spoilt', staffId: manager.id }
  const id = await writeRefund(db, refund, shop.clock.now)
  await recordRefundOutcome(shop.deps, id, { state: 'processing', refundRef })
  expect(await recordRefundOutcome(shop.deps, id, { state: 'refused', reason: 'failed' })).toBe('failed')
  return id
}

it('a failed refund and its reversal are expected on no statement, until one of them is on it', async () => {
  const at = '2026-11-20T12:00:00+06:00'
  const id = await account('bKash')
  await failedRefund(await entry(1000, { at, reference: 'BKX0000001' }), 'BKX0000002')
  expect(await day(id, ON, 'books')).toMatchObject({ day: { entries: 0, books_poisha: 0, open_entries: 0 }, entries: { rows: [] } })
  expect((await manager.post(`/admin/payments/accounts/${id}/close`, { day: ON, note: '', open: 0 })).status).toBe(200)
  // bKash took this one out and has not brought it back.
  const other = await account('bKash 2')
  await failedRefund(await entry(1000, { at, reference: 'BKX0000003' }), 'BKX0000004')
  await upload(other, bkashFile([[ON, 'BKX0000004', -500]]))
  expect(await day(other, ON, 'books')).toMatchObject({
    day: { entries: 2, books_poisha: 0, statement_poisha: -50_000, open_rows: 0, open_entries: 1 },
    entries: { rows: [{ amount_poisha: 50_000 }] },
  })
})

it('a refund that was carried out after all is expected once', async () => {
  const id = await account('bKash 3')
  const refund = await failedRefund(await entry(1000, { at: '2026-11-20T12:00:00+06:00', reference: 'BKX0000005' }), 'BKX0000006')
  const before = await day(id, ON, 'books')
  expect(await recordRefundOutcome(shop.deps, refund, { state: 'refunded', refundRef: 'BKX0000006' })).toBe('done')
  const expected = { entries: before.day.entries + 1, open_entries: before.day.open_entries + 1 }
  expect((await day(id, ON, 'books')).day).toMatchObject(expected)
  await upload(id, bkashFile([[ON, 'BKX0000006', -500]]))
  expect((await day(id, ON, 'books')).day).toMatchObject({ ...expected, open_rows: 0, open_entries: before.day.open_entries })
})

it('a failed refund and its reversal are no candidates for rows without an id', async () => {
  const [id, at] = [await account('bKash 4'), '2026-11-22']
  shop.clock.now = new Date(`${at}T12:00:00+06:00`)
  const payment = await entry(1000, { at: '2026-11-20T12:00:00+06:00', reference: 'BKX0000007' })
  await failedRefund(payment, 'BKX0000008')
  const refund = await entry(-500, { at: `${at}T15:00:00+06:00`, reference: 'BKX0000009' })
  const rows = [500, -500].map((amount): [string, string, number] => [at, '', amount])
  await upload(id, bkashFile(rows))
  const { rows: matched } = await sql`select m.entry_id, r.amount_poisha from statement_matches m join statement_rows r on r.id = m.row_id
    where r.account_id = ${id}`.execute(db)
  expect(matched).toEqual([{ entry_id: refund, amount_poisha: -50_000 }])
})
