import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Db } from '#lib/db/db.server.ts'
import { idParams, versionField, textField } from '#lib/form-fields.ts'
import { findBooking } from './booking-queries.server.ts'
import { handleBooking } from './handle-booking.server.ts'
import { BOOKING_STATES, MAX_BOOKING_NOTE_LENGTH } from './rules.ts'

const bookingBody = z.strictObject({
  state: z.enum(BOOKING_STATES, { error: 'field.required' }),
  /** The state that the form began with; absent: that of now. */
  shown_state: z.enum(BOOKING_STATES).optional(),
  note: textField(MAX_BOOKING_NOTE_LENGTH),
  version: versionField,
})

/** The admin route that updates a pre-booking. */
export function bookingsApi(deps: { db: Db; now: () => Date }): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/bookings/:id',
      {
        config: { permission: 'bookings.write' },
        schema: { tags: ['admin'], summary: 'Update the state and note of a pre-booking', params: idParams, body: bookingBody },
      },
      async ({ staff, params, body: { shown_state: shown, ...change } }, reply) => {
        const result = await handleBooking(deps.db, staff, params.id, { ...change, shown }, deps.now())
        if (result.ok) return { booking: result.booking }
        if (result.reason === 'missing') return reply.fail(404, 'error.not-found')
        return reply.fail(409, 'admin.stale-row', { booking: await findBooking(deps.db, params.id) })
      },
    )
  }
}
