import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { queueSms } from '#features/messaging/queue-sms.server.ts'
import { startSmsSimulator, TEST_API_KEY } from '#features/messaging/testing/start-sms-simulator.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { shared } from '#test/shared.ts'
import { startShopProcess, type ShopProcess } from '#test/shop-process.ts'
import { Visitor } from '#test/visitor.ts'

// Rows 76 to 78 with whole processes: what they send, and what they leave when they end.

const { db, url: databaseUrl } = await testDb()
const company = await startSmsSimulator()
const area = await buildArea(db, { produce: 80 })
const mango = await buildProduct(db)
let dataDir = ''
const shops: ShopProcess[] = []
beforeAll(async () => {
  await shared('pages')
  dataDir = await mkdtemp(path.join(tmpdir(), 'khamar-sms-'))
})
afterAll(async () => {
  await company.close()
  await rm(dataDir, { recursive: true, force: true })
})
beforeEach(async () => {
  await sql`truncate sms_outbox`.execute(db)
  await sql`update sms_provider set paused_until = null, problem = null, problem_since = null`.execute(db)
  company.taken.length = 0
  Object.assign(company.options, { faults: [], always: null, takesMs: 0, balance: undefined })
})
afterEach(async () => {
  for (const shop of shops.splice(0)) await shop.kill()
})

async function start(env: Record<string, string> = {}): Promise<ShopProcess> {
  const credentials = { SMS_API_KEY: TEST_API_KEY, SMS_SENDER_ID: 'Khamar', SMS_BASE_URL: company.baseUrl }
  return startShopProcess({ databaseUrl, dataDir, env: { ...credentials, LOG_LEVEL: 'info', ...env } })
}
/** Starts a process that ends with the test. */
async function open(env: Record<string, string> = {}): Promise<ShopProcess> {
  const shop = await start(env)
  shops.push(shop)
  return shop
}
const order = (shop: ShopProcess) =>
  new Visitor(shop.url).post(
    '/customer-orders',
    orderBody(area.id, [[mango.id, 1]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }),
  )
async function states(): Promise<string[]> {
  const { rows } = await sql<{ state: string }>`select state from sms_outbox order by state`.execute(db)
  return rows.map(({ state }) => state)
}
/** Messages that were tried. An outcome that is the provider's fault takes its attempt back and leaves a failure. */
async function countTried(): Promise<number> {
  const { rows } = await sql<{ tried: number }>`
    select count(*)::int as tried from sms_outbox where state <> 'sending' and (attempts > 0 or failure is not null)`.execute(db)
  return rows[0]!.tried
}
const queue = (index: number) =>
  queueSms(db, { purpose: 'order', event: `message-${index}`, phone: '01711000001', text: `Message ${index}` })

describe('one process', () => {
  let shop: ShopProcess
  beforeAll(async () => {
    shop = await start()
  })
  afterAll(() => shop.kill())

  it('an order’s SMS goes out at once, and the key stays out of all that is printed', async () => {
    const { status, body } = await order(shop)
    expect(status).toBe(200)
    // Sooner than the next poll of the outbox, which is after ten seconds.
    await expect.poll(states, { timeout: 8_000 }).toEqual(['submitted'])
    expect(company.taken).toMatchObject([{ text: expect.stringContaining(String(body.order_id)) }])
    expect(shop.output()).not.toContain(TEST_API_KEY)
  })

  it('outside a demo there is no page of the outbox, and no company of our own', async () => {
    const visitor = new Visitor(shop.url)
    for (const address of ['/demo/sms', '/api/demo/sms']) expect((await visitor.get(address)).status).toBe(404)
    expect((await visitor.post('/demo-sms-gateway/api/smsapi')).status).toBe(404)
  })

  // The call that hangs comes last: the sender waits for it.
  it.each(['error', 'html', 'cut', 1007, 1019, 'hang'] as const)('the company answers %s: the order stands', async (fault) => {
    company.options.always = fault
    const { status, body } = await order(shop)
    expect(status).toBe(200)
    expect((await new Visitor(shop.url).get('/readyz')).status).toBe(200)
    const { rows } = await sql`select status from orders where id = ${body.order_id}`.execute(db)
    expect(rows).toEqual([{ status: 'placed' }])
    // An outcome that is recorded late would pause the sender in the next case.
    if (fault === 'hang') await expect.poll(states).toEqual(['sending'])
    else await expect.poll(countTried).toBe(1)
    if (fault === 1007) await expect.poll(() => shop.output()).toContain('"problem":"balance","code":"1007","msg":"SMS cannot be sent"')
    expect(shop.output()).not.toContain(TEST_API_KEY)
  })
})

it('two processes share what waits, and send each message once', async () => {
  company.options.takesMs = 5
  await Promise.all(Array.from({ length: 100 }, (_, index) => queue(index)))
  await Promise.all([open(), open({ DATA_DIR: `${dataDir}/second` })])
  await expect.poll(states).toEqual(Array.from({ length: 100 }, () => 'submitted'))
  expect(company.taken).toHaveLength(100)
  expect(new Set(company.taken.map(({ text }) => text)).size).toBe(100)
})

it('kill -9 in the middle of a call: the row is unknown, and nobody sends it again', async () => {
  company.options.always = 'hang'
  await queue(1)
  const shop = await open()
  await expect.poll(() => company.taken.length).toBe(1)
  await shop.kill()
  expect(await states()).toEqual(['sending'])
  company.options.always = null
  await sql`update sms_outbox set updated_at = now() - interval '61 seconds'`.execute(db)
  await open()
  await expect.poll(states).toEqual(['unknown'])
  await sleep(300)
  expect(company.taken).toHaveLength(1)
})

it('SIGTERM in the middle of calls: what can end ends, what hangs is marked, nothing is sent twice', async () => {
  company.options.faults = ['slow', 'hang']
  company.options.slowMs = 800
  await queue(1)
  await queue(2)
  const shop = await open()
  await expect.poll(states).toEqual(['sending', 'sending'])
  await shop.stop()
  expect(await states()).toEqual(['submitted', 'unknown'])
  await open()
  await sleep(300)
  expect(company.taken).toHaveLength(2)
})

it('half a configuration stops the start with one line', async () => {
  await expect(open({ SMS_SENDER_ID: '' })).rejects.toThrow('SMS_SENDER_ID must be set too')
})
