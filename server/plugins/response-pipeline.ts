import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sessionCookie } from '#features/auth/cookies.ts'
import { chooseEncoding, type CompressionClass, type Encoding, isCompressible, MIN_COMPRESSED_BYTES } from '../cache/compression.ts'
import { bodyFor, type CachedResponse, prepareResponse, type Rendered } from '../cache/response-cache.ts'
import { cacheKey } from '../cache/serve-from-cache.ts'
import type { Deps } from '../deps.ts'
import { securityHeaders } from './security-headers.ts'
import { isHttps } from '#lib/http/is-https.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The anonymous response depends on URL, language and catalog alone, and is cached until they change. */
    cache?: 'public'
  }
  interface FastifyRequest {
    /** The catalog's revision when the request started. A response of an older revision is not cached. */
    startedAtRevision: number
    /** Hands the response to the requests that wait for it; null: they render it. */
    endRendering: ((rendered: Rendered | null) => void) | null
  }
}

const VARY = 'Accept-Encoding, Cookie, Accept-Language'
/** Cloudflare replaces email addresses in pages, unless they say this. React then finds a page that it did not render, and renders it again. */
const UNCHANGED = 'no-transform'

/** Adds security headers, compression, ETag and caching to every text response. */
export function registerResponsePipeline(app: FastifyInstance, deps: Deps): void {
  const secure = isHttps(deps.env.publicUrl)
  const always = securityHeaders(secure)
  const sessionName = sessionCookie(secure)
  app.decorateRequest('startedAtRevision', 0)
  app.decorateRequest('endRendering', null)
  const keyOf = (request: FastifyRequest) => (request.routeOptions.config.cache === 'public' ? cacheKey(request.raw, sessionName) : null)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(always)
    const start = () => {
      request.startedAtRevision = deps.catalogRevision.current
      done()
    }
    const key = keyOf(request)
    if (key === null) start()
    else void shareRendering(request, reply, deps, key).then((isSent) => isSent || start(), done)
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
    const key = reply.statusCode === 200 ? keyOf(request) : null
    const accepted = chooseEncoding(request.headers['accept-encoding'])
    const response = await prepareResponse(
      typeof payload === 'string' ? Buffer.from(payload) : payload,
      textHeaders(reply),
      accepted,
      compressionClassOf(request, key),
    )
    if (key) {
      deps.responseCache.set(key, response, request.startedAtRevision)
      request.endRendering?.({ response, revision: request.startedAtRevision })
    }
    return finishReply(request, reply, response, accepted)
  })
}

/** The second rendering that a request waits for began after it. Where nothing is handed on, requests must not form a queue. */
const MAX_WAITS = 3

/**
 * Waits while another request renders the same response, and sends that one if it began with the catalog that this request found, or a later
 * one. After a change of the catalog a busy page would otherwise be rendered once for each visitor who comes before the first rendering
 * ends, and the database would be too busy to answer all of them. False: the request renders, and others wait for it.
 */
async function shareRendering(
  request: FastifyRequest,
  reply: FastifyReply,
  { responseCache, catalogRevision }: Deps,
  key: string,
): Promise<boolean> {
  const found = catalogRevision.current
  for (let waits = 0; waits < MAX_WAITS; waits += 1) {
    const rendering = responseCache.rendering(key)
    if (!rendering) break
    const rendered = await rendering
    // The reply has timed out meanwhile.
    if (reply.statusCode !== 200) return true
    if (!rendered || rendered.revision < found) continue
    reply.hijack()
    responseCache.send(rendered.response, request.raw, reply.raw)
    return true
  }
  const endRendering = (request.endRendering = responseCache.beginRendering(key))
  // Also when the visitor leaves, or the response is none that others may get.
  reply.raw.once('close', () => endRendering(null))
  return false
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
