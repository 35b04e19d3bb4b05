// Client of an S3-compatible bucket (AWS S3, MinIO, R2, Garage and others).
import type { S3Client } from '@aws-sdk/client-s3'
import { Readable } from 'node:stream'
import { BucketError, bucketErrorOf, isMissing } from './bucket-error.server.ts'

export interface S3Settings {
  /** URL of an S3-compatible server; null means AWS. */
  endpoint: string | null
  region: string
  accessKeyId: string
  secretAccessKey: string
}

export interface BucketUrl {
  bucket: string
  /** Begins every key; empty or ends with a slash. */
  prefix: string
}

export interface BucketEntry {
  key: string
  bytes: number
  modifiedAt: Date
}

export interface BucketObject {
  /** The reader must consume or destroy it. It fails when the connection stalls. */
  body: Readable
  /** Length of the body: of the range when one was asked for. */
  bytes: number
  modifiedAt: Date | null
  etag: string | null
  contentType: string | null
}

export interface PutOptions {
  contentType?: string
  cacheControl?: string
  signal?: AbortSignal
}

/** Keys are relative to the prefix of the bucket URL. Every method throws `BucketError`. */
export interface Bucket {
  /** Stores an object whole or not at all. A stream is sent in parts, two at a time; its own errors are thrown as they are. */
  put(key: string, body: Uint8Array | Readable, options?: PutOptions): Promise<void>
  /** Opens an object, or the bytes `start` to `end` (inclusive) of it; null when there is none. */
  get(key: string, range?: { start: number; end: number }): Promise<BucketObject | null>
  /** Size and time of an object; null when there is none. */
  find(key: string): Promise<BucketEntry | null>
  /** All objects whose key begins with `prefix`, by ascending key. */
  list(prefix?: string): AsyncGenerator<BucketEntry>
  /** Deletes an object. One that does not exist is no error. */
  delete(key: string): Promise<void>
  close(): void
}

/** Larger bodies are sent in parts. A part is held in memory until it is stored. */
const PART_BYTES = 8 * 1024 * 1024
const ATTEMPTS = 3
const TIMEOUTS = {
  connectMs: 3_000,
  /** From the start of a request to the headers of its answer: a slow line needs time for a part. */
  answerMs: 60_000,
  /** Silence on a connection, also within a body. */
  idleMs: 20_000,
}

/** Parses `s3://bucket/prefix`; null when it is something else. */
export function parseBucketUrl(text: string): BucketUrl | null {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(text) ?? []
  if (!bucket || path.split('/').includes('..')) return null
  const prefix = path.replaceAll(/^\/+|\/+$/g, '')
  return { bucket, prefix: prefix && `${prefix}/` }
}

/** Opens a bucket. The SDK is loaded by the first call, so that a shop without a bucket does not hold it in memory. */
export function openBucket(settings: S3Settings, url: BucketUrl, timeouts = TIMEOUTS): Bucket {
  return new S3Bucket(loader(settings, timeouts), url)
}

/** What a request to a bucket took; `ok` also for a file that does not exist. */
type BucketObserver = (operation: 'put' | 'get' | 'find' | 'list' | 'delete', result: 'ok' | 'failed', seconds: number) => void

let observer: BucketObserver | null = null

/** Called after every request of this process to a bucket, with its retries. A read counts until its first byte. */
export function observeBuckets(observe: BucketObserver | null): void {
  observer = observe
}

class S3Bucket implements Bucket {
  readonly #sdk: ReturnType<typeof loader>
  readonly #bucket: string
  readonly #prefix: string

  constructor(sdk: ReturnType<typeof loader>, { bucket, prefix }: BucketUrl) {
    this.#sdk = sdk
    this.#bucket = bucket
    this.#prefix = prefix
  }

  async put(key: string, body: Uint8Array | Readable, options: PutOptions = {}): Promise<void> {
    try {
      await this.#call<unknown>('put', ({ client, PutObjectCommand }) => {
        const { contentType: ContentType, cacheControl: CacheControl, signal } = options
        const object = { ...this.#objectOf(key), ContentType, CacheControl, Body: body }
        const isSmall = body instanceof Uint8Array && body.byteLength <= PART_BYTES
        return isSmall ? client.send(new PutObjectCommand(object), { abortSignal: signal }) : putParts(client, object, signal)
      })
    } catch (error) {
      if (!(body instanceof Readable)) throw error
      const sourceError = body.errored
      body.destroy()
      throw sourceError ?? error
    }
  }

  async get(key: string, range?: { start: number; end: number }): Promise<BucketObject | null> {
    const Range = range && `bytes=${range.start}-${range.end}`
    const found = await orNull(
      this.#call('get', ({ client, GetObjectCommand }) => client.send(new GetObjectCommand({ ...this.#objectOf(key), Range }))),
    )
    if (!found) return null
    const { Body, ContentLength = 0, LastModified = null, ETag = null, ContentType = null } = found
    const body = Readable.from(translateErrors(Body as Readable, this.#bucket), { objectMode: false })
    return { body, bytes: ContentLength, modifiedAt: LastModified, etag: ETag, contentType: ContentType }
  }

  async find(key: string): Promise<BucketEntry | null> {
    const head = await orNull(
      this.#call('find', ({ client, HeadObjectCommand }) => client.send(new HeadObjectCommand(this.#objectOf(key)))),
    )
    return head && { key, bytes: head.ContentLength ?? 0, modifiedAt: head.LastModified ?? new Date(0) }
  }

  async *list(within = ''): AsyncGenerator<BucketEntry> {
    const where = { Bucket: this.#bucket, Prefix: this.#prefix + within }
    let next: string | undefined
    do {
      const page = await this.#call('list', ({ client, ListObjectsV2Command }) =>
        client.send(new ListObjectsV2Command({ ...where, ContinuationToken: next })),
      )
      for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? [])
        yield { key: Key.slice(this.#prefix.length), bytes: Size, modifiedAt: LastModified }
      next = page.IsTruncated ? page.NextContinuationToken : undefined
      // A backup of the first page would look complete.
      if (page.IsTruncated && !next) throw new BucketError('cut-list', this.#bucket)
    } while (next)
  }

  async delete(key: string): Promise<void> {
    await this.#call('delete', ({ client, DeleteObjectCommand }) => client.send(new DeleteObjectCommand(this.#objectOf(key))))
  }

  close(): void {
    this.#sdk.close()
  }

  #objectOf(key: string) {
    return { Bucket: this.#bucket, Key: this.#prefix + key }
  }

  async #call<T>(operation: Parameters<BucketObserver>[0], send: (sdk: Sdk) => Promise<T>): Promise<T> {
    const sdk = await this.#sdk.load()
    const startedAt = performance.now()
    const observe = (result: 'ok' | 'failed') => observer?.(operation, result, (performance.now() - startedAt) / 1000)
    try {
      const answer = await send(sdk)
      observe('ok')
      return answer
    } catch (error) {
      observe(isMissing(error) ? 'ok' : 'failed')
      throw bucketErrorOf(error, this.#bucket)
    }
  }
}

async function orNull<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

type Parts = { Bucket: string; Key: string; Body: Uint8Array | Readable; ContentType?: string; CacheControl?: string }

async function putParts(client: S3Client, params: Parts, signal: AbortSignal | undefined): Promise<void> {
  const { Upload } = await import('@aws-sdk/lib-storage')
  const upload = new Upload({ client, params, queueSize: 2, partSize: PART_BYTES, leavePartsOnError: false })
  const abort = () => void upload.abort().catch(() => {})
  signal?.addEventListener('abort', abort, { once: true })
  try {
    signal?.throwIfAborted()
    await upload.done()
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}

async function* translateErrors(body: Readable, bucket: string): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    throw bucketErrorOf(error, bucket)
  }
}

type Sdk = typeof import('@aws-sdk/client-s3') & { client: S3Client }

/** The SDK with one client, loaded once. */
function loader({ endpoint, region, ...credentials }: S3Settings, timeouts: typeof TIMEOUTS) {
  let loaded: Promise<Sdk> | null = null
  const load = async (): Promise<Sdk> => {
    const sdk = await import('@aws-sdk/client-s3')
    const client = new sdk.S3Client({
      region,
      credentials,
      // Own servers rarely have a host name for each bucket.
      ...(endpoint && { endpoint, forcePathStyle: true }),
      maxAttempts: ATTEMPTS,
      // Many S3-compatible servers do not know the checksums that the SDK adds by default.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: timeouts.connectMs,
        requestTimeout: timeouts.answerMs,
        throwOnRequestTimeout: true,
        socketTimeout: timeouts.idleMs,
      },
    })
    return { ...sdk, client }
  }
  return {
    load: () => (loaded ??= load()),
    close: () => void loaded?.then(({ client }) => client.destroy()),
  }
}
