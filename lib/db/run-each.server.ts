import { isDatabaseAway } from './db.server.ts'

/**
 * Runs `run` for one item after another. A failure does not stop the others, so that one bad row does not block a job for good; the first
 * error is thrown after the last item. While the database is away it is thrown at once.
 */
export async function runEach<T>(items: readonly T[], run: (item: T) => Promise<unknown>): Promise<void> {
  const errors: unknown[] = []
  for (const item of items) {
    try {
      await run(item)
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
