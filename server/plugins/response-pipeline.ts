import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sessionCookie } from '#features/auth/cookies.ts'
import { chooseEncoding, type CompressionClass, type Encoding, isCompressible, MIN_COMPRESSED_BYTES } from '../cache/compression.ts'
import { bodyFor, type CachedResponse, prepareResponse } from '../cache/response-cache.ts'
import { cacheKey } from '../cache/serve-from-cache.ts'
import type { Deps } from '../deps.ts'
import { securityHeaders } from './security-headers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The anonymous response depends on URL, language and catalog alone, and is cached until they change. */
    cache?: 'public'
  }
  interface FastifyRequest {
    /** The catalog's revision when the request started. A response of an older revision is not cached. */
    startedAtRevision: number
  }
}

const VARY = 'Accept-Encoding, Cookie, Accept-Language'
/** Cloudflare replaces email addresses in pages, unless they say this. React then finds a page that it did not render, and renders it again. */
const UNCHANGED = 'no-transform'

/** Adds security headers, compression, ETag and caching to every text response. */
export function registerResponsePipeline(app: FastifyInstance, deps: Deps): void {
  const secure = deps.env.publicUrl.startsWith('https:')
  const always = securityHeaders(secure)
  const sessionName = sessionCookie(secure)
  app.decorateRequest('startedAtRevision', 0)
  app.addHook('onRequest', (request, reply, done) => {
    request.startedAtRevision = deps.catalogRevision.current
    reply.headers(always)
    done()
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const isText = typeof payload === 'string' || Buffer.isBuffer(payload)
    const type = String(reply.getHeader('content-type') ?? '')
    if (!isText || !isCompressible(type)) return payload
    const isPublic = request.routeOptions.config.cache === 'public'
    setCaching(reply, type, isPublic)
    reply.header('vary', VARY)
    if (reply.getHeader('content-language') === undefined) reply.header('content-language', request.viewer?.lang ?? 'en')
    if (isShortReplyToWrite(request, payload)) return payload
    const key = isPublic && reply.statusCode === 200 ? cacheKey(request.raw, sessionName) : null
    const accepted = chooseEncoding(request.headers['accept-encoding'])
    const response = await prepareResponse(
      typeof payload === 'string' ? Buffer.from(payload) : payload,
      textHeaders(reply),
      accepted,
      compressionClassOf(request, key),
    )
    if (key) deps.responseCache.set(key, response, request.startedAtRevision)
    return finishReply(request, reply, response, accepted)
  })
}

function setCaching(reply: FastifyReply, type: string, isPublic: boolean): void {
  const caching = String(reply.getHeader('cache-control') ?? (isPublic ? 'no-cache' : 'private, no-cache'))
  reply.header('cache-control', type.startsWith('text/html') ? `${caching}, ${UNCHANGED}` : caching)
}

function compressionClassOf({ routeOptions }: FastifyRequest, key: string | null): CompressionClass {
  if (key !== null) return 'cached'
  return routeOptions.config.permission ? 'admin' : 'uncached'
}

/** A short reply to a write is neither cached nor compressed. As a string it leaves in one packet with its headers. */
function isShortReplyToWrite({ method }: FastifyRequest, payload: string | Buffer): boolean {
  return method !== 'GET' && method !== 'HEAD' && Buffer.byteLength(payload) < MIN_COMPRESSED_BYTES
}

/** The headers to cache, as strings. Cookies never belong to a shared response. */
function textHeaders(reply: FastifyReply): Record<string, string> {
  const entries = Object.entries(reply.getHeaders()).filter(([name]) => name !== 'set-cookie' && name !== 'content-length')
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

function finishReply(request: FastifyRequest, reply: FastifyReply, response: CachedResponse, accepted: Encoding): Buffer | null {
  const hasEtag = response.etag !== '' && reply.statusCode === 200 && request.method === 'GET'
  if (hasEtag) reply.header('etag', response.etag)
  if (hasEtag && request.headers['if-none-match'] === response.etag) {
    reply.code(304).removeHeader('content-type').removeHeader('content-length')
    return null
  }
  const { encoding, body } = bodyFor(accepted, response)
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  reply.header('content-length', body.length)
  return body
}
