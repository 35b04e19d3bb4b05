import { audit } from '#features/audit/audit.server.ts'
import { StockUnavailableError } from '#features/stock/stock.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import type { AreaFacts } from '#features/catalog/shop-cache.server.ts'
import { orderSmsShop, queueOrderSms } from '#features/messaging/order-sms.server.ts'
import { productFacts } from '#features/pricing/product-facts.server.ts'
import { deliveryCharge } from '#features/pricing/rules.ts'
import { inTransaction, type Db } from '#lib/db/db.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { poishaToTaka, ZERO } from '#lib/format/money.ts'
import { areaCharges, requestHash } from '../checkout/place-order.server.ts'
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
import type { AdminDeps, StaffActor } from '../order-deps.ts'
import { type AdminLine, type AdminSums, adminSums } from './pricing-rules.ts'
import { findOrderByIdempotencyKey, type RequestKey, type StaffOrder, writeStaffOrder } from './insert-order.server.ts'

export type CreateResult =
  | { ok: true; orderId: number; replayed: boolean }
  | { ok: false; reason: 'invalid'; errors: FieldErrors }
  /** Goods that cannot be had, some of them at all: an animal that was just taken. */
  | { ok: false; reason: 'gone'; errors: FieldErrors; productIds: number[] }
  | { ok: false; reason: 'key-reused' }

/**
 * Takes an order that somebody of the staff writes down, as a phone order: customer, goods, stock, history and message in one
 * transaction. The shop adds it up. The same key again answers the first order.
 */
export async function createOrderByStaff(
  deps: AdminDeps,
  form: StoreOrder,
  clerk: StaffActor,
  { lang, idempotencyKey }: { lang: Lang; idempotencyKey: string },
): Promise<CreateResult> {
  const t = translate(lang) as Text
  const wanted = form.products.map((line) => ({ productId: line.product_id, quantityMilli: line.quantity, price: line.price_on_order }))
  const area = (await deps.facts.areas()).get(form.area_id)
  const settings = await deps.facts.settings()
  const key = { key: `staff-${clerk.id}:${idempotencyKey}`, hash: requestHash(form) }
  try {
    const result = await inTransaction(deps.db, async (tx): Promise<CreateResult> => {
      const earlier = await findOrderByIdempotencyKey(tx, key)
      if (earlier) return earlier
      const goods = await loadProducts(tx, wanted)
      const { lines, errors } = priceLines(wanted, goods, clerk.can('orders.price'), t, lang)
      const sums = sumsOf(form, lines, goods, area, clerk, errors, t)
      if (!sums || Object.keys(errors).length > 0) return { ok: false, reason: 'invalid', errors }
      const orderId = await write(tx, { form, key, lines, sums, goods, clerk, settings, now: deps.now(), publicUrl: deps.env.publicUrl })
      return { ok: true, orderId, replayed: false }
    })
    if (result.ok) deps.catalogChanged()
    return result
  } catch (error) {
    if (!(error instanceof StockUnavailableError)) throw error
    return missingResult(error.missing, await missingErrors(deps.db, error.missing, wanted, t, lang))
  }
}

function sumsOf(
  form: StoreOrder,
  lines: readonly AdminLine[],
  goods: PricedProduct,
  area: AreaFacts | undefined,
  clerk: StaffActor,
  errors: FieldErrors,
  t: Text,
): AdminSums | null {
  const isPriced = Object.keys(errors).length === 0
  if (needsReason(form.status) && form.reason === '') errors.reason = [t('admin-orders.reason-required')]
  if (!area) errors.area_id = [t('details.area-unknown')]
  const charge = deliveryCharge(
    [...goods.rows.values()].map((row) => productFacts(row, 'en')),
    area ? areaCharges(area) : null,
  )
  if (!charge.ok) errors.area_id = [t(`refusal.${charge.reason}`)]
  const discount = form.discount ?? ZERO
  if (discount > 0 && !clerk.can('orders.price')) errors.discount = [t('admin-orders.discount-not-yours')]
  // Lines that could not be priced are missing in the sums: they say nothing about the discount.
  const sums = isPriced ? adminSums(lines, form.shipping_cost ?? (charge.ok ? charge.value : ZERO), discount) : null
  if (isPriced && !sums && !errors.discount) errors.discount = [t('admin-orders.discount-too-high')]
  return sums
}

interface ToWrite {
  form: StoreOrder
  key: RequestKey
  lines: readonly AdminLine[]
  sums: AdminSums
  goods: PricedProduct
  clerk: StaffActor
  settings: Settings
  now: Date
  publicUrl: string
}

async function write(tx: Db, wanted: ToWrite): Promise<number> {
  const { form, lines, goods, clerk } = wanted
  const id = await writeStaffOrder(tx, orderRecord(wanted), lines, goods)
  const shop = orderSmsShop(wanted.publicUrl, wanted.settings)
  if (isLive(form.status)) await queueOrderSms(tx, shop, { orderId: id, event: 'order-placed', text: wanted.settings.messages.orderPlaced })
  await audit(tx, clerk, { action: 'created', subject: 'order', id, after: auditedOrder(wanted) })
  return id
}

function orderRecord({ form, key, sums, settings, clerk, now }: ToWrite): StaffOrder {
  const { status, name, phone, email, address, landmark, note, remarks } = form
  const reason = needsReason(status) ? form.reason : null
  const about = { source: 'admin', lang: 'bn', areaId: form.area_id, listOn: listDate(now, settings.cutoff_hour) } as const
  return { ...about, sums, status, reason, name, phone, email, address, landmark, note, remarks, key, now, clerkId: clerk.id }
}

function auditedOrder({ form, lines, sums }: ToWrite): object {
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
