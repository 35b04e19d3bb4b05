import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildCategory, buildProduct, buildUser } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { Answer } from '#test/visitor.ts'
import type { CategoryItem, CategoryRecord } from './queries.server.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const clerk = shop.visitor()
await clerk.signIn((await buildUser(db, { role: 'manager' })).phone)
const viewer = shop.visitor()
await viewer.signIn((await buildUser(db, { role: 'viewer' })).phone)
beforeEach(() => sql`truncate categories, audit_log cascade`.execute(db))

const body = {
  name_en: 'Rice & Lentils',
  name_bn: 'চাল ও ডাল',
  description: 'From our own fields',
  delivery_group: 'produce',
  cod_allowed: true,
  final_weighing_days: '',
}
const list = async () => (await clerk.get('/api/admin/categories')).body as unknown as CategoryItem[]
const positions = async () => (await list()).map(({ id, priority }) => [id, priority])
const reorder = (order: unknown) => clerk.post('/api/admin/categories/reorder', { order })
const remove = async (id: number | string, who = clerk): Promise<Answer> =>
  who.send('DELETE', `/admin/category/delete/${id}`, undefined, {
    headers: { accept: 'application/json', 'x-csrf-token': await who.token() },
  })
const actions = async () =>
  (await sql<{ action: string; subject: string }>`select action, subject from audit_log order by id`.execute(db)).rows.map(
    ({ action, subject }) => `${action} ${subject}`,
  )
const three = async () => [
  await buildCategory(db, { id: 11, priority: 1 }),
  await buildCategory(db, { id: 12, priority: 2 }),
  await buildCategory(db, { id: 13, priority: 3 }),
]

describe('a category', () => {
  it('is added at the end, with a unique slug and an audit entry', async () => {
    await three()
    const response = await clerk.post('/admin/category/store', body)
    expect(response).toMatchObject({
      status: 200,
      body: { redirect: '/admin/categories', category: { name_en: 'Rice & Lentils', version: 1 } },
    })
    expect((await list()).at(-1)).toMatchObject({ name: 'Rice & Lentils', description: 'From our own fields', priority: 4 })
    const { rows } = await sql<{ slug: string }>`select slug from categories order by priority desc limit 1`.execute(db)
    expect(rows[0]?.slug).toBe('rice-lentils')
    expect(await actions()).toEqual(['created category'])
  })

  it('sent again after a lost answer is the same one, not a name that is taken', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const send = () => clerk.post('/admin/category/store', body, { headers })
    const [first, again] = [await send(), await send()]
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(await list()).toHaveLength(1)
    expect((await clerk.post('/admin/category/store', body)).status).toBe(422)
  })

  it('is changed, and shown immediately', async () => {
    const { id } = await buildCategory(db, { name_en: 'Beef', delivery_group: 'cattle', cod_allowed: false })
    const response = await clerk.post(`/admin/category/update/${id}`, {
      ...body,
      name_en: 'Beef Cattle',
      delivery_group: 'cattle',
      final_weighing_days: '২',
      version: 1,
    })
    expect(response.body).toMatchObject({ category: { name_en: 'Beef Cattle', final_weighing_days: 2, cod_allowed: true, version: 2 } })
    const page = await viewer.get(`/admin/category/${id}/edit`, { accept: 'text/html' })
    expect(pageProps<{ category: CategoryRecord }>(page.text).category).toMatchObject({ name_en: 'Beef Cattle', final_weighing_days: 2 })
  })

  it('has errors at their fields', async () => {
    const wrong = {
      name_en: ' ',
      name_bn: 'x'.repeat(101),
      description: 'x'.repeat(1001),
      delivery_group: 'fish',
      cod_allowed: 'yes',
      final_weighing_days: '61',
    }
    const { status, body: response } = await clerk.post('/admin/category/store', wrong)
    expect([status, response.errors]).toEqual([
      422,
      {
        name_en: ['This field is required.'],
        name_bn: ['This text is too long.'],
        description: ['This text is too long.'],
        delivery_group: ['Choose an option.'],
        cod_allowed: ['Choose an option.'],
        final_weighing_days: ['Enter a whole number within the allowed range.'],
      },
    ])
    expect((await clerk.post('/admin/category/store', { ...body, priority: 1 })).status).toBe(422)
    expect((await clerk.post('/admin/category/store', {})).status).toBe(422)
    expect(await list()).toEqual([])
  })

  it('has a unique name, also when two are created concurrently', async () => {
    const responses = await Promise.all([
      clerk.post('/admin/category/store', body),
      clerk.post('/admin/category/store', { ...body, name_en: 'RICE & lentils' }),
    ])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 422])
    expect(responses.find(({ status }) => status === 422)?.body.errors).toEqual({ name_en: ['Another category has this name.'] })
  })

  it('is changed with optimistic locking: the second change is a conflict', async () => {
    const { id } = await buildCategory(db)
    const change = (name_en: string) => clerk.post(`/admin/category/update/${id}`, { ...body, name_en, version: 1 })
    const responses = await Promise.all([change('First'), change('Second')])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await actions()).toEqual(['changed category'])
  })

  it('keeps its group when it is protected; its names can change', async () => {
    const { id } = await buildCategory(db, { key: 'kurbani', name_en: 'Kurbani Cow' })
    const same = { ...body, name_en: 'Eid cattle', delivery_group: 'cattle', version: 1 }
    expect((await clerk.post(`/admin/category/update/${id}`, { ...same, delivery_group: 'produce' })).body.errors).toEqual({
      delivery_group: ['The delivery group of a protected category stays.'],
    })
    expect((await clerk.post(`/admin/category/update/${id}`, { ...same, key: 'beef' })).status).toBe(422)
    const response = await clerk.post(`/admin/category/update/${id}`, { ...same, name_bn: 'ঈদের গরু' })
    expect(response.body).toMatchObject({ category: { name_en: 'Eid cattle', name_bn: 'ঈদের গরু', is_protected: true } })
  })

  it('that does not exist is not found, for any id', async () => {
    for (const id of ['999999999', '0', 'abc', '99999999999999', '-1']) {
      expect([404, 422]).toContain((await clerk.post(`/admin/category/update/${id}`, { ...body, version: 1 })).status)
      expect([404, 422]).toContain((await remove(id)).status)
      expect((await clerk.get(`/admin/category/${id}/edit`, { accept: 'text/html' })).status).toBe(404)
    }
  })

  it('has a name that is shown as text, not as markup', async () => {
    const name = '"><img src=x onerror=alert(1)></script>'
    await clerk.post('/admin/category/store', { ...body, name_en: name })
    expect((await list())[0]?.name).toBe(name)
    const page = await clerk.get(`/admin/category/${(await list())[0]?.id}/edit`, { accept: 'text/html' })
    expect(page.text).not.toContain('<img src=x')
  })
})

describe('deleting', () => {
  it('renumbers the list', async () => {
    await three()
    expect(await remove(12)).toMatchObject({ status: 200, body: { message: 'Category deleted successfully' } })
    expect(await positions()).toEqual([
      [11, 1],
      [13, 2],
    ])
    expect((await remove(12)).status).toBe(404)
    expect(await actions()).toEqual(['deleted category'])
  })

  it('accepts a JSON request without a body', async () => {
    await three()
    const headers = { 'content-type': 'application/json', 'x-csrf-token': await clerk.token() }
    expect((await clerk.send('DELETE', '/admin/category/delete/12', '', { headers })).status).toBe(200)
  })

  it('is rejected with the reason for a protected category, and for one with products', async () => {
    const fixed = await buildCategory(db, { key: 'fruits' })
    const [full, shared] = [await buildCategory(db), await buildCategory(db)]
    await buildProduct(db, { category_id: full.id, visible: false })
    const product = await buildProduct(db)
    await db.insertInto('product_categories').values({ product_id: product.id, category_id: shared.id }).execute()
    expect(await remove(fixed.id)).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/^Shop pages depend on this category/) },
    })
    for (const { id } of [full, shared])
      expect(await remove(id)).toMatchObject({
        status: 409,
        body: { error: 'This category has products. Move them to another category first.' },
      })
    expect(await actions()).toEqual([])
  })

  it('and adding a product concurrently: one of both is rejected', async () => {
    const { id } = await buildCategory(db)
    const [gone, made] = await Promise.allSettled([remove(id), buildProduct(db, { category_id: id })])
    const { rows } = await sql`select 1 from categories where id = ${id}`.execute(db)
    expect(rows).toHaveLength(made.status === 'fulfilled' ? 1 : 0)
    expect(gone).toMatchObject({ value: { status: made.status === 'fulfilled' ? 409 : 200 } })
  })

  it('needs DELETE and the permission', async () => {
    const { id } = await buildCategory(db)
    for (const accept of ['text/html', 'image/png', 'application/json'])
      expect([404, 405]).toContain((await clerk.get(`/admin/category/delete/${id}`, { accept })).status)
    expect((await remove(id, viewer)).status).toBe(403)
    expect((await clerk.send('DELETE', `/admin/category/delete/${id}`)).status).toBe(403)
    expect(await list()).toHaveLength(1)
  })
})

describe('reordering', () => {
  beforeEach(three)
  const order = (...ids: number[]) => ids.map((id, index) => ({ id, priority: index + 1 }))

  it('accepts the whole list', async () => {
    expect(await reorder(order(13, 11, 12))).toMatchObject({ status: 200, body: { message: 'Order updated successfully' } })
    expect(await positions()).toEqual([
      [13, 1],
      [11, 2],
      [12, 3],
    ])
    expect(await actions()).toEqual(['reordered category'])
  })

  it('repeated writes no second audit entry', async () => {
    for (let times = 0; times < 2; times++) expect((await reorder(order(13, 11, 12))).status).toBe(200)
    expect(await actions()).toHaveLength(1)
  })

  it.each<[string, unknown]>([
    ['an id twice', order(11, 11, 12)],
    ['an id missing', order(11, 12)],
    ['an id that is not there', order(11, 12, 999)],
    ['one more than there are', order(11, 12, 13, 999)],
    ['priority 0', [{ id: 11, priority: 0 }, ...order(12, 13)]],
    ['priority −1', [{ id: 11, priority: -1 }, ...order(12, 13)]],
    [
      'a priority in words',
      [
        { id: 11, priority: 'first' },
        { id: 12, priority: 2 },
        { id: 13, priority: 3 },
      ],
    ],
    [
      'half a priority',
      [
        { id: 11, priority: 1.5 },
        { id: 12, priority: 2 },
        { id: 13, priority: 3 },
      ],
    ],
    [
      'a priority twice',
      [
        { id: 11, priority: 1 },
        { id: 12, priority: 1 },
        { id: 13, priority: 2 },
      ],
    ],
    [
      'a gap',
      [
        { id: 11, priority: 1 },
        { id: 12, priority: 2 },
        { id: 13, priority: 4 },
      ],
    ],
    ['ids alone', [11, 12, 13]],
    ['a field more', order(11, 12, 13).map((one) => ({ ...one, name_en: 'x' }))],
    ['an empty list', []],
    ['no list', null],
    ['a list too long', order(...Array.from({ length: 1001 }, (_, index) => index + 1))],
  ])('is 422 for %s, and the order does not change', async (_name, wanted) => {
    const response = await reorder(wanted)
    expect([response.status, response.body.error]).toEqual([422, response.body.message])
    expect(await positions()).toEqual([
      [11, 1],
      [12, 2],
      [13, 3],
    ])
    expect(await actions()).toEqual([])
  })

  it('concurrently: one of both orders, with priorities 1 to n', async () => {
    const responses = await Promise.all([reorder(order(13, 12, 11)), reorder(order(12, 11, 13)), clerk.post('/admin/category/store', body)])
    for (const { status } of responses) expect([200, 422]).toContain(status)
    expect((await positions()).map(([, priority]) => priority)).toEqual([1, 2, 3, 4])
  })
})
