import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { addLedgerEntry } from '#features/ledger/ledger.server.ts'
import { poisha } from '#lib/format/money.ts'
import { testDb, untilLockWait } from '#test/db.ts'
import { buildArea, buildUser } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { orderedByShopper } from '../testing/admin-shop.ts'
import { remindAdvance } from './remind-advance.server.ts'

// A report of a transfer that waits for an order which staff are changing: its amount is of the order as it is then.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
afterEach(() => expect(shop.failures).toEqual([]))

const add = (tx: typeof db, orderId: number, kind: 'counter' | 'refund', amount: number) =>
  addLedgerEntry(tx, { orderId, kind, method: 'cash', amount: poisha(amount * 100), reference: null, actorId: null, at: shop.clock.now })

async function reportWhile(orderId: number, change: (tx: typeof db) => Promise<unknown>) {
  const { rows } = await sql<{ view_key: string }>`select view_key from orders where id = ${orderId}`.execute(db)
  const body = { method: 'bkash', transaction_id: `DUE${orderId}XYZ`, sender: '01711111111', key: rows[0]!.view_key }
  return db.transaction().execute(async (tx) => {
    await sql`select 1 from orders where id = ${orderId} for update`.execute(tx)
    const answer = shop.post(`/orders/${orderId}/advance`, body)
    await untilLockWait(db)
    await change(tx)
    return { answer }
  })
}
const totalOf = async (id: number) =>
  (await sql<{ total: number }>`select total_poisha::float8 / 100 as total from orders where id = ${id}`.execute(db)).rows[0]!.total

it('states what is due now, where nothing was due before', async () => {
  const { id } = await orderedByShopper(shop, area.id)
  await add(db, id, 'counter', await totalOf(id))
  const { answer } = await reportWhile(id, (tx) => add(tx, id, 'refund', -5000))
  expect(await answer).toMatchObject({ status: 200, body: { advance: { amount: 5000 } } })
})

it('states no more than is due now', async () => {
  const { id } = await orderedByShopper(shop, area.id)
  const total = await totalOf(id)
  const { answer } = await reportWhile(id, (tx) => add(tx, id, 'counter', total - 300))
  expect(await answer).toMatchObject({ status: 200, body: { advance: { amount: 300 } } })
})

it('is not asked for again by staff who wait for it', async () => {
  const { id } = await orderedByShopper(shop, area.id)
  const sales = await buildUser(db, { role: 'sales' })
  const asking = await db.transaction().execute(async (tx) => {
    await sql`select 1 from orders where id = ${id} for update`.execute(tx)
    const answer = remindAdvance(shop.deps, id, { kind: 'staff', id: sales.id, ip: '' })
    await untilLockWait(db)
    await sql`insert into advance_reports (order_id, method, transaction_id, amount_poisha) values (${id}, 'bkash', 'ASKED12345', 50000)`.execute(
      tx,
    )
    return { answer }
  })
  expect(await asking.answer).toMatchObject({ ok: false, reason: 'checking' })
})
