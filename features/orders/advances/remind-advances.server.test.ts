import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_SETTINGS, type Settings } from '#features/settings/settings.ts'
import { dhakaInstant } from '#lib/format/time.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, orderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { remindOfAdvances } from './remind-advances.server.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const area = await buildArea(db, { cattle: 1500 })

beforeEach(() => sql`truncate orders, sms_outbox, animal_holds cascade`.execute(db))

const at = (time: string, on = '2026-04-11') => dhakaInstant(on, time)

/** An order of a cow with an advance of 11,500 taka and the given times. */
async function booking(changes: Record<string, unknown> = {}): Promise<number> {
  const cow = await buildAnimal(db)
  const advance = { payment_type: 'partial', payment_gateway: 'NONE', payable_amount: 11_500, partial_payment: 11_500 }
  const { body, text } = await shop.visitor().post('/customer-orders', orderBody(area.id, [[cow.id, 1]], advance))
  if (!body.order_id) throw new Error(text)
  const held = { placed_at: at('18:00', '2026-04-10'), expires_at: at('18:00'), phone_verified: true, ...changes }
  await db.updateTable('orders').set(held).where('id', '=', body.order_id).execute()
  await sql`delete from sms_outbox`.execute(db)
  return body.order_id
}

const remind = (now: Date, settings: Partial<Settings> = {}) =>
  remindOfAdvances({
    db,
    now: () => now,
    env: { publicUrl: 'https://khamar.example' },
    shopCache: { settings: async () => ({ ...DEFAULT_SETTINGS, ...settings }) },
  })

const told = async () =>
  (
    await sql<{
      order_id: number
      body: string
    }>`select order_id, body from sms_outbox where template = 'advance-reminder' order by order_id`.execute(db)
  ).rows

describe('the reminder', () => {
  it('is sent once, an hour before the deadline, with amount, time and link', async () => {
    const id = await booking({ lang: 'en' })
    expect(await remind(at('16:59'))).toBe(0)
    expect([await remind(at('17:00'), { sms_english: true }), await remind(at('17:01'))]).toEqual([1, 0])
    expect(await told()).toEqual([
      {
        order_id: id,
        body: expect.stringMatching(
          /^Khamar: send Tk 11,500 for order \d+ before 11 Apr, 6:00 pm or the booking ends\. https:\/\/khamar\.example\/invoice\/\d+\?key=/,
        ),
      },
    ])
  })

  it('ends with the deadline that it names', async () => {
    await booking()
    await remind(at('17:20'))
    const { rows } = await sql`select extract(epoch from expires_at - created_at)::int / 60 as minutes from sms_outbox`.execute(db)
    expect(rows).toEqual([{ minutes: 40 }])
  })

  it('is queued once by concurrent processes', async () => {
    for (let count = 0; count < 6; count++) await booking()
    const counts = await Promise.all(Array.from({ length: 5 }, () => remind(at('17:30'))))
    await remind(at('17:31'))
    expect([counts.reduce((sum, one) => sum + one, 0), (await told()).length]).toEqual([6, 6])
  })

  it('is sent before quiet hours when the deadline is in them', async () => {
    await booking({ placed_at: at('02:00', '2026-04-10'), expires_at: at('02:00') })
    expect(await remind(at('21:30', '2026-04-10'))).toBe(0)
    expect(await remind(at('21:50', '2026-04-10'))).toBe(1)
    await booking({ expires_at: at('23:30'), placed_at: at('20:00') })
    expect(await remind(at('22:10'))).toBe(0)
    expect(await remind(at('22:10'), { quiet_hours: { from: 0, to: 0 } })).toBe(0)
    expect(await remind(at('22:30'), { quiet_hours: { from: 0, to: 0 } })).toBe(1)
  })

  it.each<[string, Record<string, unknown>]>([
    ['is held for two hours or less', { placed_at: at('16:00') }],
    ['has ended', { status: 'cancelled', reason: 'x', expires_at: null }],
    ['is held without limit', { expires_at: null }],
    ['is paid online now', { payment_gateway: 'bkash' }],
    ['is paid on delivery now', { payment_type: 'cash_on_delivery', payable_poisha: 0, expires_at: null }],
    ['has expired', { expires_at: at('17:00') }],
  ])('is not sent for an order that %s', async (_what, changes) => {
    await booking(changes)
    expect(await remind(at('17:30'))).toBe(0)
  })

  it.each(['waiting', 'verified'])('is not sent for a %s report; it is sent after a rejected one', async (state) => {
    const id = await booking()
    await sql`insert into advance_reports (order_id, method, transaction_id, sender, amount_poisha, state)
      values (${id}, 'bkash', ${`ABC${id}`}, '017', 1150000, ${state})`.execute(db)
    expect(await remind(at('17:30'))).toBe(0)
    await sql`update advance_reports set state = 'refused' where order_id = ${id}`.execute(db)
    expect(await remind(at('17:30'))).toBe(1)
  })
})
