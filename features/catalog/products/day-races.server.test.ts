import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { orderedByShopper, signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildArea } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import { findProductRecord } from './product-editor-queries.server.ts'

// One clerk saves an order while another changes the delivery date of its animal.

const { db, url } = await testDb({ max: 16 })
const shop = await openShop({ databaseUrl: url, max: 16 })
afterAll(() => expect(shop.failures).toEqual([]))
const area = await buildArea(db, { produce: 80, cattle: 1500 })
const manager = await signedIn(shop, 'manager')
const owner = await signedIn(shop, 'owner')

const TIMES = 60
const address = 'House 5'
const DAYS = ['2090-06-06', '2090-06-07']

/** The form values of a product. */
async function formOf(id: number) {
  const { id: _id, kind: _kind, state: _state, pictures, ...form } = (await findProductRecord(db, id))!
  return { ...form, picture_ids: pictures.map(({ image_id }) => image_id) }
}

/** Sets the delivery date of an animal by its form or by an import. */
async function setDay(id: number, day: string, by: 'form' | 'file') {
  if (by === 'form') {
    const form = { ...(await formOf(id)), delivery_on: day }
    return () => owner.post(`/admin/products/${id}`, form)
  }
  const csv = `Number,Delivery date\n${id},${day}\n`
  const { body } = await owner.post('/admin/products/import', { csv })
  return () => owner.post('/admin/products/import', { csv, previewHash: (body as unknown as { previewHash: string }).previewHash })
}

const deadlocks = async () => {
  const { rows } = await sql<{ n: number }>`
    select deadlocks::int as n from pg_stat_database where datname = current_database()`.execute(db)
  return rows[0]!.n
}

it('an order is saved while the date of its animal changes: no deadlock, no rejection, and the date is right', async () => {
  const before = await countStock(db)
  const { id, cow, honey } = await orderedByShopper(shop, area.id)
  for (let time = 0; time < TIMES; time++) {
    const day = DAYS[time % 2]!
    const moveAnimal = await setDay(cow, day, time % 3 === 0 ? 'file' : 'form')
    const products = [cow, honey].map((product_id) => ({
      product_id,
      quantity: product_id === cow ? 1 : 3 + (time % 2),
      base_price: 1,
      price_on_order: '',
    }))
    const responses = await Promise.all([
      manager.post(`/admin/orders/update/${id}`, { address, products }),
      moveAnimal(),
      ...(time % 4 === 3 ? [manager.post(`/admin/orders/update/${id}`, { address, remarks: `call ${time}` })] : []),
    ])
    expect(responses.map(({ status, text }) => [status, status === 200 ? '' : text])).toEqual(responses.map(() => [200, '']))
    const { rows } = await sql<{ deliver_on: string }>`select deliver_on from orders where id = ${id}`.execute(db)
    expect(rows[0]!.deliver_on).toBe(day)
  }
  expect(await deadlocks()).toBe(0)
  await expectInvariants(db, before)
})
