import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { inTransaction } from '#lib/db/db.server.ts'
import { orderBody } from '#test/factories.ts'
import type { Visitor } from '#test/visitor.ts'
import { chance, newKey, pick, random, somePhone, someLines, recordAnswer, type World } from './world.ts'

// Actions of shoppers. Orders with animals are paid online or by an advance, others online or on delivery.

/** Expected statuses: placed, or rejected for stock, price or coupon. */
const ORDERED = [200, 400, 410, 422]

const ONLINE = { payment_type: 'full', payment_gateway: 'pgw' }
const ON_DELIVERY = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
const advance = (gateway: string) => ({
  payment_type: 'partial',
  payment_gateway: gateway,
  payable_amount: 11_500,
  partial_payment: 11_500,
})

function payment(world: World, lines: [id: number, quantity: number][]): Record<string, unknown> {
  const hasAnimal = lines.some(([id]) => world.animals.includes(id))
  return pick(hasAnimal ? [ONLINE, advance('NONE'), advance('NONE'), advance('pgw')] : [ONLINE, ON_DELIVERY, ON_DELIVERY])
}

/** Sends a request to one process, or concurrently to both: the result is one order. */
async function placeBy(world: World, visitors: readonly Visitor[], body: object, what: string): Promise<void> {
  const key = newKey()
  const senders = chance(25) ? visitors : [visitors[0]!]
  const answers = await Promise.all(senders.map((visitor) => visitor.post('/customer-orders', body, { key })))
  const ids = new Set(answers.flatMap(({ status, body: { order_id: id } }) => (status === 200 && id ? [id] : [])))
  if (ids.size > 1) world.problems.push(`${what}: one key created the orders ${[...ids].join(', ')}`)
  for (const [at, answer] of answers.entries()) {
    recordAnswer(world, what, answer, ORDERED)
    const { order_id: id, redirect_url: page = null } = answer.body
    if (answer.status === 200 && id) world.placed.push({ id, visitor: senders[at]!, page })
  }
}

export async function orderAsGuest(world: World): Promise<void> {
  const lines = someLines(world)
  const body = orderBody(world.area, lines, payment(world, lines))
  body.customer.phone = somePhone()
  const visitors = chance(50) ? world.shops : world.shops.toReversed()
  await placeBy(
    world,
    visitors.map((shop) => shop.visitor()),
    body,
    'order as guest',
  )
}

export async function orderWithCoupon(world: World): Promise<void> {
  const customer = pick(world.customers)
  const lines = someLines(world, { animals: 20 })
  const code = chance(80) ? pick(world.coupons) : null
  const sent = orderBody(world.area, lines, { ...payment(world, lines), couponDiscountAmount: null })
  const body = {
    ...sent,
    customer: { ...sent.customer, phone: customer.phone },
    products: sent.products.map((line) => ({ ...line, coupon: code })),
  }
  await placeBy(world, chance(50) ? customer.at : customer.at.toReversed(), body, 'order with a coupon')
}

/** Pays, fails or cancels at the gateway, and returns to the shop or not. The gateway notifies the shop in any case. */
export async function payAtGateway(world: World): Promise<void> {
  const order = world.placed.slice(-25).find(({ page }) => page !== null && chance(30))
  if (!order?.page) return
  const { page } = order
  if (chance(80)) order.page = null
  const button = pick(['Pay with VISA', 'Pay with VISA', 'Pay with bKash', 'Pay with bKash', 'Fail', 'Cancel'])
  const pressed = await world.simulator.press(page, button).catch(() => null)
  if (!pressed?.location.startsWith('http') || chance(30)) return
  const returnToShop = () =>
    fetch(pressed.location, {
      method: 'POST',
      body: new URLSearchParams(pressed.body),
      redirect: 'manual',
      headers: { accept: 'text/html' },
    })
  for (const answer of await Promise.all(chance(30) ? [returnToShop(), returnToShop(), returnToShop()] : [returnToShop()])) {
    if (answer.status >= 500) world.problems.push(`return from the gateway: ${answer.status} ${(await answer.text()).slice(0, 200)}`)
    else await answer.arrayBuffer()
  }
}

/** Opens the payment page of an order again, or one for its rest, as from its invoice. */
export async function payAgain(world: World): Promise<void> {
  const order = pick(world.placed.slice(-10))
  if (!order) return
  const { body } = await order.visitor.get(`/payments/status?order=${order.id}`)
  const rest = chance(50) && 'due_amount' in body ? { due_amount: body.due_amount } : {}
  const answer = recordAnswer(
    world,
    'pay again',
    await order.visitor.post(`/orders/${order.id}/pay`, rest),
    [200, 303, 404, 409, 410, 422, 502],
  )
  if (answer.status === 200 && answer.body.redirect_url) order.page = answer.body.redirect_url
}

export async function reportAdvance(world: World): Promise<void> {
  const order = pick(world.placed.slice(-12))
  if (!order) return
  // Few transaction ids, so that two orders often report the same one.
  const advance = {
    method: pick(['bkash', 'nagad', 'bank']),
    transaction_id: `STORM${1000 + random(400)}`,
    sender: '01711111111',
    amount: 11_500,
  }
  recordAnswer(world, 'report an advance', await order.visitor.post(`/orders/${order.id}/advance`, advance), [200, 404, 409, 410, 422, 429])
}

export async function cancelOwn(world: World): Promise<void> {
  const customer = pick(world.customers)
  const { rows } = await sql<{ id: number }>`
    select id from orders where customer_id = ${customer.id} order by id desc limit 3`.execute(world.db)
  const order = pick(rows)
  if (!order) return
  const cancel = (visitor: Visitor) => visitor.post(`/orders/${order.id}/cancel`, { reason: 'Changed my mind' })
  const answers = await Promise.all(customer.at.map(cancel))
  for (const answer of answers) recordAnswer(world, 'cancel an own order', answer, [200, 409])
  if (answers.filter(({ status }) => status === 200).length > 1) world.problems.push(`order ${order.id} was cancelled twice`)
}

/** Reads pages and lists, so that both processes use their product index and caches. */
export async function browse(world: World): Promise<void> {
  const shop = pick(world.shops)
  const id = pick([...world.products.map(({ id }) => id), ...world.animals])
  const paths = ['/api/products', `/api/products/${id}`, '/', '/api/kurbani-cows', '/api/product/search?q=cow']
  recordAnswer(world, 'browse', await shop.get(pick(paths)), [200, 404])
}

/** Merges a guest into a customer's account, as the verification of a phone does. */
export async function joinGuest(world: World): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from users where role = 'customer' and password_hash is null and merged_into is null and phone like '0173%' limit 5`.execute(
    world.db,
  )
  const guest = pick(rows)
  if (!guest) return
  const customer = pick(world.customers)
  await inTransaction(world.db, (tx) => sql`select merge_guest_into_account(${guest.id}, ${customer.id})`.execute(tx))
  await sleep(50)
}
