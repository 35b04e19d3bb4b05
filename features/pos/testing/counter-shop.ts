import { findSoldSale } from '../sale-queries.server.ts'
import { returnSums } from '#features/orders/returns/return-rules.ts'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import type { Db } from '#lib/db/db.server.ts'
import { buildCoupon, buildProduct } from '#test/factories.ts'
import type { TestShop } from '#test/request.ts'
import type { Answer, Visitor } from '#test/visitor.ts'

// Two registers whose drawers, wallets and bank account are counted beside the shop, by what the test itself hands over and takes. Amounts are
// whole poisha.

export const METHODS = ['cash', 'bkash', 'bank', 'nagad'] as const
export type Method = (typeof METHODS)[number]
export type Money = Record<Method, number>

/** Random numbers of a step: each is below 1. */
export type Rolls = readonly number[]

const NOTHING: Money = { cash: 0, bkash: 0, bank: 0, nagad: 0 }
const SUPERVISOR_CODE = '403917'
const PHONES = ['01712345671', '01712345672', '01712345673']
const taka = (poisha: number) => poisha / 100
const toPoisha = (amount: number) => Math.round(amount * 100)
const wholeTaka = (poisha: number) => Math.floor((poisha + 50) / 100) * 100
const pick = <T>(from: readonly T[], roll: number): T => from[Math.floor(roll * from.length)]!

export interface Register {
  name: string
  who: Visitor & { id: number }
  /** The open shift and the money of it that was counted by hand. */
  shiftId: number
  counted: Money
}

interface CounterShop {
  db: Db
  shop: TestShop
  registers: Register[]
  products: { id: number; price: number; step: number }[]
  coupon: string
  /** POS sales that may come back. */
  sales: number[]
  supervisor: { phone: string; code: string }
  done: Record<string, number>
}

/** Opens the shop: cash rounded, Nagad on, three customers with a credit limit, awkward prices, and two open shifts. */
export async function openCounterShop(db: Db, shop: TestShop): Promise<CounterShop> {
  const settings = {
    cash_rounding: true,
    pos_methods: { nagad: true, rocket: false, card: false },
    pos_discount: { percent: 30, taka: 100_000 },
    pos_return: { taka: 1_000_000, day_taka: 10_000_000, days: 30 },
  }
  for (const [key, value] of Object.entries(settings)) {
    await db
      .insertInto('settings')
      .values({ key, value: JSON.stringify(value) })
      .execute()
  }
  const manager = await signedIn(shop, 'manager')
  await manager.post('/admin/quick-orders/code', { code: SUPERVISOR_CODE })
  const { phone } = await db.selectFrom('users').select('phone').where('id', '=', manager.id).executeTakeFirstOrThrow()
  for (const one of PHONES) await db.insertInto('users').values({ name: 'Rahima', phone: one, credit_limit_poisha: 500_000 }).execute()
  const counted = { stock_milli: 100_000_000, coupon_applicable: true }
  const rows = await Promise.all([
    buildProduct(db, { ...counted, price_poisha: 12_345 }),
    buildProduct(db, { ...counted, price_poisha: 8333, discount_kind: 'percentage', discount_value: 1000 }),
    buildProduct(db, { ...counted, price_poisha: 4999, unit: 'piece' }),
    buildProduct(db, { ...counted, price_poisha: 61_007, sizes_milli: [125, 500] }),
  ])
  const steps = [10, 10, 1000, 125]
  // The price of the second one after 10 %, in whole taka.
  const products = rows.map(({ id, price_poisha }, at) => ({ id, price: at === 1 ? 7500 : price_poisha, step: steps[at]! }))
  const { code: coupon } = await buildCoupon(db, { percent_bp: 1500 })
  const registers: Register[] = []
  for (const name of ['Gate', 'Hall']) registers.push({ name, who: await signedIn(shop, 'cashier'), shiftId: 0, counted: { ...NOTHING } })
  const counter = { db, shop, registers, products, coupon, sales: [], supervisor: { phone, code: SUPERVISOR_CODE }, done: {} }
  for (const register of registers) await openShift(register, 20_000_000)
  return counter
}

export async function openShift(register: Register, cash: number): Promise<void> {
  const opened = await register.who.post('/admin/quick-orders/shift/open', { opening_cash: taka(cash), register: register.name })
  register.shiftId = (expectDone(opened).body as { shift_id?: number }).shift_id!
  register.counted = { ...NOTHING, cash }
}

/** Closes the shift with what was counted by hand, without a reason: a difference is refused. */
export async function closeShift({ who, counted }: Register): Promise<Answer> {
  const counts = Object.fromEntries(METHODS.map((method) => [`counted_${method}`, taka(counted[method])]))
  return who.post('/admin/quick-orders/shift/close', counts)
}

function expectDone(answer: Answer): Answer {
  if (answer.status !== 200) throw new Error(answer.text)
  return answer
}

function count({ done }: CounterShop, what: string): void {
  done[what] = (done[what] ?? 0) + 1
}

/** Lines of one to three products with quantities that the shop sells. */
function linesOf({ products }: CounterShop, rolls: Rolls) {
  const size = 1 + Math.floor(rolls[0]! * 3)
  const first = Math.floor(rolls[1]! * products.length)
  return Array.from({ length: size }, (_, at) => {
    const { id, price, step } = products[(first + at) % products.length]!
    const milli = step * (1 + Math.floor(rolls[2 + at]! * (step === 1000 ? 4 : 40)))
    return { id, price, milli, total: Math.floor((price * milli * 2 + 1000) / 2000) }
  })
}

interface Tender {
  paid: Partial<Money>
  change: number
  body: object
}

/** Divides a sum over methods. Cash is rounded, handed over in notes of 500 taka, and gives change. */
function tenderOf(due: number, rolls: Rolls): Tender {
  const paid: Partial<Money> = {}
  let rest = due
  for (const [at, method] of (['bkash', 'bank', 'nagad'] as const).entries()) {
    const part = rolls[at]! < 0.35 ? Math.floor(rest * Math.min(1, rolls[at]! * 4)) : 0
    if (part > 0) paid[method] = part
    rest -= part
  }
  const cash = wholeTaka(rest)
  const handed = Math.ceil(cash / 50_000) * 50_000
  if (cash > 0) paid.cash = cash
  const sent = { ...paid, ...(handed > 0 ? { cash: handed } : {}) }
  const transactions = Object.fromEntries(Object.entries(sent).map(([method, amount]) => [method, taka(amount)]))
  return { paid, change: handed - cash, body: { transactions, change_amount: taka(handed - cash) } }
}

/** What a refund pays back, by random methods. Cash is rounded over the returns of the sale so far. */
function refundOf(refund: number, { required, carried }: { required: number; carried: number }, rolls: Rolls) {
  const credit = Math.min(refund, Math.max(required, rolls[0]! < 0.2 ? Math.floor(refund / 2) : 0))
  const bkash = rolls[1]! < 0.3 ? Math.floor((refund - credit) / 3) : 0
  const exact = refund - credit - bkash
  const cash = exact > 0 ? wholeTaka(exact + carried) : 0
  const refunded = { cash: taka(cash), bkash: taka(bkash), ...(credit > 0 ? { store_credit: taka(credit) } : {}) }
  return { paid: { cash: -cash, bkash: -bkash }, refunded, credit }
}

function book({ counted }: Register, money: Partial<Money>): void {
  for (const method of METHODS) counted[method] += money[method] ?? 0
}

/** What a customer owes and has as store credit. */
async function accountOf({ who }: Register, phone: string) {
  const { body } = await who.get(`/api/admin/quick-orders/account?phone=${phone}`)
  const { account, store_credit } = body as { account: { owed: number; left: number }; store_credit: number }
  return { owed: toPoisha(account.owed), left: toPoisha(account.left), credit: toPoisha(store_credit) }
}

/** The sums of a new sale, and its body without payment. */
async function newSale(counter: CounterShop, register: Register, rolls: Rolls, couponAllowed: boolean) {
  const phone = pick(PHONES, rolls[6]!)
  const lines = linesOf(counter, rolls)
  const subtotal = lines.reduce((sum, line) => sum + line.total, 0)
  const products = lines.map(({ id, price, milli }) => ({ id, quantity: String(milli / 1000), price: taka(price) }))
  const base = { products, customer: { phone }, sub_total: taka(subtotal) }
  if (couponAllowed && rolls[5]! < 0.2) {
    const sent = products.map(({ price: _price, ...line }) => line)
    const priced = await register.who.post('/api/admin/quick-orders/coupon', { coupon: counter.coupon, phone, products: sent })
    // A coupon that takes off no more than the product discounts is refused.
    if (priced.status === 200) {
      count(counter, 'coupon')
      const total = subtotal - toPoisha((priced.body as { discount?: number }).discount!)
      return { phone, total, body: { ...base, coupon: counter.coupon, total: taka(total) } }
    }
  }
  const discount = rolls[5]! < 0.5 ? Math.floor(subtotal * rolls[5]! * 0.3) : 0
  // A part of it on the first line alone.
  const own = Math.min(lines[0]!.total, Math.floor(discount / 2))
  if (own > 0) count(counter, 'line discount')
  const sent = products.map((line, at) => (at === 0 && own > 0 ? { ...line, discount: taka(own) } : line))
  const body = { ...base, products: sent, discount: taka(discount), total: taka(subtotal - discount) }
  return { phone, total: subtotal - discount, body }
}

export async function sell(counter: CounterShop, register: Register, rolls: Rolls): Promise<void> {
  const { phone, total, body } = await newSale(counter, register, rolls, true)
  const { left, credit } = await accountOf(register, phone)
  const onAccount = rolls[7]! < 0.3 ? Math.min(left, Math.floor(total * rolls[7]! * 3)) : 0
  const storeCredit = rolls[8]! < 0.5 ? Math.min(credit, total - onAccount) : 0
  const tender = tenderOf(total - onAccount - storeCredit, rolls.slice(9))
  const more = {
    ...(onAccount > 0 ? { on_account: taka(onAccount) } : {}),
    ...(storeCredit > 0 ? { store_credit: taka(storeCredit) } : {}),
  }
  const sold = expectDone(await register.who.post('/admin/quick-orders/store', { ...body, ...tender.body, ...more }))
  book(register, tender.paid)
  counter.sales.push(sold.body.order_id!)
  count(counter, 'sale')
  if (onAccount > 0) count(counter, 'on account')
  if (storeCredit > 0) count(counter, 'store credit spent')
}

/** Some of what is left of a sale, or all of it: what comes back and is refunded. Null when nothing is left. */
async function planReturn({ db }: CounterShop, orderId: number, rolls: Rolls, isAll: boolean) {
  const sale = (await findSoldSale(db, orderId, 'en'))!
  const left = sale.lines.map((line) => ({ ...line, left: line.quantityMilli - line.returnedMilli })).filter((line) => line.left > 0)
  const some = left.slice(0, 1 + Math.floor(rolls[0]! * left.length))
  const lines = (isAll ? left : some).map(({ productId, unit, left: milli }, at) => {
    const share = Math.max(1, Math.floor(milli * rolls[1 + at]!))
    const part = unit === 'piece' ? Math.max(1000, Math.floor(share / 1000) * 1000) : share
    return { productId, quantityMilli: isAll ? milli : part }
  })
  if (lines.length === 0 || sale.status === 'returned') return null
  const { refund } = returnSums(sale, lines)
  const sent = lines.map(({ productId, quantityMilli }, at) => {
    return { product_id: productId, quantity: String(quantityMilli / 1000), spoiled: rolls[3 + at]! < 0.3 }
  })
  return { sale, refund, sent }
}

/** What must come back as store credit of a refund: what the money of the sale does not cover. */
const creditOf = (refund: number, { paid, creditPaid }: { paid: number; creditPaid: number }) =>
  Math.max(0, Math.min(refund, refund - (paid - creditPaid)))

export async function takeBack(counter: CounterShop, register: Register, rolls: Rolls, of?: number): Promise<void> {
  const orderId = of ?? (counter.sales.length > 0 ? pick(counter.sales, rolls[15]!) : 0)
  const plan = orderId > 0 ? await planReturn(counter, orderId, rolls, of !== undefined) : null
  if (!plan) return
  const { sale, refund, sent } = plan
  const { paid, refunded, credit } = refundOf(refund, { required: creditOf(refund, sale), carried: sale.cashCarried }, rolls.slice(8))
  const body = { lines: sent, refund: refunded, reason: 'Not ripe', returns: sale.returns.length }
  expectDone(await register.who.post(`/admin/quick-orders/return/${orderId}`, body))
  book(register, paid)
  count(counter, 'return')
  if (credit > 0) count(counter, 'store credit given')
}

export async function exchange(counter: CounterShop, register: Register, rolls: Rolls): Promise<void> {
  const orderId = counter.sales.length > 0 ? pick(counter.sales, rolls[15]!) : 0
  const plan = orderId > 0 ? await planReturn(counter, orderId, rolls, rolls[14]! < 0.5) : null
  if (!plan) return
  const { sale, refund, sent } = plan
  const taken = await newSale(counter, register, rolls.slice(3), false)
  const exchanged = Math.min(refund, taken.total)
  const paidBack = refund - exchanged
  const back = refundOf(paidBack, { required: creditOf(paidBack, sale), carried: sale.cashCarried }, rolls.slice(8))
  const tender = tenderOf(taken.total - exchanged, rolls.slice(9))
  const body = { ...taken.body, ...tender.body, exchange: { lines: sent, refund: back.refunded, reason: 'Another one' } }
  const done = expectDone(await register.who.post(`/admin/quick-orders/exchange/${orderId}`, body))
  book(register, tender.paid)
  book(register, back.paid)
  counter.sales.push(done.body.order_id!)
  count(counter, paidBack > 0 ? 'exchange for less' : 'exchange for more')
}

export async function payOnAccount(counter: CounterShop, register: Register, rolls: Rolls): Promise<void> {
  const phone = pick(PHONES, rolls[0]!)
  const { owed } = await accountOf(register, phone)
  if (owed === 0) return
  const method = pick(METHODS, rolls[1]!)
  const isAll = rolls[2]! < 0.5
  const amount = isAll ? owed : Math.max(1, Math.floor(owed * rolls[3]!))
  const rounded = wholeTaka(owed)
  const paid = method === 'cash' && amount === owed && rounded > 0 ? rounded : amount
  const { id } = await counter.db.selectFrom('users').select('id').where('phone', '=', phone).executeTakeFirstOrThrow()
  const received = method === 'cash' ? { received: taka(paid + 700) } : {}
  const body = { amount: taka(amount), method, owed: taka(owed), ...received }
  expectDone(await register.who.post(`/admin/quick-orders/account/${id}/payments`, body))
  book(register, { [method]: paid })
  count(counter, 'account payment')
}

export async function moveCash(counter: CounterShop, register: Register, rolls: Rolls): Promise<void> {
  const amount = 1 + Math.floor(rolls[0]! * 50_000)
  const isIn = rolls[1]! < 0.5 || register.counted.cash < amount
  const body = { direction: isIn ? 'in' : 'out', amount: taka(amount), reason: `Change ${rolls[2]}` }
  expectDone(await register.who.post('/admin/quick-orders/shift/cash', body))
  book(register, { cash: isIn ? amount : -amount })
  count(counter, 'cash movement')
}

export async function takeBackWithoutReceipt(counter: CounterShop, register: Register, rolls: Rolls): Promise<void> {
  const lines = linesOf(counter, rolls)
  const worth = lines.reduce((sum, line) => sum + line.total, 0)
  const { paid, refunded } = refundOf(worth, { required: 0, carried: 0 }, rolls.slice(6))
  const sent = lines.map(({ id, price, milli }) => ({ product_id: id, quantity: String(milli / 1000), price: taka(price) }))
  const body = { lines: sent, phone: pick(PHONES, rolls[8]!), reason: 'Sour', refund: refunded, supervisor: counter.supervisor }
  expectDone(await register.who.post('/admin/quick-orders/return-without-receipt', body))
  book(register, paid)
  count(counter, 'return without receipt')
}
