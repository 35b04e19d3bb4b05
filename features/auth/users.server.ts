import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import type { ChallengeDetails } from './challenges.server.ts'
import { closeSessions, type Role } from './sessions.server.ts'

/** An account, as far as signing in goes. */
export interface Person {
  id: number
  name: string
  phone: string
  role: Role
  passwordHash: string | null
  passwordOnce: boolean
  isProven: boolean
  isDisabled: boolean
}

const COLUMNS = sql`id, name, phone, role, password_hash as "passwordHash", password_once as "passwordOnce",
  phone_verified_at is not null as "isProven", disabled_at is not null as "isDisabled"`

/** How many accounts one email may sign in to: those that have had it longest. */
export const MAX_ACCOUNTS_OF_AN_EMAIL = 3

/**
 * The accounts that this phone or email may sign in to; the password says which. No email is proven, so it belongs to nobody alone: an account
 * that named it first keeps no other out.
 */
export async function listSignInCandidates(db: Db, by: { phone: string } | { email: string }): Promise<Person[]> {
  const where = 'phone' in by ? sql`phone = ${by.phone}` : sql`lower(email) = ${by.email}`
  const { rows } = await sql<Person>`select ${COLUMNS} from users
    where ${where} and password_hash is not null and disabled_at is null order by email_at, id limit ${MAX_ACCOUNTS_OF_AN_EMAIL}`.execute(
    db,
  )
  return rows
}

export async function findPerson(db: Db, id: number): Promise<Person | null> {
  const { rows } = await sql<Person>`select ${COLUMNS} from users where id = ${id} and disabled_at is null`.execute(db)
  return rows[0] ?? null
}

/**
 * Whose phone was just proven, locked; null when nobody has it. A customer's password, email and sessions from before the first
 * proof were somebody else's word for whose number it is: they go.
 */
export async function findUserByVerifiedPhone(tx: Db, phone: string, now: Date): Promise<Person | null> {
  const { rows } = await sql<Person>`select ${COLUMNS} from users where phone = ${phone} for update`.execute(tx)
  const person = rows[0]
  if (!person || person.isProven || person.isDisabled) return person ?? null
  await sql`update users set phone_verified_at = ${now} where id = ${person.id}`.execute(tx)
  if (person.role !== 'customer') return person
  if (person.passwordHash !== null)
    await sql`update users set password_hash = null, email = null, email_at = null where id = ${person.id}`.execute(tx)
  await sql`delete from second_factors where user_id = ${person.id}`.execute(tx)
  await closeSessions(tx, person.id)
  return { ...person, passwordHash: null }
}

/** A new password; whoever is signed in elsewhere is so no longer. */
export async function setPassword(tx: Db, userId: number, passwordHash: string, exceptSession: number | null = null): Promise<void> {
  await sql`update users set password_hash = ${passwordHash}, password_once = false where id = ${userId}`.execute(tx)
  await sql`delete from staff_pins where user_id = ${userId}`.execute(tx)
  await closeSessions(tx, userId, exceptSession)
}

/**
 * Registers whoever has just proven the phone. Somebody who has ordered as a guest takes those orders along; somebody who
 * had an account already keeps it, with the new password.
 */
export async function registerPerson(
  tx: Db,
  phone: string,
  { name = '', email = null, passwordHash = '' }: ChallengeDetails,
  now: Date,
): Promise<Person> {
  await sql`insert into users (name, phone) values (${name}, ${phone}) on conflict (phone) do nothing`.execute(tx)
  const person = (await findUserByVerifiedPhone(tx, phone, now))!
  if (person.isDisabled) return person
  if (person.passwordHash === null && person.role === 'customer')
    await sql`update users set name = ${name}, email = ${email}, email_at = ${email === null ? null : now} where id = ${person.id}`.execute(
      tx,
    )
  await setPassword(tx, person.id, passwordHash)
  return { ...person, name: person.passwordHash === null ? name : person.name, passwordHash }
}

/**
 * Moves an account to a number that was just proven. A guest of that number becomes part of the account; another account
 * keeps its number, and the answer is false.
 */
export async function changePhone(tx: Db, userId: number, phone: string, now: Date): Promise<boolean> {
  const { rows } = await sql<Person>`select ${COLUMNS} from users where phone = ${phone}`.execute(tx)
  const other = rows[0]
  if (other && other.id !== userId) {
    const isGuest = other.role === 'customer' && other.passwordHash === null && !other.isProven && !other.isDisabled
    if (!isGuest) return false
    await sql`select merge_guest_into_account(${other.id}, ${userId})`.execute(tx)
  }
  await sql`update users set phone = ${phone}, phone_verified_at = ${now} where id = ${userId}`.execute(tx)
  return true
}
