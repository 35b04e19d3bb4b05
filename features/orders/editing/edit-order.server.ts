import { sql } from 'kysely'
import { StockUnavailableError, sellHeldAnimals, syncOrderStock } from '#features/stock/stock.server.ts'
import { addOrderEvent } from '#features/audit/order-events.server.ts'
import { audit } from '#features/audit/audit.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import type { AreaFacts } from '#features/catalog/shop-cache.server.ts'
import { sellPaidAnimals } from '#features/payments/commands/mark-animals-sold.server.ts'
import { productFacts } from '#features/pricing/product-facts.server.ts'
import { deliveryCharge } from '#features/pricing/rules.ts'
import { inTransaction, type Db } from '#lib/db/db.server.ts'
import { type MessageKey, translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { poisha, type Poisha, poishaToTaka, ZERO } from '#lib/format/money.ts'
import { type StatusChange, statusRefusal, writeStatus } from '../status/change-status.server.ts'
import { dhakaDate } from '#lib/format/time.ts'
import { lockOrder, type LockedOrder } from '../order-locks.server.ts'
import { areaCharges } from '../checkout/place-order.server.ts'
import { goesOut, isEditable, isLive, type OrderStatus } from '../rules.ts'
import { cashOnDeliveryError, recordDoorCash } from '../payments/cash-on-delivery.server.ts'
import { type EditableOrder, readEditable } from './editable-order.server.ts'
import type { UpdateOrder } from './forms.ts'
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
import { editedShipping, type AdminLine, adminSums } from './pricing-rules.ts'
import { replaceLines } from './replace-lines.server.ts'

export type EditResult =
  | { ok: true; version: number; status: OrderStatus }
  | { ok: false; reason: 'not-found' | 'not-editable' }
  /** Somebody else has saved since: nothing was written. */
  | { ok: false; reason: 'changed' }
  | { ok: false; reason: 'invalid'; errors: FieldErrors }
  /** Goods that cannot be had, some of them at all: an animal that was just taken. */
  | { ok: false; reason: 'gone'; errors: FieldErrors; productIds: number[] }

/**
 * Saves what the admin changed of an order: contact, charges, lines with the stock that follows them, and its status, all or nothing.
 * What is not sent stays; the prices of lines stay as ordered unless they are set. Of two clerks at once the second is told.
 */
export async function editOrder(
  deps: AdminDeps,
  orderId: number,
  form: UpdateOrder,
  clerk: StaffActor,
  { lang, isForm }: { lang: Lang; isForm: boolean },
): Promise<EditResult> {
  const t = translate(lang) as Text
  const context = { areas: await deps.facts.areas(), settings: await deps.facts.settings(), now: deps.now(), publicUrl: deps.env.publicUrl }
  const lines = (form.products ?? []).map((line) => ({ productId: line.product_id }))
  try {
    const result = await inTransaction(deps.db, async (tx): Promise<EditResult> => {
      const order = await lockOrder(tx, orderId)
      if (!order) return { ok: false, reason: 'not-found' }
      if (form.version !== undefined && form.version !== order.version) return { ok: false, reason: 'changed' }
      const to = form.status === undefined || form.status === order.status ? null : form.status
      const move = to && statusRefusal(order, statusChange(to, form, clerk))
      if (move && move.reason !== 'changed' && move.reason !== 'not-found') return invalid(statusErrors(move.reason, t))
      return save(tx, { order, form, isForm, clerk, to, t, lang, ...context })
    })
    if (result.ok) deps.catalogChanged()
    return result
  } catch (error) {
    if (!(error instanceof StockUnavailableError)) throw error
    return missingResult(error.missing, await missingErrors(deps.db, error.missing, lines, t, lang))
  }
}

function invalid(errors: FieldErrors): EditResult {
  return { ok: false, reason: 'invalid', errors }
}

function statusChange(to: OrderStatus, form: UpdateOrder, clerk: StaffActor): StatusChange {
  return { to, reason: form.reason, version: null, mayReopen: clerk.can('orders.reopen') }
}

function statusErrors(reason: 'reason-required' | 'no-such-step' | 'goods-gone', t: Text): FieldErrors {
  return reason === 'reason-required' ? { reason: [t('admin-orders.reason-required')] } : { status: [t('admin-orders.no-such-step')] }
}

interface Saving {
  order: LockedOrder
  form: UpdateOrder
  /** Sent by a form, which sends every field. */
  isForm: boolean
  clerk: StaffActor
  to: OrderStatus | null
  t: Text
  lang: Lang
  areas: Map<number, AreaFacts>
  settings: Settings
  now: Date
  publicUrl: string
}

async function save(tx: Db, saving: Saving): Promise<EditResult> {
  const { order, form, clerk, to, now, settings, publicUrl } = saving
  const before = await readEditable(tx, order.id)
  const { after, lines, goods, errors } = await wantedOrder(tx, saving, before)
  if (Object.keys(errors).length > 0 || !after) return invalid(errors)
  const changes = changesBetween(before, after)
  const isChanged = Object.keys(changes).length > 0
  if (isChanged && (order.hasReturns || (!isEditable(order.status) && !(to && isEditable(to)))))
    return { ok: false, reason: 'not-editable' }
  const collected = form.collected ?? ZERO
  const cash = await cashOnDeliveryError(tx, order.id, { amount: collected, to, total: after.sums.total })
  if (cash) return invalid({ collected: [saving.t(`door.cash-${cash}`)] })
  const status = to ?? order.status
  // The goods before the lines: see createOrderByStaff.
  if (isLive(status) !== isLive(order.status) || changes.lines) await holdGoods(tx, order.id, status, before, lines)
  if (isChanged) {
    await writeEdit(tx, order.id, after, now)
    if (changes.lines) await replaceLines(tx, order.id, lines, goods)
    await addOrderEvent(tx, order.id, { kind: 'staff', id: clerk.id }, now, { kind: 'edited', detail: changes })
    await audit(tx, clerk, { action: 'changed', subject: 'order', id: order.id, before: audited(before), after: audited(after) })
  }
  let version = order.version + (isChanged ? 1 : 0)
  if (to)
    version = await writeStatus(
      tx,
      order,
      { to, reason: form.reason },
      { kind: 'staff', id: clerk.id, ip: clerk.ip },
      { now, settings, publicUrl },
    )
  else if (isChanged && goesOut(status)) await sellHeldAnimals(tx, order.id)
  else if (isChanged && isLive(status)) await sellPaidAnimals(tx, order.id)
  if (collected > 0) await recordDoorCash(tx, order, collected, clerk, now)
  return { ok: true, version: collected > 0 ? version + 1 : version, status }
}

async function holdGoods(tx: Db, orderId: number, status: OrderStatus, before: EditableOrder, lines: readonly AdminLine[]): Promise<void> {
  const had = new Set(before.lines.map((line) => line.productId))
  const holds = isLive(status)
  // An order that ends holds none of them; they are named all the same, so that all are locked at once before its lines refer to them.
  const wanted = lines.map((line) => ({
    product_id: line.productId,
    quantity_milli: holds ? line.quantityMilli : 0,
    is_new: holds && !had.has(line.productId),
  }))
  const missing = await syncOrderStock(tx, orderId, wanted)
  if (missing) throw new StockUnavailableError(missing)
}

/** The order as it would be, priced and added up, or the errors at its fields. */
async function wantedOrder(
  tx: Db,
  { form, isForm, clerk, t, lang, areas, now }: Saving,
  before: EditableOrder,
): Promise<{ after: EditableOrder | null; lines: AdminLine[]; goods: PricedProduct; errors: FieldErrors }> {
  const wanted = form.products?.map((line) => ({ productId: line.product_id, quantityMilli: line.quantity, price: line.price_on_order }))
  const asked = wanted ?? before.lines.map((line) => ({ productId: line.productId, quantityMilli: line.quantityMilli, price: null }))
  const goods = await loadProducts(tx, asked, before.lines)
  const mayPrice = clerk.can('orders.price')
  const { lines, errors } = priceLines(asked, goods, mayPrice, t, lang)
  if (form.list_on !== undefined && form.list_on !== before.listOn && form.list_on < dhakaDate(now)) {
    errors.list_on = [t('admin-orders.delivery-past')]
  }
  const isPriced = Object.keys(errors).every((field) => field === 'list_on')
  const areaId = form.area_id ?? before.areaId
  const isMoved = areaId !== before.areaId
  const charge = isMoved || form.products ? areaCharge(areaId, before, areas, goods, t) : null
  if (charge?.error) errors.area_id = [charge.error]
  const ofNewArea = isMoved ? (charge?.amount ?? null) : null
  const shipping = editedShipping(form.shipping_cost, { before: before.sums.shipping, ofNewArea, isForm })
  const orderDiscount = form.discount ?? before.orderDiscount
  if (orderDiscount !== before.orderDiscount && !mayPrice) errors.discount = [t('admin-orders.discount-not-yours')]
  // Lines that could not be priced are missing in the sums: they say nothing about the discount.
  const sums = isPriced ? adminSums(lines, shipping, orderDiscount) : null
  if (isPriced && !sums) errors.discount ??= [t('admin-orders.discount-too-high')]
  const { name, phone, address, landmark, note, remarks } = { ...before, ...withoutAbsent(form) }
  const after = sums && {
    name,
    phone,
    address,
    landmark,
    note,
    remarks,
    areaId,
    listOn: form.list_on ?? before.listOn,
    isSplit: before.isSplit,
    orderDiscount,
    maxShipping: before.maxShipping,
    sums,
    lines: frozen(lines, before),
  }
  return { after, lines, goods, errors }
}

function withoutAbsent<T extends object>(form: T): Partial<T> {
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined && value !== null)) as Partial<T>
}

function frozen(lines: readonly AdminLine[], before: EditableOrder): EditableOrder['lines'] {
  return lines.map((line) => {
    const old = before.lines.find((one) => one.productId === line.productId)
    return { ...line, unit: old?.unit ?? '', isAnimal: old?.isAnimal ?? false, bookedGrams: old?.bookedGrams ?? null }
  })
}

/** What delivery of these goods to the area costs, at most what the order's coupon leaves, or why they cannot go there. */
function areaCharge(
  areaId: number | null,
  before: EditableOrder,
  areas: Map<number, AreaFacts>,
  goods: PricedProduct,
  t: Text,
): { amount?: Poisha; error?: string } {
  const area = areaId === null ? undefined : areas.get(areaId)
  // An area that we no longer deliver to stays with the orders that have it.
  if (!area) return areaId === before.areaId ? {} : { error: t('details.area-unknown') }
  const charge = deliveryCharge(
    [...goods.rows.values()].map((row) => productFacts(row, 'en')),
    areaCharges(area),
  )
  if (!charge.ok) return { error: t(`refusal.${charge.reason}` as MessageKey) }
  // A coupon lowers the charge of one delivery, as in quoteOrder.
  const one = Math.min(charge.value, before.maxShipping ?? charge.value)
  return { amount: poisha(one + (before.isSplit ? charge.value : 0)) }
}

async function writeEdit(tx: Db, orderId: number, after: EditableOrder, now: Date): Promise<void> {
  const { sums } = after
  await sql`update orders set name = ${after.name}, phone = ${after.phone}, address = ${after.address}, landmark = ${after.landmark},
    note = ${after.note}, remarks = ${after.remarks}, area_id = ${after.areaId}, list_on = ${after.listOn},
    subtotal_poisha = ${sums.subtotal}, shipping_poisha = ${sums.shipping}, discount_poisha = ${sums.discount}, total_poisha = ${sums.total},
    payable_poisha = least(payable_poisha, ${sums.total}::bigint), is_free_order = ${sums.total === 0}, version = version + 1, updated_at = ${now}
    where id = ${orderId}`.execute(tx)
  // What the admin takes off the coupon's discount was not given by the coupon; what it adds is its own.
  await sql`update coupon_uses set discount_poisha = ${after.orderDiscount} where order_id = ${orderId} and discount_poisha > ${after.orderDiscount}`.execute(
    tx,
  )
}

/** What a reader of the history wants to see of an order, in taka and units. */
function audited({ sums, orderDiscount, maxShipping: _max, isSplit: _isSplit, lines, ...contact }: EditableOrder): Record<string, unknown> {
  return {
    ...contact,
    shipping: poishaToTaka(sums.shipping),
    discount: poishaToTaka(orderDiscount),
    total: poishaToTaka(sums.total),
    lines: lines.map((line) => `${line.productId}: ${line.quantityMilli / 1000} × ${poishaToTaka(line.price)}`).sort(),
  }
}

/** Field by field what an edit changes, old and new. */
export function changesBetween(before: EditableOrder, after: EditableOrder): Record<string, { from: unknown; to: unknown }> {
  const [old, fresh] = [audited(before), audited(after)]
  return Object.fromEntries(
    Object.keys(fresh)
      .filter((key) => JSON.stringify(old[key]) !== JSON.stringify(fresh[key]))
      .map((key) => [key, { from: old[key], to: fresh[key] }]),
  )
}
