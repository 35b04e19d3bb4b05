import { sql } from 'kysely'
import type { StaffActor } from '#features/orders/order-deps.ts'
import { walkInNames } from '#features/orders/editing/known-customer.server.ts'
import type { PricedProduct } from '#features/orders/editing/order-line-pricing.server.ts'
import type { AdminLine } from '#features/orders/editing/pricing-rules.ts'
import { lineRecords, type RequestKey } from '#features/orders/editing/insert-order.server.ts'
import {
  type BatchEntryResult,
  listOf,
  type WriteOrderResult,
  OrderBatcher,
  type NewOrderRow,
  type BatchWriter,
  withGuests,
} from '#features/orders/batching/order-batcher.server.ts'
import { listDate } from '#features/orders/rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import { randomToken } from '#lib/ids/ids.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { poishaToTaka, ZERO } from '#lib/format/money.ts'
import { approvedJson, type SaleTerms } from './approval-rules.ts'
import type { Approval } from './approvals.server.ts'
import type { SaleForm } from './forms.ts'
import { PAYMENT_METHODS, tenderedOf } from './rules.ts'
import type { Priced } from './sale-pricing.server.ts'

/** A sale that may be made, with all that is written of it. */
export interface Sale extends Priced {
  form: SaleForm
  key: RequestKey
  lines: readonly AdminLine[]
  goods: PricedProduct
  terms: SaleTerms
  approval: Approval | null
  clerk: StaffActor
  lang: Lang
  now: Date
  /** Earlier than now when it waited for the network. */
  soldAt: Date
  cutoffHour: number
}

const posSales: BatchWriter = {
  async atOnce(db, wanted) {
    const write = sql<{
      answers: BatchEntryResult[]
    }>`/*prepared sell_at_till*/ select sell_at_till(${listOf(wanted)}::jsonb, false, ${walkInNames()}::text[]) as answers`
    const { rows } = await withGuests(db, () => write.execute(db))
    return rows[0]?.answers ?? []
  },
  async patiently(db, wanted) {
    const write = sql<{
      answer: WriteOrderResult
    }>`select sell_at_till(${listOf([wanted])}::jsonb, true, ${walkInNames()}::text[]) -> 0 as answer`
    const { rows } = await withGuests(db, () => write.execute(db))
    return rows[0]?.answer ?? {}
  },
  // The second sale to a new customer finds the first one's name.
  ofOne: (wanted) => [wanted.idempotency_key, `phone ${String(wanted.phone)}`],
}

const rushes = new WeakMap<Db, OrderBatcher>()

/**
 * Writes the sale in the cashier's open shift, or nothing. In a transaction it waits for what others hold; its goods are locked there
 * and were read then. Otherwise sales of a rush share one, like guests' orders, and goods that have changed since they were read are `stale`.
 */
export function writeSale(db: Db, sale: Sale): Promise<WriteOrderResult> {
  if (db.isTransaction) return posSales.patiently(db, saleRecord(sale))
  const rush = rushes.get(db) ?? new OrderBatcher(db, posSales)
  rushes.set(db, rush)
  const wanted = saleRecord(sale)
  const lines = wanted.lines.map((line) => ({ ...line, version: sale.goods.rows.get(line.product_id)?.version }))
  return rush.add({ ...wanted, lines })
}

function saleRecord(sale: Sale): NewOrderRow {
  const { form, key, sums, clerk, lang, now, soldAt, applied } = sale
  const { name, phone, email } = form.customer
  const means = PAYMENT_METHODS.filter((method) => applied[method] !== 0)
  const paid = Object.fromEntries(means.map((method) => [method, poishaToTaka(applied[method])]))
  const approved = approvedDetail(sale)
  return {
    idempotency_key: key.key,
    request_hash: key.hash,
    source: 'pos',
    status: form.delivery ? 'processing' : 'completed',
    // Somebody who only says his number keeps the name that the shop knows, or none.
    name,
    walk_in: translate(lang)('pos.walk-in'),
    phone,
    email,
    address: form.delivery?.address ?? '',
    area_id: form.delivery?.area_id ?? null,
    lang,
    subtotal_poisha: sums.subtotal,
    shipping_poisha: sums.shipping,
    discount_poisha: sums.discount,
    total_poisha: sums.total,
    payment_type: 'full',
    payment_gateway: 'NONE',
    payable_poisha: sums.total,
    paid_poisha: sums.total,
    is_free_order: false,
    list_on: listDate(now, sale.cutoffHour),
    placed_at: soldAt,
    updated_at: now,
    view_key: randomToken(12),
    tracking_code: randomToken(16),
    clerk_id: clerk.id,
    shift_id: form.shift_id,
    ip: clerk.ip,
    detail: { paid, ...(soldAt < now ? { sold_at: soldAt } : {}), ...approved },
    log: { phone, total: poishaToTaka(sums.total), discount: poishaToTaka(form.discount ?? ZERO), paid, ...approved },
    tendered_poisha: tenderedOf(sale.tender),
    change_poisha: sale.change,
    means: means.map((method) => ({
      method,
      amount_poisha: applied[method],
      reference: method === 'cash' ? null : form.transaction_ids[method],
    })),
    coupon: null,
    lines: lineRecords(sale.lines, sale.goods, 1),
  }
}

/** The approver of a sale and what was approved, for history and log. */
function approvedDetail({ terms, approval }: Pick<Sale, 'terms' | 'approval'>): object {
  return approval ? { approved: { by: approval.name, ...approvedJson(terms) } } : {}
}
