import { sql } from 'kysely'
import { saleOf } from './pos.ts'
import { chance, newKey, pick, random, somePhone, recordAnswer, taka, type World } from './world.ts'

// Actions of cashiers with accounts, store credit, exchanges and coupons, often two at once.

/** A sale on account, or with store credit, of one of the signed-in customers. */
export async function sellOnAccount(world: World): Promise<void> {
  const cashier = pick(world.cashiers)
  const customer = pick(world.customers)
  await sql`update users set credit_limit_poisha = 300000 where id = ${customer.id} and credit_limit_poisha = 0`.execute(world.db)
  const sale = await saleOf(world, { animals: 0 })
  const { body: account } = await cashier.at[0].get(`/api/admin/quick-orders/account?phone=${customer.phone}`)
  const { account: open, store_credit: credit = 0 } = account as unknown as { account?: { left: number }; store_credit?: number }
  const later = chance(60) ? Math.min(open?.left ?? 0, sale.total) : 0
  const spent = Math.min(credit, taka((sale.total - later) * 100))
  const body = {
    ...sale,
    transactions: { cash: taka((sale.total - later - spent) * 100) },
    customer: { phone: customer.phone },
    ...(later > 0 ? { on_account: later } : {}),
    ...(spent > 0 ? { store_credit: spent } : {}),
  }
  const both = chance(50) ? world.cashiers : [cashier]
  const answers = await Promise.all(
    both.map(({ at }) => pick(at).post('/admin/quick-orders/store', body, { headers: { 'idempotency-key': newKey() } })),
  )
  for (const answer of answers) recordAnswer(world, 'sell on account', answer, [200, 409, 410, 422])
}

export async function payOnAccount(world: World): Promise<void> {
  const { rows } = await sql<{ id: number; owed: number }>`
    select id, account_balance(id)::float8 as owed from users where credit_limit_poisha > 0`.execute(world.db)
  const one = pick(rows.filter(({ owed }) => owed > 0))
  if (!one) return
  const body = {
    amount: taka(chance(50) ? one.owed : 1 + random(one.owed)),
    method: pick(['cash', 'bkash']),
    owed: taka(one.owed),
  }
  const answers = await Promise.all(world.cashiers.map(({ at }) => pick(at).post(`/admin/quick-orders/account/${one.id}/payments`, body)))
  for (const answer of answers) recordAnswer(world, 'pay on account', answer, [200, 404, 409, 422])
}

async function soldLines(world: World) {
  const { rows } = await sql<{ id: number; lines: { product_id: number; milli: number }[] }>`
    select o.id, jsonb_agg(jsonb_build_object('product_id', l.product_id, 'milli', l.quantity_milli)) as lines
    from orders o join order_lines l on l.order_id = o.id where o.status in ('delivered', 'completed') and o.source = 'pos'
    group by o.id order by o.id desc limit 10`.execute(world.db)
  const order = pick(rows)
  if (!order) return null
  const lines = order.lines
    .filter((_, at) => at === 0 || chance(60))
    .map(({ product_id, milli }) => ({ product_id, quantity: chance(60) ? milli / 1000 : Math.min(1, milli / 1000), spoiled: chance(25) }))
  return { id: order.id, lines }
}

/** A return whose refund becomes store credit. */
export async function creditReturn(world: World): Promise<void> {
  const sold = await soldLines(world)
  if (!sold) return
  const path = `/admin/quick-orders/return/${sold.id}`
  const body = (refund: object) => ({ lines: sold.lines, refund, reason: 'Not ripe' })
  const preview = await pick(pick(world.cashiers).at).post(path, body({ cash: 0 }))
  const { refund } = preview.body as { refund?: number }
  if (preview.status !== 422 || refund === undefined) return
  const both = chance(50) ? world.cashiers : [pick(world.cashiers)]
  const answers = await Promise.all(both.map(({ at }) => pick(at).post(path, body({ store_credit: refund }))))
  for (const answer of answers) recordAnswer(world, 'return for store credit', answer, [200, 409, 422])
}

export async function exchange(world: World): Promise<void> {
  const sold = await soldLines(world)
  if (!sold) return
  const path = `/admin/quick-orders/exchange/${sold.id}`
  const sale = await saleOf(world, { animals: 0 })
  const body = (cash: number, back: number) => ({
    ...sale,
    transactions: { cash },
    customer: { phone: somePhone() },
    exchange: { lines: sold.lines, reason: 'Another', refund: { cash: back } },
  })
  const cashier = pick(world.cashiers)
  const preview = await pick(cashier.at).post(`/admin/quick-orders/return/${sold.id}`, {
    lines: sold.lines,
    refund: { cash: 0 },
    reason: 'x',
  })
  const { refund } = preview.body as { refund?: number }
  if (preview.status !== 422 || refund === undefined) return
  const carried = Math.min(refund, sale.total)
  const sent = body(taka((sale.total - carried) * 100), taka((refund - carried) * 100))
  const key = newKey()
  const answers = await Promise.all(
    (chance(50) ? world.cashiers : [cashier]).map(({ at }) =>
      pick(at).post(path, sent, { headers: { 'idempotency-key': chance(50) ? key : newKey() } }),
    ),
  )
  for (const answer of answers) recordAnswer(world, 'exchange', answer, [200, 409, 410, 422])
}

export async function sellWithCoupon(world: World): Promise<void> {
  const cashier = pick(world.cashiers)
  const { phone } = pick(world.customers)
  const sale = await saleOf(world, { animals: 0 })
  const coupon = pick(world.coupons)
  const products = sale.products.map(({ id, quantity }) => ({ id, quantity }))
  const priced = await pick(cashier.at).post('/api/admin/quick-orders/coupon', { coupon, phone, products })
  if (priced.status !== 200) return
  const total = taka((sale.sub_total - (priced.body as { discount?: number }).discount!) * 100)
  const body = { ...sale, discount: undefined, coupon, total, transactions: { cash: total }, customer: { phone } }
  const both = chance(60) ? world.cashiers : [cashier]
  const answers = await Promise.all(
    both.map(({ at }) => pick(at).post('/admin/quick-orders/store', body, { headers: { 'idempotency-key': newKey() } })),
  )
  for (const answer of answers) recordAnswer(world, 'sell with a coupon', answer, [200, 409, 410, 422])
}
