import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import { queueOrderSms } from '#features/messaging/order-sms.server.ts'
import { inTransaction } from '#lib/db/db.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import { LANGS } from '#lib/i18n/lang.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { produce: 80 })
const mango = await buildProduct(db)
const sales = shop.visitor()
const clerk = await buildUser(db, { role: 'sales', name: 'Rina' })
let orderId = 0
let phone = ''
beforeAll(async () => {
  await sales.signIn(clerk.phone)
})
afterAll(() => expect(shop.failures).toEqual([]))
beforeEach(async () => {
  const body = orderBody(area.id, [[mango.id, 1]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' })
  orderId = (await shop.visitor().post('/customer-orders', body)).body.order_id ?? 0
  phone = String(body.customer.phone)
})

const write = (message: unknown, who: Visitor = sales, id: number | string = orderId) =>
  who.post(`/admin/orders/send_sms/${id}`, { message })
async function written() {
  const { rows } = await sql`select s.body, s.phone, s.state, u.name as by from sms_outbox s left join users u on u.id = s.sent_by
    where order_id = ${orderId} and purpose = 'staff' order by s.id`.execute(db)
  return rows
}

describe('a message to the customer of an order', () => {
  it('is in the outbox, the timeline and the audit log', async () => {
    const { status, body } = await write(' আপনার আম কাল পৌঁছাবে।\r\nধন্যবাদ ')
    expect([status, body]).toEqual([200, { message: 'SMS queued.', id: expect.any(Number), state: 'queued' }])
    const text = 'আপনার আম কাল পৌঁছাবে।\nধন্যবাদ'
    expect(await written()).toEqual([{ body: text, phone, state: 'queued', by: 'Rina' }])
    const { rows: events } = await sql`select kind, actor_id, detail ->> 'text' as text from order_events
      where order_id = ${orderId} and kind = 'sms-sent'`.execute(db)
    expect(events).toEqual([{ kind: 'sms-sent', actor_id: clerk.id, text }])
    // The timeline has a label for the event.
    for (const lang of LANGS) expect(translate(lang)('admin-orders.event.sms-sent')).not.toContain('admin-orders')
    const { rows: log } =
      await sql`select action, after ->> 'text' as text from audit_log where subject = 'sms' and actor_id = ${clerk.id}`.execute(db)
    expect(log).toContainEqual({ action: 'sent', text })
  })

  it('shows the key of its link in the timeline to those alone who may change the order', async () => {
    await write('See https://khamar.example/invoice/15?key=AbC-123_x')
    const viewer = shop.visitor()
    await viewer.signIn((await buildUser(db, { role: 'viewer' })).phone)
    const shown = async (who: Visitor) => (await who.get(`/admin/orders/update/${orderId}`, { accept: 'text/html' })).text
    expect([(await shown(sales)).includes('AbC-123_x'), (await shown(viewer)).includes('AbC-123_x')]).toEqual([true, false])
  })

  it('a form without script sends it and redirects to the order', async () => {
    const { status, headers } = await sales.postForm(`/admin/orders/send_sms/${orderId}`, { message: 'Ready' })
    expect([status, headers.location]).toEqual([303, `/admin/orders/update/${orderId}`])
    expect(await written()).toMatchObject([{ body: 'Ready' }])
  })

  it('ten concurrent requests send it once; another text is sent', async () => {
    const presses = await Promise.all(Array.from({ length: 10 }, () => write('Once')))
    expect(new Set(presses.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(presses.map(({ body }) => (body as { id: number }).id)).size).toBe(1)
    await write('Twice')
    expect(await written()).toHaveLength(2)
  })

  it('the same text goes out again to a corrected phone, and after a failure', async () => {
    await write('Your mangoes arrive at five')
    await sql`update orders set phone = '01811223344' where id = ${orderId}`.execute(db)
    for (let press = 0; press < 2; press += 1) await write('Your mangoes arrive at five')
    expect(await written()).toMatchObject([{ phone }, { phone: '01811223344' }])
    await sql`update sms_outbox set state = 'failed', failure = '1001' where phone = '01811223344'`.execute(db)
    for (let press = 0; press < 2; press += 1) await write('Your mangoes arrive at five')
    expect(await written()).toMatchObject([{}, { state: 'failed' }, { phone: '01811223344', state: 'queued' }])
  })

  it.each([
    ['nothing', '', 'Enter a message.'],
    ['spaces', ' \n\u200b', 'Enter a message.'],
    ['seven parts', 'ক'.repeat(403), 'The message is too long: up to six parts.'],
    ['a NUL', 'a\u0000', 'The message contains characters that can’t be sent.'],
  ])('%s is rejected at its field', async (_name, message, text) => {
    const { status, body } = await write(message)
    expect([status, body]).toEqual([422, { message: text, error: text, errors: { message: [text] } }])
    expect(await written()).toEqual([])
  })

  it.each([[null], [5], [{}], [['a']], ['x'.repeat(20_001)]])('%j is rejected', async (message) => {
    expect((await write(message)).status).toBe(422)
    expect(await written()).toEqual([])
  })

  it.each([
    ['of no order', 999_999_999, 404],
    ['of a word', 'abc', 422],
    ['of zero', 0, 422],
    ['of too large a number', '9'.repeat(30), 422],
  ])('%s is rejected', async (_name, id, status) => {
    expect((await write('Hello', sales, id)).status).toBe(status)
  })

  it('strangers, customers, viewers and requests without a token send nothing', async () => {
    expect((await write('Hello', shop.visitor())).status).toBe(401)
    for (const role of ['customer', 'viewer', 'cashier', 'weigher'] as const) {
      const visitor = shop.visitor()
      await visitor.signIn((await buildUser(db, { role })).phone)
      expect([role, (await write('Hello', visitor)).status]).toEqual([role, 403])
    }
    expect((await sales.post(`/admin/orders/send_sms/${orderId}`, { message: 'Hello' }, { token: null })).status).toBe(403)
    expect(await written()).toEqual([])
  })

  it('has templates filled in for the order', async () => {
    const { status, text } = await sales.get(`/api/admin/orders/${orderId}/sms-texts`)
    const { texts } = JSON.parse(text) as { texts: { key: string; text: string }[] }
    expect(status).toBe(200)
    expect(texts.map(({ key }) => key)).toEqual(['deliveryTomorrow', 'orderPlaced', 'paymentReceived', 'advanceVerified', 'orderCancelled'])
    for (const one of texts) expect(one.text).toContain(String(orderId))
    expect((await sales.get('/api/admin/orders/999999999/sms-texts')).status).toBe(404)
  })
})

describe('an SMS of an order event', () => {
  const tell = (event: string) =>
    inTransaction(db, (tx) =>
      queueOrderSms(
        tx,
        { publicUrl: 'https://khamar.example', phone: '01711000001', english: true },
        { orderId, event, text: DEFAULT_SETTINGS.messages.deliveryTomorrow },
      ),
    )

  it('is queued once by concurrent writers', async () => {
    const told = await Promise.all(Array.from({ length: 8 }, () => tell('delivery-2026-11-21')))
    expect(told.filter((id) => id !== null)).toHaveLength(1)
    expect(await tell('delivery-2026-11-22')).not.toBeNull()
  })

  it('names a customer without a name in its own language', async () => {
    await sql`update orders set name = 'Walk-in customer', lang = 'en' where id = ${orderId}`.execute(db)
    const text = { en: 'Dear {name}', bn: 'প্রিয় {name}' }
    const bodyOf = async (english: boolean) => {
      const shopOf = { publicUrl: '', phone: '', english }
      const id = await inTransaction(db, (tx) => queueOrderSms(tx, shopOf, { orderId, event: `named-${english}`, text }))
      return (await sql<{ body: string }>`select body from sms_outbox where id = ${id}`.execute(db)).rows[0]!.body
    }
    expect([await bodyOf(true), (await bodyOf(false)).normalize('NFC')]).toEqual([
      'Dear Walk-in customer',
      'প্রিয় কাউন্টারের ক্রেতা'.normalize('NFC'),
    ])
  })

  it('is rolled back with its transaction', async () => {
    await inTransaction(db, async (tx) => {
      const sms = { orderId, event: 'undone', text: DEFAULT_SETTINGS.messages.orderCancelled }
      await queueOrderSms(tx, { publicUrl: '', phone: '', english: true }, sms)
      throw new Error('undone')
    }).catch(() => {})
    expect((await sql`select 1 from sms_outbox where order_id = ${orderId} and template = 'undone'`.execute(db)).rows).toEqual([])
  })
})
