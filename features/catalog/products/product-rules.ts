// What may be said of a product.
//
// An animal exists once, carries a tag and is delivered whole; goods are counted or not. What is counted says by itself whether it is
// out of stock: at nought it is, else it is not. An animal that a live order has booked is on hold or sold, whatever anybody would
// like it to be. The price of an animal sold by live weight follows its weight; all others have a price of their own.
import { MAX_PRICE } from '#features/catalog/limits.ts'
import { PRODUCT_STATUSES } from '#features/catalog/rules.ts'
import type { ProductStatus, Unit } from '#features/catalog/types.ts'

export const UNITS: readonly Unit[] = ['kg', 'piece', 'dozen', 'bundle']

export type ProductKind = 'animal' | 'goods'

/** What decides which statuses a product may have. */
export interface StockFacts {
  kind: ProductKind
  /** Thousandths; null when not counted. */
  stockMilli: number | null
  /** A live order holds the animal. */
  isClaimed: boolean
  /** The animal came back from an order and is not released. */
  isReturned?: boolean
}

/** The statuses the product may have as it stands, in their usual order. */
export function allowedStatuses({ kind, stockMilli, isClaimed, isReturned = false }: StockFacts): ProductStatus[] {
  if (isReturned) return ['hold']
  if (kind === 'animal') return isClaimed ? ['hold', 'sold'] : [...PRODUCT_STATUSES]
  if (stockMilli === null) return [...PRODUCT_STATUSES]
  return PRODUCT_STATUSES.filter((status) => (status === 'out-of-stock') === (stockMilli === 0))
}

/** How many of an animal there are: one while it can still be sold, none when it is booked, gone or not to be had. Thousandths. */
export function animalStock(status: ProductStatus, isClaimed: boolean): 0 | 1000 {
  return !isClaimed && ['in-stock', 'pre-book', 'hold'].includes(status) ? 1000 : 0
}

/** How the prices of several products are changed at once. */
export type PriceChange = { by: 'set'; poisha: number } | { by: 'taka'; poisha: number } | { by: 'percent'; basisPoints: number }

const TAKA = 100

/** The new price in poisha: a sum to the poisha, a percentage in whole taka, half up. Null when it would be none or too much. */
export function changedPrice(poisha: number, change: PriceChange): number | null {
  const wanted =
    change.by === 'set'
      ? change.poisha
      : change.by === 'taka'
        ? poisha + change.poisha
        : Math.floor((poisha * (10_000 + change.basisPoints)) / (10_000 * TAKA) + 0.5) * TAKA
  return wanted > 0 && wanted <= MAX_PRICE ? wanted : null
}

/** The fields of a form that depend on one another. */
export interface FormFacts {
  kind: ProductKind
  price: number | null
  discount_kind: 'none' | 'percentage' | 'fixed'
  discount: number | null
  sizes: readonly number[]
  tag_number: string | null
  sold_by_live_weight: boolean
  category_id: number
  further_category_ids: readonly number[]
}

export type FormProblem = [field: string, key: 'field.required' | 'field.taka' | 'products.discount-high']

const WHOLE_PERCENT = 10_000

/** What in a form does not go together; amounts in poisha, percentages in hundredths. */
export function formProblems(form: FormFacts): FormProblem[] {
  const problems: FormProblem[] = []
  const hasOwnPrice = form.kind === 'goods' || !form.sold_by_live_weight
  if (hasOwnPrice && form.price === null) problems.push(['price', 'field.required'])
  if (hasOwnPrice && form.price !== null && (form.price < 1 || form.price > MAX_PRICE)) problems.push(['price', 'field.taka'])
  if (form.kind === 'animal' && form.tag_number === null) problems.push(['tag_number', 'field.required'])
  if (form.discount_kind !== 'none' && form.discount === null) problems.push(['discount', 'field.required'])
  const most = form.discount_kind === 'percentage' ? WHOLE_PERCENT : (form.price ?? MAX_PRICE)
  if (form.discount_kind !== 'none' && form.discount !== null && form.discount > most) problems.push(['discount', 'products.discount-high'])
  return problems
}
