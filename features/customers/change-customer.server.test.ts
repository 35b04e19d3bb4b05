import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { codeSentTo } from '#test/codes.ts'
import { testDb, untilLockWait } from '#test/db.ts'
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
const newPhone = () => `0193${String(1_000_000 + (serial += 1))}`
async function customer(more: Record<string, unknown> = {}) {
  serial += 1
  const previous = { name: 'Rahim', phone: `0191${String(1_000_000 + serial)}`, email: 'rahim@mail.example', ...more }
  return { ...(await buildUser(db, { ...previous, phone_verified_at: sql`now()` })), previous }
}
const save = (id: number | string, body: object, who = clerk) => who.post(`/admin/customers/${id}/details`, body)
const smsTo = async (phone: string) =>
  (await sql<{ body: string }>`select body from sms_outbox where phone = ${phone} order by id`.execute(db)).rows.map(({ body }) => body)
const findUser = async (id: number) =>
  (
    await sql`select name, phone, coalesce(email, '') as email, phone_verified_at is not null as verified from users where id = ${id}`.execute(
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
  const { id, previous } = await customer()
  const { status, body } = await save(id, { ...previous, name: '  রহিম উদ্দিন ', email: ' Rahim.U@Mail.example ', previous })
  expect([status, body]).toEqual([200, { redirect: `/admin/customers/${id}` }])
  expect(await findUser(id)).toEqual({ name: 'রহিম উদ্দিন', phone: previous.phone, email: 'rahim.u@mail.example', verified: true })
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
  const { id, previous } = await customer()
  expect((await save(id, { ...previous, previous })).status).toBe(200)
  expect(await log(id)).toEqual([])
})

it('a new phone ends the sessions and must be verified; one signs in with it, not with the old one', async () => {
  const [{ id, previous }, phone] = [await customer(), newPhone()]
  const shopper = shop.visitor()
  await shopper.signIn(previous.phone)
  const typed = `+880 ${phone.slice(1, 5)}-${phone.slice(5, 8)} ${phone.slice(8)}`
  expect((await save(id, { ...previous, phone: typed, previous }, manager)).status).toBe(200)
  expect(await findUser(id)).toMatchObject({ phone, verified: false })
  expect((await shopper.get('/account', { accept: 'text/html' })).status).toBe(303)
  const signIn = async (identifier: string) => (await shop.visitor().post('/login', { identifier, password: TEST_PASSWORD })).status
  expect([await signIn(phone), await signIn(previous.phone)]).toEqual([200, 422])
})

it('a used phone is rejected at its field, with the name of its customer; also for concurrent changes', async () => {
  const other = await customer({ name: 'Karim' })
  const [one, two] = [await customer(), await customer()]
  const refused = await save(one.id, { ...one.previous, phone: other.previous.phone, previous: one.previous }, manager)
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    { phone: [`This number belongs to Karim (no. ${other.id}). If it is the same person, merge the two.`] },
  ])
  expect((await save(one.id, { ...one.previous, phone: staff.phone, previous: one.previous }, manager)).status).toBe(422)
  const phone = newPhone()
  const both = await Promise.all([one, two].map(({ id, previous }) => save(id, { ...previous, phone, previous }, manager)))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 422])
})

it('two concurrent clerks: the second gets a conflict, and no change of the first is lost', async () => {
  const { id, previous } = await customer()
  const both = await Promise.all(['One', 'Two'].map((name) => save(id, { ...previous, name, previous })))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await log(id)).toHaveLength(1)
})

it('what the customer changed meanwhile is not written over', async () => {
  const { id, previous } = await customer()
  await sql`update users set email = 'own@mail.example' where id = ${id}`.execute(db)
  expect((await save(id, { ...previous, name: 'Other', previous })).status).toBe(409)
  expect(await findUser(id)).toMatchObject({ name: 'Rahim', email: 'own@mail.example' })
})

it('says at each field what is wrong', async () => {
  const { id, previous } = await customer()
  const { status, body } = await save(id, { name: ' ', phone: '01212345678', email: 'a@b', previous })
  expect([status, body.errors]).toEqual([
    422,
    {
      name: ['This field is required.'],
      phone: ['Enter a mobile number: 01XXXXXXXXX.'],
      email: [expect.any(String)],
    },
  ])
  for (const wrong of [{ name: 'a\u0000' }, { name: 'x'.repeat(256) }, { phone: 1 }, { previous: null }, { role: 'owner' }])
    expect((await save(id, { ...previous, previous, ...wrong })).status).toBe(422)
  expect((await save('abc', { ...previous, previous })).status).toBe(422)
  expect((await save(999_999_999, { ...previous, previous })).status).toBe(404)
  expect((await save(staff.id, { ...previous, previous })).status).toBe(404)
})

it('is for those who may, with a token', async () => {
  const { id, previous } = await customer()
  const body = { ...previous, name: 'Other', previous }
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
    ['a verified phone', { password_hash: null }],
    ['both', { name: 'Rahim' }],
  ])('%s makes an account: sales get 403, a manager may change it, the old number gets an SMS, the log shows it', async (_what, marks) => {
    const { id, previous } = await customer()
    await db.updateTable('users').set(marks).where('id', '=', id).execute()
    const phone = `0192${String(3_000_000 + serial)}`
    const refused = await save(id, { ...previous, name: 'Other', phone, previous })
    const text = 'This customer has an account or credit. Only a manager can change their phone.'
    expect([refused.status, refused.body]).toEqual([403, { message: text, error: text, errors: { phone: [text] } }])
    expect([await findUser(id), await log(id), await smsTo(previous.phone)]).toEqual([
      expect.objectContaining({ name: 'Rahim', phone: previous.phone }),
      [],
      [],
    ])
    // Name and email are theirs to correct.
    expect((await save(id, { ...previous, email: 'other@mail.example', previous })).status).toBe(200)
    const now = { ...previous, email: 'other@mail.example' }
    expect((await save(id, { ...now, phone, previous: now }, manager)).status).toBe(200)
    const [sms, ...more] = await smsTo(previous.phone)
    expect([sms, more, await smsTo(phone)]).toEqual([expect.stringContaining(`${phone.slice(0, 3)}*****${phone.slice(-3)}`), [], []])
    expect(sms).toMatch(/[ঀ-৿]/)
    expect((await log(id)).at(-1)).toMatchObject({ before: { phone: previous.phone }, after: { phone } })
    // An undone verification does not bypass the permission.
    const moved = { ...now, phone }
    expect((await save(id, { ...moved, phone: `0192${String(4_000_000 + serial)}`, previous: moved })).status).toBe(403)
    expect(await findUser(id)).toMatchObject({ phone, verified: false })
  })

  it('of a guest it may be changed, without an SMS', async () => {
    const [{ id, previous }, phone] = [await customer(), newPhone()]
    await sql`update users set password_hash = null, phone_verified_at = null where id = ${id}`.execute(db)
    expect((await save(id, { ...previous, phone, previous })).status).toBe(200)
    expect([await findUser(id), await smsTo(previous.phone)]).toEqual([expect.objectContaining({ phone }), []])
  })

  it('a guest who proves the phone at the same moment keeps it, or opens a new account with it', async () => {
    const [{ id, previous }, phone] = [await customer(), newPhone()]
    await sql`update users set password_hash = null, phone_verified_at = null, email_at = now() where id = ${id}`.execute(db)
    const shopper = shop.visitor()
    await shopper.post('/login/code', { phone: previous.phone })
    const code = await codeSentTo(db, previous.phone)
    const [verified, moved] = await Promise.all([shopper.post('/code', { code }), save(id, { ...previous, phone, previous })])
    // In either order, the phone is that of the signed-in user.
    expect(verified.status).toBe(200)
    expect([200, 403]).toContain(moved.status)
    const { user } = verified.body as unknown as { user: { id: number } }
    expect(await findUser(user.id)).toMatchObject({ phone: previous.phone })
    expect(await findUser(id)).toMatchObject({ phone: moved.status === 403 ? previous.phone : phone })
  })

  it.each<[string, (shopper: Visitor, phone: string) => Promise<{ status: number }>]>([
    ['a code opens a new account', async (shopper, phone) => shopper.post('/code', { code: await codeSentTo(db, phone) })],
    [
      'a clerk adds a new customer',
      (_shopper, phone) => clerk.post('/admin/customers/store', { name: 'Karim', phone, email: '', note: '' }),
    ],
  ])('a phone that another transaction is taking from its guest is free: %s', async (_what, take) => {
    const { id, previous } = await customer()
    await sql`update users set password_hash = null, phone_verified_at = null where id = ${id}`.execute(db)
    const [shopper, next] = [shop.visitor(), `0192${String(6_000_000 + serial)}`]
    await shopper.post('/login/code', { phone: previous.phone })
    const taken = await db.transaction().execute(async (tx) => {
      await sql`select from users where id = ${id} for update`.execute(tx)
      const taking = take(shopper, previous.phone)
      await untilLockWait(db)
      await sql`update users set phone = ${next} where id = ${id}`.execute(tx)
      return { taking }
    })
    expect((await taken.taking).status).toBe(200)
    const { rows } = await sql<{ phone: string }>`select phone from users where id = ${id} or phone = ${previous.phone}`.execute(db)
    expect(rows.map(({ phone }) => phone).toSorted()).toEqual([previous.phone, next].toSorted())
  })

  it('the form shows the field closed and why, for sales alone', async () => {
    const { id } = await customer()
    const form = async (who: Visitor) => (await who.get(`/admin/customers/${id}/edit`, { accept: 'text/html' })).text
    const why = 'Only a manager can change their phone.'
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
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'The other customer has an account or credit. Only a manager can merge them.',
    ])
    const page = (await clerk.get(`/admin/customers/${mine.id}/merge?with=${victim.previous.phone}`, { accept: 'text/html' })).text
    expect(page).toContain('Only a manager can merge them.')
    expect([await log(mine.id), await smsTo(victim.previous.phone)]).toEqual([[], []])
    expect((await merge(mine.id, victim.id, manager)).status).toBe(200)
    expect(await smsTo(victim.previous.phone)).toEqual([expect.stringContaining(mine.previous.phone.slice(-3))])
    const guest = await customer()
    await sql`update users set password_hash = null, phone_verified_at = null where id = ${guest.id}`.execute(db)
    expect((await merge(mine.id, guest.id, clerk)).status).toBe(200)
    expect(await smsTo(guest.previous.phone)).toEqual([])
  })
})

it('no other way gives a customer of an account another phone: an order, a sale, an order by phone leave it as it is', async () => {
  const area = await buildArea(db, { produce: 80 })
  const mango = await buildProduct(db)
  const { id, previous } = await customer()
  const order = { name: 'Thief', phone: previous.phone, email: 'thief@mail.example', address: 'Road 1', area_id: area.id }
  const made = await clerk.post('/admin/orders/store', { ...order, products: [{ product_id: mango.id, quantity: 1 }] })
  expect(made.status).toBe(200)
  expect((await clerk.post(`/admin/orders/update/${made.body.order_id}`, { phone: '01926000001', address: 'Road 1' })).status).toBe(200)
  expect(await findUser(id)).toEqual({ ...previous, verified: true })
  // The order goes to the holder of its phone.
  const { rows } = await sql`select o.phone, u.id <> ${id} as is_other from orders o join users u on u.id = o.customer_id
    where o.id = ${made.body.order_id} and u.phone = o.phone`.execute(db)
  expect(rows).toEqual([{ phone: '01926000001', is_other: true }])
})
