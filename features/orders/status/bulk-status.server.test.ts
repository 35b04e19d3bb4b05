import { afterEach, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildArea } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import { orderedByShopper, signedIn, stockOf } from '../testing/admin-shop.ts'

// Status changes of several orders with one request.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const manager = await signedIn(shop, 'manager')

let before = new Map<number, number>()
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

async function ordered() {
  const order = await orderedByShopper(shop, area.id)
  before = await countStock(db)
  return order
}

describe('several orders from the list', () => {
  const bulk = (orders: { id: number; version: number }[], status: string, reason = '') =>
    manager.post('/admin/orders/status', { orders, status, reason })
  const results = (answer: { body: object }) => (answer.body as { results: { id: number; ok: boolean; message?: string }[] }).results

  it('each has its own result', async () => {
    const [one, two, three] = [await ordered(), await ordered(), await ordered()]
    await bulk([{ id: three.id, version: 1 }], 'cancelled', 'x')
    const answer = await bulk(
      [
        { id: one.id, version: 1 },
        { id: two.id, version: 7 },
        { id: three.id, version: 2 },
        { id: 999_999, version: 1 },
      ],
      'processing',
    )
    expect(results(answer).map(({ id, ok }) => [id, ok])).toEqual([
      [one.id, true],
      [two.id, false],
      [three.id, false],
      [999_999, false],
    ])
    expect(results(answer)[1]?.message).toContain('in the meantime')
  })

  it('a duplicate id changes the order once', async () => {
    const { id, honey } = await ordered()
    const answer = await bulk(
      [1, 1].map((version) => ({ id, version })),
      'cancelled',
      'Double',
    )
    expect(results(answer).map(({ ok }) => ok)).toEqual([true, false])
    expect(await stockOf(db, honey)).toEqual({ left: 10, status: 'in-stock' })
  })

  it('a repeated press is answered as the first one; with another reason it is refused', async () => {
    const { id } = await ordered()
    let orders = [{ id, version: 1 }]
    const press = (status: string, reason: string, key: string, earlier = '') =>
      manager.post('/admin/orders/status', { orders, status, reason }, { headers: { 'idempotency-key': key, 'x-earlier-keys': earlier } })
    const first = await press('cancelled', 'Double', 'press-0001')
    expect(results(first)).toMatchObject([{ id, ok: true, status: 'cancelled' }])
    expect(results(await press('cancelled', 'Double', 'press-0001'))).toEqual(results(first))
    expect(results(await press('cancelled', 'Other', 'press-0002', 'press-0001'))).toMatchObject([{ ok: false }])
    // Every order has its own result: one more makes another request.
    orders = [...orders, { id: (await ordered()).id, version: 1 }]
    expect(results(await press('cancelled', 'Double', 'press-0005', 'press-0001'))).toMatchObject([{ ok: true }, { ok: true }])
    const { id: other } = await ordered()
    orders = [
      { id, version: 1 },
      { id: other, version: 1 },
    ]
    expect(results(await press('processing', '', 'press-0003'))).toMatchObject([{ ok: false }, { ok: true, status: 'processing' }])
    expect(results(await press('processing', '', 'press-0004', 'press-0003'))).toMatchObject([
      { ok: false },
      { ok: true, status: 'processing' },
    ])
    expect(
      (await manager.post('/admin/orders/status', { orders, status: 'processing' }, { headers: { 'idempotency-key': 'x' } })).status,
    ).toBe(422)
  })

  it('cancelling the same orders from two lists releases the stock once', async () => {
    const order = await ordered()
    const answers = await Promise.all([1, 2, 3, 4].map(() => bulk([{ id: order.id, version: 1 }], 'cancelled', 'Double')))
    expect(answers.flatMap(results).filter((one) => one.ok)).toHaveLength(1)
    expect(await stockOf(db, order.honey)).toEqual({ left: 10, status: 'in-stock' })
  })

  it.each([
    [{}],
    [{ orders: [], status: 'placed' }],
    [{ orders: 'all', status: 'placed' }],
    [{ orders: [{ id: 1 }], status: 'placed' }],
    [{ orders: [{ id: 1, version: 1 }], status: 'x' }],
  ])('%j is rejected', async (body) => {
    expect((await manager.post('/admin/orders/status', body)).status).toBe(422)
  })
})
