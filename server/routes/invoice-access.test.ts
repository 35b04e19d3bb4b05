import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { can, STAFF_ROLES, type StaffRole } from '#features/auth/permissions.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'

// Access to an order [E6]: its customer, permitted staff, the browser that placed it, a signed link. Others do not learn that it exists.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { produce: 80 })
const mango = await buildProduct(db)
const customer = await buildUser(db, { phone_verified_at: new Date() })
const unverified = await buildUser(db)
const stranger = await buildUser(db, { phone_verified_at: new Date() })
afterAll(() => expect(shop.failures).toEqual([]))

const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
const NAME = `"><img src=x onerror=alert(1)>`

async function orderOf(phone: string, by: Visitor = shop.visitor()) {
  const body = orderBody(area.id, [[mango.id, 2]], cash)
  const answer = await by.post('/customer-orders', {
    ...body,
    customer: { ...body.customer, phone, name: NAME, note: '</script><script>alert(1)</script>' },
  })
  expect(answer.status).toBe(200)
  const { rows } = await sql<{ id: number; view_key: string }>`select id, view_key from orders where id = ${answer.body.order_id}`.execute(
    db,
  )
  return { id: rows[0]!.id, key: rows[0]!.view_key, browser: by }
}
async function signedIn(user: { phone: string }) {
  const visitor = shop.visitor()
  expect((await visitor.signIn(user.phone)).status).toBe(200)
  return visitor
}
const order = await orderOf(customer.phone)
const ofUnverified = await orderOf(unverified.phone)
const other = await orderOf('01777777777')
const html = { accept: 'text/html' }
async function eventually(check: () => Promise<boolean>) {
  while (!(await check())) await new Promise((resolve) => setTimeout(resolve, 5))
}
const open = (visitor: { get: Visitor['get'] }, path: string) => visitor.get(path, html).then((answer) => answer.status)

describe('who opens an invoice', () => {
  it.each<[string, () => Promise<{ get: Visitor['get'] }>, string, number]>([
    ['the browser that placed it', async () => order.browser, `/invoice/${order.id}`, 200],
    ['that browser, another order', async () => order.browser, `/invoice/${other.id}`, 404],
    ['a stranger', async () => shop, `/invoice/${order.id}`, 404],
    ['the next number', async () => order.browser, `/invoice/${order.id + 1}`, 404],
    ['a signed link', async () => shop, `/invoice/${order.id}?key=${order.key}`, 200],
    ['the link of another order', async () => shop, `/invoice/${order.id}?key=${other.key}`, 404],
    ['its customer, phone verified', () => signedIn(customer), `/invoice/${order.id}`, 200],
    ['a customer with that phone, not verified', () => signedIn(unverified), `/invoice/${ofUnverified.id}`, 404],
    ['another customer', () => signedIn(stranger), `/invoice/${order.id}`, 404],
  ])('%s', async (_name, visitor, path, status) => {
    expect(await open(await visitor(), path)).toBe(status)
  })
  it.each(['', 'x', 'é'.repeat(16), '🐄'.repeat(8), '\u0000'.repeat(16), 'x'.repeat(5000), '__proto__'])(
    'a key of %j opens nothing and breaks nothing',
    async (key) => {
      expect(await open(shop, `/invoice/${order.id}?key=${encodeURIComponent(key)}`)).toBe(404)
    },
  )
  it.each(['0', '-1', 'abc', '1e3', '999999999999999', '9'.repeat(30), '1001%00', '../1001', '1001.0'])(
    'there is no invoice %s',
    async (id) => {
      expect(await open(order.browser, `/invoice/${id}`)).toBe(404)
    },
  )
  it('no forged cookie of a browser opens it', async () => {
    for (const secret of ['', 'A'.repeat(43), '%00', `${order.browser.cookies.get('browser')}x`]) {
      expect((await shop.get(`/invoice/${order.id}`, { ...html, cookie: `browser=${secret}` })).status).toBe(404)
    }
  })
  it('missing and not yours read the same', async () => {
    const [missing, foreign] = [await shop.get('/invoice/999999', html), await shop.get(`/invoice/${order.id}`, html)]
    expect(foreign.text.replaceAll(String(order.id), '999999')).toBe(missing.text)
  })
  it.each(['invoice', 'order/confirmed', 'order/review'])(
    '/%s leads on: the form that finds an order by number and phone',
    async (page) => {
      const { status, text } = await shop.get(`/${page}/${order.id}`, html)
      expect([status, pageProps(text)]).toMatchObject([404, { values: { order: String(order.id), phone: '' }, problem: null }])
      expect(text).toContain('action="/track"')
      expect(pageProps((await shop.get(`/${page}/abc`, html)).text)).toMatchObject({ values: { order: '', phone: '' } })
    },
  )
  it('is not cached by browsers or proxies: Back after a payment would show the order as unpaid', async () => {
    for (const page of ['invoice', 'order/confirmed']) {
      const { headers } = await order.browser.get(`/${page}/${order.id}`, html)
      expect([page, headers['cache-control']]).toEqual([page, 'no-store, no-transform'])
    }
    expect((await shop.get(`/invoice/${order.id}`, html)).status).toBe(404)
  })
  it('nor is any page of a signed-in user, for Back after signing out; the catalog may be', async () => {
    const visitor = await signedIn(customer)
    const personal = ['/account', '/account/addresses', '/account/profile', '/account/security', `/invoice/${order.id}`]
    for (const path of [...personal, '/']) {
      const { status, headers } = await visitor.get(path, html)
      expect([path, status, headers['cache-control']]).toEqual([
        path,
        200,
        `${path === '/' ? 'private, no-cache' : 'no-store'}, no-transform`,
      ])
    }
  })
})

describe('a shared device', () => {
  const opens = async (browser: Visitor) => [
    await open(browser, `/invoice/${order.id}`),
    (await browser.get(`/payments/status?order=${order.id}`)).status,
  ]
  /** A browser that has placed the order, with its customer signed in. */
  async function ordered() {
    const browser = await signedIn(customer)
    browser.cookies.set('browser', order.browser.cookies.get('browser')!)
    return browser
  }
  const signOutHere = async (browser: Visitor) => {
    const { rows } = await sql<{ id: number }>`select max(id) as id from sessions where user_id = ${customer.id}`.execute(db)
    await browser.post(`/account/security/devices/${rows[0]!.id}/sign-out`)
  }

  it.each<[string, (browser: Visitor) => Promise<unknown>]>([
    ['signing out', (browser) => browser.signOut()],
    ['signing this device out', signOutHere],
    ['another customer signing in', (browser) => browser.signIn(stranger.phone)],
  ])('opens no order of its last customer after %s', async (_how, leave) => {
    const browser = await ordered()
    expect(await opens(browser)).toEqual([200, 200])
    await leave(browser)
    expect(await opens(browser)).toEqual([404, 404])
  })

  it('deletes a code that its last customer asked for, with the phone and the link to the order', async () => {
    const browser = await ordered()
    await browser.post('/forgot-password', { phone: customer.phone })
    const showsPhone = async () => (await browser.get('/code', html)).text.includes(customer.phone)
    expect(await showsPhone()).toBe(true)
    await browser.signOut()
    expect(await showsPhone()).toBe(false)
  })

  it('opens what a guest has ordered after the guest signs in', async () => {
    const browser = shop.visitor()
    browser.cookies.set('browser', other.browser.cookies.get('browser')!)
    await browser.signIn(stranger.phone)
    await browser.signIn(stranger.phone)
    expect(await open(browser, `/invoice/${other.id}`)).toBe(200)
  })
})

describe('staff', () => {
  const historyOf = async (id: number) =>
    (
      await sql<{ actor: string; actor_id: number | null }>`select actor, actor_id from order_events
      where order_id = ${id} and kind = 'advance-reported'`.execute(db)
    ).rows
  const logOf = async (id: number) =>
    (
      await sql<{ action: string; actor_id: number }>`select action, actor_id from audit_log
      where subject = 'order' and subject_id = ${String(id)}`.execute(db)
    ).rows
  const requireFactor = async (isRequired: boolean) => {
    await sql`insert into settings (key, value) values ('staff_second_factor', ${JSON.stringify(isRequired)}::jsonb)
      on conflict (key) do update set value = excluded.value`.execute(db)
    await eventually(async () => (await shop.deps.shopCache.settings()).staff_second_factor === isRequired)
  }
  const setUpFactor = (id: number) =>
    sql`insert into second_factors (user_id, secret, confirmed_at, created_at) values (${id}, ${Buffer.alloc(20)}, now(), now())`.execute(
      db,
    )
  let serial = 0
  const report = (key?: string) => ({ method: 'bkash', transaction_id: `STAFF${(serial += 1)}00`, sender: '01711111111', key })

  /** The four requests of an order as one person; a visible COD order has nothing to pay online (409). */
  async function requests(visitor: Visitor, id: number) {
    const advance = report()
    return {
      invoice: await open(visitor, `/invoice/${id}`),
      status: (await visitor.get(`/payments/status?order=${id}`)).status,
      advance: (await visitor.post(`/orders/${id}/advance`, advance)).status,
      pay: (await visitor.post(`/orders/${id}/pay`, {})).status,
    }
  }
  const NOTHING = { invoice: 404, status: 404, advance: 404, pay: 404 }
  const allowed = (role: StaffRole) => ({
    invoice: can(role, 'orders.read') ? 200 : 404,
    status: can(role, 'orders.read') ? 200 : 404,
    advance: can(role, 'orders.write') ? 200 : 404,
    pay: can(role, 'orders.write') ? 409 : 404,
  })

  describe.each(STAFF_ROLES)('a %s', (role) => {
    it('needs orders.read to see an order, orders.write to act on it; the history and the audit log name them', async () => {
      const user = await buildUser(db, { role })
      const [{ id }, visitor] = [await orderOf('01777777701'), await signedIn(user)]
      expect(await requests(visitor, id)).toEqual(allowed(role))
      const isWriter = can(role, 'orders.write')
      expect(await historyOf(id)).toEqual(isWriter ? [{ actor: 'staff', actor_id: user.id }] : [])
      expect(await logOf(id)).toEqual(isWriter ? [{ action: 'reported', actor_id: user.id }] : [])
    })

    it('needs the second factor where it is required', async () => {
      const user = await buildUser(db, { role })
      const [{ id }, visitor] = [await orderOf('01777777702'), await signedIn(user)]
      await requireFactor(true)
      try {
        expect(await requests(visitor, id)).toEqual(NOTHING)
        expect([await historyOf(id), await logOf(id)]).toEqual([[], []])
        await setUpFactor(user.id)
        expect(await requests(visitor, id)).toEqual(allowed(role))
      } finally {
        await requireFactor(false)
      }
    })

    it('opens an order of their own, and one whose signed link they have', async () => {
      const user = await buildUser(db, { role, phone_verified_at: new Date() })
      const visitor = await signedIn(user)
      const own = await orderOf(user.phone)
      expect(await requests(visitor, own.id)).toEqual({ invoice: 200, status: 200, advance: 200, pay: 409 })
      expect(await historyOf(own.id)).toEqual([{ actor: 'customer', actor_id: user.id }])
      const linked = await orderOf('01777777703')
      expect(await open(visitor, `/invoice/${linked.id}?key=${linked.key}`)).toBe(200)
      expect((await visitor.get(`/payments/status?order=${linked.id}&key=${linked.key}`)).status).toBe(200)
      expect((await visitor.post(`/orders/${linked.id}/advance`, report(linked.key))).status).toBe(200)
      expect(await historyOf(linked.id)).toEqual([{ actor: 'staff', actor_id: user.id }])
    })
  })
})

describe('what a shopper wrote', () => {
  it('stands as text on the invoice', async () => {
    const { text } = await order.browser.get(`/invoice/${order.id}`, html)
    expect(text).not.toContain('<img src=x')
    expect(text).not.toContain('<script>alert')
    expect(text).toContain('&quot;&gt;&lt;img src=x onerror=alert(1)&gt;')
  })
})

describe('requests about an order of another customer', () => {
  it.each([
    [
      'report an advance',
      (id: number) => shop.post(`/orders/${id}/advance`, { method: 'bkash', transaction_id: 'BKA1234567', sender: '' }),
    ],
    [
      'report an advance with a wrong key',
      (id: number) =>
        shop.post(`/orders/${id}/advance`, { method: 'bkash', transaction_id: 'BKA1234567', sender: '', key: 'é'.repeat(16) }),
    ],
    ['pay', (id: number) => shop.post(`/orders/${id}/pay`, {})],
    ['ask how the payment stands', (id: number) => shop.get(`/payments/status?order=${id}&key=${'é'.repeat(16)}`)],
  ])('%s: 404', async (_name, ask) => {
    const [theirs, none] = [await ask(order.id), await ask(999_999)]
    expect([theirs.status, theirs.text]).toEqual([404, none.text])
  })
})
