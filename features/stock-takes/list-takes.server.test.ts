import { afterAll, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { buildProduct } from '#test/factories.ts'
import { testDb } from '#test/db.ts'
import { openShop } from '#test/request.ts'
import { rowsRead } from '#test/rows-read.ts'
import { type ListedTake, listTakes, type TakeSummary } from './queries.server.ts'

// The list of sheets.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const manager = await signedIn(shop, 'manager')
afterAll(() => expect(shop.failures).toEqual([]))

it('counts the lines of open sheets, and reads none of those that have ended', async () => {
  const FIRST = { backward: false, from: null }
  const products = [
    await buildProduct(db, { unit: 'piece', stock_milli: 1000 }),
    await buildProduct(db, { unit: 'piece', stock_milli: 5000 }),
    await buildProduct(db, { unit: 'piece', stock_milli: 5000 }),
  ]
  const numbers: Pick<ListedTake, 'state' | 'lines' | 'differences'>[] = []
  const read = async () => {
    const count = await rowsRead(db, 'stock_take_lines', async (tx) => {
      const { rows } = await listTakes(tx, FIRST)
      numbers.splice(0, 9, ...rows.map(({ state, lines, differences }) => ({ state, lines, differences })))
    })
    return count
  }
  for (const does of ['close', 'cancel']) {
    const { id } = (await manager.post('/admin/stock-takes', { category_id: '', note: '' })).body as { id: number }
    for (const product of products) await manager.post(`/admin/stock-takes/${id}/scan`, { product_id: product.id, quantity: '1' })
    await read()
    expect(numbers[0]).toEqual({ state: 'open', lines: 3, differences: does === 'close' ? 2 : 0 })
    const { body } = await manager.get(`/api/admin/stock-takes/${id}/recent`)
    const { revision } = (body as unknown as { summary: TakeSummary }).summary
    expect((await manager.post(`/admin/stock-takes/${id}/${does}`, does === 'close' ? { revision } : {})).status).toBe(200)
  }
  expect(await read()).toBe(0)
  expect(numbers).toEqual([
    { state: 'cancelled', lines: 3, differences: 0 },
    { state: 'closed', lines: 3, differences: 2 },
  ])
})
