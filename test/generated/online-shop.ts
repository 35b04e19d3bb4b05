import { sql } from 'kysely'
import { payAtSimulator } from '#features/orders/testing/online-payments.ts'
import type { Gateway, PaymentOutcome } from '#features/payments/gateway.ts'
import type { RunningSimulator } from '#features/payments/testing/start-simulator.ts'
import { poisha } from '#lib/format/money.ts'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import { listDate } from '#features/orders/list-date.ts'
import { addDays, DAY_MS } from '#lib/format/time.ts'
import type { Db } from '#lib/db/db.server.ts'
import { buildAnimal, buildCoupon, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import type { TestShop } from '#test/request.ts'
import type { Answer, Visitor } from '#test/visitor.ts'
import { type Dice } from './dice.ts'
import { linesOf, openStockShop, phoneOf, type StockShop } from './stock-shop.ts'

// The shop of all channels at the payment simulator, and what its customers have sent beside it: by transfer, and as store credit.

export interface OnlineShop extends StockShop {
  simulator: RunningSimulator
  /** Payment pages that customers opened. */
  pages: { page: string; at: Date }[]
  buyers: { phone: string; visitor: Visitor }[]
  codes: string[]
  /** Sold later than the others. */
  later: number
  /** What the answers of the staff say of each transfer, by method and transaction. */
  transfers: Map<string, number>
  /** Store credit that was given and not spent yet. */
  credit: number
}

/** Of some attempts the gateway reports less than was asked for, a risk, or a second payment: each time the same. */
function strange(gateway: Gateway): Gateway {
  const told = (outcome: PaymentOutcome, tranId: string): PaymentOutcome => {
    if (outcome.state !== 'paid') return outcome
    const kind = [...tranId].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 8
    const amountPoisha = poisha(outcome.amountPoisha - (kind === 0 ? 12_345 : 0))
    const { eventId, gatewayTxn, currency } = outcome
    const second = { eventId: `${eventId}B`, gatewayTxn: `${gatewayTxn}B`, amountPoisha, currency }
    return { ...outcome, amountPoisha, isRisky: kind === 1, extra: kind === 2 ? [second] : [] }
  }
  return {
    ...gateway,
    confirm: async (attempt, hint) => told(await gateway.confirm(attempt, hint), attempt.tranId),
    query: async (attempt) => told(await gateway.query(attempt), attempt.tranId),
  }
}

export type OnlineStep = (world: OnlineShop, dice: Dice) => Promise<Answer[]>

export async function openOnlineShop(db: Db, shop: TestShop, first: string): Promise<OnlineShop> {
  const world = await openStockShop(db, shop)
  const sold = { price_poisha: 12_345, stock_milli: 500_000, coupon_applicable: true }
  const open = await buildProduct(db, sold)
  const later = await buildProduct(db, {
    ...sold,
    status: 'pre-book',
    delivery_on: addDays(listDate(new Date(first), DEFAULT_SETTINGS.cutoff_hour), 30),
  })
  const { category_id } = await db
    .selectFrom('products')
    .select('category_id')
    .where('id', '=', world.animals[0]!)
    .executeTakeFirstOrThrow()
  for (let n = 0; n < 8; n++) world.animals.push((await buildAnimal(db, { category_id })).id)
  const collection = { is_offered: true, address: { en: 'The farm', bn: 'খামার' }, note: { en: '', bn: '' } }
  await sql`insert into settings (key, value) values ('collection', ${JSON.stringify(collection)}::jsonb)`.execute(db)
  shop.deps.catalogRevision.advance()
  for (const { id } of [open, later]) world.products.push({ id, price: 123.45, quantities: [1, 3, 7] })
  const codes = [(await buildCoupon(db, { percent_bp: 1500, max_uses: 3 })).code, (await buildCoupon(db, { kind: 'free_shipping' })).code]
  const buyers = []
  for (let n = 0; n < 2; n++) {
    const { phone } = await buildUser(db, { phone_verified_at: sql`now()` })
    const visitor = shop.visitor()
    await visitor.signIn(phone)
    buyers.push({ phone, visitor })
  }
  const { simulator } = await payAtSimulator(shop)
  Object.assign(shop.deps.gateways, { sslcommerz: strange(simulator.sslcommerz), bkash: strange(simulator.bkash) })
  return { ...world, simulator, pages: [], buyers, codes, later: later.id, transfers: new Map(), credit: 0 }
}

const CASH = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
const partly = (gateway: string, amount: number) => ({
  payment_type: 'partial',
  payment_gateway: gateway,
  payable_amount: amount,
  partial_payment: amount,
})

/** An order of a guest or a customer: delivered at once or in two parts, or collected. */
export const orderOnline: OnlineStep = async (world, dice) => {
  const lines = new Map(linesOf(world, dice, 50))
  if (dice.chance(40)) lines.set(world.later, 2)
  const hasAnimal = [...lines.keys()].some((id) => world.animals.includes(id))
  const gateway = dice.pick(['sslcommerz', 'bkash'])
  const amount = dice.pick([11_500, 11_580, 40_000])
  const online = { payment_type: 'full', payment_gateway: gateway }
  const payment = dice.pick<object>(hasAnimal ? [online, partly(gateway, amount), partly('NONE', amount)] : [online, CASH])
  const way = dice.pick<object>([{}, {}, { deliveries: 2 }, { collection: true }])
  const buyer = dice.chance(40) ? dice.pick(world.buyers) : null
  const coupon = buyer !== null && dice.chance(60) ? dice.pick(world.codes) : null
  const sent = orderBody(world.area, [...lines], { ...payment, ...way, couponDiscountAmount: null, couponFreeShipping: null })
  const body = {
    ...sent,
    customer: { ...sent.customer, phone: buyer?.phone ?? phoneOf(dice) },
    products: sent.products.map((line) => ({ ...line, coupon })),
  }
  const visitor = buyer?.visitor ?? world.shop.visitor()
  const answer = await visitor.post('/customer-orders', body)
  const { order_id: id, redirect_url: page } = answer.body
  if (answer.status === 200 && id) {
    world.placed.push({ id, visitor })
    if (page) world.pages.push({ page, at: world.shop.clock.now })
  }
  return [answer]
}

/** Opens another payment page, or one for the rest. */
const payAgain: OnlineStep = async (world, dice) => {
  if (world.placed.length === 0) return []
  const { id, visitor } = dice.pick(world.placed.slice(-8))
  const { body } = await visitor.get(`/payments/status?order=${id}`)
  const rest = dice.chance(50) && 'due_amount' in body ? { due_amount: body.due_amount } : {}
  const answer = await visitor.post(`/orders/${id}/pay`, { ...rest, payment_gateway: dice.pick(['sslcommerz', 'bkash']) })
  if (answer.status === 200) world.pages.push({ page: answer.body.redirect_url!, at: world.shop.clock.now })
  return [answer]
}

/** Pays on a page of the last day, after the end of its order too. The browser comes back, twice at once, or not at all: a card is charged all the same. */
const payPage: OnlineStep = async ({ simulator, pages, shop }, dice) => {
  const open = pages.filter(({ at }) => shop.clock.now.getTime() - at.getTime() < DAY_MS).slice(-6)
  const one = open.length > 0 ? dice.pick(open) : undefined
  if (!one) return []
  const isCard = one.page.includes('EasyCheckOut')
  await simulator.faults({ notify: 'never' })
  const pressed = await simulator.press(one.page, isCard ? 'Pay with VISA' : 'Pay').catch(() => null)
  const comeBack = () =>
    fetch(pressed!.location, { ...(isCard ? { method: 'POST', body: new URLSearchParams(pressed!.body) } : {}), redirect: 'manual' })
  if (pressed?.location.startsWith('http') && dice.chance(70)) await Promise.all(dice.chance(40) ? [comeBack(), comeBack()] : [comeBack()])
  return []
}

export const ONLINE_ORDER_STEPS = { orderOnline, payAgain, payPage }
