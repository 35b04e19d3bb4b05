import { audit } from '#features/audit/audit.server.ts'
import type { StaffActor } from '#features/auth/permissions.ts'
import { StockUnavailableError } from '#features/stock/stock.server.ts'
import { collectionAddress } from '#features/settings/collection-rules.ts'
import type { Settings } from '#features/settings/settings.ts'
import type { CachedArea } from '#features/catalog/shop-cache.server.ts'
import { orderSmsShop, queueOrderSms } from '#features/messaging/order-sms.server.ts'
import { toQuoteProduct } from '#features/pricing/quote-product.server.ts'
import { type DeliveryCalendar, planDelivery } from '#features/pricing/delivery-day-rules.ts'
import { areaCharges, deliveryCharge } from '#features/pricing/rules.ts'
import { inTransaction, type Db } from '#lib/db/db.server.ts'
import { closeKeys } from '#lib/db/idempotency.server.ts'
import { type MessageKey, textByKey, type Text } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { formatTaka, poisha, type Poisha, poishaToTaka, ZERO } from '#lib/format/money.ts'
import { requestHash } from '#lib/http/idempotency-key.server.ts'
import { normalizeTransactionId } from '../advances/transaction-id-rules.ts'
import { DraftChangedError, endDrafts } from '../drafts/drafts.server.ts'
import { readCalendar } from '../delivery-calendar.server.ts'
import { lockOrderDrawer, type OrderDrawer } from '../payments/order-drawer.server.ts'
import { isUsedTransaction, type NewOrderPayment, prepareNewOrderPayment } from '../payments/record-payment.server.ts'
import { listDate } from '../list-date.ts'
import { isLive, needsReason } from '../rules.ts'
import { deliveryDayProblem } from './delivery-day.server.ts'
import type { StoreOrder } from './forms.ts'
import {
  type FieldErrors,
  missingErrors,
  missingResult,
  type PricedProduct,
  priceLines,
  loadProducts,
  requestedLines,
} from './order-line-pricing.server.ts'
import type { AdminDeps } from '../order-deps.ts'
import { type AdminLine, type AdminSums, adminSums } from './pricing-rules.ts'
import { CouponRejectedError, priceCoupon, redeemCoupon, rejectionText, type StaffCoupon } from './staff-coupon.server.ts'
import { findOrderByIdempotencyKey, findOrderOfAttempts, type RequestKey, type StaffOrder, writeStaffOrder } from './insert-order.server.ts'

export type CreateResult =
  | { ok: true; orderId: number; replayed: boolean }
  | { ok: false; reason: 'invalid'; errors: FieldErrors }
  /** Products that are not for sale, or not in this quantity, for example an animal that another order has just reserved. */
  | { ok: false; reason: 'gone'; errors: FieldErrors; productIds: number[] }
  /** `draft`: it was changed, deleted, or became an order of another clerk. */
  | { ok: false; reason: 'key-reused' | 'draft' }
  /** Another attempt of the form has created this order: an earlier one whose answer was lost, or a later one that arrived before. */
  | { ok: false; reason: 'created'; orderId: number }

interface CreateOptions {
  lang: Lang
  idempotencyKey: string
  earlier?: readonly string[]
  draftKeys?: readonly string[]
}

/**
 * Creates an order that staff enter, such as a phone order: customer, lines, stock, coupon, payment, event, audit log and SMS in one
 * transaction. A repeated idempotency key returns the first order; `earlier` are the keys of attempts with other inputs. It ends the draft of the
 * order, also one of a save whose answer was lost (`draftKeys`).
 */
export async function createOrderByStaff(
  deps: AdminDeps,
  form: StoreOrder,
  clerk: StaffActor,
  { lang, idempotencyKey, earlier = [], draftKeys = [] }: CreateOptions,
): Promise<CreateResult> {
  const t = textByKey(lang)
  const requested = requestedLines(form.products)
  const area = form.area_id === undefined ? undefined : (await deps.shopCache.areas()).get(form.area_id)
  const settings = await deps.shopCache.settings()
  const ownKey = (sent: string) => `staff-${clerk.id}:${sent}`
  const key = { key: ownKey(idempotencyKey), hash: requestHash(form) }
  const now = deps.now()
  const earliest = listDate(now, settings.cutoff_hour)
  const calendar = form.list_on === undefined ? await readCalendar(deps.db, settings, earliest) : undefined
  try {
    const result = await inTransaction(deps.db, async (tx): Promise<CreateResult> => {
      const repeated = await findOrderByIdempotencyKey(tx, key, earlier.map(ownKey))
      if (repeated) return repeated
      const created = await findOrderOfAttempts(tx, key.key, earlier.map(ownKey))
      if (created !== null) return { ok: false, reason: 'created', orderId: created }
      const products = await loadProducts(tx, requested)
      const { lines, errors } = priceLines(requested, products, clerk.can('orders.price'), t, lang)
      const coupon = Object.keys(errors).length === 0 ? await couponOf(tx, { form, lines, products, area, t, now, lang }, errors) : null
      const drawer = await lockOrderDrawer(tx, clerk, isForDrawer(form) ? lang : null)
      const sums = sumsOf({ form, lines, products, area, clerk, t, now, coupon }, errors)
      const payment = paymentOf({ form, clerk, t, total: sums?.total ?? null, drawer }, errors)
      if (sums && Object.keys(errors).length === 0 && (form.shown_total ?? sums.total) !== sums.total)
        errors.shown_total = [t('refusal.total-changed', { total: formatTaka(sums.total, lang) })]
      if (!sums || Object.keys(errors).length > 0) return { ok: false, reason: 'invalid', errors }
      const listOn = form.list_on ?? firstDay({ form, products, area, listOn: earliest, calendar })
      const order = { form, key, lines, sums, products, clerk, settings, now, publicUrl: deps.env.publicUrl, listOn, coupon, payment }
      await endDrafts(tx, form.draft, draftKeys)
      const orderId = await write(tx, order)
      await closeKeys(tx, earlier.map(ownKey), { orderId })
      return { ok: true, orderId, replayed: false }
    })
    if (result.ok) deps.catalogChanged()
    return result
  } catch (error) {
    if (error instanceof DraftChangedError) return { ok: false, reason: 'draft' }
    if (isUsedTransaction(error)) return invalid({ advance_transaction: [t('advance.used-transaction-id')] })
    if (error instanceof CouponRejectedError) return invalid({ coupon: [rejectionText(error.reason, lang)] })
    if (!(error instanceof StockUnavailableError)) throw error
    return missingResult(error.missing, await missingErrors(deps.db, error.missing, requested, t, lang))
  }
}

function invalid(errors: FieldErrors): CreateResult {
  return { ok: false, reason: 'invalid', errors }
}

/** The first day on which the shop can deliver the products, or hand them out. */
function firstDay({
  form,
  products,
  area,
  ...days
}: {
  form: StoreOrder
  products: PricedProduct
  area: CachedArea | undefined
  listOn: string
  calendar: DeliveryCalendar | undefined
}): string {
  const { listOn, calendar } = days
  const rows = [...products.rows.values()].map((row) => toQuoteProduct(row, 'en'))
  const terms = { listOn, area: area ? areaCharges(area) : null, ...(calendar ? { calendar } : {}) }
  return planDelivery(terms, { isCollection: form.is_collection }, rows).listOn ?? listOn
}

interface OrderToSum {
  form: StoreOrder
  lines: readonly AdminLine[]
  products: PricedProduct
  area: CachedArea | undefined
  clerk: StaffActor
  t: Text
  now: Date
  coupon: StaffCoupon | null
}

/** The coupon of the order, null without one. Adds the reason why the order cannot use it to `errors`. */
async function couponOf(
  tx: Db,
  { form, lines, products, area, t, now, lang }: Omit<OrderToSum, 'clerk' | 'coupon'> & { lang: Lang },
  errors: FieldErrors,
): Promise<StaffCoupon | null> {
  if (form.coupon === undefined) return null
  const conflict = couponConflict(form, lines)
  if (conflict) {
    errors.coupon = [t(conflict)]
    return null
  }
  const rows = [...products.rows.values()]
  const order = { code: form.coupon, phone: form.phone, lines, products: rows, area: form.is_collection ? undefined : area }
  const priced = await priceCoupon(tx, order, { now, lang })
  if (!priced.ok) errors.coupon = [priced.text]
  // A coupon for the delivery starts from the charge of the area.
  else if (priced.coupon.deliverySaved > 0 && form.shipping_cost !== null) errors.shipping_cost = [t('admin-orders.coupon-sets-shipping')]
  return priced.ok ? priced.coupon : null
}

function couponConflict(form: StoreOrder, lines: readonly AdminLine[]): MessageKey | null {
  if (!isLive(form.status)) return 'admin-orders.coupon-ended'
  if ((form.discount ?? ZERO) > 0) return 'pos.coupon.conflict.discount'
  return lines.some(({ isPriceSet }) => isPriceSet) ? 'pos.coupon.conflict.set-price' : null
}

/** Whether the money that was paid is cash for the drawer of the clerk's shift. */
const isForDrawer = ({ advance_amount: amount = ZERO, advance_method: method = 'cash', advance_drawer: isChosen }: StoreOrder): boolean =>
  isChosen === true && method === 'cash' && amount > 0

interface PaymentTerms {
  form: StoreOrder
  clerk: StaffActor
  t: Text
  total: Poisha | null
  drawer: OrderDrawer | 'closed' | null
}

/** The payment to record with the order, null without one. Adds its errors to `errors`. */
function paymentOf({ form, clerk, t, total, drawer }: PaymentTerms, errors: FieldErrors): NewOrderPayment | null {
  const { advance_amount: amount = ZERO, advance_method: method = 'cash' } = form
  if (amount === 0) return null
  const reference = method === 'cash' ? null : normalizeTransactionId(form.advance_transaction ?? '', method)
  if (!clerk.can('payments.write')) errors.advance_amount = [t('error.not-allowed')]
  else if (!isLive(form.status)) errors.advance_amount = [t('admin-orders.advance-ended')]
  else if (total !== null && amount > total) errors.advance_amount = [t('admin-orders.advance-too-high')]
  else if (drawer === 'closed') errors.advance_amount = [t('admin-orders.drawer-closed')]
  if (method !== 'cash' && reference === null) errors.advance_transaction = [t('advance.bad-transaction-id')]
  return { method, amount, reference, drawer: drawer === 'closed' ? null : drawer }
}

function checkFields(form: StoreOrder, t: Text, now: Date, errors: FieldErrors): void {
  if (needsReason(form.status) && form.reason === '') errors.reason = [t('admin-orders.reason-required')]
  const problem = deliveryDayProblem(form.list_on, now)
  if (problem) errors.list_on = [t(problem)]
}

/** Adds up the order. Adds its errors to `errors`, which holds those of the lines; null when there are any that prevent a sum. */
function sumsOf({ form, lines, products, area, clerk, t, now, coupon }: OrderToSum, errors: FieldErrors): AdminSums | null {
  const isPriced = Object.keys(errors).length === 0
  checkFields(form, t, now, errors)
  const charge = poisha(Math.max(0, chargeOf({ form, products, area, t }, errors) - (coupon?.deliverySaved ?? 0)))
  const discount = form.discount ?? ZERO
  if (discount > 0 && !clerk.can('orders.price')) errors.discount = [t('admin-orders.discount-not-yours')]
  // Without the price of every line the discount cannot be checked.
  const sums = isPriced ? adminSums(lines, charge, coupon?.discount ?? discount) : null
  if (isPriced && !sums && !errors.discount) errors.discount = [t('admin-orders.discount-too-high')]
  return sums
}

/** The delivery charge: none for a collected order, else the one that staff set, else the area's. Adds an error of the area to `errors`. */
function chargeOf({ form, products, area, t }: Pick<OrderToSum, 'form' | 'products' | 'area' | 't'>, errors: FieldErrors): Poisha {
  if (form.is_collection) return ZERO
  if (!area) errors.area_id = [t('details.area-unknown')]
  const items = [...products.rows.values()].map((row) => toQuoteProduct(row, 'en'))
  const charge = deliveryCharge(items, area ? areaCharges(area) : null)
  if (!charge.ok) errors.area_id = [t(`refusal.${charge.reason}`)]
  return form.shipping_cost ?? (charge.ok ? charge.value : ZERO)
}

interface PricedOrder {
  form: StoreOrder
  key: RequestKey
  lines: readonly AdminLine[]
  sums: AdminSums
  products: PricedProduct
  clerk: StaffActor
  settings: Settings
  now: Date
  publicUrl: string
  listOn: string
  coupon: StaffCoupon | null
  payment: NewOrderPayment | null
}

async function write(tx: Db, order: PricedOrder): Promise<number> {
  const { form, lines, products, clerk, settings, payment, coupon, now, publicUrl } = order
  const pay = payment && (await prepareNewOrderPayment(tx, payment, { clerk, now, settings, publicUrl }))
  const id = await writeStaffOrder(tx, orderRecord(order), lines, products)
  await audit(tx, clerk, { action: 'created', subject: 'order', id, after: auditedOrder(order) })
  const sendPaymentSms = await pay?.(id)
  // The SMS of the order is the first one and names what is due after the payment.
  const shop = orderSmsShop(publicUrl, settings)
  if (isLive(form.status)) await queueOrderSms(tx, shop, { orderId: id, event: 'order-placed', text: settings.messages.orderPlaced })
  await sendPaymentSms?.()
  // The coupon is the last lock.
  if (coupon) await redeemCoupon(tx, id, coupon)
  return id
}

function orderRecord({ form, key, sums, settings, clerk, now, listOn }: PricedOrder): StaffOrder {
  const { status, name, phone, email, note, remarks, is_collection: isCollection } = form
  const reason = needsReason(status) ? form.reason : null
  const place = isCollection
    ? { address: collectionAddress(settings, 'bn'), landmark: '', areaId: null }
    : { address: form.address, landmark: form.landmark, areaId: form.area_id ?? null }
  return {
    source: 'admin',
    lang: 'bn',
    isCollection,
    listOn,
    ...place,
    sums,
    status,
    reason,
    name,
    phone,
    email,
    note,
    remarks,
    key,
    now,
    clerkId: clerk.id,
  }
}

function auditedOrder({ form, lines, sums, coupon }: PricedOrder): object {
  return {
    name: form.name,
    phone: form.phone,
    status: form.status,
    total: poishaToTaka(sums.total),
    ...(form.is_collection ? { isCollection: true } : {}),
    ...(form.list_on === undefined ? {} : { listOn: form.list_on }),
    discount: poishaToTaka(coupon?.discount ?? form.discount ?? ZERO),
    ...(coupon ? { coupon: coupon.code } : {}),
    lines: lines.map((line) => ({
      product_id: line.productId,
      quantity: line.quantityMilli / 1000,
      price: poishaToTaka(line.price),
      ...(line.isPriceSet ? { instead_of: poishaToTaka(line.basePrice) } : {}),
    })),
  }
}
