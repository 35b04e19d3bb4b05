import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { BOOKING_RANGES } from '#features/kurbani/rules.ts'
import { testDb } from '#test/db.ts'
import { buildAddress, buildAnimal, buildArea, buildProduct, buildUser, orderBody, legacyOrderBody } from '#test/factories.ts'
import { registeredRoutes } from '#test/registered-routes.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'

// What a call costs, whatever text it is sent: every text field of every call, with the worst input that its body may hold, takes a small
// multiple of the processor time of a short request. Measured side by side in this process; what was too much is measured again.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })

const area = await buildArea(db, { cattle: 1500, produce: 80 })
const mango = await buildProduct(db)
const cow = await buildAnimal(db)
const owner = shop.visitor()
await owner.signIn((await buildUser(db, { role: 'owner' })).phone)
const customer = await buildUser(db, { phone_verified_at: new Date() })
const address = await buildAddress(db, customer.id, area.id)
const buyer = shop.visitor()
await buyer.signIn(customer.phone)
const guest = shop.visitor()
const placed = await guest.post(
  '/customer-orders',
  orderBody(area.id, [[cow.id, 1]], { payment_type: 'partial', payment_gateway: 'NONE', payable_amount: 10_000 }),
)
await guest.post('/register', { name: 'Karim', phone: '01712345678', password: 'three brown cows' })

afterAll(async () => {
  expect(shop.failures).toEqual([])
  // No request has ended the session: every body was read.
  const html = { accept: 'text/html' }
  expect([(await owner.get('/admin', html)).status, (await buyer.get('/account', html)).status]).toEqual([200, 200])
})

/** Texts of about so many bytes in JSON, each the worst of some careless way to read one. */
const WORST: Record<string, (bytes: number) => string> = {
  'blanks inside': (bytes) => `x${' '.repeat(bytes)}x`,
  'zero-width signs inside': (bytes) => `x${'\u200b'.repeat(bytes / 3)}x`,
  'direction marks inside': (bytes) => `x${'\u202e'.repeat(bytes / 3)}x`,
  'line breaks inside': (bytes) => `x${'\n'.repeat(bytes / 2)}x`,
  'blanks and line breaks': (bytes) => `x${' \n'.repeat(bytes / 3)}x`,
  'marks out of order': (bytes) => `a${'\u0301'.repeat(bytes / 4)}${'\u0316'.repeat(bytes / 4)}`,
  'marks in turn': (bytes) => `a${'\u0301\u0316'.repeat(bytes / 4)}`,
  'vowels of Hangul': (bytes) => `\u1100${'\u1161'.repeat(bytes / 3)}`,
  'a word that unfolds': (bytes) => '\ufdfa'.repeat(bytes / 3),
  'nothing seen': (bytes) => `${'\u00ad'.repeat(bytes / 2)}x`,
  'figures between letters': (bytes) => `x${'1'.repeat(bytes)}x`,
  'Bengali figures': (bytes) => '১'.repeat(bytes / 3),
  'figures with separators': (bytes) => `${'1,'.repeat(bytes / 2)}x`,
  'dashes inside': (bytes) => `x${'-'.repeat(bytes)}x`,
  'open braces': (bytes) => '{'.repeat(bytes),
  'fields in braces': (bytes) => '{a}'.repeat(bytes / 3),
  'open quotes': (bytes) => `"${'a,"'.repeat(bytes / 4)}`,
  apostrophes: (bytes) => `${"'".repeat(bytes)}x`,
  'dots behind an @': (bytes) => `a@${'.a'.repeat(bytes / 2)}@`,
  slashes: (bytes) => `x${'/'.repeat(bytes)}x`,
  'tracking addresses': (bytes) => `${'/track/aaaaaaaaaa?'.repeat(bytes / 18)}\n`,
  videos: (bytes) => `https://www.youtube.com/watch?${'&v=aaaaaaaaaaa&'.repeat(bytes / 15)}\n`,
  'many words': (bytes) => 'ab '.repeat(bytes / 3),
  cows: (bytes) => '🐄'.repeat(bytes / 4),
}

const built = new Map<string, string>()
function worst(name: string, bytes: number): string {
  const key = `${name} ${Math.floor(bytes)}`
  if (!built.has(key)) built.set(key, WORST[name]!(bytes))
  return built.get(key)!
}

/** Names of texts that are sent one behind the other in one request: a request costs more than its texts. */
const groupsOf = (size: number): string[][] =>
  Object.keys(WORST).reduce<string[][]>((groups, name, at) => (at % size ? groups.at(-1)!.push(name) : groups.push([name]), groups), [])
const inARow = (names: string[], bytes: number) => names.map((name) => worst(name, bytes / names.length)).join('')

/** As much of a body as is tried; only the upload of a file may be longer, and its time is its length's. */
const MAX_BYTES = 256 * 1024
/** As much of a single text: what grows faster than its length takes seconds for so many bytes. */
const MAX_TEXT_BYTES = 64 * 1024
const TIMES_A_SHORT_REQUEST = 15

function cpuMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000
}

/**
 * The processor time of the work; of several measurements the least, as long as it is more than allowed. Other threads count as well: what
 * is much too dear, and what is only compared with, is measured three times.
 */
async function cost(work: () => unknown, allowed = 0): Promise<number> {
  let least = Infinity
  const most = allowed === 0 ? 3 : 8
  for (let tries = 0; tries < most && least > allowed; tries++) {
    const before = process.cpuUsage()
    await work()
    least = Math.min(least, cpuMs(process.cpuUsage(before)))
    if (tries > 1 && least > 5 * Math.max(allowed, 50)) break
  }
  return least
}

/**
 * The bad texts that cost more than a multiple of the work with a short one, in words; after the second nothing more is tried. The work with
 * a short text is measured only for those that cost more than the multiple of the cheapest request.
 */
async function tooDear(
  short: (() => unknown) | null,
  tries: Iterable<[name: string, work: () => unknown]>,
  times = TIMES_A_SHORT_REQUEST,
): Promise<string[]> {
  let shortMs = short ? 0 : SHORT_MS
  const dear: string[] = []
  for (const [name, work] of tries) {
    const first = await cost(work, Infinity)
    if (first <= times * SHORT_MS) continue
    if (!shortMs) shortMs = Math.max(SHORT_MS, await cost(short!))
    const ms = first <= times * shortMs ? first : await cost(work, times * shortMs)
    if (ms > times * shortMs) dear.push(`${name}: ${Math.round(ms)} ms, ${Math.round(shortMs)} when short`)
    if (dear.length > 1) break
  }
  return dear
}

type Json = { type?: string | string[]; enum?: unknown[]; const?: unknown; pattern?: string; format?: string; [more: string]: unknown }

const jsonOf = (schema: unknown) => z.toJSONSchema(schema as z.ZodType, { io: 'input', unrepresentable: 'any' }) as Json

/** The smallest plausible value of a schema, with `text` in every free text field. */
function filled(schema: Json, text: string): unknown {
  const { anyOf, oneOf, properties, items } = schema as { anyOf?: Json[]; oneOf?: Json[]; properties?: Record<string, Json>; items?: Json }
  const ways = anyOf ?? oneOf
  if (ways) return filled(ways.find(isText) ?? ways[0]!, text)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (isText(schema)) return text
  const type = [schema.type].flat()[0]
  if (type === 'object') return Object.fromEntries(Object.entries(properties ?? {}).map(([name, one]) => [name, filled(one, text)]))
  if (type === 'array') return [filled(items ?? {}, text)]
  if (type === 'boolean') return true
  if (type === 'null') return null
  return 1
}

/** A field of any value may be a text, too. */
function isText(schema: Json): boolean {
  if (schema.enum || schema.const !== undefined) return false
  return schema.type === undefined ? !('anyOf' in schema || 'oneOf' in schema) : [schema.type].flat().includes('string')
}

/** The places of texts in a value that was filled with this one. */
function placesOf(value: unknown, text: string, at: (string | number)[] = []): (string | number)[][] {
  if (value === text) return [at]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => placesOf(inner, text, [...at, key]))
}

function arraysIn(value: unknown, at: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([key, one]) => arraysIn(one, [...at, key]))
  return Array.isArray(value) ? [at, ...inner] : inner
}

function get(value: unknown, [key, ...rest]: (string | number)[]): unknown {
  return key === undefined ? value : get((value as Record<string, unknown>)[key], rest)
}

function withText(value: unknown, [key, ...rest]: (string | number)[], text: unknown): unknown {
  if (key === undefined) return text
  if (Array.isArray(value)) return value.map((one, index) => (String(index) === String(key) ? withText(one, rest, text) : one))
  return { ...(value as object), [key]: withText((value as Record<string, unknown>)[key], rest, text) }
}

/** The names of the texts of a body, dots for those within. */
function textsIn(body: object): string[] {
  return Object.entries(body).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value === 'string') return [name]
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? textsIn(value).map((inner) => `${name}.${inner}`) : []
  })
}

interface Call {
  method: string
  path: string
  body: unknown
  schema: z.ZodType
  limit: number
  who: Visitor
}

const OPEN = /^\/(customer-orders|order-store|api\/kurbani|language|mark-popup|login|register|forgot|code|orders\/|demo)/

/** Every call that takes a body, with one that it may be sent. */
const calls: Call[] = registeredRoutes
  .filter(({ method, schema, url: path }) => method !== 'GET' && method !== 'HEAD' && schema?.body && !/logout|sign-out/.test(path))
  .map(({ method, url: path, schema, bodyLimit }) => ({
    method: String(method),
    path: path.replace(/:\w+/g, '1'),
    body: filled(jsonOf(schema!.body), 'x'),
    schema: schema!.body as z.ZodType,
    limit: Math.min(bodyLimit ?? shop.app.initialConfig.bodyLimit!, MAX_BYTES),
    who: path.includes('/admin/') ? owner : OPEN.test(path) ? guest : buyer,
  }))

/** What the calls of shoppers really take: their handlers read the texts. */
const bodies: [path: string, body: object, who: Visitor][] = [
  ['/customer-orders', orderBody(area.id, [[mango.id, 1]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }), guest],
  ['/order-store', legacyOrderBody(area.id, mango.id, { phone: '01711222444', quantity: '1' }), guest],
  [
    '/api/kurbani-bookings',
    { name: 'Karim', email: '', phone: '01711222333', district: 'Dhaka', thana: 'Savar', price: BOOKING_RANGES[0], weight: '250 kg' },
    guest,
  ],
  [`/orders/${placed.body.order_id}/advance`, { method: 'bkash', transaction_id: 'BKA1234567', sender: '01711222333' }, guest],
  [`/orders/${placed.body.order_id}/cancel`, { reason: 'x' }, buyer],
  ['/register', { name: 'Karim', phone: '01711222555', email: 'k@customer.example', password: 'three brown cows' }, guest],
  ['/code', { code: '000000', password: 'x' }, guest],
  ['/login/code', { phone: '12', next: '/' }, guest],
  ['/coupons/validate', { code: 'EID', cart_items: [{ product_id: mango.id, quantity: 1 }] }, buyer],
  [
    `/address/update/${address.id}`,
    { name: 'Karim', phone: '', alternate_phone: '', address: 'Road 1', landmark: '', note: '', area_id: area.id },
    buyer,
  ],
  ['/account/security/name', { name: 'Karim' }, buyer],
  ['/account/security/email', { email: 'k@customer.example' }, buyer],
  ['/account/security/phone', { phone: '12' }, buyer],
  ['/account/security/password', { password: 'short' }, buyer],
]

const send = ({ who, method, path }: Pick<Call, 'who' | 'method' | 'path'>, body: unknown, headers: Record<string, string>) =>
  who.send(method, path, JSON.stringify(body), { headers })

async function headersOf(who: Visitor): Promise<Record<string, string>> {
  const key = crypto.randomUUID()
  return { accept: 'application/json', 'content-type': 'application/json', 'x-csrf-token': await who.token(), 'idempotency-key': key }
}

const short = { who: guest, method: 'POST', path: '/coupons/validate' }
const shortHeaders = await headersOf(guest)
for (let warm = 0; warm < 50; warm++) await send(short, { code: 'x', cart_items: [] }, shortHeaders)
/** What a short request costs here. */
const SHORT_MS = Math.max(
  1,
  (await cost(async () => {
    for (let times = 0; times < 20; times++) await send(short, { code: 'x', cart_items: [] }, shortHeaders)
  })) / 20,
)

it('knows the calls and their texts', () => {
  expect(calls.length).toBeGreaterThan(90)
  expect(calls.filter(({ body }) => placesOf(body, 'x').length > 0).length).toBeGreaterThan(70)
})

describe.each(calls.filter(({ body }) => placesOf(body, 'x').length > 0).map((call) => [`${call.method} ${call.path}`, call] as const))(
  '%s',
  (_, call) => {
    const places = placesOf(call.body, 'x')

    it('reads each text in time, however bad', async () => {
      const tries = places.flatMap((place) =>
        Object.keys(WORST).map((name): [string, () => unknown] => {
          const body = withText(call.body, place, worst(name, Math.min(call.limit - 1000, MAX_TEXT_BYTES)))
          return [`${place.join('.')} of ${name}`, () => call.schema.safeParse(body)]
        }),
      )
      expect(await tooDear(null, tries)).toEqual([])
    })

    it('answers in time when all texts are bad at once', async () => {
      const headers = await headersOf(call.who)
      const tries = groupsOf(call.limit < MAX_BYTES ? 2 : 6).map((names): [string, () => unknown] => {
        const text = inARow(names, (call.limit - 2000) / places.length)
        const body = places.reduce((sent, place) => withText(sent, place, text), call.body)
        return [names.join(', '), () => send(call, body, headers)]
      })
      expect(await tooDear(() => send(call, call.body, headers), tries)).toEqual([])
    })
  },
)

describe.each(calls.map((call) => [`${call.method} ${call.path}`, call] as const))('%s', (_, call) => {
  it('refuses a flood in time', async () => {
    const headers = await headersOf(call.who)
    const room = Math.min(call.limit, 64 * 1024) - 2000
    const keys = Object.fromEntries(Array.from({ length: room / 12 }, (_, index) => [`key${index}`, 1]))
    const floods = arraysIn(call.body).flatMap((place) =>
      [{}, null, 1, 'x', get(call.body, [...place, 0])].map((item): [string, () => unknown] => {
        const list = Array<unknown>(Math.floor(room / (JSON.stringify(item).length + 1))).fill(item)
        return [`${list.length} ${JSON.stringify(item)} in ${place.join('.')}`, () => send(call, withText(call.body, place, list), headers)]
      }),
    )
    const body = typeof call.body === 'object' ? { ...call.body, ...keys } : keys
    const tries: typeof floods = [...floods, ['keys', () => send(call, body, headers)]]
    expect(await tooDear(() => send(call, call.body, headers), tries)).toEqual([])
  })
})

const READS = registeredRoutes
  .filter(({ method, url: path, config }) => method === 'GET' && !config?.static && !path.includes('*') && !path.startsWith('/demo-'))
  .map(({ url: path, schema }) => {
    const who = path.includes('/admin') ? owner : path.startsWith('/a') ? buyer : guest
    const names = schema?.querystring ? Object.keys(jsonOf(schema.querystring).properties ?? {}) : ['q', 'search', 'phone', 'customer']
    return [path.replace(/:\w+/g, '1'), names, who] as const
  })

/** As much of an address as is tried: Node refuses headers of 16 KB. */
const MAX_QUERY_BYTES = 14_000

/** A text as an address carries it: some signs take nine bytes there. */
function inAQuery(name: string, bytes: number): string {
  const { length } = new URLSearchParams({ '': worst(name, bytes) }).toString()
  return worst(name, (bytes * bytes) / Math.max(bytes, length))
}

describe.each(READS)('GET %s', (path, names, who) => {
  it('reads its query in time', async () => {
    const ask = async (text: string) => {
      const { status } = await who.get(`${path}?${new URLSearchParams(names.map((name) => [name, text])).toString()}`)
      expect(status, 'too long for the server').not.toBe(431)
    }
    const tries = groupsOf(6).map((group): [string, () => unknown] => {
      const text = group.map((name) => inAQuery(name, MAX_QUERY_BYTES / names.length / group.length)).join('')
      return [group.join(', '), () => ask(text)]
    })
    expect(await tooDear(() => ask('x'), tries)).toEqual([])
  })
})

describe.each(bodies)('%s, with one bad text in a good body', (path, body, who) => {
  const fields = textsIn(body).filter((field) => !field.startsWith('payment_'))

  it.each(fields)('%s', async (field) => {
    const call = { who, method: 'POST', path }
    // As long as the field takes it, and as long as the body does.
    const [short, long] = [groupsOf(1), groupsOf(6)]
    const tries = [...short.map((names) => [names, 1900] as const), ...long.map((names) => [names, 15_000] as const)].map(
      ([names, bytes]): [string, () => unknown] => {
        const sent = withText(body, field.split('.'), inARow(names, bytes))
        return [`${names.join(', ')}, ${bytes} bytes`, async () => send(call, sent, await headersOf(who))]
      },
    )
    expect(await tooDear(async () => send(call, body, await headersOf(who)), tries)).toEqual([])
  })

  it('all of them', async () => {
    const call = { who, method: 'POST', path }
    const allOf = (text: string) => fields.reduce<unknown>((whole, field) => withText(whole, field.split('.'), text), body)
    const tries = Object.keys(WORST).map((name): [string, () => unknown] => {
      const sent = allOf(worst(name, Math.min(1900, 14_000 / fields.length)))
      return [name, async () => send(call, sent, await headersOf(who))]
    })
    // No field is longer than the shop reads, so that all cost little more than short ones.
    expect(await tooDear(async () => send(call, allOf('x'), await headersOf(who)), tries, 5)).toEqual([])
  })
})
