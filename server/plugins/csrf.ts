import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RequestIdentity } from './authentication.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set to false on routes that browsers of other sites or machines call by design (gateway callbacks). */
    antiForgery?: boolean
  }
}

type Session = Pick<RequestIdentity, 'sessionId' | 'user' | 'locked'>

/**
 * The token that every write must send: strangers share one (their pages are the same bytes, and a foreign site still
 * cannot read or send it); a session has its own, which begins with the id of its user.
 */
export function antiForgeryToken(secret: string, session: Session): string {
  const code = sessionCode(secret, session.sessionId)
  const userId = userIdOf(session)
  return userId === null ? code : `${userId}.${code}`
}

function sessionCode(secret: string, sessionId: string | null): string {
  return createHmac('sha256', secret)
    .update(`anti-forgery:${sessionId ?? 'anonymous'}`)
    .digest('base64url')
}

const userIdOf = ({ user, locked }: Session) => (user ?? locked)?.id ?? null

const TOKEN = /^(?:(\d{1,15})\.)?(.*)$/s

/**
 * Rejects writes of a page that another user opened: two tabs of a browser have one session. Registered before the permissions are
 * checked, so that the page says why. It does not renew its token (`page/api-client.ts`).
 */
export function refuseOtherUsersPages(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (isWrite(request) && isOfOtherUser(request)) return failOtherUser(reply)
  })
}

const failOtherUser = (reply: FastifyReply) => reply.fail(403, 'error.other-user', { reason: 'other-user' })

/** Whether a user had logged in when the page that sends this was opened. */
export function isUsersPage(request: FastifyRequest): boolean {
  return TOKEN.exec(sentToken(request))?.[1] !== undefined
}

function isOfOtherUser(request: FastifyRequest): boolean {
  const [, sent] = TOKEN.exec(sentToken(request)) ?? []
  const userId = userIdOf(request.viewer)
  return sent !== undefined && userId !== null && Number(sent) !== userId
}

const isWrite = ({ method }: FastifyRequest) => !['GET', 'HEAD', 'OPTIONS'].includes(method)

/** Rejects writes without the token in `X-CSRF-TOKEN` or `_token`, and writes that a foreign site sent [E2]. */
export function protectFromForgery(app: FastifyInstance, options: { secret: string; publicUrl: string }): void {
  const ownHost = new URL(options.publicUrl).host
  const strangersCode = sessionCode(options.secret, null)
  app.addHook('preValidation', async (request, reply) => {
    if (!isWrite(request) || request.routeOptions.config.antiForgery === false || request.is404) return
    const { sessionId } = request.viewer
    const expected = sessionId === null ? strangersCode : sessionCode(options.secret, sessionId)
    const [, , sent = ''] = TOKEN.exec(sentToken(request)) ?? []
    if (isForeign(request, ownHost)) return reply.fail(403, 'error.bad-token')
    // A form without script sends the token in its body.
    if (isOfOtherUser(request)) return failOtherUser(reply)
    if (!sameToken(sent, expected)) return reply.fail(403, 'error.bad-token')
    dropTokenField(request)
  })
}

/** The token is no input of the route: a schema that allows no other fields rejects it. */
function dropTokenField({ body }: FastifyRequest): void {
  if (typeof body === 'object' && body !== null && '_token' in body) delete body._token
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
