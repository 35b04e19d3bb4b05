import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { HAD_LEFT } from '#features/orders/status-conditions.server.ts'
import { MAX_STOCK_MILLI, statusOfCount } from '#features/stock/rules.ts'
import { lockOrdersOfUncounted, setStock } from '#features/stock/stock.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { datesToText, type WithDates } from '#lib/db/rows.ts'
import { findProductRecord, type ProductDetails } from './product-editor-queries.server.ts'
import type { STOCK_ENTRIES } from './product-rules.ts'

export interface StockInput {
  kind: (typeof STOCK_ENTRIES)[number]
  /** Thousandths; null when not given. */
  quantity: number | null
  note: string
  /** The newest movement on the sender's screen. A newer adjustment is a conflict. */
  lastEntryId?: number | undefined
}

export type StockResult =
  | { ok: true; product: ProductDetails }
  | { ok: false; reason: 'missing' | 'animal' | 'required' | 'too-much' | 'entered-since' }

/**
 * Records received or counted stock, or ends the counting. Received quantities are added to the current stock, which concurrent orders may
 * have reduced. Without stock the product is out of stock, with stock it is available again [S2].
 */
export function countStock(db: Db, actor: Actor, id: number, input: StockInput): Promise<StockResult> {
  return inTransaction(db, async (tx): Promise<StockResult> => {
    if (input.kind !== 'uncounted') await lockOrdersOfUncounted(tx, id)
    const was = await tx
      .selectFrom('products')
      .select(['is_unique', 'stock_milli', 'status'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!was) return { ok: false, reason: 'missing' }
    if (was.is_unique) return { ok: false, reason: 'animal' }
    if (input.kind !== 'uncounted' && (input.quantity === null || (input.kind === 'received' && input.quantity === 0)))
      return { ok: false, reason: 'required' }
    if (input.lastEntryId !== undefined && (await isEnteredSince(tx, id, input.lastEntryId))) return { ok: false, reason: 'entered-since' }
    const now = stockAfter(was.stock_milli, input)
    if (now !== null && now > MAX_STOCK_MILLI) return { ok: false, reason: 'too-much' }
    const status = statusOfCount(was.status, now)
    await setStock(tx, id, { from: was.stock_milli, to: now, reason: input.kind === 'received' ? 'received' : 'counted' })
    await audit(tx, actor, {
      action: 'changed',
      subject: 'product',
      id,
      before: { stock: inUnits(was.stock_milli), status: was.status },
      after: { stock: inUnits(now), status, why: input.kind, ...(input.note ? { note: input.note } : {}) },
    })
    const product = await findProductRecord(tx, id)
    if (!product) throw new Error(`product ${id} was deleted while it was counted`)
    return { ok: true, product }
  })
}

/** Whether staff have entered an adjustment since: it may be the same delivery. Movements by orders do not count. */
async function isEnteredSince(tx: Db, id: number, lastEntryId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('stock_movements')
    .select('id')
    .where('product_id', '=', id)
    .where('id', '>', lastEntryId)
    .where('order_id', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

function stockAfter(before: number | null, { kind, quantity }: StockInput): number | null {
  if (kind === 'uncounted') return null
  return kind === 'counted' ? quantity : (before ?? 0) + (quantity ?? 0)
}

const inUnits = (milli: number | null) => (milli === null ? null : milli / 1000)

export interface StockMovement {
  id: number
  at: string
  delta: number
  reason: 'initial' | 'ordered' | 'freed' | 'returned' | 'counted' | 'received' | 'spoiled'
  order_id: number | null
  /** The staff member and the note of an adjustment; null for movements by orders. */
  by: string | null
  note: string | null
  /** The stock take that counted the product, and the reason of its difference. */
  take: { id: number; reason: 'counted' | 'spoiled' | 'lost' | 'found' } | null
}

/** Whether the order of a movement `m` had left the shop. */
const WAS_SENT = sql`(select ${HAD_LEFT} from order_events e
  where e.order_id = m.order_id and e.to_status is not null and e.at <= m.at order by e.id desc limit 1)`

/**
 * The last movements of a product's stock, newest first. An adjustment and its audit entry are written in one transaction and carry the
 * same `now()`, so the entry tells the staff member and the note. A count that found the expected stock has the entry of its stock take.
 * Products that leave an order after it was sent are returned, not released; so are those of a return without a receipt.
 */
export async function listMovements(db: Db, id: number): Promise<StockMovement[]> {
  const { rows } = await sql<WithDates<StockMovement, 'at'>>`
    select m.id, m.at, m.delta_milli::float8 / 1000 as delta, m.order_id,
      case when a.action = 'created' then 'initial' when m.reason = 'freed' and (m.order_id is null or ${WAS_SENT}) then 'returned'
        else m.reason end as reason,
      a.by, a.note, a.take
    from (select * from stock_movements where product_id = ${id} order by id desc limit 12) m
    left join lateral (
      select l.action, u.name as by, case when l.subject = 'product' then nullif(l.after ->> 'note', '') end as note,
        case when l.subject = 'stock-take' then jsonb_build_object('id', l.subject_id::bigint, 'reason', 'counted')
          when l.subject = 'product' and l.after ? 'stock_take'
          then jsonb_build_object('id', l.after -> 'stock_take', 'reason', l.after -> 'take_reason') end as take
      from audit_log l join users u on u.id = l.actor_id
      where m.order_id is null and l.at = m.at
        and (l.subject = 'product' and l.subject_id = m.product_id::text or l.subject in ('order', 'unsent-sale', 'stock-take'))
      order by l.subject = 'product' desc, l.id limit 1) a on true
    order by m.id desc`.execute(db)
  return rows.map(datesToText)
}
