import { sql } from 'kysely'
import { dhakaDate } from '#lib/format/time.ts'
import { sometimesTwice, type Step } from './stock-shop.ts'

// Steps of the farm: counting, stock takes, weighing, and what is offered.

const count: Step = async (world, dice) => {
  const { id, quantities } = dice.pick(world.products)
  const isSeldom = id === world.seldomCounted
  const kind = dice.pick(['received', 'received', 'counted', isSeldom ? 'uncounted' : 'received'])
  const quantity = kind === 'uncounted' ? '' : String(quantities[0]! * dice.below(kind === 'received' ? 20 : 8))
  return [await world.manager.post(`/admin/products/${id}/stock`, { kind, quantity, note: '' })]
}

/** One step of a stock take: begins, scans, counts again, removes a line, closes or cancels. */
const takeStock: Step = async (world, dice) => {
  const { rows } = await sql<{
    id: number
    revision: string
  }>`select t.id, md5(coalesce(string_agg(concat_ws(':', l.product_id, l.version), ',' order by l.product_id), '')) as revision
    from stock_takes t left join stock_take_lines l on l.take_id = t.id where t.state = 'open' group by t.id order by t.id limit 1`.execute(
    world.db,
  )
  const take = rows[0]
  if (!take) return [await world.manager.post('/admin/stock-takes', { category_id: '', note: '' })]
  const path = `/admin/stock-takes/${take.id}`
  if (dice.chance(5)) return [await world.manager.post(`${path}/cancel`)]
  if (dice.chance(25)) return [await world.manager.post(`${path}/close`, { revision: take.revision })]
  const product_id = dice.chance(40) ? dice.pick(world.animals) : dice.pick(world.products).id
  if (dice.chance(50)) return [await world.manager.post(`${path}/scan`, { product_id, quantity: String(1 + dice.below(2)) })]
  const line = await world.db
    .selectFrom('stock_take_lines')
    .select('version')
    .where('take_id', '=', take.id)
    .where('product_id', '=', product_id)
    .executeTakeFirst()
  if (line && dice.chance(25)) return [await world.manager.post(`${path}/remove`, { product_id, version: line.version })]
  const { rows: expected } = await sql<{
    units: number
  }>`select stock_milli / 1000.0::float8 as units from products where id = ${product_id}`.execute(world.db)
  const isAnimal = world.animals.includes(product_id)
  const quantity = String(isAnimal ? dice.below(2) : Math.max(0, (expected[0]?.units ?? 0) + dice.below(5) - 2))
  const body = {
    product_id,
    quantity,
    reason: dice.pick(['counted', 'counted', 'lost', 'found', 'spoiled']),
    version: line?.version ?? null,
  }
  return [await world.manager.post(`${path}/count`, body)]
}

const weigh: Step = async (world, dice) => {
  const animal = dice.pick(world.animals)
  const weighing = {
    weight_kg: 180 + dice.below(60),
    weighed_on: dhakaDate(world.shop.clock.now),
    method: 'scale',
    weighed_by: 'Karim',
    confirmed: true,
  }
  return [await world.manager.post(`/admin/animals/${animal}/weigh-ins`, weighing)]
}

const settle: Step = async (world, dice) => {
  const { rows } = await sql<{
    id: number
    animal: number
  }>`select order_id as id, product_id as animal from animal_holds order by 1`.execute(world.db)
  if (rows.length === 0) return []
  const { id, animal } = dice.pick(rows)
  return sometimesTwice(dice, () => world.manager.post(`/admin/orders/${id}/settle`, { animal_id: animal }))
}

const offer: Step = async (world, dice) => {
  const ids = [...world.animals, ...world.products.map(({ id }) => id)].filter(() => dice.chance(30))
  if (ids.length === 0) return []
  const change = dice.pick([
    { what: 'status', status: dice.pick(['in-stock', 'in-stock', 'pre-book', 'hold', 'sold', 'out-of-stock']) },
    { what: 'status', status: 'in-stock' },
    { what: 'visible', visible: dice.chance(80) },
    { what: 'archived', archived: dice.chance(30) },
    { what: 'delivery_on', delivery_on: dice.pick(['', '2090-06-07']) },
  ])
  const preview = await world.manager.post('/admin/products/bulk', { ...change, ids })
  const { previewHash } = preview.body as { previewHash?: string }
  return [await world.manager.post('/admin/products/bulk', { ...change, ids, previewHash })]
}

const release: Step = async (world, dice) => {
  const { rows } = await sql<{
    id: number
    version: number
  }>`select id, version from products where hold_reason = 'returned' order by id`.execute(world.db)
  if (rows.length === 0) return []
  const { id, version } = dice.pick(rows)
  return [
    await world.manager.post(`/admin/animals/${id}/release`, {
      outcome: dice.pick(['healthy', 'healthy', 'ill', 'not-for-sale']),
      reason: 'Seen',
      version,
    }),
  ]
}

export const FARM_STEPS = { count, takeStock, weigh, settle, offer, release }
