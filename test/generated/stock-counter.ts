import { sql } from 'kysely'
import type { Dice } from './dice.ts'
import { type Lines, linesOf, phoneOf, someOrder, sometimesTwice, type Step, type StockShop } from './stock-shop.ts'

// Steps of the counter, and of products that come back.

export async function saleOf(world: StockShop, dice: Dice, lines: Lines, more: object) {
  const prices = new Map(
    (await world.db.selectFrom('products').select(['id', 'price_poisha']).execute()).map((row) => [row.id, row.price_poisha / 100]),
  )
  const products = lines.map(([id, quantity]) => ({ id, quantity: String(quantity), price: prices.get(id)! }))
  const total = Math.round(products.reduce((sum, { price, quantity }) => sum + price * Number(quantity), 0) * 100) / 100
  return { products, discount: 0, sub_total: total, total, transactions: { cash: total }, customer: { phone: phoneOf(dice) }, ...more }
}

const sell: Step = async (world, dice) => {
  const { who } = dice.pick(world.cashiers)
  const delivery = dice.chance(20) ? { delivery: { area_id: world.area, address: 'House 5' } } : {}
  const body = await saleOf(world, dice, linesOf(world, dice, 25), delivery)
  const headers = { 'idempotency-key': `sale-${dice.roll()}` }
  return sometimesTwice(dice, () => who.post('/admin/quick-orders/store', body, { headers }))
}

/** A sale that the outbox of a device delivers late: often twice, sometimes at once, and with the products handed over. */
const sellLate: Step = async (world, dice) => {
  const { who, shiftId } = dice.pick(world.cashiers)
  const soldAt = new Date(world.shop.clock.now.getTime() - dice.pick([90_000, 200_000, 600_000])).toISOString()
  const sale = await saleOf(world, dice, linesOf(world, dice, 0), { sold_at: soldAt, cashier_id: who.id, shift_id: shiftId })
  const key = `late-${dice.roll()}`
  const headers = { 'idempotency-key': key, 'x-sent-at': world.shop.clock.now.toISOString() }
  const send = (more: object) => who.post('/admin/quick-orders/store', { ...sale, ...more }, { headers })
  const sent = await Promise.all(dice.chance(50) ? [send({}), send({})] : [send({})])
  if (sent.some(({ status }) => status === 200) || dice.chance(30)) return [...sent, await send({})]
  return [...sent, ...(await Promise.all([send({ handed_over: true }), send({ handed_over: true })]))]
}

async function returnedLines(world: StockShop, dice: Dice, where = sql`status in ('on_delivery', 'delivered', 'completed')`) {
  const order = await someOrder(world, dice, where)
  const some = order?.lines?.filter(() => dice.chance(75)) ?? []
  if (!order || some.length === 0) return undefined
  const part = ({ milli }: { milli: number }) => (dice.chance(60) ? milli / 1000 : Math.min(1, milli / 1000))
  return { order, lines: some.map((line) => ({ product_id: line.product_id, quantity: part(line) })) }
}

const takeBack: Step = async (world, dice) => {
  const back = await returnedLines(world, dice)
  if (!back) return []
  const { who } = dice.pick(world.cashiers)
  const path = `/admin/quick-orders/return/${back.order.id}`
  const lines = back.lines.map((line) => ({ ...line, spoiled: dice.chance(25) }))
  const body = (cash: number) => ({ lines, refund: { cash }, reason: 'Not ripe' })
  const first = await who.post(path, body(0))
  const { refund } = first.body as { refund?: number }
  if (first.status !== 422 || refund === undefined) return [first]
  return Promise.all(dice.chance(40) ? world.cashiers.map((one) => one.who.post(path, body(refund))) : [who.post(path, body(refund))])
}

const returnInAdmin: Step = async (world, dice) => {
  const back = await returnedLines(world, dice)
  if (!back) return []
  const lines = back.lines.map((line) => ({ ...line, damaged: dice.chance(25) }))
  const body = { lines, reason: 'Not ripe', version: back.order.version }
  return sometimesTwice(dice, () => world.manager.post(`/admin/orders/returns/${back.order.id}`, body))
}

/** An exchange at the counter: products come back for a new sale. */
const exchange: Step = async (world, dice) => {
  const back = await returnedLines(world, dice, sql`source = 'pos' and status in ('delivered', 'completed')`)
  if (!back) return []
  const { who } = dice.pick(world.cashiers)
  const { lines } = back
  const preview = await who.post(`/admin/quick-orders/return/${back.order.id}`, { lines, refund: { cash: 0 }, reason: 'x' })
  const { refund } = preview.body as { refund?: number }
  if (preview.status !== 422 || refund === undefined) return [preview]
  const sale = await saleOf(world, dice, linesOf(world, dice, 0), {})
  const carried = Math.min(refund, sale.total)
  const cash = (amount: number) => Math.round(amount * 100) / 100
  const body = {
    ...sale,
    transactions: { cash: cash(sale.total - carried) },
    exchange: { lines, reason: 'Another', refund: { cash: cash(refund - carried) } },
  }
  const headers = { 'idempotency-key': `exchange-${dice.roll()}` }
  return sometimesTwice(dice, () => who.post(`/admin/quick-orders/exchange/${back.order.id}`, body, { headers }))
}

const takeBackWithoutReceipt: Step = async (world, dice) => {
  const { id, price, quantities } = dice.pick(world.products)
  const quantity = quantities[0]!
  const lines = [{ product_id: id, quantity: String(quantity), price, spoiled: dice.chance(30) }]
  const refund = { cash: Math.round(price * quantity * 100) / 100 }
  const body = { lines, phone: phoneOf(dice), reason: 'Sour', refund, supervisor: world.supervisor }
  const headers = { 'idempotency-key': `receiptless-${dice.roll()}` }
  const { who } = dice.pick(world.cashiers)
  return sometimesTwice(dice, () => who.post('/admin/quick-orders/return-without-receipt', body, { headers }))
}

export const COUNTER_STEPS = { sell, sellLate, takeBack, returnInAdmin, exchange, takeBackWithoutReceipt }
