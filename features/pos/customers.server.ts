import { sql } from 'kysely'
import { placeholderNames } from '#features/auth/placeholder-names.server.ts'
import type { Db } from '#lib/db/db.server.ts'

/** Of lookups by a phone number: far above what a counter needs, far below what lists the customers by trying numbers. */
export const PHONE_LOOKUP_LIMIT = { max: 60, timeWindow: '1 minute' } as const

/** The customer details that the POS shows. */
export interface PosCustomer {
  name: string
  email: string
}

/**
 * The customer with this normalized phone, or null; staff are not customers. A placeholder name is omitted. The number of a merged customer finds
 * the customer that it was merged into, who gets the sale.
 */
export async function findPosCustomer(db: Db, phone: string): Promise<PosCustomer | null> {
  const { rows } = await sql<PosCustomer>`
    select case when c.name = any(${placeholderNames()}::text[]) then '' else c.name end as name, coalesce(c.email, '') as email
    from users u join users c on c.id = coalesce(u.merged_into, u.id) where u.phone = ${phone} and u.role = 'customer'`.execute(db)
  return rows[0] ?? null
}
