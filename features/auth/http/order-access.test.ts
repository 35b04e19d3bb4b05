import { sql } from 'kysely'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { totpCode, totpStep } from '#features/auth/totp.server.ts'
import { codeSentTo } from '#test/codes.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'

// A browser opens the orders placed with it without a login. It may not once the sessions of its user have ended elsewhere.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url, rateLimit: true })
beforeEach(() => sql`truncate attempt_counts`.execute(db))
afterAll(() => expect(shop.failures).toEqual([]))

const [area, mango] = [await buildArea(db, { produce: 80 }), await buildProduct(db)]
const opens = async (who: Visitor, id: number) => (await who.get(`/invoice/${id}`)).status
const FACTOR = '/account/security/second-factor'

async function place(by: Visitor, phone: string): Promise<number> {
  const body = orderBody(area.id, [[mango.id, 1]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' })
  return (await by.post('/customer-orders', { ...body, customer: { ...body.customer, phone } })).body.order_id!
}

/** A user whose other browser has an order, which it shows without a login too. */
async function orderElsewhere(role: 'customer' | 'sales' = 'customer') {
  const user = await buildUser(db, { role, name: 'Rahima', phone_verified_at: new Date() })
  const there = shop.visitor()
  await there.signIn(user.phone)
  const id = await place(there, user.phone)
  const sid = there.cookies.get('sid')
  there.cookies.delete('sid')
  expect(await opens(there, id)).toBe(200)
  if (sid) there.cookies.set('sid', sid)
  return { user, there, id }
}

function secretOf(key: string): Buffer {
  const letters = [...key.replaceAll(' ', '')].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter))
  const bits = letters.map((value) => value.toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

async function confirmFactor(by: Visitor) {
  const { key } = (await by.post(`${FACTOR}/begin`)).body as { key: string }
  expect((await by.post(`${FACTOR}/confirm`, { code: totpCode(secretOf(key), totpStep(shop.clock.now)) })).status).toBe(200)
}

it('a second factor ends the access of the other browsers, and no order placed with this one closes', async () => {
  const { user, there, id } = await orderElsewhere('sales')
  const browser = shop.visitor()
  await browser.signIn(user.phone)
  const own = await place(browser, user.phone)
  await browser.post(`${FACTOR}/begin`, {})
  expect((await browser.post(`${FACTOR}/confirm`, { code: '000000' })).status).toBe(422)
  expect(await opens(there, id)).toBe(200)
  await confirmFactor(browser)
  browser.cookies.delete('sid')
  expect([await opens(there, id), await opens(browser, own)]).toEqual([404, 200])
})

it('a new password by a code ends it also where a second factor is still asked for', async () => {
  const { user, there, id } = await orderElsewhere('sales')
  await confirmFactor(there)
  const elsewhere = shop.visitor()
  await elsewhere.post('/forgot-password', { phone: user.phone })
  const entered = await elsewhere.post('/code', { code: await codeSentTo(db, user.phone), password: 'two white goats' })
  expect([entered.body, await opens(there, id)]).toEqual([{ redirect: '/code' }, 404])
})

it('registering a number again, which replaces the password, ends it', async () => {
  const { user, there, id } = await orderElsewhere()
  const elsewhere = shop.visitor()
  await elsewhere.post('/register', { name: 'Rahima', phone: user.phone, password: 'two white goats' })
  expect((await elsewhere.post('/code', { code: await codeSentTo(db, user.phone) })).status).toBe(200)
  expect(await opens(there, id)).toBe(404)
})

it.each(['password', 'role', 'disable'])('an owner who ends the sessions of the staff ends it: %s', async (path) => {
  const { user, there, id } = await orderElsewhere('sales')
  const owner = shop.visitor()
  await owner.signIn((await buildUser(db, { role: 'owner' })).phone)
  const body = path === 'role' ? { role: 'manager', previous: 'sales' } : {}
  expect((await owner.post(`/admin/staff/${user.id}/${path}`, body)).status).toBe(200)
  expect(await opens(there, id)).toBe(404)
})

it('a customer who becomes staff loses it', async () => {
  const { user, there, id } = await orderElsewhere()
  const owner = shop.visitor()
  await owner.signIn((await buildUser(db, { role: 'owner' })).phone)
  const added = await owner.post('/admin/staff/store', { name: 'Rahima', phone: user.phone, role: 'sales' })
  expect([added.status, await opens(there, id)]).toEqual([200, 404])
})

it.each(['disable', 'details', 'merge'])('staff who end the sessions of a customer end it: %s', async (path) => {
  const { user, there, id } = await orderElsewhere()
  const manager = shop.visitor()
  await manager.signIn((await buildUser(db, { role: 'manager' })).phone)
  const target = await buildUser(db, { phone_verified_at: new Date() })
  const previous = { name: 'Rahima', phone: user.phone, email: '' }
  const changed = await {
    disable: () => manager.post(`/admin/customers/${user.id}/disable`),
    details: () => manager.post(`/admin/customers/${user.id}/details`, { ...previous, phone: '01433000001', previous }),
    merge: () => manager.post(`/admin/customers/${target.id}/merge`, { other: user.id, orders: 1 }),
  }[path]!()
  expect([changed.status, await opens(there, id)]).toEqual([200, 404])
})
