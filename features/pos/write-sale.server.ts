import { sql } from 'kysely'
import type { StaffActor } from '#features/auth/permissions.ts'
import { placeholderNames } from '#features/auth/placeholder-names.server.ts'
import type { PricedProduct } from '#features/orders/editing/order-line-pricing.server.ts'
import type { AdminLine } from '#features/orders/editing/pricing-rules.ts'
import { lineRecords, type RequestKey } from '#features/orders/editing/insert-order.server.ts'
import type { StaffCoupon } from '#features/orders/editing/staff-coupon.server.ts'
import {
  batchedBy,
  type BatchEntryResult,
  type BatchWriter,
  type NewOrderRow,
  toBatchJson,
  withGuestRetry,
  type WriteOrderResult,
} from '#features/orders/batching/insert-orders.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import { randomToken } from '#lib/ids/ids.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { type Poisha, poisha, poishaToTaka, ZERO } from '#lib/format/money.ts'
import { approvedJson, type SaleTerms } from './approval-rules.ts'
import type { Approval } from './approvals.server.ts'
import type { SaleForm } from './forms.ts'
import type { Handover } from './handover.server.ts'
import { PAYMENT_METHODS, type PaymentMethod, tenderedOf } from './rules.ts'
import type { SaleExchange } from './sale-request.ts'
import type { Priced } from './sale-pricing.server.ts'

/** A checked sale with everything that is written. */
export interface Sale extends Priced {
  form: SaleForm
  key: RequestKey
  lines: readonly AdminLine[]
  products: PricedProduct
  terms: SaleTerms
  approval: Approval | null
  clerk: StaffActor
  lang: Lang
  now: Date
  /** Earlier than now when it was queued offline. */
  soldAt: Date
  handover: Handover
  /** The return that pays for `exchanged`. */
  exchange?: SaleExchange | undefined
  /** Redeemed by the caller. */
  coupon?: StaffCoupon | null
}

const posWriter: BatchWriter = {
  async writeBatch(db, sales) {
    const write = sql<{
      results: BatchEntryResult[]
    }>`/*prepared insert_pos_sales*/ select insert_pos_sales(${toBatchJson(sales)}::jsonb, false, ${placeholderNames()}::text[]) as results`
    const { rows } = await withGuestRetry(db, () => write.execute(db))
    return rows[0]?.results ?? []
  },
  async writeBlocking(db, sale) {
    const write = sql<{
      result: WriteOrderResult
    }>`select insert_pos_sales(${toBatchJson([sale])}::jsonb, true, ${placeholderNames()}::text[]) -> 0 as result`
    const { rows } = await withGuestRetry(db, () => write.execute(db))
    return rows[0]?.result ?? {}
  },
  // Two cashiers may send one key of a device. The second sale to a new customer reads the name that the first one wrote.
  conflictKeys: (sale) => [deviceKeyOf(sale.idempotency_key), ...(sale.phone === '' ? [] : [`phone ${String(sale.phone)}`])],
}

/** The device's key of an idempotency key, as SQL `device_key`. */
const deviceKeyOf = (key: string) => key.slice(key.indexOf(':') + 1)

const insertBatched = batchedBy(posWriter)

/**
 * Writes the sale in the cashier's open shift, or nothing. Inside a transaction it waits for locks; the products are locked and current.
 * Otherwise concurrent sales share a transaction, and products that changed since they were read make it `stale`.
 */
export function writeSale(db: Db, sale: Sale): Promise<WriteOrderResult> {
  const row = saleRecord(sale)
  if (db.isTransaction) return posWriter.writeBlocking(db, row)
  const lines = row.lines.map((line) => ({ ...line, version: sale.products.rows.get(line.product_id)?.version }))
  return insertBatched(db, { ...row, lines })
}

/** A ledger entry of the sale: `counter`, or `rounding` for that method. `exchange`: paid by returned products; `store_credit`: by the credit of earlier ones. */
interface SalePayment {
  method: PaymentMethod | 'rounding' | 'exchange' | 'store_credit'
  amount_poisha: Poisha
  reference: string | null
}

/** The payments of a sale as ledger entries. */
function tendersOf(sale: Sale): SalePayment[] {
  const { form, applied } = sale
  const amountOf = (method: PaymentMethod) => applied[method] ?? ZERO
  const methods = PAYMENT_METHODS.filter((method) => amountOf(method) !== 0)
  const tenders: SalePayment[] = methods.map((method) => ({
    method,
    amount_poisha: amountOf(method),
    reference: method === 'cash' ? null : (form.transaction_ids[method] ?? null),
  }))
  if (sale.exchange && sale.exchanged > 0)
    tenders.push({ method: 'exchange', amount_poisha: sale.exchanged, reference: `return-${sale.exchange.returnId}` })
  if (sale.storeCredit > 0) tenders.push({ method: 'store_credit', amount_poisha: sale.storeCredit, reference: null })
  if (sale.rounding !== 0) tenders.push({ method: 'rounding', amount_poisha: poisha(-sale.rounding), reference: null })
  return tenders
}

function saleRecord(sale: Sale): NewOrderRow {
  const { form, key, sums, clerk, lang, now, soldAt, applied } = sale
  const { name, phone, email } = form.customer
  const walkIn = translate(lang)('pos.walk-in')
  const amountOf = (method: PaymentMethod) => applied[method] ?? ZERO
  const methods = PAYMENT_METHODS.filter((method) => amountOf(method) !== 0)
  const paid = Object.fromEntries(methods.map((method) => [method, poishaToTaka(amountOf(method))]))
  const exchanged = sale.exchange ? { exchange: { return: sale.exchange.returnId, value: poishaToTaka(sale.exchanged) } } : {}
  const approved = {
    ...approvedDetail(sale),
    ...(sale.onAccount > 0 ? { on_account: poishaToTaka(sale.onAccount) } : {}),
    ...creditDetail(sale),
  }
  return {
    idempotency_key: key.key,
    request_hash: key.hash,
    source: 'pos',
    status: isLater(form) ? 'processing' : 'completed',
    // Without a typed name the customer keeps the known name, or none.
    name: phone === '' && name === '' ? walkIn : name,
    walk_in: walkIn,
    phone,
    email,
    address: sale.handover.address,
    area_id: sale.handover.areaId,
    is_collection: sale.handover.isCollection,
    lang,
    subtotal_poisha: sums.subtotal,
    shipping_poisha: sums.shipping,
    discount_poisha: sums.discount,
    total_poisha: sums.total,
    payment_type: 'full',
    payment_gateway: 'NONE',
    payable_poisha: sums.total,
    ledger_balance_poisha: poisha(sums.total - sale.onAccount),
    is_free_order: false,
    list_on: sale.handover.listOn,
    placed_at: soldAt,
    updated_at: now,
    view_key: randomToken(12),
    tracking_code: randomToken(16),
    clerk_id: clerk.id,
    shift_id: form.shift_id,
    ip: clerk.ip,
    detail: { paid, ...(soldAt < now ? { sold_at: soldAt } : {}), ...approved, ...exchanged },
    log: { phone, total: poishaToTaka(sums.total), ...discountLog(sale), paid, ...approved, ...exchanged },
    tendered_poisha: tenderedOf(sale.tender),
    change_poisha: sale.change,
    tenders: tendersOf(sale),
    coupon: null,
    lines: lineRecords(sale.lines, sale.products, 1),
  }
}

/** Whether the products leave the shop after the sale. */
export const isLater = ({ delivery, collection }: SaleForm) => delivery !== null || collection !== undefined

const creditDetail = ({ storeCredit }: Sale) => (storeCredit > 0 ? { store_credit: poishaToTaka(storeCredit) } : {})

/** The discount on the whole sale, and the coupon that gave it. */
function discountLog({ coupon, form }: Sale): object {
  if (coupon) return { discount: poishaToTaka(coupon.discount), coupon: coupon.code }
  return { discount: poishaToTaka(form.discount ?? ZERO) }
}

/** The approver of a sale and the approved terms, for history and log. */
function approvedDetail({ terms, approval }: Pick<Sale, 'terms' | 'approval'>): object {
  return approval ? { approved: { by: approval.name, ...approvedJson(terms) } } : {}
}
