import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isStaff } from '#features/auth/permissions.ts'
import { wantsPage } from '#lib/http/request-kind.server.ts'
import type { Deps } from '../deps.ts'

/** How long robots and browsers wait before they ask again. */
const RETRY_AFTER_SECONDS = 3600

/**
 * Routes that a closed shop still serves: signing in, the customer's own account, orders that were placed before, and what pages need.
 * Every other route is closed, so a new route of the storefront is closed by itself.
 */
const ALWAYS_SERVED =
  /^\/(readyz|csrf-token|language|robots\.txt|login|logout|forgot-password|code|unlock|account|address|invoice|order\/confirmed|order\/review|orders\/:id|payments|track|api\/track|stop|demo|api\/demo)(\/|$)/

/** Renders the page of a closed shop. */
export type ClosedPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/**
 * Answers 503 with Retry-After to shoppers and robots until the owner opens the shop [decision 33]. Admin and POS check
 * their permission themselves. Files and payment callbacks load no session and are always served. Registered after `authenticate`.
 */
export function closeUntilOpened(app: FastifyInstance, deps: Pick<Deps, 'shopCache'>, closedPage: ClosedPage): void {
  // After the rate limit, which counts requests together that wait for the same promise.
  app.addHook('preParsing', async (request, reply) => {
    const { config, url } = request.routeOptions
    if (request.is404 || config.static || config.permission || url === undefined || ALWAYS_SERVED.test(url)) return
    const { user } = request.viewer
    if (user && isStaff(user.role)) return
    if ((await deps.shopCache.settings()).opening.isOpen) return
    if (!wantsPage(request)) {
      return reply.fail(503, 'error.not-open', { retryAfterSeconds: RETRY_AFTER_SECONDS, reason: 'not-open' })
    }
    reply.header('retry-after', RETRY_AFTER_SECONDS).header('cache-control', 'no-store')
    return closedPage(request, reply)
  })
}
