import type { FastifyPluginAsync } from 'fastify'
import { findDerivedPicture } from '#features/catalog/media/derived-pictures.server.ts'
import { DERIVED_FORMATS, DERIVED_KINDS, derivedName } from '#lib/files/derived-picture.ts'
import { contentTypeOf } from '#lib/files/uploads.server.ts'
import type { Deps } from '../deps.ts'

/** Serves the derived files of pictures beside the other uploads. Only tokens of stored pictures have them. */
export function derivedPictures({ db, uploads }: Deps): FastifyPluginAsync {
  return async (app) => {
    const options = { config: { static: true }, schema: { hide: true } } as const
    for (const kind of DERIVED_KINDS) {
      const format = DERIVED_FORMATS[kind]
      app.get<{ Params: { token: string } }>(`/uploads/:token(^[0-9a-f]{32})-${kind}.${format}`, options, async ({ params }, reply) => {
        const bytes = await findDerivedPicture(db, uploads, params.token, kind)
        if (bytes === null) return reply.fail(404, 'error.not-found')
        return reply
          .type(contentTypeOf(derivedName(params, kind)))
          .header('cache-control', 'public, max-age=31536000, immutable')
          .send(bytes)
      })
    }
  }
}
