import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { expectedDues, openAmountDueShop, type Order } from './testing/amount-due-shop.ts'

// The amount due is one number: every page, call and SMS shows the same in each state of an order.

const { db, duesOf, manager, move, online, partly, pay, payAgain, person, refund, shop, sold, takeBack, weigh } = await openAmountDueShop()

afterAll(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})

it.each<[state: string, due: number, payable: number | null, make: () => Promise<Order>]>([
  ['unpaid', 101_500, 101_500, online],
  ['unpaid, a part promised', 101_500, 11_500, partly],
  [
    'partly paid',
    90_000,
    null,
    async () => {
      const order = await partly()
      await pay(order, 11_500)
      return order
    },
  ],
  [
    'less paid than promised',
    100_000,
    10_000,
    async () => {
      const order = await partly()
      await pay(order, 1500)
      return order
    },
  ],
  [
    'paid',
    0,
    null,
    async () => {
      const order = await online()
      await pay(order, 101_500)
      return order
    },
  ],
  [
    'paid, then weighed heavier',
    5000,
    null,
    async () => {
      const order = await online()
      await pay(order, 101_500)
      await weigh(order, 210)
      return order
    },
  ],
  [
    'paid, then weighed lighter',
    -5000,
    null,
    async () => {
      const order = await online()
      await pay(order, 101_500)
      await weigh(order, 190)
      return order
    },
  ],
  [
    'weighed lighter, refunded',
    0,
    null,
    async () => {
      const order = await online()
      await pay(order, 101_500)
      await weigh(order, 190)
      await refund(order, 5000)
      return order
    },
  ],
  [
    'unpaid, weighed lighter',
    96_500,
    96_500,
    async () => {
      const order = await online()
      await weigh(order, 190)
      return order
    },
  ],
  [
    'unpaid, weighed heavier',
    106_500,
    101_500,
    async () => {
      const order = await online()
      await weigh(order, 210)
      return order
    },
  ],
  [
    'paid too much',
    -500,
    null,
    async () => {
      const order = await online()
      await pay(order, 102_000)
      return order
    },
  ],
  [
    'refunded in part',
    1500,
    1500,
    async () => {
      const order = await online()
      await pay(order, 101_500)
      await refund(order, 1500)
      return order
    },
  ],
  [
    'cancelled, unpaid',
    0,
    null,
    async () => {
      const order = await online()
      await move(order, 'cancelled')
      return order
    },
  ],
  [
    'cancelled, weighed heavier, paid',
    -11_500,
    null,
    async () => {
      const order = await partly()
      await pay(order, 11_500)
      await weigh(order, 210)
      await move(order, 'cancelled')
      return order
    },
  ],
  [
    'cancelled, weighed lighter, refunded',
    0,
    null,
    async () => {
      const order = await partly()
      await pay(order, 11_500)
      await weigh(order, 190)
      await move(order, 'cancelled')
      await refund(order, 11_500)
      return order
    },
  ],
  [
    'returned',
    -101_500,
    null,
    async () => {
      const order = await online()
      await pay(order, 101_500)
      for (const status of ['processing', 'on_delivery', 'delivered', 'returned']) await move(order, status)
      return order
    },
  ],
  ['sold at the counter', 0, null, sold],
  [
    'sold at the counter, a part taken back',
    0,
    null,
    async () => {
      const sale = await sold()
      await takeBack(sale, 1)
      return sale
    },
  ],
  [
    'sold at the counter, all taken back',
    0,
    null,
    async () => {
      const sale = await sold()
      await takeBack(sale, 1)
      await takeBack(sale, 2)
      return sale
    },
  ],
])('%s: %d taka due in every place', async (_state, due, payable, make) => {
  const order = await make()
  expect(await duesOf(order)).toEqual(expectedDues(due))
  expect(await payAgain(order.id)).toBe(payable)
})

it('the customer record adds up the amounts due of all orders', async () => {
  const { rows } = await sql<{ due: number }>`select sum(greatest(0, amount_due(o)))::float8 / 100 as due from orders o
    where customer_id = ${person.id} and status not in ('cancelled', 'returned')`.execute(db)
  const html = (await manager.get(`/admin/customers/${person.id}`, { accept: 'text/html' })).text
  expect(pageProps<{ customer: { due: number } }>(html).customer.due).toBe(rows[0]!.due)
})
