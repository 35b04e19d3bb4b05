import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { findProductRecord } from '#features/catalog/products/product-editor-queries.server.ts'
import { checkForm, checkContextOf } from '#features/catalog/products/write-product.server.ts'
import type { ProductForm } from '#features/catalog/products/forms.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildUser, orderBody } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { ReturnedAnimal } from './returned-animals.server.ts'
import { signedIn, stockOf, storeBody } from '../testing/admin-shop.ts'

// A returned animal is not for sale until staff decide about it.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const [manager, sales, viewer] = [await signedIn(shop, 'manager'), await signedIn(shop, 'sales'), await signedIn(shop, 'viewer')]
await manager.post('/admin/quick-orders/shift/open', { opening_cash: 5_000_000 })
const html = { accept: 'text/html' }
afterEach(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})

const versionOf = async (table: 'orders' | 'products', id: number) =>
  (await sql<{ version: number }>`select version from ${sql.table(table)} where id = ${id}`.execute(db)).rows[0]!.version
async function move(id: number, ...statuses: string[]) {
  for (const status of statuses) {
    const body = { orders: [{ id, version: await versionOf('orders', id) }], status, reason: 'Limps' }
    const answer = await manager.post('/admin/orders/status', body)
    expect((answer.body as { results?: { ok: boolean }[] }).results, `${status}: ${answer.text}`).toMatchObject([{ ok: true }])
  }
}
async function ordered(): Promise<{ id: number; cow: number }> {
  const { id: cow } = await buildAnimal(db)
  const answer = await manager.post('/admin/orders/store', storeBody(area.id, [[cow, 1]]))
  expect(answer.status, answer.text).toBe(200)
  return { id: answer.body.order_id!, cow }
}
async function returned() {
  const order = await ordered()
  await move(order.id, 'processing', 'on_delivery', 'returned')
  return order
}
const listed = async (cow: number) =>
  pageProps<{ returned: ReturnedAnimal[] }>((await sales.get('/admin/held-animals', html)).text).returned.find(({ id }) => id === cow)
const release = async (cow: number, outcome: string, more: object = {}, who = manager) =>
  who.post(`/admin/animals/${cow}/release`, { outcome, reason: 'Examined', version: await versionOf('products', cow), ...more })
const buy = (cow: number) =>
  shop.visitor().post('/customer-orders', orderBody(area.id, [[cow, 1]], { payment_type: 'full', payment_gateway: 'pgw' }))
const tile = async () =>
  pageProps<{ tasks: { key: string; count: number }[] }>((await manager.get('/admin', html)).text).tasks.find(
    ({ key }) => key === 'returned',
  )!.count

describe('a returned animal', () => {
  it.each([
    ['on the way', ['processing', 'on_delivery', 'returned']],
    ['delivered', ['processing', 'on_delivery', 'delivered', 'returned']],
    ['completed', ['processing', 'on_delivery', 'delivered', 'completed', 'returned']],
  ])('of an order that was %s is on hold, listed and counted, and cannot be ordered', async (_, path) => {
    const [before, { id, cow }] = [await tile(), await ordered()]
    await move(id, ...path)
    expect(await stockOf(db, cow)).toEqual({ left: 1, status: 'hold' })
    expect(await listed(cow)).toMatchObject({ order_id: id, reason: 'Limps', is_ill: false })
    expect(await tile()).toBe(before + 1)
    expect((await buy(cow)).status).toBe(410)
    expect((await manager.post('/admin/orders/store', storeBody(area.id, [[cow, 1]]))).status).toBe(410)
    const sale = { products: [{ id: cow, quantity: 1, price: 100_000 }], transactions: { cash: 100_000 }, total: 100_000, discount: 0 }
    const sold = await manager.post('/admin/quick-orders/store', { ...sale, customer: { phone: '01712345678', name: 'Rahima' } })
    expect(sold.status, sold.text).not.toBe(200)
  })

  it('of an order cancelled before it is sent is for sale immediately', async () => {
    const { id, cow } = await ordered()
    await move(id, 'processing', 'cancelled')
    expect(await stockOf(db, cow)).toEqual({ left: 1, status: 'in-stock' })
    expect(await listed(cow)).toBeUndefined()
  })

  it('removed from an order on delivery is on hold', async () => {
    const [{ id, cow }, other] = [await ordered(), await buildAnimal(db)]
    await move(id, 'processing', 'on_delivery')
    const { products } = storeBody(area.id, [[other.id, 1]])
    const body = { ...storeBody(area.id, []), products, version: await versionOf('orders', id), status: 'on_delivery' }
    const answer = await manager.post(`/admin/orders/update/${id}`, body)
    expect(answer.status, answer.text).toBe(200)
    expect(await stockOf(db, cow)).toEqual({ left: 1, status: 'hold' })
    expect(await listed(cow)).toMatchObject({ order_id: id })
  })

  it('returned at the POS is on hold; a spoiled one is written off', async () => {
    for (const spoiled of [false, true]) {
      const cow = await buildAnimal(db, { price_poisha: 10_000_000 })
      const sale = await manager.post('/admin/quick-orders/store', {
        products: [{ id: cow.id, quantity: 1, price: 100_000 }],
        transactions: { cash: 100_000 },
        discount: 0,
        total: 100_000,
        customer: { phone: '01712345678', name: 'Rahima' },
      })
      expect(sale.status, sale.text).toBe(200)
      const back = { lines: [{ product_id: cow.id, quantity: 1, spoiled }], refund: { cash: 100_000 }, reason: 'Coughs' }
      const answer = await manager.post(`/admin/quick-orders/return/${sale.body.order_id!}`, back)
      expect(answer.status, answer.text).toBe(200)
      expect(await stockOf(db, cow.id)).toMatchObject({ status: spoiled ? 'out-of-stock' : 'hold' })
      expect(await listed(cow.id)).toEqual(spoiled ? undefined : expect.objectContaining({ reason: 'Coughs' }))
    }
  })

  it('is reserved again when its order is reopened, and by no other order', async () => {
    const { id, cow } = await ordered()
    await move(id, 'processing', 'cancelled')
    const second = await manager.post('/admin/orders/store', storeBody(area.id, [[cow, 1]]))
    await move(second.body.order_id!, 'processing', 'on_delivery', 'returned')
    const body = { orders: [{ id, version: await versionOf('orders', id) }], status: 'placed', reason: '' }
    expect((await manager.post('/admin/orders/status', body)).body).toMatchObject({ results: [{ ok: false }] })
    await move(second.body.order_id!, 'processing')
    expect(await listed(cow)).toBeUndefined()
    expect((await stockOf(db, cow)).left).toBe(0)
  })
})

describe('a release', () => {
  it.each([
    ['healthy', { left: 1, status: 'in-stock' }, 200, false],
    ['ill', { left: 1, status: 'hold' }, 410, true],
    ['not-for-sale', { left: 0, status: 'out-of-stock' }, 410, false],
  ])('as %s', async (outcome, stock, bought, isListed) => {
    const { id, cow } = await returned()
    expect((await release(cow, outcome)).status).toBe(200)
    expect(await stockOf(db, cow)).toEqual(stock)
    expect(Boolean(await listed(cow))).toBe(isListed)
    const { rows: history } =
      await sql`select actor_id, detail from order_events where order_id = ${id} and kind = ${`animal-${outcome}`}`.execute(db)
    expect(history).toMatchObject([{ actor_id: manager.id, detail: { outcome, reason: 'Examined' } }])
    const { rows: log } =
      await sql`select actor_id, after from audit_log where subject = 'product' and subject_id = ${String(cow)}`.execute(db)
    expect(log).toMatchObject([{ actor_id: manager.id, after: { release: outcome, reason: 'Examined' } }])
    expect((await buy(cow)).status).toBe(bought)
  })

  it('that is sent again after a lost answer gets the first one', async () => {
    const { id, cow } = await returned()
    const body = { outcome: 'healthy', reason: 'Examined', version: await versionOf('products', cow) }
    const send = () => manager.post(`/admin/animals/${cow}/release`, body, { headers: { 'idempotency-key': `release-${cow}-lost` } })
    expect([(await send()).status, (await send()).status]).toEqual([200, 200])
    const { rows } = await sql`select 1 from order_events where order_id = ${id} and kind = 'animal-healthy'`.execute(db)
    expect(rows).toHaveLength(1)
  })

  it('of an ill animal is possible later', async () => {
    const { cow } = await returned()
    await release(cow, 'ill', { reason: 'Fever' })
    expect(await listed(cow)).toMatchObject({ is_ill: true, note: 'Fever' })
    expect((await release(cow, 'healthy')).status).toBe(200)
    expect(await stockOf(db, cow)).toMatchObject({ status: 'in-stock' })
  })

  it('is rejected without a reason, for an unknown outcome or animal, without permission, and without a token', async () => {
    const { cow } = await returned()
    expect((await release(cow, 'healthy', { reason: ' \u200b' })).body.errors).toHaveProperty('reason')
    for (const outcome of ['', 'sold', null, ['healthy'], 'x'.repeat(5000)])
      expect((await release(cow, outcome as string)).status).toBe(422)
    expect((await release(cow, 'healthy', { reason: 'x'.repeat(2001) })).status).toBe(422)
    expect((await manager.post('/admin/animals/999999/release', { outcome: 'ill', reason: 'x', version: 1 })).status).toBe(404)
    expect((await release((await buildAnimal(db)).id, 'healthy')).status).toBe(404)
    for (const who of [sales, viewer]) expect((await release(cow, 'healthy', {}, who)).status).toBe(403)
    const body = { outcome: 'healthy', reason: 'x', version: await versionOf('products', cow) }
    expect((await manager.post(`/admin/animals/${cow}/release`, body, { token: null })).status).toBe(403)
    expect(await stockOf(db, cow)).toMatchObject({ status: 'hold' })
  })

  it('of two concurrent releases one succeeds; the same with a reopened order', async () => {
    const { cow } = await returned()
    const version = await versionOf('products', cow)
    const answers = await Promise.all(['healthy', 'ill', 'not-for-sale', 'healthy'].map((outcome) => release(cow, outcome, { version })))
    expect(answers.map(({ status }) => status === 200).filter(Boolean)).toHaveLength(1)
    for (let round = 0; round < 6; round += 1) {
      const { id, cow: other } = await returned()
      const body = { orders: [{ id, version: await versionOf('orders', id) }], status: 'processing', reason: '' }
      const [released, reopened] = await Promise.all([release(other, 'not-for-sale'), manager.post('/admin/orders/status', body)])
      const isReopened = (reopened.body as { results?: { ok: boolean }[] }).results?.[0]?.ok
      expect([released.status === 200, isReopened].filter(Boolean)).toHaveLength(1)
    }
  })

  it('is the only way: the product form and the bulk change do not end the hold', async () => {
    const { cow } = await returned()
    const bulk = { what: 'status', status: 'in-stock', ids: [cow] }
    const { lines, seen } = (await manager.post('/admin/products/bulk', bulk)).body as unknown as {
      lines: { refused: string }[]
      seen: string
    }
    expect(lines[0]!.refused).not.toBeNull()
    await manager.post('/admin/products/bulk', { ...bulk, seen })
    const { product } = pageProps<{ product: Record<string, unknown> & { state: { statuses: string[] } } }>(
      (await manager.get(`/admin/products/${cow}`, html)).text,
    )
    expect(product.state.statuses).toEqual(['hold'])
    const { rows } = await sql`select status, hold_reason from products where id = ${cow}`.execute(db)
    expect(rows).toEqual([{ status: 'hold', hold_reason: 'returned' }])
    const details = (await findProductRecord(db, cow))!
    expect(checkForm({ ...details, status: 'in-stock' } as unknown as ProductForm, checkContextOf(details, []))[0]).toContainEqual([
      'status',
      'products.returned',
    ])
  })
})

it('a customer cannot release', async () => {
  const { cow } = await returned()
  const customer = shop.visitor()
  await customer.signIn((await buildUser(db)).phone)
  expect([401, 403, 404]).toContain((await release(cow, 'healthy', {}, customer as typeof manager)).status)
})
