// Rules of product forms: permitted statuses, stock of animals, bulk price changes, fields that depend on each other.
//
// An animal is unique and has a tag. Other products are counted or not. A counted product is out of stock exactly when its stock is zero.
// An animal that a live order holds is on hold or sold. The price of an animal sold by live weight follows its weight; other products
// have their own price.
import { MAX_PRICE } from '#features/catalog/limits.ts'
import { PRODUCT_STATUSES } from '#features/catalog/rules.ts'
import type { DiscountType, ProductStatus } from '#features/catalog/types.ts'
import type { HoldReason } from '#features/stock/rules.ts'
import { shareInTaka, taka, WHOLE_PERCENT } from '#lib/format/money.ts'

export type ProductKind = 'animal' | 'goods'

/** The state that determines the permitted statuses of a product. */
export interface StockState {
  kind: ProductKind
  /** Thousandths; null when not counted. */
  stockMilli: number | null
  /** A live order holds the animal. */
  isClaimed: boolean
  /** The animal came back from an order and is not released. */
  isReturned?: boolean
}

/** The permitted statuses in their usual order. */
export function allowedStatuses({ kind, stockMilli, isClaimed, isReturned = false }: StockState): ProductStatus[] {
  if (isReturned) return ['hold']
  if (kind === 'animal') return isClaimed ? ['hold', 'sold'] : [...PRODUCT_STATUSES]
  if (stockMilli === null) return [...PRODUCT_STATUSES]
  return PRODUCT_STATUSES.filter((status) => (status === 'out-of-stock') === (stockMilli === 0))
}

/** Why a product is on hold that staff set on hold: a live order has it, it came back from one, or it is not for sale yet. */
export function heldFor({ isClaimed, isReturned }: { isClaimed: boolean; isReturned: boolean }): HoldReason {
  if (isClaimed) return 'booked'
  return isReturned ? 'returned' : 'soon'
}

/** The stock of an animal in thousandths: 1000 while it can be sold, 0 when an order holds it, or it is sold or out of stock. */
export function animalStock(status: ProductStatus, isClaimed: boolean): 0 | 1000 {
  return !isClaimed && ['in-stock', 'pre-book', 'hold'].includes(status) ? 1000 : 0
}

/** How staff enter the stock of a product. `uncounted` ends the counting. */
export const STOCK_ENTRIES = ['received', 'counted', 'uncounted'] as const

export const PRICE_CHANGES = ['percent', 'taka', 'set'] as const

/** A price change of several products. */
export type PriceChange = { by: 'set'; poisha: number } | { by: 'taka'; poisha: number } | { by: 'percent'; basisPoints: number }

/** The price of a product made from a photograph, in taka, until staff enter it. */
export const PLACEHOLDER_TAKA = 1

/** Whether the price of a product is still to be entered: it must not be shown at that price with others. */
export const isPriceMissing = (pricePoisha: number): boolean => pricePoisha <= taka(PLACEHOLDER_TAKA)

/** The new price in poisha. A percentage is rounded to whole taka, half up. Null when the price would be zero or above the maximum. */
export function changedPrice(poisha: number, change: PriceChange): number | null {
  const changed =
    change.by === 'set'
      ? change.poisha
      : change.by === 'taka'
        ? poisha + change.poisha
        : shareInTaka(poisha, Math.max(0, WHOLE_PERCENT + change.basisPoints), WHOLE_PERCENT)
  return changed > 0 && changed <= MAX_PRICE ? changed : null
}

/** The fields of a form that depend on one another. */
export interface DependentFields {
  kind: ProductKind
  price: number | null
  discount_kind: 'none' | DiscountType
  discount: number | null
  sizes: readonly number[]
  tag_number: string | null
  sold_by_live_weight: boolean
  category_id: number
  further_category_ids: readonly number[]
}

export type FormProblem = [field: string, key: 'field.required' | 'field.taka' | 'products.discount-high']

/** Errors of fields that depend on each other; amounts in poisha, percentages in hundredths. */
export function formProblems(form: DependentFields): FormProblem[] {
  const problems = priceProblems(form)
  if (form.kind === 'animal' && form.tag_number === null) problems.push(['tag_number', 'field.required'])
  return [...problems, ...discountProblems(form)]
}

function priceProblems({ kind, price, sold_by_live_weight }: DependentFields): FormProblem[] {
  if (kind === 'animal' && sold_by_live_weight) return []
  if (price === null) return [['price', 'field.required']]
  return price < 1 || price > MAX_PRICE ? [['price', 'field.taka']] : []
}

function discountProblems({ price, discount_kind, discount }: DependentFields): FormProblem[] {
  if (discount_kind === 'none') return []
  if (discount === null) return [['discount', 'field.required']]
  const max = discount_kind === 'percentage' ? WHOLE_PERCENT : (price ?? MAX_PRICE)
  return discount > max ? [['discount', 'products.discount-high']] : []
}
