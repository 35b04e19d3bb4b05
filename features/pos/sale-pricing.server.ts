import type { CachedArea } from '#features/catalog/shop-cache.server.ts'
import type { FieldErrors, PricedProduct } from '#features/orders/editing/order-line-pricing.server.ts'
import { type AdminLine, type AdminSums, adminSums } from '#features/orders/editing/pricing-rules.ts'
import type { StaffCoupon } from '#features/orders/editing/staff-coupon.server.ts'
import { toQuoteProduct } from '#features/pricing/quote-product.server.ts'
import { areaCharges, deliveryCharge } from '#features/pricing/rules.ts'
import { formatTaka, type Poisha, poisha, poishaToTaka, sum, ZERO } from '#lib/format/money.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { Text } from '#lib/i18n/translate.ts'
import type { SaleTerms } from './approval-rules.ts'
import { exchangeSums } from './exchange-rules.ts'
import type { SaleForm } from './forms.ts'
import { saleRounding } from './rounding-rules.ts'
import {
  applyTender,
  changeOf,
  type ExtraMethod,
  hasPosDecimals,
  methodNotAllowed,
  PAYMENT_TOLERANCE,
  type Tender,
  type TenderProblem,
  tenderedOf,
} from './rules.ts'

/** The server's sums, for a POS that shows others. */
export interface SaleSums {
  sub_total: number
  shipping_cost: number
  total: number
  products: { id: number; price: number }[]
}

export type SaleResult =
  | { ok: true; orderId: number; replayed: boolean }
  | { ok: false; reason: 'invalid'; errors: FieldErrors }
  /** The products are not sold in these quantities, or not any more. */
  | { ok: false; reason: 'quantity'; errors: FieldErrors }
  | { ok: false; reason: 'changed'; errors: FieldErrors; sums: SaleSums }
  | { ok: false; reason: 'missing'; errors: FieldErrors; productIds: number[] }
  /** Needs a supervisor, who approves exactly this. */
  | { ok: false; reason: 'approval'; errors: FieldErrors; needed: SaleTerms }
  /** The key has an order: with other contents, or by the cashier `by`. */
  | { ok: false; reason: 'key-reused'; orderId: number; by?: string }
  | { ok: false; reason: 'no-shift' | 'other-cashier' | 'shift-closed' }

export interface Priced {
  ok: true
  sums: AdminSums
  applied: Tender
  tender: Tender
  change: Poisha
  /** What cash rounding added to the payment; negative: took off. */
  rounding: Poisha
  /** The part that the customer pays later. */
  onAccount: Poisha
  /** The part that the customer's store credit pays. */
  storeCredit: Poisha
  /** The part of the total that returned products pay. */
  exchanged: Poisha
}

interface PricingContext {
  area: CachedArea | undefined
  /** Whether the cash may be rounded to whole taka. */
  roundsCash: boolean
  /** The extra payment methods that are accepted. */
  methods: readonly ExtraMethod[]
  /** The refund of products that are exchanged for this sale. */
  credit?: Poisha
  coupon?: StaffCoupon | null
  t: Text
  lang: Lang
}

/** Prices a sale with the server's own sums and checks its payment. */
export function priceSale(
  form: SaleForm,
  lines: readonly AdminLine[],
  products: PricedProduct,
  { area, roundsCash, methods, credit = ZERO, coupon = null, t, lang }: PricingContext,
): Priced | Exclude<SaleResult, { ok: true }> {
  const invalid = (field: string, text: string) => ({ ok: false as const, reason: 'invalid' as const, errors: { [field]: [text] } })
  const unreadable = unreadableLine(lines, products)
  if (unreadable !== null)
    return { ok: false, reason: 'quantity', errors: { [`products.${unreadable}.quantity`]: [t('pos.quantity-invalid')] } }
  if (form.delivery && !area) return invalid('delivery.area_id', t('details.area-unknown'))
  const items = lines.flatMap((line) => products.rows.get(line.productId) ?? []).map((row) => toQuoteProduct(row, 'en'))
  const charge = area ? deliveryCharge(items, areaCharges(area)) : ({ ok: true, value: ZERO } as const)
  if (!charge.ok) return invalid('delivery.area_id', t(`refusal.${charge.reason}`))
  const sums = saleSums(form, lines, charge.value, coupon)
  if (!sums) return invalid('discount', t('admin-orders.discount-too-high'))
  const changed = findDifferences(form, lines, sums, { t, lang })
  if (changed) return changed
  if (sums.total <= 0) return invalid('total', t('pos.total-zero'))
  const method = methodNotAllowed(tenderOf(form), methods)
  if (method) return invalid(`transactions.${method}`, t('pos.method-off', { method: t(`pos.${method}`) }))
  const { exchanged, toPay } = exchangeSums(credit, sums.total)
  const { onAccount, storeCredit } = notMoneyOf(form)
  if (onAccount > toPay) return invalid('on_account', t('pos.account.too-much'))
  if (onAccount + storeCredit > toPay) return invalid('store_credit', t('pos.account.too-much'))
  const paid = checkPayment(form, poisha(toPay - onAccount - storeCredit), roundsCash)
  return paid.ok ? { ...paid, sums, onAccount, storeCredit, exchanged } : invalid('transactions', t(`pos.tender.${paid.problem}`))
}

/** The index of the first line with more decimals than the POS sells; null without one. */
function unreadableLine(lines: readonly AdminLine[], { rows }: PricedProduct): number | null {
  const sizesOf = (line: AdminLine) => rows.get(line.productId)?.sizes_milli ?? []
  const index = lines.findIndex((line) => !line.isHandedOver && !hasPosDecimals(line.quantityMilli, sizesOf(line)))
  return index < 0 ? null : index
}

/** Whether the discounts of lines are above their lines, or together above the discount of the sale. */
function hasTooHighDiscounts({ products, discount }: SaleForm, lines: readonly AdminLine[]): boolean {
  const own = products.map((line) => line.discount ?? ZERO)
  return sum(own) > (discount ?? ZERO) || own.some((one, index) => one > (lines[index]?.total ?? ZERO))
}

/** The parts of the total that are not paid in money. */
const notMoneyOf = ({ on_account, store_credit }: SaleForm) => ({ onAccount: on_account ?? ZERO, storeCredit: store_credit ?? ZERO })

/** The sums with the coupon, which excludes the cashier's discount; null when that exceeds the lines, or is less than those of lines. */
function saleSums(form: SaleForm, lines: readonly AdminLine[], shipping: Poisha, coupon: StaffCoupon | null): AdminSums | null {
  if (hasTooHighDiscounts(form, lines)) return null
  if (coupon) return adminSums(lines, poisha(shipping - coupon.deliverySaved), coupon.discount)
  return adminSums(lines, shipping, form.discount ?? ZERO)
}

function tenderOf({ transactions: { cash, bkash, bank, ...extra } }: SaleForm): Tender {
  return { cash: cash ?? ZERO, bkash: bkash ?? ZERO, bank: bank ?? ZERO, ...extra }
}

/** The payment of what is paid now. Where cash is rounded, the rounded sum counts as well as the exact one of a device without the new setting. */
function checkPayment(
  form: SaleForm,
  total: Poisha,
  roundsCash: boolean,
): Omit<Priced, 'sums' | 'onAccount' | 'storeCredit' | 'exchanged'> | { ok: false; problem: TenderProblem } {
  const { change_amount, paid_amount } = form
  const tender = tenderOf(form)
  const rounding = roundsCash ? saleRounding(total, tender) : ZERO
  const rounded = poisha(total + rounding)
  const change = change_amount ?? changeOf(tender, rounded)
  const isRounded = tenderedOf(tender) - change === rounded
  const paid = applyTender(tender, change, isRounded ? rounded : total, paid_amount)
  return paid.ok ? { ok: true, applied: paid.applied, tender, change, rounding: isRounded ? rounding : ZERO } : paid
}

/** The differences between the sums on screen and the server's; null when they agree. */
function findDifferences(
  form: SaleForm,
  lines: readonly AdminLine[],
  sums: AdminSums,
  { t, lang }: { t: Text; lang: Lang },
): Exclude<SaleResult, { ok: true }> | null {
  const subtotal = lines.reduce((total, line) => total + line.total, 0) as Poisha
  const differs = (sent: Poisha | null, own: Poisha) => sent !== null && Math.abs(sent - own) > PAYMENT_TOLERANCE
  const errors: FieldErrors = {}
  const addError = (field: string, own: Poisha) => {
    errors[field] = [t(field === 'total' ? 'pos.changed' : 'pos.changed-amount', { amount: formatTaka(own, lang) })]
  }
  form.products.forEach((sent, index) => {
    const line = lines[index]
    if (line && sent.price !== null && sent.price !== line.price) addError(`products.${index}.price`, line.price)
  })
  if (differs(form.sub_total, subtotal)) addError('sub_total', subtotal)
  if (differs(form.shipping_cost, sums.shipping)) addError('shipping_cost', sums.shipping)
  if (differs(form.total, sums.total)) addError('total', sums.total)
  if (Object.keys(errors).length === 0) return null
  const products = lines.map((line) => ({ id: line.productId, price: poishaToTaka(line.price) }))
  const own = { sub_total: poishaToTaka(subtotal), shipping_cost: poishaToTaka(sums.shipping), total: poishaToTaka(sums.total), products }
  return { ok: false, reason: 'changed', errors, sums: own }
}
