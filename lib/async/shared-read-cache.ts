interface Reading {
  begunAt: number
  isDone: boolean
  found: Promise<unknown>
}

/**
 * What several people look at in the same moment, read once for all of them, and at most so old. Nobody is shown what was begun to be
 * read before a change of his own: who has changed something and looks again, sees it.
 */
export class SharedReadCache {
  readonly #freshMs: number
  readonly #clock: () => number
  readonly #readings = new Map<string, Reading>()
  readonly #changes = new Map<number, number>()

  constructor(freshMs = 2000, clock = () => performance.now()) {
    this.#freshMs = freshMs
    this.#clock = clock
  }

  /** Somebody's change is done, and is about to be answered. */
  changed(personId: number): void {
    const now = this.#clock()
    this.#changes.delete(personId)
    this.#changes.set(personId, now)
    // The oldest come first. What is older than any reading may be forgotten.
    const oldest = Math.min(now, ...[...this.#readings.values()].map(({ begunAt }) => begunAt))
    for (const [id, at] of this.#changes) {
      if (at >= oldest) break
      this.#changes.delete(id)
    }
  }

  /** What is known under this name, or what `read` finds. */
  async see<T>(name: string, personId: number, read: () => Promise<T>): Promise<T> {
    const now = this.#clock()
    const known = this.#readings.get(name)
    const isCurrent = known && (!known.isDone || now - known.begunAt < this.#freshMs)
    if (isCurrent && known.begunAt > (this.#changes.get(personId) ?? -Infinity)) return known.found as Promise<T>
    const reading: Reading = { begunAt: now, isDone: false, found: read() }
    this.#readings.set(name, reading)
    try {
      return (await reading.found) as T
    } catch (error) {
      if (this.#readings.get(name) === reading) this.#readings.delete(name)
      throw error
    } finally {
      reading.isDone = true
    }
  }
}
