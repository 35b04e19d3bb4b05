import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { sslcommerzGateway } from '#features/payments/gateways/sslcommerz.server.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildCategory, buildProduct, buildUser, legacyOrderBody } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'

// The one-product form, as a browser without script sends it.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const mango = await buildProduct(db, { sizes_milli: [5000, 10_000] })
const jaggery = await buildProduct(db)
afterEach(async () => {
  await expectInvariants(db, await countStock(db))
  expect(shop.failures).toEqual([])
})

const form = (changes: Record<string, string> = {}) => legacyOrderBody(area.id, mango.id, changes)
const orders = async () => (await sql<{ n: number }>`select count(*)::int as n from orders`.execute(db)).rows[0]?.n ?? 0

it('goes on to the payment page, at the shop’s own prices', async () => {
  const answer = await shop.visitor().postForm('/order-store', form({ price: '1', quantity: '১০' }))
  expect([answer.status, answer.headers.location?.startsWith(`${shop.url}/demo-gateway/`)]).toEqual([303, true])
  const { rows } = await sql`select source, total_poisha, payment_type, payment_gateway from orders order by id desc limit 1`.execute(db)
  expect(rows[0]).toEqual({ source: 'legacy', total_poisha: 128_000, payment_type: 'full', payment_gateway: 'sslcommerz' })
})

it('pressed five times at once is one order and one payment page', async () => {
  const [before, visitor, fields] = [await orders(), shop.visitor(), form()]
  const answers = await Promise.all(Array.from({ length: 5 }, () => visitor.postForm('/order-store', fields)))
  expect(new Set(answers.map((answer) => `${answer.status} ${answer.headers.location}`)).size).toBe(1)
  expect(await orders()).toBe(before + 1)
})

it('pressed again within the minute, over the turn of the minute and after Back, is the same order; later it is another', async () => {
  const [before, visitor, fields] = [await orders(), shop.visitor(), form()]
  const at = (seconds: number) => void (shop.clock.now = new Date(Date.parse('2026-11-20T07:00:00Z') + seconds * 1000))
  at(50)
  const first = await visitor.postForm('/order-store', fields)
  at(70)
  expect((await visitor.postForm('/order-store', fields)).headers.location).toBe(first.headers.location)
  expect(await orders()).toBe(before + 1)
  at(200)
  expect((await visitor.postForm('/order-store', fields)).headers.location).not.toBe(first.headers.location)
  expect(await orders()).toBe(before + 2)
})

describe('the delivery charge that was shown [S5]', () => {
  it.each([['৮০'], ['80.00'], [' 80 '], [''], [null], [undefined]])(
    '%j is the charge of the area, or none was sent',
    async (shipping_cost) => {
      const { shipping_cost: _default, ...rest } = form()
      const answer = await shop.visitor().post('/order-store', { ...rest, shipping_cost })
      expect(answer.status, answer.text).toBe(200)
    },
  )

  it.each([['0'], ['79.99'], ['1500'], ['-80'], ['eighty'], [0], [1e300], [[80]], [{ taka: 80 }], [true], ['9'.repeat(500)]])(
    '%j is another: 422 that says the new total, and no order',
    async (shipping_cost) => {
      const before = await orders()
      const answer = await shop.visitor().post('/order-store', { ...form(), shipping_cost })
      const text = 'The total is now ৳680. Please review your order and try again.'
      expect([answer.status, answer.body], answer.text).toMatchObject([
        422,
        { message: text, errors: { shipping_cost: [text] }, total: 680 },
      ])
      expect(await orders()).toBe(before)
    },
  )

  it('stands in the form that comes back, so that it can be sent', async () => {
    const visitor = shop.visitor()
    const stale = await visitor.postForm('/order-store', form({ shipping_cost: '1500' }))
    expect([stale.status, stale.text.includes('The total is now ৳680.')]).toEqual([422, true])
    const shown = /name="shipping_cost" value="([^"]*)"/.exec(stale.text)?.[1]
    expect(shown).toBe('80')
    expect((await visitor.postForm('/order-store', form({ shipping_cost: shown! }))).status).toBe(303)
  })
})

describe('the way to pay [M9]', () => {
  it.each([['pgw'], ['sslcommerz'], [undefined], [null]])('%j pays online', async (payment_gateway) => {
    const { payment_gateway: _default, ...rest } = form()
    const answer = await shop.visitor().post('/order-store', { ...rest, payment_gateway })
    expect([answer.status, answer.body.redirect_url?.startsWith(`${shop.url}/demo-gateway/`)], answer.text).toEqual([200, true])
  })

  it('goes to the gateway that was chosen', async () => {
    const answer = await shop.visitor().post('/order-store', form({ payment_gateway: 'bkash' }))
    const { rows } = await sql`select payment_gateway from orders where id = ${answer.body.order_id}`.execute(db)
    expect(rows).toEqual([{ payment_gateway: 'bkash' }])
  })

  it.each([['NONE'], [''], ['PGW'], ['nagad'], ['constructor'], ['x'.repeat(5000)], [7], [['pgw']], [{}], [true]])(
    '%j is refused at its field',
    async (payment_gateway) => {
      const before = await orders()
      const answer = await shop.visitor().post('/order-store', { ...form(), payment_gateway })
      expect([answer.status, answer.body.errors]).toEqual([
        422,
        { payment_gateway: [expect.stringContaining('Choose “Secure Payment - Cards & MFS”')] },
      ])
      expect(await orders()).toBe(before)
    },
  )

  it('says in the form, in its language, what to do', async () => {
    const visitor = shop.visitor()
    const answer = await visitor.postForm('/order-store', form({ payment_gateway: 'NONE' }))
    expect([answer.status, answer.text.includes('This form takes online payment only.')]).toEqual([422, true])
  })

  it('a gateway that the shop has not is refused at the field', async () => {
    const { bkash, ...others } = shop.deps.gateways
    shop.deps.gateways = others
    try {
      const answer = await shop.visitor().post('/order-store', form({ payment_gateway: 'bkash' }))
      expect([answer.status, answer.body.errors]).toEqual([422, { payment_gateway: ['This payment method is not available.'] }])
    } finally {
      shop.deps.gateways = { ...others, ...(bkash ? { bkash } : {}) }
    }
  })
})

describe('the same words within the minute', () => {
  const html = { accept: 'text/html' }
  async function atForm(from = shop): Promise<ReturnType<typeof shop.visitor>> {
    const visitor = from.visitor()
    await visitor.get(`/order/place/${mango.id}`, html)
    return visitor
  }
  const newest = async () => (await sql<{ id: number }>`select max(id)::int as id from orders`.execute(db)).rows[0]!.id
  const opens = async (visitor: ReturnType<typeof shop.visitor>, id: number) => (await visitor.get(`/invoice/${id}`, html)).status === 200

  it('from another browser are another order, which the first one does not open', async () => {
    const [before, one, other, fields] = [await orders(), await atForm(), await atForm(), form()]
    const first = await one.postForm('/order-store', fields)
    const mine = await newest()
    const second = await other.postForm('/order-store', fields)
    const theirs = await newest()
    expect([first.status, second.status, second.headers.location === first.headers.location]).toEqual([303, 303, false])
    expect(await orders()).toBe(before + 2)
    expect([await opens(one, mine), await opens(other, mine), await opens(one, theirs), await opens(other, theirs)]).toEqual([
      true,
      false,
      false,
      true,
    ])
  })

  it('from the same browser at once, with its answers lost, are one order, and it opens', async () => {
    const [before, visitor, fields] = [await orders(), await atForm(), form()]
    const answers = await Promise.all(Array.from({ length: 5 }, () => visitor.postForm('/order-store', fields)))
    expect(new Set(answers.map(({ headers }) => headers.location)).size).toBe(1)
    expect([await orders(), await opens(visitor, await newest())]).toEqual([before + 1, true])
  })

  it('from a browser without a cookie never bring another the secret of the first', async () => {
    const [one, other, fields] = [shop.visitor(), shop.visitor(), form()]
    const first = await one.postForm('/order-store', fields)
    const id = await newest()
    const second = await other.postForm('/order-store', fields)
    // The two requests are indistinguishable: no cookie, one IP address, one user agent. They are one order.
    expect(second.headers.location).toBe(first.headers.location)
    expect([other.cookies.size, await opens(one, id), await opens(other, id)]).toEqual([0, true, false])
  })

  it('from another user agent, or another address, without a cookie are another order', async () => {
    const behind = await openShop({ databaseUrl: url, trustProxy: '127.0.0.1' })
    const [before, fields] = [await orders(), form()]
    const body = new URLSearchParams({ ...fields, _token: await behind.token() }).toString()
    const send = (headers: Record<string, string>) =>
      behind.send('POST', '/order-store', body, {
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html', ...headers },
      })
    const phone = { 'x-forwarded-for': '20.0.0.1', 'user-agent': 'phone' }
    const answers = [await send(phone), await send(phone), await send({ ...phone, 'user-agent': 'tablet' })]
    answers.push(await send({ ...phone, 'x-forwarded-for': '20.0.0.2' }))
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303])
    expect(await orders()).toBe(before + 3)
  })

  it('from one account in two browsers are one order', async () => {
    const [customer, before, fields] = [await buildUser(db), await orders(), form()]
    for (const visitor of [shop.visitor(), shop.visitor()]) {
      await visitor.signIn(customer.phone)
      expect((await visitor.postForm('/order-store', fields)).status).toBe(303)
    }
    expect(await orders()).toBe(before + 1)
  })
})

describe('comes back with what was typed', () => {
  it.each([
    [
      'nothing at all',
      { full_name: '', phone: '', email: '', quantity: '', delivery_address: '', landmark: '', area: '' },
      'This field is required.',
    ],
    ['a phone of ten digits', { phone: '0171122233' }, '0171122233'],
    ['an email that is none', { email: 'a@b' }, 'a@b'],
    ['seven kilos of a product in fives', { quantity: '7' }, `${mango.name_en} cannot be ordered in this quantity.`],
    ['a quantity in words', { quantity: 'five' }, 'Enter a valid quantity.'],
    ['no quantity', { pid: String(jaggery.id), quantity: '0' }, 'Enter a valid quantity.'],
    ['no quantity, in Bengali', { pid: String(jaggery.id), quantity: '০.০' }, 'Enter a valid quantity.'],
    ['an area that is none', { area: '9999' }, 'Road 1'],
    ['markup', { full_name: '"><script>alert(1)</script>', phone: '' }, '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;'],
  ])('%s: 422, no order', async (_name, changes, text) => {
    const before = await orders()
    const answer = await shop.visitor().postForm('/order-store', form(changes))
    expect([answer.status, answer.headers['content-type']]).toEqual([422, 'text/html; charset=utf-8'])
    expect(answer.text).toContain(text)
    expect(answer.text).not.toContain('<script>alert')
    expect(await orders()).toBe(before)
  })
  it('and says that too little is left, by the product’s name', async () => {
    const honey = await buildProduct(db, { unit: 'piece', stock_milli: 4000 })
    const answer = await shop.visitor().postForm('/order-store', form({ pid: String(honey.id) }))
    expect([answer.status, answer.text.includes(`Not enough ${honey.name_en} in stock.`)]).toEqual([410, true])
  })
  it('and says that the product is gone, by its name', async () => {
    const held = await buildAnimal(db, { status: 'hold', stock_milli: 0 })
    const answer = await shop.visitor().postForm('/order-store', form({ pid: String(held.id), quantity: '1', shipping_cost: '1500' }))
    expect([answer.status, answer.text.includes(`${held.name_en} is not available right now.`)]).toEqual([410, true])
    expect((await shop.get(`/order/place/${held.id}`, { accept: 'text/html' })).status).toBe(200)
  })
})

it('without its token nothing happens, and a page says why', async () => {
  const before = await orders()
  const answer = await shop.send('POST', '/order-store', new URLSearchParams(form()).toString(), {
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
  })
  expect([answer.status, answer.headers['content-type'], await orders()]).toEqual([403, 'text/html; charset=utf-8', before])
})

it('a repeated field is refused, not guessed at', async () => {
  const before = await orders()
  const body = `${new URLSearchParams({ ...form(), _token: await shop.token() }).toString()}&pid=1`
  const answer = await shop.send('POST', '/order-store', body, { headers: { 'content-type': 'application/x-www-form-urlencoded' } })
  expect([answer.status, await orders()]).toEqual([422, before])
})

it('when the gateway is unreachable the order stays, and the invoice offers to pay again', async () => {
  const log = { info() {}, warn() {} }
  const working = shop.deps.gateways.sslcommerz
  shop.deps.gateways.sslcommerz = sslcommerzGateway({
    storeId: 'x',
    storePassword: 'y',
    baseUrl: 'http://127.0.0.1:1',
    fallbackEmail: 'orders@khamar.example',
    log,
    timeoutMs: 200,
  })
  try {
    const visitor = shop.visitor()
    const answer = await visitor.postForm('/order-store', form())
    expect([answer.status, answer.headers.location]).toEqual([303, expect.stringMatching(/^\/invoice\/\d+$/)])
    expect((await visitor.get(String(answer.headers.location), { accept: 'text/html' })).status).toBe(200)
  } finally {
    shop.deps.gateways.sslcommerz = working
  }
})

it.each([
  ['kurbani', '/kurbani'],
  ['beef', '/beef'],
  ['fruits', '/fruits'],
  [null, '/'],
] as const)('a product of %s that cannot be ordered leads to the others at %s', async (key, path) => {
  const category = await buildCategory(db, { key })
  const { id } = await buildProduct(db, { category_id: category.id, status: 'hold' })
  const { text } = await shop.get(`/order/place/${id}`, { accept: 'text/html' })
  expect(/href="([^"]*)"[^>]*>Browse other products/.exec(text)?.[1]).toBe(path)
})
