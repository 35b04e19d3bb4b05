import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { expireOrders } from '#features/orders/status/expire-orders.server.ts'
import { codeSentTo, wrongCode } from '#test/codes.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'

// An animal with an advance by hand is held for half an hour; a verified phone or a reported transaction extends it to a day [S3].

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url, rateLimit: true })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const manager = await buildUser(db, { role: 'manager' })
const MINUTE = 60_000
beforeEach(async () => {
  await sql`truncate attempt_counts`.execute(db)
  await sql`update orders set status = 'processing', expires_at = null where status = 'placed'`.execute(db)
})
afterEach(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})

const byHand = { payment_type: 'partial', payment_gateway: 'NONE', payable_amount: 10_000, partial_payment: 10_000 }
let serial = 0
const newPhone = () => `017${String(80_000_000 + (serial += 1))}`
async function book(by: Visitor = shop.visitor(), phone = newPhone(), payment: Record<string, unknown> = byHand) {
  const body = orderBody(area.id, [[(await buildAnimal(db)).id, 1]], payment)
  const answer = await by.post('/customer-orders', { ...body, customer: { ...body.customer, phone } })
  expect(answer.status).toBe(200)
  return { id: answer.body.order_id!, by, phone }
}
interface OrderState {
  status: string
  minutes: number | null
  verified: boolean
  events: string[]
  key: string
}
/** The order with the minutes until it expires. */
async function stateOf(id: number): Promise<OrderState> {
  const { rows } = await sql<
    OrderState & { expires_at: Date | null }
  >`select status, expires_at, phone_verified as verified, view_key as key,
    (select array_agg(kind order by e.id) from order_events e where e.order_id = o.id) as events from orders o where id = ${id}`.execute(db)
  const { expires_at: until, ...row } = rows[0]!
  return { ...row, minutes: until && (until.getTime() - shop.clock.now.getTime()) / MINUTE }
}
const later = (minutes: number) => void (shop.clock.now = new Date(shop.clock.now.getTime() + minutes * MINUTE))
const expire = (more: object = {}) => expireOrders({ ...shop.deps, catalogChanged: () => shop.deps.catalogRevision.advance(), ...more })
const report = (by: Visitor, id: number, transaction = `TX${(serial += 1)}00000`) =>
  by.post(`/orders/${id}/advance`, { method: 'bkash', transaction_id: transaction, sender: '01711111111', amount: 10_000 })
const ask = (by: Pick<Visitor, 'post'>, id: number, query = '') => by.post(`/orders/${id}/confirm-phone${query}`)

describe('an advance by hand', () => {
  it('without a report the order expires after half an hour, not earlier', async () => {
    const { id } = await book()
    expect(await stateOf(id)).toMatchObject({ minutes: 30, verified: false })
    later(29)
    expect(await expire()).toBe(0)
    later(2)
    expect(await expire()).toBe(1)
    expect(await stateOf(id)).toMatchObject({ status: 'cancelled' })
  })

  it('with the verified phone of a signed-in customer: a day; with another or unverified phone: half an hour', async () => {
    const [customer, unverified] = [await buildUser(db, { phone_verified_at: new Date() }), await buildUser(db)]
    const [one, other] = [shop.visitor(), shop.visitor()]
    await one.signIn(customer.phone)
    await other.signIn(unverified.phone)
    expect(await stateOf((await book(one, customer.phone)).id)).toMatchObject({ minutes: 24 * 60, verified: true })
    expect(await stateOf((await book(one, newPhone())).id)).toMatchObject({ minutes: 30, verified: false })
    expect(await stateOf((await book(other, unverified.phone)).id)).toMatchObject({ minutes: 30, verified: false })
  })

  it('a report extends the deadline to a day; a second waiting one does not, one after a rejection does', async () => {
    const { id, by } = await book()
    later(20)
    expect((await report(by, id)).status).toBe(200)
    expect(await stateOf(id)).toMatchObject({ minutes: 24 * 60 })
    later(60)
    expect((await report(by, id)).status).toBe(200)
    expect(await stateOf(id)).toMatchObject({ minutes: 23 * 60 })
    await sql`update advance_reports set state = 'refused', decided_by = ${manager.id}, decided_at = now() where order_id = ${id}`.execute(
      db,
    )
    expect((await report(by, id)).status).toBe(200)
    expect(await stateOf(id)).toMatchObject({ minutes: 24 * 60 })
  })

  it('a report concurrent with the expiry keeps the order', async () => {
    const { id, by } = await book()
    later(31)
    const settings = await shop.deps.shopCache.settings()
    const reportFirst = async () => {
      expect((await report(by, id)).status).toBe(200)
      return settings
    }
    expect(await expire({ shopCache: { settings: reportFirst } })).toBe(0)
    expect(await stateOf(id)).toMatchObject({ status: 'placed', minutes: 24 * 60 })
  })

  it('follows the settings', async () => {
    await sql`insert into settings (key, value) values ('expiry', '{"unreportedMinutes": 45, "advanceHours": 6}')`.execute(db)
    shop.deps.shopCache.invalidate()
    const { id, by } = await book()
    expect(await stateOf(id)).toMatchObject({ minutes: 45 })
    await report(by, id)
    expect(await stateOf(id)).toMatchObject({ minutes: 360 })
    await sql`delete from settings where key = 'expiry'`.execute(db)
    shop.deps.shopCache.invalidate()
  })
})

describe('a code on the phone of the order', () => {
  it('extends the deadline to a day after placing, and returns to the invoice', async () => {
    const { id, by, phone } = await book()
    const invoice = async () => (await by.get(`/invoice/${id}`, { accept: 'text/html' })).text
    expect((await invoice()).includes('Keep the booking for 24 hours')).toBe(true)
    later(10)
    expect((await ask(by, id)).body).toEqual({ redirect: '/code' })
    expect((await by.get('/code', { accept: 'text/html' })).text).toContain(`href="/invoice/${id}"`)
    const code = await codeSentTo(db, phone)
    expect((await by.post('/code', { code: wrongCode(code) })).status).toBe(422)
    expect(await stateOf(id)).toMatchObject({ minutes: 20, verified: false })
    expect((await by.post('/code', { code })).body).toEqual({ redirect: `/invoice/${id}` })
    expect(await stateOf(id)).toMatchObject({ minutes: 24 * 60 - 10, verified: true, events: ['placed', 'phone-proven'] })
    expect((await invoice()).includes('Keep the booking for 24 hours')).toBe(false)
    expect([by.cookies.has('sid'), (await ask(by, id)).status]).toEqual([false, 404])
  })

  it('can be requested with the link of the SMS, by a form without script, and repeatedly', async () => {
    const { id, phone } = await book()
    const { key } = await stateOf(id)
    const other = shop.visitor()
    const begun = await other.postForm(`/orders/${id}/confirm-phone?key=${key}`, {})
    expect([begun.status, begun.headers.location]).toEqual([303, '/code'])
    later(1)
    expect((await other.postForm('/code/resend', {})).headers.location).toBe('/code?sent=again')
    const done = await other.postForm('/code', { code: (await codeSentTo(db, phone)) ?? '' })
    expect([done.status, done.headers.location]).toEqual([303, `/invoice/${id}?key=${key}`])
    expect(await stateOf(id)).toMatchObject({ verified: true })
  })

  it('is not needed by the signed-in customer of that phone', async () => {
    const customer = await buildUser(db, { phone_verified_at: new Date() })
    const { id, by } = await book(shop.visitor(), customer.phone)
    await by.signIn(customer.phone)
    expect((await ask(by, id)).body).toEqual({ redirect: `/invoice/${id}` })
    expect(await stateOf(id)).toMatchObject({ minutes: 24 * 60, verified: true })
    expect(await codeSentTo(db, customer.phone)).toBeNull()
  })

  it('entered twice concurrently counts once', async () => {
    const { id, by, phone } = await book()
    await ask(by, id)
    const code = await codeSentTo(db, phone)
    const answers = await Promise.all([1, 2, 3].map(() => by.post('/code', { code })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 410, 410])
    expect((await stateOf(id)).events).toEqual(['placed', 'phone-proven'])
  })

  it('entered after the end of the order changes nothing', async () => {
    const { id, by, phone } = await book()
    later(29)
    await ask(by, id)
    later(2)
    await expire()
    expect((await by.post('/code', { code: await codeSentTo(db, phone) })).status).toBe(200)
    expect(await stateOf(id)).toMatchObject({ status: 'cancelled', verified: false, minutes: null })
  })

  it('entered concurrently with the expiry keeps the order', async () => {
    const { id, by, phone } = await book()
    later(29)
    await ask(by, id)
    later(2)
    const settings = await shop.deps.shopCache.settings()
    const proveFirst = async () => {
      expect((await by.post('/code', { code: await codeSentTo(db, phone) })).status).toBe(200)
      return settings
    }
    expect(await expire({ shopCache: { settings: proveFirst } })).toBe(0)
    expect(await stateOf(id)).toMatchObject({ status: 'placed', minutes: 24 * 60 - 31 })
  })

  it('of a phone that staff corrected meanwhile changes nothing', async () => {
    const { id, by, phone } = await book()
    await ask(by, id)
    await sql`update orders set phone = ${newPhone()} where id = ${id}`.execute(db)
    expect((await by.post('/code', { code: await codeSentTo(db, phone) })).status).toBe(200)
    expect(await stateOf(id)).toMatchObject({ verified: false, minutes: 30 })
  })

  it('of another order, or requested by a stranger, changes nothing', async () => {
    const [mine, theirs] = [await book(), await book()]
    await ask(mine.by, mine.id)
    const code = await codeSentTo(db, mine.phone)
    expect((await theirs.by.post('/code', { code })).status).toBe(410)
    for (const [by, id] of [
      [theirs.by, mine.id],
      [shop, mine.id],
      [mine.by, 999_999],
    ] as const)
      expect((await ask(by, id)).status).toBe(404)
    expect((await ask(shop, mine.id, '?key=wrong')).status).toBe(404)
    expect((await shop.post(`/orders/${mine.id}/confirm-phone`, {}, { token: null })).status).toBe(403)
    expect(await stateOf(mine.id)).toMatchObject({ verified: false, minutes: 30 })
  })

  it.each<[string, () => Promise<{ id: number; by: Visitor }>]>([
    ['paid online', () => book(shop.visitor(), newPhone(), { payment_type: 'full', payment_gateway: 'pgw' })],
    [
      'paid at the door',
      async () => {
        const by = shop.visitor()
        const body = orderBody(area.id, [[(await buildProduct(db)).id, 1]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' })
        return { id: (await by.post('/customer-orders', body)).body.order_id!, by }
      },
    ],
  ])('is not offered for an order %s', async (_name, make) => {
    const { id, by } = await make()
    expect((await ask(by, id)).status).toBe(404)
  })

  it('has the rate limit of all codes, with a translated error', async () => {
    const { id, by } = await book()
    for (let n = 0; n < 3; n++) expect((await ask(by, id)).status).toBe(200)
    const refused = await ask(by, id)
    expect([refused.status, Number(refused.headers['retry-after']) > 0, refused.body.message]).toEqual([
      429,
      true,
      'Too many codes were requested for this number. Please try again later, or call us.',
    ])
  })
})
