import { sql } from 'kysely'
import { salesByArea, salesByCategory, salesByDay } from '#features/reports/sales.server.ts'
import { aggregateSales } from '#features/reports/aggregate-sales.server.ts'
import { listLowStock, listTasks } from '#features/reports/dashboard-tasks.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { daysBetween, addDays, dhakaDate } from '#lib/format/time.ts'
import { medianOf, timed } from './compare.ts'
import { benchLeaderboard } from './leaderboard.ts'
import { get, load, areAll } from './load.ts'
import { openAdmin } from './admin-shop.ts'
import type { Finding } from './report.ts'

const DASHBOARD_MS = 150
const LOAD_MS = 4000

/** Dashboard and reports with a million orders: one user, then sixteen, compared with the same queries without server and page. */
export async function benchAdmin(): Promise<Finding[]> {
  const admin = await openAdmin()
  const { url, cookie, db, close } = admin
  try {
    const now = new Date()
    const today = dhakaDate(now)
    const filling = await timed(() => settle(db, now))
    const quiet = await timed(() => aggregateSales(db, new Date()))
    const periods = { month: addDays(today, -29), 'ten years': addDays(today, -3650) }
    return [
      { what: 'adding up two years for the first time', goal: '', measured: `${(filling / 1000).toFixed(1)} s`, reached: null },
      { what: 'adding up when little has changed', goal: '', measured: `${quiet.toFixed(0)} ms`, reached: null },
      await page(url, cookie, 'dashboard', '/admin', DASHBOARD_MS, () => Promise.all([listTasks(db, now), listLowStock(db, 10, 'en')])),
      await page(url, cookie, 'reports of a month', `/admin/reports?from=${periods.month}&to=${today}`, null, () =>
        reports(db, periods.month, today),
      ),
      await page(url, cookie, 'reports of ten years', `/admin/reports?from=${periods['ten years']}&to=${today}`, null, () =>
        reports(db, periods['ten years'], today),
      ),
      await bareSums(db, periods['ten years']),
      ...(await benchLeaderboard(admin, today)),
    ]
  } finally {
    await close()
  }
}

/** Waits for the shop's job if it is running. */
async function settle(db: Db, now: Date): Promise<void> {
  await aggregateSales(db, now)
  await sql`select 1 from sales_progress for update`.execute(db)
}

async function reports(db: Db, from: string, to: string): Promise<void> {
  const period = { from, to, days: daysBetween(from, to) + 1 }
  await Promise.all([salesByDay(db, period), salesByCategory(db, period, 'en'), salesByArea(db, period, 'en')])
}

async function page(
  url: string,
  cookie: string,
  what: string,
  path: string,
  goal: number | null,
  alone: () => Promise<unknown>,
): Promise<Finding> {
  const request = get(url, path, { cookie, accept: 'text/html' })
  const one = await medianOf(() => fetch(url + path, { headers: { cookie, accept: 'text/html' } }).then((answer) => answer.text()))
  const queries = await medianOf(alone)
  await load({ url, next: () => request, ms: LOAD_MS / 4 })
  const { p95, rate, statuses } = await load({ url, next: () => request, ms: LOAD_MS })
  const clean = areAll(statuses)
  return {
    what,
    goal: goal === null ? '' : `≤ ${goal} ms`,
    measured: `${one.toFixed(0)} ms, its queries alone ${queries.toFixed(0)} ms (ratio ${(one / queries).toFixed(1)}); 16 at once p95 ${p95.toFixed(0)} ms, ${rate.toFixed(0)}/s`,
    reached: goal === null ? null : clean && one <= goal,
  }
}

/** The cost of the same sums when the orders themselves are read. */
async function bareSums(db: Db, from: string): Promise<Finding> {
  const bare = () =>
    sql`select area_id, count(*), sum(total_poisha) from orders where placed_at >= ${from}::date and status not in ('cancelled', 'returned') group by 1`.execute(
      db,
    )
  const ms = await medianOf(bare, 3)
  return { what: 'sales by area of ten years from the orders themselves', goal: '', measured: `${ms.toFixed(0)} ms`, reached: null }
}
