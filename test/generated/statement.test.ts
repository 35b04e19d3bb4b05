import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { readStatement } from '#features/pos/account/statement.server.ts'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildCategory, buildProduct, buildUser } from '#test/factories.ts'
import { countStock } from '#test/invariants.ts'
import { expectLedger } from '#test/ledger-checks.ts'
import { openShop } from '#test/request.ts'
import type { Answer } from '#test/visitor.ts'
import { Dice, inStep, stepsOf } from './dice.ts'

// Generated lives of sales on account: paid, edited, weighed, returned in parts and as a whole, reopened, with fees, write-offs and store credit. The
// statement of an account up to any moment has the balance of that moment, also when it is read later.

const STEPS_RUN = stepsOf(90)
const DAYS = { from: '2020-01-01', to: '2100-01-01' }

const { db, url } = await testDb()
await sql`insert into settings (key, value) values ('pos_return', '{"taka":10000000,"day_taka":10000000,"days":30}'), ('cash_rounding', 'true')`.execute(
  db,
)
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { produce: 80, cattle: 1500 })
const category = await buildCategory(db, { delivery_group: 'cattle', final_weighing_days: 4 })
await db
  .insertInto('rate_tiers')
  .values([{ category_id: category.id, season: '', from_grams: 0, poisha_per_kg: 50_000 }])
  .execute()
const manager = await signedIn(shop, 'manager')
await manager.post('/admin/quick-orders/shift/open', { opening_cash: 9_000_000 })
const honey = await buildProduct(db, { unit: 'kg', stock_milli: 900_000_000, price_poisha: 12_345 })
const jar = await buildProduct(db, { unit: 'piece', stock_milli: 900_000_000, price_poisha: 4999 })
const customer = await buildUser(db, { credit_limit_poisha: 900_000_000 })
const before = await countStock(db)
const log: string[] = []
afterAll(async () => {
  expect(shop.failures).toEqual([])
  await expectLedger(db, before)
})

const taka = (poisha: number) => poisha / 100

interface AccountOrder {
  id: number
  version: number
  status: string
  due: number
  fee: number
  adjusted: boolean
  lines: { product_id: number; milli: number; price: number }[]
}

async function orders(where = sql`true`): Promise<AccountOrder[]> {
  const { rows } = await sql<AccountOrder>`select o.id, o.version, o.status, amount_due(o)::float8 as due, fee_poisha::float8 as fee,
      fee_poisha <> 0 or written_off_poisha <> 0 as adjusted, (select jsonb_agg(jsonb_build_object('product_id', product_id, 'milli', quantity_milli,
        'price', price_poisha) order by product_id) from order_lines where order_id = o.id) as lines
    from orders o join account_sales a on a.order_id = o.id where ${where} order by id desc limit 4`.execute(db)
  return rows
}

type Step = (dice: Dice) => Promise<Answer | null>
const onOne =
  (where: ReturnType<typeof sql>, act: (order: AccountOrder, dice: Dice) => Promise<Answer>): Step =>
  async (dice) => {
    const found = await orders(where)
    return found.length > 0 ? act(dice.pick(found), dice) : null
  }

const sell: Step = async (dice) => {
  const quantity = 1 + dice.below(9)
  const jars = dice.below(4)
  const isCow = dice.chance(20)
  const cow = isCow
    ? [
        {
          id: (await buildAnimal(db, { category_id: category.id, price_poisha: 10_000_000, weight_grams: 200_000 })).id,
          quantity: 1,
          price: 100_000,
        },
      ]
    : []
  const products = [
    { id: honey.id, quantity, price: taka(12_345) },
    ...(jars > 0 ? [{ id: jar.id, quantity: jars, price: taka(4999) }] : []),
    ...cow,
  ]
  const goods = quantity * 12_345 + jars * 4999 + (isCow ? 10_000_000 : 0)
  const isLater = dice.chance(50)
  const shipping = isLater ? (isCow ? 150_000 : 8000) : 0
  const discount = dice.chance(30) ? dice.below(3000) : 0
  const total = goods + shipping - discount
  const bkash = dice.chance(50) ? dice.below(total) : 0
  const body = {
    products,
    sub_total: taka(goods),
    shipping_cost: taka(shipping),
    discount: taka(discount),
    total: taka(total),
    transactions: { bkash: taka(bkash) },
    on_account: taka(total - bkash),
    customer: { phone: customer.phone },
    ...(isLater ? { delivery: { area_id: area.id, address: 'House 5' } } : {}),
  }
  return manager.post('/admin/quick-orders/store', body)
}

const pay: Step = async (dice) => {
  const { rows } = await sql<{ owed: number }>`select account_balance(${customer.id})::float8 as owed`.execute(db)
  const { owed } = rows[0]!
  if (owed <= 0) return null
  const amount = dice.chance(40) ? owed : Math.max(1, Math.floor(owed * dice.roll()))
  return manager.post(`/admin/quick-orders/account/${customer.id}/payments`, {
    amount: taka(amount),
    method: dice.pick(['cash', 'bkash']),
    owed: taka(owed),
  })
}

const payInAdmin = onOne(sql`true`, ({ id, version, due }, dice) => {
  const amount = taka(1 + dice.below(Math.max(due, 9000) * 1.2))
  return manager.post(`/admin/orders/payments/${id}`, { method: 'cash', amount, version, confirmed: true })
})

const refund = onOne(sql`amount_received(o) > 0`, ({ id, version }, dice) =>
  manager.post(`/admin/orders/refunds/${id}`, { method: 'cash', amount: taka(1 + dice.below(9000)), version }),
)

const edit = onOne(sql`true`, ({ id, version, lines }, dice) => {
  const price = dice.chance(30) ? String(50 + dice.below(90)) : ''
  const products = lines.map(({ product_id, milli }) => {
    const quantity = product_id === honey.id ? 1 + dice.below(9) : milli / 1000
    return { product_id, quantity: String(quantity), base_price: 0, price_on_order: product_id === honey.id ? price : '' }
  })
  const change = dice.pick<object>([
    { products },
    { discount: String(dice.below(50)) },
    { shipping_cost: String(dice.below(200)) },
    { remarks: `call ${dice.below(99)}` },
  ])
  return manager.post(`/admin/orders/update/${id}`, { address: 'House 5', area_id: area.id, version, ...change })
})

const move = onOne(sql`true`, ({ id, version, status }, dice) => {
  const next = { placed: 'processing', processing: 'on_delivery', on_delivery: 'delivered', delivered: 'completed' }[status]
  const reopened = { cancelled: 'placed', returned: 'processing', completed: 'delivered' }[status]
  const end = ['placed', 'processing'].includes(status) ? 'cancelled' : 'returned'
  const to = reopened && dice.chance(70) ? reopened : dice.chance(60) ? next : end
  return manager.post('/admin/orders/status', { orders: [{ id, version }], status: to ?? end, reason: 'As agreed' })
})

/** An edit that also changes the status, and often ends or reopens the order. */
const editAndMove = onOne(sql`true`, ({ id, version, status, lines }, dice) => {
  const to = {
    placed: 'cancelled',
    processing: 'on_delivery',
    on_delivery: 'returned',
    delivered: 'returned',
    completed: 'delivered',
    cancelled: 'placed',
    returned: 'processing',
  }[status]
  const products = lines.map(({ product_id, milli }) => {
    const quantity = product_id === honey.id ? 1 + dice.below(9) : milli / 1000
    return { product_id, quantity: String(quantity), base_price: 0, price_on_order: '' }
  })
  return manager.post(`/admin/orders/update/${id}`, {
    address: 'House 5',
    area_id: area.id,
    version,
    products,
    status: to,
    reason: 'As agreed',
  })
})

const returnLines = onOne(sql`status in ('on_delivery', 'delivered', 'completed')`, ({ id, version, lines }, dice) => {
  const back = lines
    .filter(() => dice.chance(70))
    .map(({ product_id, milli }) => ({ product_id, quantity: dice.chance(50) ? milli / 1000 : 1 }))
  return manager.post(`/admin/orders/returns/${id}`, { lines: back, reason: 'Not ripe', version })
})

const takeBack = onOne(sql`status in ('on_delivery', 'delivered', 'completed')`, async ({ id, lines }, dice) => {
  const back = lines
    .filter(() => dice.chance(70))
    .map(({ product_id, milli }) => ({ product_id, quantity: dice.chance(50) ? milli / 1000 : 1 }))
  const body = (refund: object) => ({ lines: back, refund, reason: 'Not ripe' })
  const first = await manager.post(`/admin/quick-orders/return/${id}`, body({ cash: 1 }))
  const { refund: due } = first.body as { refund?: number }
  if (due === undefined) return first
  return manager.post(
    `/admin/quick-orders/return/${id}`,
    body(dice.pick([{ cash: Math.round(due) }, { cash: due }, { store_credit: due }, { bkash: due }])),
  )
})

const weigh = onOne(sql`exists (select 1 from animal_holds where order_id = o.id)`, async ({ id, lines }, dice) => {
  const cow = lines.find(({ product_id }) => product_id !== honey.id && product_id !== jar.id)!.product_id
  const weighing = { weight_kg: 150 + dice.below(100), weighed_on: '2026-11-20', method: 'scale', weighed_by: 'Rafiq', confirmed: true }
  await manager.post(`/admin/animals/${cow}/weigh-ins`, weighing)
  return manager.post(`/admin/orders/${id}/settle`, { animal_id: cow })
})

const adjust = onOne(sql`amount_due(o) <> 0`, ({ id, version, due }, dice) => {
  const amount = taka(Math.max(1, Math.round(Math.abs(due) * (dice.chance(40) ? 1 : dice.roll()))))
  return manager.post(`/admin/orders/adjustments/${id}`, {
    kind: due > 0 ? 'write_off' : dice.pick(['fee', 'write_off']),
    amount,
    reason: 'As agreed',
    version,
  })
})

const reverse = onOne(sql`fee_poisha <> 0 or written_off_poisha <> 0`, ({ id, version, fee }) =>
  manager.post(`/admin/orders/adjustments/reverse/${id}`, { kind: fee === 0 ? 'write_off' : 'fee', reason: 'Wrong', version }),
)

const STEPS: Record<string, Step> = {
  sell,
  pay,
  payInAdmin,
  refund,
  edit,
  move,
  editAndMove,
  returnLines,
  takeBack,
  weigh,
  adjust,
  reverse,
}
const NAMES = [
  'sell',
  'sell',
  'edit',
  'edit',
  'move',
  'move',
  'move',
  'editAndMove',
  'editAndMove',
  'pay',
  'payInAdmin',
  'refund',
  'returnLines',
  'takeBack',
  'weigh',
  'adjust',
  'adjust',
  'reverse',
]

const balances: { at: string; step: string; due: number }[] = []

async function run(at: number): Promise<void> {
  const dice = new Dice(at)
  shop.clock.now = new Date(shop.clock.now.getTime() + 5000)
  const name = dice.pick(NAMES)
  const answer = await STEPS[name]!(dice)
  log.push(`${at} ${name}: ${answer ? `${answer.status} ${answer.text.slice(0, 160)}` : 'nothing'}`)
  const { rows } = await sql<{
    due: number
  }>`select coalesce(sum(amount_due(o)), 0)::float8 as due from orders o join account_sales a on a.order_id = o.id`.execute(db)
  balances.push({ at: shop.clock.now.toISOString(), step: `${at} ${name}`, due: rows[0]!.due })
  const statement = await readStatement(db, customer.id, DAYS)
  const shown = balances.map(({ at: moment, step }) => ({
    at: moment,
    step,
    due: statement.rows.filter((row) => row.at <= moment).reduce((sum, row) => sum + row.amount, 0),
  }))
  expect(
    shown
      .filter(({ due }, n) => due !== balances[n]!.due)
      .map((one) => ({ ...one, was: balances.find(({ step }) => step === one.step)!.due })),
  ).toEqual([])
}

it('the statement up to each moment has the balance of that moment', { timeout: 600_000 }, async () => {
  for (let at = 0; at < STEPS_RUN; at++) await inStep(at, log, () => run(at))
  if (process.env.GENERATED_LOG) console.log(log.join('\n'))
})
