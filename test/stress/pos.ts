import { sql } from 'kysely'
import { pricesOf } from '#features/catalog/shown-price-rules.ts'
import { findProductRecord } from '#features/catalog/products/product-editor-queries.server.ts'
import { chance, newKey, pick, random, somePhone, someLines, recordAnswer, type World } from './world.ts'

// Actions of cashiers: each has one shift, and sells products that others order concurrently.

const pickCashier = (world: World) => pick([...world.cashiers, world.managers[0]!])

/** Lines at their prices, and the sums of a sale. */
export async function saleOf(world: World, { animals = 30, discount = 0 } = {}) {
  const products = []
  for (const [id, quantity] of someLines(world, { animals })) {
    const { price, discount: off, discount_kind: kind } = (await findProductRecord(world.db, id))!
    const shown = pricesOf({ price, discount: off, discount_type: kind === 'none' ? null : kind }).now
    products.push({ id, quantity, price: shown / 100 })
  }
  const subtotal = products.reduce((sum, { price, quantity }) => sum + Math.round(price * quantity * 100), 0) / 100
  return { products, discount, sub_total: subtotal, total: Math.round((subtotal - discount) * 100) / 100 }
}

export async function sell(world: World): Promise<void> {
  const cashier = pickCashier(world)
  const sale = await saleOf(world, { discount: chance(20) ? 5 : 0 })
  const { total } = sale
  const delivery = chance(15) ? { area_id: world.area, address: 'House 5' } : null
  const bkash = chance(30) ? Math.floor(total / 2) : 0
  const body = {
    ...sale,
    transactions: { cash: Math.round((total - bkash) * 100) / 100, bkash },
    ...(bkash && chance(60) ? { transaction_ids: { bkash: `TILL${1000 + random(800)}` } } : {}),
    customer: { phone: somePhone(), name: pick(['', 'Rahima', 'Karim']) },
    delivery,
  }
  const options = { headers: { 'idempotency-key': newKey() } }
  const sent = (chance(25) ? cashier.at : [pick(cashier.at)]).map((visitor) => visitor.post('/admin/quick-orders/store', body, options))
  const answers = await Promise.all(sent)
  for (const answer of answers) recordAnswer(world, 'sell', answer, [200, 409, 410, 422])
  const ids = new Set(answers.flatMap(({ status, body: { order_id: id } }) => (status === 200 && id ? [id] : [])))
  if (ids.size > 1) world.problems.push(`one key made the sales ${[...ids].join(', ')}`)
}

/** Returns a part of a sale or all of it; sometimes two cashiers do so concurrently. */
export async function takeBack(world: World): Promise<void> {
  const { rows } = await sql<{ id: number; lines: { product_id: number; milli: number }[] }>`
    select o.id, jsonb_agg(jsonb_build_object('product_id', l.product_id, 'milli', l.quantity_milli)) as lines
    from orders o join order_lines l on l.order_id = o.id where o.status in ('on_delivery', 'delivered', 'completed')
    group by o.id order by o.id desc limit 10`.execute(world.db)
  const order = pick(rows)
  if (!order) return
  const some = order.lines.filter(() => chance(70))
  const lines = some.map(({ product_id, milli }) => ({
    product_id,
    quantity: chance(60) ? milli / 1000 : Math.min(1, milli / 1000),
    spoiled: chance(25),
  }))
  const body = (cash: number) => ({ lines, refund: { cash }, reason: 'Not ripe' })
  const preview = await pick(pickCashier(world).at).post(`/admin/quick-orders/return/${order.id}`, body(0))
  recordAnswer(world, 'preview a return', preview, [200, 404, 409, 422])
  const { refund } = preview.body as { refund?: number }
  if (preview.status !== 422 || refund === undefined) return
  const both = chance(40) ? world.cashiers : [pick(world.cashiers)]
  const answers = await Promise.all(both.map(({ at }) => pick(at).post(`/admin/quick-orders/return/${order.id}`, body(refund))))
  for (const answer of answers) recordAnswer(world, 'return products', answer, [200, 409, 422])
}

/** Closes a shift and opens a new one while sales are running. */
export async function changeShift(world: World): Promise<void> {
  const cashier = pickCashier(world)
  const [here, there] = cashier.at
  if (chance(50)) {
    const move = { direction: pick(['in', 'out']), amount: 1 + random(50), reason: 'Change' }
    recordAnswer(world, 'move cash', await here.post('/admin/quick-orders/shift/cash', move), [200, 409, 422])
  }
  const counted = { counted_cash: 1, counted_bkash: 0, counted_bank: 0, note: 'The storm' }
  if (chance(40)) recordAnswer(world, 'close the shift', await here.post('/admin/quick-orders/shift/close', counted), [200, 409])
  recordAnswer(world, 'open a shift', await there.post('/admin/quick-orders/shift/open', { opening_cash: 500_000 }), [200, 409])
}
