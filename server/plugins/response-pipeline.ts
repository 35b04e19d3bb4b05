import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { sessionCookie } from '../cookies.ts'
import { cacheKey } from '../cache/serve-from-cache.ts'
import {
  bodyIn,
  chooseEncoding,
  type Encoding,
  isCompressible,
  type CachedResponse,
  prepareAnswer,
  MIN_WORTH_COMPRESSING,
} from '../cache/response-cache.ts'
import { securityHeaders } from './security-headers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The anonymous answer depends on address, language and catalog alone, and may be kept until they change. */
    keep?: boolean
  }
  interface FastifyRequest {
    /** The catalog's revision when the request came: an answer begun earlier is not kept. */
    begunAt: number
  }
}

const VARY = 'Accept-Encoding, Cookie, Accept-Language'

/** Headers, compression, ETag and keeping, for every answer of text. */
export function registerResponsePipeline(app: FastifyInstance, deps: Deps): void {
  const secure = deps.env.publicUrl.startsWith('https:')
  const always = securityHeaders(secure)
  const sessionName = sessionCookie(secure)
  app.decorateRequest('begunAt', 0)
  app.addHook('onRequest', (request, reply, done) => {
    request.begunAt = deps.kept.revision
    reply.headers(always)
    done()
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const isText = typeof payload === 'string' || Buffer.isBuffer(payload)
    if (!isText || !isCompressible(String(reply.getHeader('content-type') ?? ''))) return payload
    if (!reply.hasHeader('cache-control'))
      reply.header('cache-control', request.routeOptions.config.keep ? 'no-cache' : 'private, no-cache')
    reply.header('vary', VARY)
    if (reply.getHeader('content-language') === undefined) reply.header('content-language', request.viewer?.lang ?? 'en')
    if (isShortAnswerToWrite(request, payload)) return payload
    const key = request.routeOptions.config.keep && reply.statusCode === 200 ? cacheKey(request.raw, sessionName) : null
    const taken = chooseEncoding(request.headers['accept-encoding'])
    const kept = await prepareAnswer(
      typeof payload === 'string' ? Buffer.from(payload) : payload,
      textHeaders(reply),
      taken,
      wayOf(request, key),
    )
    if (key) deps.kept.keep(key, kept, request.begunAt)
    return answer(request, reply, kept, taken)
  })
}

function wayOf({ routeOptions }: FastifyRequest, key: string | null): 'often' | 'admin' | 'once' {
  if (key !== null) return 'often'
  return routeOptions.config.right ? 'admin' : 'once'
}

/** Nobody keeps it and it is not worth compressing: as a text it leaves in one piece with its head. */
function isShortAnswerToWrite({ method }: FastifyRequest, payload: string | Buffer): boolean {
  return method !== 'GET' && method !== 'HEAD' && Buffer.byteLength(payload) < MIN_WORTH_COMPRESSING
}

/** Kept headers are plain strings; cookies never belong to an answer that others get. */
function textHeaders(reply: FastifyReply): Record<string, string> {
  const entries = Object.entries(reply.getHeaders()).filter(([name]) => name !== 'set-cookie' && name !== 'content-length')
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

function answer(request: FastifyRequest, reply: FastifyReply, kept: CachedResponse, taken: Encoding): Buffer | null {
  const keepable = kept.etag !== '' && reply.statusCode === 200 && request.method === 'GET'
  if (keepable) reply.header('etag', kept.etag)
  if (keepable && request.headers['if-none-match'] === kept.etag) {
    reply.code(304).removeHeader('content-type').removeHeader('content-length')
    return null
  }
  const { encoding, body } = bodyIn(taken, kept)
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  reply.header('content-length', body.length)
  return body
}
