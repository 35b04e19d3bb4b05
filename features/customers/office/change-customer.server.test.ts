import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildUser, TEST_PASSWORD } from '#test/factories.ts'
import { openShop } from '#test/request.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const staff = await buildUser(db, { role: 'sales', name: 'Salma' })
const clerk = shop.visitor()
await clerk.signIn(staff.phone)

let serial = 0
async function customer(more: Record<string, unknown> = {}) {
  serial += 1
  const seen = { name: 'Rahim', phone: `0191${String(1_000_000 + serial)}`, email: 'rahim@mail.example', ...more }
  return { ...(await buildUser(db, { ...seen, phone_proven_at: sql`now()` })), seen }
}
const save = (id: number | string, body: object) => clerk.post(`/admin/customers/${id}/details`, body)
const kept = async (id: number) =>
  (
    await sql`select name, phone, coalesce(email, '') as email, phone_proven_at is not null as proven from users where id = ${id}`.execute(
      db,
    )
  ).rows[0]
const log = async (id: number) =>
  (await sql`select actor_id, action, before, after from audit_log where subject = 'customer' and subject_id = ${String(id)}`.execute(db))
    .rows

it('corrects name and email as typed, and writes down what differs', async () => {
  const { id, seen } = await customer()
  const { status, body } = await save(id, { ...seen, name: '  রহিম উদ্দিন ', email: ' Rahim.U@Mail.example ', seen })
  expect([status, body]).toEqual([200, { redirect: `/admin/customers/${id}` }])
  expect(await kept(id)).toEqual({ name: 'রহিম উদ্দিন', phone: seen.phone, email: 'rahim.u@mail.example', proven: true })
  expect(await log(id)).toEqual([
    {
      actor_id: staff.id,
      action: 'changed',
      before: { name: 'Rahim', email: 'rahim@mail.example' },
      after: { name: 'রহিম উদ্দিন', email: 'rahim.u@mail.example' },
    },
  ])
  const { rows } = await sql`select email_at is null as none from users where id = ${id}`.execute(db)
  expect(rows).toEqual([{ none: false }])
})

it('saving what is there changes nothing and is not written down', async () => {
  const { id, seen } = await customer()
  expect((await save(id, { ...seen, seen })).status).toBe(200)
  expect(await log(id)).toEqual([])
})

it('a new phone ends the sessions and must be proven; one signs in with it, not with the old one', async () => {
  const { id, seen } = await customer()
  const shopper = shop.visitor()
  await shopper.signIn(seen.phone)
  expect((await save(id, { ...seen, phone: '+880 1912-000 111', seen })).status).toBe(200)
  expect(await kept(id)).toMatchObject({ phone: '01912000111', proven: false })
  expect((await shopper.get('/account', { accept: 'text/html' })).status).toBe(303)
  const signIn = async (identifier: string) => (await shop.visitor().post('/login', { identifier, password: TEST_PASSWORD })).status
  expect([await signIn('01912000111'), await signIn(seen.phone)]).toEqual([200, 422])
})

it('a phone of somebody else is refused at its field, by name; also when two take it at once', async () => {
  const other = await customer({ name: 'Karim' })
  const [one, two] = [await customer(), await customer()]
  const refused = await save(one.id, { ...one.seen, phone: other.seen.phone, seen: one.seen })
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    { phone: [`This number belongs to Karim (no. ${other.id}). If it is the same person, make one of the two.`] },
  ])
  expect((await save(one.id, { ...one.seen, phone: staff.phone, seen: one.seen })).status).toBe(422)
  const phone = '01912000222'
  const both = await Promise.all([one, two].map(({ id, seen }) => save(id, { ...seen, phone, seen })))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 422])
})

it('two clerks at once: the second is told, and nothing of the first is lost', async () => {
  const { id, seen } = await customer()
  const both = await Promise.all(['One', 'Two'].map((name) => save(id, { ...seen, name, seen })))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await log(id)).toHaveLength(1)
})

it('what the customer changed meanwhile is not written over', async () => {
  const { id, seen } = await customer()
  await sql`update users set email = 'own@mail.example' where id = ${id}`.execute(db)
  expect((await save(id, { ...seen, name: 'Other', seen })).status).toBe(409)
  expect(await kept(id)).toMatchObject({ name: 'Rahim', email: 'own@mail.example' })
})

it('says at each field what is wrong', async () => {
  const { id, seen } = await customer()
  const { status, body } = await save(id, { name: ' ', phone: '01212345678', email: 'a@b', seen })
  expect([status, body.errors]).toEqual([
    422,
    {
      name: ['Please fill this in.'],
      phone: ['Please enter a mobile number, 01XXXXXXXXX.'],
      email: [expect.any(String)],
    },
  ])
  for (const wrong of [{ name: 'a\u0000' }, { name: 'x'.repeat(256) }, { phone: 1 }, { seen: null }, { role: 'owner' }])
    expect((await save(id, { ...seen, seen, ...wrong })).status).toBe(422)
  expect((await save('abc', { ...seen, seen })).status).toBe(422)
  expect((await save(999_999_999, { ...seen, seen })).status).toBe(404)
  expect((await save(staff.id, { ...seen, seen })).status).toBe(404)
})

it('is for those who may, with a token', async () => {
  const { id, seen } = await customer()
  const body = { ...seen, name: 'Other', seen }
  const viewer = shop.visitor()
  await viewer.signIn((await buildUser(db, { role: 'viewer' })).phone)
  expect((await viewer.post(`/admin/customers/${id}/details`, body)).status).toBe(403)
  expect((await viewer.get(`/admin/customers/${id}/edit`, { accept: 'text/html' })).status).toBe(403)
  expect((await clerk.post(`/admin/customers/${id}/details`, body, { token: null })).status).toBe(403)
  expect((await shop.visitor().post(`/admin/customers/${id}/details`, body)).status).toBe(401)
  expect(await kept(id)).toMatchObject({ name: 'Rahim' })
  expect((await clerk.get(`/admin/customers/${id}/edit`, { accept: 'text/html' })).status).toBe(200)
})
