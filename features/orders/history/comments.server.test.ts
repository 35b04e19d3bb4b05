import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { erasePerson } from '#features/customers/personal-data/erase-person.server.ts'
import { findPerson, readPersonalData } from '#features/customers/personal-data/read-personal-data.server.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { orderOf, signedIn } from '../testing/admin-shop.ts'

// Staff comment on an order in its timeline. Customers never see it.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { produce: 80 })
const mango = await buildProduct(db)
const body = orderBody(area.id, [[mango.id, 1]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' })
const buyer = shop.visitor()
const placed = await buyer.post('/customer-orders', body)
const id = placed.body.order_id!
const path = `/admin/orders/${id}/comments`
afterAll(() => expect(shop.failures).toEqual([]))

const comments = async () =>
  (await sql<{ text: string }>`select detail ->> 'text' as text from order_events where kind = 'comment' order by id`.execute(db)).rows.map(
    ({ text }) => text,
  )

describe('a comment', () => {
  it('stands in the timeline with its author, changes no version, and is stored once a key', async () => {
    const sales = await signedIn(shop, 'sales')
    const { version } = orderOf(await sales.post(path, { text: 'First' }))
    const headers = { 'idempotency-key': randomUUID() }
    const text = 'Calls before noon\nগেট সবুজ'
    const answers = await Promise.all([1, 2, 3].map(() => sales.post(path, { text }, { headers })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await sales.post(path, { text: 'Another' }, { headers })).status).toBe(409)
    expect(await comments()).toEqual(['First', text])
    const order = orderOf(await sales.post(path, { text: 'Last' }))
    expect(order.version).toBe(version)
    expect(order.events[0]).toMatchObject({
      kind: 'comment',
      actor: 'staff',
      by: expect.stringMatching(/^Person/),
      detail: { text: 'Last' },
    })
  })

  it.each([
    ['missing', {}],
    ['empty', { text: ' \n ' }],
    ['too long', { text: 'x'.repeat(1001) }],
    ['no text', { text: ['a'] }],
    ['not storable', { text: 'a\u0000b' }],
    ['with more fields', { text: 'a', kind: 'placed' }],
  ])('%s is rejected', async (_case, sent) => {
    const before = await comments()
    expect((await (await signedIn(shop, 'sales')).post(path, sent)).status).toBe(422)
    expect(await comments()).toEqual(before)
  })

  it('needs the permission, the token and an order', async () => {
    const post = async (role: 'viewer' | 'cashier' | 'customer') => (await (await signedIn(shop, role)).post(path, { text: 'a' })).status
    expect([await post('viewer'), await post('cashier'), await post('customer')]).toEqual([403, 403, 403])
    const sales = await signedIn(shop, 'sales')
    expect((await shop.visitor().post(path, { text: 'a' })).status).toBe(401)
    expect((await sales.post(path, { text: 'a' }, { token: null })).status).toBe(403)
    expect((await sales.post('/admin/orders/999999/comments', { text: 'a' })).status).toBe(404)
    expect((await sales.post('/admin/orders/x/comments', { text: 'a' })).status).toBe(422)
  })

  it('may have 1,000 characters, which the database checks, too', async () => {
    const sales = await signedIn(shop, 'sales')
    expect((await sales.post(path, { text: 'ক'.repeat(1000) })).status).toBe(200)
    const write = (actor: string, text: string) =>
      sql`insert into order_events (order_id, actor, actor_id, kind, detail)
        values (${id}, ${actor}, ${sales.id}, 'comment', ${JSON.stringify({ text })}::jsonb)`.execute(db)
    await expect(write('staff', 'x'.repeat(1001))).rejects.toThrow('order_events_comment')
    await expect(write('customer', 'x')).rejects.toThrow('order_events_comment')
  })
})

it('customers see nothing of it: invoice, confirmation, tracking', async () => {
  await (await signedIn(shop, 'sales')).post(path, { text: 'Uniquecomment' })
  const { rows } = await sql<{ code: string }>`select tracking_code as code from orders where id = ${id}`.execute(db)
  for (const page of [`/invoice/${id}`, `/order/confirmed/${id}`, `/track/${rows[0]!.code}`]) {
    const { status, text } = await buyer.get(page, { accept: 'text/html' })
    expect([page, status]).toEqual([page, 200])
    expect(text).not.toMatch(/Uniquecomment|&quot;comment&quot;|"comment"/)
  }
})

it('is printed with the data of a person, and erased', async () => {
  await (await signedIn(shop, 'sales')).post(path, { text: 'Uniquecomment' })
  const person = (await findPerson(db, String((body.customer as { phone: string }).phone)))!
  expect(JSON.stringify(await readPersonalData(db, person))).toContain('Uniquecomment')
  const manager = await signedIn(shop, 'manager')
  const { rows } = await sql<{ version: number }>`select version from orders where id = ${id}`.execute(db)
  await manager.post('/admin/orders/status', { orders: [{ id, version: rows[0]!.version }], status: 'cancelled', reason: 'Not needed' })
  expect(await erasePerson(db, person, new Date())).toEqual({ ok: true, orders: 1 })
  const { rows: left } = await sql`select 1 from order_events where detail::text like '%Unique%'`.execute(db)
  expect(left).toEqual([])
  expect(orderOf(await manager.post(path, { text: 'Closed' })).events[1]).toMatchObject({ kind: 'status' })
})
