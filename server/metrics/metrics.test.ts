import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '#test/free-port.ts'
import { startShop, type Shop } from '#test/server.ts'
import { Visitor } from '#test/visitor.ts'
import { openDb } from '#lib/db/db.server.ts'

const TOKEN = 'a token of the metrics'.replaceAll(' ', '-')
const PHONE = '01853127062'

let shop: Shop
let metricsPort: number
let database: ReturnType<typeof openDb>
beforeAll(async () => {
  metricsPort = await freePort()
  shop = await startShop({
    env: {
      METRICS_PORT: String(metricsPort),
      METRICS_TOKEN: TOKEN,
      LOG_LEVEL: 'info',
      SLOW_QUERY_MS: '300',
      TRUST_PROXY: '127.0.0.1',
      // A provider that does not answer: its SMS wait.
      SMS_API_KEY: 'key',
      SMS_SENDER_ID: 'Khamar',
      SMS_BASE_URL: `http://127.0.0.1:${await freePort()}`,
    },
  })
  database = openDb(shop.databaseUrl)
})
afterAll(async () => {
  await database.close()
  await shop.stop()
})

const authorization = `Bearer ${TOKEN}`
const scrape = async (headers: Record<string, string> = { authorization }, url = `http://127.0.0.1:${metricsPort}/metrics`) => {
  // Texts are shared for a quarter of a second.
  await sleep(300)
  const response = await fetch(url, { headers })
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}
const valueOf = (text: string, series: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')
      .at(-1) ?? NaN,
  )

it.each([
  ['without a token', {}],
  ['with a wrong token', { authorization: `Bearer ${TOKEN}x` }],
  ['with the token as a password', { authorization: `Basic ${TOKEN}` }],
])('refuses a request %s, on both ports', async (_what, headers) => {
  for (const url of [`http://127.0.0.1:${metricsPort}/metrics`, `${shop.url}/metrics`]) {
    const { status, text } = await scrape(headers, url)
    expect([status, text.includes('khamar_')]).toEqual([401, false])
  }
})

it('serves nothing else on its own port', async () => {
  expect((await scrape({ authorization }, `http://127.0.0.1:${metricsPort}/`)).status).toBe(404)
  const posted = await fetch(`http://127.0.0.1:${metricsPort}/metrics`, { method: 'POST', headers: { authorization }, body: 'x' })
  expect(posted.status).toBe(404)
})

it('counts requests by route pattern and cached responses, without URLs', async () => {
  const before = (await scrape()).text
  for (const path of ['/', '/', '/', `/track?phone=${PHONE}`, `/${PHONE}-secret`]) await (await fetch(shop.url + path)).text()
  const etag = (await fetch(`${shop.url}/`)).headers.get('etag')!
  expect((await fetch(`${shop.url}/`, { headers: { 'if-none-match': etag } })).status).toBe(304)
  const { status, type, text } = await scrape()
  expect([status, type]).toEqual([200, expect.stringContaining('text/plain; version=0.0.4')])
  const grown = (series: string) => valueOf(text, series) - (valueOf(before, series) || 0)
  expect(grown('khamar_http_requests_total{method="GET",route="/track",status="200"}')).toBe(1)
  expect(grown('khamar_http_requests_total{method="GET",route="(not found)",status="404"}')).toBe(1)
  expect(grown('khamar_http_requests_total{method="GET",route="(cache)",status="304"}')).toBe(1)
  expect(grown('khamar_response_cache_total{result="hit"}')).toBeGreaterThanOrEqual(3)
  expect(grown('khamar_http_request_duration_seconds_count{route="/track"}')).toBe(1)
  expect(text).not.toMatch(/secret|1853127062/)
  expect((await scrape({ authorization }, `${shop.url}/metrics`)).text).toContain('khamar_http_requests_total')
})

it('shows orders, payments, SMS, pool, event loop and memory', async () => {
  await sql`insert into sms_outbox (purpose, template, phone, body, not_before, created_at) values ('test', 'test', ${PHONE}, 'x', now() + interval '-90 seconds', now() - interval '100 seconds')`.execute(
    database.db,
  )
  // The second scrape after the age limit of the numbers shows what the first one read.
  await expect
    .poll(async () => valueOf((await scrape()).text, 'khamar_sms_queued'), { timeout: 60_000, interval: 1_000 })
    .toBeGreaterThanOrEqual(1)
  const { text } = await scrape()
  expect(valueOf(text, 'khamar_sms_oldest_seconds')).toBeGreaterThanOrEqual(85)
  expect(valueOf(text, 'khamar_database_up')).toBe(1)
  for (const series of [
    'khamar_orders_last_hour{channel="pos"}',
    'khamar_payments_last_hour{state="review"}',
    'khamar_payments_open',
    'khamar_email_queued',
    'khamar_email_oldest_seconds',
    'khamar_email_failed_last_day',
    'khamar_job_failures{scheduled_job="send-emails"}',
    'khamar_job_ok_age_seconds{scheduled_job="delete-expired-rows"}',
    'khamar_db_pool_used',
    'khamar_db_pool_waiting',
    'khamar_event_loop_lag_seconds{quantile="0.99"}',
    'process_resident_memory_bytes',
  ])
    expect(valueOf(text, series), series).toBeGreaterThanOrEqual(0)
  // Unknown numbers are missing: no backup was made, and there is no replica.
  expect(text).not.toMatch(/^khamar_(backup_age|backup_bytes|backup_last_ok|replica_age)/m)
  await expect
    .poll(async () => valueOf((await scrape()).text, 'khamar_job_runs_total{scheduled_job="expire-orders",result="ok"}'), {
      timeout: 60_000,
    })
    .toBeGreaterThanOrEqual(1)
  expect(text).not.toContain('1853127062')
})

it('logs id, route, status and time of a request, with the id of the proxy, and no input', async () => {
  await (await fetch(`${shop.url}/track?phone=${PHONE}`, { headers: { 'x-request-id': 'from-the-proxy-1' } })).text()
  await (await fetch(`${shop.url}/track`, { headers: { 'x-request-id': 'a "bad" id' } })).text()
  const lines = () =>
    shop
      .output()
      .split('\n')
      .filter((line) => line.includes('"msg":"request"'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  await expect
    .poll(() => lines().find(({ reqId }) => reqId === 'from-the-proxy-1'))
    .toMatchObject({
      level: 30,
      method: 'GET',
      route: '/track',
      status: 200,
      ms: expect.any(Number),
    })
  expect(shop.output()).not.toMatch(/1853127062|a "bad/)
  const ids = lines().map(({ reqId }) => reqId)
  expect(new Set(ids).size).toBe(ids.length)
})

it('logs a slow query without its values', async () => {
  const blocker = await database.pool.connect()
  try {
    await blocker.query('begin')
    await blocker.query('lock table users, attempt_counts in access exclusive mode')
    const login = new Visitor(shop.url).post('/login', { identifier: PHONE, password: 'a-word-that-is-secret' })
    await sleep(800)
    await blocker.query('rollback')
    await login
  } finally {
    blocker.release()
  }
  const slow = () =>
    shop
      .output()
      .split('\n')
      .filter((line) => line.includes('"msg":"slow query"'))
      .map((line) => JSON.parse(line) as { ms: number; sql: string })
  await expect.poll(slow).toContainEqual(expect.objectContaining({ ms: expect.any(Number), sql: expect.stringMatching(/\$1/) }))
  expect(shop.output()).not.toMatch(/that-is-secret|1853127062/)
})
