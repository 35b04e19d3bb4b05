import { sql } from 'kysely'
import { walkInNames } from '#features/orders/editing/known-customer.server.ts'
import type { Db } from '#lib/db/db.server.ts'

/** What the till shows of a customer. */
export interface PosCustomer {
  name: string
  email: string
}

/** The customer of a phone (as kept), or null; the farm's own people are nobody's customers here. Who said no name has none. */
export async function findPosCustomer(db: Db, phone: string): Promise<PosCustomer | null> {
  const { rows } =
    await sql<PosCustomer>`select case when name = any(${walkInNames()}::text[]) then '' else name end as name, coalesce(email, '') as email from users
    where phone = ${phone} and role = 'customer'`.execute(db)
  return rows[0] ?? null
}
