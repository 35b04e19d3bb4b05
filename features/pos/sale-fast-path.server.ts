import { priceLines } from '#features/orders/editing/order-line-pricing.server.ts'
import { constraintOf } from '#lib/db/db.server.ts'
import { ZERO } from '#lib/format/money.ts'
import { exceptionsOf } from './approval-rules.ts'
import { saleTerms } from './approvals.server.ts'
import { saleMoment } from './offline-rules.ts'
import type { SaleRequest } from './sale-request.ts'
import { priceSale } from './sale-pricing.server.ts'
import { type Sale, writeSale } from './write-sale.server.ts'

const MAX_ATTEMPTS = 3
const LONG_AGO = new Date(0)
const NOTHING_HELD: ReadonlySet<number> = new Set()

/**
 * Sells as most sales are: goods for sale at the shop's own price, sold just now, nothing for a supervisor and no animal. It is priced
 * from what the process knows and written in one statement, with the sales that come at the same moment. Null when it is not such a sale, or
 * anything stands in its way: nothing is written then, and why is found out and said by `sell`.
 */
export async function sellFastPath(request: SaleRequest): Promise<{ orderId: number; replayed: boolean } | null> {
  const { deps } = request
  for (let tries = 1; tries <= MAX_ATTEMPTS; tries++) {
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
    // Sold to others or changed since it was read.
    deps.facts.invalidate()
  }
  return null
}

async function plainSale({ deps, form, clerk, lang, t, key, wanted, sentAt }: SaleRequest): Promise<Sale | null> {
  const now = deps.now()
  if (form.handed_over || saleMoment({ soldAt: form.sold_at, sentAt }, LONG_AGO, now) < now) return null
  const area = form.delivery ? (await deps.facts.areas()).get(form.delivery.area_id) : undefined
  const { cutoff_hour: cutoffHour, till_discount: limit } = await deps.facts.settings()
  const rows = await deps.facts.products(wanted.map((line) => line.productId))
  if ([...rows.values()].some((row) => row.is_unique || (row.status !== 'in-stock' && row.status !== 'pre-book'))) return null
  const goods = { rows, frozen: new Map<never, never>() }
  const { lines, errors } = priceLines(wanted, goods, true, t, lang)
  if (Object.keys(errors).length > 0) return null
  const priced = priceSale(form, lines, goods, area, t)
  const terms = saleTerms(lines, NOTHING_HELD, form.discount ?? ZERO)
  if (!priced.ok || exceptionsOf(terms, limit)) return null
  return { ...priced, form, key, lines, goods, terms, approval: null, clerk, lang, now, soldAt: now, cutoffHour }
}
