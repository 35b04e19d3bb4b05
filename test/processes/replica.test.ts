import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { readCatalog } from '#features/pos/catalog.server.ts'
import { buildArea, buildProduct, buildUser, orderBody, orderBodyByKey } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { ownPostgres } from '#test/own-postgres.ts'
import { openShop } from '#test/request.ts'
import type { Answer, Visitor } from '#test/visitor.ts'

// A real streaming replica for the lists of the admin, and a failover to it.

const postgres = await ownPostgres()
const replica = await postgres.replicate()
afterAll(async () => {
  await replica.remove()
  await postgres.remove()
})

// Both servers are named to the shop: it uses the one that is the primary.
const databaseUrl = postgres.url.replace(/(@[^/]+)/, (host) => `${host},${new URL(replica.url).host}`)
const options = { databaseUrl, databaseReadUrl: replica.url, timeouts: {} }
const shop = await openShop(options)
const other = await openShop(options)
const { db } = shop
const manager = await buildUser(db, { role: 'manager' })
const clerk = shop.visitor()
await clerk.signIn(manager.phone)
const colleague = shop.visitor()
await colleague.signIn((await buildUser(db, { role: 'manager' })).phone)
/** The clerk's browser at another process. */
const elsewhere = Object.assign(other.visitor(), { cookies: clerk.cookies })

let count = 0
/** Adds a customer without a write of the clerk. */
async function addCustomer(): Promise<string> {
  count += 1
  const number = String(count).padStart(7, '0')
  const name = `Customer ${number}`
  await buildUser(db, { role: 'customer', name, phone: `0182${number}` })
  return name
}
const listed = async (who: Visitor, name: string) => (await who.get('/admin/customers', { accept: 'text/html' })).text.includes(name)
let filters = 0
const write = (who: Visitor): Promise<Answer> => {
  filters += 1
  return who.post('/api/admin/saved-filters', { screen: 'customers', name: `Filter ${filters}`, query: 'q=x' })
}
/** The replica is read by those who have written nothing lately. */
async function untilReplicaIsRead(): Promise<void> {
  await expect
    .poll(async () => {
      await replica.pause()
      const name = await addCustomer()
      const isListed = await listed(colleague, name)
      await replica.resume()
      return isListed
    })
    .toBe(false)
}

beforeEach(async () => {
  // A try that failed may have left it stopped.
  await replica.start()
  colleague.cookies.delete('written')
  clerk.cookies.delete('written')
  await untilReplicaIsRead()
})

describe('lists of the admin', () => {
  it('come from the replica, and from the primary as soon as the replica is a second old', async () => {
    await replica.pause()
    const name = await addCustomer()
    await expect.poll(() => listed(clerk, name), { interval: 50 }).toBe(true)
    await replica.resume()
  })

  it('show the reader’s own writes at once, in every process', async () => {
    await replica.pause()
    const name = await addCustomer()
    expect((await write(clerk)).status).toBe(200)
    expect([await listed(clerk, name), await listed(elsewhere, name)]).toEqual([true, true])
    await replica.resume()
  })

  it('ignore a position that is none', async () => {
    for (const written of ['', 'x', '0-0', '0/0', "0-0'; drop table users", 'FFFFFFFF-FFFFFFFF', '%E0%A4%A'.repeat(3)]) {
      colleague.cookies.set('written', written)
      expect((await colleague.get('/admin/customers', { accept: 'text/html' })).status, written).toBe(200)
    }
  })

  it('are found by the search too', async () => {
    const name = await addCustomer()
    await expect.poll(async () => (await clerk.get(`/api/admin/find?q=${encodeURIComponent(name)}`)).text).toContain(name)
  })
})

describe('the replica stops', () => {
  it('lists come from the primary, one line is logged, and it is used again when it is back', async () => {
    shop.failures.length = 0
    await replica.stop()
    for (let i = 0; i < 5; i += 1) expect(await listed(clerk, await addCustomer())).toBe(true)
    await expect.poll(() => shop.failures).toEqual([expect.stringContaining('the replica cannot be used: reading from the primary')])
    await replica.start()
    await untilReplicaIsRead()
    expect(shop.failures).toHaveLength(1)
  })
})

// Not tried again: after it the replica is a primary.
describe('failover', { retry: 0 }, () => {
  it('the primary is killed, the replica is promoted: the shop finds it, sells on, and nothing that was answered is lost', async () => {
    const area = await buildArea(db, { produce: 80 })
    const honey = await buildProduct(db, { unit: 'piece', stock_milli: 900_000 })
    const before = await countStock(db)
    const identity = async () => (await readCatalog(db, null, null))!.since.split('.')[0]
    const identityBefore = await identity()
    const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
    await postgres.waitForReplica()
    const answered: number[] = []
    const sent: { key: string; status: number }[] = []
    let isOver = false
    const bodyOf = orderBodyByKey(() => orderBody(area.id, [[honey.id, 1]], cash))
    const order = async (key: string) => {
      const { status, body } = await shop.post('/customer-orders', bodyOf(key), { key })
      expect([200, 503], JSON.stringify(body)).toContain(status)
      if (status === 200) answered.push(body.order_id!)
      return status
    }
    const buyers = Array.from({ length: 4 }, async (_, buyer) => {
      for (let count = 0; !isOver; count += 1) {
        const key = `failover-${buyer}-${count}`
        sent.push({ key, status: await order(key) })
      }
    })
    await expect.poll(() => answered.length).toBeGreaterThan(20)
    await postgres.kill()
    await expect.poll(() => sent.some(({ status }) => status === 503)).toBe(true)
    await replica.promote()
    const soFar = answered.length
    await expect.poll(() => answered.length).toBeGreaterThan(soFar + 20)
    isOver = true
    await Promise.all(buyers)
    // Devices send again what was not answered: each order is stored once.
    const again = sent.filter(({ status }) => status === 503)
    for (const { key } of again) expect(await order(key)).toBe(200)
    const stored = await db.selectFrom('orders').select('id').execute()
    expect(stored).toHaveLength(sent.length)
    expect(answered.filter((id) => !stored.some((row) => row.id === id))).toEqual([])
    await expectInvariants(db, before)
    // Changes may be missing after a promotion, so devices at the counter load the whole catalog.
    expect(await identity()).not.toBe(identityBefore)
    // DATABASE_READ_URL names a primary now: it is not read as a replica.
    expect(await listed(clerk, await addCustomer())).toBe(true)
  })
})
