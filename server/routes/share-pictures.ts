import type { FastifyPluginAsync } from 'fastify'
import { findSharePicture } from '#features/catalog/media/share-picture.server.ts'
import type { Deps } from '../deps.ts'

/** Serves the pictures of link previews beside the other uploads. Only tokens of stored pictures have one. */
export function sharePictures({ db, uploads }: Deps): FastifyPluginAsync {
  return async (app) => {
    const options = { config: { static: true }, schema: { hide: true } } as const
    app.get<{ Params: { token: string } }>('/uploads/:token(^[0-9a-f]{32})-og.jpg', options, async ({ params }, reply) => {
      const preview = await findSharePicture(db, uploads, params.token)
      if (preview === null) return reply.fail(404, 'error.not-found')
      return reply.type('image/jpeg').header('cache-control', 'public, max-age=31536000, immutable').send(preview)
    })
  }
}
