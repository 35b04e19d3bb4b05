import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set to false on routes that browsers of other sites or machines call by design (gateway callbacks). */
    antiForgery?: boolean
  }
}

/**
 * The token that every write must send: strangers share one (their pages are the same bytes, and a foreign site still
 * cannot read or send it); a session has its own.
 */
export function antiForgeryToken(secret: string, sessionId: string | null): string {
  return createHmac('sha256', secret)
    .update(`anti-forgery:${sessionId ?? 'anonymous'}`)
    .digest('base64url')
}

/** Rejects writes without the token in `X-CSRF-TOKEN` or `_token`, and writes that a foreign site sent [E2]. */
export function protectFromForgery(app: FastifyInstance, options: { secret: string; publicUrl: string }): void {
  const ownHost = new URL(options.publicUrl).host
  const strangersToken = antiForgeryToken(options.secret, null)
  app.addHook('preValidation', async (request, reply) => {
    if (['GET', 'HEAD', 'OPTIONS'].includes(request.method) || request.routeOptions.config.antiForgery === false) return
    if (request.is404) return
    const { sessionId } = request.viewer
    const expected = sessionId === null ? strangersToken : antiForgeryToken(options.secret, sessionId)
    if (isForeign(request, ownHost) || !sameToken(sentToken(request), expected)) {
      return reply.fail(403, 'error.bad-token')
    }
  })
}

function sentToken(request: FastifyRequest): string {
  const header = request.headers['x-csrf-token']
  if (typeof header === 'string') return header
  const body = request.body
  const field = typeof body === 'object' && body !== null && '_token' in body ? body._token : ''
  return typeof field === 'string' ? field : ''
}

function sameToken(sent: string, expected: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function isForeign(request: FastifyRequest, ownHost: string): boolean {
  if (request.headers['sec-fetch-site'] === 'cross-site') return true
  const origin = request.headers.origin
  if (origin === undefined) return false
  const host = URL.canParse(origin) ? new URL(origin).host : null
  return host === null || (host !== ownHost && host !== request.headers.host)
}
