import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { newOrderAccessToken } from '#features/orders/order-access-token.server.ts'
import { randomToken, sha256 } from '#lib/ids/ids.server.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'

// A browser opens the orders that it placed. No other browser can choose or know its secret.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const secure = await openShop({ databaseUrl: url, publicUrl: 'https://shop.example' })
const area = await buildArea(db, { produce: 80 })
const mango = await buildProduct(db, { sizes_milli: [5000, 10_000] })
afterEach(() => expect([...shop.failures, ...secure.failures]).toEqual([]))

const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
const SECRET = shop.deps.env.sessionSecret
const html = { accept: 'text/html' }
async function order(
  by: Pick<Visitor, 'post'>,
  { key = randomToken(16), body = orderBody(area.id, [[mango.id, 5]], cash) } = {},
): Promise<number> {
  const answer = await by.post('/customer-orders', body, { key })
  expect(answer.status).toBe(200)
  return answer.body.order_id!
}
const opens = async (by: Pick<Visitor, 'get'>, id: number) => (await by.get(`/invoice/${id}`, html)).status === 200
const withCookie = (at: typeof shop, cookie: string): Pick<Visitor, 'get' | 'post'> => ({
  get: (path, headers) => at.get(path, { ...headers, cookie }),
  post: (path, body, options) => at.post(path, body, { ...options, headers: { cookie } }),
})

describe('the secret', () => {
  it('is random, comes with the pages that orders are placed from, stays, and opens what was ordered', async () => {
    const [one, other] = [shop.visitor(), shop.visitor()]
    await one.get('/cart', html)
    await other.get(`/order/place/${mango.id}`, html)
    const before = one.cookies.get('browser')
    expect(before).toMatch(/^[\w-]{32}\.[\w-]{43}$/)
    expect(other.cookies.get('browser')).not.toBe(before)
    const { headers } = await shop.get('/cart', html)
    expect([headers['cache-control'], headers['set-cookie']?.[0]]).toEqual([
      'private, no-cache, no-transform',
      expect.stringMatching(/; HttpOnly; SameSite=Lax$/),
    ])
    const id = await order(one)
    await one.get('/cart', html)
    expect([one.cookies.get('browser'), await opens(one, id), await opens(other, id)]).toEqual([before, true, false])
  })

  it('is not set by shared pages', async () => {
    for (const path of ['/', '/fruits', '/kurbani', '/search?q=mango', `/product/${mango.id}`, '/login']) {
      for (let twice = 0; twice < 2; twice++) expect([path, (await shop.get(path, html)).headers['set-cookie']]).toEqual([path, undefined])
    }
  })

  it('comes with the first order of a browser that has none', async () => {
    const visitor = shop.visitor()
    const ids = [await order(visitor), await order(visitor)]
    expect([await opens(visitor, ids[0]!), await opens(visitor, ids[1]!)]).toEqual([true, true])
  })

  it('in production no sister domain can write it', async () => {
    const answer = await secure.get('/cart', html)
    expect(answer.headers['set-cookie']?.[0]).toMatch(
      /^__Host-browser=[\w-]{32}\.[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    const visitor = secure.visitor()
    const id = await order(visitor)
    expect([await opens(visitor, id), [...visitor.cookies.keys()]]).toEqual([true, ['__Host-browser']])
  })
})

describe('a planted cookie opens no order that is placed after it', () => {
  const forged = createHmac('sha256', 'guess').update('browser').digest('base64url')
  it.each([
    ['of forty letters', 'A'.repeat(43)],
    ['with a mark of another', `${'A'.repeat(32)}.${forged}`],
    ['of another shop', newOrderAccessToken('the secret of another shop, long enough')],
    ['with a mark cut off', newOrderAccessToken(SECRET).split('.')[0]!],
    ['empty', ''],
    ['of dots', '...'],
    ['huge', 'A'.repeat(6000)],
  ])('%s', async (_name, planted) => {
    for (const name of ['browser', '__Host-browser']) {
      const at = name === 'browser' ? shop : secure
      const victim = withCookie(at, `${name}=${planted}`)
      const id = await order(victim)
      expect([name, await opens(victim, id)]).toEqual([name, false])
    }
  })

  it('one that this shop issued to the attacker, written by http or a sister domain, counts for nothing in production', async () => {
    const attacker = secure.visitor()
    await attacker.get('/cart', html)
    const own = attacker.cookies.get('__Host-browser')!
    const victim = withCookie(secure, `browser=${own}`)
    const id = await order(victim)
    expect([await opens(attacker, id), await opens(victim, id)]).toEqual([false, false])
  })
})

it('the cookie of an earlier release opens its earlier order, and no order placed since', async () => {
  const visitor = shop.visitor()
  const old = randomToken(32)
  const [earlier, later] = [await order(shop), await order(withCookie(shop, `browser=${old}`))]
  await sql`update orders set access_token_hash = ${sha256(old)} where id = ${earlier}`.execute(db)
  visitor.cookies.set('browser', old)
  expect([await opens(visitor, earlier), await opens(visitor, later)]).toEqual([true, false])
  const owner = secure.visitor()
  owner.cookies.set('browser', old)
  expect(await opens(owner, earlier)).toBe(true)
})

describe('an answer that was lost', () => {
  const body = () => orderBody(area.id, [[mango.id, 5]], cash)
  it('asked for again with the same key by a browser without a cookie: the same order, and it opens', async () => {
    const [sent, key] = [body(), randomToken(16)]
    const id = await order(shop, { key, body: sent })
    const visitor = shop.visitor()
    expect([await order(visitor, { key, body: sent }), await opens(visitor, id)]).toEqual([id, true])
  })

  it('not an hour later', async () => {
    const [sent, key] = [body(), randomToken(16)]
    const id = await order(shop, { key, body: sent })
    shop.clock.now = new Date(shop.clock.now.getTime() + 61 * 60_000)
    const visitor = shop.visitor()
    expect([await order(visitor, { key, body: sent }), await opens(visitor, id), visitor.cookies.size]).toEqual([id, false, 0])
  })

  it('is not given to a sender who knows the key alone: another body, another account, another order of the same key', async () => {
    const [sent, key] = [body(), randomToken(16)]
    const id = await order(shop, { key, body: sent })
    const thief = shop.visitor()
    expect((await thief.post('/customer-orders', body(), { key })).status).toBe(409)
    const customer = await buildUser(db)
    await thief.signIn(customer.phone)
    const own = await order(thief, { key, body: body() })
    expect([await opens(thief, own), await opens(thief, id)]).toEqual([true, false])
  })

  it('of a browser that had its secret before is not had by one without it', async () => {
    const [sent, key, first] = [body(), randomToken(16), shop.visitor()]
    await first.get('/cart', html)
    const id = await order(first, { key, body: sent })
    const other = shop.visitor()
    expect([await order(other, { key, body: sent }), await opens(other, id), await opens(first, id)]).toEqual([id, false, true])
  })

  it('two guests who use one poor key do not share a secret', async () => {
    const [one, other] = [shop.visitor(), shop.visitor()]
    const id = await order(one, { key: '11111111' })
    expect((await other.post('/customer-orders', body(), { key: '11111111' })).status).toBe(409)
    expect([await opens(one, id), await opens(other, id)]).toEqual([true, false])
  })
})
