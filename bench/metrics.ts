import { freePort } from '#server/embedded/postmaster.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { openAdmin } from './admin-shop.ts'
import type { Bench } from './database.ts'
import { fetchRaw } from './http.ts'
import { percentile } from './load.ts'
import { type Finding, thousands } from './report.ts'

const SCRAPES = 200
/** Scrapes before the measurement: a shop that has just started reads its product index and runs each job once. */
const WARM_UP = 40
/** Longer than the time for which concurrent scrapes share a text. Every fortieth scrape reads the shop's numbers from the database. */
const PAUSE_MS = 260
const GOAL_MS = 5

/** A scrape of `/metrics` while the database has a million orders. */
export async function benchMetrics(_bench: Bench): Promise<Finding[]> {
  const port = String(await freePort())
  const shop = await openAdmin({ METRICS_PORT: port })
  try {
    const url = `http://127.0.0.1:${port}/metrics`
    const times: number[] = []
    for (let scrape = 0; scrape < WARM_UP + SCRAPES; scrape++) {
      await sleep(PAUSE_MS)
      const begin = performance.now()
      const { status } = await fetchRaw(url)
      if (status !== 200) throw new Error(`/metrics answered ${status}`)
      if (scrape >= WARM_UP) times.push(performance.now() - begin)
    }
    times.sort((a, b) => a - b)
    const [p50, p95, longest] = [percentile(times, 0.5), percentile(times, 0.95), times.at(-1)!]
    const orders = await shop.db
      .selectFrom('orders')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return [
      {
        what: `/metrics with ${thousands(orders.count)} orders`,
        goal: `p95 ≤ ${GOAL_MS} ms`,
        measured: `p95 ${p95.toFixed(1)} ms, median ${p50.toFixed(1)} ms, longest ${longest.toFixed(1)} ms of ${SCRAPES}`,
        reached: p95 <= GOAL_MS,
      },
    ]
  } finally {
    await shop.close()
  }
}
