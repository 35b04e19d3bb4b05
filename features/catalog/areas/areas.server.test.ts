import { sql } from 'kysely'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildArea, buildUser } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { AreaRecord } from './queries.server.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const owner = await buildUser(db, { role: 'owner' })
const clerk = shop.visitor()
await clerk.signIn(owner.phone)
beforeEach(() => sql`truncate areas, audit_log cascade`.execute(db))

const body = {
  name_en: 'Savar',
  name_bn: 'সাভার',
  active: true,
  position: 1,
  cattle: { kind: 'set', charge: '১,৫০০' },
  produce: { kind: 'own', charge: null },
}
const log = async () =>
  (
    await sql<{
      action: string
      subject_id: string
      before: object | null
      after: object | null
      actor_id: number
    }>`select * from audit_log order by id`.execute(db)
  ).rows

it('adds an area with typed amounts, and an audit entry', async () => {
  const response = await clerk.post('/admin/areas/store', body)
  expect(response).toMatchObject({
    status: 200,
    body: {
      redirect: '/admin/areas',
      area: { name_en: 'Savar', cattle: { kind: 'set', charge: 1500 }, produce: { kind: 'own', charge: null }, version: 1 },
    },
  })
  expect(await log()).toMatchObject([{ action: 'created', actor_id: owner.id, before: null, after: { name_en: 'Savar' } }])
  const page = await clerk.get('/admin/areas', { accept: 'text/html' })
  expect(pageProps<{ areas: AreaRecord[] }>(page.text).areas).toHaveLength(1)
})

it('changes names and charges, and logs only the differences', async () => {
  const { id } = await buildArea(db, { cattle: 1500, produce: 'closed', name_en: 'Dhaka' })
  const response = await clerk.post(`/admin/areas/${id}`, {
    ...body,
    version: 1,
    name_en: 'Dhaka',
    cattle: { kind: 'set', charge: 1600 },
    produce: { kind: 'closed' },
  })
  expect(response).toMatchObject({
    status: 200,
    body: { area: { version: 2, cattle: { kind: 'set', charge: 1600 }, produce: { kind: 'closed', charge: null } } },
  })
  const [entry] = await log()
  expect(entry).toMatchObject({ before: { cattle: { kind: 'set', charge: 1500 } }, after: { cattle: { kind: 'set', charge: 1600 } } })
  expect(entry?.after).not.toHaveProperty('produce')
  expect(entry?.after).not.toHaveProperty('name_en')
})

it('a save that changes nothing is no entry', async () => {
  const { id } = await buildArea(db, { name_en: 'Dhaka' })
  const { id: _id, ...form } = pageProps<{ areas: AreaRecord[] }>((await clerk.get('/admin/areas', { accept: 'text/html' })).text).areas[0]!
  expect(await clerk.post(`/admin/areas/${id}`, form)).toMatchObject({ status: 200, body: { area: { version: 2 } } })
  expect(await log()).toEqual([])
})

it('of two concurrent changes the second is a conflict, and the first is stored', async () => {
  const { id } = await buildArea(db)
  const responses = await Promise.all(
    ['Savar', 'Gazipur'].map((name_en) => clerk.post(`/admin/areas/${id}`, { ...body, name_en, version: 1 })),
  )
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(responses.find(({ status }) => status === 409)?.body.message).toMatch(/^Someone else has changed this/)
  expect(await log()).toHaveLength(1)
})

it('reports errors at their fields, in the reader’s language', async () => {
  const bad = {
    ...body,
    name_en: ' ',
    name_bn: 'x'.repeat(101),
    position: '-1',
    cattle: { kind: 'set', charge: 'much' },
    produce: { kind: 'free' },
  }
  const { status, body: response } = await clerk.post('/admin/areas/store', bad)
  expect([status, response.errors]).toEqual([
    422,
    {
      name_en: ['This field is required.'],
      name_bn: ['This text is too long.'],
      position: ['Enter a whole number within the allowed range.'],
      'cattle.charge': ['Enter an amount, e.g. 1500 or 150.50.'],
      'produce.kind': ['Choose an option.'],
    },
  ])
  const bengali = await clerk.post(
    '/admin/areas/store',
    { ...body, name_en: '' },
    { headers: { cookie: `${[...clerk.cookies].map(([n, v]) => `${n}=${v}`).join('; ')}; lang=bn` } },
  )
  expect(bengali.body.errors).toEqual({ name_en: ['এই ঘরটি পূরণ করুন।'] })
})

it('rejects unknown fields and unknown areas', async () => {
  const { id } = await buildArea(db)
  expect((await clerk.post(`/admin/areas/${id}`, { ...body, version: 1, id: 5 })).status).toBe(422)
  expect((await clerk.post('/admin/areas/999999999', { ...body, version: 1 })).status).toBe(404)
  expect((await clerk.post('/admin/areas/abc', { ...body, version: 1 })).status).toBe(422)
  expect(await log()).toEqual([])
})

it('the page of an area has one address: none with a zero before its number', async () => {
  const { id } = await buildArea(db)
  const statusOf = async (text: string) => (await clerk.get(`/admin/areas/${text}`, { accept: 'text/html' })).status
  expect([await statusOf(String(id)), await statusOf(`0${id}`)]).toEqual([200, 404])
})

it('a change is visible in the shop when the response arrives', async () => {
  const { id } = await buildArea(db, { name_en: 'Old name' })
  const areas = async () =>
    pageProps<{ areas: { area_name: string }[] }>((await shop.get('/cart', { accept: 'text/html' })).text).areas.map(
      (area) => area.area_name,
    )
  expect(await areas()).toEqual(['Old name'])
  await clerk.post(`/admin/areas/${id}`, { ...body, version: 1 })
  expect(await areas()).toEqual(['Savar'])
})
