import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { type Discount, fixedDiscount } from '#features/catalog/shown-price-rules.ts'
import type { ProductStatus } from '#features/catalog/types.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import type { BulkChangeInput } from './forms.ts'
import { priceAtWeight } from './live-weight-rules.ts'
import { draftProblems } from './photo-draft-rules.ts'
import { allowedStatuses, animalStock, changedPrice, heldFor, isPriceMissing, type PriceChange } from './product-rules.ts'
import { OPEN_ORDER_ID } from './product-editor-queries.server.ts'
import { listRateTiers } from './rate-tiers.server.ts'
import { writeArchived } from './archive-product.server.ts'
import { lockProductsWithOrders, recordAnimalStock } from '#features/stock/stock.server.ts'
import { takaToPoisha } from '#lib/format/money.ts'

/** The change of one product. */
export interface BulkLine {
  id: number
  name_en: string
  name_bn: string
  tag_number: string | null
  before: string | number | boolean
  after: string | number | boolean
  /** The message key of the reason when the product cannot be changed. */
  refused: string | null
  /** The order that is still to be delivered and holds the animal to be archived. */
  open_order_id: number | null
}

export type BulkResult =
  /** `previewHash` is the hash of the preview. A request with it applies exactly this preview. */
  | { ok: true; lines: BulkLine[]; previewHash: string; isDone: boolean }
  /** Products have changed since the preview; the lines are a new preview. */
  | { ok: false; reason: 'stale'; lines: BulkLine[]; previewHash: string }

interface Row {
  id: number
  version: number
  name_en: string
  name_bn: string
  tag_number: string | null
  price_poisha: number
  discount_kind: Discount['kind'] | null
  discount_value: number | null
  status: ProductStatus
  is_unique: boolean
  stock_milli: number | null
  visible: boolean
  archived_at: Date | null
  sold_by_live_weight: boolean
  weight_grams: number | null
  category_id: number
  season: string
  is_claimed: boolean
  open_order_id: number | null
  is_returned: boolean | null
  delivery_on: string | null
}

/**
 * Updates price, status, visibility or delivery date of several products in one transaction, or archives or restores them. Without
 * `previewHash` it returns a preview.
 */
export function changeSeveral(db: Db, actor: Actor, input: BulkChangeInput, now: Date): Promise<BulkResult> {
  return inTransaction(db, async (tx): Promise<BulkResult> => {
    if (input.what === 'delivery_on' && input.previewHash !== undefined)
      await lockProductsWithOrders(
        tx,
        input.ids.map((id) => ({ id, day: input.delivery_on })),
      )
    const rows = await lockRows(tx, input.ids)
    const lines = rows.map((row) => lineOf(row, input))
    const previewHash = createHash('sha256')
      .update(
        JSON.stringify([
          input.what,
          rows.map((row) => [row.id, row.version]),
          lines.map((line) => [line.after, line.refused, line.open_order_id]),
        ]),
      )
      .digest('hex')
    if (input.previewHash === undefined) return { ok: true, lines, previewHash, isDone: false }
    if (input.previewHash !== previewHash) return { ok: false, reason: 'stale', lines, previewHash }
    const byId = new Map(rows.map((row) => [row.id, row]))
    for (const line of lines) {
      if (line.refused !== null || line.before === line.after) continue
      const row = byId.get(line.id) as Row
      if (input.what === 'archived') await writeArchived(tx, actor, row, input.archived, now)
      else await write(tx, actor, row, line, input)
    }
    return { ok: true, lines, previewHash, isDone: true }
  })
}

async function lockRows(tx: Db, ids: number[]): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select p.id, p.version, p.name_en, p.name_bn, p.tag_number, p.price_poisha, p.discount_kind, p.discount_value, p.status, p.is_unique, p.stock_milli,
      p.visible, p.archived_at, p.sold_by_live_weight, p.weight_grams, p.category_id, p.season, p.hold_reason = 'returned' as is_returned,
      p.delivery_on, exists (select 1 from animal_holds c where c.product_id = p.id) as is_claimed, ${OPEN_ORDER_ID} as open_order_id
    from products p where p.id = any(${ids}::bigint[]) order by p.id for update of p`.execute(tx)
  return rows
}

function lineOf(row: Row, input: BulkChangeInput): BulkLine {
  const { id, name_en, name_bn, tag_number } = row
  const line = (before: BulkLine['before'], after: BulkLine['after'], refused: string | null): BulkLine => ({
    id,
    name_en,
    name_bn,
    tag_number,
    before,
    after: refused === null ? after : before,
    refused,
    open_order_id: input.what === 'archived' && input.archived && row.archived_at === null ? row.open_order_id : null,
  })
  switch (input.what) {
    case 'price': {
      const price = row.price_poisha / 100
      if (row.sold_by_live_weight) return line(price, price, 'products.price-by-weight')
      const next = changedPrice(row.price_poisha, priceChange(input))
      if (next === null) return line(price, price, 'products.price-none')
      const isBelowDiscount = fixedDiscount(row) > next
      return line(price, next / 100, isBelowDiscount ? 'products.price-below-discount' : null)
    }
    case 'status':
      return line(row.status, input.status, whyNotStatus(row, input.status))
    case 'visible':
      return line(row.visible, input.visible, input.visible ? whyHidden(row) : null)
    case 'delivery_on':
      return line(row.delivery_on ?? '', input.delivery_on ?? '', null)
    case 'archived':
      return line(placeOf(row), input.archived ? 'archived' : row.archived_at ? 'hidden' : placeOf(row), null)
  }
}

const placeOf = ({ archived_at, visible }: Row) => (archived_at ? 'archived' : visible ? 'in-shop' : 'hidden')

/** The message key of the reason why a product cannot have this status; null when it can. */
function whyNotStatus(row: Row, status: ProductStatus): string | null {
  const kind = row.is_unique ? 'animal' : 'goods'
  const isReturned = row.is_returned === true
  if (allowedStatuses({ kind, stockMilli: row.stock_milli, isClaimed: row.is_claimed, isReturned }).includes(status)) return null
  return row.is_claimed ? 'products.claimed' : isReturned ? 'products.returned' : 'products.count-says'
}

/** The message key of the reason why a product cannot be shown; null when it can. */
function whyHidden(row: Row): string | null {
  const { archived_at, sold_by_live_weight, weight_grams, price_poisha, visible } = row
  if (archived_at !== null) return 'products.archived-hidden'
  if (visible) return null
  if (sold_by_live_weight && weight_grams === null) return 'products.weight-missing'
  if (!sold_by_live_weight && isPriceMissing(price_poisha)) return 'products.price-missing'
  return draftProblems(row)[0]?.[1] ?? null
}

function priceChange(input: Extract<BulkChangeInput, { what: 'price' }>): PriceChange {
  return input.by === 'percent' ? { by: 'percent', basisPoints: input.amount } : { by: input.by, poisha: input.amount }
}

type FieldChange = Exclude<BulkChangeInput, { what: 'archived' }>

async function write(tx: Db, actor: Actor, row: Row, line: BulkLine, input: FieldChange): Promise<void> {
  const changes = await toColumns(tx, row, line, input)
  await tx.updateTable('products').set(changes).where('id', '=', row.id).execute()
  const field = input.what
  const price = input.what === 'status' && 'price_poisha' in changes ? Number(changes.price_poisha) / 100 : null
  await audit(tx, actor, {
    action: 'changed',
    subject: 'product',
    id: row.id,
    before: { [field]: line.before, ...(price === null ? {} : { price: row.price_poisha / 100 }) },
    after: { [field]: line.after, ...(price === null ? {} : { price }) },
  })
}

/**
 * The price in poisha of an animal that is no longer sold: new rates leave sold animals alone. Null where the price stays: without a rate,
 * or where it would be below the discount.
 */
async function priceAfterSale(tx: Db, row: Row): Promise<number | null> {
  const { status, is_claimed, sold_by_live_weight, weight_grams: grams, category_id, season } = row
  if (status !== 'sold' || is_claimed || !sold_by_live_weight || grams === null) return null
  const price = priceAtWeight(grams, await listRateTiers(tx, category_id, season), fixedDiscount(row))
  return typeof price === 'number' && price !== row.price_poisha ? price : null
}

async function toColumns(tx: Db, row: Row, line: BulkLine, input: FieldChange): Promise<Record<string, unknown>> {
  switch (input.what) {
    case 'price':
      return { price_poisha: takaToPoisha(Number(line.after)) }
    case 'visible':
      return { visible: input.visible }
    case 'delivery_on':
      return { delivery_on: input.delivery_on }
    case 'status': {
      const { status } = input
      const hold_reason = status === 'hold' ? heldFor({ isClaimed: row.is_claimed, isReturned: row.is_returned === true }) : null
      const stock = row.is_unique ? await recordAnimalStock(tx, row.id, row.stock_milli ?? 0, animalStock(status, row.is_claimed)) : {}
      const price = await priceAfterSale(tx, row)
      return { status, hold_reason, ...stock, ...(price === null ? {} : { price_poisha: price }) }
    }
  }
}
