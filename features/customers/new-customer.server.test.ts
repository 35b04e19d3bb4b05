import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const sales = shop.visitor()
const clerk = await buildUser(db, { role: 'sales', name: 'Salma' })
await sales.signIn(clerk.phone)
const area = await buildArea(db, { produce: 80 })
const mango = await buildProduct(db)
beforeEach(async () => {
  await sql`truncate orders, audit_log, customer_notes, sms_outbox, addresses cascade`.execute(db)
  await sql`delete from users where role = 'customer'`.execute(db)
})

const PHONE = '01912345678'
const FORM = { name: 'Abdur Rahim', phone: PHONE, email: '', note: '' }
const create = (more: object = {}, headers: Record<string, string> = {}, who = sales) =>
  who.post('/admin/customers/store', { ...FORM, ...more }, { headers })
const created = async (more: object = {}) => ((await create(more)).body as unknown as { id: number }).id
const users = async () =>
  (await sql`select name, phone, email, phone_verified_at, password_hash from users where role = 'customer'`.execute(db)).rows

async function ordered(phone: string): Promise<number> {
  const body = orderBody(area.id, [[mango.id, 1]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' })
  body.customer.phone = phone
  return (await shop.visitor().post('/customer-orders', body)).body.order_id!
}

describe('creating a customer', () => {
  it('writes the details as they are, a note and the log', async () => {
    const { status, body } = await create({ phone: '+৮৮০ ১৯১২-৩৪৫৬৭৮', email: 'Rahim@Mail.example', note: 'Calls on Fridays' })
    expect([status, body]).toEqual([200, { id: expect.any(Number), redirect: expect.stringMatching(/^\/admin\/customers\/\d+$/) }])
    expect(await users()).toEqual([
      { name: 'Abdur Rahim', phone: PHONE, email: 'rahim@mail.example', phone_verified_at: null, password_hash: null },
    ])
    const notes = await sql`select note, by_id from customer_notes`.execute(db)
    expect(notes.rows).toEqual([{ note: 'Calls on Fridays', by_id: clerk.id }])
    const log = await sql`select action, after from audit_log where subject = 'customer'`.execute(db)
    expect(log.rows).toEqual([
      { action: 'created', after: { name: 'Abdur Rahim', phone: PHONE, email: 'rahim@mail.example', note: 'Calls on Fridays' } },
    ])
  })

  it('a later order with the phone joins it', async () => {
    const id = await created()
    const order = await ordered(PHONE)
    expect((await sql`select customer_id from orders where id = ${order}`.execute(db)).rows).toEqual([{ customer_id: id }])
  })

  it.each([
    [{ name: '' }, 'name'],
    [{ name: 'a'.repeat(256) }, 'name'],
    [{ phone: '' }, 'phone'],
    [{ phone: '123' }, 'phone'],
    [{ email: 'no email' }, 'email'],
    [{ note: 'x'.repeat(1001) }, 'note'],
    [{ note: 'a\u0000' }, 'note'],
    [{ name: 5 }, 'name'],
  ])('%j is rejected at its field', async (more, field) => {
    const { status, body } = await create(more)
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [field]])
    expect(await users()).toEqual([])
  })

  it('a known phone is rejected at the field, also one of a merged customer and of staff', async () => {
    const known = await buildUser(db, { name: 'Karim', phone: PHONE })
    const { status, body } = await create()
    expect([status, body.errors]).toEqual([422, { phone: [`This number belongs to Karim (no. ${known.id}).`] }])
    const target = await buildUser(db, { name: 'Target' })
    await sql`update users set merged_into = ${target.id}, merged_at = now(), disabled_at = now() where id = ${known.id}`.execute(db)
    expect((await create()).body.errors).toEqual({ phone: [`This number belongs to Target (no. ${target.id}).`] })
    expect((await create({ phone: clerk.phone })).body.errors).toEqual({ phone: [`This number belongs to Salma (no. ${clerk.id}).`] })
  })

  it('is created once by repeated and concurrent requests', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const same = await Promise.all([1, 2, 3, 4].map(() => create({}, headers)))
    expect(new Set(same.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    const others = await Promise.all([1, 2, 3, 4].map(() => create({ phone: '01912345679' })))
    expect(others.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
    expect(await users()).toHaveLength(2)
  })

  it('strangers, customers and other roles create none', async () => {
    expect((await create({}, {}, shop.visitor())).status).toBe(401)
    for (const role of ['customer', 'viewer', 'cashier', 'weigher'] as const) {
      const visitor = shop.visitor()
      await visitor.signIn((await buildUser(db, { role })).phone)
      expect([role, (await create({}, {}, visitor)).status]).toEqual([role, 403])
    }
    expect((await sales.post('/admin/customers/store', FORM, { token: null })).status).toBe(403)
  })
})

describe('an SMS to a customer', () => {
  const write = (id: number | string, message: unknown, who = sales) => who.post(`/admin/customers/${id}/sms`, { message })
  const written = async () => (await sql`select body, phone, order_id, purpose, sent_by from sms_outbox order by id`.execute(db)).rows

  it('is in the outbox without an order, in the log, and on the page', async () => {
    const id = await created()
    const { status, body } = await write(id, ' Your mango is ripe.\r\nCall us ')
    const text = 'Your mango is ripe.\nCall us'
    expect([status, body]).toMatchObject([200, { message: 'SMS queued.', state: 'queued', sms: { text, phone: PHONE, sent_by: 'Salma' } }])
    expect(await written()).toEqual([{ body: text, phone: PHONE, order_id: null, purpose: 'staff', sent_by: clerk.id }])
    const log = await sql`select after from audit_log where subject = 'sms'`.execute(db)
    expect(log.rows).toEqual([{ after: { customer: id, phone: PHONE, text } }])
    const page = await sales.get(`/admin/customers/${id}`, { accept: 'text/html' })
    expect(pageProps<{ sms: { text: string }[] }>(page.text).sms.map((sms) => sms.text)).toEqual([text])
  })

  it('ten concurrent requests send it once, to two customers twice', async () => {
    const [one, two] = [await created(), await created({ phone: '01912345679' })]
    const sent = await Promise.all(Array.from({ length: 10 }, () => write(one, 'Once')))
    expect(new Set(sent.map(({ body }) => (body as unknown as { id: number }).id)).size).toBe(1)
    await write(two, 'Once')
    expect(await written()).toHaveLength(2)
  })

  it('wrong texts and receivers are rejected', async () => {
    const id = await created()
    for (const message of ['', ' \n', 'ক'.repeat(403), 'a\u0000', 5, null, ['a'], 'x'.repeat(20_001)])
      expect([message, (await write(id, message)).status]).toEqual([message, 422])
    for (const other of [999_999_999, clerk.id]) expect((await write(other, 'Hello')).status).toBe(404)
    for (const other of ['abc', 0, '9'.repeat(30)]) expect((await write(other, 'Hello')).status).toBe(422)
    expect(await written()).toEqual([])
  })

  it('strangers, customers and other roles send none', async () => {
    const id = await created()
    expect((await write(id, 'Hello', shop.visitor())).status).toBe(401)
    const viewer = shop.visitor()
    await viewer.signIn((await buildUser(db, { role: 'viewer' })).phone)
    expect((await write(id, 'Hello', viewer)).status).toBe(403)
    expect((await sales.post(`/admin/customers/${id}/sms`, { message: 'Hello' }, { token: null })).status).toBe(403)
    expect(await written()).toEqual([])
  })
})
