import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import type { ProductStatus } from '#features/catalog/types.ts'
import { type Db, inTransaction } from '#lib/db.server.ts'
import { statusOfCount } from './product-rules.ts'
import { findProductRecord, type ProductDetails } from './record.server.ts'

export interface StockWish {
  kind: 'received' | 'counted' | 'uncounted'
  /** Thousandths; null where nothing is said. */
  quantity: number | null
  note: string
  /** The newest movement that was seen; what somebody has entered since refuses. */
  seen?: number | undefined
}

export type StockResult =
  | { ok: true; product: ProductDetails }
  | { ok: false; reason: 'missing' | 'animal' | 'required' | 'too-much' | 'entered-since' }

const MOST_MILLI = 1_000_000_000_000

/**
 * Goods have come, or have been counted, or are not counted any more. What was sold meanwhile is sold: received goods are added to
 * what is there then. At nought the product is out of stock, with something it is back [S2].
 */
export function countStock(db: Db, who: Actor, id: number, wish: StockWish): Promise<StockResult> {
  return inTransaction(db, async (tx): Promise<StockResult> => {
    const { rows } = await sql<{ is_unique: boolean; stock_milli: number | null; status: ProductStatus }>`
      select is_unique, stock_milli, status from products where id = ${id} for update`.execute(tx)
    const was = rows[0]
    if (!was) return { ok: false, reason: 'missing' }
    if (was.is_unique) return { ok: false, reason: 'animal' }
    if (wish.kind !== 'uncounted' && (wish.quantity === null || (wish.kind === 'received' && wish.quantity === 0)))
      return { ok: false, reason: 'required' }
    if (wish.seen !== undefined && (await isEnteredSince(tx, id, wish.seen))) return { ok: false, reason: 'entered-since' }
    const now = stockAfter(was.stock_milli, wish)
    if (now !== null && now > MOST_MILLI) return { ok: false, reason: 'too-much' }
    const status = now === null ? was.status : statusOfCount(was.status, now)
    const delta = (now ?? 0) - (was.stock_milli ?? 0)
    if (delta !== 0) {
      await sql`insert into stock_movements (product_id, delta_milli, reason)
        values (${id}, ${delta}, ${wish.kind === 'received' ? 'received' : 'counted'})`.execute(tx)
    }
    await sql`update products set stock_milli = ${now}, status = ${status} where id = ${id}`.execute(tx)
    await audit(tx, who, {
      action: 'changed',
      subject: 'product',
      id,
      before: { stock: kilo(was.stock_milli), status: was.status },
      after: { stock: kilo(now), status, why: wish.kind, ...(wish.note ? { note: wish.note } : {}) },
    })
    const product = await findProductRecord(tx, id)
    if (!product) throw new Error(`product ${id} went while it was counted`)
    return { ok: true, product }
  })
}

/** Orders come and go meanwhile; goods that somebody entered may be the very same ones. */
async function isEnteredSince(tx: Db, id: number, seen: number): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select exists (select 1 from stock_movements
    where product_id = ${id} and id > ${seen} and order_id is null) as found`.execute(tx)
  return rows[0]!.found
}

function stockAfter(before: number | null, { kind, quantity }: StockWish): number | null {
  if (kind === 'uncounted') return null
  return kind === 'counted' ? quantity : (before ?? 0) + (quantity ?? 0)
}

const kilo = (milli: number | null) => (milli === null ? null : milli / 1000)

export interface StockMovement {
  id: number
  at: string
  delta: number
  reason: 'ordered' | 'freed' | 'counted' | 'received'
  order_id: number | null
}

/** The last movements of a product's stock, newest first. */
export async function listMovements(db: Db, id: number): Promise<StockMovement[]> {
  const { rows } = await sql<StockMovement>`select id, at, delta_milli::float8 / 1000 as delta, reason, order_id from stock_movements
    where product_id = ${id} order by id desc limit 12`.execute(db)
  return rows
}
