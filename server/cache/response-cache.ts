import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { CatalogRevision } from './catalog-revision.ts'
import {
  chooseEncoding,
  compress,
  compressSync,
  decompressSync,
  type CompressionClass,
  type Encoding,
  isCompressible,
  MIN_COMPRESSED_BYTES,
} from './compression.ts'

/**
 * A response ready to send: its headers, and its body in the encodings requested so far. A page whose first visitor accepts compression is
 * stored in that form alone, in a fifth of the memory.
 */
export interface CachedResponse {
  /** Empty for `no-store` responses: no browser revalidates them. */
  etag: string
  headers: Record<string, string>
  isCompressible: boolean
  bodies: Partial<Record<Encoding, Buffer>>
  /** Estimated bytes in memory. */
  size: number
  /** Expiry, by `performance.now()`. Popups, slots and notices start and end by the clock, not by a change of the catalog. */
  freshUntil: number
}

/** A response and the catalog's revision under which its rendering began. */
export interface Rendered {
  response: CachedResponse
  revision: number
}

const TTL_MS = 30_000
const MAX_BYTES = 32 * 1024 * 1024
/** A response may take this part of the cache. */
const MAX_SHARE = 16

/** Computes the ETag of a body and its first encoding. The ETag depends on the content alone, so that processes agree on it. */
export async function prepareResponse(
  body: Buffer,
  headers: Record<string, string>,
  accepted: Encoding,
  compressionClass: CompressionClass,
): Promise<CachedResponse> {
  const etag = headers['cache-control']?.startsWith('no-store') ? '' : etagOf(body, headers['content-language'] ?? '')
  const isLargeText = body.length >= MIN_COMPRESSED_BYTES && isCompressible(headers['content-type'] ?? '')
  const isCompressed = isLargeText && accepted !== 'identity'
  const first = isCompressed ? await compress(body, accepted, compressionClass) : body
  const bodies = { [isCompressed ? accepted : 'identity']: first }
  // The other compressed form is added when a browser asks for it. Gzip takes up to half as much again as Brotli; of a page that was
  // first asked for uncompressed, both forms together are rarely more than half.
  const size = Math.ceil(first.length * (isCompressed ? 2.5 : 1.5)) + 512
  return { etag, headers, bodies, isCompressible: isLargeText, size, freshUntil: performance.now() + TTL_MS }
}

function etagOf(body: Buffer, language: string): string {
  return `"${createHash('sha1').update(body).update(language).digest('base64url')}"`
}

/** The body in the encoding, or uncompressed where compression does not pay. */
export function bodyFor(encoding: Encoding, response: CachedResponse): { encoding: Encoding; body: Buffer } {
  const { bodies, isCompressible } = response
  const wanted = isCompressible ? encoding : 'identity'
  const stored = bodies[wanted]
  if (stored) return { encoding: wanted, body: stored }
  const plain = bodies.identity ?? decompressSync(bodies)
  // Not stored: programs that accept no compression are few, and pages are large.
  if (wanted === 'identity') return { encoding: wanted, body: plain }
  return { encoding: wanted, body: (bodies[wanted] = compressSync(plain, wanted, 'cached')) }
}

/** Sends a cached response, or 304 when the browser has it. Runs in front of Fastify. Returns the status. */
function sendFromCache(req: IncomingMessage, res: ServerResponse, response: CachedResponse): 200 | 304 {
  const { etag } = response
  if (req.headers['if-none-match'] === etag) {
    res.writeHead(304, { etag, 'cache-control': response.headers['cache-control'] ?? 'no-cache', vary: response.headers.vary ?? '' })
    res.end()
    return 304
  }
  const { encoding, body } = bodyFor(chooseEncoding(req.headers['accept-encoding']), response)
  const headers: Record<string, string | number> = { ...response.headers, etag, 'content-length': body.length }
  if (encoding !== 'identity') headers['content-encoding'] = encoding
  res.writeHead(200, headers)
  res.end(req.method === 'HEAD' ? undefined : body)
  return 200
}

/** The anonymous responses of this process. Any change of the catalog clears it; entries expire after 30 s; the least recently used go first. */
export class ResponseCache {
  /** Totals for the metrics. Plain numbers, because a cached response takes a few microseconds. */
  readonly counts = { hits: 0, notModified: 0, misses: 0 }
  readonly #revision: CatalogRevision
  readonly #responses: LRUCache<string, CachedResponse>
  readonly #renderings = new Map<string, Promise<Rendered | null>>()

  constructor(revision: CatalogRevision, maxBytes = MAX_BYTES) {
    this.#revision = revision
    this.#responses = new LRUCache({ maxSize: maxBytes, maxEntrySize: maxBytes / MAX_SHARE, sizeCalculation: ({ size }) => size })
    revision.onAdvance(() => this.#responses.clear())
  }

  /** Sends a response that was rendered for another visitor. */
  send(response: CachedResponse, req: IncomingMessage, res: ServerResponse): void {
    this.counts.hits += 1
    if (sendFromCache(req, res, response) === 304) this.counts.notModified += 1
  }

  get(key: string): CachedResponse | null {
    if (!this.#revision.isSubscribed) return null
    const response = this.#responses.get(key)
    if (!response) return null
    if (response.freshUntil >= performance.now()) return response
    this.#responses.delete(key)
    return null
  }

  /** The response that another request renders for this key, null if it gives up; undefined when nobody does. */
  rendering(key: string): Promise<Rendered | null> | undefined {
    return this.#revision.isSubscribed ? this.#renderings.get(key) : undefined
  }

  /** Lets further requests for the key wait until the returned function is called. */
  beginRendering(key: string): (rendered: Rendered | null) => void {
    const { promise, resolve } = Promise.withResolvers<Rendered | null>()
    this.#renderings.set(key, promise)
    return (rendered) => {
      if (this.#renderings.get(key) === promise) this.#renderings.delete(key)
      resolve(rendered)
    }
  }

  /** Stores a response that was started under a revision. A response of an older revision is dropped. */
  set(key: string, response: CachedResponse, startedAtRevision: number): void {
    this.counts.misses += 1
    if (this.#revision.isSubscribed && startedAtRevision === this.#revision.current) this.#responses.set(key, response)
  }
}
