import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct } from '#test/factories.ts'
import { expectLedger } from '#test/ledger-checks.ts'
import { openShop } from '#test/request.ts'
import { signedIn } from '../testing/admin-shop.ts'
import { move, orderAt, pay, refund, reverse, sumsOf, write, writeOff } from '../testing/delivered-order.ts'
import { adminOrder, payAtSimulator } from '../testing/online-payments.ts'

// Refunds of orders whose overpayment was written off: the shop keeps that money until the write-off is undone.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const manager = await signedIn(shop, 'manager')
const mango = await buildProduct(db, { unit: 'kg', stock_milli: 9_000_000, price_poisha: 10_000 })
const { simulator, orderedInFull, payOn } = await payAtSimulator(shop)
beforeEach(() => void (shop.clock.now = new Date(shop.clock.now.getTime() + 30_000)))
afterEach(async () => {
  await expectLedger(db)
  expect(shop.failures).toEqual([])
})
afterAll(() => simulator.close())

/** 10 kg of mangoes and 80 taka for the delivery: 1,080 taka, delivered. */
const delivered = (paid: number) => orderAt(manager, { areaId: area.id, lines: [[mango.id, 10]], paid })

it('leave no amount due: the write-off is undone before more is refunded', async () => {
  const id = await delivered(1085)
  await writeOff(manager, id, 5)
  for (const amount of [5, 1080]) {
    const refused = await refund(manager, id, amount)
    expect([refused.status, refused.body.errors]).toEqual([422, { amount: [expect.stringMatching(/Undo the write-off/)] }])
  }
  expect(await adminOrder(manager, id)).toMatchObject({ due: 0, paid: 1085, written_off: -5, refundable_sum: 0 })
  await reverse(manager, id, 'write_off')
  expect(sumsOf(await refund(manager, id, 5))).toMatchObject({ due: 0, paid: 1080, written_off: 0 })
  // The shop gives a part of the price back: it is due, or written off in turn.
  expect(sumsOf(await refund(manager, id, 80))).toMatchObject({ due: 80, paid: 1000 })
})

it('pay back what is still to be refunded beside the write-off', async () => {
  const live = await delivered(1100)
  await writeOff(manager, live, 5)
  expect((await refund(manager, live, 15.01)).body.errors).toHaveProperty('amount')
  expect(sumsOf(await refund(manager, live, 15))).toMatchObject({ due: 0, paid: 1085, written_off: -5 })
  const ended = await orderAt(manager, { areaId: area.id, lines: [[mango.id, 10]], paid: 1080, status: 'processing' })
  await move(manager, ended, 'cancelled')
  await writeOff(manager, ended, 80)
  expect((await refund(manager, ended, 1000.01)).body.errors).toEqual({ amount: [expect.stringMatching(/Undo the write-off/)] })
  expect(sumsOf(await refund(manager, ended, 1000))).toMatchObject({ due: 0, paid: 80, written_off: -80 })
})

it('through a gateway have the same limit', async () => {
  const { id, page } = await orderedInFull(area.id)
  await payOn(page)
  for (const step of ['processing', 'on_delivery', 'delivered']) await move(manager, id, step)
  await pay(manager, id, 20)
  await writeOff(manager, id, 20)
  const [payment] = (await adminOrder(manager, id)).refundable
  const body = { gateway: payment!.gateway, transaction: payment!.transaction, amount: 20, reason: 'Paid twice' }
  const refused = await write(manager, 'gateway-refunds', id, body)
  expect([refused.status, refused.body.errors]).toEqual([422, { amount: [expect.stringMatching(/Undo the write-off/)] }])
  await reverse(manager, id, 'write_off')
  expect((await write(manager, 'gateway-refunds', id, body)).status).toBe(200)
  expect(await adminOrder(manager, id)).toMatchObject({ due: 0, written_off: 0 })
})
