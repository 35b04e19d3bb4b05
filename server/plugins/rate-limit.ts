import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { clientNetwork, clientSite } from '#lib/http/client-network.ts'

/** The limit of an address, as a multiple of the limit of a browser: one address may be a whole mobile operator. */
const BROWSERS_PER_ADDRESS = 20

/** Limits the routes that name a `rateLimit`: by browser, and by address at 20 times the limit. */
export async function registerRateLimit(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, { global: false, keyGenerator: browserKey })
  const addressLimit = app.createRateLimit({
    keyGenerator: (request) => `${request.routeOptions.url} ${clientSite(request.ip)}`,
    max: (request) => BROWSERS_PER_ADDRESS * (request.routeOptions.config.rateLimit as { max: number }).max,
    timeWindow: '1 minute',
  })
  app.addHook('onRequest', async (request, reply) => {
    if (!request.routeOptions.config.rateLimit) return
    const used = await addressLimit(request)
    if (!used.isAllowed && used.isExceeded) return reply.fail(429, 'error.too-many', { retryAfterSeconds: used.ttlInSeconds })
  })
}

/** The session, else the network with the order access token or the user agent. These tell apart most browsers behind one address. */
function browserKey(request: {
  ip: string
  headers: Record<string, unknown>
  viewer: { sessionId: string | null; issuedBrowser: string | null }
}): string {
  const { sessionId, issuedBrowser } = request.viewer
  return sessionId ?? `${clientNetwork(request.ip)} ${issuedBrowser ?? String(request.headers['user-agent']).slice(0, 200)}`
}
