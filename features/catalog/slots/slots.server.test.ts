import { sql } from 'kysely'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildProduct, buildUser } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { SlotItem, SlotRecord } from './queries.server.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const clerk = shop.visitor()
await clerk.signIn((await buildUser(db, { role: 'manager' })).phone)
beforeEach(() => sql`truncate slots, audit_log cascade`.execute(db))
const [mango, lychee] = [await buildProduct(db, { name_en: 'Himsagar' }), await buildProduct(db, { name_en: 'Lychee' })]

const body = { name_en: 'Fresh', name_bn: 'তাজা', active: true, product_ids: [mango.id, lychee.id] }
const created = async (more: object = {}) =>
  ((await clerk.post('/admin/slots/store', { ...body, ...more })).body as unknown as { slot: SlotRecord }).slot
const listed = async () => pageProps<{ slots: SlotItem[] }>((await clerk.get('/admin/slots', { accept: 'text/html' })).text).slots
const remove = async (id: number | string) =>
  clerk.send('DELETE', `/admin/slots/${id}`, undefined, { headers: { accept: 'application/json', 'x-csrf-token': await clerk.token() } })
const slotsOnHome = async () =>
  pageProps<{ slots: { slot_name: string; products: { id: number }[] }[] }>((await shop.get('/', { accept: 'text/html' })).text).slots
const actions = async () =>
  (await sql<{ action: string }>`select action from audit_log order by id`.execute(db)).rows.map(({ action }) => action)

it('a slot is created with its products in order, and the home page shows it immediately', async () => {
  const slot = await created({ product_ids: [lychee.id, mango.id] })
  expect(slot).toMatchObject({
    name_en: 'Fresh',
    version: 1,
    products: [{ id: lychee.id, name: 'Lychee', visible: true }, { id: mango.id }],
  })
  expect(await listed()).toEqual([{ id: slot.id, name: 'Fresh', active: true, products: 2, left_out: 0 }])
  expect((await slotsOnHome()).map(({ slot_name, products }) => [slot_name, products.map(({ id }) => id)])).toEqual([
    ['Fresh', [lychee.id, mango.id]],
  ])
  const changed = await clerk.post(`/admin/slots/${slot.id}`, { ...body, product_ids: [mango.id], version: 1 })
  expect(changed.body).toMatchObject({ slot: { version: 2, products: [{ id: mango.id }] } })
  expect((await slotsOnHome())[0]?.products).toHaveLength(1)
  await clerk.post(`/admin/slots/${slot.id}`, { ...body, active: false, version: 2 })
  expect(await slotsOnHome()).toEqual([])
  expect(await actions()).toEqual(['created', 'changed', 'changed'])
})

it('the home page gets no slots of which nothing can be ordered, however many products they have', async () => {
  for (let season = 0; season < 4; season++) {
    const sold = await Promise.all(Array.from({ length: 60 }, () => buildAnimal(db, { status: 'sold' })))
    await created({ name_en: `Season ${season}`, product_ids: sold.map(({ id }) => id) })
  }
  await created()
  expect((await slotsOnHome()).map(({ slot_name, products }) => [slot_name, products.length])).toEqual([['Fresh', 2]])
})

it('the list names the products for which the home page has no room', async () => {
  const many = await Promise.all(Array.from({ length: 60 }, () => buildProduct(db)))
  const ids = many.map(({ id }) => id)
  await created({ name_en: 'Hidden', product_ids: ids, active: false })
  for (const name_en of ['A', 'B', 'C', 'D', 'E']) await created({ name_en, product_ids: ids })
  expect((await slotsOnHome()).map(({ products }) => products.length)).toEqual([60, 60, 60, 20])
  expect((await listed()).map(({ name, left_out }) => [name, left_out])).toEqual([
    ['Hidden', 0],
    ['A', 0],
    ['B', 0],
    ['C', 0],
    ['D', 40],
    ['E', 60],
  ])
})

it('slots are reordered completely, or not at all', async () => {
  const ids = [(await created({ name_en: 'A' })).id, (await created({ name_en: 'B' })).id, (await created({ name_en: 'C' })).id]
  const [a, b, c] = ids as [number, number, number]
  const order = (...wanted: number[]) =>
    clerk.post('/admin/slots/reorder', { order: wanted.map((id, index) => ({ id, priority: index + 1 })) })
  expect((await order(c, a, b)).status).toBe(200)
  expect((await listed()).map(({ id }) => id)).toEqual([c, a, b])
  for (const wanted of [[a, b], [a, a, b], [a, b, c, 999], []]) expect((await order(...wanted)).status).toBe(422)
  expect((await clerk.post('/admin/slots/reorder', { order: [{ id: a, priority: 0 }] })).status).toBe(422)
  const responses = await Promise.all([order(a, b, c), order(b, c, a), remove(c)])
  for (const { status } of responses) expect([200, 422]).toContain(status)
  expect((await listed()).map(({ id }) => id).sort()).toEqual([a, b])
})

it('reports errors at their fields, and changes nothing', async () => {
  const { id } = await created()
  const wrong = { name_en: '', name_bn: 'x'.repeat(101), active: 1, product_ids: [mango.id, mango.id], version: 1 }
  expect((await clerk.post(`/admin/slots/${id}`, wrong)).body.errors).toEqual({
    name_en: ['This field is required.'],
    name_bn: ['This text is too long.'],
    active: ['Choose an option.'],
    product_ids: ['A product can be chosen only once.'],
  })
  expect((await clerk.post(`/admin/slots/${id}`, { ...body, product_ids: [999_999], version: 1 })).body.errors).toEqual({
    product_ids: ['A product no longer exists. Reload the page.'],
  })
  for (const product_ids of [Array.from({ length: 61 }, (_, index) => index + 1), ['x'], null, [-1], [1e15]])
    expect((await clerk.post(`/admin/slots/${id}`, { ...body, product_ids, version: 1 })).status).toBe(422)
  expect((await clerk.post(`/admin/slots/${id}`, { ...body, position: 1, version: 1 })).status).toBe(422)
  expect(await actions()).toEqual(['created'])
})

it('of two concurrent changes the second is a conflict; a deleted slot is not found', async () => {
  const { id } = await created()
  const change = (name_en: string) => clerk.post(`/admin/slots/${id}`, { ...body, name_en, version: 1 })
  expect((await Promise.all([change('One'), change('Two')])).map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await Promise.all([remove(id), remove(id)])).map(({ status }) => status).sort()).toEqual([200, 404])
  expect((await clerk.post(`/admin/slots/${id}`, { ...body, version: 2 })).status).toBe(404)
  expect((await clerk.get(`/admin/slots/${id}`, { accept: 'text/html' })).status).toBe(404)
  expect((await remove('99999999999')).status).toBe(422)
})

it('a name is shown as text, not as markup', async () => {
  const slot = await created({ name_en: '</script><img src=x onerror=alert(1)>' })
  for (const path of ['/', '/admin/slots', `/admin/slots/${slot.id}`])
    expect((await clerk.get(path, { accept: 'text/html' })).text).not.toContain('<img src=x')
})
