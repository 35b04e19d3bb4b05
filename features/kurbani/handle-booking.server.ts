import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { updateVersioned } from '#lib/db/versioned.server.ts'
import { type BookingRow, findBooking } from './booking-queries.server.ts'
import type { BookingState } from './rules.ts'

export type HandleBookingResult = { ok: true; booking: BookingRow } | { ok: false; reason: 'stale' | 'missing' }

/**
 * Updates the state and note of a pre-booking if it still has this version. A state that the form left as it was shown stays as it is stored:
 * `matched` may have followed from an order that has ended since.
 */
export function handleBooking(
  db: Db,
  actor: Actor,
  id: number,
  change: { state: BookingState; shown?: BookingState | undefined; note: string; version: number },
  now: Date,
): Promise<HandleBookingResult> {
  return inTransaction(db, async (tx) => {
    const before = await findBooking(tx, id)
    const { version, note, state, shown = before?.state } = change
    const fields = { note, ...(state === shown ? {} : { state }), handled_by: actor.id, handled_at: now }
    const updated = await updateVersioned(tx, 'kurbani_bookings', id, version, fields)
    if (!updated.ok) return updated
    const booking = await findBooking(tx, id)
    if (!booking) throw new Error(`booking ${id} was deleted while it was written`)
    await audit(tx, actor, { action: 'changed', subject: 'booking', id, before: before && audited(before), after: audited(booking) })
    return { ok: true, booking }
  })
}

/** The fields of the pre-booking itself. */
const audited = ({ orders: _orders, ...booking }: BookingRow) => booking
