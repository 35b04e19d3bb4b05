import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { sql } from 'kysely'
import { countFormAttempt } from '#features/auth/form-attempts.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { dhakaDate } from '#lib/format/time.ts'
import { translate } from '#lib/i18n/translate.ts'
import { type AreaRequestInput, areaRequestBody } from './forms.ts'

const MAX_PER_PHONE_AND_HOUR = 5

/** The public route for people whose area is not listed. */
export function areaRequestsApi(deps: { db: Db; now: () => Date; env: { rateLimit: boolean } }): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/api/area-requests',
      {
        config: { rateLimit: { max: 10, timeWindow: '1 minute' } },
        schema: { tags: ['areas'], summary: 'Ask for delivery to an area that is not listed', body: areaRequestBody },
      },
      async (request, reply) => {
        const { name, phone, place } = request.body
        const wait = await countFormAttempt(deps, 'area-request', { phone, ip: request.ip }, MAX_PER_PHONE_AND_HOUR)
        if (wait > 0) return reply.fail(429, 'error.too-many', { retryAfterSeconds: wait })
        await storeAreaRequest(deps.db, { name, phone, place }, deps.now())
        return reply.code(201).send({ message: translate(request.viewer.lang)('area-request.sent') })
      },
    )
  }
}

/**
 * Stores one request a phone and day; a later one replaces its name and place. After staff have called, another place is new to them; the
 * same request, such as one sent again after a lost answer, changes nothing.
 */
async function storeAreaRequest(db: Db, { name, phone, place }: AreaRequestInput, now: Date): Promise<void> {
  await sql`insert into area_requests (name, phone, place, requested_on, created_at)
    values (${name}, ${phone}, ${place}, ${dhakaDate(now)}, ${now})
    on conflict (phone, requested_on) do update set name = excluded.name, place = excluded.place, state = 'new', version = area_requests.version + 1
    where area_requests.place <> excluded.place or (area_requests.state = 'new' and area_requests.name <> excluded.name)`.execute(db)
}
