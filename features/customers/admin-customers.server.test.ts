import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildAddress, buildArea, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { rowsRead } from '#test/rows-read.ts'
import type { CustomerRow } from './customer-list.server.ts'
import { type CustomerRecord, findCustomer } from './customer-record.server.ts'
import { readCustomerSearch } from './list-query-rules.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const staff = await buildUser(db, { role: 'sales', name: 'Salma' })
const clerk = shop.visitor()
await clerk.signIn(staff.phone)
const manager = shop.visitor()
await manager.signIn((await buildUser(db, { role: 'manager' })).phone)
const area = await buildArea(db, { produce: 80 })
const mango = await buildProduct(db)
beforeEach(async () => {
  await sql`truncate orders, audit_log, customer_notes, coupon_uses, kurbani_bookings, addresses cascade`.execute(db)
  await sql`delete from users where role = 'customer'`.execute(db)
})

type ListProps = { list: { rows: CustomerRow[]; next: Record<string, string> | null } }
const list = async (query = '') => pageProps<ListProps>((await clerk.get(`/admin/customers${query}`, { accept: 'text/html' })).text).list
const names = async (q: string) => (await list(`?q=${encodeURIComponent(q)}`)).rows.map(({ name }) => name)
type RecordProps = { customer: CustomerRecord; orders: { id: number }[]; bookings: { phone: string }[]; sms: { phone: string }[] }
const record = async (id: number) => pageProps<RecordProps>((await clerk.get(`/admin/customers/${id}`, { accept: 'text/html' })).text)
const log = () => db.selectFrom('audit_log').selectAll().orderBy('id').execute()

/** An order of a guest with this phone, as the shop takes it. */
async function ordered(phone: string): Promise<number> {
  const body = orderBody(area.id, [[mango.id, 1]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' })
  body.customer.phone = phone
  const answer = await shop.visitor().post('/customer-orders', body)
  if (!answer.body.order_id) throw new Error(answer.text)
  return answer.body.order_id
}
const ownerOf = async (id: number) =>
  (await sql<{ customer_id: number }>`select customer_id from orders where id = ${id}`.execute(db)).rows[0]?.customer_id

describe('the list', () => {
  it('finds a phone in any spelling, its beginning, a number, an email, a name in both scripts', async () => {
    const rahim = await buildUser(db, { name: 'Abdur Rahim', phone: '01912345678', email: 'Rahim_1@mail.example' })
    await buildUser(db, { name: 'সালমা', phone: '01912399999', email: null })
    for (const q of [
      '01912345678',
      '+880 1912-345678',
      '০১৯১২৩৪৫৬৭৮',
      String(rahim.id),
      `#${rahim.id}`,
      'rahim_1@',
      'RAHIM_1@mail',
      'রহিম',
      'roheem',
    ])
      expect([q, await names(q)]).toEqual([q, ['Abdur Rahim']])
    expect(await names('019123')).toEqual(['সালমা', 'Abdur Rahim'])
    expect(await names('Salma')).toEqual(['সালমা'])
    for (const q of ['%', '_@', "'; drop table users --", '\\', 'Xqzptl', '9'.repeat(40), '😀'.repeat(50)])
      expect([q, await names(q)]).toEqual([q, []])
  })

  it('shows what was spent, never the staff; pages by key to the end', async () => {
    for (let i = 0; i < 60; i++) await buildUser(db, { name: `Buyer ${i}` })
    const id = await ordered('01911111111')
    await sql`update orders set status = 'delivered' where id = ${id}`.execute(db)
    const first = await list()
    expect(first.rows[0]).toMatchObject({ phone: '01911111111', spent: 200, orders_count: 1, has_account: false })
    const second = await list(`?${new URLSearchParams(first.next!).toString()}`)
    const third = await list(`?${new URLSearchParams(second.next!).toString()}`)
    const all = [...first.rows, ...second.rows, ...third.rows]
    expect([all.length, new Set(all.map((row) => row.id)).size, third.next]).toEqual([61, 61, null])
    expect((await list('?end=1')).rows.at(-1)?.name).toBe('Buyer 0')
    expect(all.some(({ name }) => name === 'Salma')).toBe(false)
    for (const query of ['?after=abc', '?after=1e99', '?before=', '?page=-1', '?state=x']) expect((await list(query)).rows).toHaveLength(25)
  })

  it.each([
    ['a whole phone', '+8801712345678', { by: 'phone', phone: '01712345678' }],
    ['a beginning', '01712', { by: 'phone-start', from: '01712000000', to: '01712999999' }],
    ['blank', '  ', null],
    ['NUL', 'a\u0000', null],
  ])('reads %s', (_name, typed, search) => expect(readCustomerSearch(typed)).toEqual(search))
})

describe('one customer', () => {
  it('shows the refund due beside what is still to pay', async () => {
    const [ended, overpaid, open] = [await ordered('01911111111'), await ordered('01911111111'), await ordered('01911111111')]
    for (const [id, poisha] of [
      [ended, 10_000],
      [overpaid, 20_500],
    ])
      await sql`insert into ledger_entries (order_id, kind, method, amount_poisha) values (${id}, 'advance', 'cash', ${poisha})`.execute(db)
    await sql`update orders set status = 'cancelled', reason = 'No answer' where id = ${ended}`.execute(db)
    const id = (await ownerOf(open))!
    expect((await record(id)).customer).toMatchObject({ refund_due: 105 })
    expect(await rowsRead(db, 'orders', (tx) => findCustomer(tx, id, new Date()))).toBe(3)
  })

  it('shows orders with dues, addresses, bookings, texts, notes and devices', async () => {
    const id = await ordered('01911111111')
    const customer = (await ownerOf(id))!
    await buildAddress(db, customer, area.id)
    await sql`insert into kurbani_bookings (name, phone, price_range) values ('Rahima', '01911111111', '1,00,000')`.execute(db)
    const props = await record(customer)
    expect(props.customer).toMatchObject({ due: 200, spent: 0, orders_count: 1, delivered_count: 0, notes: [], other_phones: [] })
    expect(props.customer.addresses).toHaveLength(1)
    expect([props.orders.map((order) => order.id), props.bookings.length, props.sms.length > 0]).toEqual([[id], 1, true])
    for (const path of ['/admin/customers/999999999', '/admin/customers/abc', `/admin/customers/${staff.id}`])
      expect((await clerk.get(path, { accept: 'text/html' })).status).toBe(404)
  })

  it('stores notes with author and time, and treats whatever they are made of as text', async () => {
    const { id } = await buildUser(db)
    const note = `<img src=x onerror=alert(1)> "call after 5"\nপরে`
    const answer = await clerk.post(`/admin/customers/${id}/notes`, { note })
    expect((answer.body as { customer: CustomerRecord }).customer.notes).toMatchObject([{ note, by: 'Salma' }])
    const page = await clerk.get(`/admin/customers/${id}`, { accept: 'text/html' })
    expect(page.text).not.toContain('<img src=x')
    expect(await log()).toMatchObject([{ action: 'noted', subject: 'customer', subject_id: String(id), actor_id: staff.id }])
  })

  it.each([{}, { note: ' ' }, { note: 'x'.repeat(1001) }, { note: 'a\u0000b' }, { note: 'x', by_id: 1 }, { note: 5 }])(
    'rejects the note %j',
    async (body) => {
      const { id } = await buildUser(db)
      expect((await clerk.post(`/admin/customers/${id}/notes`, body)).status).toBe(422)
      expect(await log()).toEqual([])
    },
  )

  it('closing the account signs its devices out and keeps it closed; opening lets it in again', async () => {
    const buyer = await buildUser(db, { phone_verified_at: new Date() })
    const phone = shop.visitor()
    await phone.signIn(buyer.phone)
    expect((await phone.get('/account', { accept: 'text/html' })).status).toBe(200)
    const userAgent = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36'
    await db.updateTable('sessions').set({ user_agent: userAgent }).where('user_id', '=', buyer.id).execute()
    const { devices } = (await record(buyer.id)).customer
    expect(devices).toMatchObject([{ browser: 'Chrome', system: 'Android' }])
    expect(JSON.stringify(devices)).not.toContain('Mozilla')
    const answers = await Promise.all(Array.from({ length: 5 }, () => clerk.post(`/admin/customers/${buyer.id}/disable`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    expect((await phone.get('/account', { accept: 'text/html' })).status).toBe(303)
    expect((await phone.signIn(buyer.phone)).status).toBe(422)
    expect((await clerk.post(`/admin/customers/${buyer.id}/enable`)).status).toBe(200)
    expect((await phone.signIn(buyer.phone)).status).toBe(200)
    expect((await clerk.post(`/admin/customers/${buyer.id}/sign-out`)).status).toBe(200)
    expect((await phone.get('/account', { accept: 'text/html' })).status).toBe(303)
    expect((await log()).map(({ action }) => action)).toEqual(['disabled', 'enabled', 'signed-out'])
  })

  it('is not changed without permission, without a token, or through other fields', async () => {
    const buyer = await buildUser(db)
    for (const role of ['viewer', 'cashier', 'weigher', 'customer'] as const) {
      const other = shop.visitor()
      await other.signIn((await buildUser(db, { role })).phone)
      for (const path of ['notes', 'disable', 'enable', 'sign-out', 'merge'])
        expect([role, path, (await other.post(`/admin/customers/${buyer.id}/${path}`, { note: 'x' })).status]).toEqual([role, path, 403])
      expect((await other.get('/admin/customers', { accept: 'text/html' })).status).toBe(role === 'viewer' ? 200 : 403)
    }
    expect((await clerk.post(`/admin/customers/${buyer.id}/disable`, {}, { token: null })).status).toBe(403)
    expect((await clerk.post(`/admin/customers/${buyer.id}/disable`, { role: 'owner' })).status).toBe(422)
    expect((await clerk.post(`/admin/customers/${staff.id}/disable`)).status).toBe(404)
    expect((await clerk.post('/admin/customers/999999999/disable')).status).toBe(404)
    expect(await log()).toEqual([])
  })
})

describe('a merge', () => {
  const merge = (target: number, other: number, orders: number) => manager.post(`/admin/customers/${target}/merge`, { other, orders })

  it('moves orders, addresses, notes and coupons, disables the other account, and assigns its phone to the target', async () => {
    const [a, b] = [await ordered('01911111111'), await ordered('01922222222')]
    const [target, other] = [(await ownerOf(a))!, (await ownerOf(b))!]
    await sql`update users set password_hash = (select password_hash from users where id = ${staff.id}), email = 'b@x.example' where id = ${other}`.execute(
      db,
    )
    await sql`update users set email = null where id = ${target}`.execute(db)
    const old = shop.visitor()
    await old.signIn('01922222222')
    for (const id of [target, other]) await buildAddress(db, id, area.id)
    await clerk.post(`/admin/customers/${other}/notes`, { note: 'Pays late' })
    await sql`insert into kurbani_bookings (name, phone, price_range) values ('Rahima', '01922222222', '1,00,000')`.execute(db)

    const page = await clerk.get(`/admin/customers/${target}/merge?with=${encodeURIComponent('+880 1922-222222')}`, { accept: 'text/html' })
    expect(pageProps<{ preview: object }>(page.text).preview).toMatchObject({
      ok: true,
      other: { id: other, orders: 1, addresses: 1, notes: 1, bookings: 1, has_account: true },
    })
    expect((await merge(target, other, 1)).body.redirect).toBe(`/admin/customers/${target}`)

    const props = await record(target)
    expect(props.customer).toMatchObject({ orders_count: 2, email: 'b@x.example', other_phones: [{ id: other, phone: '01922222222' }] })
    expect(props.customer.addresses.filter(({ is_default }) => is_default)).toHaveLength(1)
    expect([props.customer.addresses.length, props.customer.notes.length, props.bookings.length]).toEqual([2, 1, 1])
    expect((await old.get('/account', { accept: 'text/html' })).status).toBe(303)
    expect((await old.signIn('01922222222')).status).toBe(422)

    const later = await ordered('01922222222')
    expect(await ownerOf(later)).toBe(target)
    const gone = await clerk.get(`/admin/customers/${other}`, { accept: 'text/html' })
    expect([gone.status, gone.headers.location]).toEqual([303, `/admin/customers/${target}`])
    expect((await list('?q=01922222222')).rows.map(({ id }) => id)).toEqual([target])
    expect((await clerk.post(`/admin/customers/${other}/enable`)).status).toBe(404)
    expect((await log()).at(-1)).toMatchObject({ action: 'merged', subject_id: String(target), before: { other: { id: other } } })
  })

  it('a chain leads to the last one', async () => {
    const ids = await Promise.all(
      ['01911111111', '01922222222', '01933333333'].map(async (phone) => (await ownerOf(await ordered(phone)))!),
    )
    const [first, second, third] = ids as [number, number, number]
    expect((await merge(second, first, 1)).status).toBe(200)
    expect((await merge(third, second, 2)).status).toBe(200)
    expect(await ownerOf(await ordered('01911111111'))).toBe(third)
    expect((await record(third)).customer).toMatchObject({ orders_count: 4, other_phones: [{ id: first }, { id: second }] })
  })

  it('an order placed at the same moment is never left behind', async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await ordered(`0194000000${round}`), await ordered(`0195000000${round}`)]
      const [target, other] = [(await ownerOf(a))!, (await ownerOf(b))!]
      const [merged, ...later] = await Promise.all([
        merge(target, other, 1),
        ...Array.from({ length: 4 }, () => ordered(`0195000000${round}`)),
      ])
      expect([200, 409]).toContain(merged.status)
      const owner = merged.status === 200 ? target : other
      for (const id of [b, ...later]) expect(await ownerOf(id)).toBe(owner)
    }
  })

  it('concurrent merges in both directions: one succeeds; a repetition changes nothing', async () => {
    const [a, b] = [await buildUser(db), await buildUser(db)]
    const answers = await Promise.all([merge(a.id, b.id, 0), merge(b.id, a.id, 0), merge(a.id, b.id, 0), merge(b.id, a.id, 0)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    expect(await log()).toHaveLength(1)
  })

  it('is rejected where it is impossible, without a change', async () => {
    const [a, b, closed] = [await buildUser(db), await buildUser(db), await buildUser(db, { disabled_at: new Date() })]
    expect((await merge(a.id, a.id, 0)).status).toBe(409)
    expect((await merge(a.id, 999_999_999, 0)).status).toBe(404)
    expect((await merge(a.id, staff.id, 0)).status).toBe(409)
    expect((await merge(staff.id, a.id, 0)).status).toBe(409)
    expect((await merge(closed.id, a.id, 0)).status).toBe(409)
    expect((await merge(a.id, b.id, 7)).body.message).toBe('Something has changed. Please review again.')
    for (const body of [
      {},
      { other: 'x', orders: 0 },
      { other: -1, orders: 0 },
      { other: b.id, orders: 0, role: 'owner' },
      { other: 1e300, orders: 0 },
    ])
      expect((await clerk.post(`/admin/customers/${a.id}/merge`, body)).status).toBe(422)
    expect(await log()).toEqual([])
    const preview = async (typed: string) =>
      pageProps<{ preview: { reason?: string } | null }>(
        (await clerk.get(`/admin/customers/${a.id}/merge?with=${encodeURIComponent(typed)}`, { accept: 'text/html' })).text,
      ).preview
    expect([await preview(''), await preview('01999999999'), await preview('Rahim'), await preview(a.phone)]).toMatchObject([
      null,
      { reason: 'missing' },
      { reason: 'missing' },
      { reason: 'same' },
    ])
  })
})
