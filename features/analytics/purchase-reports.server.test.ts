import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { placeOrder } from '#features/email/testing/place-order.ts'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { configureConversions, metaGateway } from './meta-gateway.server.ts'
import { deleteOldReports, reportPurchases, storePurchase } from './purchase-reports.server.ts'
import { startGraphApi } from './testing/start-graph-api.ts'

// Purchases are reported over a real connection to a simulator of Meta's API that also misbehaves.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const graph = await startGraphApi()
const logged: unknown[] = []
const note = (detail: object, message: string) => void logged.push(detail, message)
const log = { info: note, warn: note }
const TOKEN = 'EAAsecret-token-of-the-shop'
const conversions = metaGateway({ url: graph.url, token: TOKEN, testCode: null, log, timeoutMs: 1500 })
const settings = structuredClone(DEFAULT_SETTINGS)
settings.analytics = { pixel_id: '123456789', ga4_id: '' }
const deps = { db, conversions, env: { publicUrl: 'https://shop.example' }, shopCache: { settings: () => Promise.resolve(settings) }, log }
const BROWSER = {
  browser_id: 'fb.1.1700000000000.42',
  click_id: 'fb.1.1700000000000.AbC_d-9',
  ip: '103.4.5.6',
  user_agent: 'Chrome on Android',
}
afterAll(() => graph.close())
beforeEach(async () => {
  await sql`truncate conversion_events`.execute(db)
  graph.received.length = graph.faults.length = logged.length = 0
})

const sha256 = (text: string) => [createHash('sha256').update(text).digest('hex')]
type Row = { state: string; failure: string | null; attempts: number; waits: number; ip: string | null }
async function rows(): Promise<Row[]> {
  const found = await sql<Row>`select state, failure, attempts, ip, round(extract(epoch from not_before - now()) / 60)::int as waits
    from conversion_events order by order_id`.execute(db)
  return found.rows
}
async function bought(row: Record<string, unknown> = {}): Promise<number> {
  const { id } = await placeOrder(db, row)
  await storePurchase(db, id, BROWSER)
  return id
}

it('reports a purchase once, with hashed personal fields, and deletes what the browser said', async () => {
  const id = await bought({ phone: '01712345678', email: 'Rahima@Mail.example', name: 'Rahima  Khatun Begum' })
  await storePurchase(db, id, { ...BROWSER, ip: '10.0.0.1' })
  await Promise.all([reportPurchases(deps), reportPurchases(deps), reportPurchases(deps)])
  await reportPurchases(deps)
  expect(graph.received).toHaveLength(1)
  const { pixelId, body } = graph.received[0]!
  expect([pixelId, body.access_token, body.test_event_code]).toEqual(['123456789', TOKEN, undefined])
  expect(body.data).toEqual([
    {
      event_name: 'Purchase',
      event_time: expect.any(Number),
      event_id: `order-${id}`,
      action_source: 'website',
      event_source_url: `https://shop.example/order/confirmed/${id}`,
      user_data: {
        ph: sha256('8801712345678'),
        em: sha256('rahima@mail.example'),
        fn: sha256('rahima'),
        ln: sha256('khatun begum'),
        country: sha256('bd'),
        external_id: [expect.stringMatching(/^[0-9a-f]{64}$/)],
        fbp: BROWSER.browser_id,
        fbc: BROWSER.click_id,
        client_ip_address: BROWSER.ip,
        client_user_agent: BROWSER.user_agent,
      },
      custom_data: {
        currency: 'BDT',
        value: 320,
        order_id: String(id),
        content_type: 'product',
        content_ids: [expect.any(String)],
        contents: [{ id: expect.any(String), quantity: 2, item_price: 120 }],
      },
    },
  ])
  expect(JSON.stringify(body.data)).not.toMatch(/Rahima|01712345678/i)
  expect(await rows()).toMatchObject([{ state: 'sent', failure: null, attempts: 1, ip: null }])
  expect(JSON.stringify(logged)).not.toContain(TOKEN)
})

it.each([
  ['silence', 'silence' as const, 'timeout'],
  ['a fault of Meta', { status: 503, text: 'busy' }, 'http-503'],
  ['rubbish', { status: 200, text: '<html>' }, 'not-json'],
  ['a refused token', { status: 400, code: 190 }, 'error-190'],
  ['too many calls', { status: 400, code: 4 }, 'error-4'],
  ['no permission', { status: 403, code: 200 }, 'error-200'],
])('waits after %s, and reports later', async (_name, fault, failure) => {
  await bought()
  graph.faults.push(fault)
  await expect(reportPurchases(deps)).rejects.toThrow(failure)
  expect(await rows()).toMatchObject([{ state: 'queued', failure, attempts: 1, waits: 1, ip: BROWSER.ip }])
  await reportPurchases(deps)
  expect(graph.received).toEqual([])
  await sql`update conversion_events set not_before = now()`.execute(db)
  await reportPurchases(deps)
  expect(await rows()).toMatchObject([{ state: 'sent', attempts: 2, ip: null }])
})

it('fails an event that Meta finds wrong, and reports the next', async () => {
  await bought()
  await bought()
  graph.faults.push({ status: 400, code: 100 })
  await reportPurchases(deps)
  expect((await rows()).map(({ state, failure, ip }) => [state, failure, ip])).toEqual([
    ['failed', 'error-100', null],
    ['sent', null, null],
  ])
})

it('skips cancelled orders, ends old reports, and takes over those of ended processes', async () => {
  const ids = [await bought({ status: 'cancelled', reason: 'Not needed' }), await bought(), await bought()]
  await sql`update conversion_events set created_at = now() - interval '6 days' where order_id = ${ids[1]}`.execute(db)
  await sql`update conversion_events set state = 'sending', attempts = 1, updated_at = now() - interval '3 minutes' where order_id = ${ids[2]}`.execute(
    db,
  )
  await reportPurchases(deps)
  expect((await rows()).map(({ state, failure, ip }) => [state, failure, ip])).toEqual([
    ['skipped', 'cancelled', null],
    ['failed', 'expired', null],
    ['sent', null, null],
  ])
  await sql`update conversion_events set created_at = now() - interval '31 days' where order_id = ${ids[0]}`.execute(db)
  await deleteOldReports(db)
  expect(await rows()).toHaveLength(2)
})

it('stores no purchase of the past, and reports none without a pixel or a token', async () => {
  await bought({ placed_at: new Date(Date.now() - 25 * 3_600_000) })
  expect(await rows()).toEqual([])
  await bought()
  await reportPurchases({ ...deps, conversions: null })
  await reportPurchases({ ...deps, shopCache: { settings: () => Promise.resolve(DEFAULT_SETTINGS) } })
  expect(await rows()).toMatchObject([{ state: 'queued', attempts: 0, ip: BROWSER.ip }])
  await sql`update conversion_events set created_at = now() - interval '6 days'`.execute(db)
  await reportPurchases({ ...deps, conversions: null })
  expect(await rows()).toMatchObject([{ state: 'failed', failure: 'expired', ip: null }])
})

it('takes reports from the shopper who placed the order alone', async () => {
  shop.deps.conversions = conversions
  shop.clock.now = new Date()
  const area = await buildArea(db, { produce: 80 })
  const mango = await buildProduct(db, { stock_milli: 50_000 })
  const buyer = shop.visitor()
  const placed = await buyer.post(
    '/customer-orders',
    orderBody(area.id, [[mango.id, 1]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }),
  )
  const order = placed.body.order_id!
  expect(placed.status).toBe(200)
  const report = (who: typeof buyer, body: object, headers = {}) => who.post('/api/purchase-reports', body, { headers })
  expect((await report(shop.visitor(), { order })).status).toBe(404)
  for (const wrong of [{}, { order: 'x' }, { order: 0 }, { order: 1.5 }, { order: 10 ** 20 }, { order, pixel: '9' }])
    expect((await report(buyer, wrong)).status).toBe(422)
  expect((await report(buyer, { order: order + 1 })).status).toBe(404)
  expect(await rows()).toEqual([])
  const answers = await Promise.all([1, 2, 3].map(() => report(buyer, { order }, { 'user-agent': 'x'.repeat(2000) })))
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 204])
  expect(await rows()).toMatchObject([{ state: 'queued', ip: '127.0.0.1' }])
  expect(shop.failures).toEqual([])
})

it('reads its settings', () => {
  const configure = (source: Record<string, string>, demo = 'off') => configureConversions({ env: { demo }, log, source })
  expect(configure({})).toBeNull()
  expect(configure({ META_ACCESS_TOKEN: TOKEN })).not.toBeNull()
  expect(configure({ META_ACCESS_TOKEN: TOKEN }, 'on')).toBeNull()
  for (const [name, wrong] of [
    ['META_ACCESS_TOKEN', 'short'],
    ['META_GRAPH_URL', 'http://graph.example'],
    ['META_TEST_EVENT_CODE', 'a b'],
  ] as const)
    expect(() => configure({ META_ACCESS_TOKEN: TOKEN, [name]: wrong })).toThrow(name)
})
