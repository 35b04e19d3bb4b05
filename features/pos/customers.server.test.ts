import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildUser } from '#test/factories.ts'
import { findPosCustomer } from './customers.server.ts'

const { db } = await testDb()

it('the number of a merged customer finds the customer that it was merged into', async () => {
  const [target, other] = [await buildUser(db, { name: 'Karim Mia' }), await buildUser(db, { name: 'Karim old' })]
  await sql`update users set email = case when id = ${target.id} then 'new@example.com' else 'old@example.com' end where id in (${target.id}, ${other.id})`.execute(
    db,
  )
  await sql`update users set merged_into = ${target.id}, merged_at = now(), disabled_at = now() where id = ${other.id}`.execute(db)
  const found = { name: 'Karim Mia', email: 'new@example.com' }
  expect([await findPosCustomer(db, target.phone), await findPosCustomer(db, other.phone)]).toEqual([found, found])
})
