import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { idParams, textField, versionField } from '#lib/form-fields.ts'
import { withIdempotencyKey } from '#lib/db/idempotency.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { AdminDeps } from '../order-deps.ts'
import { listReturnedAnimals, RELEASE_OUTCOMES, releaseAnimal } from './returned-animals.server.ts'

/** The route that decides about a returned animal. */
export function returnedAnimalsApi(deps: AdminDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/animals/:id/release',
      {
        config: { permission: 'catalog.write', invalidatesCache: true },
        schema: {
          tags: ['admin'],
          summary: 'Decide about a returned animal: for sale, ill, or not for sale',
          params: idParams,
          body: z.strictObject({
            outcome: z.enum(RELEASE_OUTCOMES, { error: 'field.choose' }),
            reason: textField().default(''),
            version: versionField,
          }),
        },
      },
      async (request, reply) => {
        const { staff, viewer, params, body } = request
        const result = await withIdempotencyKey(deps.db, request, (db) => releaseAnimal({ ...deps, db }, params.id, body, staff))
        if (result.ok) return { returned: await listReturnedAnimals(deps.db, viewer.lang) }
        switch (result.reason) {
          case 'not-found':
            return reply.fail(404, 'error.not-found')
          case 'changed':
            return reply.fail(409, 'returned.changed', { returned: await listReturnedAnimals(deps.db, viewer.lang) })
          case 'reason-required':
            return reply.fail(422, 'error.invalid', {
              errors: { reason: [translate(viewer.lang)('admin-orders.reason-required')] },
            })
        }
      },
    )
  }
}
