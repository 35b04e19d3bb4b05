import type { StaffActor } from '#features/auth/permissions.ts'
import type { CachedArea } from '#features/catalog/shop-cache.server.ts'
import { toQuoteProduct } from '#features/pricing/quote-product.server.ts'
import { splitDates } from '#features/pricing/delivery-plan-rules.ts'
import { areaCharges, deliveryCharge } from '#features/pricing/rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import { poisha, type Poisha, ZERO } from '#lib/format/money.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { MessageKey, Text } from '#lib/i18n/translate.ts'
import { deliveryDayProblem } from './delivery-day.server.ts'
import type { EditableOrder } from './editable-order.server.ts'
import { couponUseAfterEdit, discountAfterEdit, lineDiscountsAfterEdit, type UsualCharge } from './edited-coupon.server.ts'
import type { UpdateOrder } from './forms.ts'
import { type FieldErrors, loadProducts, type PricedProduct, priceLines, requestedLines } from './order-line-pricing.server.ts'
import { type AdminLine, adminSums, chargeUnderCoupon, editedShipping, followingCharge } from './pricing-rules.ts'

/** An edit of an order by staff. */
export interface Edit {
  order: { id: number }
  form: UpdateOrder
  /** Sent as an HTML form, which always contains every field. */
  isForm: boolean
  clerk: StaffActor
  t: Text
  lang: Lang
  areas: Map<number, CachedArea>
  now: Date
  /** The address of collection. */
  collectAt: string
}

interface EditedOrder {
  /** Null when the lines have no prices or the totals are invalid. */
  after: EditableOrder | null
  lines: AdminLine[]
  products: PricedProduct
  /** The charge is that of one delivery, because the products have one date: the order does not come in two deliveries any more. */
  isJoined: boolean
  errors: FieldErrors
}

/** The order after the edit, priced and added up, or the errors at its fields. */
export async function editedOrder(tx: Db, edit: Edit, before: EditableOrder): Promise<EditedOrder> {
  const { form, t, lang } = edit
  const requested = linesAfterEdit(form, before)
  const products = await loadProducts(tx, requested, before.lines)
  const mayPrice = edit.clerk.can('orders.price')
  const { lines, errors } = priceLines(requested, products, mayPrice, t, lang)
  // Without the price of every line the discount cannot be checked.
  const isPriced = Object.keys(errors).length === 0
  const delivery = editedDelivery(edit, before, products)
  Object.assign(errors, deliveryErrors(edit, before, delivery))
  const setDiscount = form.discount === before.orderDiscount ? null : form.discount
  const orderDiscount = setDiscount ?? (await discountAfterEdit(tx, edit.order.id, before, lines))
  if (setDiscount !== null && !mayPrice) errors.discount = [t('admin-orders.discount-not-yours')]
  const sums = isPriced ? adminSums(lines, delivery.shipping, orderDiscount) : null
  if (isPriced && !sums) errors.discount ??= [t('admin-orders.discount-too-high')]
  const { name, phone, address, landmark, note, remarks } = { ...before, ...withoutAbsent(form) }
  const { isCollection, areaId } = delivery
  // A collected order has the address of the farm.
  const place = isCollection && !before.isCollection ? { address: edit.collectAt, landmark: '' } : { address, landmark }
  const contact = { name, phone, ...place, note, remarks, areaId, isCollection, listOn: form.list_on ?? before.listOn }
  const { isSplit, hasTwoDeliveries, maxShipping } = before
  const unchanged = { isSplit, hasTwoDeliveries, maxShipping }
  const shares = await lineDiscountsAfterEdit(tx, edit.order.id, before, { lines, orderDiscount })
  const couponUse = couponUseAfterEdit(before, { lines, orderDiscount, ...delivery })
  const after = sums && { ...contact, ...unchanged, orderDiscount, couponUse, sums, lines: frozen(lines, before, shares) }
  return { after, lines, products, isJoined: delivery.isJoined, errors }
}

/** The lines of the form; without any those of the order, with the usual prices. */
function linesAfterEdit({ products }: UpdateOrder, before: EditableOrder) {
  return products
    ? requestedLines(products)
    : before.lines.map(({ productId, quantityMilli }) => ({ productId, quantityMilli, price: null }))
}

/** The errors of day, area and address. */
function deliveryErrors({ form, t, now }: Edit, before: EditableOrder, delivery: ReturnType<typeof editedDelivery>): FieldErrors {
  const errors: FieldErrors = {}
  // An unchanged date may be in the past.
  const problem = form.list_on === before.listOn ? null : deliveryDayProblem(form.list_on, now)
  if (problem) errors.list_on = [t(problem)]
  if (delivery.error) errors.area_id = [delivery.error]
  if (isAddressMissing(form.address, delivery, before)) errors.address = [t('details.address-required')]
  return errors
}

/** Sales over the counter have neither address nor area. A collected order has none where the shop's own address is not set. */
function isAddressMissing(
  address: string,
  { isCollection, areaId }: { isCollection: boolean; areaId: number | null },
  before: EditableOrder,
) {
  return address === '' && !isCollection && (before.address !== '' || areaId !== null)
}

/** Area and delivery charge of the edited order. The charge is computed again for a new area and for new lines. */
function editedDelivery({ form, isForm, areas, t }: Edit, before: EditableOrder, products: PricedProduct) {
  const isCollection = form.is_collection ?? before.isCollection
  if (isCollection) return { isCollection, areaId: null, shipping: ZERO, usual: NO_CHARGE, isJoined: true, error: undefined }
  const areaId = form.area_id ?? before.areaId
  if (before.isCollection && areaId === null)
    return { isCollection, areaId, shipping: ZERO, usual: NO_CHARGE, isJoined: false, error: t('details.area-required') }
  const isMoved = areaId !== before.areaId
  const isSplit = comesTwice(form, before, products)
  const charge = areaCharge(areaId, { ...before, isSplit }, areas, products, t)
  const shipping = editedShipping(form.shipping_cost, {
    before: before.sums.shipping,
    following: followingCharge(charge.usual ?? null, { isMoved, wasSplit: before.isSplit, isSplit, before: before.sums.shipping }),
    isForm,
  })
  const saved = { amount: before.sums.shipping, saving: before.couponUse?.deliverySaved ?? ZERO }
  const { amount, saving } = (isMoved || (isSplit && !before.isSplit)) && charge.usual ? charge.usual : saved
  const usual = { charge: poisha(amount + saving), saving }
  return {
    isCollection,
    areaId,
    shipping,
    usual,
    isJoined: joins(before, { isSplit, isMoved }),
    error: isMoved || form.products ? charge.error : undefined,
  }
}

/** Whether the charge becomes that of one delivery: the edit leaves one date, or a new area sets the charge of one. */
const joins = (before: EditableOrder, { isSplit, isMoved }: { isSplit: boolean; isMoved: boolean }) =>
  !isSplit && (before.isSplit || isMoved)

const NO_CHARGE: UsualCharge = { charge: ZERO, saving: ZERO }

/** Whether an order with two deliveries has two dates after the edit: those of before, while neither lines nor day are sent. */
function comesTwice({ products: lines, list_on: day }: UpdateOrder, before: EditableOrder, { rows, frozen }: PricedProduct): boolean {
  if (!before.hasTwoDeliveries || (lines === undefined && day === undefined)) return before.isSplit
  const ids = lines?.map(({ product_id: id }) => id) ?? [...frozen.keys()]
  const dates = ids.map((id) => (frozen.has(id) ? frozen.get(id)!.deliveryOn : (rows.get(id)?.delivery_on ?? null)))
  return splitDates(day ?? before.listOn, dates) !== null
}

function withoutAbsent<T extends object>(form: T): Partial<T> {
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined && value !== null)) as Partial<T>
}

function frozen(lines: readonly AdminLine[], before: EditableOrder, discounts: readonly Poisha[]): EditableOrder['lines'] {
  return lines.map((line, index) => {
    const previous = before.lines.find(({ productId }) => productId === line.productId)
    return {
      ...line,
      discount: discounts[index] ?? ZERO,
      unit: previous?.unit ?? '',
      isAnimal: previous?.isAnimal ?? false,
      bookedGrams: previous?.bookedGrams ?? null,
      deliveryOn: previous?.deliveryOn ?? null,
    }
  })
}

/** The charge of the products in the area under the order's coupon, or the error of the area. */
function areaCharge(
  areaId: number | null,
  before: Pick<EditableOrder, 'areaId' | 'isSplit' | 'maxShipping'>,
  areas: Map<number, CachedArea>,
  products: PricedProduct,
  t: Text,
): { usual?: ReturnType<typeof chargeUnderCoupon>; error?: string } {
  const area = areaId === null ? undefined : areas.get(areaId)
  // An inactive area is allowed for orders that already have it.
  if (!area) return areaId === before.areaId ? {} : { error: t('details.area-unknown') }
  const charge = deliveryCharge(
    [...products.rows.values()].map((row) => toQuoteProduct(row, 'en')),
    areaCharges(area),
  )
  return charge.ok ? { usual: chargeUnderCoupon(charge.value, before) } : { error: t(`refusal.${charge.reason}` as MessageKey) }
}
