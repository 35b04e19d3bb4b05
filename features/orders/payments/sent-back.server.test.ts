import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { expectLedger } from '#test/ledger-checks.ts'
import { testDb } from '#test/db.ts'
import { buildArea } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { signedIn } from '../testing/admin-shop.ts'
import { adminOrder, moneyOf, payAtSimulator } from '../testing/online-payments.ts'

// The money of a payment that staff have rejected goes back: its transaction id pays no order.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500 })
const manager = await signedIn(shop, 'manager')
const { simulator, paid } = await payAtSimulator(shop)
afterAll(async () => {
  expect(shop.failures).toEqual([])
  await expectLedger(db)
  await simulator.close()
})

const OTHER_AMOUNT = { paidAmount: '11000.00' }

async function rejected(refund?: 'failed') {
  const { id } = await paid(area.id, { gateway: 'bkash', faults: OTHER_AMOUNT })
  const { rows } = await sql<{ attempt: number; txn: string }>`select id as attempt, gateway_txn as txn from payment_attempts
    where order_id = ${id} and state = 'review'`.execute(db)
  const { attempt, txn } = rows[0]!
  await simulator.faults({ notify: 'never', ...OTHER_AMOUNT, ...(refund ? { refund } : {}) })
  expect((await manager.post(`/admin/payments/refuse/${attempt}`, { reason: 'Wrong amount' })).status).toBe(200)
  return { id, txn }
}

async function record(id: number, transaction_id: string) {
  const { version } = await adminOrder(manager, id)
  return manager.post(`/admin/orders/payments/${id}`, { method: 'bkash', amount: 1000, transaction_id, version })
}

it('staff cannot record it for its order or for another one', async () => {
  const { id, txn } = await rejected()
  const { id: other } = await paid(area.id, { gateway: 'bkash', faults: OTHER_AMOUNT })
  for (const order of [id, other])
    expect(await record(order, txn.toLowerCase())).toMatchObject({
      status: 409,
      body: { errors: { transaction_id: ['This transaction ID has already been submitted.'] } },
    })
  expect(await moneyOf(shop, id)).toMatchObject({ refunds: ['done'], ledger: [], paid: 0 })
})

it('staff record it where the refund failed: the money is still here', async () => {
  const { id, txn } = await rejected('failed')
  expect((await record(id, txn)).status).toBe(200)
  expect(await moneyOf(shop, id)).toMatchObject({ refunds: ['failed'], ledger: [1000] })
})
