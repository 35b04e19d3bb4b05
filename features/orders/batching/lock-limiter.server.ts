import { isWaitTimeout } from '#lib/db/db.server.ts'

type Resource = number | string

/**
 * Limits concurrent database work. Further tasks queue without a connection. When a task times out on a lock, queued tasks that share one of
 * its resources are rejected too, instead of timing out in turn.
 */
export class LockLimiter {
  readonly #limit: number
  #running = 0
  #queue: { resources: readonly Resource[]; start: () => void; reject: (error: unknown) => void }[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  async run<T>(resources: readonly Resource[], work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limit) this.#running += 1
    else await new Promise<void>((start, reject) => this.#queue.push({ resources, start, reject }))
    try {
      return await work()
    } catch (error) {
      if (isWaitTimeout(error)) this.#rejectQueued(resources, error)
      throw error
    } finally {
      const next = this.#queue.shift()
      if (next) next.start()
      else this.#running -= 1
    }
  }

  #rejectQueued(resources: readonly Resource[], error: unknown): void {
    const isShared = (task: { resources: readonly Resource[] }) => task.resources.some((resource) => resources.includes(resource))
    const rejected = this.#queue.filter(isShared)
    this.#queue = this.#queue.filter((task) => !isShared(task))
    for (const task of rejected) task.reject(error)
  }
}
