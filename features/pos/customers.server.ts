import { sql } from 'kysely'
import type { Db } from '#lib/db.server.ts'
import { translate } from '#lib/i18n.ts'

/** What the till shows of a customer. */
export interface TillCustomer {
  name: string
  email: string
}

/** What stands for the name of somebody who said none. */
export const walkInNames = () => [translate('en')('pos.walk-in'), translate('bn')('pos.walk-in')]

/** The customer of a phone (as kept), or null; the farm's own people are nobody's customers here. Who said no name has none. */
export async function findTillCustomer(db: Db, phone: string): Promise<TillCustomer | null> {
  const { rows } =
    await sql<TillCustomer>`select case when name = any(${walkInNames()}::text[]) then '' else name end as name, coalesce(email, '') as email from users
    where phone = ${phone} and role = 'customer'`.execute(db)
  return rows[0] ?? null
}
