import { sql } from 'kysely'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { expireOrders } from '../status/expire-orders.server.ts'
import { signedIn } from '../testing/admin-shop.ts'
import { move, orderAt } from '../testing/delivered-order.ts'

// SMS that waited while the order took the opposite state, as during an outage of the provider: they would contradict the order.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { produce: 80 })
const mango = await buildProduct(db)
const manager = await signedIn(shop, 'manager')
afterAll(() => expect(shop.failures).toEqual([]))
beforeEach(() => sql`delete from sms_outbox`.execute(db))

const placed = () => orderAt(manager, { areaId: area.id, lines: [[mango.id, 10]], paid: 0, status: 'placed' })

/** The events of an order that the sender would send now, without the version of a cancellation. */
async function sent(): Promise<string[]> {
  const events: string[] = []
  for (;;) {
    const { rows } = await sql<{ event: string; skipped: boolean }>`
      select regexp_replace(s.template, '-[0-9]+$', '') as event, c.skipped from claim_next_sms(1000, 1000) c join sms_outbox s on s.id = c.id`.execute(
      db,
    )
    if (!rows[0]) return events
    if (!rows[0].skipped) events.push(rows[0].event)
  }
}

it('the confirmation of an order that was cancelled meanwhile is not sent', async () => {
  const id = await placed()
  await move(manager, id, 'cancelled')
  expect(await sent()).toEqual(['order-cancelled'])
  const { rows } = await sql`select template, failure from sms_outbox where state = 'skipped'`.execute(db)
  expect(rows).toEqual([{ template: 'order-placed', failure: 'overtaken' }])
})

it('the cancellation of an order that was reopened meanwhile is not sent; a second one is', async () => {
  const id = await placed()
  expect(await sent()).toEqual(['order-placed'])
  await move(manager, id, 'cancelled')
  await move(manager, id, 'placed')
  expect(await sent()).toEqual([])
  await move(manager, id, 'cancelled')
  expect(await sent()).toEqual(['order-cancelled'])
})

it('each expiry of an order sends its SMS, unless the order was reopened before it was sent', async () => {
  const id = await placed()
  expect(await sent()).toEqual(['order-placed'])
  const expire = async () => {
    // As after a payment in review that staff refuse.
    await sql`update orders set expires_at = ${shop.clock.now} where id = ${id}`.execute(db)
    expect(await expireOrders({ ...shop.deps, catalogChanged: () => {} })).toBe(1)
  }
  await expire()
  expect(await sent()).toEqual(['order-expired'])
  await move(manager, id, 'placed')
  await expire()
  expect(await sent()).toEqual(['order-expired'])
  await move(manager, id, 'placed')
  await expire()
  await move(manager, id, 'placed')
  expect(await sent()).toEqual([])
})
