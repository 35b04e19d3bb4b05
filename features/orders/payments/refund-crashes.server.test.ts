import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bkashGateway } from '#features/payments/gateways/bkash.server.ts'
import { followRefunds } from '#features/payments/refunds/follow-refunds.server.ts'
import { sendRefund } from '#features/payments/refunds/send-refund.server.ts'
import { listTasks } from '#features/reports/dashboard-tasks.server.ts'
import { DEMO_CREDENTIALS } from '#features/payments/testing/start-simulator.ts'
import { expectLedger } from '#test/ledger-checks.ts'
import { testDb } from '#test/db.ts'
import { buildArea } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { moneyOf, adminOrder, payAtSimulator } from '../testing/online-payments.ts'
import { signedIn } from '../testing/admin-shop.ts'

// A refund is sent once even when its process dies before or after the call to the gateway.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500 })
const manager = await signedIn(shop, 'manager')
const { simulator, paid } = await payAtSimulator(shop)
const { deps } = shop
beforeEach(() => simulator.faults({ notify: 'never' }))
afterEach(() => expect(shop.failures).toEqual([]))
afterAll(async () => {
  await expectLedger(db)
  await simulator.close()
})

const stateOf = (id: number) => moneyOf(shop, id)
const threeMinutesLater = () => void (shop.clock.now = new Date(shop.clock.now.getTime() + 180_000))
/** What the dashboard will count of payments in eleven minutes. */
const soonCounted = async () => {
  const tasks = await listTasks(db, new Date(shop.clock.now.getTime() + 11 * 60_000))
  return tasks.find(({ key }) => key === 'payments')!.count
}
const callsOf = async (name: string) => (await simulator.calls())[name] ?? 0

describe('a process that dies', () => {
  /** Creates the state between the commit of the request and the call to the gateway. */
  async function requested(gateway: 'sslcommerz' | 'bkash') {
    const order = await paid(area.id, { gateway })
    const own = deps.gateways[gateway]
    delete deps.gateways[gateway]
    // The gateway is removed between the check and the call, so the refund is stored and not sent.
    const { version, refundable } = await adminOrder(manager, order.id)
    const checked = { ...deps.gateways }
    Object.defineProperty(deps.gateways, gateway, { configurable: true, get: once(own) })
    const answer = await manager.post(`/admin/orders/gateway-refunds/${order.id}`, { ...refundable[0], amount: 1500, reason: 'x', version })
    Object.defineProperty(deps.gateways, gateway, { configurable: true, writable: true, enumerable: true, value: own })
    Object.assign(deps.gateways, checked)
    expect([answer.status, answer.body]).toMatchObject([200, { state: 'requested' }])
    return order
  }
  /** A gateway that answers one call and then fails. */
  const once = <Value>(value: Value) => {
    let isFirst = true
    return () => {
      const now = isFirst ? value : undefined
      isFirst = false
      return now
    }
  }

  it.each(['sslcommerz', 'bkash'] as const)('%s: before the call, the job sends it once', async (gateway) => {
    const { id } = await requested(gateway)
    expect(await stateOf(id)).toMatchObject({ ledger: [11_500], refunds: ['requested'] })
    const name = gateway === 'bkash' ? 'wallet-refund' : 'refund'
    const before = await callsOf(name)
    threeMinutesLater()
    await Promise.all([followRefunds(deps), followRefunds(deps), followRefunds(deps)])
    expect(await callsOf(name)).toBe(before + 1)
    expect(await stateOf(id)).toMatchObject({ ledger: [11_500, -1500] })
  })

  it('a refund that no gateway takes is recorded as not done: nothing sends it, and the money is paid back by hand', async () => {
    const { id } = await requested('bkash')
    const byHand = async () => {
      const { version } = await adminOrder(manager, id)
      return manager.post(`/admin/orders/refunds/${id}`, { method: 'cash', amount: 11_500, version })
    }
    expect((await byHand()).status).toBe(422)
    const { refunds } = await adminOrder(manager, id)
    const before = await callsOf('wallet-refund')
    expect((await manager.post(`/admin/refunds/resolve/${refunds[0]!.id}`, { outcome: 'failed' })).status).toBe(200)
    threeMinutesLater()
    await followRefunds(deps)
    expect([await stateOf(id), await callsOf('wallet-refund')]).toMatchObject([{ ledger: [11_500], refunds: ['failed'] }, before])
    expect((await byHand()).status).toBe(200)
    expect(await stateOf(id)).toMatchObject({ paid: 0, ledger: [11_500, -11_500] })
  })

  it('after the call, before the response is recorded: bKash is queried and nothing is sent again', async () => {
    const { id } = await requested('bkash')
    const { rows } = await sql<{ id: number }>`select id from gateway_refunds where order_id = ${id}`.execute(db)
    // The gateway refunds. The database fails before the response is recorded.
    const dying = { ...deps, db: withTransactionsFailing(deps.db) }
    await expect(sendRefund(dying, rows[0]!.id)).rejects.toThrow('the process died')
    expect(await stateOf(id)).toMatchObject({ ledger: [11_500], refunds: ['unknown'] })
    const before = await callsOf('wallet-refund')
    threeMinutesLater()
    await followRefunds(deps)
    expect(await stateOf(id)).toMatchObject({ ledger: [11_500, -1500], refunds: ['done'] })
    expect(await callsOf('wallet-refund')).toBe(before)
  })

  it('a request for which bKash gave no token was not sent, is shown to the staff, and is sent later', async () => {
    const { id } = await paid(area.id, { gateway: 'bkash' })
    const before = await callsOf('wallet-refund')
    const counted = await soonCounted()
    const { bkash } = deps.gateways
    const quiet = { info() {}, warn() {} }
    const baseUrl = `${simulator.baseUrl}/bkash`
    deps.gateways.bkash = bkashGateway({ ...DEMO_CREDENTIALS.bkash, baseUrl, log: quiet, now: () => shop.clock.now.getTime() })
    await simulator.faults({ notify: 'never', grant: 'refuse' })
    const { version, refundable } = await adminOrder(manager, id)
    const answer = await manager.post(`/admin/orders/gateway-refunds/${id}`, { ...refundable[0], amount: 1500, reason: 'x', version })
    expect(answer.body).toMatchObject({ state: 'requested' })
    expect([await stateOf(id), await callsOf('wallet-refund')]).toMatchObject([{ ledger: [11_500], refunds: ['requested'] }, before])
    expect(await soonCounted()).toBe(counted + 1)
    await simulator.faults({ notify: 'never' })
    threeMinutesLater()
    await followRefunds(deps)
    expect(await stateOf(id)).toMatchObject({ ledger: [11_500, -1500], refunds: ['done'] })
    expect(await soonCounted()).toBe(counted)
    Object.assign(deps.gateways, { bkash })
  })
})

/** A database whose transactions fail, as in a dying process. Single statements work. */
function withTransactionsFailing(of: typeof db): typeof db {
  return new Proxy(of, {
    get(target, name) {
      if (name === 'transaction') throw new Error('the process died')
      const value = Reflect.get(target, name) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
