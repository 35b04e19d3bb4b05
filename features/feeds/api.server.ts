import { open } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyPluginAsync } from 'fastify'
import type { Settings } from '#features/settings/settings.ts'
import type { Revision } from '#lib/async/revision-cache.ts'
import type { Db } from '#lib/db/db.server.ts'
import { LANGS } from '#lib/i18n/lang.ts'
import { FEED_TARGETS } from './feed-rules.ts'
import { FeedFiles } from './feed-files.server.ts'

/** Writing the feed of a large shop takes longer than a page. */
const TIMEOUT_MS = 120_000

interface FeedDeps {
  db: Db
  env: { publicUrl: string; dataDir: string }
  shopCache: { settings(): Promise<Settings> }
  revision: Revision
}

/** Product feeds: `/feeds/google-en.xml`, `/feeds/facebook-bn.xml` and so on. */
export function feedsApi({ db, env, shopCache, revision }: FeedDeps): FastifyPluginAsync {
  const files = new FeedFiles({ db, folder: path.join(env.dataDir, 'feeds'), revision })
  return async (app) => {
    for (const target of FEED_TARGETS)
      for (const lang of LANGS) {
        const name = `${target}-${lang}`
        const options = { config: { timeoutMs: TIMEOUT_MS }, schema: { hide: true } } as const
        app.get(`/feeds/${name}.xml`, options, async (request, reply) => {
          const file = await files.get(name, async () => {
            const { shop } = await shopCache.settings()
            return { publicUrl: env.publicUrl, name: shop.name[lang], lang, target }
          })
          const stream = (await open(file)).createReadStream()
          reply.type('application/xml; charset=utf-8').header('cache-control', 'public, max-age=300').header('vary', 'Accept-Encoding')
          if (/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? '')))
            return reply.header('content-encoding', 'gzip').send(stream)
          // Unlike `pipe`, closes the file when the client goes away.
          return reply.send(pipeline(stream, createGunzip(), () => {}))
        })
      }
  }
}
