import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { type SnakeCased, toCamel } from '#lib/db/rows.ts'
import { auditOwnChange } from './audit-own-change.server.ts'
import type { ChallengeDetails } from './challenges.server.ts'
import { placeholderNames } from './placeholder-names.server.ts'
import { closeSessions, type Role } from './sessions.server.ts'

/** An account, with the fields that signing in needs. */
export interface Person {
  id: number
  name: string
  phone: string
  role: Role
  passwordHash: string | null
  passwordOnce: boolean
  isPhoneVerified: boolean
  isDisabled: boolean
}

type PersonRow = SnakeCased<Person>

const COLUMNS = sql`id, name, phone, role, password_hash, password_once,
  phone_verified_at is not null as is_phone_verified, disabled_at is not null as is_disabled`

/** The number of accounts that one email can sign in to: those that have had it longest. */
export const MAX_ACCOUNTS_OF_AN_EMAIL = 3

/**
 * The accounts that a phone or an email may sign in to; the password decides which. Emails are not verified, so several accounts may
 * have the same one, and the first does not exclude the others.
 */
export async function listSignInCandidates(db: Db, by: { phone: string } | { email: string }): Promise<Person[]> {
  const where = 'phone' in by ? sql`phone = ${by.phone}` : sql`lower(email) = ${by.email}`
  const { rows } = await sql<PersonRow>`select ${COLUMNS} from users
    where ${where} and password_hash is not null and disabled_at is null order by email_at, id limit ${MAX_ACCOUNTS_OF_AN_EMAIL}`.execute(
    db,
  )
  return rows.map(toCamel<Person>)
}

/** The account with this id, if it is not disabled. */
export async function findPerson(db: Db, id: number): Promise<Person | null> {
  const { rows } = await sql<PersonRow>`select ${COLUMNS} from users where id = ${id} and disabled_at is null`.execute(db)
  return rows[0] ? toCamel<Person>(rows[0]) : null
}

/**
 * Whether the account is still as it was read: open, with this password and role. Its row is locked until the transaction ends. Passwords are
 * hashed for a moment, in which the account may get another password or role.
 */
export async function isUnchanged(tx: Db, { id, passwordHash, role }: Pick<Person, 'id' | 'passwordHash' | 'role'>): Promise<boolean> {
  const { rows } = await sql`select 1 from users where id = ${id} and disabled_at is null and role = ${role}
    and password_hash is not distinct from ${passwordHash} for share`.execute(tx)
  return rows.length === 1
}

/**
 * Records that a phone was verified. Returns its account with the row locked; null when there is none. At the first verification a customer's
 * earlier password, email, second factor and sessions are deleted: another person may have registered the number, or ordered with it as a
 * guest. The email that staff entered stays.
 */
export async function verifyUserPhone(tx: Db, phone: string, now: Date): Promise<Person | null> {
  const person = await findByPhone(tx, phone, sql`for update`)
  if (!person || person.isPhoneVerified || person.isDisabled) return person
  const updateUser = tx.updateTable('users').where('id', '=', person.id)
  await updateUser.set({ phone_verified_at: now }).execute()
  if (person.role !== 'customer') return person
  if (person.passwordHash !== null) await updateUser.set({ password_hash: null, email: null, email_at: null }).execute()
  else await updateUser.where('email_at', 'is', null).set({ email: null }).execute()
  await tx.deleteFrom('second_factors').where('user_id', '=', person.id).execute()
  await closeSessions(tx, person.id)
  return { ...person, passwordHash: null }
}

/** The account of a phone that was just verified; where there is none, a new customer without a password. `name` is that of a new one. */
export async function findOrCreateUser(tx: Db, { name, phone }: { name: string; phone: string }, now: Date): Promise<Person> {
  // The update locks an existing row, so that no concurrent request changes its phone before it is read.
  await tx
    .insertInto('users')
    .values({ name, phone })
    .onConflict((conflict) => conflict.column('phone').doUpdateSet({ phone }))
    .execute()
  return (await verifyUserPhone(tx, phone, now))!
}

/** Gives a customer without a name the one of an order. */
export async function nameUnnamedCustomer(db: Db, userId: number, name: string): Promise<void> {
  await db.updateTable('users').set({ name }).where('id', '=', userId).where('name', 'in', placeholderNames()).execute()
}

/** Deletes PIN and approval code. Another person may have set them with the former password or role. */
export async function deleteStaffCodes(tx: Db, userId: number): Promise<void> {
  await tx.deleteFrom('staff_pins').where('user_id', '=', userId).execute()
  await tx.deleteFrom('pos_approval_codes').where('user_id', '=', userId).execute()
}

/** Sets the password that a person has chosen, deletes PIN and approval code, and ends all sessions. */
export async function setPassword(
  tx: Db,
  person: { id: number; role: Role; passwordOnce?: boolean },
  passwordHash: string,
  ip: string,
): Promise<void> {
  const { id, role } = person
  await tx.updateTable('users').set({ password_hash: passwordHash, password_once: false }).where('id', '=', id).execute()
  await deleteStaffCodes(tx, id)
  await closeSessions(tx, id)
  await auditOwnChange(tx, { id, role, ip }, person.passwordOnce ? { password: 'once' } : null, { password: 'own' })
}

/**
 * Registers an account for a phone that was just verified. A guest's account with its orders becomes this account; an existing account
 * stays and gets the new password.
 */
export async function registerPerson(
  tx: Db,
  phone: string,
  { name = '', email = null, passwordHash = '' }: ChallengeDetails,
  { now, ip }: { now: Date; ip: string },
): Promise<Person> {
  const person = await findOrCreateUser(tx, { name, phone }, now)
  if (person.isDisabled) return person
  if (person.passwordHash === null && person.role === 'customer') {
    const emailAt = email === null ? null : now
    await tx.updateTable('users').set({ name, email, email_at: emailAt }).where('id', '=', person.id).execute()
  }
  await setPassword(tx, person, passwordHash, ip)
  return { ...person, name: person.passwordHash === null ? name : person.name, passwordHash }
}

/**
 * Changes the phone of an account to a number that was just verified. A guest with that number is merged into the account. Codes that were sent
 * to the old number end, and all sessions but one. False when another account has the number.
 */
export async function changePhone(tx: Db, userId: number, phone: string, sessionId: number, now: Date): Promise<boolean> {
  const found = await findByPhone(tx, phone)
  if (found && found.id !== userId) {
    // Orders before users, as the merge locks them. The staff may give the guest another number while this waits.
    const ids = [found.id, userId]
    await sql`select 1 from orders where customer_id = any(${ids}) order by id for update`.execute(tx)
    await sql`select 1 from users where id = any(${ids}) order by id for update`.execute(tx)
    const other = await findByPhone(tx, phone)
    if (other && !(other.id === found.id && isGuest(other))) return false
    if (other) await sql`select merge_guest_into_account(${other.id}, ${userId})`.execute(tx)
  }
  await tx.updateTable('users').set({ phone, phone_verified_at: now }).where('id', '=', userId).execute()
  await closeSessions(tx, userId, sessionId)
  return true
}

const isGuest = ({ role, passwordHash, isPhoneVerified, isDisabled }: Person) =>
  role === 'customer' && passwordHash === null && !isPhoneVerified && !isDisabled

async function findByPhone(tx: Db, phone: string, lock: RawBuilder<unknown> = sql``): Promise<Person | null> {
  const { rows } = await sql<PersonRow>`select ${COLUMNS} from users where phone = ${phone} ${lock}`.execute(tx)
  return rows[0] ? toCamel<Person>(rows[0]) : null
}
