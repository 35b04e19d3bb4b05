import { sql } from 'kysely'
import { openDb } from '#lib/db/db.server.ts'
import type { ShopProcess } from '#test/shop-process.ts'
import { cpuSeconds, median } from './compare.ts'
import { type Bench, openShop } from './database.ts'
import { CONNECTIONS, load, areAll } from './load.ts'
import { orderRequests } from './orders.ts'
import { type Finding, thousands } from './report.ts'

const PRODUCTS = 2_000
const PROCESSES = 3
const ROUNDS = 4
const ROUND_MS = 5_000
const WARM_UP_MS = 8_000
const GOAL_RATIO = 1.3
const CHANGES = 20
const GOAL_VISIBLE_MS = 1_000

interface Member {
  shop: ShopProcess
  next: () => string
}

/** Orders of three processes on one database against those of one, in turns, and how soon a change by one is shown by all. */
export async function benchProcesses(bench: Bench): Promise<Finding[]> {
  const url = await bench.copy(PRODUCTS)
  const shops: ShopProcess[] = []
  try {
    while (shops.length < PROCESSES) shops.push(await openShop(url))
    const members = await Promise.all(shops.map(async (shop) => ({ shop, next: await orderRequests(shop.url, url, PRODUCTS) })))
    await placeOrders(members, WARM_UP_MS * PROCESSES, bench)
    const [one, all]: [Round[], Round[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      one.push(await placeOrders(members.slice(0, 1), ROUND_MS, bench))
      all.push(await placeOrders(members, ROUND_MS, bench))
    }
    const ratio = median(all.map(({ rate }, round) => rate / one[round]!.rate))
    const visible = await timeChanges(url, shops)
    return [
      {
        what: `orders of ${PROCESSES} processes over those of one`,
        goal: `≥ ${GOAL_RATIO}`,
        measured: `${ratio.toFixed(2)} — ${describe(all)} to ${describe(one)}`,
        reached: ratio >= GOAL_RATIO,
      },
      {
        what: `a changed setting is shown by all ${PROCESSES} processes`,
        goal: `≤ ${GOAL_VISIBLE_MS} ms`,
        measured: `longest ${Math.max(...visible).toFixed(0)} ms, median ${median(visible).toFixed(0)} ms of ${CHANGES}`,
        reached: Math.max(...visible) <= GOAL_VISIBLE_MS,
      },
    ]
  } finally {
    for (const shop of shops) await shop.stop()
  }
}

interface Round {
  rate: number
  p99: number
  /** Cores in use, on average. */
  shops: number
  postgres: number
  generator: number
}

/** The same number of connections, shared by these processes. */
async function placeOrders(members: readonly Member[], ms: number, bench: Bench): Promise<Round> {
  const cpu = () => ({
    shops: members.reduce((sum, { shop }) => sum + (cpuSeconds(shop.pid) ?? NaN), 0),
    postgres: bench.cpuSeconds(),
    generator: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
  })
  const connections = Math.round(CONNECTIONS / members.length)
  const before = cpu()
  const results = await Promise.all(members.map(({ shop, next }) => load({ url: shop.url, next, connections, ms })))
  const after = cpu()
  if (results.some(({ statuses }) => !areAll(statuses)))
    throw new Error(`Orders were answered ${JSON.stringify(results.map(({ statuses }) => statuses))}`)
  const cores = (part: keyof typeof before) => ((after[part] - before[part]) * 1000) / ms
  return {
    rate: results.reduce((sum, { rate }) => sum + rate, 0),
    p99: Math.max(...results.map(({ p99 }) => p99)),
    shops: cores('shops'),
    postgres: cores('postgres'),
    generator: cores('generator'),
  }
}

function describe(rounds: readonly Round[]): string {
  const of = (part: keyof Round) => median(rounds.map((round) => round[part]))
  const cores = `cores in use: shop ${of('shops').toFixed(2)}, PostgreSQL ${of('postgres').toFixed(2)}, load ${of('generator').toFixed(2)}`
  return `${thousands(of('rate'))}/s (p99 ${of('p99').toFixed(0)} ms; ${cores})`
}

/** Milliseconds until each process shows a committed announcement on its home page. */
async function timeChanges(url: string, shops: readonly ShopProcess[]): Promise<number[]> {
  const { db, close } = openDb(url, { max: 1 })
  const times: number[] = []
  try {
    for (let change = 0; change < CHANGES; change++) {
      const text = `Announcement ${change} of the bench`
      const value = JSON.stringify({ en: text, bn: text })
      await sql`insert into settings (key, value) values ('announcement', ${value}::jsonb)
        on conflict (key) do update set value = excluded.value`.execute(db)
      const begin = performance.now()
      await Promise.all(shops.map((shop) => untilShown(shop.url, text, begin)))
      times.push(performance.now() - begin)
    }
  } finally {
    await close()
  }
  return times
}

async function untilShown(url: string, text: string, begin: number): Promise<void> {
  while (!(await (await fetch(url, { headers: { accept: 'text/html' } })).text()).includes(text))
    if (performance.now() - begin > 10 * GOAL_VISIBLE_MS) throw new Error(`${url} does not show the change`)
}
