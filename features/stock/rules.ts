// How a stock movement changes the status and the hold of a product.
//
// Counted goods follow their count: zero is out of stock. An animal follows the movement. SQL `next_product_state` holds the same table for
// every writer; rules.server.test.ts compares both over all states.

export type ProductStatus = 'in-stock' | 'pre-book' | 'hold' | 'out-of-stock' | 'sold'
export type HoldReason = 'booked' | 'soon' | 'returned'

/**
 * `reserve`: an order takes the product. `release`: the order gives it back, and it is on the farm. `return`: it comes back after it was
 * sent. `write-off`: it cannot be sold any more. `sell`: an animal on hold is sold. `unhold`: a hold by the staff ends. `count`: the staff set
 * the stock.
 */
export const MOVEMENTS = ['reserve', 'release', 'return', 'write-off', 'sell', 'unhold', 'count'] as const
export type Movement = (typeof MOVEMENTS)[number]

export interface ProductState {
  status: ProductStatus
  holdReason: HoldReason | null
}

/** The states of an animal after a movement; a missing movement changes nothing. */
const ANIMAL_STATES: Partial<Record<Movement, ProductState>> = {
  reserve: { status: 'hold', holdReason: 'booked' },
  release: { status: 'in-stock', holdReason: null },
  return: { status: 'hold', holdReason: 'returned' },
  'write-off': { status: 'out-of-stock', holdReason: null },
  unhold: { status: 'in-stock', holdReason: null },
}

/** The status of goods with this stock in thousandths; null: not counted, so the status stays. */
export function statusOfCount(status: ProductStatus, stockMilli: number | null): ProductStatus {
  if (stockMilli === 0) return 'out-of-stock'
  return stockMilli !== null && status === 'out-of-stock' ? 'in-stock' : status
}

/**
 * The state of a product after a movement that leaves `stockMilli` (thousandths; null: not counted).
 * @public The readable statement of the table; rules.server.test.ts holds SQL to it.
 */
export function nextProductState(
  movement: Movement,
  { isAnimal, status, holdReason }: ProductState & { isAnimal: boolean },
  stockMilli: number | null,
): ProductState {
  const next = isAnimal ? animalState(movement, { status, holdReason }) : goodsState(movement, { status, holdReason }, stockMilli)
  return next.status === 'hold' ? next : { ...next, holdReason: null }
}

function animalState(movement: Movement, before: ProductState): ProductState {
  if (movement === 'sell') return before.status === 'hold' ? { status: 'sold', holdReason: null } : before
  return ANIMAL_STATES[movement] ?? before
}

function goodsState(movement: Movement, before: ProductState, stockMilli: number | null): ProductState {
  if (movement === 'unhold') return { status: 'in-stock', holdReason: null }
  return { ...before, status: statusOfCount(before.status, stockMilli) }
}
