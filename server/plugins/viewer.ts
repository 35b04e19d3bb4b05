import type { FastifyInstance } from 'fastify'
import { findSession, type SignedInUser } from '#features/auth/sessions.server.ts'
import type { Lang } from '#lib/lang.ts'
import { BROWSER_COOKIE, readCookie, sessionCookie } from '../cookies.ts'
import type { Deps } from '../deps.ts'
import { requestLang } from '../page/front.ts'

/** Who asks, in which language, from which browser. */
export interface Viewer {
  user: SignedInUser | null
  /** What the session is known by outside the database; null for strangers. */
  sessionId: string | null
  lang: Lang
  /** The secret of a browser that has placed an order here, or null. */
  browser: string | null
}

declare module 'fastify' {
  interface FastifyRequest {
    viewer: Viewer
  }
}

/** Finds out who asks, before anything else. */
export function knowTheViewer(app: FastifyInstance, deps: Deps): void {
  const sessionName = sessionCookie(deps.env.publicUrl.startsWith('https:'))
  app.decorateRequest('viewer', null as unknown as Viewer)
  app.addHook('onRequest', async (request) => {
    const cookies = request.headers.cookie
    const token = readCookie(cookies, sessionName)
    const browser = readCookie(cookies, BROWSER_COOKIE)
    request.viewer = {
      user: null,
      sessionId: null,
      lang: requestLang(request.raw),
      browser: browser && /^[\w-]{20,60}$/.test(browser) ? browser : null,
    }
    if (!token || request.routeOptions.config.static) return
    const found = await findSession(deps.db, token, deps.now())
    if (found) Object.assign(request.viewer, { user: found.user, sessionId: found.hash })
  })
  // Before the answer leaves: whoever has it and looks, sees what he changed.
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (request.method !== 'GET' && request.viewer?.user) deps.seen.changed(request.viewer.user.id)
    done(null, payload)
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Files: the same for everybody, so nobody is looked up. */
    static?: boolean
  }
}
