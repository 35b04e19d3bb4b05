import { afterAll, expect, it } from 'vitest'
import { startSimulator } from '#features/payments/testing/start-simulator.ts'
import { testDb } from '#test/db.ts'
import { anOpenedOrder, findOrderSnapshot, startPayingShop } from './testing/payment-shop.ts'

// The buyer of an unpaid order knows its tran_id. Each notification makes the shop ask the gateway, so that many at once must not.

const { db } = await testDb()
const simulator = await startSimulator()
const shop = await startPayingShop(db, simulator)
afterAll(async () => {
  await shop.close()
  await simulator.close()
})

const notify = async (fields: Record<string, string>, path = 'ipn') =>
  (await fetch(`${shop.url}/payments/sslcommerz/${path}`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })).status
const calls = async () => {
  const { query = 0, validate = 0 } = await simulator.calls()
  return query + validate
}

it('two hundred forged notifications ask the gateway a few times; the payment is then found', async () => {
  // A slow gateway, so that all of them come meanwhile.
  await simulator.faults({ notify: 'never', query: 'hang', hangMs: 700 })
  const { orderId, tranId, page } = await anOpenedOrder(db, shop, { payable: 1500 })
  const before = await calls()
  const forged = Array.from({ length: 200 }, (_, index) => notify({ tran_id: tranId, status: 'VALID', val_id: `forged-${index}` }))
  expect(new Set(await Promise.all(forged))).toEqual(new Set([200]))
  expect((await calls()) - before).toBeLessThanOrEqual(50)
  await simulator.faults({ notify: 'never' })
  await fetch(`${page}/pay`, { method: 'POST', redirect: 'manual' })
  expect(await notify({ tran_id: tranId, status: 'VALID', val_id: 'forged' })).toBe(200)
  expect(await findOrderSnapshot(db, orderId)).toMatchObject({ paid: 1500, attempts: ['paid'] })
})

it('five hundred for unknown payments are at most two lines of the log', async () => {
  const lines: string[] = []
  shop.deps.log.warn = (_detail, message) => void lines.push(message)
  const before = simulator.logged.length
  await Promise.all(Array.from({ length: 500 }, (_, index) => notify({ tran_id: `NONE${index}`, status: 'VALID', val_id: 'x' })))
  // One a minute of each kind, in the whole process: another test file may have caused them.
  expect([...lines, ...simulator.logged.slice(before).map(({ message }) => message)].length).toBeLessThanOrEqual(2)
})

it('browsers that return meanwhile get their invoice', async () => {
  await simulator.faults({ notify: 'never' })
  const { tranId } = await anOpenedOrder(db, shop, { payable: 1500 })
  const fields = { tran_id: tranId, status: 'FAILED' }
  const statuses = await Promise.all(Array.from({ length: 60 }, () => notify(fields, 'fail')))
  expect(new Set(statuses)).toEqual(new Set([303]))
})
