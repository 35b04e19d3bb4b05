import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Db } from '#lib/db/db.server.ts'
import { idParams, seenVersion, textField } from '#lib/form-fields.ts'
import { handleBooking } from './handle-booking.server.ts'
import { BOOKING_STATES } from './rules.ts'

const bookingBody = z.strictObject({
  state: z.enum(BOOKING_STATES, { error: 'field.required' }),
  note: textField(1000),
  version: seenVersion,
  _token: z.string().optional(),
})

/** What the staff do with pre-bookings. */
export function bookingsApi(deps: { db: Db; now: () => Date }): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/bookings/:id',
      {
        config: { right: 'bookings.write' },
        schema: { tags: ['admin'], summary: 'Mark a pre-booking', params: idParams, body: bookingBody },
      },
      async ({ staff, params, body: { state, note, version } }, reply) => {
        const result = await handleBooking(deps.db, staff, params.id, { state, note, version }, deps.now())
        if (result.ok) return { booking: result.booking }
        return result.reason === 'stale' ? reply.refuse(409, 'admin.stale') : reply.refuse(404, 'error.not-found')
      },
    )
  }
}
