import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openDb } from '#lib/db/db.server.ts'
import { buildAnimal, buildArea, buildProduct, buildUser, openToVisitors, orderBody, type OrderBody } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { fillDataFolder } from '#test/shared.ts'
import { startShopProcess, type ShopProcess } from '#test/shop-process.ts'
import { Visitor, type Answer } from '#test/visitor.ts'

// Row 16 and kill -9: the whole shop with its embedded database, which writes to the disk, is cut off while people order.

let dataDir = ''
let shop: ShopProcess
const databaseUrl = () => readFileSync(path.join(dataDir, 'database-url'), 'utf8').trim()
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'khamar-killed-'))
  await fillDataFolder(dataDir)
  shop = await startShopProcess({ dataDir })
})
/** A try that failed may have ended between the kill and the start. */
beforeEach(async () => {
  if ((await fetch(`${shop.url}/readyz`).catch(() => null))?.ok) return
  await shop.kill()
  shop = await startShopProcess({ dataDir })
})
afterAll(async () => {
  await shop.stop()
  await rm(dataDir, { recursive: true, force: true })
})

type Sent = { key: string; body: OrderBody; answer: Answer | null }
type Goods = { area: number; honey: number; cows: number[]; stock: Map<number, number> }

async function stockUp(): Promise<Goods> {
  const { db, close } = openDb(databaseUrl())
  await openToVisitors(db)
  const area = await buildArea(db, { cattle: 1500, produce: 80 })
  const honey = await buildProduct(db, { unit: 'piece', stock_milli: 5_000_000 })
  const cows = []
  for (let count = 0; count < 40; count++) cows.push((await buildAnimal(db)).id)
  const stock = await countStock(db)
  await close()
  return { area: area.id, honey: honey.id, cows, stock }
}

/** Eight shoppers who place orders until the shop is killed; `sent` grows meanwhile. */
async function orderUntil(isOver: () => boolean, { goods, sent }: { goods: Goods; sent: Sent[] }): Promise<void> {
  // A second try of a test sends orders of its own.
  const run = randomUUID()
  const visitor = new Visitor(shop.url, { storesCookies: false })
  await visitor.token()
  const advance = { payment_type: 'partial', payment_gateway: 'NONE', payable_amount: 10_000 }
  const buyer = async () => {
    while (!isOver()) {
      const cow = sent.length % 5 === 0 ? goods.cows.pop() : undefined
      const body = cow
        ? orderBody(
            goods.area,
            [
              [cow, 1],
              [goods.honey, 1],
            ],
            advance,
          )
        : orderBody(goods.area, [[goods.honey, 1]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' })
      const one: Sent = { key: `${run}-${sent.length}`, body, answer: null }
      sent.push(one)
      one.answer = await visitor.post('/customer-orders', body, { key: one.key }).catch(() => null)
    }
  }
  await Promise.all(Array.from({ length: 8 }, buyer))
}

/** Resolves when more is answered than the tests ask for. */
const areAnswered = (sent: Pick<Sent, 'answer'>[]) =>
  expect.poll(() => sent.filter(({ answer }) => answer?.status === 200).length).toBeGreaterThan(20)

/** Every confirmed order is stored, every other can be sent again; each is stored once. */
async function expectNothingLost(sent: Sent[], goods: Goods): Promise<void> {
  const visitor = new Visitor(shop.url, { storesCookies: false })
  const acknowledged = sent.filter(({ answer }) => answer?.status === 200)
  expect(acknowledged.length).toBeGreaterThan(10)
  const { db, close } = openDb(databaseUrl())
  const { rows } = await sql<{ id: number }>`select id from orders`.execute(db)
  const stored = new Set(rows.map((row) => row.id))
  expect(acknowledged.filter(({ answer }) => !stored.has(answer?.body.order_id ?? 0))).toEqual([])
  for (const { key, body, answer } of sent) {
    const again = await visitor.post('/customer-orders', body, { key })
    expect(again.status, again.text).toBe(200)
    if (answer?.status === 200) expect(again.text).toBe(answer.text)
  }
  const counted = await sql<{
    n: number
  }>`select count(*)::int as n from orders o join order_lines l on l.order_id = o.id where l.product_id = ${goods.honey}`.execute(db)
  expect(counted.rows[0]?.n).toBe(sent.length)
  await expectInvariants(db, goods.stock)
  await close()
}

it('kill -9 of the shop while ordering: what was answered is there after the restart, and repeats are replayed', async () => {
  const goods = await stockUp()
  let isKilled = false
  const sent: Sent[] = []
  const ordering = orderUntil(() => isKilled, { goods, sent })
  await areAnswered(sent)
  isKilled = true
  await shop.kill()
  await ordering
  shop = await startShopProcess({ dataDir })
  await expectNothingLost(sent, goods)
})

/** Sessions that had work when their database was killed answer once more: only a new one shows that it is back. */
async function isAcceptingSessions(): Promise<boolean> {
  const { db, close } = openDb(databaseUrl())
  try {
    await sql`select 1`.execute(db)
    return true
  } catch {
    return false
  } finally {
    await close()
  }
}

it('kill -9 of the database while ordering: the shop starts it again, and nothing that was answered is lost', async () => {
  const goods = await stockUp()
  const postmaster = Number(readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
  let isOver = false
  const sent: Sent[] = []
  const ordering = orderUntil(() => isOver, { goods, sent })
  await areAnswered(sent)
  process.kill(postmaster, 'SIGKILL')
  // Its sessions end when they notice, on a loaded machine later.
  await expect.poll(() => sent.some(({ answer }) => answer?.status === 503)).toBe(true)
  isOver = true
  await ordering
  expect(new Set(sent.map(({ answer }) => answer?.status))).toEqual(new Set([200, 503]))
  await expect.poll(isAcceptingSessions).toBe(true)
  await expect.poll(async () => (await fetch(`${shop.url}/readyz`)).status).toBe(200)
  await expectNothingLost(sent, goods)
})

/** A cashier of the shop as it runs now, signed in. */
async function signIn(phone: string): Promise<Visitor> {
  const cashier = new Visitor(shop.url)
  await cashier.signIn(phone)
  await cashier.token()
  return cashier
}

async function hireCashier(): Promise<string> {
  const { db, close } = openDb(databaseUrl())
  const { phone } = await buildUser(db, { role: 'cashier' })
  await close()
  await (await signIn(phone)).post('/admin/quick-orders/shift/open', { opening_cash: 0 })
  return phone
}

const store = (cashier: Visitor, honey: number, key: string) => {
  const body = {
    products: [{ id: honey, quantity: 1, price: 120 }],
    transactions: { cash: 120 },
    total: 120,
    customer: { phone: `0171000000${key.at(-1)}` },
  }
  return cashier.post('/admin/quick-orders/store', body, { headers: { 'idempotency-key': key } })
}

it('kill -9 of the shop while the POS sells: what was answered is there after the restart, and repeats are replayed', async () => {
  const goods = await stockUp()
  const phone = await hireCashier()
  const cashier = await signIn(phone)
  const run = randomUUID()
  const sent: { key: string; answer: Answer | null }[] = []
  let isKilled = false
  const sellRepeatedly = async () => {
    while (!isKilled) {
      const one: (typeof sent)[number] = { key: `${run}-${sent.length}`, answer: null }
      sent.push(one)
      one.answer = await store(cashier, goods.honey, one.key).catch(() => null)
    }
  }
  const selling = Promise.all(Array.from({ length: 8 }, sellRepeatedly))
  await areAnswered(sent)
  isKilled = true
  await shop.kill()
  await selling
  shop = await startShopProcess({ dataDir })
  const again = await signIn(phone)
  expect(sent.filter(({ answer }) => answer?.status === 200).length).toBeGreaterThan(10)
  for (const { key, answer } of sent) {
    const repeated = await store(again, goods.honey, key)
    expect(repeated.status, repeated.text).toBe(200)
    if (answer?.status === 200) expect(repeated.text).toBe(answer.text)
  }
  const { db, close } = openDb(databaseUrl())
  const { rows } = await sql`select count(*) as sales, sum(l.amount_poisha)::bigint as cash from pos_sales t
    join ledger_entries l on l.order_id = t.order_id and l.shift_id = t.shift_id
    where exists (select 1 from order_lines where order_id = t.order_id and product_id = ${goods.honey})`.execute(db)
  expect(rows).toEqual([{ sales: sent.length, cash: sent.length * 12_000 }])
  await expectInvariants(db, goods.stock)
  await close()
})
