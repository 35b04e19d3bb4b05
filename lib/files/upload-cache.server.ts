// Files of a bucket on the disk of this process, so that a picture is loaded from the bucket once and not for each visitor.
import { createWriteStream, readdirSync, statSync } from 'node:fs'
import { mkdir, rename, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { LRUCache } from 'lru-cache'
import { DAY_MS } from '../format/time.ts'
import { randomToken } from '../ids/ids.server.ts'
import type { Bucket } from './bucket.server.ts'
import { isBucketAway } from './bucket-error.server.ts'

/** Of the name of a file in progress, in the folder of uploads and in the cache of a bucket. */
export const DRAFT_ENDING = '.part'
const MAX_BYTES = 2 * 1024 ** 3
/** Longer than it takes to open a file that is about to be sent. */
const DELETE_AFTER_MS = 10_000
/** While a bucket is away, each request would wait for its timeouts. */
const AWAY_MS = 3_000
/** A file that is used after this time is loaded again: another machine may have deleted it from the bucket. */
const MAX_AGE_MS = 7 * DAY_MS

interface Options {
  maxBytes?: number
  deleteAfterMs?: number
  maxAgeMs?: number
}

/** Names are never reused for other content, so that an entry is valid until its file is deleted. The least recently used is evicted first. */
export class UploadCache {
  readonly #bucket: Bucket
  readonly #folder: string
  readonly #sizes: LRUCache<string, number>
  readonly #loading = new Map<string, Promise<boolean>>()
  readonly #maxAgeMs: number
  /** By `performance.now()`: a clock that is set back must not prolong it. */
  #awayUntil = 0
  #awayError: unknown = null

  constructor(
    bucket: Bucket,
    folder: string,
    { maxBytes = MAX_BYTES, deleteAfterMs = DELETE_AFTER_MS, maxAgeMs = MAX_AGE_MS }: Options = {},
  ) {
    this.#bucket = bucket
    this.#folder = folder
    this.#maxAgeMs = maxAgeMs
    this.#sizes = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (bytes) => Math.max(bytes, 1),
      dispose: (_bytes, name, reason) => {
        if (reason === 'evict') setTimeout(() => void this.#deleteEvicted(name), deleteAfterMs).unref()
      },
    })
    for (const { name, bytes } of storedFiles(folder)) this.#sizes.set(name, bytes)
  }

  /**
   * Path of the file on this disk, loaded from the bucket if need be; null when the bucket has none. An old file is loaded again in the
   * background. Throws `BucketError`, or the error of the disk.
   */
  async find(name: string): Promise<string | null> {
    const file = path.join(this.#folder, name)
    // Another process may share the folder and delete from it.
    const loadedAt = this.#sizes.get(name) === undefined ? null : await loadTime(file)
    if (loadedAt === null) return (await this.#loadOnce(name, file)) ? file : null
    if (Date.now() - loadedAt > this.#maxAgeMs) this.#loadOnce(name, file).catch(() => {})
    return file
  }

  #loadOnce(name: string, file: string): Promise<boolean> {
    const running = this.#loading.get(name)
    if (running) return running
    const loading = this.#load(name, file).finally(() => this.#loading.delete(name))
    this.#loading.set(name, loading)
    return loading
  }

  async #load(name: string, file: string): Promise<boolean> {
    if (performance.now() < this.#awayUntil) throw this.#awayError
    const draft = `${file}.${randomToken(8)}${DRAFT_ENDING}`
    try {
      const object = await this.#bucket.get(name)
      if (!object) return await this.#deleteGone(name, file)
      await mkdir(this.#folder, { recursive: true })
      await pipeline(object.body, createWriteStream(draft, { flags: 'wx' }))
      // The tag of the response follows from size and time: it must be equal in all processes.
      if (object.modifiedAt) await utimes(draft, object.modifiedAt, object.modifiedAt)
      await rename(draft, file)
      this.#sizes.set(name, object.bytes)
      return true
    } catch (error) {
      if (isBucketAway(error)) [this.#awayUntil, this.#awayError] = [performance.now() + AWAY_MS, error]
      await rm(draft, { force: true })
      throw error
    }
  }

  async #deleteGone(name: string, file: string): Promise<false> {
    this.#sizes.delete(name)
    await rm(file, { force: true })
    return false
  }

  async #deleteEvicted(name: string): Promise<void> {
    // It may have been loaded again.
    if (!this.#sizes.has(name)) await rm(path.join(this.#folder, name), { force: true }).catch(() => {})
  }
}

/**
 * Complete files by ascending time, so that the oldest are evicted first; none where the folder cannot be read. A power cut leaves files that
 * were just written empty: these are loaded again.
 */
function storedFiles(folder: string): { name: string; bytes: number }[] {
  return namesIn(folder)
    .filter((name) => !name.endsWith(DRAFT_ENDING))
    .flatMap((name) => {
      // Another process may delete it meanwhile.
      const file = statSync(path.join(folder, name), { throwIfNoEntry: false })
      return file?.size ? [{ name, bytes: file.size, usedAt: file.atimeMs }] : []
    })
    .toSorted((a, b) => a.usedAt - b.usedAt)
}

/** The first load creates a missing folder, and reports one that this user may not use. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** When the file was loaded: a rename sets this time. Null when it does not exist. */
async function loadTime(file: string): Promise<number | null> {
  return stat(file).then(
    ({ ctimeMs }) => ctimeMs,
    () => null,
  )
}
