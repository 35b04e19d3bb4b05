import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { testDb, untilLockWait } from '#test/db.ts'
import { buildArea, buildProduct } from '#test/factories.ts'
import { countStock } from '#test/invariants.ts'
import { expectLedger } from '#test/ledger-checks.ts'
import { openShop } from '#test/request.ts'
import { signedIn } from '../testing/admin-shop.ts'
import { orderAt, takeBack } from '../testing/delivered-order.ts'

// Commands that wait for a return of the same order.

const { db, url } = await testDb({ max: 16 })
const shop = await openShop({ databaseUrl: url, max: 16 })
const area = await buildArea(db, { produce: 80 })
const manager = await signedIn(shop, 'manager')
const mango = await buildProduct(db, { unit: 'kg', stock_milli: 40_000 })
const before = await countStock(db)
afterEach(async () => {
  await expectLedger(db, before)
  expect(shop.failures).toEqual([])
})

it('an edit is refused, as after the return', async () => {
  const id = await orderAt(manager, { areaId: area.id, lines: [[mango.id, 10]], paid: 1280, status: 'delivered' })
  const { returned, edited } = await db.transaction().execute(async (tx) => {
    await sql`select 1 from orders where id = ${id} for update`.execute(tx)
    const returned = takeBack(manager, id, [{ product_id: mango.id, quantity: 5 }])
    await untilLockWait(db)
    const edited = manager.post(`/admin/orders/update/${id}`, { address: 'Savar', products: [{ product_id: mango.id, quantity: '9' }] })
    await untilLockWait(db, 2)
    return { returned, edited }
  })
  expect([(await returned).status, (await edited).status]).toEqual([200, 409])
})
