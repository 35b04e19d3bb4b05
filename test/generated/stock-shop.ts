import { sql } from 'kysely'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import type { Db } from '#lib/db/db.server.ts'
import { buildAnimal, buildArea, buildCategory, buildProduct } from '#test/factories.ts'
import type { TestShop } from '#test/request.ts'
import type { Answer, Visitor } from '#test/visitor.ts'
import type { Dice } from './dice.ts'

// One small shop whose products and animals are sold by all channels.

type Staff = Visitor & { id: number }
export type Lines = [productId: number, quantity: number][]

export interface StockShop {
  db: Db
  shop: TestShop
  area: number
  /** Products with the quantities that are sold. */
  products: { id: number; price: number; quantities: number[] }[]
  /** A product that is counted from time to time only. */
  seldomCounted: number
  animals: number[]
  manager: Staff
  cashiers: { who: Staff; shiftId: number }[]
  supervisor: { phone: string; code: string }
  /** Orders of shoppers, with the browser that may open them. */
  placed: { id: number; visitor: Visitor }[]
}

const SUPERVISOR_CODE = '403917'

export async function openStockShop(db: Db, shop: TestShop): Promise<StockShop> {
  await sql`insert into settings (key, value) values ('pos_return', '{"taka":10000000,"day_taka":10000000,"days":30}')`.execute(db)
  shop.deps.catalogRevision.advance()
  const area = await buildArea(db, { cattle: 1500, produce: 80 })
  const cattle = await buildCategory(db, { delivery_group: 'cattle', final_weighing_days: 4 })
  await db
    .insertInto('rate_tiers')
    .values([{ category_id: cattle.id, season: '', from_grams: 0, poisha_per_kg: 55_000 }])
    .execute()
  const jar = { unit: 'piece', price_poisha: 50_000 }
  const built = [
    await buildProduct(db, { ...jar, stock_milli: 14_000 }),
    await buildProduct(db, { unit: 'kg', stock_milli: 9000, price_poisha: 10_000, status: 'pre-book' }),
    await buildProduct(db, { stock_milli: 40_000, price_poisha: 12_000, sizes_milli: [5000, 10_000] }),
    await buildProduct(db, { ...jar, stock_milli: 12_000 }),
  ]
  const quantities = [
    [1, 2, 5],
    [0.5, 1.25, 3],
    [5, 10],
    [1, 3],
  ]
  const products = built.map(({ id, price_poisha }, at) => ({ id, price: price_poisha / 100, quantities: quantities[at]! }))
  const animals = []
  for (let n = 0; n < 4; n++)
    animals.push((await buildAnimal(db, { category_id: cattle.id, delivery_on: n === 3 ? '2090-06-06' : null })).id)
  const cashiers = []
  const manager = await signedIn(shop, 'manager')
  // The manager sells products on hold without an approval.
  for (const who of [await signedIn(shop, 'cashier'), await signedIn(shop, 'cashier'), manager]) {
    const { body } = await who.post('/admin/quick-orders/shift/open', { opening_cash: 9_000_000 })
    cashiers.push({ who, shiftId: (body as { shift_id?: number }).shift_id! })
  }
  await manager.post('/admin/quick-orders/code', { code: SUPERVISOR_CODE })
  const { phone } = await db.selectFrom('users').select('phone').where('id', '=', manager.id).executeTakeFirstOrThrow()
  const supervisor = { phone, code: SUPERVISOR_CODE }
  return { db, shop, area: area.id, products, seldomCounted: built[3]!.id, animals, manager, cashiers, supervisor, placed: [] }
}

export const phoneOf = (dice: Dice) => `017${30_000_000 + dice.below(6)}`

export function linesOf({ products, animals }: StockShop, dice: Dice, animalChance = 45): Lines {
  const lines = new Map<number, number>()
  if (dice.chance(animalChance)) lines.set(dice.pick(animals), 1)
  for (let left = dice.below(3) + (lines.size === 0 ? 1 : 0); left > 0; left--) {
    const { id, quantities } = dice.pick(products)
    lines.set(id, dice.pick(quantities))
  }
  return [...lines]
}

interface OrderRow {
  id: number
  version: number
  status: string
  due: number
  lines: { product_id: number; milli: number }[]
}

export async function someOrder({ db }: StockShop, dice: Dice, where = sql`true`): Promise<OrderRow | undefined> {
  const { rows } = await sql<OrderRow>`select o.id, o.version, o.status, amount_due(o)::float8 / 100 as due,
      (select jsonb_agg(jsonb_build_object('product_id', product_id, 'milli', quantity_milli) order by product_id) from order_lines where order_id = o.id) as lines
    from orders o where ${where} order by id desc limit 5`.execute(db)
  return rows.length > 0 ? dice.pick(rows) : undefined
}

export type Step = (world: StockShop, dice: Dice) => Promise<Answer[]>

/** Sends a request by one or by two at once. */
export const sometimesTwice = (dice: Dice, send: () => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(dice.chance(30) ? [send(), send()] : [send()])
