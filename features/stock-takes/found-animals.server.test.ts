import { sql } from 'kysely'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { signedIn, stockOf } from '#features/orders/testing/admin-shop.ts'
import { buildAnimal, buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { testDb } from '#test/db.ts'
import { openShop } from '#test/request.ts'
import type { TakeSummary } from './queries.server.ts'

// Closing neither counts nor values an animal that it leaves as it is: one that is found again, or that was missing because it had left.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const manager = await signedIn(shop, 'manager')
afterAll(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})

let take: number
const start = async () => ((await manager.post('/admin/stock-takes', { category_id: '', note: '' })).body as { id: number }).id
beforeEach(async () => void (take = await start()))

async function count(product_id: number, quantity: string, reason = 'counted') {
  const counted = { product_id, quantity, reason, version: null }
  expect((await manager.post(`/admin/stock-takes/${take}/count`, counted)).status).toBe(200)
}
async function summaryOf(id = take) {
  const { body } = await manager.get(`/api/admin/stock-takes/${id}/recent`)
  return (body as unknown as { summary: TakeSummary }).summary
}
const close = async (id = take) => manager.post(`/admin/stock-takes/${id}/close`, { revision: (await summaryOf(id)).revision })
async function result(id = take) {
  const { rows } = await sql`select difference_poisha as value, differences from stock_takes where id = ${id}`.execute(db)
  return rows[0]
}

it('an animal that is found again is a difference, but none that closing applies', async () => {
  const [honey, lost, found] = [
    await buildProduct(db, { unit: 'piece', stock_milli: 10_000, price_poisha: 50_000 }),
    await buildAnimal(db, { price_poisha: 8_000_000 }),
    await buildAnimal(db, { price_poisha: 9_000_000, status: 'sold', stock_milli: 0 }),
  ]
  await count(honey.id, '12')
  await count(lost.id, '0')
  await count(found.id, '1')
  expect(await summaryOf()).toMatchObject({ different: 3, applied: 2, missing_poisha: -8_000_000, surplus_poisha: 100_000 })
  expect((await close()).status).toBe(200)
  expect(await result()).toEqual({ value: 100_000 - 8_000_000, differences: 3 })
  expect(await summaryOf()).toMatchObject({ different: 3, applied: 2, missing_poisha: -8_000_000, surplus_poisha: 100_000 })
})

it('an animal that was missing at the count and has left with an order since is no loss', async () => {
  const area = await buildArea(db, { cattle: 1500 })
  const cow = await buildAnimal(db, { price_poisha: 8_000_000 })
  await count(cow.id, '0', 'lost')
  expect(await summaryOf()).toMatchObject({ different: 1, applied: 1, missing_poisha: -8_000_000 })
  const payment = { payment_type: 'partial', payment_gateway: 'NONE', payable_amount: 11_500, partial_payment: 11_500 }
  const id = (await shop.post('/customer-orders', orderBody(area.id, [[cow.id, 1]], payment))).body.order_id!
  for (const [version, status] of [[1, 'processing'] as const, [2, 'on_delivery'] as const]) {
    const moved = await manager.post('/admin/orders/status', { orders: [{ id, version }], status, reason: '' })
    expect(moved.body).toMatchObject({ results: [{ id, ok: true }] })
  }
  expect(await summaryOf()).toMatchObject({ applied: 0, missing_poisha: 0 })
  expect((await close()).status).toBe(200)
  expect(await result()).toEqual({ value: 0, differences: 0 })
  expect(await summaryOf()).toMatchObject({ counted: 1, different: 0, applied: 0, missing_poisha: 0 })
  expect(await stockOf(db, cow.id)).toMatchObject({ status: 'sold' })
  const { rows } = await sql`select after->'difference' as difference, after->'differences' as differences from audit_log
    where subject = 'stock-take' and subject_id = ${String(take)} and action = 'closed'`.execute(db)
  expect(rows).toEqual([{ difference: 0, differences: 0 }])
})

it('an animal that two stock takes miss is one loss', async () => {
  const cow = await buildAnimal(db, { price_poisha: 8_000_000 })
  const [first, second] = [take, await start()]
  for (take of [first, second]) await count(cow.id, '0')
  expect([(await close(first)).status, (await close(second)).status]).toEqual([200, 200])
  expect([await result(first), await result(second)]).toEqual([
    { value: -8_000_000, differences: 1 },
    { value: 0, differences: 0 },
  ])
})
