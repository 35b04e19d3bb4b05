import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync, type BrotliOptions } from 'node:zlib'
import type { IncomingMessage, ServerResponse } from 'node:http'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

export type Encoding = 'br' | 'gzip' | 'identity'

/** An answer ready to send: the encodings that were asked for so far, and the headers that go with it. */
export interface CachedResponse {
  /** Empty where no browser may keep the answer: nobody will ever ask whether it is still the same. */
  etag: string
  headers: Record<string, string>
  isCompressible: boolean
  bodies: Partial<Record<Encoding, Buffer>> & { identity: Buffer }
  size: number
  /** Monotonic milliseconds after which it is made anew: what depends on the clock (popups, slots, notices) turns within that time. */
  freshUntil: number
}

export const MIN_WORTH_COMPRESSING = 1024
/**
 * How an answer is compressed: sent once, to customers or to the staff, or often. Up to so many bytes Brotli on the spot costs less
 * than handing it to another thread. A step less for the staff takes half as long and makes a page of a list 7 % longer.
 */
const WAYS = {
  admin: { quality: 1, onTheSpot: 128 * 1024 },
  once: { quality: 2, onTheSpot: 32 * 1024 },
  often: { quality: 5, onTheSpot: 32 * 1024 },
}
type Way = (typeof WAYS)[keyof typeof WAYS]
/** Gzip takes several times as long. */
const GZIP_ON_THE_SPOT = 32 * 1024
const MIN_ROOM = 512
const MAX_ROOM = 16 * 1024
const FRESH_MS = 30_000

/** Text compresses; pictures and fonts are compressed already. */
export function isCompressible(contentType: string): boolean {
  return /^(text\/|application\/(json|javascript|xml|manifest\+json|ld\+json)|image\/svg)/.test(contentType)
}

/**
 * Makes a body ready to send in the encoding its visitor takes; others follow when they are asked for.
 * `etag` is of its content, so that several processes agree on it.
 */
export async function prepareAnswer(
  body: Buffer,
  headers: Record<string, string>,
  taken: Encoding,
  way: keyof typeof WAYS,
): Promise<CachedResponse> {
  const etag = headers['cache-control'] === 'no-store' ? '' : etagOf(body, headers['content-language'] ?? '')
  const isWorthIt = body.length >= MIN_WORTH_COMPRESSING && isCompressible(headers['content-type'] ?? '')
  const bodies: CachedResponse['bodies'] = { identity: body }
  if (isWorthIt && taken !== 'identity') bodies[taken] = await compressed(body, taken, WAYS[way])
  // Both compressed forms of a page together are rarely more than half of it.
  return { etag, headers, bodies, isCompressible: isWorthIt, size: body.length * 1.5 + 512, freshUntil: performance.now() + FRESH_MS }
}

function etagOf(body: Buffer, language: string): string {
  return `"${createHash('sha1').update(body).update(language).digest('base64url')}"`
}

function compressed(body: Buffer, encoding: 'br' | 'gzip', way: Way): Promise<Buffer> | Buffer {
  const { quality, onTheSpot } = way
  if (body.length <= (encoding === 'br' ? onTheSpot : GZIP_ON_THE_SPOT)) return compressedNow(body, encoding, quality)
  return encoding === 'br' ? compressBrotli(body, brotliOptions(body, quality)) : compressGzip(body)
}

function compressedNow(body: Buffer, encoding: 'br' | 'gzip', quality: number): Buffer {
  return encoding === 'br' ? brotliCompressSync(body, brotliOptions(body, quality)) : gzipSync(body, { chunkSize: roomFor(body) })
}

/**
 * Room for what comes out, more where it is not enough. The usual 16 KB an answer made the process go through all its memory every few hundred
 * answers (decision 60), and a kept answer held on to all of them.
 */
function roomFor(body: Buffer): number {
  return Math.max(MIN_ROOM, Math.min(MAX_ROOM, body.length >> 2))
}

/** A window no larger than the text: the usual one would take megabytes for each page. */
function brotliOptions(body: Buffer, quality: number): BrotliOptions {
  const window = Math.max(constants.BROTLI_MIN_WINDOW_BITS, Math.min(18, Math.ceil(Math.log2(body.length))))
  return {
    chunkSize: roomFor(body),
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: window,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  }
}

/** The best encoding that the visitor takes. */
export function chooseEncoding(accept: string | undefined): Encoding {
  if (!accept) return 'identity'
  if (accept.includes('br')) return 'br'
  return accept.includes('gzip') ? 'gzip' : 'identity'
}

/** The body in that encoding, or as it is where it was not worth compressing. */
export function bodyIn(encoding: Encoding, kept: CachedResponse): { encoding: Encoding; body: Buffer } {
  if (encoding === 'identity' || !kept.isCompressible) return { encoding: 'identity', body: kept.bodies.identity }
  return { encoding, body: (kept.bodies[encoding] ??= compressedNow(kept.bodies.identity, encoding, WAYS.often.quality)) }
}

/** Sends a kept answer, or 304 when the browser has it. Used in front of Fastify and by it. */
export function sendFromCache(req: IncomingMessage, res: ServerResponse, kept: CachedResponse): void {
  if (req.headers['if-none-match'] === kept.etag) {
    res.writeHead(304, { etag: kept.etag, 'cache-control': kept.headers['cache-control'] ?? 'no-cache', vary: kept.headers.vary ?? '' })
    res.end()
    return
  }
  const { encoding, body } = bodyIn(chooseEncoding(req.headers['accept-encoding']), kept)
  const headers: Record<string, string | number> = { ...kept.headers, etag: kept.etag, 'content-length': body.length }
  if (encoding !== 'identity') headers['content-encoding'] = encoding
  res.writeHead(200, headers)
  res.end(req.method === 'HEAD' ? undefined : body)
}

/**
 * The anonymous answers of this process, kept while the catalog stays as it is.
 * `revision` rises with every change that shows; an answer begun under an older revision is not kept.
 */
export class ResponseCache {
  revision = 1
  /** False while this process cannot hear of changes (database away): then nothing is served from here. */
  listening = false
  readonly #answers = new Map<string, CachedResponse>()
  readonly #limit: number
  #bytes = 0

  constructor(limitBytes = 32 * 1024 * 1024) {
    this.#limit = limitBytes
  }

  /** The catalog changed: whatever was kept is old. */
  bump(): void {
    this.revision += 1
    this.#answers.clear()
    this.#bytes = 0
  }

  find(key: string): CachedResponse | null {
    if (!this.listening) return null
    const kept = this.#answers.get(key)
    if (!kept) return null
    if (kept.freshUntil < performance.now()) {
      this.#drop(key, kept)
      return null
    }
    return kept
  }

  keep(key: string, kept: CachedResponse, begunAtRevision: number): void {
    if (!this.listening || begunAtRevision !== this.revision || kept.size > this.#limit / 16) return
    const before = this.#answers.get(key)
    if (before) this.#drop(key, before)
    this.#answers.set(key, kept)
    this.#bytes += kept.size
    // The oldest go first; an answer that is asked for often is soon made again.
    for (const [oldKey, old] of this.#answers) {
      if (this.#bytes <= this.#limit) break
      this.#drop(oldKey, old)
    }
  }

  #drop(key: string, kept: CachedResponse): void {
    this.#answers.delete(key)
    this.#bytes -= kept.size
  }
}
