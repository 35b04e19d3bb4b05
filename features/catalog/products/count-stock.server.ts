import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type ProductStatus, statusOfCount } from '#features/stock/rules.ts'
import { setStock } from '#features/stock/stock.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { datesToText, type WithDates } from '#lib/db/rows.ts'
import { findProductRecord, type ProductDetails } from './product-editor-queries.server.ts'

export interface StockInput {
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

const MAX_MILLI = 1_000_000_000_000

/**
 * Goods have come, or have been counted, or are not counted any more. What was sold meanwhile is sold: received goods are added to
 * what is there then. At nought the product is out of stock, with something it is back [S2].
 */
export function countStock(db: Db, who: Actor, id: number, wish: StockInput): Promise<StockResult> {
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
    if (now !== null && now > MAX_MILLI) return { ok: false, reason: 'too-much' }
    const status = statusOfCount(was.status, now)
    await setStock(tx, id, { from: was.stock_milli, to: now, reason: wish.kind === 'received' ? 'received' : 'counted' })
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

function stockAfter(before: number | null, { kind, quantity }: StockInput): number | null {
  if (kind === 'uncounted') return null
  return kind === 'counted' ? quantity : (before ?? 0) + (quantity ?? 0)
}

const kilo = (milli: number | null) => (milli === null ? null : milli / 1000)

export interface StockMovement {
  id: number
  at: string
  delta: number
  reason: 'initial' | 'ordered' | 'freed' | 'counted' | 'received' | 'spoiled'
  order_id: number | null
  /** The staff member and the note of an adjustment; null for movements by orders. */
  by: string | null
  note: string | null
}

/**
 * The last movements of a product's stock, newest first. An adjustment and its audit entry are written in one transaction and carry the
 * same `now()`, so the entry tells the staff member and the note.
 */
export async function listMovements(db: Db, id: number): Promise<StockMovement[]> {
  const { rows } = await sql<WithDates<StockMovement, 'at'>>`
    select m.id, m.at, m.delta_milli::float8 / 1000 as delta, case when a.action = 'created' then 'initial' else m.reason end as reason,
      m.order_id, a.by, a.note
    from (select * from stock_movements where product_id = ${id} order by id desc limit 12) m
    left join lateral (
      select l.action, u.name as by, case when l.subject = 'product' then nullif(l.after ->> 'note', '') end as note
      from audit_log l join users u on u.id = l.actor_id
      where m.order_id is null and l.at = m.at
        and (l.subject = 'product' and l.subject_id = m.product_id::text or l.subject in ('order', 'unsent-sale'))
      order by l.subject = 'product' desc, l.id limit 1) a on true
    order by m.id desc`.execute(db)
  return rows.map(datesToText)
}
