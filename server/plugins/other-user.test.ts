import { sql } from 'kysely'
import { afterAll, expect, it, vi } from 'vitest'
import { call } from '#page/api-client.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildUser } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'

// Two tabs of a browser have one session: a page that one user opened must not write as the next.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))

type Role = 'customer' | 'owner' | 'cashier'
const OTHER = { status: 403, body: { reason: 'other-user' } }
const counted = { counted_cash: 500, counted_bkash: 0, counted_bank: 0 }

/** A browser with a page of the first user, in which the second one has logged in since. */
async function browser(first: Role, second: Role) {
  const device = shop.visitor()
  const users = [await buildUser(db, { role: first }), await buildUser(db, { role: second })] as const
  await device.signIn(users[0].phone)
  const pageToken = await device.token()
  await device.signIn(users[1].phone)
  await device.token()
  return { device, pageToken, users }
}
/** A write as pages send it: a token that is answered with 403 is renewed, and the write sent again. */
async function write(device: Visitor, path: string, body: object, token: string) {
  const cookie = [...device.cookies].map((pair) => pair.join('=')).join('; ')
  const meta = { content: token }
  vi.stubGlobal('document', { querySelector: () => meta })
  vi.stubGlobal('fetch', (to: string, options: RequestInit) =>
    realFetch(device.url + to, { ...options, headers: { ...options.headers, cookie } }),
  )
  try {
    return await call(path, { method: 'POST', body })
  } finally {
    vi.unstubAllGlobals()
  }
}
const realFetch = fetch
const openShifts = async () =>
  (await sql<{ cashier_id: number }>`select cashier_id from pos_shifts where closed_at is null`.execute(db)).rows

it("a cashier's page does not close the shift of the cashier who has logged in since", async () => {
  const { device, pageToken, users } = await browser('cashier', 'cashier')
  expect((await device.post('/admin/quick-orders/shift/open', { register: 'Gate', opening_cash: 500 })).status).toBe(200)
  expect(await write(device, '/admin/quick-orders/shift/close', counted, pageToken)).toMatchObject(OTHER)
  expect(await openShifts()).toEqual([{ cashier_id: users[1].id }])
  await device.post('/account/lock', {})
  expect(await write(device, '/unlock', { pin: '7391' }, pageToken)).toMatchObject(OTHER)
})

it("a customer's page adds nothing to another account", async () => {
  const area = await buildArea(db)
  const { device, pageToken, users } = await browser('customer', 'customer')
  const address = { name: 'Rahim', phone: '01712345678', address: 'House 1, Road 2', area_id: area.id }
  expect(await write(device, `/address/add/${users[1].id}`, address, pageToken)).toMatchObject(OTHER)
  expect((await sql`select 1 from addresses`.execute(db)).rows).toEqual([])
  expect((await device.post(`/address/add/${users[1].id}`, address)).status).toBe(200)
})

it('is told before the permission', async () => {
  const { device, pageToken } = await browser('owner', 'cashier')
  expect(await write(device, '/admin/settings/shop', {}, pageToken)).toMatchObject(OTHER)
  expect((await device.post('/admin/settings/shop', {})).status).toBe(403)
})

it('a form without script gets a page that says so', async () => {
  const { device, pageToken } = await browser('customer', 'customer')
  const body = new URLSearchParams({ name: 'Karim', _token: pageToken }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html', origin: device.url }
  const answer = await device.send('POST', '/account/security/name', body, { headers })
  expect([answer.status, answer.text.includes('Someone else has logged in on this device')]).toEqual([403, true])
})

it('a page of the same user, of a stranger, or of a release without the id in its token goes on after renewing it', async () => {
  const { device, users } = await browser('customer', 'customer')
  const name = (token: string | null) => device.post('/account/security/name', { name: 'Karim' }, { token })
  const [before, strangers] = [await device.token(), await shop.visitor().token()]
  await device.signIn(users[1].phone)
  expect([(await name(before)).status, (await name(strangers)).status]).toEqual([403, 403])
  const token = await device.token()
  expect([(await name(token)).status, (await name(token.slice(token.indexOf('.') + 1))).status]).toEqual([200, 200])
})

it('a page whose user was logged out says how to go on; another caller is told to log in', async () => {
  const { device, pageToken, users } = await browser('owner', 'owner')
  await sql`delete from sessions where user_id = ${users[1].id}`.execute(db)
  expect(await write(device, '/admin/settings/shop', {}, pageToken)).toMatchObject({
    status: 401,
    body: { message: 'You have been logged out. Log in again in another tab, then try again here.' },
  })
  expect((await shop.visitor().post('/admin/settings/shop', {})).body.message).toBe('Please log in first.')
})
