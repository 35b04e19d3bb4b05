import { verify } from '@node-rs/argon2'
import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { ACCOUNTS, DEMO_PASSWORD } from './people.ts'

export const PUBLISHED_PHONES = ACCOUNTS.map(({ phone }) => phone as string)
export const PUBLISHED_EMAILS = ACCOUNTS.map(({ email }) => email as string)

/**
 * Enabled staff accounts with a published phone or email and the published password. Customers are excluded: anyone could register
 * such an account and prevent the shop from starting.
 */
export async function findPublishedAccounts(db: Db): Promise<{ id: number; phone: string }[]> {
  const { rows } = await sql<{ id: number; phone: string; password_hash: string }>`
    select id, phone, password_hash from users
    where role <> 'customer' and (phone = any(${PUBLISHED_PHONES}) or lower(email) = any(${PUBLISHED_EMAILS}))
      and password_hash is not null and disabled_at is null
    order by id`.execute(db)
  const isOpen = await Promise.all(rows.map(({ password_hash }) => verify(password_hash, DEMO_PASSWORD).catch(() => false)))
  return rows.flatMap(({ id, phone }, i) => (isOpen[i] ? [{ id, phone }] : []))
}
