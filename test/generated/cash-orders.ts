import { sql } from 'kysely'
import { storeBody } from '#features/orders/testing/admin-shop.ts'
import { type CashShop, countBy, type Step, taka } from './cash-shop.ts'

// Cash of the admin's orders, through the drawer of the manager or outside of it.

const deskOf = ({ drawers }: CashShop) => drawers[2]!

const phoneOrder: Step = async (world, dice) => {
  const drawer = deskOf(world)
  const advance = dice.chance(50) ? 100 + dice.below(90_000) : 0
  const inDrawer = dice.chance(60)
  const more = advance > 0 ? { advance_amount: taka(advance), advance_method: 'cash', ...(inDrawer ? { advance_drawer: true } : {}) } : {}
  const body = storeBody(world.area, [[world.honey, 5 + dice.below(9)]], more)
  const headers = { 'idempotency-key': `order-${dice.roll()}` }
  const send = () => drawer.who.post('/admin/orders/store', body, { headers })
  const answers = await Promise.all(dice.chance(30) ? [send(), send()] : [send()])
  return countBy(
    answers,
    ({ body }) => body.order_id,
    () => (drawer.cash += inDrawer ? advance : 0),
  )
}

async function ordersWhere({ db }: CashShop, where = sql`true`) {
  const { rows } = await sql<{ id: number; version: number; status: string; due: number; received: number }>`
    select id, version, status, amount_due(o)::float8 as due, amount_received(o)::float8 as received from orders o
    where source = 'admin' and ${where} order by id desc limit 5`.execute(db)
  return rows
}

/** A courier hands over the cash of several deliveries; sometimes two screens record it. */
const courier: Step = async (world, dice) => {
  const drawer = deskOf(world)
  const rows = (await ordersWhere(world, sql`status = 'on_delivery'`)).slice(0, 1 + dice.below(3))
  if (rows.length === 0) return []
  const collected = rows.map(({ due }) => Math.max(0, dice.chance(75) ? due : Math.round(due * 1.3 * dice.roll())))
  const inDrawer = dice.chance(70)
  const orders = rows.map(({ id, version }, at) => ({ id, version, collected: taka(collected[at]!) }))
  const send = () => drawer.who.post('/admin/orders/status', { orders, status: 'delivered', drawer: inDrawer })
  const answers = await Promise.all(dice.chance(40) ? [send(), send()] : [send()])
  for (const { body } of answers)
    for (const [at, result] of ((body as { results?: { ok: boolean }[] }).results ?? []).entries())
      if (result.ok && inDrawer) drawer.cash += collected[at]!
  return answers
}

const moveOrder: Step = async (world, dice) => {
  const rows = await ordersWhere(world, sql`status <> 'completed'`)
  if (rows.length === 0) return []
  const { id, version, status } = dice.pick(rows)
  const next = {
    placed: 'processing',
    processing: 'on_delivery',
    on_delivery: 'returned',
    delivered: 'completed',
    cancelled: 'placed',
    returned: 'processing',
  }[status]
  const to = ['placed', 'processing'].includes(status) && dice.chance(20) ? 'cancelled' : next
  return [await deskOf(world).who.post('/admin/orders/status', { orders: [{ id, version }], status: to, reason: 'As agreed' })]
}

/** A payment or refund of an order through the drawer; two at once are one. */
const orderCash: Step = async (world, dice) => {
  const drawer = deskOf(world)
  const isRefund = dice.chance(50)
  const rows = await ordersWhere(world, isRefund ? sql`amount_received(o) > 0` : sql`amount_due(o) > 0`)
  if (rows.length === 0) return []
  const { id, version, due, received } = dice.pick(rows)
  const amount = Math.max(1, Math.round((isRefund ? received : due) * (dice.chance(50) ? 1 : dice.roll() * 1.2)))
  const inDrawer = dice.chance(70)
  const body = { method: 'cash', amount: taka(amount), version, drawer: inDrawer, confirmed: dice.chance(50) }
  const send = () => drawer.who.post(`/admin/orders/${isRefund ? 'refunds' : 'payments'}/${id}`, body)
  const answers = await Promise.all(dice.chance(40) ? [send(), send()] : [send()])
  for (const { status } of answers) if (status === 200 && inDrawer) drawer.cash += isRefund ? -amount : amount
  return answers
}

export const CASH_ORDER_STEPS = { phoneOrder, courier, moveOrder, orderCash }
