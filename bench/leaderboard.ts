import { setTimeout as sleep } from 'node:timers/promises'
import { addDays, addMonths } from '#lib/format/time.ts'
import { readLeaderboardQuery } from '#features/reports/leaderboard-rules.ts'
import { listLeaderboard } from '#features/reports/leaderboard.server.ts'
import { medianOf, residentMiB, timed } from './compare.ts'
import type { AdminShop } from './admin-shop.ts'
import type { Finding } from './report.ts'

const MONTH_MS = 80
const TEN_YEARS_MS = 400
const FILE_MIB = 50

/** The leaderboard of a month and of ten years in each order, and its file. */
export async function benchLeaderboard(admin: AdminShop, today: string): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [what, from, goal] of [
    ['a month', addMonths(today, -1), MONTH_MS],
    ['ten years', addDays(today, -3650), TEN_YEARS_MS],
  ] as const) {
    for (const column of ['total_spent', 'orders_count', 'last_order_date'])
      findings.push(
        await page(admin, `leaderboard of ${what} by ${column}`, { start_date: from, end_date: today, sort_column: column }, goal),
      )
  }
  return [...findings, await file(admin, today)]
}

async function page({ url, cookie, db }: AdminShop, what: string, query: Record<string, string>, goal: number): Promise<Finding> {
  const path = `${url}/admin/leaderboard?${new URLSearchParams(query).toString()}`
  const ms = await medianOf(async () => (await fetch(path, { headers: { cookie, accept: 'text/html' } })).text())
  const filter = readLeaderboardQuery(query, query.end_date ?? '')
  const alone = await medianOf(() => listLeaderboard(db, filter, { backward: false, from: null }))
  return {
    what,
    goal: `≤ ${goal} ms`,
    measured: `${ms.toFixed(0)} ms, its query alone ${alone.toFixed(0)} ms (ratio ${(ms / alone).toFixed(1)})`,
    reached: ms <= goal,
  }
}

/** Reads the whole file while watching the shop's memory. */
async function file({ url, cookie, pid }: AdminShop, today: string): Promise<Finding> {
  const path = `${url}/admin/leaderboard?start_date=${addDays(today, -3650)}&end_date=${today}&download=1`
  // The first run grows the heap.
  await read(path, cookie)
  await sleep(2000)
  const before = residentMiB(pid)
  let max = before
  const watch = setInterval(() => (max = Math.max(max, residentMiB(pid))), 20)
  let rows = 0
  const ms = await timed(async () => (rows = await read(path, cookie)))
  clearInterval(watch)
  return {
    what: 'leaderboard of ten years as a file',
    goal: `≤ ${FILE_MIB} MiB more`,
    measured: `${rows} rows in ${(ms / 1000).toFixed(1)} s, ${(max - before).toFixed(0)} MiB more`,
    reached: max - before <= FILE_MIB,
  }
}

async function read(path: string, cookie: string): Promise<number> {
  const { body } = await fetch(path, { headers: { cookie, accept: 'text/html' } })
  let lines = -1
  for await (const piece of body!) for (const byte of piece) if (byte === 10) lines += 1
  return lines
}
