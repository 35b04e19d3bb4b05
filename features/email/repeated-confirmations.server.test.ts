import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { queueConfirmations } from './outbox.server.ts'
import { placeOrder } from './testing/place-order.ts'

// Every visitor may state any address, so orders must not fill a stranger's mailbox.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url, rateLimit: true })
afterAll(() => expect(shop.failures).toEqual([]))
const area = await buildArea(db, { produce: 80 })
const mango = await buildProduct(db)
beforeEach(async () => {
  shop.clock.now = new Date()
  await sql`truncate email_outbox, attempt_counts`.execute(db)
  await sql`update orders set email = ''`.execute(db)
  await sql`update email_state set enabled_at = now() - interval '2 hours', scanned_until = now() - interval '10 minutes'`.execute(db)
})

/** A guest's order. Each has another phone: a phone has limits of its own. */
async function order(email: string): Promise<void> {
  const body = orderBody(area.id, [[mango.id, 1]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' })
  const { status, text } = await shop.visitor().post('/customer-orders', { ...body, customer: { ...body.customer, email } })
  expect(status, text).toBe(200)
}
const states = async () =>
  (
    await sql<{ state: string; failure: string | null; n: number }>`select state, failure, count(*)::int as n
      from email_outbox group by state, failure order by state`.execute(db)
  ).rows
const QUEUED = { state: 'queued', failure: null }
const REPEATED = { state: 'skipped', failure: 'repeat' }

describe('an address gets five confirmations a day', () => {
  it('of thirty orders with thirty phones', async () => {
    for (let count = 0; count < 30; count += 1) await order('victim@mail.example')
    await queueConfirmations(db)
    expect(await states()).toEqual([
      { ...QUEUED, n: 5 },
      { ...REPEATED, n: 25 },
    ])
  })

  it('over several runs, in any spelling', async () => {
    const spellings = ['victim@mail.example', 'Victim@Mail.example', 'v.i.c.t.i.m@mail.example', 'victim+1@mail.example']
    for (const email of [...spellings, ...spellings]) {
      await order(email)
      await queueConfirmations(db)
    }
    expect(await states()).toEqual([
      { ...QUEUED, n: 5 },
      { ...REPEATED, n: 3 },
    ])
  })

  it('and others theirs, and more on the next day', async () => {
    const send = async () => {
      for (let count = 0; count < 6; count += 1) await order('victim@mail.example')
      await queueConfirmations(db)
    }
    await send()
    await order('other@mail.example')
    await queueConfirmations(db)
    expect(await states()).toMatchObject([{ n: 6 }, { n: 1 }])
    await sql`update email_outbox set created_at = created_at - interval '25 hours'`.execute(db)
    await send()
    expect(await states()).toMatchObject([{ n: 11 }, { n: 2 }])
  })
})

it.each([
  ['by staff', { source: 'admin' }],
  ['with a payment', { ledger_balance_poisha: 100 }],
])('orders %s have no limit', async (_name, row) => {
  for (let count = 0; count < 8; count += 1) await placeOrder(db, row)
  await queueConfirmations(db)
  expect(await states()).toEqual([{ ...QUEUED, n: 8 }])
})
