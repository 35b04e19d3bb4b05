import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { updateVersioned } from '#lib/db/versioned.server.ts'
import { type BookingRow, findBooking } from './booking-queries.server.ts'
import type { BookingState } from './rules.ts'

export type HandleBookingResult = { ok: true; booking: BookingRow } | { ok: false; reason: 'stale' | 'missing' }

/** Marks a pre-booking as called, matched with a cow, closed or open again, with a note; of two at once the second is told. */
export function handleBooking(
  db: Db,
  who: Actor,
  id: number,
  change: { state: BookingState; note: string; version: number },
  now: Date,
): Promise<HandleBookingResult> {
  return inTransaction(db, async (tx) => {
    const before = await findBooking(tx, id)
    const { version, ...fields } = change
    const updated = await updateVersioned(tx, 'kurbani_bookings', id, version, { ...fields, handled_by: who.id, handled_at: now })
    if (!updated.ok) return updated
    const booking = await findBooking(tx, id)
    if (!booking) throw new Error(`booking ${id} went while it was written`)
    await audit(tx, who, { action: 'changed', subject: 'booking', id, before, after: booking })
    return { ok: true, booking }
  })
}
