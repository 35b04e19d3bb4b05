import { sql } from 'kysely'
import type { StaffActor } from '#features/auth/permissions.ts'
import type { FieldErrors, PricedProduct } from '#features/orders/editing/order-line-pricing.server.ts'
import type { AdminLine } from '#features/orders/editing/pricing-rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { formatTaka, type Poisha, ZERO } from '#lib/format/money.ts'
import type { Text } from '#lib/i18n/translate.ts'
import { APPROVAL_MINUTES, type Exceptions, isSameSale, type SaleLine, type SaleTerms } from './approval-rules.ts'
import type { SaleForm } from './forms.ts'

/** The approval of a sale. A supervisor who sells needs none, so there is no row. */
export interface Approval {
  id: number | null
  name: string
}

/** A priced sale as a supervisor approves it. */
export function saleTerms(lines: readonly AdminLine[], held: ReadonlySet<number>, discount: Poisha): SaleTerms {
  const sold = lines.map(({ productId: id, quantityMilli, price, isPriceSet }) => {
    return { id, quantityMilli, price, isPriceSet, isHeld: held.has(id) }
  })
  return { discount, lines: sold }
}

/** Products on hold that a supervisor may sell: no animal held by a customer's order, and none returned but not released. */
export async function findHeld(tx: Db, products: PricedProduct): Promise<ReadonlySet<number>> {
  const ids = [...products.rows.values()].flatMap(({ id, status }) => (status === 'hold' ? [id] : []))
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`select id from products p where id = any(${ids}::bigint[])
    and hold_reason is distinct from 'returned' and (not is_unique or stock_milli = 1000) and (stock_milli is null or stock_milli > 0)
    and not exists (select 1 from animal_holds where product_id = p.id)`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/**
 * The approval of exactly this sale in the cashier's shift, or null: unused, and at most `APPROVAL_MINUTES` older than the sale. The row
 * stays locked until the transaction ends, so that no other approval replaces it.
 */
export async function findApproval(
  tx: Db,
  { shiftId, saleKey, soldAt, terms, clerk }: { shiftId: number; saleKey: string; soldAt: Date; terms: SaleTerms; clerk: StaffActor },
): Promise<Approval | null> {
  if (clerk.can('pos.approve')) {
    const { name } = await tx.selectFrom('users').select('name').where('id', '=', clerk.id).executeTakeFirstOrThrow()
    return { id: null, name }
  }
  const { rows } = await sql<{ id: number; name: string; discount: Poisha; lines: SaleLine[] }>`
    select a.id, u.name, a.discount_poisha as discount, a.lines from pos_approvals a join users u on u.id = a.supervisor_id
    where a.shift_id = ${shiftId} and a.sale_key = ${saleKey} and a.order_id is null
      and a.at >= ${new Date(soldAt.getTime() - APPROVAL_MINUTES * 60_000)} for update of a`.execute(tx)
  const row = rows[0]
  return row && isSameSale(row, terms) ? { id: row.id, name: row.name } : null
}

/** Errors at the fields of a sale that needs a supervisor. */
export function approvalErrors(
  form: SaleForm,
  { isDiscountTooHigh, prices, held }: Exceptions,
  products: PricedProduct,
  { t, lang }: { t: Text; lang: Lang },
): FieldErrors {
  const errors: FieldErrors = {}
  if (isDiscountTooHigh) errors.discount = [t('pos.approval.discount', { amount: formatTaka(form.discount ?? ZERO, lang) })]
  form.products.forEach(({ id }, at) => {
    const row = products.rows.get(id)
    const name = (lang === 'bn' ? row?.name_bn : row?.name_en) ?? ''
    if (prices.some((line) => line.id === id)) errors[`products.${at}.price`] = [t('pos.approval.price', { name })]
    if (held.some((line) => line.id === id)) errors[`products.${at}.id`] = [t('pos.approval.held', { name })]
  })
  return errors
}
