import { sql } from 'kysely'
import { placeholderNames } from '#features/auth/placeholder-names.server.ts'
import type { Db } from '#lib/db/db.server.ts'

/** The customer details that the POS shows. */
export interface PosCustomer {
  name: string
  email: string
}

/** The customer with this normalized phone, or null; staff are not customers. A placeholder name is omitted. */
export async function findPosCustomer(db: Db, phone: string): Promise<PosCustomer | null> {
  const { rows } =
    await sql<PosCustomer>`select case when name = any(${placeholderNames()}::text[]) then '' else name end as name, coalesce(email, '') as email from users
    where phone = ${phone} and role = 'customer'`.execute(db)
  return rows[0] ?? null
}
