import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { changeRole, disableStaff } from '#features/auth/staff/commands.server.ts'
import { erasePerson } from '#features/customers/personal-data/erase-person.server.ts'
import { findPerson } from '#features/customers/personal-data/read-personal-data.server.ts'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildUser } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'
import { pushKeys } from './push-keys.server.ts'
import { configurePush } from './push-service.server.ts'
import { MAX_DEVICES } from './push-rules.ts'
import { startPushService } from './testing/start-push-service.ts'

// Switching the notifications of a device on and off.

const { db, url } = await testDb()
const service = await startPushService()
const shop = await openShop({ databaseUrl: url, pushSimulator: service.origin })
afterAll(() => service.close())
afterAll(() => expect(shop.failures).toEqual([]))
beforeEach(() => sql`delete from push_subscriptions`.execute(db))

const store = (who: Visitor, body: unknown) => send(who, 'POST', body)
const remove = (who: Visitor, endpoint: string) => send(who, 'DELETE', { endpoint })
const tokens = new WeakMap<Visitor, string>()
function send(who: Visitor, method: string, json: unknown) {
  const body = JSON.stringify(json)
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length), accept: 'application/json' }
  return who.send(method, '/api/admin/push', body, { headers: { ...headers, 'x-csrf-token': tokens.get(who) ?? '' } })
}
async function staff(role: Parameters<typeof signedIn>[1]) {
  const visitor = await signedIn(shop, role)
  tokens.set(visitor, await visitor.token())
  return visitor
}
const devices = async () =>
  (
    await sql<{
      user_id: number
      endpoint: string
      lang: string
    }>`select user_id, endpoint, lang from push_subscriptions order by id`.execute(db)
  ).rows

describe('the key', () => {
  it('is made once, by several processes at once, and stored encrypted', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => pushKeys(shop.deps)))
    const keys = new Set(all.map(({ publicKey }) => publicKey.toString('base64url')))
    expect(keys.size).toBe(1)
    const sales = await staff('sales')
    expect((await sales.get('/api/admin/push')).body).toEqual({ key: [...keys][0] })
    const { rows } = await sql<{ secret: Buffer }>`select secret from push_state`.execute(db)
    const plain = all[0]!.privateKey.export({ format: 'der', type: 'pkcs8' })
    expect(rows[0]!.secret.includes(plain.subarray(-60, -30))).toBe(false)
  })

  it('is replaced under another session secret, with the devices that know the former one', async () => {
    const sales = await staff('sales')
    await store(sales, service.subscribe())
    const before = await pushKeys(shop.deps)
    expect(await devices()).toHaveLength(1)
    const after = await pushKeys({ db, env: { sessionSecret: 'another secret of thirty-two letters' } })
    expect([after.publicKey.equals(before.publicKey), await devices()]).toEqual([false, []])
    await pushKeys(shop.deps)
  })
})

describe('a device', () => {
  it('is stored once with the language of the page, and removed by its user alone', async () => {
    const [sales, owner] = [await staff('sales'), await staff('owner')]
    const device = service.subscribe()
    expect((await store(sales, device)).status).toBe(200)
    expect((await store(sales, device)).status).toBe(200)
    expect(await devices()).toEqual([{ user_id: sales.id, endpoint: device.endpoint, lang: expect.stringMatching(/^(en|bn)$/) }])
    expect((await remove(owner, device.endpoint)).status).toBe(200)
    expect(await devices()).toHaveLength(1)
    expect((await remove(sales, device.endpoint)).status).toBe(200)
    expect((await remove(sales, device.endpoint)).status).toBe(200)
    expect(await devices()).toEqual([])
  })

  it('stays when its user logs the other devices out', async () => {
    const desk = await staff('sales')
    const { rows } = await sql<{ phone: string }>`select phone from users where id = ${desk.id}`.execute(db)
    const phone = shop.visitor()
    expect((await phone.signIn(rows[0]!.phone)).status).toBe(200)
    tokens.set(phone, await phone.token())
    const [here, there] = [service.subscribe(), service.subscribe()]
    await store(desk, here)
    await store(phone, there)
    expect((await desk.post('/account/security/devices/sign-out-others', {})).status).toBe(200)
    expect((await devices()).map(({ endpoint }) => endpoint)).toEqual([here.endpoint])
  })

  it('moves to the user who switches it on next, without what the former user was to be told', async () => {
    const [sales, owner] = [await staff('sales'), await staff('owner')]
    const device = service.subscribe()
    await store(sales, device)
    await sql`insert into push_messages (subscription_id, kind, count, expires_at) select id, 'orders', 2, now() + interval '1 hour'
      from push_subscriptions`.execute(db)
    await store(owner, device)
    expect((await devices()).map(({ user_id }) => user_id)).toEqual([owner.id])
    expect((await sql`select 1 from push_messages`.execute(db)).rows).toEqual([])
  })

  it('replaces the first one beyond the limit, also when many come at once', async () => {
    const sales = await staff('sales')
    const all = Array.from({ length: MAX_DEVICES + 3 }, () => service.subscribe())
    await store(sales, all[0])
    const answers = await Promise.all(all.slice(1).map((device) => store(sales, device)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const stored = (await devices()).map(({ endpoint }) => endpoint)
    expect([stored.length, stored.includes(all[0]!.endpoint)]).toEqual([MAX_DEVICES, false])
  })

  it('ends with disabling, a new role, and erasure', async () => {
    const actor = { kind: 'staff', id: (await buildUser(db, { role: 'owner' })).id, ip: '127.0.0.1' } as const
    const [disabled, changed, erased] = [await staff('sales'), await staff('sales'), await staff('sales')]
    for (const person of [disabled, changed, erased]) await store(person, service.subscribe())
    expect(await devices()).toHaveLength(3)
    expect(await disableStaff(db, actor, disabled.id, new Date())).toEqual({ ok: true })
    expect(await changeRole(db, actor, changed.id, { role: 'cashier', previous: 'sales' })).toEqual({ ok: true })
    expect((await devices()).map(({ user_id }) => user_id)).toEqual([erased.id])
    // A customer has no devices any more; whatever is left is erased with the person.
    const { rows } = await sql<{ phone: string }>`update users set role = 'customer' where id = ${erased.id} returning phone`.execute(db)
    expect(await erasePerson(db, (await findPerson(db, rows[0]!.phone))!, new Date())).toEqual({ ok: true, orders: 0 })
    expect(await devices()).toEqual([])
  })
})

describe('the end of a session', () => {
  /** Two devices of one user, each with a session of its own. */
  async function twoDevices() {
    const phone = await staff('sales')
    const { rows } = await sql<{ phone: string }>`select phone from users where id = ${phone.id}`.execute(db)
    const laptop = shop.visitor()
    await laptop.signIn(rows[0]!.phone)
    tokens.set(laptop, await laptop.token())
    const [onPhone, onLaptop] = [service.subscribe(), service.subscribe()]
    await store(phone, onPhone)
    await store(laptop, onLaptop)
    return { phone, laptop, number: rows[0]!.phone, onPhone: onPhone.endpoint, onLaptop: onLaptop.endpoint }
  }
  const endpoints = async () => (await devices()).map(({ endpoint }) => endpoint)

  it('ends the notifications of the device that logs out, on a page of the shop too', async () => {
    const { laptop, onPhone } = await twoDevices()
    await laptop.signOut()
    expect(await endpoints()).toEqual([onPhone])
  })

  it('ends those of a lost device that the user logs out from another one', async () => {
    const { laptop, phone, onLaptop } = await twoDevices()
    const { rows } = await sql<{ id: number }>`select id from sessions where user_id = ${phone.id} order by id limit 1`.execute(db)
    expect((await laptop.post(`/account/security/devices/${rows[0]!.id}/sign-out`)).status).toBe(200)
    expect(await endpoints()).toEqual([onLaptop])
  })

  it('ends those of a device where another user signs in, and not where the same one does', async () => {
    const { phone, laptop, number, onPhone, onLaptop } = await twoDevices()
    await phone.signIn(number)
    expect(await endpoints()).toEqual([onPhone, onLaptop])
    await laptop.signIn((await buildUser(db, { role: 'cashier' })).phone)
    expect(await endpoints()).toEqual([onPhone])
  })

  it('leaves a device alone that was registered in a later session', async () => {
    const { laptop, number, onPhone, onLaptop } = await twoDevices()
    const later = shop.visitor()
    await later.signIn(number)
    tokens.set(later, await later.token())
    const { rows } = await sql<{ p256dh: Buffer; auth: Buffer }>`
      select p256dh, auth from push_subscriptions where endpoint = ${onLaptop}`.execute(db)
    const keys = { p256dh: rows[0]!.p256dh.toString('base64url'), auth: rows[0]!.auth.toString('base64url') }
    expect((await store(later, { endpoint: onLaptop, keys })).status).toBe(200)
    await laptop.signOut()
    expect(await endpoints()).toEqual([onPhone, onLaptop])
  })
})

describe('what is refused', () => {
  it('is a request without a session, a token, or the permission for a kind of news', async () => {
    const device = service.subscribe()
    const stranger = shop.visitor()
    tokens.set(stranger, await stranger.token())
    expect([(await store(stranger, device)).status, (await stranger.get('/api/admin/push')).status]).toEqual([401, 401])
    for (const role of ['customer', 'cashier', 'weigher'] as const) {
      const visitor = await staff(role)
      const statuses = [await store(visitor, device), await remove(visitor, device.endpoint), await visitor.get('/api/admin/push')]
      expect(statuses.map(({ status }) => status)).toEqual([403, 403, 403])
    }
    const sales = await staff('sales')
    tokens.set(sales, '')
    expect([(await store(sales, device)).status, (await remove(sales, device.endpoint)).status]).toEqual([403, 403])
    expect(await devices()).toEqual([])
  })

  const good = service.subscribe()
  it.each<[string, unknown]>([
    ['nothing', {}],
    ['a list', []],
    ['a number', 7],
    ['no keys', { endpoint: good.endpoint }],
    ['an address within the network', { ...good, endpoint: 'https://127.0.0.1/push' }],
    ['an address of the cloud', { ...good, endpoint: 'http://169.254.169.254/latest' }],
    ['an unknown host', { ...good, endpoint: 'https://push.evil.example/abc' }],
    ['a known host over http', { ...good, endpoint: 'http://fcm.googleapis.com/fcm/send/abc' }],
    ['another port', { ...good, endpoint: 'https://fcm.googleapis.com:22/fcm/send/abc' }],
    ['no address', { ...good, endpoint: 'push' }],
    ['a huge address', { ...good, endpoint: `${good.endpoint}${'x'.repeat(20_000)}` }],
    ['an address with a zero byte', { ...good, endpoint: `${good.endpoint}\0` }],
    ['an address as a list', { ...good, endpoint: [good.endpoint] }],
    ['a key of another length', { ...good, keys: { ...good.keys, p256dh: good.keys.p256dh.slice(4) } }],
    ['a key that is no point', { ...good, keys: { ...good.keys, p256dh: Buffer.alloc(65, 4).toString('base64url') } }],
    ['a short secret', { ...good, keys: { ...good.keys, auth: 'AAAA' } }],
    ['a huge key', { ...good, keys: { ...good.keys, p256dh: 'A'.repeat(50_000) } }],
    ['a key in another alphabet', { ...good, keys: { ...good.keys, auth: '????????????????????==' } }],
    ['a field too many', { ...good, user_id: 1 }],
  ])('is %s', async (_case, body) => {
    const answer = await store(await staff('sales'), body)
    expect([answer.status >= 400 && answer.status < 500, await devices()]).toEqual([true, []])
  })
})

it('takes the address of a simulator on this machine alone', () => {
  expect(configurePush({})).toEqual({ simulator: null, timeoutMs: 5000 })
  expect(configurePush({ PUSH_SIMULATOR_URL: ' ' }).simulator).toBeNull()
  expect(configurePush({ PUSH_SIMULATOR_URL: service.origin }).simulator).toBe(service.origin)
  for (const address of ['http://10.0.0.1:80', 'https://push.example', 'http://127.0.0.1:80/path', 'http://127.0.0.1.evil.example:80'])
    expect(() => configurePush({ PUSH_SIMULATOR_URL: address })).toThrow('PUSH_SIMULATOR_URL')
})
