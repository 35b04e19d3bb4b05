import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { sql } from 'kysely'
import { z } from 'zod'
import { closeSession } from '#features/auth/sessions.server.ts'
import { signIn } from '#features/auth/commands.server.ts'
import { translate } from '#lib/i18n.ts'
import { LANG_COOKIE, POPUP_COOKIE, readCookie, sessionCookie } from '../cookies.ts'
import type { Deps } from '../deps.ts'
import { antiForgeryToken } from '../plugins/anti-forgery.ts'

const YEAR_SECONDS = 365 * 86_400

/** A path of this shop to go on to, as a header may carry it; anything else (another site, a scheme, a backslash trick) becomes the fallback. */
export function localPath(wanted: unknown, fallback: string): string {
  if (typeof wanted !== 'string' || wanted.length > 500 || !/^\/(?![/\\])[^\\\u0000-\u001f]*$/.test(wanted)) return fallback
  const url = URL.parse(wanted, 'http://shop.invalid')
  return url?.host === 'shop.invalid' ? url.pathname + url.search + url.hash : fallback
}

/** Sign-in and the small conversations between a page and its server. */
export function shopRoutes(deps: Deps): FastifyPluginAsyncZod {
  const { db, env } = deps
  const secure = env.publicUrl.startsWith('https:')
  const sessionName = sessionCookie(secure)
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
        const next = localPath(request.body.next, '/').replace(/([?&])lang=(en|bn)(&|$)/, (_, before, __, after) => (after ? before : ''))
        reply.setCookie(LANG_COOKIE, request.body.lang, { ...cookieBase, maxAge: YEAR_SECONDS })
        return reply.redirect(next, 303)
      },
    )

    app.post(
      '/mark-popup-shown',
      { schema: { body: z.object({ shown: z.union([z.boolean(), z.literal('true'), z.literal('false')]) }) } },
      async (_request, reply) => {
        const { rows } = await sql<{ id: number }>`
        select id from popups where active and starts_at <= ${deps.now()} and (ends_at is null or ends_at > ${deps.now()}) order by id desc limit 1`.execute(
          db,
        )
        if (rows[0]) reply.setCookie(POPUP_COOKIE, String(rows[0].id), { ...cookieBase, httpOnly: true, maxAge: YEAR_SECONDS })
        return { shown: true }
      },
    )

    app.post(
      '/login',
      {
        schema: {
          body: z.object({
            identifier: z.string().max(255).default(''),
            password: z.string().max(512).default(''),
            next: z.string().optional(),
            _token: z.string().optional(),
          }),
        },
      },
      async (request, reply) => {
        const form = request.body
        const fromForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false
        const next = localPath(form.next, '/')
        const t = translate(request.viewer.lang)
        const missing = missingFields(form, t('auth.identifier-required'), t('auth.password-required'))
        if (missing)
          return fromForm ? reply.redirect(loginAgain('missing', next), 303) : reply.refuse(422, 'error.invalid', { errors: missing })
        const result = await signIn(db, env.rateLimit, {
          identifier: form.identifier,
          password: form.password,
          ip: request.ip,
          userAgent: request.headers['user-agent'] ?? '',
          now: deps.now(),
        })
        if (!result.ok && result.reason === 'too-many') {
          if (fromForm) return reply.header('retry-after', result.retryAfter).redirect(loginAgain('too-many', next), 303)
          return reply.refuse(429, 'error.too-many', { retryAfterSeconds: result.retryAfter })
        }
        if (!result.ok) {
          const text = t('auth.wrong')
          if (fromForm) return reply.redirect(loginAgain('wrong', next), 303)
          return reply.refuse(422, 'auth.wrong', { errors: { identifier: [text] } })
        }
        // A session that the browser came with ends: signing in always makes a new one.
        const before = readCookie(request.headers.cookie, sessionName)
        if (before) await closeSession(db, before)
        reply.setCookie(sessionName, result.token, { ...cookieBase, httpOnly: true, expires: result.expiresAt })
        reply.header('cache-control', 'no-store')
        const redirect = form.next ? next : result.user.role === 'customer' ? '/' : '/admin'
        return fromForm ? reply.redirect(redirect, 303) : { user: result.user, redirect }
      },
    )

    app.post('/logout', async (request, reply) => {
      const token = readCookie(request.headers.cookie, sessionName)
      if (token) await closeSession(db, token)
      reply.clearCookie(sessionName, cookieBase)
      const fromForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false
      return fromForm ? reply.redirect('/', 303) : { redirect: '/' }
    })
  }
}

function loginAgain(problem: string, next: string): string {
  return `/login?problem=${problem}${next === '/' ? '' : `&next=${encodeURIComponent(next)}`}`
}

function missingFields(
  form: { identifier: string; password: string },
  noName: string,
  noPassword: string,
): Record<string, string[]> | null {
  const errors: Record<string, string[]> = {}
  if (!form.identifier.trim()) errors.identifier = [noName]
  if (!form.password) errors.password = [noPassword]
  return Object.keys(errors).length > 0 ? errors : null
}
