import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildUser } from '#test/factories.ts'
import { rowsRead } from '#test/rows-read.ts'
import { LEDGER_INVARIANTS } from './ledger-invariants.ts'

const { db } = await testDb()

it('refunds above their payment are found without reading the events of all payments for each', async () => {
  const owner = await buildUser(db, { role: 'owner' })
  const { rows } = await sql<{
    id: number
  }>`insert into orders (customer_id, name, phone, address, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha,
      payment_type, payment_gateway, payable_poisha, list_on, placed_at, view_key, tracking_code)
    values (${owner.id}, 'Rahim', '01711111111', 'x', 1000, 0, 0, 1000, 'full', 'NONE', 0, date '2026-01-01', now(), 'v', 'refunded') returning id`.execute(
    db,
  )
  await sql`with paid as (
      insert into payment_attempts (order_id, gateway, tran_id, amount_poisha, state, gateway_txn)
      select ${rows[0]!.id}, 'bkash', 'T' || n, 1000, 'paid', 'P' || n from generate_series(1, 2000) n returning id, tran_id, gateway_txn),
    events as (
      insert into gateway_events (gateway, event_id, attempt_id, outcome, detail)
      select 'bkash', tran_id, id, 'paid', jsonb_build_object('gatewayTxn', gateway_txn, 'amountPoisha', 1000) from paid)
    -- Two refunds of a payment; of the last they exceed it.
    insert into gateway_refunds (order_id, attempt_id, gateway, gateway_txn, refund_id, amount_poisha, reason, state, in_ledger, created_by, created_at, updated_at)
    select ${rows[0]!.id}, id, 'bkash', gateway_txn, tran_id || '-' || part, case when tran_id = 'T300' then 501 else 500 end, 'Spoiled', 'done', false, ${owner.id}, now(), now()
    from paid, generate_series(1, 2) part where substr(tran_id, 2)::int <= 300`.execute(db)
  await sql`analyze gateway_events, gateway_refunds`.execute(db)
  const read = await rowsRead(db, 'gateway_events', async (tx) => {
    const broken = await LEDGER_INVARIANTS['gateway refunds above the payment']!.execute(tx)
    expect(broken.rows).toEqual([{ gateway: 'bkash', gateway_txn: 'P300' }])
  })
  expect(read).toBe(2000)
})
