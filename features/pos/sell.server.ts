import { sql } from 'kysely'
import type { Settings } from '#features/settings/settings.ts'
import type { AreaFacts } from '#features/catalog/shop-cache.server.ts'
import type { AdminDeps, StaffActor } from '#features/orders/order-deps.ts'
import { type FieldErrors, missingErrors, priceLines, loadProducts, type Text } from '#features/orders/editing/order-line-pricing.server.ts'
import { findOrderByIdempotencyKey } from '#features/orders/editing/insert-order.server.ts'
import { requestHash } from '#features/orders/checkout/place-order.server.ts'
import { sellPaidAnimals } from '#features/payments/commands/mark-animals-sold.server.ts'
import { StockUnavailableError, lockProducts, releaseHold, sellHeldAnimals } from '#features/stock/stock.server.ts'
import { constraintOf, inTransaction, type Db } from '#lib/db/db.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { ZERO } from '#lib/format/money.ts'
import { exceptionsOf } from './approval-rules.ts'
import { approvalErrors, findApproval, findHeld, saleTerms } from './approvals.server.ts'
import type { SaleForm } from './forms.ts'
import { saleMoment } from './offline-rules.ts'
import { sellFastPath } from './sale-fast-path.server.ts'
import { priceSale, type SaleResult } from './sale-pricing.server.ts'
import type { SaleRequest } from './sale-request.ts'
import { findOpenShift } from './shift-queries.server.ts'
import { USED_TRANSACTION, usedTransactions } from './transaction-ids.server.ts'
import { adjustStockForHandedOverProducts, saleKey } from './offline-sales.server.ts'
import { type Sale, writeSale } from './write-sale.server.ts'

/**
 * Sells over the counter: customer, goods, stock, money and history in one transaction, in the cashier's open shift. The same key
 * again answers the first sale; what the till shows is compared with the shop's own sums.
 */
export async function sell(
  deps: AdminDeps,
  form: SaleForm,
  clerk: StaffActor,
  { lang, idempotencyKey, sentAt = null }: { lang: Lang; idempotencyKey: string; sentAt?: Date | null },
): Promise<SaleResult> {
  if (form.cashier_id !== null && form.cashier_id !== clerk.id) return { ok: false, reason: 'other-cashier' }
  const wanted = form.products.map((line) => ({
    productId: line.id,
    quantityMilli: line.quantity,
    price: line.price_is_set ? line.price : null,
  }))
  const key = { key: saleKey(clerk.id, idempotencyKey), hash: requestHash(form) }
  const request = { deps, form, clerk, lang, t: translate(lang) as Text, idempotencyKey, key, wanted, sentAt }
  const sold = await sellFastPath(request)
  return sold ? { ok: true, ...sold } : sellWithLocks(request)
}

interface Facts {
  areas: Map<number, AreaFacts>
  settings: Settings
}

/** With everything locked that it touches, step by step: whatever is not plain is allowed here, or refused in words. */
async function sellWithLocks(request: SaleRequest): Promise<SaleResult> {
  const { deps, form, wanted, lang, t } = request
  // Before the transaction: reading them takes a connection of its own.
  const facts = { areas: await deps.facts.areas(), settings: await deps.facts.settings() }
  try {
    const result = await inTransaction(deps.db, (tx) => sellInside(tx, request, facts))
    if (result.ok && !result.replayed) deps.catalogChanged()
    return result
  } catch (error) {
    if (constraintOf(error) === USED_TRANSACTION)
      return { ok: false, reason: 'invalid', errors: await usedTransactions(deps.db, form.transaction_ids, t) }
    if (!(error instanceof StockUnavailableError)) throw error
    const errors = posErrors(await missingErrors(deps.db, error.missing, wanted, t, lang))
    return { ok: false, reason: 'missing', errors, productIds: error.missing.map((one) => one.product_id) }
  }
}

async function sellInside(tx: Db, request: SaleRequest, { areas, settings }: Facts): Promise<SaleResult> {
  const { deps, form, clerk, lang, t, idempotencyKey, key, wanted, sentAt } = request
  const earlier = await findOrderByIdempotencyKey(tx, key)
  if (earlier) return earlier
  const shift = await findOpenShift(tx, clerk.id, 'share')
  if (!shift) return { ok: false, reason: 'no-shift' }
  if (form.shift_id !== null && form.shift_id !== shift.id) return { ok: false, reason: 'shift-closed' }
  // Locked before their prices are read: what is compared is what is written.
  await lockProducts(
    tx,
    wanted.map((line) => line.productId),
  )
  const goods = await loadProducts(tx, wanted)
  const { lines, errors } = priceLines(wanted, goods, true, t, lang)
  if (Object.keys(errors).length > 0) return { ok: false, reason: 'invalid', errors: posErrors(errors) }
  const priced = priceSale(form, lines, goods, form.delivery ? areas.get(form.delivery.area_id) : undefined, t)
  if (!priced.ok) return priced
  const now = deps.now()
  const soldAt = saleMoment({ soldAt: form.sold_at, sentAt }, shift.openedAt, now)
  const terms = saleTerms(lines, await findHeld(tx, goods), form.discount ?? ZERO)
  const exceptions = exceptionsOf(terms, settings.till_discount)
  const approval = exceptions && (await findApproval(tx, { shiftId: shift.id, saleKey: idempotencyKey, soldAt, terms, clerk }))
  if (exceptions && !approval)
    return { ok: false, reason: 'approval', errors: approvalErrors(form, exceptions, goods, { t, lang }), needed: terms }
  await releaseHold(tx, exceptions?.held.map(({ id }) => id) ?? [])
  // After every other refusal: what was counted in would stay.
  if (form.handed_over && form.sold_at) await adjustStockForHandedOverProducts(tx, clerk, wanted)
  const sale = { ...priced, form, key, lines, goods, terms, approval, clerk, lang, now, soldAt, cutoffHour: settings.cutoff_hour }
  return { ok: true, orderId: await write(tx, sale), replayed: false }
}

async function write(tx: Db, sale: Sale): Promise<number> {
  const { order_id: id, reason, lines } = await writeSale(tx, sale)
  if (reason === 'not-available') throw new StockUnavailableError(lines ?? [])
  if (!id) throw new Error(`a sale whose goods are locked was not written: ${reason}`)
  // Over the counter they are gone; brought to the customer, they are sold as their payment says.
  if (sale.form.delivery) await sellPaidAnimals(tx, id)
  else await sellHeldAnimals(tx, id)
  if (sale.approval?.id) await sql`update pos_approvals set order_id = ${id} where id = ${sale.approval.id}`.execute(tx)
  return id
}

/** The till calls a line's product `id`. */
function posErrors(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(Object.entries(errors).map(([field, texts]) => [field.replace(/product_id$/, 'id'), texts]))
}
