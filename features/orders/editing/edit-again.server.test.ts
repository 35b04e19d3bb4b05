import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import { orderOf, signedIn } from '../testing/admin-shop.ts'
import { orderAt } from '../testing/delivered-order.ts'

// An edit whose answer was lost, and what the clerk does then.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const [clerk, other] = [await signedIn(shop, 'sales'), await signedIn(shop, 'manager')]
const area = await buildArea(db, { produce: 80 })
const jam = await buildProduct(db, { unit: 'piece', stock_milli: 100_000, price_poisha: 10_000 })
afterAll(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})

const ordered = (status = 'placed') => orderAt(clerk, { areaId: area.id, lines: [[jam.id, 2]], paid: 0, status })
const versionOf = async (id: number) =>
  (await sql<{ version: number }>`select version from orders where id = ${id}`.execute(db)).rows[0]!.version
const newKey = () => crypto.randomUUID()
/** Sends the edit under a key, with the keys of earlier attempts whose answers were lost. */
const press = (id: number, body: object, key: string, ...earlier: string[]) => {
  const headers = { 'idempotency-key': key, ...(earlier.length > 0 ? { 'x-earlier-keys': earlier.join(' ') } : {}) }
  return clerk.post(`/admin/orders/update/${id}`, { address: 'House 5, Road 3', ...body }, { headers })
}
/** What another person saves. */
async function interfere(id: number, body: object) {
  const answer = await other.post(`/admin/orders/update/${id}`, { address: 'House 5, Road 3', version: await versionOf(id), ...body })
  expect(answer.status).toBe(200)
}
const events = async (id: number, kind: string) =>
  (await sql<{ n: number }>`select count(*)::int as n from order_events where order_id = ${id} and kind = ${kind}`.execute(db)).rows[0]!.n

describe('an edit whose answer was lost', () => {
  it('is pressed again: the first result, once, also by two presses at once', async () => {
    const id = await ordered()
    const [key, edit] = [newKey(), { version: 1, note: 'Gate 2', products: [{ product_id: jam.id, quantity: 5, price_on_order: '' }] }]
    const answers = await Promise.all([press(id, edit, key), press(id, edit, key)])
    for (const answer of [...answers, await press(id, edit, key)]) {
      expect(answer.status).toBe(200)
      expect(orderOf(answer)).toMatchObject({ version: 2, note: 'Gate 2', lines: [{ quantity: 5 }] })
    }
    expect(await events(id, 'edited')).toBe(1)
  })

  it('and then typed over: the next edits stand on top of it', async () => {
    const id = await ordered()
    const [first, second] = [newKey(), newKey()]
    await press(id, { version: 1, note: 'Gate 2', shipping_cost: 90 }, first)
    await press(id, { version: 1, note: 'Gate 3', shipping_cost: 70 }, second, first)
    const answer = await press(id, { version: 1, note: 'Gate 4' }, newKey(), first, second)
    expect(answer.status).toBe(200)
    expect(orderOf(answer)).toMatchObject({ version: 4, note: 'Gate 4', shipping_cost: 70 })
  })

  it('is a conflict where another person has changed the order since', async () => {
    const id = await ordered()
    const [key, edit] = [newKey(), { version: 1, note: 'Gate 2' }]
    await press(id, edit, key)
    await interfere(id, { name: 'Karim' })
    for (const answer of [await press(id, edit, key), await press(id, { ...edit, note: 'Gate 3' }, newKey(), key)]) {
      expect(answer.status).toBe(409)
      expect(orderOf(answer)).toMatchObject({ version: 3, note: 'Gate 2', name: 'Karim' })
    }
  })

  it('that never arrived is a conflict where another person has changed the order, and with a page opened earlier', async () => {
    const id = await ordered()
    await interfere(id, { name: 'Karim' })
    expect((await press(id, { version: 1, note: 'Gate 2' }, newKey(), newKey())).status).toBe(409)
    const saved = newKey()
    await press(id, { version: 2, note: 'Gate 2' }, saved)
    expect((await press(id, { version: 1, landmark: 'Bridge' }, newKey(), saved)).status).toBe(409)
    expect(await versionOf(id)).toBe(3)
  })

  it('of another order is no leave to overwrite this one', async () => {
    const [id, another] = [await ordered(), await ordered()]
    const key = newKey()
    await press(another, { version: 1, note: 'Gate 2' }, key)
    await interfere(id, { name: 'Karim' })
    expect((await press(id, { version: 1, note: 'Gate 2' }, newKey(), key)).status).toBe(409)
  })

  it('that arrives after its correction changes nothing', async () => {
    const id = await ordered()
    const late = newKey()
    await press(id, { version: 1, note: 'Gate 3' }, newKey(), late)
    expect((await press(id, { version: 1, note: 'Gate 2' }, late)).status).toBe(409)
    expect(await versionOf(id)).toBe(2)
  })

  it('that was refused may be corrected under its key or another', async () => {
    const id = await ordered()
    const key = newKey()
    expect((await press(id, { version: 1, area_id: 999_999 }, key)).status).toBe(422)
    expect((await press(id, { version: 1, note: 'Gate 2' }, newKey(), key)).status).toBe(200)
  })
})

describe('a step whose answer was lost', () => {
  it('is pressed again: its money is recorded once, also by a page that has nothing left to collect', async () => {
    const id = await ordered('on_delivery')
    const [key, version] = [newKey(), await versionOf(id)]
    const delivery = { version, status: 'delivered', collected: '280' }
    await press(id, delivery, key)
    for (const answer of [await press(id, delivery, key), await press(id, { version, status: 'delivered' }, newKey(), key)]) {
      expect(answer.status).toBe(200)
      expect(orderOf(answer)).toMatchObject({ status: 'delivered', paid: 280 })
    }
    expect(await events(id, 'payment-recorded')).toBe(1)
  })

  it.each([
    ['other money', 'on_delivery', { status: 'delivered', collected: '280' }, { collected: '100' }, { status: 'delivered', paid: 280 }],
    ['another reason', 'placed', { status: 'cancelled', reason: 'No answer' }, { reason: 'Too late' }, { reason: 'No answer' }],
    ['another status', 'placed', { status: 'processing' }, { status: 'cancelled', reason: 'Late' }, { status: 'cancelled' }],
  ])('is pressed with %s', async (name, status, step, changed, saved) => {
    const id = await ordered(status)
    const [key, version] = [newKey(), await versionOf(id)]
    await press(id, { version, ...step }, key)
    const answer = await press(id, { version, ...step, ...changed }, newKey(), key)
    // The order as it is decides: nothing is recorded twice, and no answer is dropped.
    expect(answer.status).toBe(name === 'another status' ? 200 : 409)
    expect(orderOf(answer)).toMatchObject(saved)
  })
})
