import { sql } from 'kysely'
import type { OrderClerk } from '#features/orders/office/office-deps.ts'
import type { FieldErrors, OfficeGoods, Text } from '#features/orders/office/office-goods.server.ts'
import type { OfficeLine } from '#features/orders/office/pricing-rules.ts'
import type { Db } from '#lib/db.server.ts'
import type { Lang } from '#lib/lang.ts'
import { type Poisha, poishaToTaka } from '#lib/money.ts'
import { type DiscountLimit, type Exceptions, exceptionsOf, isNothing, notApproved } from './approval-rules.ts'
import type { SaleForm } from './forms.ts'

/** Who approved what; a supervisor at his own till approves by selling, and has no row. */
export interface Approval {
  id: number | null
  name: string
  what: Exceptions | 'everything'
}

/** Of a sale, what a cashier does not do alone. */
export function saleExceptions(lines: readonly OfficeLine[], goods: OfficeGoods, discount: Poisha, limit: DiscountLimit): Exceptions {
  const sold = lines.map(({ productId: id, price, total, priceIsSet }) => {
    return { id, price, total, isPriceSet: priceIsSet, isHeld: goods.rows.get(id)?.status === 'hold' }
  })
  return exceptionsOf(sold, discount, limit)
}

/** What has been approved for this sale of the shift, or null. */
export async function findApproval(tx: Db, shiftId: number, saleKey: string, clerk: OrderClerk): Promise<Approval | null> {
  if (clerk.can('pos.approve')) {
    const { rows } = await sql<{ name: string }>`select name from users where id = ${clerk.id}`.execute(tx)
    return { id: null, name: rows[0]!.name, what: 'everything' }
  }
  const { rows } = await sql<{ id: number; name: string; discount: Poisha; prices: Exceptions['prices']; held: number[] }>`
    select a.id, u.name, a.discount_poisha as discount, a.prices, to_json(a.held) as held
    from till_approvals a join users u on u.id = a.supervisor_id where a.shift_id = ${shiftId} and a.sale_key = ${saleKey}`.execute(tx)
  const row = rows[0]
  return row ? { id: row.id, name: row.name, what: { discount: row.discount, prices: row.prices, held: row.held } } : null
}

/** The refusal that names what a supervisor must approve; null when all of it is approved. */
export function stillToApprove(
  form: SaleForm,
  asked: Exceptions,
  approval: Approval | null,
  goods: OfficeGoods,
  { t, lang }: { t: Text; lang: Lang },
): { ok: false; reason: 'approval'; errors: FieldErrors; needed: Exceptions } | null {
  if (approval?.what === 'everything') return null
  if (isNothing(notApproved(asked, approval?.what ?? null))) return null
  // All of it: a new approval stands instead of the one before.
  const needed = asked
  const errors: FieldErrors = {}
  if (needed.discount > 0) errors.discount = [t('pos.approval.discount', { amount: String(poishaToTaka(needed.discount)) })]
  form.products.forEach(({ id }, at) => {
    const row = goods.rows.get(id)
    const name = (lang === 'bn' ? row?.name_bn : row?.name_en) ?? ''
    if (needed.prices.some((one) => one.id === id)) errors[`products.${at}.price`] = [t('pos.approval.price', { name })]
    if (needed.held.includes(id)) errors[`products.${at}.id`] = [t('pos.approval.held', { name })]
  })
  return { ok: false, reason: 'approval', errors, needed }
}

/** Lets goods that are held back be sold in this transaction. What a customer's order holds stays held: it has its buyer. */
export async function freeHeld(tx: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await sql`update products p set status = 'in-stock', hold_reason = null where id = any(${ids}::bigint[]) and status = 'hold'
    and (not is_unique or stock_milli = 1000) and (stock_milli is null or stock_milli > 0)
    and not exists (select 1 from animal_claims where product_id = p.id)`.execute(tx)
}
