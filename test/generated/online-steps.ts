import { sql } from 'kysely'
import { erasePerson } from '#features/customers/personal-data/erase-person.server.ts'
import { findPerson } from '#features/customers/personal-data/read-personal-data.server.ts'
import { reconcilePayments } from '#features/payments/commands/reconcile-payments.server.ts'
import { followRefunds } from '#features/payments/refunds/follow-refunds.server.ts'
import type { Dice } from './dice.ts'
import type { OnlineStep } from './online-shop.ts'
import { saleOf } from './stock-counter.ts'
import { linesOf, phoneOf, someOrder, sometimesTwice } from './stock-shop.ts'

// Steps of money that comes by transfer, by gateway and as store credit, and of customers who change.

const taka = (poisha: number) => Math.round(poisha) / 100
const poisha = (amount: number) => Math.round(amount * 100)

/** Few transactions, so that two orders often name the same one. */
const transferOf = (dice: Dice) => ({ method: dice.pick(['bkash', 'nagad', 'bank']), transaction_id: `SENT${1000 + dice.below(40)}` })

const report: OnlineStep = async (world, dice) => {
  if (world.placed.length === 0) return []
  const { id, visitor } = dice.pick(world.placed.slice(-8))
  const body = { ...transferOf(dice), sender: '01711111111', amount: dice.pick([null, 500, 11_500]) }
  return sometimesTwice(dice, () => visitor.post(`/orders/${id}/advance`, body))
}

interface Report {
  id: number
  order_id: number
  key: string
  amount: number
}

/** Verifies with the reported or another amount, or rejects; sometimes two decide at once. */
const decide: OnlineStep = async (world, dice) => {
  const { rows } = await sql<Report>`select id, order_id, method || ' ' || transaction_id as key, amount_poisha::float8 as amount
    from advance_reports where state = 'waiting' order by id desc limit 5`.execute(world.db)
  if (rows.length === 0) return []
  const { id, key, amount } = dice.pick(rows)
  const other = dice.chance(40) ? 100 * (1 + dice.below(20_000)) : null
  const verify = async () => {
    const answer = await world.manager.post(`/admin/advances/verify/${id}`, other === null ? {} : { amount: taka(other), confirmed: true })
    // Money that was recorded by hand is there already.
    if (answer.status === 200 && !world.transfers.has(key)) world.transfers.set(key, other ?? amount)
    return answer
  }
  const reject = () => world.manager.post(`/admin/advances/refuse/${id}`, { reason: 'Nothing came' })
  return Promise.all(dice.pick([[verify], [verify], [reject], [verify, verify], [verify, reject]]).map((send) => send()))
}

/** Staff find a transfer in their account and record it. */
const recordTransfer: OnlineStep = async (world, dice) => {
  const order = await someOrder(world, dice)
  if (!order) return []
  const sent = transferOf(dice)
  const amount = 100 * (1 + dice.below(12_000))
  const body = { ...sent, amount: taka(amount), version: order.version, confirmed: true }
  const answers = await sometimesTwice(dice, () => world.manager.post(`/admin/orders/payments/${order.id}`, body))
  if (answers.some(({ status }) => status === 200)) world.transfers.set(`${sent.method} ${sent.transaction_id}`, amount)
  return answers
}

const reviewPayment: OnlineStep = async (world, dice) => {
  const { rows } = await sql<{ id: number }>`select id from payment_attempts where state = 'review' order by id desc limit 4`.execute(
    world.db,
  )
  if (rows.length === 0) return []
  const { id } = dice.pick(rows)
  const accept = () => world.manager.post(`/admin/payments/accept/${id}`, {})
  const refuse = () => world.manager.post(`/admin/payments/refuse/${id}`, { reason: 'Not him' })
  return Promise.all(dice.pick([[accept], [refuse], [accept, refuse]]).map((send) => send()))
}

const reconcile: OnlineStep = async ({ shop }) => {
  await reconcilePayments(shop.deps)
  return []
}

const refundAtGateway: OnlineStep = async (world, dice) => {
  const { rows } = await sql<{ id: number; version: number; gateway: string; transaction: string; paid: number }>`
    select o.id, o.version, e.method as gateway, e.reference as transaction, e.amount_poisha::float8 as paid from ledger_entries e
    join orders o on o.id = e.order_id where e.kind = 'gateway' and e.amount_poisha > 0 order by e.id desc limit 6`.execute(world.db)
  if (rows.length === 0) return []
  const { id, paid, ...one } = dice.pick(rows)
  await world.simulator.faults({ notify: 'never', ...dice.pick([{}, {}, { refund: 'failed' as const }, { refundPolls: 2 }]) })
  const body = { ...one, amount: taka(dice.chance(50) ? paid : 1 + dice.below(paid)), reason: 'As agreed' }
  const answers = await sometimesTwice(dice, () => world.manager.post(`/admin/orders/gateway-refunds/${id}`, body))
  await world.simulator.faults({ notify: 'never' })
  return answers
}

const follow: OnlineStep = async ({ shop, db }) => {
  await sql`update gateway_refunds set sent_at = sent_at - interval '10 minutes', updated_at = updated_at - interval '1 day'`.execute(db)
  await followRefunds(shop.deps)
  return []
}

const takeBackAsCredit: OnlineStep = async (world, dice) => {
  const order = await someOrder(world, dice, sql`status in ('delivered', 'completed') and amount_received(o) > 0`)
  const lines = (order?.lines ?? []).filter(() => dice.chance(75)).map(({ product_id, milli }) => ({ product_id, quantity: milli / 1000 }))
  if (!order || lines.length === 0) return []
  const { who } = dice.pick(world.cashiers)
  const body = (refund: object) => ({ lines, refund, reason: 'Not ripe' })
  const path = `/admin/quick-orders/return/${order.id}`
  const first = await who.post(path, body({ cash: 0 }))
  const { refund } = first.body as { refund?: number }
  if (first.status !== 422 || !refund) return [first]
  const answers = await sometimesTwice(dice, () => who.post(path, body({ store_credit: refund })))
  for (const { status } of answers) if (status === 200) world.credit += poisha(refund)
  return answers
}

/** Two registers spend the credit of one customer. */
const sellForCredit: OnlineStep = async (world, dice) => {
  const { rows } = await sql<{ phone: string; credit: number }>`select phone, store_credit_balance(id)::float8 as credit from users
    where store_credit_balance(id) > 0 and merged_into is null order by id`.execute(world.db)
  if (rows.length === 0) return []
  const { phone, credit } = dice.pick(rows)
  const sale = await saleOf(world, dice, linesOf(world, dice, 0), { customer: { phone } })
  const spent = Math.min(poisha(sale.total), dice.chance(60) ? credit : 1 + dice.below(credit))
  const body = { ...sale, transactions: { cash: taka(poisha(sale.total) - spent) }, store_credit: taka(spent) }
  const key = `credit-${dice.roll()}`
  const both = world.cashiers.slice(dice.below(2), 2)
  const answers = await Promise.all(
    both.map(({ who }, at) => who.post('/admin/quick-orders/store', body, { headers: { 'idempotency-key': `${key}-${at}` } })),
  )
  for (const { status } of answers) if (status === 200) world.credit -= spent
  return answers
}

/** The order goes to the holder of another phone, or to a new one. */
const movePhone: OnlineStep = async (world, dice) => {
  const order = await someOrder(world, dice, sql`status in ('placed', 'processing')`)
  if (!order) return []
  const phone = dice.chance(50) ? phoneOf(dice) : dice.pick([...world.buyers.map((one) => one.phone), `0199${1_000_000 + dice.below(9)}`])
  const send = () => world.manager.post(`/admin/orders/update/${order.id}`, { address: 'House 5', phone, version: order.version })
  return sometimesTwice(dice, send)
}

const merge: OnlineStep = async (world, dice) => {
  // Buyers stay logged in.
  const { rows } = await sql<{
    id: number
    n: number
    is_guest: boolean
  }>`select id, (select count(*)::int from orders where customer_id = u.id) as n, password_hash is null as is_guest from users u
    where role = 'customer' and merged_into is null and disabled_at is null order by id`.execute(world.db)
  const other = dice.pick(rows.filter(({ is_guest }) => is_guest))
  if (!other) return []
  const target = dice.pick(rows)
  return sometimesTwice(dice, () => world.manager.post(`/admin/customers/${target.id}/merge`, { other: other.id, orders: other.n }))
}

const erase: OnlineStep = async ({ db, shop }, dice) => {
  const person = await findPerson(db, phoneOf(dice))
  if (person) await erasePerson(db, person, shop.clock.now)
  return []
}

export const ONLINE_STEPS = {
  report,
  decide,
  recordTransfer,
  reviewPayment,
  reconcile,
  refundAtGateway,
  follow,
  takeBackAsCredit,
  sellForCredit,
  movePhone,
  merge,
  erase,
}
