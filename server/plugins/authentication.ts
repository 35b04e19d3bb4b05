import type { FastifyInstance } from 'fastify'
import { findSession, type SignedInUser } from '#features/auth/sessions.server.ts'
import { isBrowserSecret } from '#features/orders/order-access-token.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { sessionCookie } from '#features/auth/cookies.ts'
import { legacyOrderAccessToken, orderAccessCookie } from '#features/orders/order-access.server.ts'
import { readCookie } from '#lib/http/read-cookie.ts'
import type { Deps } from '../deps.ts'
import { requestLang } from '../cache/serve-from-cache.ts'

/** Who asks, in which language, from which browser. */
export interface RequestIdentity {
  user: SignedInUser | null
  /** The user of a locked session, who is a stranger everywhere but at the lock screen. */
  locked: SignedInUser | null
  /** What the session is known by outside the database; null for strangers. */
  sessionId: string | null
  lang: Lang
  /** Opens the orders placed with it: `issuedBrowser`, else the secret of an earlier release. Null for a browser without one. */
  browser: string | null
  /** The secret that this server issued to the browser: new orders are placed and limits counted with it. Null without one. */
  issuedBrowser: string | null
}

declare module 'fastify' {
  interface FastifyRequest {
    viewer: RequestIdentity
  }
}

/** Finds out who asks, before anything else. */
export function authenticate(app: FastifyInstance, deps: Deps): void {
  const secure = deps.env.publicUrl.startsWith('https:')
  const [sessionName, browserName] = [sessionCookie(secure), orderAccessCookie(secure)]
  app.decorateRequest('viewer', null as unknown as RequestIdentity)
  app.addHook('onRequest', async (request) => {
    const cookies = request.headers.cookie
    const token = readCookie(cookies, sessionName)
    const sent = readCookie(cookies, browserName)
    const issuedBrowser = sent !== null && isBrowserSecret(deps.env.sessionSecret, sent) ? sent : null
    request.viewer = {
      user: null,
      locked: null,
      sessionId: null,
      lang: requestLang(request.raw),
      browser: issuedBrowser ?? legacyOrderAccessToken(cookies),
      issuedBrowser,
    }
    if (!token || request.routeOptions.config.static) return
    const found = await findSession(deps.db, token, deps.now())
    if (!found) return
    const { user, isLocked, hash } = found
    Object.assign(request.viewer, { [isLocked ? 'locked' : 'user']: user, sessionId: hash })
  })
  // Before the answer leaves: whoever has it and looks, sees what he changed.
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (request.method !== 'GET' && request.viewer?.user) deps.sharedReads.markWrite(request.viewer.user.id)
    done(null, payload)
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Files: the same for everybody, so nobody is looked up. */
    static?: boolean
  }
}
