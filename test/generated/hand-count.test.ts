import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { signedIn, storeBody } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct } from '#test/factories.ts'
import { countStock } from '#test/invariants.ts'
import { expectLedger } from '#test/ledger-checks.ts'
import { openShop } from '#test/request.ts'
import type { Answer } from '#test/visitor.ts'
import { Dice, inStep, stepsOf, weighted } from './dice.ts'

// A crate that is counted by hand beside the shop: what lies there, and what a device has sold that the shop does not know yet. The stock is always
// the crate without what orders have reserved, with the sales that it waits for; a count corrects it at once.

interface Unsent {
  key: string
  body: object
  quantity: number
  soldAt: Date
  /** A count has already left it out. */
  isCounted: boolean
}

interface Crate {
  id: number
  price: number
  /** What lies in the crate. */
  here: number
  reserved: number
  /** What was sold or reserved beyond the crate. */
  short: number
  unsent: Unsent[]
  /** What an open stock take found, and when. */
  found: { at: Date; here: number; short: number } | null
}

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
await sql`insert into settings (key, value) values ('pos_return', '{"taka":10000000,"day_taka":10000000,"days":30}')`.execute(db)
const area = await buildArea(db, { produce: 80 })
const manager = await signedIn(shop, 'manager')
const { shift_id } = (await manager.post('/admin/quick-orders/shift/open', { opening_cash: 9_000_000 })).body as { shift_id?: number }
const crates: Crate[] = []
for (const here of [14, 6, 30]) {
  const { id } = await buildProduct(db, { unit: 'piece', stock_milli: here * 1000, price_poisha: 10_000 })
  crates.push({ id, price: 100, here, reserved: 0, short: 0, unsent: [], found: null })
}
const before = await countStock(db)
const sold: { order: number; crate: Crate; left: number }[] = []
let take: number | null = null
const log: string[] = []
afterAll(async () => {
  expect(shop.failures).toEqual([])
  await expectLedger(db, before)
})

const waited = ({ unsent }: Crate) => unsent.reduce((sum, one) => sum + (one.isCounted ? 0 : one.quantity), 0)
/** The stock by hand. */
const stockOf = (crate: Crate) => crate.here - crate.reserved + waited(crate) + crate.short

function saleOf({ id, price }: Crate, quantity: number) {
  const total = price * quantity
  return { products: [{ id, quantity, price }], sub_total: total, total, transactions: { cash: total }, customer: { phone: '01712345671' } }
}
const store = (body: object, key: string) =>
  manager.post('/admin/quick-orders/store', body, { headers: { 'idempotency-key': key, 'x-sent-at': shop.clock.now.toISOString() } })

type Step = (crate: Crate, dice: Dice) => Promise<Answer | null>

const sell: Step = async (crate, dice) => {
  const quantity = 1 + dice.below(3)
  if (quantity > crate.here) return null
  const answer = await store(saleOf(crate, quantity), `sale-${dice.roll()}`)
  if (answer.status !== 200) return answer
  crate.here -= quantity
  sold.push({ order: answer.body.order_id!, crate, left: quantity })
  return answer
}

/** The products leave the crate at once. */
const sellOffline: Step = async (crate, dice) => {
  const quantity = 1 + dice.below(3)
  if (quantity > crate.here) return null
  const soldAt = shop.clock.now
  const body = { ...saleOf(crate, quantity), sold_at: soldAt.toISOString(), cashier_id: manager.id, shift_id }
  crate.unsent.push({ key: `late-${dice.roll()}`, body, quantity, soldAt, isCounted: false })
  crate.here -= quantity
  return null
}

/** The device sends a sale, sometimes twice at once; the cashier says that the products were handed over where the shop lacks them. */
const deliver: Step = async (crate, dice) => {
  const [one] = crate.unsent.splice(dice.below(crate.unsent.length), 1)
  if (!one) return null
  const stock = stockOf({ ...crate, unsent: [one, ...crate.unsent] })
  const send = (more: object) => store({ ...one.body, ...more }, one.key)
  const [first] = await Promise.all(dice.chance(50) ? [send({}), send({})] : [send({})])
  const answer = first!.status === 410 ? await send({ handed_over: true }) : first!
  expect(answer.status, answer.text).toBe(200)
  if (!one.isCounted) crate.short += Math.max(0, one.quantity - stock)
  sold.push({ order: answer.body.order_id!, crate, left: one.quantity })
  return answer
}

const takeBack: Step = async (_crate, dice) => {
  const whole = sold.filter(({ left }) => left > 0)
  if (whole.length === 0) return null
  const one = dice.pick(whole.slice(-6))
  const quantity = 1 + dice.below(one.left)
  const spoiled = dice.chance(30)
  const body = { lines: [{ product_id: one.crate.id, quantity, spoiled }], refund: { cash: quantity * 100 }, reason: 'Not ripe' }
  const answer = await manager.post(`/admin/quick-orders/return/${one.order}`, body)
  expect(answer.status, answer.text).toBe(200)
  one.left -= quantity
  if (!spoiled) one.crate.here += quantity
  return answer
}

const receive: Step = async (crate, dice) => {
  const quantity = 1 + dice.below(8)
  const answer = await manager.post(`/admin/products/${crate.id}/stock`, { kind: 'received', quantity, note: '' })
  if (answer.status === 200) crate.here += quantity
  return answer
}

/** Everything that was sold until `at` is missing from what was counted. */
function leaveOut(crate: Crate, at: Date): void {
  for (const one of crate.unsent) if (one.soldAt < at) one.isCounted = true
}

const count: Step = async (crate) => {
  const quantity = Math.max(0, crate.here - crate.reserved)
  const answer = await manager.post(`/admin/products/${crate.id}/stock`, { kind: 'counted', quantity, note: '' })
  expect(answer.status, answer.text).toBe(200)
  leaveOut(crate, shop.clock.now)
  crate.short = quantity - (crate.here - crate.reserved)
  return answer
}

const order: Step = async (crate, dice) => {
  const quantity = 1 + dice.below(3)
  const answer = await manager.post('/admin/orders/store', storeBody(area.id, [[crate.id, quantity]]))
  if (answer.status === 200) crate.reserved += quantity
  return answer
}

/** An order is cancelled, or leaves the farm. */
const moveOrder: Step = async (crate, dice) => {
  const { rows } = await sql<{ id: number; version: number; milli: number }>`
    select o.id, o.version, l.quantity_milli as milli from orders o join order_lines l on l.order_id = o.id
    where o.source = 'admin' and o.status = 'placed' and l.product_id = ${crate.id} order by o.id`.execute(db)
  if (rows.length === 0) return null
  const { id, version, milli } = dice.pick(rows)
  const isSent = crate.here >= milli / 1000 && dice.chance(60)
  const move = (to: string, at: number) =>
    manager.post('/admin/orders/status', { orders: [{ id, version: at }], status: to, reason: 'As agreed' })
  const answer = await move(isSent ? 'processing' : 'cancelled', version)
  expect((answer.body as { results?: { ok: boolean }[] }).results?.[0]?.ok, answer.text).toBe(true)
  crate.reserved -= milli / 1000
  if (!isSent) return answer
  crate.here -= milli / 1000
  return move('on_delivery', version + 1)
}

const post = (path: string, body: object = {}) => manager.post(`/admin/stock-takes${path}`, body)

/** One step of a stock take: it begins, counts the crate, closes or is cancelled. A refused closing is cancelled. */
const takeStock: Step = async (crate, dice) => {
  if (take === null) {
    const answer = await post('', { category_id: '', note: '' })
    take = (answer.body as { id?: number }).id ?? null
    return answer
  }
  if (!crate.found && (crates.every(({ found }) => !found) || dice.chance(70))) {
    const answer = await post(`/${take}/count`, { product_id: crate.id, quantity: String(crate.here), reason: 'counted', version: null })
    expect(answer.status, answer.text).toBe(200)
    crate.found = { at: shop.clock.now, here: crate.here, short: crate.short }
    return answer
  }
  const { rows } = await sql<{ revision: string }>`
    select md5(coalesce(string_agg(concat_ws(':', product_id, version), ',' order by product_id), '')) as revision
    from stock_take_lines where take_id = ${take}`.execute(db)
  const closed = await post(`/${take}/close`, { revision: rows[0]!.revision })
  if (closed.status === 200)
    for (const one of crates)
      if (one.found) {
        leaveOut(one, one.found.at)
        one.short -= one.found.short
      }
  for (const one of crates) one.found = null
  const answer = closed.status === 200 ? closed : await post(`/${take}/cancel`)
  expect(answer.status, answer.text).toBe(200)
  take = null
  return answer
}

const STEPS = { sell, sellOffline, deliver, takeBack, receive, count, order, moveOrder, takeStock }
const NAMES = weighted({ sell: 4, sellOffline: 9, deliver: 8, takeBack: 4, receive: 3, count: 3, order: 5, moveOrder: 4, takeStock: 8 })

async function run(at: number): Promise<void> {
  const dice = new Dice(at)
  shop.clock.now = new Date(shop.clock.now.getTime() + 90_000)
  await sql`update sessions set last_seen_at = ${shop.clock.now}, expires_at = ${shop.clock.now}::timestamptz + interval '1 day'`.execute(
    db,
  )
  const { rows } = await sql<{ last: number }>`select coalesce(max(id), 0) as last from audit_log`.execute(db)
  const name = dice.pick(NAMES)
  const crate = dice.pick(crates)
  const answer = await STEPS[name](crate, dice)
  // The database has another clock than the shop.
  await sql`update audit_log set at = ${shop.clock.now} where id > ${rows[0]!.last}`.execute(db)
  log.push(
    `${at} ${name} ${crate.id}: ${answer ? `${answer.status} ${answer.status === 200 ? '' : answer.text.slice(0, 160)}` : 'nothing'}`,
  )
  const { rows: stock } = await sql<{
    id: number
    left: number
  }>`select id, stock_milli::float8 / 1000 as left from products order by id`.execute(db)
  expect(stock).toEqual(crates.map((one) => ({ id: one.id, left: stockOf(one) })))
}

it('the stock is what lies in the crate', { timeout: 600_000 }, async () => {
  for (let at = 0; at < stepsOf(600); at++) await inStep(at, log, () => run(at))
  if (process.env.GENERATED_LOG) console.log(log.join('\n'))
})
