import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runScript } from '#test/run-script.ts'
import { addOrders } from '#db/bulk/bulk-orders.ts'
import { openDb } from '#lib/db/db.server.ts'
import { type Bench, openShop } from './database.ts'
import { load, type LoadResult, percentile } from './load.ts'
import { orderRequests } from './orders.ts'
import type { Finding } from './report.ts'

const PRODUCTS = 2_000
/** BENCH_ORDERS=1000000 measures the goal itself. */
const ORDERS = Number(process.env.BENCH_ORDERS ?? 200_000)
const MILLION = 1_000_000
const GOAL_SECONDS = { backup: 180, restore: 600 }
const WARM_UP_MS = 8_000
const ROUND_MS = 8_000
const ROUNDS_BEFORE = 3
/** Fewer than the other benches open: the shop serves orders and is not saturated. */
const CONNECTIONS = 4

/** A backup while guests order, and its restore into an empty database. Goals are for 1,000,000 orders and scale with their number. */
export async function benchBackup(bench: Bench): Promise<Finding[]> {
  const url = await bench.copy(PRODUCTS)
  const folder = await mkdtemp(path.join(tmpdir(), 'khamar-bench-backup-'))
  const { db, close } = openDb(url, { max: 2 })
  await addOrders(db, ORDERS, console.error)
  await close()
  const shop = await openShop(url)
  try {
    const next = await orderRequests(shop.url, url, PRODUCTS)
    const round = () => load({ url: shop.url, next, ms: ROUND_MS, connections: CONNECTIONS })
    await load({ url: shop.url, next, ms: WARM_UP_MS, connections: CONNECTIONS })
    const quiet: LoadResult[] = []
    while (quiet.length < ROUNDS_BEFORE) quiet.push(await round())
    const started = performance.now()
    let seconds = 0
    const env = { DATA_DIR: path.join(folder, 'data'), DATABASE_URL: url }
    const backup = runScript('scripts/shop.ts', { args: ['backup', '--to', folder], env }).then((end) => {
      seconds = (performance.now() - started) / 1000
      return end
    })
    const busy = [await round()]
    while (seconds === 0) busy.push(await round())
    const { code, output } = await backup
    if (code !== 0) throw new Error(output)
    await shop.stop()
    const name = (await readdir(folder)).find((name) => name.endsWith('.khamar-backup'))!
    const { size } = await stat(path.join(folder, name))
    const restore = await timeRestore(path.join(folder, name), path.join(folder, 'restored'))
    const each = (rounds: LoadResult[]) => rounds.map((round) => round.p99.toFixed(0)).join(', ')
    console.error(`p99 of each round: ${each(quiet)} ms before, ${each(busy)} ms during the backup`)
    const [before, during] = [p99Of(quiet), p99Of(busy)]
    return [
      timed(`backup of ${ORDERS} orders while others come in, ${Math.round(size / 1_048_576)} MiB`, seconds, GOAL_SECONDS.backup),
      timed(`restore of ${ORDERS} orders with a new database`, restore, GOAL_SECONDS.restore),
      {
        what: 'p99 of orders during the backup, against before',
        goal: '≤ 2 ×',
        measured: `${(during / before).toFixed(2)} (${during.toFixed(0)} ms to ${before.toFixed(0)} ms)`,
        reached: during <= 2 * before,
      },
    ]
  } finally {
    await shop.stop().catch(() => {})
    await sleep(100)
    await rm(folder, { recursive: true, force: true })
  }
}

/** Of all orders of some rounds. */
const p99Of = (rounds: LoadResult[]): number => percentile(Float64Array.from(rounds.flatMap(({ times }) => [...times])).sort(), 0.99)

function timed(what: string, seconds: number, goalSeconds: number): Finding {
  const goal = (goalSeconds * ORDERS) / MILLION
  return { what, goal: `≤ ${goal.toFixed(0)} s`, measured: `${seconds.toFixed(1)} s`, reached: seconds <= goal }
}

async function timeRestore(file: string, dataDir: string): Promise<number> {
  const started = performance.now()
  const { code, output } = await runScript('scripts/shop.ts', { args: ['restore', file], env: { DATA_DIR: dataDir } })
  if (code !== 0) throw new Error(output)
  return (performance.now() - started) / 1000
}
