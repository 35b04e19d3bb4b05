import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import type { Address, AddressForm } from './address-rules.ts'

/** The columns of an address in JSON; `a` is the address, `u` its owner. */
const COLUMNS = sql`a.id, a.name, coalesce(u.email, '') as email, a.phone, a.alternate_phone, a.address, a.landmark, a.note, a.area_id, a.is_default`

/** The addresses of a customer, the default first. */
export async function listAddresses(db: Db, customerId: number): Promise<Address[]> {
  const { rows } = await sql<Address & { area_id: number }>`
    select ${COLUMNS} from addresses a join users u on u.id = a.customer_id where a.customer_id = ${customerId} order by a.is_default desc, a.id`.execute(
    db,
  )
  return rows
}

/** An address of this customer; null when there is none, or when it belongs to another customer. */
export async function findAddress(db: Db, customerId: number, id: number): Promise<Address | null> {
  const { rows } = await sql<Address & { area_id: number }>`
    select ${COLUMNS} from addresses a join users u on u.id = a.customer_id where a.customer_id = ${customerId} and a.id = ${id}`.execute(
    db,
  )
  return rows[0] ?? null
}

/** The contact and the delivery address for an order to this address, with the account's phone where the address has none. Null as in `findAddress`. */
export async function findDelivery(
  db: Db,
  customerId: number,
  id: number,
): Promise<(AddressForm & { email: string; area_id: number }) | null> {
  const { rows } = await sql<AddressForm & { email: string; area_id: number }>`
    select a.name, coalesce(u.email, '') as email, coalesce(nullif(a.phone, ''), u.phone) as phone, a.alternate_phone, a.address, a.landmark, a.note, a.area_id
    from addresses a join users u on u.id = a.customer_id where a.customer_id = ${customerId} and a.id = ${id}`.execute(db)
  return rows[0] ?? null
}
