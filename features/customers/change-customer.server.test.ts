import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { codeSentTo } from '#test/codes.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, buildUser, TEST_PASSWORD } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const staff = await buildUser(db, { role: 'sales', name: 'Salma' })
const clerk = shop.visitor()
await clerk.signIn(staff.phone)
const manager = shop.visitor()
await manager.signIn((await buildUser(db, { role: 'manager' })).phone)

let serial = 0
async function customer(more: Record<string, unknown> = {}) {
  serial += 1
  const seen = { name: 'Rahim', phone: `0191${String(1_000_000 + serial)}`, email: 'rahim@mail.example', ...more }
  return { ...(await buildUser(db, { ...seen, phone_verified_at: sql`now()` })), seen }
}
const save = (id: number | string, body: object, who = clerk) => who.post(`/admin/customers/${id}/details`, body)
const smsTo = async (phone: string) =>
  (await sql<{ body: string }>`select body from sms_outbox where phone = ${phone} order by id`.execute(db)).rows.map(({ body }) => body)
const findUser = async (id: number) =>
  (
    await sql`select name, phone, coalesce(email, '') as email, phone_verified_at is not null as proven from users where id = ${id}`.execute(
      db,
    )
  ).rows[0]
const log = async (id: number) =>
  (
    await sql`select actor_id, action, before, after from audit_log where subject = 'customer' and subject_id = ${String(id)} order by id`.execute(
      db,
    )
  ).rows

it('corrects name and email as typed, and writes down what differs', async () => {
  const { id, seen } = await customer()
  const { status, body } = await save(id, { ...seen, name: '  রহিম উদ্দিন ', email: ' Rahim.U@Mail.example ', seen })
  expect([status, body]).toEqual([200, { redirect: `/admin/customers/${id}` }])
  expect(await findUser(id)).toEqual({ name: 'রহিম উদ্দিন', phone: seen.phone, email: 'rahim.u@mail.example', proven: true })
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
  expect((await save(id, { ...seen, phone: '+880 1912-000 111', seen }, manager)).status).toBe(200)
  expect(await findUser(id)).toMatchObject({ phone: '01912000111', proven: false })
  expect((await shopper.get('/account', { accept: 'text/html' })).status).toBe(303)
  const signIn = async (identifier: string) => (await shop.visitor().post('/login', { identifier, password: TEST_PASSWORD })).status
  expect([await signIn('01912000111'), await signIn(seen.phone)]).toEqual([200, 422])
})

it('a used phone is rejected at its field, with the name of its customer; also for concurrent changes', async () => {
  const other = await customer({ name: 'Karim' })
  const [one, two] = [await customer(), await customer()]
  const refused = await save(one.id, { ...one.seen, phone: other.seen.phone, seen: one.seen }, manager)
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    { phone: [`This number belongs to Karim (no. ${other.id}). If it is the same person, merge the two.`] },
  ])
  expect((await save(one.id, { ...one.seen, phone: staff.phone, seen: one.seen }, manager)).status).toBe(422)
  const phone = '01912000222'
  const both = await Promise.all([one, two].map(({ id, seen }) => save(id, { ...seen, phone, seen }, manager)))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 422])
})

it('two concurrent clerks: the second gets a conflict, and no change of the first is lost', async () => {
  const { id, seen } = await customer()
  const both = await Promise.all(['One', 'Two'].map((name) => save(id, { ...seen, name, seen })))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await log(id)).toHaveLength(1)
})

it('what the customer changed meanwhile is not written over', async () => {
  const { id, seen } = await customer()
  await sql`update users set email = 'own@mail.example' where id = ${id}`.execute(db)
  expect((await save(id, { ...seen, name: 'Other', seen })).status).toBe(409)
  expect(await findUser(id)).toMatchObject({ name: 'Rahim', email: 'own@mail.example' })
})

it('says at each field what is wrong', async () => {
  const { id, seen } = await customer()
  const { status, body } = await save(id, { name: ' ', phone: '01212345678', email: 'a@b', seen })
  expect([status, body.errors]).toEqual([
    422,
    {
      name: ['This field is required.'],
      phone: ['Enter a mobile number: 01XXXXXXXXX.'],
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
  expect(await findUser(id)).toMatchObject({ name: 'Rahim' })
  expect((await clerk.get(`/admin/customers/${id}/edit`, { accept: 'text/html' })).status).toBe(200)
})

describe('the phone of an account is not for sales to change', () => {
  it.each<[string, object]>([
    ['a password', { phone_verified_at: null }],
    ['a proven phone', { password_hash: null }],
    ['both', { name: 'Rahim' }],
  ])('%s makes an account: sales get 403, a manager may change it, the old number gets an SMS, the log shows it', async (_what, marks) => {
    const { id, seen } = await customer()
    await db.updateTable('users').set(marks).where('id', '=', id).execute()
    const phone = `0192${String(3_000_000 + serial)}`
    const refused = await save(id, { ...seen, name: 'Other', phone, seen })
    const text = 'This customer has an account. Only a manager can change its phone.'
    expect([refused.status, refused.body]).toEqual([403, { message: text, error: text, errors: { phone: [text] } }])
    expect([await findUser(id), await log(id), await smsTo(seen.phone)]).toEqual([
      expect.objectContaining({ name: 'Rahim', phone: seen.phone }),
      [],
      [],
    ])
    // Name and email are theirs to correct.
    expect((await save(id, { ...seen, email: 'other@mail.example', seen })).status).toBe(200)
    const now = { ...seen, email: 'other@mail.example' }
    expect((await save(id, { ...now, phone, seen: now }, manager)).status).toBe(200)
    const [sms, ...more] = await smsTo(seen.phone)
    expect([sms, more, await smsTo(phone)]).toEqual([expect.stringContaining(`${phone.slice(0, 3)}*****${phone.slice(-3)}`), [], []])
    expect(sms).toMatch(/[ঀ-৿]/)
    expect((await log(id)).at(-1)).toMatchObject({ before: { phone: seen.phone }, after: { phone } })
    // An undone verification does not bypass the permission.
    const moved = { ...now, phone }
    expect((await save(id, { ...moved, phone: `0192${String(4_000_000 + serial)}`, seen: moved })).status).toBe(403)
    expect(await findUser(id)).toMatchObject({ phone, proven: false })
  })

  it('of a guest it may be changed, without an SMS', async () => {
    const { id, seen } = await customer()
    await sql`update users set password_hash = null, phone_verified_at = null where id = ${id}`.execute(db)
    expect((await save(id, { ...seen, phone: '01925000001', seen })).status).toBe(200)
    expect([await findUser(id), await smsTo(seen.phone)]).toEqual([expect.objectContaining({ phone: '01925000001' }), []])
  })

  it('a guest who proves the phone at the same moment keeps it', async () => {
    const { id, seen } = await customer()
    await sql`update users set password_hash = null, phone_verified_at = null where id = ${id}`.execute(db)
    const shopper = shop.visitor()
    await shopper.post('/login/code', { phone: seen.phone })
    const code = await codeSentTo(db, seen.phone)
    const [proven, moved] = await Promise.all([shopper.post('/code', { code }), save(id, { ...seen, phone: '01925000002', seen })])
    // In either order, the phone and the signed-in user match.
    expect([
      [200, 403],
      [409, 200],
    ]).toContainEqual([proven.status, moved.status])
    expect(await findUser(id)).toMatchObject({ phone: proven.status === 200 ? seen.phone : '01925000002' })
  })

  it('the form shows the field closed and why, for sales alone', async () => {
    const { id } = await customer()
    const form = async (who: Visitor) => (await who.get(`/admin/customers/${id}/edit`, { accept: 'text/html' })).text
    const why = 'Only a manager can change its phone.'
    expect([(await form(clerk)).includes(why), (await form(manager)).includes(why)]).toEqual([true, false])
    expect(/<input[^>]*name="phone"[^>]*disabled|<input[^>]*disabled[^>]*name="phone"/.test(await form(clerk))).toBe(true)
  })
})

describe('merging accounts', () => {
  const merge = (target: number, other: number, who: Visitor) => who.post(`/admin/customers/${target}/merge`, { other, orders: 0 })

  it('into another is for a manager, and its number hears of it; a guest is for sales', async () => {
    const [mine, victim] = [await customer(), await customer()]
    await sql`update users set password_hash = null where id = ${victim.id}`.execute(db)
    const refused = await merge(mine.id, victim.id, clerk)
    expect([refused.status, refused.body.message]).toEqual([403, 'The other customer has an account. Only a manager can merge it.'])
    const page = (await clerk.get(`/admin/customers/${mine.id}/merge?with=${victim.seen.phone}`, { accept: 'text/html' })).text
    expect(page).toContain('Only a manager can merge it.')
    expect([await log(mine.id), await smsTo(victim.seen.phone)]).toEqual([[], []])
    expect((await merge(mine.id, victim.id, manager)).status).toBe(200)
    expect(await smsTo(victim.seen.phone)).toEqual([expect.stringContaining(mine.seen.phone.slice(-3))])
    const guest = await customer()
    await sql`update users set password_hash = null, phone_verified_at = null where id = ${guest.id}`.execute(db)
    expect((await merge(mine.id, guest.id, clerk)).status).toBe(200)
    expect(await smsTo(guest.seen.phone)).toEqual([])
  })
})

it('no other way gives a customer of an account another phone: an order, a sale, an order by phone leave it as it is', async () => {
  const area = await buildArea(db, { produce: 80 })
  const mango = await buildProduct(db)
  const { id, seen } = await customer()
  const order = { name: 'Thief', phone: seen.phone, email: 'thief@mail.example', address: 'Road 1', area_id: area.id }
  const made = await clerk.post('/admin/orders/store', { ...order, products: [{ product_id: mango.id, quantity: 1 }] })
  expect(made.status).toBe(200)
  expect((await clerk.post(`/admin/orders/update/${made.body.order_id}`, { phone: '01926000001', address: 'Road 1' })).status).toBe(200)
  expect(await findUser(id)).toEqual({ ...seen, proven: true })
  const { rows } = await sql`select phone, customer_id = ${id} as stays from orders where id = ${made.body.order_id}`.execute(db)
  expect(rows).toEqual([{ phone: '01926000001', stays: true }])
  expect((await sql`select 1 from users where phone = '01926000001'`.execute(db)).rows).toEqual([])
})
