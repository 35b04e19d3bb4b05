import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '#lib/db/db.server.ts'
import { testDb, untilLockWait } from '#test/db.ts'
import { buildUser } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { Answer } from '#test/visitor.ts'
import type { StaffRow } from './queries.server.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const me = await buildUser(db, { role: 'owner', name: 'Owner' })
const owner = shop.visitor()
await owner.signIn(me.phone)
beforeEach(async () => {
  await sql`truncate audit_log, orders cascade`.execute(db)
  await sql`delete from users where id <> ${me.id}`.execute(db)
  await sql`update users set role = 'owner', disabled_at = null where id = ${me.id}`.execute(db)
})

const NEW = { name: 'Jamil', phone: '+880 1911-111111', role: 'sales' }
const log = () => db.selectFrom('audit_log').selectAll().orderBy('id').execute()
const personOf = (answer: Answer) => (answer.body as unknown as { person: StaffRow; password?: string }).person
const passwordOf = (answer: Answer) => (answer.body as unknown as { password?: string }).password
const roleOf = async (id: number) => (await sql<{ role: string }>`select role from users where id = ${id}`.execute(db)).rows[0]?.role
const inAdmin = async (visitor: { get(path: string, headers: Record<string, string>): Promise<Answer> }) =>
  (await visitor.get('/admin', { accept: 'text/html' })).status

async function sellOnAccount(tx: Db, { id: customer, phone }: { id: number; phone: string }): Promise<number> {
  const { rows } = await sql<{
    id: number
  }>`insert into orders (status, source, customer_id, name, phone, address, subtotal_poisha, shipping_poisha, discount_poisha,
      total_poisha, payment_type, payment_gateway, payable_poisha, list_on, placed_at, view_key, tracking_code)
    values ('completed', 'pos', ${customer}, 'Rahima', ${phone}, 'x', 5000, 0, 0, 5000, 'full', 'NONE', 0, '2026-11-20', now(), 'k', 't') returning id`.execute(
    tx,
  )
  const { id } = rows[0]!
  await tx.insertInto('account_sales').values({ order_id: id, amount_poisha: 5000 }).execute()
  return id
}

describe('the staff', () => {
  it('are listed with role, second factor and when they were last seen; customers are not', async () => {
    const clerk = await buildUser(db, { role: 'sales', name: 'Salma' })
    await buildUser(db)
    await sql`insert into second_factors (user_id, secret, confirmed_at, created_at) values (${clerk.id}, 'x', now(), now())`.execute(db)
    const page = await owner.get('/admin/staff', { accept: 'text/html' })
    const { staff } = pageProps<{ staff: StaffRow[] }>(page.text)
    expect(staff).toMatchObject([
      { name: 'Owner', role: 'owner', second_factor: false },
      { name: 'Salma', role: 'sales', second_factor: true, last_seen_at: null },
    ])
    expect(staff[0]?.last_seen_at).not.toBeNull()
    expect(page.text).not.toMatch(/password_hash|argon2/)
  })

  it('a new member gets a one-time password, which leads only to the choice of an own one', async () => {
    const answer = await owner.post('/admin/staff/store', NEW)
    expect(personOf(answer)).toMatchObject({ name: 'Jamil', phone: '01911111111', role: 'sales', password_once: true })
    const password = passwordOf(answer)!
    expect(password).toMatch(/^([0-9A-Z]{4}-){3}[0-9A-Z]{4}$/)
    const jamil = shop.visitor()
    const entry = await jamil.signIn('01911111111', password)
    expect(entry.body.redirect).toBe('/code')
    expect(await inAdmin(jamil)).toBe(303)
    expect(await log()).toMatchObject([{ action: 'created', subject: 'staff', after: { role: 'sales', was_customer: false } }])
    expect(JSON.stringify(await log())).not.toContain(password)
  })

  it('a one-time password is used up once, and not after a new one', async () => {
    const answer = await owner.post('/admin/staff/store', NEW)
    const begin = async (password: string) => {
      const visitor = shop.visitor()
      expect((await visitor.signIn('01911111111', password)).body.redirect).toBe('/code')
      return visitor
    }
    const [finder, reader] = [await begin(passwordOf(answer)!), await begin(passwordOf(answer)!)]
    const renewed = passwordOf(await owner.post(`/admin/staff/${personOf(answer).id}/password`))!
    expect((await finder.post('/code', { password: 'old password of a finder' })).status).toBe(410)
    const [jamil, other] = [await begin(renewed), await begin(renewed)]
    const own = await jamil.post('/code', { password: 'Jamil 2026' })
    expect(own).toMatchObject({
      status: 422,
      body: { errors: { password: ['Your own number or name is easy to guess. Choose a different password.'] } },
    })
    expect((await jamil.post('/code', { password: 'a password of Jamil' })).status).toBe(200)
    for (const late of [reader, other]) expect((await late.post('/code', { password: 'of another reader' })).status).toBe(410)
    expect((await shop.visitor().signIn('01911111111', 'a password of Jamil')).body.redirect).not.toBe('/code')
  })

  it('a customer becomes staff: signed out, with another password', async () => {
    const buyer = await buildUser(db, { phone: '01911111111' })
    const phone = shop.visitor()
    await phone.signIn(buyer.phone)
    expect(personOf(await owner.post('/admin/staff/store', NEW))).toMatchObject({ id: buyer.id, role: 'sales' })
    expect((await phone.get('/account', { accept: 'text/html' })).status).toBe(303)
    expect((await phone.signIn(buyer.phone)).status).toBe(422)
  })

  it('a customer with a debt or store credit stays a customer until it is settled', async () => {
    const buyer = await buildUser(db, { phone: '01911111111' })
    const id = await sellOnAccount(db, buyer)
    const text = 'This customer owes money on account or has store credit. Settle that first.'
    expect(await owner.post('/admin/staff/store', NEW)).toMatchObject({ status: 422, body: { errors: { phone: [text] } } })
    expect(await roleOf(buyer.id)).toBe('customer')
    await sql`update orders set ledger_balance_poisha = 5000 where id = ${id}`.execute(db)
    expect(personOf(await owner.post('/admin/staff/store', NEW))).toMatchObject({ id: buyer.id, role: 'sales' })
  })

  it('so does one who buys on account at that moment', async () => {
    const buyer = await buildUser(db, { phone: '01911111111' })
    const adding = await db.transaction().execute(async (tx) => {
      await sql`select 1 from users where id = ${buyer.id} for no key update`.execute(tx)
      const answer = owner.post('/admin/staff/store', NEW)
      await untilLockWait(db)
      await sellOnAccount(tx, buyer)
      return { answer }
    })
    expect((await adding.answer).status).toBe(422)
    expect(await roleOf(buyer.id)).toBe('customer')
  })

  it('one phone is added once by concurrent requests; a disabled account is not', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => owner.post('/admin/staff/store', NEW)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
    expect(answers.find(({ status }) => status === 422)?.body.errors).toEqual({ phone: ['A staff member already has this phone.'] })
    await buildUser(db, { phone: '01922222222', disabled_at: new Date() })
    expect((await owner.post('/admin/staff/store', { ...NEW, phone: '01922222222' })).status).toBe(422)
    expect(await log()).toHaveLength(1)
  })

  it('takes no field but its own, and says at each what is wrong', async () => {
    const bad = await owner.post('/admin/staff/store', { name: ' ', phone: '12', role: 'customer' })
    expect([bad.status, Object.keys(bad.body.errors ?? {}).sort()]).toEqual([422, ['name', 'phone', 'role']])
    for (const more of [{ id: 1 }, { disabled_at: null }, { password: 'x' }, { phone_verified_at: 'now' }, { is_admin: true }])
      expect((await owner.post('/admin/staff/store', { ...NEW, ...more })).status).toBe(422)
    for (const body of [{}, { role: 'admin' }, { role: ['owner'] }, { role: 'owner', id: 5 }, { role: 'owner', previous: 'none' }])
      expect((await owner.post(`/admin/staff/${me.id}/role`, { previous: 'owner', ...body })).status).toBe(422)
    expect(await log()).toEqual([])
  })

  it('another role ends the sessions of the old one', async () => {
    const manager = await buildUser(db, { role: 'manager' })
    const visitor = shop.visitor()
    await visitor.signIn(manager.phone)
    expect(await inAdmin(visitor)).toBe(200)
    expect(personOf(await owner.post(`/admin/staff/${manager.id}/role`, { role: 'weigher', previous: 'manager' }))).toMatchObject({
      role: 'weigher',
    })
    expect(await inAdmin(visitor)).toBe(303)
    await visitor.signIn(manager.phone)
    expect((await visitor.get('/admin/leaderboard?start_date=2026-01-01', { accept: 'text/html' })).status).toBe(403)
    expect(await log()).toMatchObject([{ action: 'changed', before: { role: 'manager' }, after: { role: 'weigher' } }])
    expect((await owner.post(`/admin/staff/${manager.id}/role`, { role: 'weigher', previous: 'manager' })).status).toBe(409)
  })

  it('a role that another owner has changed meanwhile is not overwritten', async () => {
    const { id } = await buildUser(db, { role: 'sales' })
    const change = (role: string) => owner.post(`/admin/staff/${id}/role`, { role, previous: 'sales' })
    expect((await change('cashier')).status).toBe(200)
    const stale = await change('manager')
    expect(stale).toMatchObject({ status: 409, body: { person: { id, role: 'cashier' } } })
    expect(stale.body.message).toMatch(/^Someone else has saved this meanwhile/)
  })

  it('the user of walk-in sales is no member of staff', async () => {
    const walkIn = { role: 'walk-in' as const, name: 'Sales without a phone', phone: '' }
    const { id } = await db.insertInto('users').values(walkIn).returning('id').executeTakeFirstOrThrow()
    for (const [path, body] of [
      ['role', { role: 'owner', previous: 'viewer' }],
      ['disable', {}],
      ['password', {}],
    ] as const)
      expect([path, (await owner.post(`/admin/staff/${id}/${path}`, body)).status]).toEqual([path, 404])
    expect(await log()).toEqual([])
  })

  it('the last owner stays under concurrent changes', async () => {
    expect((await owner.post(`/admin/staff/${me.id}/role`, { role: 'manager', previous: 'owner' })).body.message).toMatch(
      /^The shop needs an owner/,
    )
    expect((await owner.post(`/admin/staff/${me.id}/disable`)).status).toBe(409)
    const others = await Promise.all([1, 2].map(() => buildUser(db, { role: 'owner' })))
    const visitors = await Promise.all(
      others.map(async ({ phone }) => {
        const visitor = shop.visitor()
        await visitor.signIn(phone)
        return visitor
      }),
    )
    const [first, second] = [others[0]!, others[1]!]
    await Promise.all([
      owner.post(`/admin/staff/${first.id}/role`, { role: 'viewer', previous: 'owner' }),
      visitors[0]!.post(`/admin/staff/${second.id}/disable`),
      visitors[1]!.post(`/admin/staff/${me.id}/role`, { role: 'viewer', previous: 'owner' }),
    ])
    const { rows } = await sql<{
      owners: number
    }>`select count(*)::int as owners from users where role = 'owner' and disabled_at is null`.execute(db)
    expect(rows[0]?.owners).toBeGreaterThanOrEqual(1)
    await sql`update users set role = 'owner' where id = ${me.id}`.execute(db)
    owner.clearToken()
    expect((await owner.signIn(me.phone)).status).toBe(200)
  })

  it('a disabled account is signed out immediately and can sign in again when enabled', async () => {
    const clerk = await buildUser(db, { role: 'sales' })
    const visitor = shop.visitor()
    await visitor.signIn(clerk.phone)
    expect(personOf(await owner.post(`/admin/staff/${clerk.id}/disable`)).disabled_at).not.toBeNull()
    expect(await inAdmin(visitor)).toBe(303)
    expect((await visitor.signIn(clerk.phone)).status).toBe(422)
    expect((await owner.post(`/admin/staff/${clerk.id}/enable`)).status).toBe(200)
    expect((await visitor.signIn(clerk.phone)).status).toBe(200)
    await buildUser(db, { role: 'owner' })
    expect((await owner.post(`/admin/staff/${me.id}/disable`)).body.message).toBe('You can’t do this to your own account.')
  })

  it('a lost second factor and a lost password are taken away, with the sessions', async () => {
    const clerk = await buildUser(db, { role: 'sales' })
    const visitor = shop.visitor()
    await visitor.signIn(clerk.phone)
    await sql`insert into second_factors (user_id, secret, confirmed_at, created_at) values (${clerk.id}, 'x', now(), now())`.execute(db)
    await sql`insert into recovery_codes (user_id, code_hash) values (${clerk.id}, decode(repeat('ab', 32), 'hex'))`.execute(db)
    expect(personOf(await owner.post(`/admin/staff/${clerk.id}/second-factor`)).second_factor).toBe(false)
    expect(await inAdmin(visitor)).toBe(303)
    expect((await sql`select 1 from recovery_codes where user_id = ${clerk.id}`.execute(db)).rows).toEqual([])
    expect((await owner.post(`/admin/staff/${clerk.id}/second-factor`)).status).toBe(409)
    const password = passwordOf(await owner.post(`/admin/staff/${clerk.id}/password`))!
    expect((await visitor.signIn(clerk.phone)).status).toBe(422)
    expect((await visitor.signIn(clerk.phone, password)).body.redirect).toBe('/code')
    expect((await owner.post(`/admin/staff/${me.id}/password`)).status).toBe(409)
    expect(JSON.stringify(await log())).not.toContain(password)
  })

  it('the own second factor is not: an unattended screen would be enough, without a code', async () => {
    await sql`insert into second_factors (user_id, secret, confirmed_at, created_at) values (${me.id}, 'x', now(), now())`.execute(db)
    expect((await owner.post(`/admin/staff/${me.id}/second-factor`)).status).toBe(409)
    const { rows } = await sql`delete from second_factors where user_id = ${me.id} returning 1`.execute(db)
    expect([rows.length, await inAdmin(owner)]).toEqual([1, 200])
  })

  it('is the owner’s alone', async () => {
    const clerk = await buildUser(db, { role: 'sales' })
    for (const role of ['manager', 'sales', 'cashier', 'weigher', 'viewer', 'customer'] as const) {
      const other = shop.visitor()
      await other.signIn((await buildUser(db, { role })).phone)
      expect([role, (await other.get('/admin/staff', { accept: 'text/html' })).status]).toEqual([role, 403])
      expect((await other.post('/admin/staff/store', NEW)).status).toBe(403)
      for (const path of ['role', 'disable', 'enable', 'second-factor', 'password'])
        expect([role, path, (await other.post(`/admin/staff/${clerk.id}/${path}`, { role: 'owner' })).status]).toEqual([role, path, 403])
    }
    expect((await owner.post(`/admin/staff/${clerk.id}/role`, { role: 'owner', previous: 'sales' }, { token: null })).status).toBe(403)
    const buyer = await buildUser(db)
    for (const path of ['role', 'disable', 'password']) {
      expect(
        (await owner.post(`/admin/staff/${buyer.id}/${path}`, path === 'role' ? { role: 'owner', previous: 'sales' } : {})).status,
      ).toBe(404)
      expect((await owner.post(`/admin/staff/999999999/${path}`, path === 'role' ? { role: 'owner', previous: 'sales' } : {})).status).toBe(
        404,
      )
    }
    expect([await roleOf(clerk.id), await roleOf(buyer.id), await log()]).toEqual(['sales', 'customer', []])
  })
})
