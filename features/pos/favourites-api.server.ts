import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Db } from '#lib/db/db.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import { changeFavourites, findFavourites } from './favourites.server.ts'
import { favouritesBody } from './forms.ts'

/** The API of the products on the buttons of the POS. */
export function posFavouritesApi({ db }: { db: Db }): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/quick-orders/favourites',
      {
        config: { permission: 'catalog.write' },
        schema: { tags: ['pos'], summary: 'Replace the favourites of the POS', body: favouritesBody },
      },
      async ({ staff, body, viewer }, reply) => {
        const changed = await changeFavourites(db, staff, body.version, body.product_ids)
        if (changed.ok) return { favourites: await findFavourites(db, viewer.lang) }
        if (changed.reason === 'stale') return reply.fail(409, 'admin.stale')
        return reply.fail(422, 'error.invalid', { errors: { product_ids: [translate(viewer.lang)('slots.unknown-product')] } })
      },
    )
  }
}
