import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { findShownPopupId } from '#features/catalog/popups/queries.server.ts'
import packageJson from '#package.json' with { type: 'json' }
import { DAY_SECONDS } from '#lib/format/time.ts'
import { isHttps } from '#lib/http/is-https.ts'
import { pingDatabase } from '#lib/db/ping.server.ts'
import { localPath } from '#lib/http/local-path.ts'
import { isForm } from '#lib/http/request-kind.server.ts'
import { LANG_COOKIE, POPUP_COOKIE } from '../cookies.ts'
import type { Deps } from '../deps.ts'
import { antiForgeryToken } from '../plugins/csrf.ts'

const YEAR_SECONDS = 365 * DAY_SECONDS

/** Health checks, the anti-forgery token, and what a browser remembers: its language and the last popup. */
export function preferenceRoutes(deps: Deps): FastifyPluginAsyncZod {
  const { db, env } = deps
  const secure = isHttps(env.publicUrl)
  const cookieBase = { path: '/', sameSite: 'lax', secure } as const

  return async (app) => {
    app.get('/healthz', { config: { static: true }, schema: { summary: 'Whether the process lives, and its version' } }, async () => ({
      ok: true,
      version: packageJson.version,
    }))
    app.get('/readyz', { schema: { summary: 'Whether the database answers' } }, async (_request, reply) => {
      await pingDatabase(db)
      return reply.send({ ok: true })
    })

    app.get('/csrf-token', { schema: { summary: 'The anti-forgery token of this browser' } }, async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return { token: antiForgeryToken(env.sessionSecret, request.viewer) }
    })

    app.post(
      '/language',
      {
        schema: {
          summary: 'Choose the language; a form is redirected to `next`',
          body: z.object({ lang: z.enum(['en', 'bn']), next: z.string().optional() }),
        },
      },
      async (request, reply) => {
        // Without a `lang` parameter, which would override the cookie.
        const requested = request.body.next?.replace(/([?&])lang=(en|bn)(&|$)/, (_, before, __, after) => (after ? before : ''))
        reply.setCookie(LANG_COOKIE, request.body.lang, { ...cookieBase, maxAge: YEAR_SECONDS })
        const next = localPath(requested, '/')
        return isForm(request) ? reply.redirect(next, 303) : { next }
      },
    )

    app.post(
      '/mark-popup-shown',
      {
        schema: {
          summary: 'Remember that the popup was shown',
          body: z.object({ shown: z.union([z.boolean(), z.literal('true'), z.literal('false')]) }),
        },
      },
      async (request, reply) => {
        const shown = String(request.body.shown) === 'true'
        if (!shown) return { shown }
        const id = await findShownPopupId(db, deps.now())
        if (id !== null) reply.setCookie(POPUP_COOKIE, String(id), { ...cookieBase, httpOnly: true, maxAge: YEAR_SECONDS })
        return { shown }
      },
    )
  }
}
