import pLimit, { type LimitFunction } from 'p-limit'

/** Runs at most `max` works of a key at a time; more of them wait in turn. Works of other keys do not. */
export class KeyedLimit<Key> {
  readonly #max: number
  readonly #limits = new Map<Key, LimitFunction>()

  constructor(max: number) {
    this.#max = max
  }

  async run<Result>(key: Key, work: () => Promise<Result>): Promise<Result> {
    const limit = this.#limits.get(key) ?? pLimit(this.#max)
    this.#limits.set(key, limit)
    try {
      return await limit(work)
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) this.#limits.delete(key)
    }
  }

  /** The works of a key that wait. */
  waiting(key: Key): number {
    return this.#limits.get(key)?.pendingCount ?? 0
  }

  /** The keys with work. */
  get size(): number {
    return this.#limits.size
  }
}
