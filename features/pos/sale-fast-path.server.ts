import { isOrderable } from '#features/catalog/rules.ts'
import { priceLines } from '#features/orders/editing/order-line-pricing.server.ts'
import { constraintOf } from '#lib/db/db.server.ts'
import { ZERO } from '#lib/format/money.ts'
import { exceptionsOf } from './approval-rules.ts'
import { planHandover } from './handover.server.ts'
import { saleTerms } from './approvals.server.ts'
import { deviceMoment } from './offline-rules.ts'
import { enabledMethods, hasNeededPhone } from './rules.ts'
import type { SaleRequest } from './sale-request.ts'
import { priceSale } from './sale-pricing.server.ts'
import { sentBackErrors } from './transaction-ids.server.ts'
import { type Sale, writeSale } from './write-sale.server.ts'

const MAX_ATTEMPTS = 3
const NOTHING_HELD: ReadonlySet<number> = new Set()

/**
 * Records a plain sale: products at list price, sold now, no animal, no notes, no discounts of lines, no coupon, nothing for a supervisor, on account or by store credit. It is priced from caches and written in one
 * statement shared with concurrent sales. Null, with nothing written, when it is not plain or anything fails; then `sell` finds the reason.
 */
export async function sellFastPath(request: SaleRequest): Promise<{ orderId: number; replayed: boolean } | null> {
  const { deps, form, t } = request
  if (await sentBackErrors(deps.db, form.transaction_ids, t)) return null
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const sale = await plainSale(request)
    if (!sale) return null
    const answer = await writeSale(deps.db, sale).catch((error) => {
      if (constraintOf(error) === null) throw error
      return null
    })
    if (answer?.order_id) {
      if (answer.catalog_changed) deps.catalogChanged()
      return { orderId: answer.order_id, replayed: answer.replayed === true }
    }
    if (answer?.reason !== 'stale') return null
    // A product was sold or changed since it was read.
    deps.shopCache.invalidate()
  }
  return null
}

async function plainSale({ deps, form, clerk, lang, t, key, requested, sentAt }: SaleRequest): Promise<Sale | null> {
  const now = deps.now()
  if (form.on_account || form.store_credit || form.coupon || form.handed_over || deviceMoment({ soldAt: form.sold_at, sentAt }, now) < now)
    return null
  const area = form.delivery ? (await deps.shopCache.areas()).get(form.delivery.area_id) : undefined
  const settings = await deps.shopCache.settings()
  const { pos_discount: limit, cash_rounding: roundsCash, walk_in_sales: walkIns } = settings
  if (!hasNeededPhone(form, walkIns) || form.products.some(({ note, discount }) => note || discount)) return null
  const rows = await deps.shopCache.products(requested.map((line) => line.productId))
  if ([...rows.values()].some((row) => row.is_unique || !isOrderable(row.status))) return null
  const products = { rows, frozen: new Map<never, never>() }
  const { lines, errors } = priceLines(requested, products, true, t, lang)
  if (Object.keys(errors).length > 0) return null
  const priced = priceSale(form, lines, products, { area, roundsCash, methods: enabledMethods(settings.pos_methods), t, lang })
  const terms = saleTerms(lines, NOTHING_HELD, form.discount ?? ZERO)
  if (!priced.ok || exceptionsOf(terms, limit)) return null
  const handover = await planHandover(deps.db, form, products, { area, settings, now, lang })
  if (!handover.ok) return null
  return { ...priced, form, key, lines, products, terms, approval: null, clerk, lang, now, soldAt: now, handover }
}
