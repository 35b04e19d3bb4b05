// Defines how a stock movement changes the status and the hold of a product.
//
// The status of a counted product follows its count: zero is out of stock. One that was pre-booked until then is so again when an order releases
// some of it before its delivery date (`products.sold_out_as`). The status of an animal follows the movement. SQL
// `next_product_state` holds the same table for the writers. rules.server.test.ts compares the two over all states.

export type ProductStatus = 'in-stock' | 'pre-book' | 'hold' | 'out-of-stock' | 'sold'
export type HoldReason = 'booked' | 'soon' | 'returned'

/**
 * `reserve`: an order reserves the product. `release`: an order releases a product that never left the farm. `return`: the product comes back
 * after it was sent. `write-off`: it is no longer for sale. `sell`: an animal on hold is sold. `unhold`: the staff end a hold. `count`: the
 * staff set the stock.
 */
export const MOVEMENTS = ['reserve', 'release', 'return', 'write-off', 'sell', 'unhold', 'count'] as const
export type Movement = (typeof MOVEMENTS)[number]

/** The largest count of a product. */
export const MAX_STOCK_MILLI = 1_000_000_000_000

/** The first count of a product with 200,000 orders takes some seconds. The limit of the server, and of the page that waits for it. */
export const COUNT_WAIT_MS = 60_000

export interface ProductState {
  status: ProductStatus
  holdReason: HoldReason | null
}

/** The state of an animal after each movement. A movement that is not listed changes nothing. */
const ANIMAL_STATES: Partial<Record<Movement, ProductState>> = {
  reserve: { status: 'hold', holdReason: 'booked' },
  release: { status: 'in-stock', holdReason: null },
  return: { status: 'hold', holdReason: 'returned' },
  'write-off': { status: 'out-of-stock', holdReason: null },
  unhold: { status: 'in-stock', holdReason: null },
}

/** The status of a product that is no animal, by its stock in thousandths. Null: the stock is not tracked and the status stays. */
export function statusOfCount(status: ProductStatus, stockMilli: number | null): ProductStatus {
  if (stockMilli === 0) return 'out-of-stock'
  return stockMilli !== null && status === 'out-of-stock' ? 'in-stock' : status
}

/**
 * The state of a product after a movement that leaves `stockMilli` (thousandths; null: not tracked).
 * @public Documents the transition table. rules.server.test.ts compares SQL with it.
 */
export function nextProductState(
  movement: Movement,
  { isAnimal, status, holdReason }: ProductState & { isAnimal: boolean },
  stockMilli: number | null,
): ProductState {
  const next = isAnimal ? animalState(movement, { status, holdReason }) : countedState(movement, { status, holdReason }, stockMilli)
  return next.status === 'hold' ? next : { ...next, holdReason: null }
}

function animalState(movement: Movement, before: ProductState): ProductState {
  if (movement === 'sell') return before.status === 'hold' ? { status: 'sold', holdReason: null } : before
  return ANIMAL_STATES[movement] ?? before
}

function countedState(movement: Movement, before: ProductState, stockMilli: number | null): ProductState {
  if (movement === 'unhold') return { status: 'in-stock', holdReason: null }
  return { ...before, status: statusOfCount(before.status, stockMilli) }
}
