import { audit } from '#features/audit/audit.server.ts'
import type { StaffActor } from '#features/auth/permissions.ts'
import { StockUnavailableError } from '#features/stock/stock.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import type { CachedArea } from '#features/catalog/shop-cache.server.ts'
import { orderSmsShop, queueOrderSms } from '#features/messaging/order-sms.server.ts'
import { toQuoteProduct } from '#features/pricing/quote-product.server.ts'
import { areaCharges, deliveryCharge } from '#features/pricing/rules.ts'
import { inTransaction, type Db } from '#lib/db/db.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { poishaToTaka, ZERO } from '#lib/format/money.ts'
import { requestHash } from '../checkout/place-order.server.ts'
import { isLive, listDate, needsReason } from '../rules.ts'
import type { StoreOrder } from './forms.ts'
import {
  type FieldErrors,
  missingErrors,
  missingResult,
  type PricedProduct,
  priceLines,
  loadProducts,
  type Text,
} from './order-line-pricing.server.ts'
import type { AdminDeps } from '../order-deps.ts'
import { type AdminLine, type AdminSums, adminSums } from './pricing-rules.ts'
import { findOrderByIdempotencyKey, type RequestKey, type StaffOrder, writeStaffOrder } from './insert-order.server.ts'

export type CreateResult =
  | { ok: true; orderId: number; replayed: boolean }
  | { ok: false; reason: 'invalid'; errors: FieldErrors }
  /** Products that are not for sale, for example an animal that another order has just reserved. */
  | { ok: false; reason: 'gone'; errors: FieldErrors; productIds: number[] }
  | { ok: false; reason: 'key-reused' }

/**
 * Creates an order that staff enter, such as a phone order: customer, lines, stock, event, audit log and SMS in one transaction. A repeated
 * idempotency key returns the first order.
 */
export async function createOrderByStaff(
  deps: AdminDeps,
  form: StoreOrder,
  clerk: StaffActor,
  { lang, idempotencyKey }: { lang: Lang; idempotencyKey: string },
): Promise<CreateResult> {
  const t = translate(lang) as Text
  const requested = form.products.map((line) => ({ productId: line.product_id, quantityMilli: line.quantity, price: line.price_on_order }))
  const area = (await deps.shopCache.areas()).get(form.area_id)
  const settings = await deps.shopCache.settings()
  const key = { key: `staff-${clerk.id}:${idempotencyKey}`, hash: requestHash(form) }
  try {
    const result = await inTransaction(deps.db, async (tx): Promise<CreateResult> => {
      const earlier = await findOrderByIdempotencyKey(tx, key)
      if (earlier) return earlier
      const products = await loadProducts(tx, requested)
      const { lines, errors } = priceLines(requested, products, clerk.can('orders.price'), t, lang)
      const sums = sumsOf({ form, lines, products, area, clerk, t }, errors)
      if (!sums || Object.keys(errors).length > 0) return { ok: false, reason: 'invalid', errors }
      const orderId = await write(tx, { form, key, lines, sums, products, clerk, settings, now: deps.now(), publicUrl: deps.env.publicUrl })
      return { ok: true, orderId, replayed: false }
    })
    if (result.ok) deps.catalogChanged()
    return result
  } catch (error) {
    if (!(error instanceof StockUnavailableError)) throw error
    return missingResult(error.missing, await missingErrors(deps.db, error.missing, requested, t, lang))
  }
}

interface OrderToSum {
  form: StoreOrder
  lines: readonly AdminLine[]
  products: PricedProduct
  area: CachedArea | undefined
  clerk: StaffActor
  t: Text
}

/** Adds up the order. Adds its errors to `errors`, which holds those of the lines; null when there are any that prevent a sum. */
function sumsOf({ form, lines, products, area, clerk, t }: OrderToSum, errors: FieldErrors): AdminSums | null {
  const isPriced = Object.keys(errors).length === 0
  if (needsReason(form.status) && form.reason === '') errors.reason = [t('admin-orders.reason-required')]
  if (!area) errors.area_id = [t('details.area-unknown')]
  const charge = deliveryCharge(
    [...products.rows.values()].map((row) => toQuoteProduct(row, 'en')),
    area ? areaCharges(area) : null,
  )
  if (!charge.ok) errors.area_id = [t(`refusal.${charge.reason}`)]
  const discount = form.discount ?? ZERO
  if (discount > 0 && !clerk.can('orders.price')) errors.discount = [t('admin-orders.discount-not-yours')]
  // Without the price of every line the discount cannot be checked.
  const sums = isPriced ? adminSums(lines, form.shipping_cost ?? (charge.ok ? charge.value : ZERO), discount) : null
  if (isPriced && !sums && !errors.discount) errors.discount = [t('admin-orders.discount-too-high')]
  return sums
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
}

async function write(tx: Db, order: PricedOrder): Promise<number> {
  const { form, lines, products, clerk, settings } = order
  const id = await writeStaffOrder(tx, orderRecord(order), lines, products)
  const shop = orderSmsShop(order.publicUrl, settings)
  if (isLive(form.status)) await queueOrderSms(tx, shop, { orderId: id, event: 'order-placed', text: settings.messages.orderPlaced })
  await audit(tx, clerk, { action: 'created', subject: 'order', id, after: auditedOrder(order) })
  return id
}

function orderRecord({ form, key, sums, settings, clerk, now }: PricedOrder): StaffOrder {
  const { status, name, phone, email, address, landmark, note, remarks } = form
  const reason = needsReason(status) ? form.reason : null
  const about = { source: 'admin', lang: 'bn', areaId: form.area_id, listOn: listDate(now, settings.cutoff_hour) } as const
  return { ...about, sums, status, reason, name, phone, email, address, landmark, note, remarks, key, now, clerkId: clerk.id }
}

function auditedOrder({ form, lines, sums }: PricedOrder): object {
  return {
    name: form.name,
    phone: form.phone,
    status: form.status,
    total: poishaToTaka(sums.total),
    discount: poishaToTaka(form.discount ?? ZERO),
    lines: lines.map((line) => ({
      product_id: line.productId,
      quantity: line.quantityMilli / 1000,
      price: poishaToTaka(line.price),
      ...(line.priceIsSet ? { instead_of: poishaToTaka(line.basePrice) } : {}),
    })),
  }
}
