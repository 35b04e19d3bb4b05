import { sql } from 'kysely'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { erasePerson } from '#features/customers/personal-data/erase-person.server.ts'
import { findPerson, readPersonalData } from '#features/customers/personal-data/read-personal-data.server.ts'
import { buildArea, buildProduct } from '#test/factories.ts'
import { testDb } from '#test/db.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { rowsRead } from '#test/rows-read.ts'
import type { Props as OrderProps } from '#site/admin/orders/order-edit.page.tsx'
import type { Props as ListProps } from '#site/admin/orders/orders.page.tsx'
import { signedIn, storeBody } from '../testing/admin-shop.ts'
import { listUsedTags, type TaggedOrder } from './tags.server.ts'

// Clerks tag orders, one or several at a time.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const clerk = await signedIn(shop, 'sales')
const manager = await signedIn(shop, 'manager')
const viewer = await signedIn(shop, 'viewer')
const area = await buildArea(db, { produce: 80 })
const mango = await buildProduct(db)
afterAll(() => expect(shop.failures).toEqual([]))

let serial = 0
async function place(more: object = {}): Promise<number> {
  serial += 1
  const body = storeBody(area.id, [[mango.id, 1]], { phone: `017110${String(10_000 + serial)}`, ...more })
  return (await clerk.post('/admin/orders/store', body, { headers: { 'idempotency-key': crypto.randomUUID() } })).body.order_id!
}
let first: number
let second: number
beforeEach(async () => {
  await sql`delete from order_tags`.execute(db)
  ;[first, second] = [await place(), await place()]
})

const change = (orders: unknown, changes: object, who = clerk) => who.post('/admin/orders/tags', { orders, ...changes })
const results = async (answer: ReturnType<typeof change>) => ((await answer).body as unknown as { results: TaggedOrder[] }).results
const list = async (query: string) => pageProps<ListProps>((await clerk.get(`/admin/orders?${query}`, { accept: 'text/html' })).text)
const order = async (id: number) =>
  pageProps<OrderProps>((await clerk.get(`/admin/orders/update/${id}`, { accept: 'text/html' })).text).order

it('tags are added and removed, written in lower case, and stand in timeline and audit log', async () => {
  expect(await results(change([first], { add: ['  VIP ', 'ঈদ', 'vip'] }))).toEqual([{ id: first, ok: true, tags: ['vip', 'ঈদ'] }])
  expect(await results(change([first], { add: ['fragile'], remove: ['Vip', 'never'] }))).toEqual([
    { id: first, ok: true, tags: ['fragile', 'ঈদ'] },
  ])
  const { tags, events, version } = await order(first)
  expect([tags, version]).toEqual([['fragile', 'ঈদ'], 1])
  const details = events.filter(({ kind }) => kind === 'tags').map(({ detail }) => detail.text)
  expect(details.toSorted()).toEqual(['+ fragile, − vip', '+ vip, + ঈদ'])
  const { rows } = await sql<{ after: object }>`
    select after from audit_log where subject = 'order' and subject_id = ${String(first)} and action = 'changed' order by id`.execute(db)
  expect(rows.map(({ after }) => after)).toEqual([{ tags: ['vip', 'ঈদ'] }, { tags: ['fragile', 'ঈদ'] }])
})

it('a change that changes nothing leaves no trace', async () => {
  await change([first], { add: ['vip'] })
  await change([first], { add: ['vip'], remove: ['other'] })
  expect((await order(first)).events.filter(({ kind }) => kind === 'tags')).toHaveLength(1)
})

it('several orders are tagged at once; one that has ten keeps them', async () => {
  await change([first], { add: Array.from({ length: 10 }, (_, index) => `tag ${index}`) })
  const answer = await results(change([second, first, 999_999], { add: ['late'] }))
  expect(answer.map(({ id, ok, tags }) => [id, ok, tags.length])).toEqual([
    [first, false, 10],
    [second, true, 1],
  ])
  expect((await change([999_999], { add: ['late'] })).status).toBe(404)
})

it('concurrent changes of the same orders all count', async () => {
  const answers = await Promise.all(
    ['a', 'b', 'c', 'd'].map((tag, at) => change(at % 2 ? [first, second] : [second, first], { add: [tag] })),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect((await order(first)).tags).toEqual(['a', 'b', 'c', 'd'])
})

it('the list is filtered by a tag, shows tags, and exports them', async () => {
  await change([first], { add: ['vip'] })
  await change([first, second], { add: ['gift'] })
  expect((await list('tag=VIP')).list.rows.map(({ id, tags }) => [id, tags])).toEqual([[first, ['gift', 'vip']]])
  expect((await list('tag=gift')).list.rows.map(({ id }) => id)).toEqual([second, first])
  expect((await list('tag=none')).list).toMatchObject({ rows: [], count: 0 })
  expect((await list(`tag=${'x'.repeat(500)}`)).list.rows.length).toBeGreaterThan(1)
  expect((await list('tag=gift')).usedTags).toEqual(['gift', 'vip'])
  expect(await listUsedTags(db)).toEqual(['gift', 'vip'])
  const csv = await clerk.get('/admin/orders/export?tag=vip')
  expect(csv.text).toContain('gift, vip')
  expect(csv.text.trim().split('\n')).toHaveLength(2)
})

it.each([
  {},
  { orders: [] },
  { orders: [1], add: [], remove: [] },
  { orders: [1], add: [''] },
  { orders: [1], add: ['   '] },
  { orders: [1], add: ['x'.repeat(31)] },
  { orders: [1], add: ['a\u0000'] },
  { orders: [1], add: [1] },
  { orders: [1], add: 'vip' },
  { orders: [1], add: [{ $ne: '' }] },
  { orders: ['1'], add: ['vip'] },
  { orders: Array.from({ length: 101 }, (_, index) => index + 1), add: ['vip'] },
  { orders: [1], add: Array.from({ length: 11 }, (_, index) => `t${index}`) },
  { orders: [1], add: ['vip'], more: 1 },
])('%j is refused', async (body) => {
  expect((await clerk.post('/admin/orders/tags', body)).status).toBe(422)
})

it('tags are for those who change orders', async () => {
  expect((await change([first], { add: ['vip'] }, viewer)).status).toBe(403)
  expect((await shop.post('/admin/orders/tags', { orders: [first], add: ['vip'] })).status).toBe(401)
  expect((await change([first], { add: ['vip'] }, manager)).status).toBe(200)
})

it('tags belong to the data of the customer', async () => {
  const id = await place({ phone: '01755443322', status: 'cancelled', reason: 'Test' })
  await change([id], { add: ['calls at night'] })
  const person = (await findPerson(db, '01755443322'))!
  expect((await readPersonalData(db, person)).orderTags).toEqual([{ order_id: id, tag: 'calls at night' }])
  expect(await erasePerson(db, person, new Date())).toMatchObject({ ok: true })
  expect((await sql`select 1 from order_tags where order_id = ${id}`.execute(db)).rows).toEqual([])
})

it('the tags in use are looked up one by one, the most used first', async () => {
  await sql`insert into orders (customer_id, name, phone, address, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type, payment_gateway, payable_poisha,
    list_on, placed_at, view_key, tracking_code)
    select (select customer_id from orders where id = ${first}), 'x', '01711111111', 'x', 0, 0, 0, 0, 'full', 'NONE', 0, date '2026-01-01', now(), 'v', 'tagged' || n
    from generate_series(1, 6000) n`.execute(db)
  await sql`insert into order_tags (order_id, tag) select id, case when id % 200 = 0 then 'a-rare' else 'vip' end from orders where tracking_code like 'tagged%'`.execute(
    db,
  )
  await sql`insert into order_tags (order_id, tag) select id, 'gift' from orders where tracking_code like 'tagged%' and id % 20 = 0`.execute(
    db,
  )
  await sql`analyze order_tags`.execute(db)
  const read = await rowsRead(db, 'order_tags', async (tx) => expect(await listUsedTags(tx)).toEqual(['vip', 'gift', 'a-rare']))
  expect(read).toBeLessThan(2500)
  await sql`delete from order_tags`.execute(db)
  expect(await listUsedTags(db)).toEqual([])
})
