import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { dayField } from '#lib/form-fields.ts'
import type { Db } from '#lib/db/db.server.ts'
import { changeOpening } from './open-shop.server.ts'

const openingBody = z.strictObject({ isOpen: z.boolean(), opensOn: z.literal('').or(dayField()) })

/** Routes of the set-up that no other admin page has. */
export function setupApi({ db }: { db: Db }): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/setup/opening',
      {
        config: { permission: 'settings.write', invalidatesCache: true },
        schema: { tags: ['admin'], summary: 'Open or close the shop', body: openingBody },
      },
      async ({ staff, body }) => ({ opening: await changeOpening(db, staff, body) }),
    )
  }
}
