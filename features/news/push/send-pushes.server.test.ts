import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Role } from '#features/auth/sessions.server.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { MAX_FAILURES, TTL_SECONDS } from './push-rules.ts'
import { pushKeys } from './push-keys.server.ts'
import { queuePushes } from './queue-pushes.server.ts'
import { pushNews } from './send-pushes.server.ts'
import { storeDevice } from './subscriptions.server.ts'
import { startPushService } from './testing/start-push-service.ts'

// News reach devices over a real connection to a simulator of a push service, which decrypts them as a browser does, and also misbehaves.

const { db, url } = await testDb()
const service = await startPushService()
const shop = await openShop({ databaseUrl: url, pushSimulator: service.origin })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const mango = await buildProduct(db)
afterAll(() => service.close())
afterAll(() => expect([shop.failures, service.complaints]).toEqual([[], []]))

// A browser needs the key before it can subscribe.
await pushKeys(shop.deps)

const logged: unknown[] = []
const deps = { ...shop.deps, log: { warn: (detail: object, message: string) => void logged.push(detail, message) } }
const run = () => pushNews(deps)
beforeEach(async () => {
  await sql`delete from push_subscriptions`.execute(db)
  service.received.length = service.faults.length = service.asked.length = logged.length = 0
})

/** A member of staff with a device that is on. The run notes what is there, as it does seconds after the first device was switched on. */
async function person(role: Role = 'sales', lang: 'en' | 'bn' = 'en') {
  const { id } = await buildUser(db, { role })
  const name = await addDevice(id, lang)
  await run()
  return { id, name }
}
async function addDevice(userId: number, lang: 'en' | 'bn' = 'en') {
  const name = `device-${Math.random().toString(36).slice(2)}`
  const { endpoint, keys } = service.subscribe(name)
  const bytes = (text: string) => Buffer.from(text, 'base64url')
  await storeDevice(db, { userId, sessionId: 0, endpoint, p256dh: bytes(keys.p256dh), auth: bytes(keys.auth), lang })
  return name
}
async function order(): Promise<number> {
  const { body, text } = await shop.visitor().post('/customer-orders', orderBody(area.id, [[mango.id, 1]]))
  if (!body.order_id) throw new Error(text)
  return body.order_id
}
const areaRequest = () =>
  sql`insert into area_requests (name, phone, place, requested_on) values ('Rahim', '01712345678', 'Savar', now())`.execute(db)
const got = () => service.received.map(({ device, payload }) => [device, payload.kind, payload.count])
const waiting = async () =>
  (
    await sql<{ kind: string; count: number; attempts: number; minutes: number }>`select kind, count, attempts,
      round(extract(epoch from not_before - now()) / 60)::int as minutes from push_messages order by subscription_id, kind`.execute(db)
  ).rows
const devices = async () => (await sql<{ failures: number }>`select failures from push_subscriptions order by id`.execute(db)).rows
const makeDue = () => sql`update push_messages set not_before = now()`.execute(db)

describe('news', () => {
  it('come as one message a kind, with number, label, shop and list, and without a name, phone or amount', async () => {
    const { name } = await person()
    await order()
    await order()
    await areaRequest()
    await run()
    await run()
    expect(service.received.toSorted((a, b) => Number(a.payload.count) - Number(b.payload.count))).toEqual([
      expect.objectContaining({ device: name, payload: expect.objectContaining({ kind: 'area-requests', count: 1 }) }),
      {
        device: name,
        key: expect.any(String),
        ttl: expect.any(Number),
        urgency: 'high',
        payload: { kind: 'orders', count: 2, label: 'New orders', shop: expect.any(String), lang: 'en', url: '/admin/orders' },
      },
    ])
    for (const { ttl } of service.received) expect(TTL_SECONDS - ttl).toBeLessThan(60)
    expect(await waiting()).toEqual([])
  })

  it('do not begin with a backlog, neither for the first device nor for a later one', async () => {
    await order()
    const { id, name } = await person()
    await run()
    expect(got()).toEqual([])
    await order()
    await run()
    const second = await addDevice(id)
    await run()
    expect(got()).toEqual([[name, 'orders', 1]])
    await order()
    await run()
    expect(
      got()
        .slice(1)
        .map(([device]) => device)
        .sort(),
    ).toEqual([name, second].sort())
    // While no device is on, nothing is collected.
    await sql`delete from push_subscriptions`.execute(db)
    await order()
    service.received.length = 0
    await person()
    await run()
    expect(got()).toEqual([])
  })

  it('reach the roles that may learn of them, in the language of the device', async () => {
    const people = new Map<string, string>()
    for (const role of ['owner', 'viewer', 'cashier', 'weigher', 'customer'] as const) people.set((await person(role, 'bn')).name, role)
    await order()
    await sql`insert into reviews (order_id, product_id, rating, body, shown_name, state)
      select o.id, l.product_id, 5, 'Sweet', 'Rahim', 'waiting' from orders o join order_lines l on l.order_id = o.id order by o.id desc limit 1`.execute(
      db,
    )
    await run()
    expect(
      got()
        .map(([device, kind]) => `${people.get(String(device))} ${kind}`)
        .sort(),
    ).toEqual(['owner orders', 'owner reviews', 'viewer orders'])
    expect(service.received.find(({ payload }) => payload.kind === 'orders')?.payload).toMatchObject({ label: 'নতুন অর্ডার', lang: 'bn' })
  })

  it('reach nobody who lost the permission or was disabled after they were queued', async () => {
    const [disabled, demoted] = [await person(), await person()]
    service.faults.push({ status: 500 }, { status: 500 })
    await order()
    await run()
    await sql`update users set disabled_at = now() where id = ${disabled.id}`.execute(db)
    await sql`update users set role = 'cashier' where id = ${demoted.id}`.execute(db)
    await makeDue()
    await run()
    await order()
    await run()
    expect([got(), await waiting()]).toEqual([[], []])
  })

  it('whose transaction ends late are found below newer ones', async () => {
    const { name } = await person()
    const [first, second] = [await order(), await order()]
    await sql`update orders set source = 'admin' where id = ${first}`.execute(db)
    await run()
    await sql`update orders set source = 'web' where id = ${first}`.execute(db)
    await run()
    await run()
    expect([first < second, got()]).toEqual([
      true,
      [
        [name, 'orders', 1],
        [name, 'orders', 1],
      ],
    ])
  })
})

describe('several processes', () => {
  it('send each message once', async () => {
    const people = [await person(), await person(), await person('owner'), await person('manager')]
    await order()
    await Promise.all(Array.from({ length: 6 }, run))
    await run()
    expect(
      got()
        .map(([device]) => device)
        .sort(),
    ).toEqual(people.map(({ name }) => name).sort())
    expect(service.asked).toHaveLength(4)
  })

  it('send what one of them left behind when it ended', async () => {
    const { name } = await person()
    await order()
    service.faults.push({ status: 503 })
    await run()
    await sql`update push_messages set attempts = 1, not_before = now() - interval '1 second'`.execute(db)
    await run()
    expect(got()).toEqual([[name, 'orders', 1]])
  })
})

describe('a push service', () => {
  it.each([404, 410])('that knows the device no more (%i) ends it', async (status) => {
    await person()
    service.faults.push({ status })
    await order()
    await run()
    expect([await devices(), await waiting(), logged]).toEqual([[], [], []])
  })

  it('with a problem gets it again later, with all that came since, and no address is logged', async () => {
    const { name } = await person()
    service.faults.push({ status: 500 }, 'silence', { status: 302, headers: { location: 'http://127.0.0.1:1/' } })
    await order()
    await run()
    expect(await waiting()).toEqual([{ kind: 'orders', count: 1, attempts: 1, minutes: 1 }])
    await order()
    await run()
    expect([service.asked.length, await waiting()]).toEqual([1, [{ kind: 'orders', count: 2, attempts: 1, minutes: 1 }]])
    await makeDue()
    await run()
    await makeDue()
    await run()
    expect([await waiting(), await devices()]).toEqual([[{ kind: 'orders', count: 2, attempts: 3, minutes: 15 }], [{ failures: 1 }]])
    await makeDue()
    await run()
    expect([got(), await waiting(), await devices()]).toEqual([[[name, 'orders', 2]], [], [{ failures: 0 }]])
    expect(logged.filter((entry) => typeof entry === 'object').map((entry) => (entry as { code: string }).code)).toEqual([
      'http-500',
      'timeout',
      'http-302',
    ])
    expect(JSON.stringify(logged)).not.toMatch(/127\.0\.0\.1|device-|push\//)
  })

  it('that is slow gets what came in the meantime with the next message', async () => {
    const { name } = await person()
    service.faults.push('slow')
    await order()
    const slow = run()
    await vi.waitFor(() => expect(service.asked).toHaveLength(1), { timeout: 5000 })
    await order()
    await queuePushes(db)
    await slow
    expect(got().slice(0, 1)).toEqual([[name, 'orders', 1]])
    await run()
    expect([got(), await waiting()]).toEqual([
      [
        [name, 'orders', 1],
        [name, 'orders', 1],
      ],
      [],
    ])
  })

  it('that says when to come again is heard', async () => {
    await person()
    service.faults.push({ status: 429, headers: { 'retry-after': '1800' } })
    await order()
    await run()
    expect(await waiting()).toEqual([{ kind: 'orders', count: 1, attempts: 1, minutes: 30 }])
  })

  it('that is down for days loses messages, but no device', async () => {
    await person()
    await sql`update push_subscriptions set failures = ${MAX_FAILURES - 1}`.execute(db)
    for (const status of [500, 503, 429]) {
      service.faults.push({ status })
      await order()
      await run()
      await sql`update push_messages set expires_at = now() - interval '1 second'`.execute(db)
      await run()
      expect([await waiting(), await devices()]).toEqual([[], [{ failures: MAX_FAILURES - 1 }]])
    }
  })

  it('that refuses every message of a device loses it', async () => {
    await person()
    service.faults.push({ status: 403 }, { status: 400 })
    await order()
    await run()
    await sql`update push_subscriptions set failures = failures + ${MAX_FAILURES - 2}`.execute(db)
    await makeDue()
    await run()
    expect([await waiting(), await devices()]).toEqual([[], []])
  })

  it('that hangs stops neither other devices nor the run', async () => {
    const people = [await person(), await person(), await person()]
    service.faults.push('silence', 'silence')
    await order()
    const startedAt = performance.now()
    await run()
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    expect([got().length, (await waiting()).length, people.length]).toEqual([1, 2, 3])
  })

  it('that is none of the known ones is not called, also when a row names it', async () => {
    await person()
    await sql`update push_subscriptions set endpoint = ${`${service.origin.replace('127.0.0.1', 'localhost')}/push/x`}`.execute(db)
    await order()
    await run()
    expect([service.asked, await waiting()]).toEqual([[], []])
  })
})

it('stores nothing while no device is on', async () => {
  await order()
  await run()
  const { rows } = await sql`select pushed from push_state`.execute(db)
  await order()
  await run()
  expect((await sql`select pushed from push_state`.execute(db)).rows).toEqual(rows)
})
