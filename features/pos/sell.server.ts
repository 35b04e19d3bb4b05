import { sql } from 'kysely'
import type { Settings } from '#features/settings/settings.ts'
import type { CachedArea } from '#features/catalog/shop-cache.server.ts'
import { PLACEHOLDER_TAKA } from '#features/catalog/products/product-rules.ts'
import type { StaffActor } from '#features/auth/permissions.ts'
import type { AdminDeps } from '#features/orders/order-deps.ts'
import {
  type FieldErrors,
  missingErrors,
  type PricedProduct,
  priceLines,
  loadProducts,
} from '#features/orders/editing/order-line-pricing.server.ts'
import type { NewOrderLine } from '#features/orders/editing/pricing-rules.ts'
import {
  countTypedCode,
  couponErrors,
  CouponRejectedError,
  redeemCoupon,
  rejectionText,
} from '#features/orders/editing/staff-coupon.server.ts'
import type { CouponLimitDeps } from '#features/pricing/coupons/coupon-rate-limit.server.ts'
import { sellPaidAnimals } from '#features/payments/commands/mark-animals-sold.server.ts'
import {
  lockProducts,
  type MissingProduct,
  offerHandedOverProducts,
  readOffers,
  releaseHold,
  restoreOffers,
  sellHeldAnimals,
  StockUnavailableError,
} from '#features/stock/stock.server.ts'
import { USED_TRANSACTION } from '#features/ledger/ledger.server.ts'
import { constraintOf, inTransaction, type Db } from '#lib/db/db.server.ts'
import { textByKey } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { type Poisha, takaToPoisha, ZERO } from '#lib/format/money.ts'
import { requestHash } from '#lib/http/idempotency-key.server.ts'
import { exceptionsOf } from './approval-rules.ts'
import { planHandover } from './handover.server.ts'
import { findAccountSaleErrors, writeAccountSale } from './account/account-sale.server.ts'
import { findStoreCreditErrors, spendStoreCredit } from './account/store-credit.server.ts'
import { approvalErrors, findApproval, findHeld, saleTerms } from './approvals.server.ts'
import type { SaleForm } from './forms.ts'
import { deviceMoment, saleMoment } from './offline-rules.ts'
import { enabledMethods, EXTRA_METHODS, hasNeededPhone } from './rules.ts'
import { sellFastPath } from './sale-fast-path.server.ts'
import { priceSale, type SaleResult } from './sale-pricing.server.ts'
import { findSaleCoupon } from './sale-coupon.server.ts'
import { findRecordedSale } from './sale-queries.server.ts'
import type { SaleRequest } from './sale-request.ts'
import { findOpenShift, type OpenShift } from './shift-queries.server.ts'
import { sentBackErrors, usedTransactions } from './transaction-ids.server.ts'
import { adjustStockForLateSale, saleKey } from './offline-sales.server.ts'
import { isLater, type Sale, writeSale } from './write-sale.server.ts'

/**
 * Records a POS sale: customer, lines, stock, payments and history in one transaction, in the cashier's open shift. The same key returns
 * the first sale; the sums on screen are compared with the server's own.
 */
export async function sell(
  deps: AdminDeps & CouponLimitDeps,
  form: SaleForm,
  clerk: StaffActor,
  { lang, idempotencyKey, sentAt = null }: { lang: Lang; idempotencyKey: string; sentAt?: Date | null },
): Promise<SaleResult> {
  if (form.cashier_id !== null && form.cashier_id !== clerk.id) return { ok: false, reason: 'other-cashier' }
  const requested = requestedLines(form)
  // A sale that is placed once more has another time, as the device knows the first one only until its page is reloaded.
  const hashes = { hash: requestHash({ ...form, sold_at: null }), formerHash: requestHash(form) }
  const key = { key: saleKey(clerk.id, idempotencyKey), ...hashes }
  const request = { deps, form, clerk, lang, t: textByKey(lang), idempotencyKey, key, requested, sentAt }
  // A sale with a code tells whether the code exists, as its price does.
  if (form.coupon && (await countTypedCode(deps, clerk.id, form.coupon)).waitSeconds > 0)
    return (await inTransaction(deps.db, (tx) => findRecordedSale(tx, request))) ?? couponErrors(request.t('error.too-many'))
  const sold = await sellFastPath(request)
  return sold ? { ok: true, ...sold } : sellWithLocks(request)
}

/** The lines of a sale as they are priced. */
export function requestedLines(form: SaleForm): NewOrderLine[] {
  const handedOver = isHandedOver(form) ? { isHandedOver: true } : {}
  return form.products.map(({ id, quantity, price, price_is_set: isSet }) => {
    return { productId: id, quantityMilli: quantity, price: isSet ? price : null, ...handedOver }
  })
}

export interface ShopData {
  areas: Map<number, CachedArea>
  settings: Settings
}

/** The path with locks: locks everything it touches, step by step, and explains a rejection. */
async function sellWithLocks(request: SaleRequest): Promise<SaleResult> {
  const { deps } = request
  // Read before the transaction: it uses a connection of its own.
  const context = { areas: await deps.shopCache.areas(), settings: await deps.shopCache.settings() }
  try {
    const result = await inTransaction(deps.db, (tx) => sellInside(tx, request, context))
    if (result.ok && !result.replayed) deps.catalogChanged()
    return result
  } catch (error) {
    return explainSaleError(error, request)
  }
}

/** The rejection that follows from an error of writing a sale. Throws every other error. */
export async function explainSaleError(
  error: unknown,
  { deps, form, requested, lang, t }: SaleRequest,
): Promise<Extract<SaleResult, { reason: 'invalid' | 'missing' }>> {
  if (constraintOf(error) === USED_TRANSACTION)
    return { ok: false, reason: 'invalid', errors: await usedTransactions(deps.db, form.transaction_ids, t) }
  if (error instanceof CouponRejectedError) return couponErrors(rejectionText(error.reason, lang))
  if (!(error instanceof StockUnavailableError)) throw error
  return missingResult(deps.db, error.missing, { requested, t, lang })
}

/** The rejection of a sale whose products are not for sale, or not in this quantity. */
async function missingResult(
  db: Db,
  missing: readonly MissingProduct[],
  { requested, t, lang }: Pick<SaleRequest, 'requested' | 't' | 'lang'>,
): Promise<Extract<SaleResult, { reason: 'missing' }>> {
  const errors = posErrors(await missingErrors(db, missing, requested, t, lang))
  return { ok: false, reason: 'missing', errors, productIds: missing.map((one) => one.product_id) }
}

/** The products of a sale that the shop has and does not show. */
async function findHiddenProducts(tx: Db, requested: readonly NewOrderLine[], { rows }: PricedProduct): Promise<MissingProduct[]> {
  const ids = requested.map((line) => line.productId).filter((id) => !rows.has(id))
  if (ids.length === 0) return []
  const hidden = await tx.selectFrom('products').select('id').where('id', 'in', ids).orderBy('id').execute()
  return hidden.map(({ id }) => ({ product_id: id, reason: 'not-available' }))
}

/** Records the sale in the caller's transaction. A rejection may leave rows: the caller rolls back. */
export async function sellInside(
  tx: Db,
  request: SaleRequest,
  { areas, settings }: ShopData,
): Promise<SaleResult & { exchanged?: Poisha }> {
  const { form, clerk, requested } = request
  const recorded = await findRecordedSale(tx, request)
  if (recorded) return recorded
  const shift = await findOpenShift(tx, clerk.id, 'share')
  if (!shift) return { ok: false, reason: 'no-shift' }
  if (form.shift_id !== null && form.shift_id !== shift.id) return { ok: false, reason: 'shift-closed' }
  const ids = requested.map((line) => line.productId)
  // Locked before their prices are read, so that the compared prices are the written ones.
  await lockProducts(tx, ids)
  const offers = isHandedOver(form) ? await offerHandedOverProducts(tx, ids, takaToPoisha(PLACEHOLDER_TAKA)) : []
  const result = await sellLocked(tx, request, { areas, settings, shift })
  await restoreOffers(tx, offers)
  return result
}

/** Whether a person confirms that a queued sale has left the shop with its products. */
const isHandedOver = (form: SaleForm) => form.handed_over && form.sold_at !== null && !isLater(form)

/** Records the sale in the open shift; its products are locked. */
async function sellLocked(
  tx: Db,
  { deps, form, clerk, lang, t, idempotencyKey, key, requested, sentAt, exchange }: SaleRequest,
  { areas, settings, shift }: ShopData & { shift: OpenShift },
): Promise<SaleResult & { exchanged?: Poisha }> {
  const products = await loadProducts(tx, requested)
  const hidden = await findHiddenProducts(tx, requested, products)
  if (hidden.length > 0) return missingResult(tx, hidden, { requested, t, lang })
  const { lines, errors } = priceLines(requested, products, true, t, lang)
  if (Object.keys(errors).length > 0) return lineRejection(posErrors(errors))
  const now = deps.now()
  const device = { soldAt: form.sold_at, sentAt }
  const soldAt = saleMoment(device, shift.openedAt, now)
  // A device without network may round, and take a method, by a setting that has changed; its customer has paid.
  const roundsCash = settings.cash_rounding || soldAt < now
  const methods = soldAt < now ? EXTRA_METHODS : enabledMethods(settings.pos_methods)
  // The same for the setting of walk-in customers.
  if (!hasNeededPhone(form, settings.walk_in_sales || soldAt < now))
    return { ok: false, reason: 'invalid', errors: { 'customer.phone': [t('details.phone-required')] } }
  const area = form.delivery ? areas.get(form.delivery.area_id) : undefined
  const handover = await planHandover(tx, form, products, { area, settings, now, lang })
  if (!handover.ok) return handover
  const held = await findHeld(tx, products)
  const found = await findSaleCoupon(tx, { form, lines, products, held, isExchange: exchange !== undefined, area }, { now: soldAt, lang })
  if (!found.ok) return found
  const terms = saleTerms(lines, held, form.discount ?? ZERO)
  const context = { area, roundsCash, methods, credit: exchange?.refund ?? ZERO, coupon: found.coupon, t, lang }
  const priced = priceSale(form, lines, products, context)
  if (!priced.ok) return priced
  const exceptions = exceptionsOf(terms, settings.pos_discount)
  const approval = exceptions && (await findApproval(tx, { shiftId: shift.id, saleKey: idempotencyKey, soldAt, terms, clerk }))
  if (exceptions && !approval)
    return { ok: false, reason: 'approval', errors: approvalErrors(form, exceptions, products, { t, lang }), needed: terms }
  const { phone } = form.customer
  const errorsOfPayment =
    (await findAccountSaleErrors(tx, { phone, onAccount: priced.onAccount }, { t, lang })) ??
    (await findStoreCreditErrors(tx, { phone, storeCredit: priced.storeCredit }, { t, lang })) ??
    (await sentBackErrors(tx, form.transaction_ids, t))
  if (errorsOfPayment) return { ok: false, reason: 'invalid', errors: errorsOfPayment }
  const heldIds = exceptions?.held.map((line) => line.id) ?? []
  const offers = await readOffers(tx, heldIds)
  await releaseHold(tx, heldIds)
  // After all other rejections: added stock would stay.
  if (!isLater(form))
    await adjustStockForLateSale(tx, clerk, requested, { madeAt: deviceMoment(device, now), isHandedOver: isHandedOver(form) })
  const checked = { form, key, lines, products, terms, approval, clerk, lang, now, soldAt, handover, exchange, coupon: found.coupon }
  const orderId = await write(tx, { ...priced, ...checked })
  // The approval is for this sale: what is left of a product stays on hold.
  await restoreOffers(tx, offers)
  return { ok: true, orderId, replayed: false, exchanged: priced.exchanged }
}

async function write(tx: Db, sale: Sale): Promise<number> {
  const { order_id: id, reason, lines } = await writeSale(tx, sale)
  if (reason === 'not-available') throw new StockUnavailableError(lines ?? [])
  if (!id) throw new Error(`a sale with locked products was not written: ${reason}`)
  await writeAccountSale(tx, id, sale.onAccount)
  await spendStoreCredit(tx, id, { storeCredit: sale.storeCredit, actorId: sale.clerk.id, at: sale.now })
  await writeLineDetails(tx, id, sale.form.products)
  // Handed over at the counter they are delivered; otherwise the payment decides.
  if (isLater(sale.form)) await sellPaidAnimals(tx, id)
  else await sellHeldAnimals(tx, id)
  if (sale.approval?.id) await tx.updateTable('pos_approvals').set({ order_id: id }).where('id', '=', sale.approval.id).execute()
  if (sale.coupon) await redeemCoupon(tx, id, sale.coupon)
  return id
}

/** Writes the notes and the discounts of lines; a product of a sale is on one line. */
async function writeLineDetails(tx: Db, orderId: number, products: SaleForm['products']): Promise<void> {
  const rows = products.filter(({ note, discount }) => note || discount)
  if (rows.length === 0) return
  const values = rows.map(({ id, note = '', discount = ZERO }) => ({ id, note, discount }))
  await sql`
    update order_lines l set note = n.note, discount_poisha = n.discount
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as n (id bigint, note text, discount bigint)
    where l.order_id = ${orderId} and l.product_id = n.id`.execute(tx)
}

/** The rejection of lines; where all are wrong in their quantity only, a queued sale may have been handed over. */
function lineRejection(errors: FieldErrors): Extract<SaleResult, { reason: 'invalid' | 'quantity' }> {
  const isQuantity = Object.keys(errors).every((field) => field.endsWith('.quantity'))
  return { ok: false, reason: isQuantity ? 'quantity' : 'invalid', errors }
}

/** Errors name a line's product `id`, as the POS does. */
function posErrors(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(Object.entries(errors).map(([field, texts]) => [field.replace(/product_id$/, 'id'), texts]))
}
