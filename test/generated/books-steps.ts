import { sql } from 'kysely'
import { aggregateSales } from '#features/reports/aggregate-sales.server.ts'
import { saleOf } from './stock-counter.ts'
import { linesOf, phoneOf, someOrder, sometimesTwice, type Step, type StockShop } from './stock-shop.ts'

// Steps of money alone, and those that the reports must not follow: products that change their category.

const taka = (poisha: number) => Math.round(poisha) / 100

const refund: Step = async (world, dice) => {
  const order = await someOrder(world, dice, sql`amount_received(o) > 0`)
  if (!order) return []
  const amount = order.due < 0 && dice.chance(60) ? -order.due : taka(1 + dice.below(90_000))
  const way = dice.pick([{ method: 'cash' }, { method: 'bkash', transaction_id: `RF${dice.below(1e8)}` }])
  const body = { ...way, amount, version: order.version, confirmed: true }
  return sometimesTwice(dice, () => world.manager.post(`/admin/orders/refunds/${order.id}`, body))
}

const adjust: Step = async (world, dice) => {
  const order = await someOrder(world, dice, sql`amount_due(o) <> 0 and status not in ('placed', 'processing')`)
  if (!order) return []
  const amount = taka(Math.max(1, Math.abs(order.due) * 100 * (dice.chance(40) ? 1 : dice.roll())))
  const kind = order.due > 0 ? 'write_off' : dice.pick(['fee', 'write_off'])
  return [await world.manager.post(`/admin/orders/adjustments/${order.id}`, { kind, amount, reason: 'As agreed', version: order.version })]
}

const reverse: Step = async (world, dice) => {
  const order = await someOrder(world, dice, sql`fee_poisha <> 0 or written_off_poisha <> 0`)
  if (!order) return []
  const body = { kind: dice.pick(['fee', 'write_off']), reason: 'Wrong', version: order.version }
  return [await world.manager.post(`/admin/orders/adjustments/reverse/${order.id}`, body)]
}

/** A sale at the counter with a discount, a part of which stays on account. */
const sellOnAccount: Step = async (world, dice) => {
  const { who } = dice.pick(world.cashiers)
  const sale = await saleOf(world, dice, linesOf(world, dice, 0), {})
  const discount = dice.chance(40) ? taka(dice.below(900)) : 0
  const total = taka((sale.total - discount) * 100)
  const paid = dice.chance(30) ? 0 : taka(dice.below(total * 100))
  const body = { ...sale, discount, total, transactions: { bkash: paid }, on_account: taka((total - paid) * 100) }
  return [await who.post('/admin/quick-orders/store', body, { headers: { 'idempotency-key': `account-${dice.roll()}` } })]
}

const payAccount: Step = async (world, dice) => {
  const { rows } = await sql<{ id: number; owed: number }>`
    select id, account_balance(id)::float8 as owed from users where phone = ${phoneOf(dice)}`.execute(world.db)
  const [account] = rows
  if (!account || account.owed <= 0) return []
  const { id, owed } = account
  const amount = taka(dice.chance(50) ? owed : 1 + dice.below(owed))
  const { who } = dice.pick(world.cashiers)
  const body = { amount, method: dice.pick(['cash', 'bkash']), owed: taka(owed) }
  return [await who.post(`/admin/quick-orders/account/${id}/payments`, body)]
}

/** A shift that is closed with or without a difference, and the next one at its drawer. */
const closeShift: Step = async (world, dice) => {
  const cashier = dice.pick(world.cashiers)
  const counted = { counted_cash: 9_000_000 + dice.below(3), counted_bkash: 0, counted_bank: 0, note: 'Counted twice' }
  const closed = await cashier.who.post('/admin/quick-orders/shift/close', counted)
  if (closed.status !== 200) return [closed]
  const opened = await cashier.who.post('/admin/quick-orders/shift/open', { opening_cash: 9_000_000 })
  cashier.shiftId = (opened.body as { shift_id?: number }).shift_id!
  return [closed, opened]
}

const aggregate: Step = async ({ db, shop }) => {
  await aggregateSales(db, shop.clock.now)
  return []
}

export const BOOK_STEPS = { refund, adjust, reverse, sellOnAccount, payAccount, closeShift, aggregate }

/** The categories of products, by the times at which they were put there. */
export type PastCategories = Map<number, { from: Date; category: number }[]>

export async function readCategories({ db }: StockShop): Promise<PastCategories> {
  const rows = await db.selectFrom('products').select(['id', 'category_id']).execute()
  return new Map(rows.map(({ id, category_id }) => [id, [{ from: new Date(0), category: category_id }]]))
}
