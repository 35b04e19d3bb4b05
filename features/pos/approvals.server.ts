import { sql } from 'kysely'
import type { StaffActor } from '#features/orders/order-deps.ts'
import type { FieldErrors, PricedProduct, Text } from '#features/orders/editing/order-line-pricing.server.ts'
import type { AdminLine } from '#features/orders/editing/pricing-rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { type Poisha, poishaToTaka, ZERO } from '#lib/format/money.ts'
import { APPROVAL_MINUTES, type Exceptions, isSameSale, type SaleLine, type SaleTerms } from './approval-rules.ts'
import type { SaleForm } from './forms.ts'

/** An approval of a sale. A supervisor at their own till approves by selling, without a row. */
export interface Approval {
  id: number | null
  name: string
}

/** A priced sale as a supervisor approves it. */
export function saleTerms(lines: readonly AdminLine[], held: ReadonlySet<number>, discount: Poisha): SaleTerms {
  const sold = lines.map(({ productId: id, quantityMilli, price, priceIsSet: isPriceSet }) => {
    return { id, quantityMilli, price, isPriceSet, isHeld: held.has(id) }
  })
  return { discount, lines: sold }
}

/** The goods on hold that a supervisor may sell. An animal on hold for a customer's order is not among them, nor one that came back and is not released. */
export async function findHeld(tx: Db, goods: PricedProduct): Promise<ReadonlySet<number>> {
  const ids = [...goods.rows.values()].flatMap(({ id, status }) => (status === 'hold' ? [id] : []))
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`select id from products p where id = any(${ids}::bigint[])
    and hold_reason is distinct from 'returned' and (not is_unique or stock_milli = 1000) and (stock_milli is null or stock_milli > 0)
    and not exists (select 1 from animal_holds where product_id = p.id)`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/**
 * The approval of exactly this sale in the cashier's shift, or null: unused, and not older than `APPROVAL_MINUTES` when the sale was made.
 * Locked until the transaction ends, so that no other approval takes its place.
 */
export async function findApproval(
  tx: Db,
  { shiftId, saleKey, soldAt, terms, clerk }: { shiftId: number; saleKey: string; soldAt: Date; terms: SaleTerms; clerk: StaffActor },
): Promise<Approval | null> {
  if (clerk.can('pos.approve')) {
    const { rows } = await sql<{ name: string }>`select name from users where id = ${clerk.id}`.execute(tx)
    return { id: null, name: rows[0]!.name }
  }
  const { rows } = await sql<{ id: number; name: string; discount: Poisha; lines: SaleLine[] }>`
    select a.id, u.name, a.discount_poisha as discount, a.lines from pos_approvals a join users u on u.id = a.supervisor_id
    where a.shift_id = ${shiftId} and a.sale_key = ${saleKey} and a.order_id is null
      and a.at >= ${new Date(soldAt.getTime() - APPROVAL_MINUTES * 60_000)} for update of a`.execute(tx)
  const row = rows[0]
  return row && isSameSale(row, terms) ? { id: row.id, name: row.name } : null
}

/** Texts at the fields of a sale that needs a supervisor. */
export function approvalErrors(
  form: SaleForm,
  { isDiscountTooHigh, prices, held }: Exceptions,
  goods: PricedProduct,
  { t, lang }: { t: Text; lang: Lang },
): FieldErrors {
  const errors: FieldErrors = {}
  if (isDiscountTooHigh) errors.discount = [t('pos.approval.discount', { amount: String(poishaToTaka(form.discount ?? ZERO)) })]
  form.products.forEach(({ id }, at) => {
    const row = goods.rows.get(id)
    const name = (lang === 'bn' ? row?.name_bn : row?.name_en) ?? ''
    if (prices.some((line) => line.id === id)) errors[`products.${at}.price`] = [t('pos.approval.price', { name })]
    if (held.some((line) => line.id === id)) errors[`products.${at}.id`] = [t('pos.approval.held', { name })]
  })
  return errors
}
