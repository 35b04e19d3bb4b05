import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { DAY_MS } from '#lib/format/time.ts'
import { RevisionCache, type Revision } from '#lib/async/revision-cache.ts'
import type { Db } from '#lib/db/db.server.ts'
import { randomToken } from '#lib/ids/ids.server.ts'
import { FEED_END, feedHead, feedItem, type FeedShop } from './feed-rules.ts'
import { listFeedProducts } from './queries.server.ts'

/** Products in memory at a time. */
const BATCH = 500
/** The age from which a file most likely belongs to no running process, each of which replaces its own. */
const STALE_MS = 2 * DAY_MS
/** A feed is made again this long after the last time at the earliest, however often the catalog changes. */
const MIN_AGE_MS = 300_000

/** Writes feeds to gzip files in `folder`, each once per revision of the catalog, and reuses them until the next. */
export class FeedFiles {
  readonly #db: Db
  readonly #folder: string
  readonly #revision: Revision
  readonly #minAgeMs: number
  readonly #feeds = new Map<string, RevisionCache<string>>()

  constructor({ db, folder, revision, minAgeMs = MIN_AGE_MS }: { db: Db; folder: string; revision: Revision; minAgeMs?: number }) {
    this.#db = db
    this.#folder = folder
    this.#revision = revision
    this.#minAgeMs = minAgeMs
  }

  /** The path of the gzip file of a feed. Concurrent callers share the writing. A file that another process deleted as stale is written again. */
  async get(name: string, shop: () => Promise<FeedShop>): Promise<string> {
    const feed = this.#feed(name, shop)
    const file = await feed.get()
    if (existsSync(file)) return file
    feed.invalidate()
    return feed.get()
  }

  #feed(name: string, shop: () => Promise<FeedShop>): RevisionCache<string> {
    const known = this.#feeds.get(name)
    if (known) return known
    let current: string | null = null
    let previous: string | null = null
    const feed = new RevisionCache(this.#slowRevision(), async () => {
      const file = await this.#write(name, await shop())
      // The replaced file stays until the next one: a reader may have its name and not have opened it yet.
      if (previous !== null) await rm(previous, { force: true })
      previous = current
      return (current = file)
    })
    this.#feeds.set(name, feed)
    return feed
  }

  /** The revision, which does not change more often than `minAgeMs`. */
  #slowRevision(): Revision {
    let [shown, at]: [number | null, number] = [null, 0]
    return () => {
      const now = performance.now()
      if (shown === null || now - at >= this.#minAgeMs) [shown, at] = [this.#revision() ?? -now, now]
      return shown
    }
  }

  async #write(name: string, shop: FeedShop): Promise<string> {
    await mkdir(this.#folder, { recursive: true })
    await this.#deleteStale()
    const file = path.join(this.#folder, `${name}-${randomToken(8)}.xml.gz`)
    try {
      await pipeline(Readable.from(this.#pieces(shop)), createGzip({ level: 4 }), createWriteStream(file))
    } catch (error) {
      await rm(file, { force: true })
      throw error
    }
    return file
  }

  async *#pieces(shop: FeedShop): AsyncGenerator<string> {
    yield feedHead(shop)
    for (let after = 0; ;) {
      const products = await listFeedProducts(this.#db, after, BATCH, shop.lang)
      if (products.length === 0) break
      yield products.map((product) => feedItem(product, shop)).join('')
      after = products.at(-1)!.id
    }
    yield FEED_END
  }

  async #deleteStale(): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      const file = path.join(this.#folder, name)
      const found = await stat(file).catch(() => null)
      if (found && Date.now() - found.mtimeMs > STALE_MS) await rm(file, { force: true })
    }
  }
}
