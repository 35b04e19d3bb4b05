import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { formatDay } from '#lib/format/time.ts'
import { testDb } from '#test/db.ts'
import { buildArea } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import { orderedByShopper, orderOf, signedIn } from '../testing/admin-shop.ts'

// The SMS of a payment that staff record.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const [manager, sales, viewer] = [await signedIn(shop, 'manager'), await signedIn(shop, 'sales'), await signedIn(shop, 'viewer')]

let before = new Map<number, number>()
let serial = 0
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

async function ordered() {
  const order = await orderedByShopper(shop, area.id)
  before = await countStock(db)
  return order
}
const pay = (id: number, amount: unknown, more: object = {}, who = manager) =>
  who.post(`/admin/orders/payments/${id}`, { method: 'cash', amount, version: 1, ...more })
const cancel = (id: number, version: number) =>
  manager.post('/admin/orders/status', { orders: [{ id, version }], status: 'cancelled', reason: 'No answer' })
/** The payment SMS of an order, oldest first. */
const smsOf = async (id: number) =>
  (
    await sql<{ body: string }>`select body from sms_outbox where order_id = ${id} and purpose = 'order'
      and template like 'payment%' order by id`.execute(db)
  ).rows.map(({ body }) => body)
async function rejectedReport(id: number): Promise<{ claim: number; transaction: string }> {
  const transaction = `TX${String((serial += 1)).padStart(8, '0')}`
  const { rows } = await sql<{
    id: number
  }>`insert into advance_reports (order_id, method, transaction_id, sender, amount_poisha, created_at)
    values (${id}, 'bkash', ${transaction}, '01711111111', 1150000, ${shop.clock.now}) returning id`.execute(db)
  const claim = rows[0]!.id
  expect((await sales.post(`/admin/advances/refuse/${claim}`, { reason: 'Not on the statement' })).status).toBe(200)
  return { claim, transaction }
}

describe('a recorded payment', () => {
  it.each([
    ['with the tick', { notify: true }, 1],
    ['by a call that does not mention the tick', {}, 1],
    ['without the tick', { notify: false }, 0],
  ])('%s sends the SMS or none', async (_, more, count) => {
    const { id } = await ordered()
    expect((await pay(id, 12_000, more, sales)).status).toBe(200)
    const texts = await smsOf(id)
    expect(texts).toHaveLength(count)
    if (count > 0) expect(texts[0]).toContain(`অর্ডার ${id}-এর টাকা পেয়েছি। বাকি ৳১,০১,০০০`)
  })

  it.each([
    ['delivered', false, 'ডেলিভারি: পৌঁছে দেওয়া হয়েছে।'],
    ['completed', false, 'ডেলিভারি: পৌঁছে দেওয়া হয়েছে।'],
    ['delivered', true, 'ডেলিভারি: সংগ্রহ করা হয়েছে।'],
    ['on_delivery', false, `ডেলিভারি: ${formatDay('2026-11-21', 'bn')}।`],
  ])('of an order that is %s (collection: %j) names no delivery to come', async (status, isCollection, text) => {
    const { id } = await ordered()
    await sql`update orders set status = ${status}, is_collection = ${isCollection}, area_id = case when ${isCollection} then null else area_id end
      where id = ${id}`.execute(db)
    expect((await pay(id, 1000)).status).toBe(200)
    expect(await smsOf(id)).toEqual([expect.stringContaining(text)])
  })

  it('sends one SMS per payment, and none for a repeated request', async () => {
    const { id } = await ordered()
    await Promise.all(Array.from({ length: 5 }, () => pay(id, 1000)))
    expect(await smsOf(id)).toHaveLength(1)
    await pay(id, 2000, { version: 2 })
    expect(await smsOf(id)).toEqual([expect.stringContaining('৳১,১২,০০০'), expect.stringContaining('৳১,১০,০০০')])
  })

  it('of a rejected advance sends one SMS that corrects the rejection', async () => {
    const { id } = await ordered()
    const { transaction } = await rejectedReport(id)
    const first = await pay(id, 11_500, { method: 'bkash', transaction_id: transaction, version: 2 })
    expect([first.status, first.text]).toEqual([200, expect.any(String)])
    shop.clock.now = new Date(shop.clock.now.getTime() + 60_000)
    await pay(id, 500, { version: orderOf(first).version })
    expect(await smsOf(id)).toEqual([
      expect.stringContaining(`অর্ডার ${id}-এর ৳১১,৫০০ পাওয়া গেছে। আগের এসএমএসের জন্য দুঃখিত`),
      expect.stringContaining(`অর্ডার ${id}-এর টাকা পেয়েছি`),
    ])
  })

  it('for an ended order mentions the end and confirms nothing', async () => {
    const { id } = await ordered()
    await cancel(id, 1)
    expect((await pay(id, 1500, { version: 2, confirmed: true })).status).toBe(200)
    expect(await smsOf(id)).toEqual([expect.stringContaining(`অর্ডার ${id}-এর ৳১,৫০০ পেয়েছি, তবে অর্ডারটি বন্ধ`)])
  })

  it('that is rejected sends none', async () => {
    const { id } = await ordered()
    expect((await pay(id, 0)).status).toBe(422)
    expect((await pay(id, 1000, { notify: 'yes' })).status).toBe(422)
    expect((await pay(id, 1000, { version: 7 })).status).toBe(409)
    expect((await pay(id, 1000, {}, viewer)).status).toBe(403)
    expect((await shop.visitor().post(`/admin/orders/payments/${id}`, { method: 'cash', amount: 1000, version: 1 })).status).not.toBe(200)
    expect(await smsOf(id)).toEqual([])
  })

  it('a refund and cash on delivery send no payment SMS', async () => {
    const { id } = await ordered()
    await pay(id, 12_000, { notify: false })
    expect((await manager.post(`/admin/orders/refunds/${id}`, { method: 'cash', amount: 500, version: 2 })).status).toBe(200)
    expect(await smsOf(id)).toEqual([])
  })
})
