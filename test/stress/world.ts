import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { RunningSimulator } from '#features/payments/testing/start-simulator.ts'
import type { Db } from '#lib/db/db.server.ts'
import { buildAddress, buildAnimal, buildArea, buildCategory, buildCoupon, buildProduct, buildUser } from '#test/factories.ts'
import type { TestShop } from '#test/request.ts'
import type { Answer, Visitor } from '#test/visitor.ts'

// The shop of the stress test: few products and many actors, so that their actions conflict.

/** A signed-in user with a session in each process. */
export interface Person {
  id: number
  phone: string
  at: [Visitor, Visitor]
}

/** An order placed by a shopper, with the browser that may open it. */
export interface Placed {
  id: number
  visitor: Visitor
  page: string | null
}

export interface World {
  db: Db
  shops: [TestShop, TestShop]
  simulator: RunningSimulator
  area: number
  cattle: number
  /** Products with and without stock tracking and pack sizes, with their allowed quantities. */
  products: { id: number; quantities: number[]; isCounted: boolean }[]
  animals: number[]
  coupons: string[]
  customers: Person[]
  managers: Person[]
  cashiers: Person[]
  placed: Placed[]
  /** Unexpected responses. */
  problems: string[]
  /** The number and the first text of responses by action and status. */
  tried: Map<string, Map<number, { times: number; text: string }>>
}

/** A random integer from 0 to `below` - 1. */
export const random = (below: number): number => Math.floor(Math.random() * below)
export const pick = <T>(list: readonly T[]): T => list[random(list.length)]!
export const chance = (percent: number): boolean => random(100) < percent
export const taka = (poisha: number): number => Math.round(poisha) / 100
export const newKey = (): string => randomBytes(12).toString('hex')

const FEW_PHONES = 12
/** One of few numbers, so that one customer often orders concurrently. */
export const somePhone = (): string => `017${String(30_000_000 + random(FEW_PHONES))}`

async function signIn(shops: [TestShop, TestShop], user: { id: number; phone: string }): Promise<Person> {
  const at = [shops[0].visitor(), shops[1].visitor()] as [Visitor, Visitor]
  for (const visitor of at) await visitor.signIn(user.phone)
  return { id: user.id, phone: user.phone, at }
}

async function people(world: Pick<World, 'db' | 'shops'>, count: number, role: 'customer' | 'manager' | 'cashier'): Promise<Person[]> {
  const found = []
  for (let n = 0; n < count; n++) found.push(await signIn(world.shops, await buildUser(world.db, { role, phone_verified_at: sql`now()` })))
  return found
}

export async function buildWorld(db: Db, shops: [TestShop, TestShop], simulator: RunningSimulator): Promise<World> {
  for (const shop of shops)
    Object.assign(shop.deps.gateways, { sslcommerz: simulator.sslcommerz, bkash: simulator.bkash, default: 'sslcommerz' })
  // Cashiers may return products without a supervisor.
  await sql`insert into settings (key, value) values ('pos_return', '{"taka":10000000,"day_taka":10000000}')
    on conflict (key) do update set value = excluded.value`.execute(db)
  for (const { deps } of shops) deps.catalogRevision.advance()
  const { id: area } = await buildArea(db, { cattle: 1500, produce: 80 })
  const { id: cattle } = await buildCategory(db, { key: 'kurbani' })
  await sql`insert into rate_tiers (category_id, season, from_grams, poisha_per_kg) values (${cattle}, 'storm', 1000, 55000)`.execute(db)
  const jar = { unit: 'piece', price_poisha: 50_000, coupon_applicable: true }
  const rows = [
    { row: { ...jar, stock_milli: 30_000 }, quantities: [1, 2, 3] },
    { row: { ...jar, stock_milli: 4000, discount_kind: 'fixed', discount_value: 1250 }, quantities: [1, 2] },
    { row: { stock_milli: 200_000, sizes_milli: [5000, 10_000], coupon_applicable: true }, quantities: [5, 10, 15] },
    { row: { discount_kind: 'percentage', discount_value: 733 }, quantities: [1, 2, 7] },
  ]
  const world: World = {
    db,
    shops,
    simulator,
    area,
    cattle,
    products: [],
    animals: [],
    coupons: [],
    customers: await people({ db, shops }, 4, 'customer'),
    managers: await people({ db, shops }, 2, 'manager'),
    cashiers: await people({ db, shops }, 2, 'cashier'),
    placed: [],
    problems: [],
    tried: new Map(),
  }
  for (const { row, quantities } of rows)
    world.products.push({ id: (await buildProduct(db, row)).id, quantities, isCounted: 'stock_milli' in row })
  for (let n = 0; n < 6; n++) await addAnimal(world)
  for (const customer of world.customers) await buildAddress(db, customer.id, area)
  const terms = [{ max_uses: 6 }, { max_uses_per_customer: 2 }, { kind: 'others', value_poisha: 5025 }]
  for (const term of terms) world.coupons.push((await buildCoupon(db, term)).code)
  for (const cashier of world.cashiers) await cashier.at[0].post('/admin/quick-orders/shift/open', { opening_cash: 500_000 })
  return world
}

/** Adds a cow. */
export async function addAnimal(world: World): Promise<void> {
  const days = [null, '2090-06-06', '2090-06-08']
  const { id } = await buildAnimal(world.db, { category_id: world.cattle, season: 'storm', delivery_on: pick(days) })
  world.animals.push(id)
}

/** Random order lines of distinct products, sometimes with one of the latest animals. */
export function someLines(world: World, { animals = 45 } = {}): [id: number, quantity: number][] {
  const lines = new Map<number, number>()
  if (chance(animals)) lines.set(pick(world.animals.slice(-6)), 1)
  for (let left = random(3) + (lines.size === 0 ? 1 : 0); left > 0; left--) {
    const { id, quantities } = pick(world.products)
    lines.set(id, pick(quantities))
  }
  return [...lines]
}

/** Records a response. A status that is not allowed is a problem. */
export function recordAnswer(world: World, what: string, answer: Answer, allowed: readonly number[]): Answer {
  const answers = world.tried.get(what) ?? new Map<number, { times: number; text: string }>()
  const counted = answers.get(answer.status) ?? { times: 0, text: answer.text.slice(0, 160) }
  counted.times += 1
  world.tried.set(what, answers.set(answer.status, counted))
  // On a machine with other work a lock may be waited for in vain: nothing is written then. The test bounds their number.
  if (![...allowed, 503].includes(answer.status)) world.problems.push(`${what}: ${answer.status} ${answer.text.slice(0, 300)}`)
  return answer
}

/** One of the latest orders; null when there is none. */
export async function someOrder(
  world: World,
  where = sql`true`,
): Promise<{ id: number; version: number; status: string; source: string } | null> {
  const { rows } = await sql<{ id: number; version: number; status: string; source: string }>`
    select id, version, status, source from orders o where ${where} order by id desc limit 12`.execute(world.db)
  return rows.length > 0 ? pick(rows) : null
}
