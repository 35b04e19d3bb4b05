// Rules of a stock take: a sheet on which the stock is counted.
//
// The expected stock is all that is on the farm: the stock for sale, and reserved stock until it leaves. A line holds what was expected at its
// first count, and what was counted. Closing adds the difference to the stock of that moment, so sales in between count. An animal is
// present (1) or missing (0).
import { MAX_STOCK_MILLI } from '#features/stock/rules.ts'
import { latinDigits, toMilli } from '#lib/format/numbers.ts'

/** Why the count differs. `counted`: an earlier error, or no reason given. */
export const TAKE_REASONS = ['counted', 'spoiled', 'lost', 'found'] as const
export type TakeReason = (typeof TAKE_REASONS)[number]

export type TakeState = 'open' | 'closed' | 'cancelled'

/** The lists of a sheet. */
export const TAKE_LISTS = ['counted', 'open', 'different'] as const
export type TakeList = (typeof TAKE_LISTS)[number]

export const MAX_NOTE_LENGTH = 200
/** A sheet of 100,000 products is closed in some seconds. The limit of the server, and of the page that waits for it. */
export const CLOSE_WAIT_MS = 30_000
/** Products that are not counted yet are counted up to this number. */
export const MAX_OPEN = 1000
/** Characters of a typed quantity. */
export const MAX_TYPED_COUNT_LENGTH = 40
const ANIMAL_MILLI = 1000

/** The expected stock of a product now, in thousandths; null: it is not counted. */
export function expectedNow({
  stock_milli: stock,
  ordered_milli: ordered,
}: {
  stock_milli: number | null
  ordered_milli: number
}): number | null {
  return stock === null ? null : stock + ordered
}

/** The reasons that fit a difference: missing stock was spoiled or lost, surplus stock was found. */
export function reasonsOf(differenceMilli: number): readonly TakeReason[] {
  if (differenceMilli < 0) return ['counted', 'spoiled', 'lost']
  return differenceMilli > 0 ? ['counted', 'found'] : ['counted']
}

/** Whether a product can be counted as this quantity. Animals: one or none. Kilograms and dozens have decimals, other units do not. */
export function isCountable(milli: number, { isUnique, unit }: { isUnique: boolean; unit: string }): boolean {
  if (!Number.isSafeInteger(milli) || milli < 0 || milli > MAX_STOCK_MILLI) return false
  if (isUnique) return milli === 0 || milli === ANIMAL_MILLI
  return unit === 'kg' || unit === 'dozen' || milli % 1000 === 0
}

/** A typed quantity in the digits of either script, with a point or a comma; in thousandths. Null when it is none. */
export function readCounted(typed: string): number | null {
  const text = latinDigits(typed.trim()).replace(',', '.')
  const milli = /^\d{1,9}(\.\d{1,3})?$/.test(text) ? toMilli(Number(text)) : Number.NaN
  return milli <= MAX_STOCK_MILLI ? milli : null
}

/** The reason of a line after its difference has changed: one that no longer fits becomes `counted`. */
export function fittingReason(reason: TakeReason, differenceMilli: number): TakeReason {
  return reasonsOf(differenceMilli).includes(reason) ? reason : 'counted'
}
