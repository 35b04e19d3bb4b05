import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import type { Faults } from '#dev/payment-simulator/faults.ts'
import { startSimulator } from '#features/payments/testing/start-simulator.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, orderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'

// Rows 17 and 18 for a shopper: the order is placed, but the gateway does not answer.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const simulator = await startSimulator()
Object.assign(shop.deps.gateways, { sslcommerz: simulator.sslcommerz, default: 'sslcommerz' })
const area = await buildArea(db, { cattle: 1500 })
afterAll(async () => {
  expect(shop.failures).toEqual([])
  await simulator.close()
})

const ordersOf = async (cowId: number) =>
  (
    await sql<object>`select o.id, o.status, p.status as cow, o.expires_at is not null as expires,
      (select array_agg(state order by id) from payment_attempts where order_id = o.id) as attempts
    from order_lines l join orders o on o.id = l.order_id join products p on p.id = l.product_id where p.id = ${cowId}`.execute(db)
  ).rows

it.each<[row: string, fault: Faults, attempt: string]>([
  ['hangs', { create: 'hang' }, 'pending'],
  ['answers 500', { create: 'error' }, 'failed'],
  ['answers HTML', { create: 'html' }, 'failed'],
  ['answers FAILED', { create: 'failed' }, 'failed'],
  ['is down', { down: true }, 'failed'],
])('%s: 502 with the order id; a repeated request opens the payment page of the same order', async (row, fault, attempt) => {
  const cow = await buildAnimal(db)
  const body = orderBody(area.id, [[cow.id, 1]])
  const key = `gateway ${row}`.replace(/[^\w]/g, '-')
  await simulator.faults(fault)
  const first = await shop.post('/customer-orders', body, { key })
  const id = first.body.order_id
  const text = `Order ${id} is saved, but the payment page isn’t responding. Please try again.`
  expect([first.status, first.body]).toEqual([502, { message: text, error: text, order_id: expect.any(Number) }])
  expect(await ordersOf(cow.id)).toEqual([{ id, status: 'placed', cow: 'hold', expires: true, attempts: [attempt] }])

  await simulator.faults({})
  const again = await shop.post('/customer-orders', body, { key })
  expect([again.status, again.body.order_id]).toEqual([200, id])
  expect(again.body.redirect_url).toContain(simulator.baseUrl)
  expect(await ordersOf(cow.id)).toMatchObject([{ id, status: 'placed', cow: 'hold' }])
})

it('says so in Bengali with the number of the order in Bengali digits', async () => {
  const cow = await buildAnimal(db)
  const visitor = shop.visitor()
  visitor.cookies.set('lang', 'bn')
  await simulator.faults({ down: true })
  const { body } = await visitor.post('/customer-orders', orderBody(area.id, [[cow.id, 1]]))
  expect((body as unknown as { message: string }).message).toMatch(/^অর্ডার [০-৯]+ সংরক্ষিত আছে/)
})
