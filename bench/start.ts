import { availableParallelism } from 'node:os'
import { cpuSeconds, median } from './compare.ts'
import { type Bench, openShop } from './database.ts'
import type { Finding } from './report.ts'

const STARTS = 5
const GOAL_SECONDS = 3

/** Starts with a database that is up to date, until `/readyz` answers: with and without the cache of compiled sources. */
export async function benchStart(bench: Bench): Promise<Finding[]> {
  const url = await bench.database(0)
  // Fills the cache.
  await timedStart(url, {})
  const [cached, uncached] = [await timeStarts(url, {}), await timeStarts(url, { NODE_DISABLE_COMPILE_CACHE: '1' })]
  return [finding('compiled sources cached', cached), finding('without that cache', uncached)]
}

interface Start {
  seconds: number
  cpu: number
}

async function timeStarts(url: string, env: Record<string, string>): Promise<Start[]> {
  const starts: Start[] = []
  while (starts.length < STARTS) starts.push(await timedStart(url, env))
  return starts
}

async function timedStart(url: string, env: Record<string, string>): Promise<Start> {
  const begin = performance.now()
  const shop = await openShop(url, env)
  const start = { seconds: (performance.now() - begin) / 1000, cpu: cpuSeconds(shop.pid) ?? NaN }
  await shop.stop()
  return start
}

function finding(what: string, starts: readonly Start[]): Finding {
  const seconds = median(starts.map((start) => start.seconds))
  return {
    what: `start with an up-to-date database, ${what}`,
    goal: `≤ ${GOAL_SECONDS} s`,
    measured: `${seconds.toFixed(2)} s, CPU ${median(starts.map(({ cpu }) => cpu)).toFixed(2)} s (${availableParallelism()} cores)`,
    reached: seconds <= GOAL_SECONDS,
  }
}
