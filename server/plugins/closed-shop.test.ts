import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const other = await openShop({ databaseUrl: url })
afterAll(() => expect([...shop.failures, ...other.failures]).toEqual([]))

const signedIn = async (role: 'owner' | 'manager' | 'viewer' | 'customer', at = shop): Promise<Visitor> => {
  const visitor = at.visitor()
  await visitor.signIn((await buildUser(db, { role })).phone)
  return visitor
}
const owner = await signedIn('owner')
const manager = await signedIn('manager')
const customer = await signedIn('customer')
const area = await buildArea(db, { produce: 80 })
const mango = await buildProduct(db)

const HTML = { accept: 'text/html' }
const change = (isOpen: boolean, opensOn = '') => owner.post('/admin/setup/opening', { isOpen, opensOn })
/** Stores the day as it was announced long ago. */
async function announce(opensOn: string) {
  await sql`update settings set value = ${JSON.stringify({ isOpen: false, opensOn })}::jsonb where key = 'opening'`.execute(db)
  shop.deps.catalogRevision.advance()
}
const robot = (path: string) => shop.get(path, { ...HTML, 'user-agent': 'Googlebot/2.1' })
/** Until a process has heard of the change. */
const settled = (check: () => Promise<number>, status: number) => expect.poll(check).toBe(status)

describe('a closed shop', () => {
  it('answers visitors, robots and customers with its page and 503, which nobody may store', async () => {
    expect((await change(false, '2026-12-16')).status).toBe(200)
    const name = { name: { en: 'Green Farm', bn: 'সবুজ খামার' }, phone: '01712345678' }
    await sql`insert into settings (key, value) values ('shop', ${JSON.stringify(name)}::jsonb)`.execute(db)
    shop.deps.catalogRevision.advance()
    for (const read of [shop.get.bind(shop), robot, customer.get.bind(customer)])
      for (const path of ['/', '/beef', '/fruits', '/kurbani', '/search?q=mango', '/cart', `/product/${mango.id}`, '/sitemap.xml']) {
        const answer = await read(path, HTML)
        expect([path, answer.status, answer.headers['retry-after'], answer.headers['cache-control'], answer.headers.etag]).toEqual([
          path,
          503,
          '3600',
          'no-store, no-transform',
          undefined,
        ])
        expect(answer.text).toContain('We open on 16 December 2026')
        expect(answer.text).toContain('Green Farm')
        expect(answer.text).toContain('tel:+8801712345678')
      }
    expect((await shop.get('/?lang=bn', HTML)).text).toContain('দোকান চালু হবে')
  })

  it('says no day that has passed, and no phone that it has not', async () => {
    await announce('2026-11-19')
    await sql`delete from settings where key = 'shop'`.execute(db)
    shop.deps.catalogRevision.advance()
    const { text } = await shop.get('/', HTML)
    expect(text).toContain('Khamar opens soon')
    expect(text).not.toContain('tel:')
  })

  it('says the day until it is over in Dhaka', async () => {
    const day = shop.clock.now
    await announce('2026-12-16')
    for (const [now, isSaid] of [
      ['2026-12-16T17:59:00Z', true],
      ['2026-12-16T18:00:00Z', false],
    ] as const) {
      shop.clock.now = new Date(now)
      const answer = await shop.get('/', HTML)
      expect([answer.text.includes('We open on 16 December 2026'), answer.headers['retry-after']]).toEqual([isSaid, '3600'])
    }
    shop.clock.now = day
  })

  it('takes no order, and answers calls in JSON', async () => {
    for (const answer of [
      await shop.get('/api/products'),
      await shop.get('/api/kurbani-cows', { accept: '*/*' }),
      await shop.get('/api/areas?active=true', HTML),
      await customer.post('/customer-orders', orderBody(area.id, [[mango.id, 1]])),
      await shop.visitor().post('/customer-orders', orderBody(area.id, [[mango.id, 1]])),
      await shop.visitor().post('/api/kurbani-bookings', {}),
      await shop.visitor().post('/coupons/validate', {}),
    ])
      expect([answer.status, answer.body.reason, answer.headers['retry-after'], answer.body.message]).toEqual([
        503,
        'not-open',
        '3600',
        'The shop is not open yet. Please try again later.',
      ])
    expect((await sql`select 1 from orders`.execute(db)).rows).toEqual([])
  })

  it('still serves health checks, files, signing in, accounts, old orders, payment callbacks and the admin', async () => {
    for (const [path, status] of [
      ['/healthz', 200],
      ['/readyz', 200],
      ['/robots.txt', 200],
      ['/csrf-token', 200],
      ['/login', 200],
      ['/forgot-password', 200],
      ['/track', 200],
      ['/uploads/logo.png', 200],
      ['/favicon.svg', 200],
      ['/payments/sslcommerz/success', 303],
      ['/invoice/999', 404],
      ['/order/confirmed/999', 404],
      ['/order/review/999', 404],
      ['/no-such-page', 404],
      ['/admin', 303],
    ] as const)
      expect([path, (await shop.get(path, HTML)).status]).toEqual([path, status])
    expect(
      (await shop.send('POST', '/payments/sslcommerz/ipn', 'x=1', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }))
        .status,
    ).not.toBe(503)
    expect((await customer.get('/account', HTML)).status).toBe(200)
    // The tracking page asks for its state. The code is of no order.
    expect((await shop.get('/api/track/0123456789abcdef')).status).toBe(404)
  })

  it('is whole for staff, with a notice; they may place an order to try it', async () => {
    for (const visitor of [owner, manager]) {
      const { status, text, headers } = await visitor.get('/fruits', HTML)
      expect([status, headers['retry-after']]).toEqual([200, undefined])
      expect(text).toContain('Not open yet: only staff see the shop.')
    }
    expect((await owner.get('/admin', HTML)).status).toBe(200)
    expect((await manager.get('/admin/quick-orders', HTML)).status).toBe(200)
    expect((await owner.post('/customer-orders', orderBody(area.id, [[mango.id, 1]], { payment_type: 'cod' }))).status).not.toBe(503)
  })

  it('is closed again for staff who have signed out, or whose session is locked', async () => {
    const visitor = await signedIn('viewer')
    expect((await visitor.get('/', HTML)).status).toBe(200)
    await visitor.signOut()
    expect((await visitor.get('/', HTML)).status).toBe(503)
  })
})

describe('opening and closing', () => {
  it('shows at once in every process, also through the response cache', async () => {
    for (const one of [shop, other]) await settled(async () => (await one.get('/', HTML)).status, 503)
    await change(true)
    expect((await shop.get('/', HTML)).status).toBe(200)
    await settled(async () => (await other.get('/', HTML)).status, 200)
    // The second request comes from the cache, without the notice for staff.
    for (const one of [shop, other]) {
      const { status, text } = await one.get('/', HTML)
      expect([status, text.includes('Not open yet')]).toEqual([200, false])
    }
    await change(false)
    expect((await shop.get('/', HTML)).status).toBe(503)
    await settled(async () => (await other.get('/', HTML)).status, 503)
    expect((await robot('/beef')).status).toBe(503)
    await change(true)
    expect((await owner.get('/', HTML)).text).not.toContain('Not open yet')
  })

  it('is for the owner alone, and is logged', async () => {
    for (const visitor of [manager, customer])
      expect((await visitor.post('/admin/setup/opening', { isOpen: false, opensOn: '' })).status).toBe(403)
    expect((await shop.visitor().post('/admin/setup/opening', { isOpen: false, opensOn: '' })).status).toBe(401)
    for (const wrong of [
      {},
      { isOpen: 'yes', opensOn: '' },
      { isOpen: true, opensOn: '2026-02-30' },
      { isOpen: true, opensOn: '', more: 1 },
    ])
      expect((await owner.post('/admin/setup/opening', wrong)).status).toBe(422)
    expect((await shop.get('/', HTML)).status).toBe(200)
    const { rows } = await sql<{
      after: object
    }>`select after from audit_log where subject_id = 'opening' order by id desc limit 1`.execute(db)
    expect(rows).toEqual([{ after: { isOpen: true } }])
  })
})
