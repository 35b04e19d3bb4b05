import { sql } from 'kysely'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import type { Db } from '#lib/db/db.server.ts'
import { buildArea, buildProduct } from '#test/factories.ts'
import type { TestShop } from '#test/request.ts'
import type { Answer, Visitor } from '#test/visitor.ts'
import type { Dice } from './dice.ts'

// Drawers whose cash is counted beside the shop, by the answers alone. Cash goes through them by sales, returns, late sales of a device, orders of
// the admin, payments on account and cash movements. Amounts are whole poisha.

interface Drawer {
  name: string
  who: Visitor & { id: number }
  shiftId: number
  cash: number
  bkash: number
}

export interface CashShop {
  db: Db
  shop: TestShop
  area: number
  honey: number
  drawers: Drawer[]
  /** Sales that a device could not send yet. */
  unsent: { drawer: Drawer; key: string; body: object; cash: number; bkash: number }[]
  /** What a closed shift had, by its id. */
  closed: Map<number, string>
}

const PRICE = 12_345
/** Reached by some ten sales on account. */
export const CREDIT_LIMIT = 150_000
const PHONE = '01712345671'
export const taka = (poisha: number) => poisha / 100

export async function openCashShop(db: Db, shop: TestShop): Promise<CashShop> {
  await sql`insert into settings (key, value) values ('pos_return', '{"taka":10000000,"day_taka":10000000,"days":30}')`.execute(db)
  shop.deps.catalogRevision.advance()
  const area = await buildArea(db, { produce: 80 })
  const honey = await buildProduct(db, { stock_milli: 900_000_000, price_poisha: PRICE })
  await db.insertInto('users').values({ name: 'Rahima', phone: PHONE, credit_limit_poisha: CREDIT_LIMIT }).execute()
  const drawers: Drawer[] = []
  for (const [name, role] of [
    ['Gate', 'cashier'],
    ['Hall', 'cashier'],
    ['Office', 'manager'],
  ] as const)
    drawers.push({ name, who: await signedIn(shop, role), shiftId: 0, cash: 0, bkash: 0 })
  const world = { db, shop, area: area.id, honey: honey.id, drawers, unsent: [], closed: new Map() }
  for (const drawer of drawers) await openShift(drawer, 500_000)
  return world
}

async function openShift(drawer: Drawer, cash: number): Promise<Answer> {
  const answer = await drawer.who.post('/admin/quick-orders/shift/open', { opening_cash: taka(cash), register: drawer.name })
  if (answer.status === 200) Object.assign(drawer, { shiftId: (answer.body as { shift_id?: number }).shift_id, cash, bkash: 0 })
  return answer
}

/** The report of a shift, its entries and its movements, as one text. */
export async function shiftText(db: Db, id: number): Promise<string> {
  const { rows } = await sql<{ text: string }>`select concat(
      (select s::text from pos_shifts s where id = ${id}), (select string_agg(c::text, '') from pos_shift_counts c where shift_id = ${id}),
      (select string_agg(m::text, ',' order by id) from pos_cash_movements m where shift_id = ${id}),
      (select string_agg(e::text, ',' order by id) from ledger_entries e where shift_id = ${id})) as text`.execute(db)
  return rows[0]!.text
}

/** Closes the shift with what was counted by hand, without a reason: a difference is refused. */
export async function closeShift(world: CashShop, drawer: Drawer): Promise<Answer> {
  const { shiftId, cash, bkash } = drawer
  const counts = { counted_cash: taka(cash), counted_bkash: taka(bkash), counted_bank: 0 }
  const answer = await drawer.who.post('/admin/quick-orders/shift/close', counts)
  if (answer.status === 200) {
    world.closed.set(shiftId, await shiftText(world.db, shiftId))
    drawer.shiftId = 0
  }
  return answer
}

/** Opens the next shift at each drawer whose shift was closed, with the cash that is in it. */
export async function reopenDrawers({ drawers }: CashShop): Promise<void> {
  for (const drawer of drawers) if (drawer.shiftId === 0) await openShift(drawer, drawer.cash)
}

export type Step = (world: CashShop, dice: Dice) => Promise<Answer[]>

/** Counts the money of each different thing that was done: the same request twice at once is done once. */
export function countBy(answers: Answer[], idOf: (answer: Answer) => unknown, add: () => void): Answer[] {
  const done = new Set(answers.filter(({ status }) => status === 200).map(idOf))
  for (let n = 0; n < done.size; n++) add()
  return answers
}

function saleOf({ honey }: CashShop, dice: Dice) {
  const milli = 10 * (1 + dice.below(300))
  const total = Math.floor((PRICE * milli * 2 + 1000) / 2000)
  const bkash = dice.chance(30) ? Math.floor(total * dice.roll()) : 0
  const cash = total - bkash
  const handed = Math.ceil(cash / 10_000) * 10_000
  const body = {
    products: [{ id: honey, quantity: String(milli / 1000), price: taka(PRICE) }],
    sub_total: taka(total),
    total: taka(total),
    discount: 0,
    transactions: { cash: taka(handed), bkash: taka(bkash) },
    change_amount: taka(handed - cash),
    customer: { phone: PHONE },
  }
  return { body, cash, bkash }
}

const sell: Step = async (world, dice) => {
  const drawer = dice.pick(world.drawers)
  const { body, cash, bkash } = saleOf(world, dice)
  const headers = { 'idempotency-key': `sale-${dice.roll()}` }
  const send = () => drawer.who.post('/admin/quick-orders/store', body, { headers })
  const answers = await Promise.all(dice.chance(30) ? [send(), send()] : [send()])
  return countBy(
    answers,
    ({ body }) => body.order_id,
    () => {
      drawer.cash += cash
      drawer.bkash += bkash
    },
  )
}

/** A device sells without network. */
const sellOffline: Step = async (world, dice) => {
  const drawer = dice.pick(world.drawers)
  const { body, cash, bkash } = saleOf(world, dice)
  const sold = { sold_at: world.shop.clock.now.toISOString(), cashier_id: drawer.who.id, shift_id: drawer.shiftId }
  world.unsent.push({ drawer, key: `unsent-${dice.roll()}`, body: { ...body, ...sold }, cash, bkash })
  return []
}

/** The device sends what waits, twice at once or not. A sale of a closed shift goes to the one that is open, once a person says so. */
const deliver: Step = async (world, dice) => {
  const waiting = world.unsent.splice(0, 1 + dice.below(3))
  const all: Answer[] = []
  for (const { drawer, key, body, cash, bkash } of waiting) {
    const headers = { 'idempotency-key': key, 'x-sent-at': world.shop.clock.now.toISOString() }
    const send = (sent: object) => drawer.who.post('/admin/quick-orders/store', sent, { headers })
    const isOfOpenShift = (body as { shift_id: number }).shift_id === drawer.shiftId
    const add = () => {
      drawer.cash += cash
      drawer.bkash += bkash
    }
    const answers = countBy(await Promise.all(dice.chance(50) ? [send(body), send(body)] : [send(body)]), (one) => one.body.order_id, add)
    if (!isOfOpenShift && answers.some(({ status }) => status !== 409)) throw new Error(`a sale of a closed shift: ${answers[0]!.text}`)
    all.push(...answers)
    if (answers.every(({ body: { reason } }) => reason === 'shift-closed'))
      all.push(
        ...countBy(
          await Promise.all([send({ ...body, shift_id: null }), send({ ...body, shift_id: null })]),
          (one) => one.body.order_id,
          add,
        ),
      )
  }
  return all
}

const takeBack: Step = async (world, dice) => {
  const { rows } = await sql<{
    id: number
    left: number
    returns: number
  }>`select o.id, (l.quantity_milli - coalesce((select sum(b.quantity_milli) from pos_returns r
      join pos_return_lines b on b.return_id = r.id where r.order_id = o.id), 0))::float8 as left, (select count(*)::int from pos_returns where order_id = o.id) as returns
    from orders o join order_lines l on l.order_id = o.id where o.source = 'pos' and o.status = 'completed' order by o.id desc limit 12`.execute(
    world.db,
  )
  if (rows.length === 0) return []
  const { id, left, returns } = dice.pick(rows)
  const drawer = dice.pick(world.drawers)
  const path = `/admin/quick-orders/return/${id}`
  const lines = [
    {
      product_id: world.honey,
      quantity: String((dice.chance(40) ? left : Math.max(1, Math.floor(left * dice.roll()))) / 1000),
      spoiled: dice.chance(20),
    },
  ]
  const body = (cash: number) => ({ lines, refund: { cash }, reason: 'Not ripe', returns })
  const first = await drawer.who.post(path, body(0))
  const { refund } = first.body as { refund?: number }
  if (first.status !== 422 || refund === undefined) return [first]
  const others = dice.chance(40) ? [drawer, dice.pick(world.drawers)] : [drawer]
  return Promise.all(
    others.map(async (one) => {
      const answer = await one.who.post(path, body(refund))
      if (answer.status === 200) one.cash -= Math.round(refund * 100)
      return answer
    }),
  )
}

const moveCash: Step = async (world, dice) => {
  const drawer = dice.pick(world.drawers)
  const direction = dice.pick(['in', 'out'] as const)
  const amount = 1 + dice.below(direction === 'out' && dice.chance(20) ? 2_000_000 : 90_000)
  const send = (key: string) =>
    drawer.who.post(
      '/admin/quick-orders/shift/cash',
      { direction, amount: taka(amount), reason: 'Change' },
      { headers: { 'idempotency-key': key } },
    )
  const key = `move-${dice.roll()}`
  const answers = await Promise.all(dice.chance(30) ? [send(key), send(key)] : [send(key)])
  return countBy(
    answers,
    () => 'once',
    () => (drawer.cash += direction === 'in' ? amount : -amount),
  )
}

/** Sales on account at one register, or at two at once. */
const onAccount: Step = async (world, dice) => {
  const { body, cash, bkash } = saleOf(world, dice)
  const sale = { ...body, transactions: { bkash: taka(bkash) }, change_amount: 0, on_account: taka(cash) }
  const both = dice.chance(50) ? world.drawers.slice(0, 2) : [dice.pick(world.drawers)]
  const key = `account-${dice.roll()}`
  return Promise.all(
    both.map(async (drawer) => {
      const answer = await drawer.who.post('/admin/quick-orders/store', sale, { headers: { 'idempotency-key': `${key}-${drawer.name}` } })
      if (answer.status === 200) drawer.bkash += bkash
      return answer
    }),
  )
}

export const owed = async ({ db }: CashShop): Promise<number> =>
  (await sql<{ owed: number }>`select account_balance(id)::float8 as owed from users where phone = ${PHONE}`.execute(db)).rows[0]!.owed

const payAccount: Step = async (world, dice) => {
  const { rows } = await sql<{
    id: number
    owed: number
  }>`select id, account_balance(id)::float8 as owed from users where phone = ${PHONE}`.execute(world.db)
  const { id, owed } = rows[0]!
  if (owed <= 0) return []
  const amount = dice.chance(50) ? owed : Math.max(1, Math.floor(owed * dice.roll()))
  const both = dice.chance(50) ? world.drawers.slice(0, 2) : [dice.pick(world.drawers)]
  const body = { amount: taka(amount), method: 'cash', owed: taka(owed) }
  return Promise.all(
    both.map(async (drawer) => {
      const answer = await drawer.who.post(`/admin/quick-orders/account/${id}/payments`, body)
      if (answer.status === 200) drawer.cash += amount
      return answer
    }),
  )
}

const close: Step = async (world, dice) => [await closeShift(world, dice.pick(world.drawers))]

export const COUNTER_CASH_STEPS = { sell, sellOffline, deliver, takeBack, moveCash, onAccount, payAccount, close }
