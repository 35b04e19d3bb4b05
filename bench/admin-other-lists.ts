import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { type AdminShop, jsonPoster, openAdmin } from './admin-shop.ts'
import { CONNECTIONS, get, load, areAll } from './load.ts'
import type { Finding } from './report.ts'

const LIST_P95 = 80
/** Clerks who load a list at the same moment. */
const CLERKS = 4
const MS = 3000
/** Until the code is compiled and the product index is read. */
const WARM_UP_MS = 25_000
/** Rows of the SMS outbox and of the audit log. */
const LOG_ROWS = 300_000
const RUN_ORDERS = 100_000
const CHANGED_ORDERS = 30_000
/** The bulk run is watched this long; its speed follows from its progress. */
const RUN_MS = 30_000

/** Pages, each measured on its first and its last page. */
const PAGES: Record<string, string> = {
  customers: '/admin/customers?',
  'customers by name, 100 rows': '/admin/customers?sort=name&rows=100',
  payments: '/admin/payments?',
  orders: '/admin/orders?',
  'orders by total, 100 rows': '/admin/orders?sort=sum&rows=100',
  'orders by delivery day, one status, 100 rows': '/admin/orders?sort=day&status=processing&rows=100',
  'payments, oldest first, 100 rows': '/admin/payments?sort=new&order=asc&rows=100',
  SMS: '/admin/sms?',
  'SMS, oldest first, 100 rows': '/admin/sms?sort=new&order=asc&rows=100',
  audit: '/admin/audit?',
  'audit, oldest first, 100 rows': '/admin/audit?sort=new&order=asc&rows=100',
}

/** Sorted lists of the admin, the news that open pages poll, and a bulk change of 100,000 orders, in a shop with a million orders. */
export async function benchAdminOtherLists(): Promise<Finding[]> {
  const admin = await openAdmin()
  try {
    await fillLogs(admin.db)
    const first = get(admin.url, '/admin/customers', { cookie: admin.cookie, accept: 'text/html' })
    await load({ url: admin.url, next: () => first, ms: WARM_UP_MS })
    const findings: Finding[] = []
    for (const [what, path] of Object.entries(PAGES)) {
      findings.push(await measure(admin, `${what}, first page`, path))
      findings.push(await measure(admin, `${what}, last page`, `${path}&end=1`))
    }
    findings.push(await benchNews(admin))
    findings.push(...(await benchBulkRun(admin)))
    return findings
  } finally {
    await admin.close()
  }
}

/** The database is reused between runs, so only missing rows are added. */
async function fillLogs(db: Db): Promise<void> {
  const rows = (table: 'sms_outbox' | 'audit_log') => sql`(select count(*)::int from ${sql.table(table)})`
  await sql`insert into sms_outbox (purpose, template, phone, body, state, created_at)
    select 'notice', 'bench', '+88013' || lpad((n % 100000000)::text, 8, '0'), 'Your order is on its way.', 'submitted', now() - n * interval '1 minute'
    from generate_series(1, ${LOG_ROWS} - ${rows('sms_outbox')}) n`.execute(db)
  await sql`insert into audit_log (at, action, subject, subject_id, after)
    select now() - n * interval '1 minute', 'changed', 'order', n::text, '{"status":"processing"}'
    from generate_series(1, ${LOG_ROWS} - ${rows('audit_log')}) n`.execute(db)
  await sql`analyze sms_outbox, audit_log`.execute(db)
}

async function measure({ url, cookie }: AdminShop, what: string, path: string): Promise<Finding> {
  const request = get(url, path, { cookie, accept: 'text/html' })
  await load({ url, next: () => request, ms: MS / 4 })
  const few = await load({ url, next: () => request, ms: MS, connections: CLERKS })
  const many = await load({ url, next: () => request, ms: MS })
  return {
    what,
    goal: `p95 ≤ ${LIST_P95} ms, ${CLERKS} at once`,
    measured: `p95 ${few.p95.toFixed(1)} ms; ${CONNECTIONS} at once ${many.p95.toFixed(1)} ms, ${many.rate.toFixed(0)}/s`,
    reached: areAll({ ...few.statuses, ...many.statuses }) && few.p95 <= LIST_P95,
  }
}

/** The answer to an open page when nothing has happened, beside that of a bare page of the same server. */
async function benchNews({ url, cookie }: AdminShop): Promise<Finding> {
  const path = '/api/admin/news'
  const answer = await fetch(url + path, { headers: { cookie } })
  const size = (await answer.text()).length
  const request = get(url, path, { cookie, 'if-none-match': answer.headers.get('etag') ?? '' })
  await load({ url, next: () => request, ms: MS / 4 })
  const { p50, p95, rate, statuses } = await load({ url, next: () => request, ms: MS })
  return {
    what: 'news for an open page, unchanged (304)',
    goal: '',
    measured: `${rate.toFixed(0)}/s, median ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms; ${size} characters when changed`,
    reached: areAll(statuses, 304) ? null : false,
  }
}

/** Fixes a bulk change of 100,000 orders; then changes delivered orders, and measures the order list meanwhile. */
async function benchBulkRun(admin: AdminShop): Promise<Finding[]> {
  const { url, cookie, db } = admin
  const list = get(url, '/admin/orders', { cookie, accept: 'text/html' })
  const quiet = await load({ url, next: () => list, ms: MS })
  const post = await jsonPoster(url, cookie)
  const upTo = async (where: ReturnType<typeof sql>, count: number) => {
    const { rows } = await sql<{ id: number }>`select id from orders where ${where} order by id offset ${count - 1} limit 1`.execute(db)
    if (!rows[0]) throw new Error(`The shop has fewer than ${count} of these orders.`)
    return { status: 'completed', count, up_to: rows[0].id }
  }
  const all = { query: '', ...(await upTo(sql`true`, RUN_ORDERS)) }
  const begin = performance.now()
  const { id: fixed } = await post('/admin/orders/bulk', all)
  const started = performance.now() - begin
  await post(`/admin/orders/bulk/${fixed}/cancel`)
  const { id } = await post('/admin/orders/bulk', { query: 'status=delivered', ...(await upTo(sql`status = 'delivered'`, CHANGED_ORDERS)) })
  const busy = await load({ url, next: () => list, ms: RUN_MS, connections: 1 })
  const { rows: progress } = await sql<{ handled: number; failed: number }>`
    select count(*) filter (where state <> 'waiting')::int as handled, count(*) filter (where state = 'failed')::int as failed
    from bulk_run_orders where run_id = ${id}`.execute(db)
  const { handled = 0, failed = 0 } = progress[0] ?? {}
  await post(`/admin/orders/bulk/${id}/cancel`)
  const perSecond = handled / (RUN_MS / 1000)
  return [
    { what: `bulk change of ${RUN_ORDERS} orders, fixed`, goal: '', measured: `${(started / 1000).toFixed(2)} s`, reached: null },
    {
      what: 'progress of a bulk change beside one clerk who reloads the order list',
      goal: '',
      measured: `${perSecond.toFixed(0)} orders/s, ${failed} of ${handled} failed: ${(RUN_ORDERS / Math.max(1, perSecond) / 60).toFixed(0)} minutes for ${RUN_ORDERS}`,
      reached: handled > 0 ? null : false,
    },
    {
      what: 'order list of one clerk during a bulk change',
      goal: `p95 ≤ ${LIST_P95} ms`,
      measured: `p95 ${busy.p95.toFixed(1)} ms; 16 clerks without it ${quiet.p95.toFixed(1)} ms`,
      reached: areAll(busy.statuses) && busy.p95 <= LIST_P95,
    },
  ]
}
