import { sql } from 'kysely'
import { BOOKING_STATE, CAME_OF_BOOKING } from '#features/orders/pre-booked.server.ts'
import type { OrderStatus } from '#features/orders/rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import { numericCursor } from '#lib/db/keyset.server.ts'
import { type KeysetPage, keysetPage, type KeysetCursor } from '#lib/db/keyset.ts'
import type { PhoneRange } from '#lib/format/phone.ts'
import type { BookingState } from './rules.ts'

/** A pre-booking in the admin. */
export interface BookingRow {
  id: number
  name: string
  phone: string
  email: string
  district: string
  thana: string
  price_range: string
  weight: string
  /** As shown: an order that came of it makes it matched. */
  state: BookingState
  note: string
  version: number
  created_at: string
  handled_at: string | null
  handled_by: string | null
  /** The orders that came of it, newest first. */
  orders: { id: number; status: OrderStatus }[]
}

export interface BookingFilter {
  state?: BookingState | undefined
  district?: string | undefined
  price?: string | undefined
  phones?: PhoneRange | undefined
}

const COLUMNS = sql`b.id, b.name, b.phone, b.email, b.district, b.thana, b.price_range, b.weight, ${BOOKING_STATE} as state, b.note, b.version,
  to_json(b.created_at) #>> '{}' as created_at, to_json(b.handled_at) #>> '{}' as handled_at,
  (select u.name from users u where u.id = b.handled_by) as handled_by,
  coalesce((select json_agg(json_build_object('id', o.id, 'status', o.status) order by o.id desc) from orders o where ${CAME_OF_BOOKING}), '[]') as orders`

function conditions({ state, district, price, phones }: BookingFilter) {
  const parts = [sql`true`]
  if (state) parts.push(sql`${BOOKING_STATE} = ${state}`)
  // What is shown as new, called or closed is stored so. This condition uses the index.
  if (state && state !== 'matched') parts.push(sql`b.state = ${state}`)
  if (district) parts.push(sql`b.district = ${district}`)
  if (price) parts.push(sql`b.price_range = ${price}`)
  // A range instead of LIKE: it uses the index with any collation. All bounds are digits, whose order is the same in each.
  if (phones) parts.push(sql`b.phone between ${phones.from} and ${phones.to}`)
  return sql.join(parts, sql` and `)
}

const PAGE_SIZE = 50

/** One page of the pre-bookings, newest first. */
export async function listBookings(db: Db, filter: BookingFilter, cursor: KeysetCursor): Promise<KeysetPage<BookingRow>> {
  const { beyond, direction } = numericCursor(sql`b.id`, cursor)
  const { rows } = await sql<BookingRow>`select ${COLUMNS} from kurbani_bookings b where ${conditions(filter)} and ${beyond}
    order by b.id ${direction} limit ${PAGE_SIZE + 1}`.execute(db)
  return keysetPage(rows, cursor, PAGE_SIZE, (row) => [row.id])
}

const EXPORT_BATCH = 500

/** All pre-bookings of a filter, newest first, read in batches. */
export async function* allBookings(db: Db, filter: BookingFilter): AsyncGenerator<BookingRow[]> {
  let below = Number.MAX_SAFE_INTEGER
  for (;;) {
    const { rows } = await sql<BookingRow>`select ${COLUMNS} from kurbani_bookings b where ${conditions(filter)} and b.id < ${below}
      order by b.id desc limit ${EXPORT_BATCH}`.execute(db)
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < EXPORT_BATCH) return
    below = last.id
  }
}

/** One pre-booking, or null. */
export async function findBooking(db: Db, id: number): Promise<BookingRow | null> {
  const { rows } = await sql<BookingRow>`select ${COLUMNS} from kurbani_bookings b where b.id = ${id}`.execute(db)
  return rows[0] ?? null
}
