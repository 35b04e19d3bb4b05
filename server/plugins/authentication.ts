import type { FastifyInstance } from 'fastify'
import { findSession, type SignedInUser } from '#features/auth/sessions.server.ts'
import { isOrderAccessToken } from '#features/orders/order-access-token.server.ts'
import { isHttps } from '#lib/http/is-https.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { orderAccessCookie, sessionCookie } from '#features/auth/cookies.ts'
import { legacyOrderAccessToken } from '#features/orders/order-access.server.ts'
import { BACKGROUND_HEADER } from '#lib/http/background-header.ts'
import { readCookie } from '#lib/http/read-cookie.ts'
import type { Deps } from '../deps.ts'
import { requestLang } from '../cache/serve-from-cache.ts'

/** The user, language and browser of a request. */
export interface RequestIdentity {
  user: SignedInUser | null
  /** The user of a locked session, who is anonymous outside the lock screen. */
  locked: SignedInUser | null
  /** The hash of the session token; null without a session. */
  sessionId: string | null
  lang: Lang
  /** The order access token, which opens the orders placed with it: `issuedBrowser`, else one of an earlier release. */
  browser: string | null
  /** The signed order access token: new orders get it and limits count it. */
  issuedBrowser: string | null
}

declare module 'fastify' {
  interface FastifyRequest {
    viewer: RequestIdentity
  }
}

/** Loads the session of every request before other hooks run. */
export function authenticate(app: FastifyInstance, deps: Deps): void {
  const secure = isHttps(deps.env.publicUrl)
  const [sessionName, browserName] = [sessionCookie(secure), orderAccessCookie(secure)]
  app.decorateRequest('viewer', null as unknown as RequestIdentity)
  app.addHook('onRequest', async (request) => {
    const cookies = request.headers.cookie
    const token = readCookie(cookies, sessionName)
    const sent = readCookie(cookies, browserName)
    const issuedBrowser = sent !== null && isOrderAccessToken(deps.env.sessionSecret, sent) ? sent : null
    request.viewer = {
      user: null,
      locked: null,
      sessionId: null,
      lang: requestLang(request.raw),
      browser: issuedBrowser ?? legacyOrderAccessToken(cookies),
      issuedBrowser,
    }
    const { config } = request.routeOptions
    if (!token || config.static) return
    const isBackground = config.isBackground === true || request.headers[BACKGROUND_HEADER] !== undefined
    const found = await findSession(deps.db, token, deps.now(), isBackground)
    if (!found) return
    const { user, isLocked, hash } = found
    Object.assign(request.viewer, { [isLocked ? 'locked' : 'user']: user, sessionId: hash })
  })
  // Before the reply is sent, so that the user's next read sees the write.
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (request.method !== 'GET' && request.viewer?.user) deps.sharedReads.markWrite(request.viewer.user.id)
    done(null, payload)
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A file: it is the same for all users, so the session is not loaded. */
    static?: boolean
    /** Pages call the route by themselves: it is no use of the session, which may become idle meanwhile. */
    isBackground?: boolean
  }
}
