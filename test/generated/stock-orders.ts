import { sql } from 'kysely'
import { runBulkOrders } from '#features/bulk-orders/run-bulk-orders.server.ts'
import { ORDER_STATUSES } from '#features/orders/rules.ts'
import { expireOrders } from '#features/orders/status/expire-orders.server.ts'
import { storeBody } from '#features/orders/testing/admin-shop.ts'
import { orderBody } from '#test/factories.ts'
import { linesOf, phoneOf, someOrder, sometimesTwice, type Step } from './stock-shop.ts'

// Steps of orders on the web and in the admin.

const webOrder: Step = async (world, dice) => {
  const lines = linesOf(world, dice)
  const hasAnimal = lines.some(([id]) => world.animals.includes(id))
  const online = { payment_type: 'full', payment_gateway: 'pgw' }
  const payment = hasAnimal || dice.chance(30) ? online : { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
  const body = orderBody(world.area, lines, payment)
  body.customer.phone = phoneOf(dice)
  const key = `web-order-${dice.roll()}`
  const visitor = world.shop.visitor()
  const answers = await sometimesTwice(dice, () => visitor.post('/customer-orders', body, { key }))
  for (const {
    status,
    body: { order_id: id },
  } of answers.slice(0, 1))
    if (status === 200 && id) world.placed.push({ id, visitor })
  return answers
}

const expire: Step = async ({ db, shop }) => {
  await sql`update orders set expires_at = ${shop.clock.now} where id in (
    select id from orders where expires_at is not null and status = 'placed' order by id limit 1)`.execute(db)
  await expireOrders({ ...shop.deps, catalogChanged: () => shop.deps.catalogRevision.advance() })
  return []
}

const phoneOrder: Step = async (world, dice) => {
  const status = dice.pick(['placed', 'placed', 'processing', 'on_delivery', 'cancelled'])
  const reason = status === 'cancelled' ? 'No answer' : ''
  return [
    await world.manager.post('/admin/orders/store', storeBody(world.area, linesOf(world, dice), { phone: phoneOf(dice), status, reason })),
  ]
}

const edit: Step = async (world, dice) => {
  const order = await someOrder(world, dice)
  if (!order) return []
  const own = (order.lines ?? []).map(({ product_id, milli }): [number, number] => [product_id, milli / 1000])
  const lines = dice.chance(40) ? linesOf(world, dice) : [...new Map([...own, ...linesOf(world, dice, 15)])].slice(dice.below(2))
  const products = lines.map(([product_id, quantity]) => ({ product_id, quantity: String(quantity), base_price: 0, price_on_order: '' }))
  const status = dice.chance(25) ? { status: dice.pick(ORDER_STATUSES), reason: 'They said so' } : {}
  const body = { address: 'House 5', version: order.version, products, ...status }
  return [await world.manager.post(`/admin/orders/update/${order.id}`, body)]
}

const move: Step = async (world, dice) => {
  const order = await someOrder(world, dice)
  if (!order) return []
  const next = { placed: 'processing', processing: 'on_delivery', on_delivery: 'delivered', delivered: 'completed' }[order.status]
  const end = ['placed', 'processing'].includes(order.status) ? 'cancelled' : 'returned'
  const reopened = { cancelled: 'placed', returned: 'processing', completed: 'delivered' }[order.status]
  const status = reopened ?? (dice.chance(65) ? next : end)
  const body = { orders: [{ id: order.id, version: order.version }], status, reason: 'They said so' }
  const answer = await world.manager.post('/admin/orders/status', body)
  // Each order has its own result.
  const result = (answer.body as { results?: { ok: boolean }[] }).results?.[0]
  return [result?.ok === false ? { ...answer, status: 409 } : answer]
}

const pay: Step = async (world, dice) => {
  const order = await someOrder(world, dice, sql`amount_due(o) > 0`)
  if (!order) return []
  const amount = dice.chance(60) ? order.due : Math.max(1, Math.round(order.due * dice.roll()))
  const body = { method: 'cash', amount, version: order.version, confirmed: true }
  return sometimesTwice(dice, () => world.manager.post(`/admin/orders/payments/${order.id}`, body))
}

/** The shopper moves an unpaid order back to the cart, pays it otherwise, or reports an advance. */
const changeOwn: Step = async (world, dice) => {
  if (world.placed.length === 0) return []
  const { id, visitor } = dice.pick(world.placed.slice(-8))
  const [path, body] = dice.pick<[string, object]>([
    ['to-cart', {}],
    ['payment-method', { method: 'advance' }],
    ['payment-method', { method: 'cash_on_delivery' }],
    ['advance', { method: 'bkash', transaction_id: `TRX${1000 + dice.below(9000)}`, sender: '01711111111', amount: 11_500 }],
  ])
  return sometimesTwice(dice, () => visitor.post(`/orders/${id}/${path}`, body))
}

/** All orders are moved to a status in the background. */
const moveAll: Step = async (world, dice) => {
  const { count, up_to } = (await world.manager.get('/api/admin/orders/bulk/count?query=')).body as { count?: number; up_to?: number }
  const run = { query: '', status: dice.pick(['processing', 'on_delivery', 'delivered', 'cancelled']), reason: 'Bulk', count, up_to }
  const started = await world.manager.post('/admin/orders/bulk', run)
  const deps = { ...world.shop.deps, catalogChanged: () => world.shop.deps.catalogRevision.advance() }
  await Promise.all([runBulkOrders(deps), runBulkOrders(deps)])
  return [started]
}

export const ORDER_STEPS = { webOrder, expire, phoneOrder, edit, move, pay, changeOwn, moveAll }
