interface Entry {
  startedAt: number
  isDone: boolean
  result: Promise<unknown>
}

/**
 * Shares one in-flight read between users and caches its result for 2 seconds. A user never gets a result whose read started before
 * that user's last write.
 */
export class SharedReadCache {
  readonly #ttlMs: number
  readonly #clock: () => number
  readonly #entries = new Map<string, Entry>()
  readonly #lastWrites = new Map<number, number>()

  constructor(ttlMs = 2000, clock = () => performance.now()) {
    this.#ttlMs = ttlMs
    this.#clock = clock
  }

  /** Records that a user's write is committed. Call it before the write is answered. */
  markWrite(userId: number): void {
    const now = this.#clock()
    this.#lastWrites.delete(userId)
    this.#lastWrites.set(userId, now)
    for (const [name, entry] of this.#entries) if (!this.#isFresh(entry, now)) this.#entries.delete(name)
    // Writes older than every cached read have no effect. The map is ordered by time.
    const oldest = Math.min(now, ...[...this.#entries.values()].map(({ startedAt }) => startedAt))
    for (const [id, at] of this.#lastWrites) {
      if (at >= oldest) break
      this.#lastWrites.delete(id)
    }
  }

  /** The cached result under this name, or that of `read`. */
  async get<T>(name: string, userId: number, read: () => Promise<T>): Promise<T> {
    const now = this.#clock()
    const cached = this.#entries.get(name)
    if (cached && this.#isFresh(cached, now) && cached.startedAt > (this.#lastWrites.get(userId) ?? -Infinity))
      return cached.result as Promise<T>
    const entry: Entry = { startedAt: now, isDone: false, result: read() }
    this.#entries.set(name, entry)
    try {
      return (await entry.result) as T
    } catch (error) {
      if (this.#entries.get(name) === entry) this.#entries.delete(name)
      throw error
    } finally {
      entry.isDone = true
    }
  }

  #isFresh({ isDone, startedAt }: Entry, now: number): boolean {
    return !isDone || now - startedAt < this.#ttlMs
  }

  /** The users whose last write a cached read may not show. */
  get writerCount(): number {
    return this.#lastWrites.size
  }
}
