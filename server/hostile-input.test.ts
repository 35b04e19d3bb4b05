import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { BOOKING_RANGES } from '#features/kurbani/rules.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildCategory, buildPopup, buildProduct, buildUser, orderBody, legacyOrderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'

// Whatever is sent to whichever call: a refusal in the shop's words, no 5xx, no stack, and nothing written.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const mango = await buildProduct(db)
const cow = await buildAnimal(db, { category_id: (await buildCategory(db, { key: 'kurbani' })).id })
await buildPopup(db)
await buildUser(db, { phone: '01811000009' })
afterAll(() => expect(shop.failures).toEqual([]))

const order = orderBody(area.id, [[mango.id, 1]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' })
const booking = {
  name: 'Karim',
  email: 'k@customer.example',
  phone: '01711222333',
  district: 'Dhaka',
  thana: 'Savar',
  price: BOOKING_RANGES[0],
  weight: '250 kg',
}
const legacy = legacyOrderBody(area.id, mango.id, { phone: '01711222444', quantity: '1' })

const buyer = shop.visitor()
const placed = await buyer.post(
  '/customer-orders',
  orderBody(area.id, [[cow.id, 1]], { payment_type: 'partial', payment_gateway: 'NONE', payable_amount: 10_000 }),
)
const advanceUrl = `/orders/${placed.body.order_id}/advance`
const advance = { method: 'bkash', transaction_id: 'BKA1234567', sender: '01711222333', amount: 10_000 }

/** Every write of the storefront with a body that it takes. */
const writes: [path: string, body: Record<string, unknown>][] = [
  ['/customer-orders', order],
  ['/order-store', legacy],
  ['/api/kurbani-bookings', booking],
  ['/coupons/validate', { code: 'EID', cart_items: [{ product_id: mango.id, quantity: 1 }], is_new_customer: false }],
  ['/mark-popup-shown', { shown: true }],
  ['/language', { lang: 'bn', next: '/' }],
  ['/login', { identifier: '01811000009', password: 'not the password' }],
  [advanceUrl, advance],
]

const written = async () => {
  const tables = ['orders', 'users', 'sessions', 'kurbani_bookings', 'advance_reports', 'stock_movements', 'sms_outbox', 'order_events']
  const counted = tables.map((table) => sql`(select count(*)::int from ${sql.table(table)}) as ${sql.ref(table)}`)
  return (await sql<object>`select ${sql.join(counted)}`.execute(db)).rows[0]
}

async function expectRejected(
  path: string,
  body: unknown,
  statuses: number[],
  options: { headers?: Record<string, string>; token?: string | null } = {},
  name = '',
) {
  const before = await written()
  const answer = await buyer.post(path, body, options)
  expect(statuses, `${path} ${name}: ${answer.status} ${answer.text.slice(0, 300)}`).toContain(answer.status)
  expect(answer.headers['content-type'], path).toMatch(/^application\/json/)
  expect(answer.body.message, path).toBeTruthy()
  expect(answer.body.error).toBe(answer.body.message)
  expect(answer.text).not.toMatch(/\bat .*\.ts:\d|node_modules|postgres|constraint|select |insert /i)
  expect(await written(), `${path} ${name}`).toEqual(before)
}

const inText = {
  NUL: 'a\u0000b',
  'a lone surrogate': 'a\ud800',
  'an array': ['a', 'b'],
  'an object': { $ne: '' },
  'a number': 12,
  'ten thousand letters': 'x'.repeat(10_000),
}

describe.each(writes)('%s', (path, body) => {
  const textField = Object.keys(body).find(
    (field) => typeof body[field] === 'string' && field !== 'lang' && field !== 'next' && field !== 'method',
  )

  it('refuses what is no object, and what is no JSON', async () => {
    for (const wrong of ['', 'null', '[]', '"text"', '17', '[{}]'])
      await expectRejected(path, wrong, path === '/coupons/validate' ? [401] : [422], {}, wrong)
    for (const broken of ['{', '{"a":NaN}', '\u0000', '{"a":1}}']) await expectRejected(path, broken, [400], {}, JSON.stringify(broken))
  })

  it('refuses keys of the prototype', async () => {
    for (const key of ['"__proto__":{"isAdmin":true}', '"constructor":{"prototype":{"isAdmin":true}}']) {
      await expectRejected(path, `{${key},${JSON.stringify(body).slice(1)}`, [400])
    }
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  })

  it.skipIf(path === '/coupons/validate' || path === '/mark-popup-shown')('refuses missing fields', async () => {
    await expectRejected(path, {}, [422])
  })

  it.skipIf(path === '/coupons/validate' || textField === undefined)('refuses nonsense in its first text', async () => {
    const oddities = path === '/order-store' ? { ...inText, 'a number': null } : inText
    for (const [name, value] of Object.entries(oddities))
      await expectRejected(path, { ...body, [textField!]: value }, [422], {}, `${textField} = ${name}`)
  })

  it('refuses a body of 1 MB', () => expectRejected(path, { ...body, more: 'x'.repeat(1_000_000) }, [413]))

  it.each([
    [800, path === '/coupons/validate' ? 401 : 422],
    [10_000, 413],
  ])('refuses %i nested arrays where a value belongs', (depth, status) => {
    const deep = '['.repeat(depth) + ']'.repeat(depth)
    const fields = ['products', 'shown', 'name', 'lang', 'code', 'full_name', 'identifier', 'transaction_id'].map(
      (field) => `"${field}":${deep}`,
    )
    return expectRejected(path, `{${fields.join()}}`, [status])
  })

  it('refuses to act without the token', () => expectRejected(path, body, [403], { token: null }))
  it('refuses a wrong token', () => expectRejected(path, body, [403], { token: 'x'.repeat(43) }))
  it('refuses the token of another session', async () => {
    const other = shop.visitor()
    await other.signIn('01811000009')
    await expectRejected(path, body, [403], { token: await other.token() })
  })
  it.each([
    ['Origin', { origin: 'https://evil.example' }],
    ['Origin null', { origin: 'null' }],
    ['Origin of another port', { origin: 'http://127.0.0.1:1' }],
    ['Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site' }],
  ])('refuses a foreign %s even with the token', (_name, headers) => expectRejected(path, body, [403], { headers }))

  it('refuses JSON dressed as plain text, as a form and as nothing', async () => {
    await expectRejected(path, JSON.stringify(body), [415], { headers: { 'content-type': 'text/plain' } })
    await expectRejected(path, JSON.stringify(body), [403], {
      token: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    await expectRejected(path, JSON.stringify(body), [415], { headers: { 'content-type': 'application/xml' } })
  })

  it('does nothing by GET', async () => {
    const before = await written()
    const query = new URLSearchParams(Object.entries(body).map(([key, value]) => [key, String(value)]))
    const answer = await buyer.get(`${path}?${query}`)
    // These lead to the page of their form.
    if (path === '/login' || path === '/order-store') expect(answer.headers['set-cookie']).toBeUndefined()
    else expect([answer.status, answer.body.error]).toEqual([404, answer.body.message])
    expect(await written()).toEqual(before)
  })
})

it('a condition that a file does not meet is the fault of the request', async () => {
  const answer = await shop.get('/favicon.svg', { 'if-match': '"x"', accept: 'application/json' })
  expect([answer.status, answer.body.error]).toEqual([412, answer.body.message])
})

it('refuses depth in the one field of an order that says nothing yet', async () => {
  const deep = '['.repeat(15_000) + ']'.repeat(15_000)
  await expectRejected('/customer-orders', JSON.stringify(order).replace('"coupon":null', `"coupon":${deep}`), [422])
})

it.each(['1.5', '1e30', '-1', 'Infinity', '0x10', '9'.repeat(20), `${mango.id} `, '', '\u0000'])(
  'the legacy form refuses the product id %j',
  async (pid) => {
    const before = await written()
    expect([404, 410, 422]).toContain((await buyer.post('/order-store', { ...legacy, pid })).status)
    expect(await written()).toEqual(before)
  },
)

it.each([0.001, -5, 1e300, 'NaN', [10_000]])('an advance of %j is refused or taken for what is due', async (amount) => {
  const answer = await buyer.post(advanceUrl, { ...advance, transaction_id: `BKB${String(amount).length}234567`, amount })
  expect([200, 422]).toContain(answer.status)
})

it('the same report of an advance at once, five times, is one', async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, () => buyer.post(advanceUrl, advance)))
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200])
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from advance_reports where transaction_id = ${advance.transaction_id}`.execute(db)
  expect(rows[0]?.n).toBe(1)
})
