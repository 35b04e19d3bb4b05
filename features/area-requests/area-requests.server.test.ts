import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { AreaRequestRow } from './queries.server.ts'

// Shoppers whose area is not listed leave name, phone and place; staff call them.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
beforeEach(async () => {
  await sql`truncate area_requests, attempt_counts`.execute(db)
})

const REQUEST = { name: 'Rahima', phone: '০১৭১২৩৪৫৬৭৮', place: 'Savar, Dhaka' }
const send = (more: object = {}) => shop.visitor().post('/api/area-requests', { ...REQUEST, ...more })
const rows = async () =>
  (
    await sql<{
      name: string
      phone: string
      place: string
      state: string
      note: string
    }>`select name, phone, place, state, note from area_requests order by id`.execute(db)
  ).rows

describe('a request', () => {
  it('is stored once a phone and day, also when sent several times at once', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => send()))
    expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201])
    expect(await rows()).toEqual([{ ...REQUEST, phone: '01712345678', state: 'new', note: '' }])
    // The row that staff have open is not another one.
    expect((await sql`select version from area_requests`.execute(db)).rows).toEqual([{ version: 1 }])
    await send({ place: 'Dhamrai' })
    expect((await rows()).map((row) => row.place)).toEqual(['Dhamrai'])
    await sql`update area_requests set requested_on = requested_on - 1`.execute(db)
    await send()
    expect(await rows()).toHaveLength(2)
  })

  it('for the same place stays as it is once staff have called; for another one staff call again', async () => {
    await send()
    await sql`update area_requests set state = 'called', note = 'Not yet'`.execute(db)
    expect((await send()).status).toBe(201)
    expect(await rows()).toMatchObject([{ place: REQUEST.place, state: 'called' }])
    expect((await send({ place: 'Dhamrai' })).status).toBe(201)
    expect(await rows()).toMatchObject([{ place: 'Dhamrai', state: 'new', note: 'Not yet' }])
  })

  it.each([
    ['phone', '123'],
    ['phone', ''],
    ['phone', null],
    ['name', ' '],
    ['name', 'x'.repeat(256)],
    ['place', undefined],
    ['place', ['Savar']],
    ['place', 'a\u0000b'],
    ['more', 'field'],
  ])('is rejected with %s %j', async (field, value) => {
    expect((await send({ [field]: value })).status).toBe(422)
    expect(await rows()).toEqual([])
  })
})

describe('the list', () => {
  it('is handled by sales, once of two at once, and only read by viewers', async () => {
    await send()
    const sales = await signedIn(shop, 'sales')
    const html = { accept: 'text/html' }
    const found = pageProps<{ page: { rows: AreaRequestRow[] } }>((await sales.get('/admin/area-requests?state=new', html)).text).page.rows
    expect(found).toMatchObject([{ name: 'Rahima', phone: '01712345678', place: 'Savar, Dhaka', state: 'new', version: 1 }])
    const { id } = found[0]!
    const handle = (client: Pick<typeof sales, 'post'>, state: string, version = 1) =>
      client.post(`/admin/area-requests/${id}`, { state, note: 'Calls back', version })
    const answers = await Promise.all([handle(sales, 'called'), handle(sales, 'done')])
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409])
    expect(answers.map(({ body }) => (body as { request: AreaRequestRow }).request.version)).toEqual([2, 2])
    expect((await handle(sales, 'lost', 2)).status).toBe(422)
    expect((await handle(await signedIn(shop, 'weigher'), 'done', 2)).status).toBe(403)
    expect((await handle(shop.visitor(), 'done', 2)).status).toBe(401)
    expect((await sales.post('/admin/area-requests/999999', { state: 'done', note: '', version: 1 })).status).toBe(404)
  })
})
