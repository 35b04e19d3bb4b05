import type { Db } from '#lib/db/db.server.ts'
import { sql } from 'kysely'
import { ORDER_SORTS, readOrderFilter } from '#features/orders/history/list-query-rules.ts'
import { listOrders, ORDERS_PAGE } from '#features/orders/history/order-list.server.ts'
import { readListView } from '#lib/db/keyset.ts'
import { CONNECTIONS, get, load, areAll } from './load.ts'
import { openAdmin } from './admin-shop.ts'
import type { Finding } from './report.ts'

const LIST_P95 = 60
const SEARCH_P95 = 80
const MS = 4000
/** Requests before the measurement, so that the code is compiled and the product index is read. */
const WARM_UP_MS = 25_000

/** Filters of the list, one or two together, common and rare; each is measured on its first and last page. */
const FILTERS: Record<string, string> = {
  'all orders': '',
  delivered: 'status=delivered',
  completed: 'status=completed',
  placed: 'status=placed',
  'one area': 'area_id={area}',
  'one area, placed': 'area_id={area}&status=placed',
  'from the POS': 'source=pos',
  'from the order form (none)': 'source=legacy',
  'POS, placed': 'source=pos&status=placed',
  'money to come': 'due=yes',
  'money to come, one area': 'due=yes&area_id={area}',
  'money to come, completed (none)': 'due=yes&status=completed',
  'money to give back (none)': 'due=refund',
  'one delivery day': 'list_on={day}',
  'one delivery day, one area': 'list_on={day}&area_id={area}',
  'a month': 'from={from}&to={to}',
  'a month, returned': 'from={from}&to={to}&status=returned',
  'one customer': 'user_id={customer}',
  'one customer, delivered': 'user_id={customer}&status=delivered',
  flagged: 'attention=1',
  'by total': 'sort=sum',
  'by total, ascending, 100 rows': 'sort=sum&order=asc&rows=100',
  'by delivery day': 'sort=day',
  'by number, placed': 'sort=number&status=placed',
  'by total, one area': 'sort=sum&area_id={area}',
}

const SEARCHES: Record<string, string> = {
  'order number': '{order}',
  'whole phone': '{phone}',
  'beginning of a phone': '01300',
  'ear tag': 'K-101',
  'common name': 'rahim',
  'common name in Bengali': 'রহিম উদ্দিন',
  'two names': 'Fatema Khatun',
  'rare name': 'মোহাম্মদ সেলিম',
  'name of no customer': 'Xqzptl',
  'common name, placed': 'karim&status=placed',
}

/** The admin's order list with a million orders and 16 concurrent clerks, compared with the same queries without server and page. */
export async function benchAdminOrders(): Promise<Finding[]> {
  const { url, cookie, db, close } = await openAdmin()
  try {
    const fill = await fillers(db)
    const list = get(url, '/admin/orders', { cookie, accept: 'text/html' })
    await load({ url, next: () => list, ms: WARM_UP_MS })
    const findings: Finding[] = []
    for (const [what, query] of Object.entries(FILTERS)) {
      findings.push(await measure(url, cookie, db, `${what}, first page`, fill(query), LIST_P95))
      findings.push(await measure(url, cookie, db, `${what}, last page`, `${fill(query)}&end=1`, LIST_P95))
    }
    for (const [what, term] of Object.entries(SEARCHES)) {
      const [typed = '', ...rest] = fill(term).split('&')
      findings.push(await measure(url, cookie, db, `search: ${what}`, [`q=${encodeURIComponent(typed)}`, ...rest].join('&'), SEARCH_P95))
    }
    findings.push(await countAll(url, cookie))
    return findings
  } finally {
    await close()
  }
}

/** The exact number of all orders, for "select all matching". */
async function countAll(url: string, cookie: string): Promise<Finding> {
  const request = get(url, '/api/admin/orders/bulk/count?query=', { cookie, accept: 'application/json' })
  await load({ url, next: () => request, ms: MS / 4 })
  const { p95, rate, statuses } = await load({ url, next: () => request, ms: MS })
  return {
    what: 'orders in the admin, count of all for a bulk change',
    goal: `p95 ≤ ${SEARCH_P95} ms`,
    measured: `p95 ${p95.toFixed(1)} ms, ${rate.toFixed(0)}/s`,
    reached: areAll(statuses) && p95 <= SEARCH_P95,
  }
}

/** Values for the placeholders of a query. */
async function fillers(db: Db): Promise<(query: string) => string> {
  const { rows } = await sql<Record<string, string | number>>`
    select (select area_id from orders where area_id is not null group by area_id order by count(*) limit 1) as area,
      (select customer_id from orders group by customer_id order by count(*) desc limit 1) as customer,
      (current_date - 400)::text as day, (current_date - 430)::text as from, (current_date - 400)::text as to,
      (select percentile_disc(0.5) within group (order by id) from orders) as order, (select phone from orders where id % 1009 = 7 limit 1) as phone`.execute(
    db,
  )
  return (query) => query.replace(/\{(\w+)\}/g, (_whole, name: string) => String(rows[0]?.[name] ?? ''))
}

async function measure(url: string, cookie: string, db: Db, what: string, query: string, goal: number): Promise<Finding> {
  const request = get(url, `/admin/orders?${query}`, { cookie, accept: 'text/html' })
  await load({ url, next: () => request, ms: MS / 4 })
  const { rate, p50, p95, statuses } = await load({ url, next: () => request, ms: MS })
  const alone = await databaseAlone(db, query)
  const clean = areAll(statuses)
  return {
    what: `orders in the admin, ${what}`,
    goal: `p95 ≤ ${goal} ms`,
    measured: `p95 ${p95.toFixed(1)} ms, median ${p50.toFixed(1)} ms, ${rate.toFixed(0)}/s; its queries alone ${alone.rate.toFixed(0)}/s (page ÷ queries ${(alone.rate / rate).toFixed(1)})`,
    reached: clean && p95 <= goal,
  }
}

/** The page's own queries over as many connections, without server and page. */
async function databaseAlone(db: Db, query: string): Promise<{ rate: number }> {
  const sent = Object.fromEntries(new URLSearchParams(query))
  const [filter, place] = [readOrderFilter(sent), readListView(sent, ORDER_SORTS, ORDERS_PAGE)]
  const begin = performance.now()
  let count = 0
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() - begin < MS / 2) {
        await listOrders(db, filter, place, 'en')
        count += 1
      }
    }),
  )
  return { rate: (count * 1000) / (performance.now() - begin) }
}
