import { sql } from 'kysely'
import { storedDiscount, unitPriceAfterDiscount } from '#features/catalog/shown-price-rules.ts'
import { signedIn, storeBody } from '#features/orders/testing/admin-shop.ts'
import type { Db } from '#lib/db/db.server.ts'
import { buildArea, buildCoupon, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import type { TestShop } from '#test/request.ts'
import type { Answer, Visitor } from '#test/visitor.ts'
import { type Dice, weighted } from './dice.ts'

// A shop whose few coupons are nearly used up, and the steps that use and free them.

type Lines = [productId: number, quantity: number][]
type Staff = Visitor & { id: number }

interface CouponShop {
  db: Db
  shop: TestShop
  areas: number[]
  products: { id: number; step: number }[]
  codes: string[]
  customers: { id: number; phone: string; visitor: Visitor }[]
  guests: string[]
  manager: Staff
  cashiers: Staff[]
}

export async function openCouponShop(db: Db, shop: TestShop): Promise<CouponShop> {
  await sql`insert into settings (key, value) values ('pos_return', '{"taka":10000000,"day_taka":10000000,"days":30}')`.execute(db)
  shop.deps.catalogRevision.advance()
  const areas = [(await buildArea(db, { produce: 80 })).id, (await buildArea(db, { produce: 133 })).id]
  const flagged = { coupon_applicable: true, stock_milli: 100_000_000 }
  const rows = [
    await buildProduct(db, { ...flagged, price_poisha: 12_345 }),
    await buildProduct(db, { ...flagged, price_poisha: 8333, discount_kind: 'percentage', discount_value: 1000 }),
    await buildProduct(db, { ...flagged, price_poisha: 4999, unit: 'piece', discount_kind: 'fixed', discount_value: 300 }),
    await buildProduct(db, { stock_milli: 100_000_000, price_poisha: 61_007, sizes_milli: [500] }),
  ]
  const steps = [1, 2, 1, 0.5]
  const products = rows.map(({ id }, at) => ({ id, step: steps[at]! }))
  const terms = [
    { percent_bp: 1500, max_uses: 3 },
    { percent_bp: 3333, max_uses_per_customer: 1, max_discount_poisha: 7777 },
    { kind: 'others', value_poisha: 5025, max_uses: 4, max_uses_per_customer: 2 },
    { kind: 'free_shipping', max_uses_per_customer: 2 },
    { percent_bp: 2000, first_order_only: true },
    { percent_bp: 1250, scope: 'products', product_ids: [products[0]!.id, products[2]!.id], max_uses: 2 },
    { percent_bp: 10_000, max_uses_per_customer: 2 },
  ]
  const codes = []
  for (const term of terms) codes.push((await buildCoupon(db, term)).code)
  const customers = []
  for (let n = 0; n < 3; n++) {
    const { id, phone } = await buildUser(db, { phone_verified_at: sql`now()` })
    const visitor = shop.visitor()
    await visitor.signIn(phone)
    customers.push({ id, phone, visitor })
  }
  const cashiers = [await signedIn(shop, 'cashier'), await signedIn(shop, 'cashier')]
  for (const who of cashiers) await who.post('/admin/quick-orders/shift/open', { opening_cash: 9_000_000 })
  const manager = await signedIn(shop, 'manager')
  return { db, shop, areas, products, codes, customers, guests: ['01730000001', '01730000002', '01730000003'], manager, cashiers }
}

function linesOf({ products }: CouponShop, dice: Dice): Lines {
  const size = 1 + dice.below(3)
  const first = dice.below(products.length)
  return Array.from({ length: size }, (_, at) => {
    const { id, step } = products[(first + at) % products.length]!
    return [id, step * (1 + dice.below(9))]
  })
}

const phoneOf = ({ customers, guests }: CouponShop, dice: Dice) => dice.pick([...customers.map(({ phone }) => phone), ...guests])

interface OrderRow {
  id: number
  version: number
  status: string
  customer: number
  lines: { product_id: number; milli: number }[]
}

async function someOrder({ db }: CouponShop, dice: Dice, where = sql`true`): Promise<OrderRow | undefined> {
  const { rows } = await sql<OrderRow>`select o.id, o.version, o.status, o.customer_id as customer,
      (select jsonb_agg(jsonb_build_object('product_id', product_id, 'milli', quantity_milli) order by product_id) from order_lines where order_id = o.id) as lines
    from orders o where ${where} order by id desc limit 5`.execute(db)
  return rows.length > 0 ? dice.pick(rows) : undefined
}
const withCoupon = sql`exists (select 1 from coupon_uses where order_id = o.id)`

type Step = (world: CouponShop, dice: Dice) => Promise<Answer[]>

/** Sends a request by one or by two at once. */
const sometimesTwice = (dice: Dice, send: () => Promise<Answer>) => Promise.all(dice.chance(35) ? [send(), send()] : [send()])

const webOrder: Step = async (world, dice) => {
  const { phone, visitor } = dice.pick(world.customers)
  const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE', couponDiscountAmount: null, couponFreeShipping: null }
  const sent = orderBody(dice.pick(world.areas), linesOf(world, dice), cash)
  const coupon = dice.chance(90) ? dice.pick(world.codes) : null
  const body = { ...sent, customer: { ...sent.customer, phone }, products: sent.products.map((line) => ({ ...line, coupon })) }
  return sometimesTwice(dice, () => visitor.post('/customer-orders', body))
}

const guestOrder: Step = async (world, dice) => {
  const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
  const body = orderBody(dice.pick(world.areas), linesOf(world, dice), cash)
  body.customer.phone = dice.pick(world.guests)
  return [await world.shop.visitor().post('/customer-orders', body)]
}

const phoneOrder: Step = async (world, dice) => {
  const status = dice.pick(['placed', 'placed', 'processing', 'cancelled'])
  const more = { phone: phoneOf(world, dice), coupon: dice.pick(world.codes), status, reason: status === 'cancelled' ? 'No answer' : '' }
  const body = storeBody(dice.pick(world.areas), linesOf(world, dice), more)
  return sometimesTwice(dice, () => world.manager.post('/admin/orders/store', body))
}

/** A sale at the price that the POS asked for, by both cashiers at once or with the same key twice. */
const sell: Step = async (world, dice) => {
  const phone = phoneOf(world, dice)
  const coupon = dice.pick(world.codes)
  const lines = linesOf(world, dice)
  const priced = await world.cashiers[0]!.post('/api/admin/quick-orders/coupon', {
    coupon,
    phone,
    products: lines.map(([id, quantity]) => ({ id, quantity: String(quantity) })),
  })
  if (priced.status !== 200) return [priced]
  const rows = await world.db.selectFrom('products').select(['id', 'price_poisha', 'discount_kind', 'discount_value']).execute()
  const prices = new Map(rows.map((row) => [row.id, unitPriceAfterDiscount(row.price_poisha, storedDiscount(row)) as number]))
  const products = lines.map(([id, quantity]) => ({ id, quantity: String(quantity), price: prices.get(id)! / 100 }))
  const subtotal = lines.reduce((sum, [id, quantity]) => sum + Math.floor((prices.get(id)! * quantity * 2000 + 1000) / 2000), 0)
  const total = subtotal - Math.round((priced.body as { discount?: number }).discount! * 100)
  const body = { products, coupon, sub_total: subtotal / 100, total: total / 100, transactions: { cash: total / 100 }, customer: { phone } }
  const key = `sale-${dice.roll()}`
  const same = dice.chance(50)
  const headers = (at: number) => ({ headers: { 'idempotency-key': same ? key : `${key}-${at}` } })
  return Promise.all(
    world.cashiers
      .slice(dice.below(2))
      .map((who, at) => (same ? world.cashiers[0]! : who).post('/admin/quick-orders/store', body, headers(at))),
  )
}

const edit: Step = async (world, dice) => {
  const order = await someOrder(world, dice, dice.chance(80) ? withCoupon : sql`true`)
  if (!order) return []
  const own = (order.lines ?? []).map(({ product_id, milli }): [number, number] => [product_id, milli / 1000])
  const typed = dice.chance(10) ? String(dice.below(90)) : ''
  const products = (lines: Lines) =>
    lines.map(([product_id, quantity]) => ({ product_id, quantity: String(quantity), base_price: 0, price_on_order: typed }))
  const change = dice.pick<object>([
    { products: products(linesOf(world, dice)) },
    { products: products([...new Map([...own, ...linesOf(world, dice)])]) },
    { products: products(own.slice(0, Math.max(1, own.length - 1))) },
    { products: products(own.map(([id, quantity]) => [id, Math.max(quantity / 2, quantity % 1 === 0 ? 1 : 0.25)])) },
    { area_id: dice.pick(world.areas) },
    { phone: phoneOf(world, dice) },
    { discount: String(dice.below(60)) },
    { status: dice.pick(['cancelled', 'placed', 'processing']), reason: 'They said so' },
    { shipping_cost: String(dice.below(200)) },
  ])
  return [await world.manager.post(`/admin/orders/update/${order.id}`, { address: 'House 5', version: order.version, ...change })]
}

const move: Step = async (world, dice) => {
  const order = await someOrder(world, dice, dice.chance(80) ? withCoupon : sql`true`)
  if (!order) return []
  const next = { placed: 'processing', processing: 'on_delivery', on_delivery: 'delivered', delivered: 'completed' }[order.status]
  const end = ['placed', 'processing'].includes(order.status) ? 'cancelled' : 'returned'
  const reopened = { cancelled: 'placed', returned: 'processing', completed: 'delivered' }[order.status]
  const status = reopened ?? (dice.chance(50) ? next : end)
  const body = { orders: [{ id: order.id, version: order.version }], status, reason: 'They said so' }
  const send = async () => {
    const answer = await world.manager.post('/admin/orders/status', body)
    const result = (answer.body as { results?: { ok: boolean }[] }).results?.[0]
    return result?.ok === false ? { ...answer, status: 409 } : answer
  }
  return sometimesTwice(dice, send)
}

/** Two cancelled orders of one coupon are reopened at once: one use may be left. */
const reopenTwo: Step = async (world, dice) => {
  const { rows } = await sql<{ id: number; version: number }>`select o.id, o.version from orders o join coupon_uses u on u.order_id = o.id
    where o.status = 'cancelled' and u.coupon_id = (select u.coupon_id from coupon_uses u join orders c on c.id = u.order_id where c.status = 'cancelled'
      group by 1 order by count(*) desc, 1 limit 1) order by o.id limit 2`.execute(world.db)
  const body = (order: object) => ({ orders: [order], status: 'placed', reason: 'They said so' })
  const newOrder = dice.chance(50) ? [webOrder(world, dice)] : []
  const reopened = rows.map((order) => world.manager.post('/admin/orders/status', body(order)))
  return (await Promise.all([...newOrder, ...reopened.map(async (one) => [await one])])).flat()
}

const cancelOwn: Step = async (world, dice) => {
  const customer = dice.pick(world.customers)
  const order = await someOrder(world, dice, sql`customer_id = ${customer.id} and status = 'placed'`)
  if (!order) return []
  return sometimesTwice(dice, () => customer.visitor.post(`/orders/${order.id}/cancel`, { reason: 'Changed my mind' }))
}

/** A guest's orders go to a customer, as when the guest verifies a phone, or as staff merge the two. */
const merge: Step = async (world, dice) => {
  const target = dice.pick(world.customers)
  const { rows } = await sql<{
    id: number
    n: number
  }>`select id, (select count(*)::int from orders where customer_id = u.id) as n from users u
    where phone = ${dice.pick(world.guests)} and merged_into is null and password_hash is null`.execute(world.db)
  if (!rows[0] || dice.chance(60)) return []
  return [await world.manager.post(`/admin/customers/${target.id}/merge`, { other: rows[0].id, orders: rows[0].n })]
}

const returnSome: Step = async (world, dice) => {
  const order = await someOrder(world, dice, sql`status in ('on_delivery', 'delivered', 'completed')`)
  if (!order) return []
  const lines = (order.lines ?? [])
    .filter(() => dice.chance(75))
    .map(({ product_id, milli }) => ({ product_id, quantity: dice.chance(50) ? milli / 1000 : Math.min(1, milli / 1000) }))
  if (lines.length === 0) return []
  return sometimesTwice(dice, () =>
    world.manager.post(`/admin/orders/returns/${order.id}`, { lines, reason: 'Not ripe', version: order.version }),
  )
}

export const COUPON_STEPS = { webOrder, guestOrder, phoneOrder, sell, edit, move, reopenTwo, cancelOwn, merge, returnSome }
const WEIGHTS: Record<keyof typeof COUPON_STEPS, number> = {
  webOrder: 12,
  guestOrder: 3,
  phoneOrder: 7,
  sell: 7,
  edit: 12,
  move: 12,
  reopenTwo: 5,
  cancelOwn: 3,
  merge: 2,
  returnSome: 5,
}
export const COUPON_STEP_NAMES = weighted(WEIGHTS)
