import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { SharedReadCache } from '#lib/async/shared-read-cache.ts'
import type { Db } from '#lib/db/db.server.ts'
import { sha256Hex } from '#lib/ids/ids.server.ts'
import { listNews } from './queries.server.ts'
import { type NewsKind, newsKindsFor } from './rules.ts'

/** A process reads the news at most this often, for all requests together. */
const TTL_MS = 5000
/** No user has this id, so no write of a reader invalidates the news. */
const ANY_USER = 0

interface Answer {
  etag: string
  body: string
}

/**
 * The news that open admin pages ask for every 15 seconds. Responses differ only by the kinds that a role may see. Each is encoded once
 * a read, so an unchanged answer is a 304 from memory (decision 62).
 */
export function newsApi({ db }: { db: Db }): FastifyPluginAsyncZod {
  const reads = new SharedReadCache(TTL_MS)
  const read = async () => encodedNews(await listNews(db))
  return async (app) => {
    app.get(
      '/api/admin/news',
      {
        config: { permission: 'admin.enter', isBackground: true },
        schema: { tags: ['admin'], summary: 'The newest orders, advances, bookings and other news that the role may see' },
      },
      async (request, reply) => {
        const { etag, body } = (await reads.get('news', ANY_USER, read))(newsKindsFor((permission) => request.staff.can(permission)))
        reply.header('etag', etag)
        if (request.headers['if-none-match'] === etag) return reply.code(304).send()
        return reply.type('application/json; charset=utf-8').send(body)
      },
    )
  }
}

/** The answers of one read by kinds. The version in the body is the ETag, for scripts cannot store a `no-store` answer. */
function encodedNews(news: Awaited<ReturnType<typeof listNews>>): (kinds: readonly NewsKind[]) => Answer {
  const answers = new Map<string, Answer>()
  return (kinds) => {
    const key = kinds.join()
    const known = answers.get(key)
    if (known) return known
    const shown = Object.fromEntries(kinds.map((kind) => [kind, news[kind]]))
    const version = sha256Hex(JSON.stringify(shown)).slice(0, 24)
    const answer = { etag: `"${version}"`, body: JSON.stringify({ version, news: shown }) }
    answers.set(key, answer)
    return answer
  }
}
