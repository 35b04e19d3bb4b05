import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildUser } from '#test/factories.ts'
import { makeOwner } from './make-owner.server.ts'

const { db } = await testDb()
const now = new Date('2026-11-20T06:00:00Z')
const make = (phone: string, name: string) => makeOwner(db, { phone, name, passwordHash: 'hash', once: true, now })
const log = async () => (await sql`select action, subject, before, after from audit_log order by id`.execute(db)).rows

it('creates an owner, and takes PIN, second factor and sessions from a known account; both are logged', async () => {
  expect(await make('01712345678', 'Abdul Karim')).toBe('new')
  const { id, phone } = await buildUser(db, { role: 'cashier', name: 'Shirin' })
  await sql`insert into staff_pins (user_id, pin_hash, set_at) values (${id}, 'x', now())`.execute(db)
  await sql`insert into second_factors (user_id, secret, confirmed_at, created_at) values (${id}, 'x', now(), now())`.execute(db)
  expect(await make(phone, 'Shirin Akter')).toBe('known')
  const { rows } =
    await sql`select role, (select count(*)::int from staff_pins) as pins, (select count(*)::int from second_factors) as factors
    from users where id = ${id}`.execute(db)
  expect(rows).toEqual([{ role: 'owner', pins: 0, factors: 0 }])
  expect(await log()).toMatchObject([
    { action: 'created', subject: 'staff', after: { role: 'owner', name: 'Abdul Karim', phone: '01712345678' } },
    { action: 'changed', subject: 'staff', before: { role: 'cashier', name: 'Shirin' }, after: { role: 'owner', name: 'Shirin Akter' } },
  ])
  expect(JSON.stringify(await log())).not.toContain('hash')
})

it('opens an account that was merged into another customer', async () => {
  const [main, merged] = [await buildUser(db), await buildUser(db)]
  await sql`update users set merged_into = ${main.id}, disabled_at = now() where id = ${merged.id}`.execute(db)
  expect(await make(merged.phone, 'Karim')).toBe('known')
  const { rows } = await sql`select role, merged_into, disabled_at from users where id = ${merged.id}`.execute(db)
  expect(rows).toEqual([{ role: 'owner', merged_into: null, disabled_at: null }])
})
