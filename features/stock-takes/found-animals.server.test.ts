import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { buildAnimal, buildProduct } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { testDb } from '#test/db.ts'
import { openShop } from '#test/request.ts'
import type { TakeSummary } from './queries.server.ts'

// An animal that is found again is left to the product page: closing neither counts nor values it.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const manager = await signedIn(shop, 'manager')
afterAll(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})

it('is a difference, but none that closing applies', async () => {
  const take = ((await manager.post('/admin/stock-takes', { category_id: '', note: '' })).body as { id: number }).id
  const count = async (product_id: number, quantity: string) => {
    const counted = { product_id, quantity, reason: 'counted', version: null }
    expect((await manager.post(`/admin/stock-takes/${take}/count`, counted)).status).toBe(200)
  }
  const [honey, lost, found] = [
    await buildProduct(db, { unit: 'piece', stock_milli: 10_000, price_poisha: 50_000 }),
    await buildAnimal(db, { price_poisha: 8_000_000 }),
    await buildAnimal(db, { price_poisha: 9_000_000, status: 'sold', stock_milli: 0 }),
  ]
  await count(honey.id, '12')
  await count(lost.id, '0')
  await count(found.id, '1')
  const { body } = await manager.get(`/api/admin/stock-takes/${take}/recent`)
  const { summary } = body as unknown as { summary: TakeSummary }
  expect(summary).toMatchObject({ different: 3, applied: 2, missing_poisha: -8_000_000, surplus_poisha: 100_000 })
  expect((await manager.post(`/admin/stock-takes/${take}/close`, { revision: summary.revision })).status).toBe(200)
  const { rows } = await sql<{ value: number }>`select difference_poisha as value from stock_takes where id = ${take}`.execute(db)
  expect(rows).toEqual([{ value: 100_000 - 8_000_000 }])
})
