import { isDatabaseAway } from './db.server.ts'

/**
 * Runs `run` for every item, `atOnce` of them at a time. A failure does not stop the others, so that one bad row does not block a job for
 * good; the first error is thrown after the last item. When the database is away no further item begins.
 */
export async function runEach<T>(items: readonly T[], run: (item: T) => Promise<unknown>, atOnce = 1): Promise<void> {
  const errors: unknown[] = []
  const queue = items.values()
  let isAway = false
  const work = async () => {
    for (const item of queue) {
      try {
        await run(item)
      } catch (error) {
        errors.push(error)
        isAway ||= isDatabaseAway(error)
      }
      if (isAway) return
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  if (errors.length > 0) throw errors.find(isDatabaseAway) ?? errors[0]
}
