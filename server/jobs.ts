import type { Deps } from './deps.ts'

/** One thing that must happen by itself now and then; several processes may do it at once without harm. */
interface Job {
  name: string
  everyMs: number
  run(deps: Deps): Promise<unknown>
}

const jobs: Job[] = []

/** Starts the shop's own clockwork; answers a function that lets running work end and stops it. */
export function startJobs(deps: Deps): () => Promise<void> {
  const running = new Set<Promise<unknown>>()
  const timers = jobs.map((job) => {
    let busy = false
    return setInterval(() => {
      if (busy) return
      busy = true
      const work = job
        .run(deps)
        .catch((error) => deps.log.warn({ err: error, job: job.name }, 'job failed, will try again'))
        .finally(() => {
          busy = false
          running.delete(work)
        })
      running.add(work)
    }, job.everyMs)
  })
  return async () => {
    timers.forEach(clearInterval)
    await Promise.allSettled(running)
  }
}
