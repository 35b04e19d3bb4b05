import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startShop, type Shop } from '#test/server.ts'
import { Visitor } from '#test/visitor.ts'

interface SentSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}

const PHONE = '01853127062'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'

let collector: Server
let misbehave: ((res: ServerResponse) => void) | null = null
let calls = 0
const spans: SentSpan[] = []
const paths = new Set<string>()
let shop: Shop

async function receive(req: IncomingMessage, res: ServerResponse): Promise<void> {
  calls += 1
  paths.add(req.url ?? '')
  const body = await text(req)
  if (misbehave) return misbehave(res)
  const sent = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[] }
  spans.push(...sent.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
  res.writeHead(200, { 'content-type': 'application/json' }).end('{}')
}

beforeAll(async () => {
  collector = createServer((req, res) => void receive(req, res).catch(() => res.destroy()))
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const { port } = collector.address() as AddressInfo
  shop = await startShop({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/`, TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'warn' } })
})
beforeEach(() => {
  misbehave = null
  spans.length = 0
})
afterAll(async () => {
  collector.closeAllConnections()
  collector.close()
})

const attribute = (span: SentSpan, key: string) => span.attributes.find((one) => one.key === key)?.value.stringValue

it('sends a span of each request with its queries as children, in the trace of the proxy, without input', async () => {
  await fetch(`${shop.url}/readyz?phone=${PHONE}`, { headers: { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` } })
  await new Visitor(shop.url).post('/login', { identifier: PHONE, password: 'a-word-that-is-secret' })
  await expect.poll(() => spans.map(({ name }) => name), { timeout: 30_000 }).toContain('POST /login')
  const probe = spans.find(({ name, traceId }) => name === 'GET /readyz' && traceId === TRACE)!
  expect(probe.parentSpanId).toBe('00f067aa0ba902b7')
  expect(spans).toContainEqual(expect.objectContaining({ name: 'db select', traceId: TRACE, parentSpanId: probe.spanId }))
  // The queries of a POST come after its body was read.
  const login = spans.find(({ name }) => name === 'POST /login')!
  const queries = spans.filter(({ parentSpanId }) => parentSpanId === login.spanId)
  expect(queries.map((span) => attribute(span, 'db.query.text')).join()).toContain('$1')
  expect(attribute(login, 'http.route')).toBe('/login')
  expect(JSON.stringify(spans)).not.toMatch(/1853127062|that-is-secret/)
  expect([...paths]).toEqual(['/v1/traces'])
})

it.each<[string, (res: ServerResponse) => void]>([
  ['answers 500', (res) => res.writeHead(500).end()],
  ['hangs', () => {}],
  ['cuts the connection', (res) => res.destroy()],
])('serves as usual while the collector %s', async (_what, way) => {
  misbehave = way
  const before = calls
  for (let i = 0; i < 20; i += 1) expect((await fetch(`${shop.url}/readyz`)).status).toBe(200)
  await expect.poll(() => calls, { timeout: 30_000 }).toBeGreaterThan(before)
  expect((await fetch(`${shop.url}/readyz`)).status).toBe(200)
})

it('warns of traces that were not sent, and stops in time while the collector hangs', async () => {
  await expect.poll(() => shop.output(), { timeout: 60_000 }).toContain('traces not sent')
  misbehave = () => {}
  await fetch(`${shop.url}/readyz`)
  const started = performance.now()
  await shop.stop()
  expect(performance.now() - started).toBeLessThan(9_000)
})

/** Prints the packages of interest that a process loads. */
const REPORT_LOADS = `import { registerHooks } from 'node:module'
registerHooks({
  load(url, context, next) {
    const found = /node_modules\\/(@opentelemetry|prom-client|fastify|nodemailer|@fastify\\/swagger|ajv|sharp|@aws-sdk|bwip-js)\\//.exec(url)
    if (found) console.log('loaded ' + found[1])
    return next(url, context)
  },
})`

it('loads no large package before a setting or a request needs it', async () => {
  const quiet = await startShop({ env: { NODE_OPTIONS: `--import=data:text/javascript;base64,${btoa(REPORT_LOADS)}` } })
  await quiet.stop()
  const loaded = quiet.output()
  expect(loaded).toContain('loaded fastify')
  expect([...loaded.matchAll(/loaded (?!fastify$)(.*)/gm)].map(([, name]) => name)).toEqual([])
})
