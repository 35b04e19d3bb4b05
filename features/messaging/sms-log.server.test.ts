import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { registeredRoutes } from '#test/registered-routes.ts'
import { openShop } from '#test/request.ts'
import { rowsRead } from '#test/rows-read.ts'
import { SMS_CALL_MS } from './gateway.ts'
import { countSms, listSms } from './queries.server.ts'
import { queueSms } from './queue-sms.server.ts'
import type { SmsCounts, SmsJson, SmsProviderJson } from './types.ts'

type Props = {
  page: { rows: SmsJson[]; prev: object | null; next: Record<string, string> | null }
  counts: SmsCounts
  provider: SmsProviderJson
}

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const manager = shop.visitor()
await manager.signIn((await buildUser(db, { role: 'manager', name: 'Karim' })).phone)
afterAll(() => expect(shop.failures).toEqual([]))
beforeEach(() => sql`truncate sms_outbox`.execute(db))

let serial = 0
async function message(
  state: string,
  { failure = null as string | null, phone = '01711000009', purpose = 'order' as 'order' | 'code' } = {},
) {
  const id = (await queueSms(db, { purpose, event: `e-${(serial += 1)}`, phone, text: `Message ${serial}, code 123456` })) ?? 0
  await sql`update sms_outbox set state = ${state}, failure = ${failure} where id = ${id}`.execute(db)
  return id
}
const log = async (query = '') => pageProps<Props>((await manager.get(`/admin/sms${query}`, { accept: 'text/html' })).text)
const ids = async (query: string) => (await log(query)).page.rows.map(({ id }) => id)

describe('the log', () => {
  it('counts waiting and failed messages, and filters by state and phone', async () => {
    const sent = await message('submitted')
    const failed = await message('failed', { failure: '1001' })
    const unknown = await message('unknown', { failure: 'timeout', phone: '01811000007' })
    await message('queued')
    expect((await log()).counts).toEqual({ waiting: 1, failed: 1, unknown: 1 })
    expect(await ids('?state=failed')).toEqual([failed])
    // The dashboard and the health page count both and lead here.
    expect(await ids('?state=problem')).toEqual([unknown, failed])
    expect(await ids('?q=%2B880%201811-000007')).toEqual([unknown])
    expect(await ids('?q=' + encodeURIComponent('০১৭১১০০০০০৯') + '&state=submitted')).toEqual([sent])
    expect(await ids('?q=nobody')).toEqual([])
    expect(await ids('?state=%27%3B--')).toHaveLength(4)
    // A figure counts the last days, and leads to a list of the same messages.
    await sql`update sms_outbox set created_at = now() - interval '31 days' where id = ${failed}`.execute(db)
    expect((await log()).counts).toEqual({ waiting: 1, failed: 0, unknown: 1 })
    expect([await ids('?state=failed&days=30'), await ids('?state=problem&days=7'), await ids('?state=failed')]).toEqual([
      [],
      [unknown],
      [failed],
    ])
  })

  it('hides the digits of codes, sent or not', async () => {
    await message('queued', { purpose: 'code' })
    await message('submitted', { purpose: 'code' })
    const { rows } = (await log()).page
    expect(rows.map(({ purpose, text }) => [purpose, /\d/.test(text)])).toEqual([
      ['code', false],
      ['code', false],
    ])
  })

  it('hides the keys of links from those who only read: they act for the customer', async () => {
    const link = 'https://khamar.example/invoice/15?key=AbC-123_x'
    const text = `Order 15: ${link}\nhttps://khamar.example/stop/Ab12Cd34`
    await queueSms(db, { purpose: 'order', event: 'placed', phone: '01711000009', text })
    const viewer = shop.visitor()
    await viewer.signIn((await buildUser(db, { role: 'viewer' })).phone)
    const customer = await buildUser(db, { phone: '01711000009' })
    for (const path of ['/admin/sms', '/admin/sms/export', `/admin/customers/${customer.id}`]) {
      const [masked, whole] = await Promise.all([viewer, manager].map((who) => who.get(path, { accept: 'text/html' })))
      expect([path, /AbC-123_x|Ab12Cd34/.test(masked!.text), whole!.text.includes('AbC-123_x')]).toEqual([path, false, true])
      expect(masked!.text).toContain('invoice/15?key=•••')
    }
  })

  it('goes on by pages, forth and back', async () => {
    for (let count = 0; count < 60; count += 1) await message('submitted')
    const first = await log()
    expect(first.page.rows).toHaveLength(50)
    const second = await log(`?after=${first.page.next?.after}`)
    expect(second.page.rows).toHaveLength(10)
    expect(await ids(`?before=${second.page.rows[0]?.id}`)).toEqual(first.page.rows.map(({ id }) => id))
    expect((await log('?after=abc')).page.rows).toHaveLength(50)
  })
})

describe('sending again', () => {
  it('what failed or may have: once, with the name of who did it', async () => {
    for (const state of ['failed', 'unknown']) {
      const id = await message(state, { failure: 'timeout' })
      const presses = await Promise.all(Array.from({ length: 6 }, () => manager.post(`/admin/sms/${id}/resend`)))
      expect(presses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409])
      expect((await log()).page.rows[0]).toMatchObject({ id, state: 'queued', failure: null, sent_by: 'Karim' })
      const { rows } =
        await sql`select before ->> 'state' as before from audit_log where subject = 'sms' and subject_id = ${String(id)}`.execute(db)
      expect(rows).toEqual([{ before: state }])
    }
  })

  it('not what another member of staff resent meanwhile, although its outcome is unknown again', async () => {
    const id = await message('unknown', { failure: 'timeout' })
    const shownAt = async () => (await log()).page.rows.find((row) => row.id === id)!.updated_at
    const shown = await shownAt()
    expect((await manager.post(`/admin/sms/${id}/resend`, { updated_at: shown })).status).toBe(200)
    await sql`update sms_outbox set state = 'unknown', failure = 'timeout', updated_at = now() where id = ${id}`.execute(db)
    const late = await manager.post(`/admin/sms/${id}/resend`, { updated_at: shown })
    expect([late.status, late.body.message]).toEqual([409, 'This message has already been resent.'])
    expect((await manager.post(`/admin/sms/${id}/resend`, { updated_at: await shownAt() })).status).toBe(200)
    expect((await manager.post(`/admin/sms/${id}/resend`, { updated_at: 'now' })).status).toBe(422)
  })

  it('nothing else', async () => {
    for (const state of ['queued', 'sending', 'submitted'])
      expect((await manager.post(`/admin/sms/${await message(state)}/resend`)).status).toBe(409)
    const code = await message('failed', { purpose: 'code', failure: 'expired' })
    expect((await manager.post(`/admin/sms/${code}/resend`)).body.message).toBe('Codes can’t be resent; the customer requests a new one.')
    expect((await manager.post('/admin/sms/999999999/resend')).status).toBe(404)
    expect((await manager.post('/admin/sms/x/resend')).status).toBe(422)
  })

  it('not a text whose day or deadline has passed, and one that has not no longer than it is true', async () => {
    const now = Date.now()
    const limited = async (seconds: number) => {
      const text = 'Order 7 arrives tomorrow'
      const id =
        (await queueSms(db, { purpose: 'order', event: `e-${(serial += 1)}`, phone: '01711000009', text, validSeconds: 3600 })) ?? 0
      const expires = new Date(now + seconds * 1000)
      await sql`update sms_outbox set state = 'failed', failure = 'expired', created_at = ${new Date(expires.getTime() - 3_600_000)},
        expires_at = ${expires} where id = ${id}`.execute(db)
      return id
    }
    const [past, ahead] = [await limited(-60), await limited(600)]
    const late = await manager.post(`/admin/sms/${past}/resend`)
    expect([late.status, late.body.message]).toEqual([409, 'This message is out of date. Write a new one from the order.'])
    expect((await manager.post(`/admin/sms/${ahead}/resend`)).status).toBe(200)
    const { rows } = await sql<{ expires_at: Date }>`select expires_at from sms_outbox where id = ${ahead}`.execute(db)
    expect(rows[0]?.expires_at.getTime()).toBe(now + 600_000)
  })

  it('not a text that the order has contradicted: it would be left out again', async () => {
    const overtaken = await message('skipped', { failure: 'overtaken' })
    const refused = await manager.post(`/admin/sms/${overtaken}/resend`)
    expect([refused.status, refused.body.message]).toEqual([409, 'This message is out of date. Write a new one from the order.'])
    expect((await manager.post(`/admin/sms/${await message('skipped', { failure: 'repeat' })}/resend`)).status).toBe(200)
  })

  it('not to a number that the order has no longer', async () => {
    const mango = await buildProduct(db)
    const body = orderBody((await buildArea(db)).id, [[mango.id, 1]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' })
    const orderId = (await shop.visitor().post('/customer-orders', body)).body.order_id!
    const { id } = await db.selectFrom('sms_outbox').select('id').where('order_id', '=', orderId).executeTakeFirstOrThrow()
    await sql`update sms_outbox set state = 'failed', failure = '1001' where id = ${id}`.execute(db)
    await sql`update orders set phone = '01811223344' where id = ${orderId}`.execute(db)
    const moved = await manager.post(`/admin/sms/${id}/resend`)
    expect([moved.status, moved.body.message]).toEqual([409, 'The order has another phone now. Write to the customer from the order.'])
  })

  it('is not for those who only look', async () => {
    const viewer = shop.visitor()
    await viewer.signIn((await buildUser(db, { role: 'viewer' })).phone)
    const id = await message('failed')
    expect((await viewer.get('/admin/sms', { accept: 'text/html' })).status).toBe(200)
    expect((await viewer.post(`/admin/sms/${id}/resend`)).status).toBe(403)
    expect((await viewer.post('/admin/sms/balance')).status).toBe(403)
  })
})

it('the balance cannot be checked without a provider', async () => {
  expect((await manager.post('/admin/sms/balance')).status).toBe(409)
})

it('the check of the balance waits as long as a call to the provider may take', () => {
  const route = registeredRoutes.find(({ url: path }) => path === '/admin/sms/balance')
  expect(route?.config?.timeoutMs).toBeGreaterThan(SMS_CALL_MS)
})

it('failed messages are read alone, however many were sent since', async () => {
  await sql`insert into sms_outbox (purpose, template, phone, body, state)
    select 'order', 'e', '01711000009', 'x', case when n > 600 then 'submitted' when n % 2 = 0 then 'failed' else 'unknown' end
    from generate_series(1, 30000) n order by n`.execute(db)
  await sql`analyze sms_outbox`.execute(db)
  for (const state of ['problem', 'failed'] as const)
    for (const backward of [false, true]) {
      const read = await rowsRead(db, 'sms_outbox', async (tx) => {
        const page = await listSms(tx, { state }, { backward, from: null })
        const order = backward ? 'asc' : 'desc'
        const { rows } = await sql<{ id: number }>`select id from sms_outbox
          where state = any(${state === 'problem' ? ['failed', 'unknown'] : ['failed']}) order by id ${sql.raw(order)} limit 50`.execute(db)
        const expected = rows.map(({ id }) => id)
        expect(page.rows.map(({ id }) => id)).toEqual(backward ? expected.toReversed() : expected)
      })
      expect(read).toBeLessThan(1000)
    }
})

it('recent failures are counted without those of earlier months', async () => {
  await sql`insert into sms_outbox (purpose, template, phone, body, state, created_at)
    select 'order', 'e', '01711000010', 'x', case when n % 10 = 0 then 'failed' when n % 10 = 1 then 'unknown' else 'submitted' end, now() - interval '20 hours' * (30000 - n) / 24
    from generate_series(1, 30000) n`.execute(db)
  await sql`analyze sms_outbox`.execute(db)
  const read = await rowsRead(db, 'sms_outbox', async (tx) => {
    expect(await countSms(tx)).toMatchObject({ failed: 87, unknown: 86 })
  })
  expect(read).toBeLessThan(500)
})
