import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { clientNetwork, clientSite } from '#lib/http/client-network.ts'

/** The limit of an address, as a multiple of the limit of a browser: one address may be a whole mobile operator. */
const BROWSERS_PER_ADDRESS = 20

/**
 * Limits the routes that name a `rateLimit`: by session or browser secret, and by address at 20 times the limit. A browser without either
 * counts for its address alone: all phones with one release of Chrome send the same user agent, so nothing tells it from others there [E7].
 */
export async function registerRateLimit(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, { global: false, keyGenerator: browserKey, allowList: (request) => isUnknown(request.viewer) })
  const addressLimit = app.createRateLimit({
    allowList: () => false,
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

interface BrowserIds {
  sessionId: string | null
  issuedBrowser: string | null
}

function isUnknown({ sessionId, issuedBrowser }: BrowserIds): boolean {
  return sessionId === null && issuedBrowser === null
}

/** The session, else the network with the order access token. */
function browserKey({ ip, viewer: { sessionId, issuedBrowser } }: { ip: string; viewer: BrowserIds }): string {
  return sessionId ?? `${clientNetwork(ip)} ${issuedBrowser}`
}
