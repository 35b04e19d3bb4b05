import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { inTransaction, isWaitTimeout } from '#lib/db/db.server.ts'
import { testDb, untilLockWait } from '#test/db.ts'
import { buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { lockProductsWithOrders } from './stock.server.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })

const JUNE = '2090-06-06'
const JULY = '2090-07-07'

/** Whether another transaction has locked the order. */
async function isLocked(orderId: number): Promise<boolean> {
  try {
    await sql`select 1 from orders where id = ${orderId} for update nowait`.execute(db)
    return false
  } catch (error) {
    if (!isWaitTimeout(error)) throw error
    return true
  }
}

it('locks the order that gets a product while the product is waited for', async () => {
  const area = await buildArea(db, { produce: 80 })
  const [jar, other] = [await buildProduct(db, { delivery_on: JUNE }), await buildProduct(db, { delivery_on: JUNE })]
  const placed = await shop.post(
    '/customer-orders',
    orderBody(area.id, [[other.id, 1]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }),
  )
  const orderId = placed.body.order_id as number

  const [productIsLocked, endEdit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const edit = inTransaction(db, async (tx) => {
    await sql`select 1 from products where id = ${jar.id} for update`.execute(tx)
    await sql`update order_lines set product_id = ${jar.id} where order_id = ${orderId}`.execute(tx)
    productIsLocked.resolve()
    await endEdit.promise
  })
  await productIsLocked.promise
  const change = inTransaction(db, async (tx) => {
    await lockProductsWithOrders(tx, [{ id: jar.id, day: JULY }])
    return isLocked(orderId)
  })
  await untilLockWait(db)
  endEdit.resolve()
  await edit
  expect(await change).toBe(true)
})
