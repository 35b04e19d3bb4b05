import { pipeline, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gunzipSync,
  gzip,
  gzipSync,
  type BrotliOptions,
} from 'node:zlib'
import { outputChunkSize } from '#lib/runtime/memory.server.ts'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

export type Encoding = 'br' | 'gzip' | 'identity'

/** Bodies below this size are sent uncompressed. */
export const MIN_COMPRESSED_BYTES = 1024

/**
 * Brotli quality by response class, and the largest body compressed synchronously: below it, a worker thread costs more than it saves.
 * Quality 1 for the admin takes half as long as 2 and makes a list page 7 % longer. A cached response is compressed once and sent often.
 */
const CLASSES = {
  admin: { quality: 1, maxSyncBytes: 128 * 1024 },
  uncached: { quality: 2, maxSyncBytes: 32 * 1024 },
  cached: { quality: 5, maxSyncBytes: 32 * 1024 },
}
export type CompressionClass = keyof typeof CLASSES
/** Gzip takes several times as long as Brotli at these qualities. */
const GZIP_MAX_SYNC_BYTES = 32 * 1024

/** Whether the type is text. Images and fonts are compressed already. */
export function isCompressible(contentType: string): boolean {
  return /^(text\/|application\/(json|javascript|xml|manifest\+json|ld\+json)|image\/svg)/.test(contentType)
}

/** The best encoding that the client accepts. */
export function chooseEncoding(accept: string | undefined): Encoding {
  if (!accept) return 'identity'
  if (accept.includes('br')) return 'br'
  return accept.includes('gzip') ? 'gzip' : 'identity'
}

/** Compresses a body, in a worker thread when it is large. */
export function compress(body: Buffer, encoding: 'br' | 'gzip', compressionClass: CompressionClass): Promise<Buffer> | Buffer {
  const { quality, maxSyncBytes } = CLASSES[compressionClass]
  if (body.length <= (encoding === 'br' ? maxSyncBytes : GZIP_MAX_SYNC_BYTES)) return compressSync(body, encoding, compressionClass)
  return encoding === 'br' ? compressBrotli(body, brotliOptions(body, quality)) : compressGzip(body)
}

/** Compresses a body on the main thread. */
export function compressSync(body: Buffer, encoding: 'br' | 'gzip', compressionClass: CompressionClass): Buffer {
  const { quality } = CLASSES[compressionClass]
  if (encoding === 'br') return brotliCompressSync(body, brotliOptions(body, quality))
  return gzipSync(body, { chunkSize: outputChunkSize(body.length) })
}

/** The body from one of its compressed forms. Throws when it has none. */
export function decompressSync({ br, gzip: gzipped }: { br?: Buffer; gzip?: Buffer }): Buffer {
  if (br) return brotliDecompressSync(br)
  if (gzipped) return gunzipSync(gzipped)
  throw new Error('No form of the body is stored')
}

/** Compresses a long text while it is sent. */
export function compressStream(text: Readable, encoding: Encoding): Readable {
  if (encoding === 'identity') return text
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = constants
  const params = { [BROTLI_PARAM_QUALITY]: 1, [BROTLI_PARAM_LGWIN]: 18 }
  const compressor = encoding === 'br' ? createBrotliCompress({ params }) : createGzip({ level: 1 })
  // Unlike `pipe`, ends the text when its reader goes away.
  return pipeline(text, compressor, () => {})
}

/** The window is no larger than the text: the default one takes megabytes for each page. */
function brotliOptions(body: Buffer, quality: number): BrotliOptions {
  const window = Math.max(constants.BROTLI_MIN_WINDOW_BITS, Math.min(18, Math.ceil(Math.log2(body.length))))
  return {
    chunkSize: outputChunkSize(body.length),
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: window,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  }
}
