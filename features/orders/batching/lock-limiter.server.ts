import { isWaitTimeout } from '#lib/db/db.server.ts'

type Need = number | string

/**
 * Lets so many work in the database at once; whoever comes later waits here for a turn, without a connection. What did not get free in
 * all the time the database waits for a lock is not waited for again by those who need the same: they hear so too, and may ask again.
 */
export class LockLimiter {
  readonly #most: number
  #working = 0
  #queue: { needs: readonly Need[]; start: () => void; reject: (error: unknown) => void }[] = []

  constructor(most: number) {
    this.#most = most
  }

  async run<T>(needs: readonly Need[], work: () => Promise<T>): Promise<T> {
    if (this.#working < this.#most) this.#working += 1
    else await new Promise<void>((start, reject) => this.#queue.push({ needs, start, reject }))
    try {
      return await work()
    } catch (error) {
      if (isWaitTimeout(error)) this.#turnAway(needs, error)
      throw error
    } finally {
      const next = this.#queue.shift()
      if (next) next.start()
      else this.#working -= 1
    }
  }

  #turnAway(needs: readonly Need[], error: unknown): void {
    const shares = (one: { needs: readonly Need[] }) => one.needs.some((need) => needs.includes(need))
    const turnedAway = this.#queue.filter(shares)
    this.#queue = this.#queue.filter((one) => !shares(one))
    for (const one of turnedAway) one.reject(error)
  }
}
