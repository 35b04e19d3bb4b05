import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { sql } from 'kysely'
import { z } from 'zod'
import { localPath } from '#lib/http/local-path.ts'
import { LANG_COOKIE, POPUP_COOKIE } from '../cookies.ts'
import type { Deps } from '../deps.ts'
import { antiForgeryToken } from '../plugins/csrf.ts'

const YEAR_SECONDS = 365 * 86_400

/** The small conversations between a page and its server. */
export function shopRoutes(deps: Deps): FastifyPluginAsyncZod {
  const { db, env } = deps
  const secure = env.publicUrl.startsWith('https:')
  const cookieBase = { path: '/', sameSite: 'lax', secure } as const

  return async (app) => {
    app.get('/healthz', { config: { static: true } }, async () => ({ ok: true }))
    app.get('/readyz', async (_request, reply) => {
      await sql`select 1`.execute(db)
      return reply.send({ ok: true })
    })

    app.get('/csrf-token', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return { token: antiForgeryToken(env.sessionSecret, request.viewer.sessionId) }
    })

    app.post(
      '/language',
      { schema: { body: z.object({ lang: z.enum(['en', 'bn']), next: z.string().optional(), _token: z.string().optional() }) } },
      async (request, reply) => {
        // Without the language that a link asked for: the chosen one holds from here.
        const asked = request.body.next?.replace(/([?&])lang=(en|bn)(&|$)/, (_, before, __, after) => (after ? before : ''))
        const next = localPath(asked, '/')
        reply.setCookie(LANG_COOKIE, request.body.lang, { ...cookieBase, maxAge: YEAR_SECONDS })
        return reply.redirect(next, 303)
      },
    )

    app.post(
      '/mark-popup-shown',
      { schema: { body: z.object({ shown: z.union([z.boolean(), z.literal('true'), z.literal('false')]) }) } },
      async (request, reply) => {
        const shown = String(request.body.shown) === 'true'
        if (!shown) return { shown }
        const { rows } = await sql<{ id: number }>`
        select id from popups where active and starts_at <= ${deps.now()} and (ends_at is null or ends_at > ${deps.now()}) order by id desc limit 1`.execute(
          db,
        )
        if (rows[0]) reply.setCookie(POPUP_COOKIE, String(rows[0].id), { ...cookieBase, httpOnly: true, maxAge: YEAR_SECONDS })
        return { shown }
      },
    )
  }
}
