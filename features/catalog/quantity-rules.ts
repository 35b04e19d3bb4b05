// Quantities that can be ordered.
//
// A product with pack sizes (5, 10 or 20 kg) is sold in sums of sizes. Without sizes any whole number from one is possible. An animal has
// quantity 1. Quantities are whole thousandths of the unit, at most ten thousand units in a line.
import { latinDigits, toMilli } from '#lib/format/numbers.ts'

export const MAX_QUANTITY_MILLI = 10_000_000

const MAX_SIZES = 20
const ONE: readonly number[] = [1000]

/** A JSON quantity in thousandths; null when it is not positive, too large, or has more than three decimals. */
export function readQuantity(quantity: unknown): number | null {
  if (typeof quantity !== 'number') return null
  const milli = toMilli(quantity)
  return milli > 0 && milli <= MAX_QUANTITY_MILLI && milli / 1000 === quantity ? milli : null
}

/** The message key for a quantity that `readQuantity` rejects; null for one that it accepts. */
export function quantityProblem(quantity: unknown): 'refusal.quantity' | 'refusal.quantity-limit' | null {
  if (readQuantity(quantity) !== null) return null
  return typeof quantity === 'number' && quantity * 1000 > MAX_QUANTITY_MILLI ? 'refusal.quantity-limit' : 'refusal.quantity'
}

/** The sizes of a comma-separated list ("5,10,20"), in thousandths, in their order; invalid sizes are skipped. */
export function parseSizes(size: string | null | undefined): number[] {
  const found = latinDigits(size ?? '')
    .slice(0, 500)
    .split(',')
    .map((entry) => (/^\s*\d{1,5}(\.\d{1,3})?\s*$/.test(entry) ? readQuantity(Number(entry)) : null))
    .filter((milli) => milli !== null)
  return [...new Set(found)].slice(0, MAX_SIZES)
}

/**
 * Whether staff can sell this quantity. Animals: exactly one. With pack sizes: a sum of sizes, as in the shop. Without: any amount of
 * kilograms or dozens, else whole units.
 */
export function isPossibleQuantity(
  milli: number,
  { isUnique, sizesMilli, unit }: { isUnique: boolean; sizesMilli: readonly number[]; unit: string },
): boolean {
  if (!Number.isSafeInteger(milli) || milli <= 0 || milli > MAX_QUANTITY_MILLI) return false
  if (isUnique) return milli === 1000
  if (sizesMilli.length > 0) return isReachable(sizesMilli, milli)
  return !isWholeUnit(unit) || milli % 1000 === 0
}

/** Whether a unit is sold whole: pieces and bundles, unlike kilograms and dozens. */
export function isWholeUnit(unit: string): boolean {
  return unit !== 'kg' && unit !== 'dozen'
}

/** The initial quantity in the cart: the first size, else one unit. */
export function initialQuantity(sizes: readonly number[]): number {
  return sizes[0] ?? 1000
}

/** The smallest quantity that can be ordered. */
export function minQuantity(sizes: readonly number[]): number {
  return Math.min(...stepsOf(sizes))
}

/**
 * The quantities that are offered before the cart, in thousandths: the sizes in their order, at most `count`. Fewer sizes are filled up
 * with the largest plus the smallest, again and again; without sizes 1, 2, 3. Each is a sum of sizes.
 */
export function offeredQuantities(sizes: readonly number[], count: number): number[] {
  const offered = stepsOf(sizes).slice(0, count)
  while (offered.length < count) {
    const next = Math.max(...offered) + Math.min(...offered)
    if (next > MAX_QUANTITY_MILLI) break
    offered.push(next)
  }
  return offered
}

/** Whether a quantity is a sum of sizes within the limit. */
export function isReachable(sizes: readonly number[], milli: number): boolean {
  return Number.isSafeInteger(milli) && milli > 0 && milli <= MAX_QUANTITY_MILLI && reach(sizes).has(milli)
}

/** The next larger quantity that can be ordered; the same one when there is none. */
export function nextQuantity(sizes: readonly number[], milli: number): number {
  const { step, has } = reach(sizes)
  for (let sum = above(milli, step); sum <= MAX_QUANTITY_MILLI; sum += step) if (sum > 0 && has(sum)) return sum
  return milli
}

/** The next smaller quantity that can be ordered, never below the smallest size. */
export function previousQuantity(sizes: readonly number[], milli: number): number {
  const { step, has } = reach(sizes)
  for (let sum = below(Math.min(milli, MAX_QUANTITY_MILLI + 1), step); sum > 0; sum -= step) if (has(sum)) return sum
  return minQuantity(sizes)
}

function stepsOf(sizes: readonly number[]): readonly number[] {
  return sizes.length === 0 ? ONE : sizes
}

function above(milli: number, step: number): number {
  return (Math.floor(milli / step) + 1) * step
}

function below(milli: number, step: number): number {
  return (Math.ceil(milli / step) - 1) * step
}

/**
 * Every sum is a multiple of the greatest common divisor of the sizes (`step`). For each remainder modulo the smallest size there is a
 * smallest sum, and every larger number with that remainder is a sum too. So a table of remainders decides for all numbers.
 */
function reach(sizes: readonly number[]): { step: number; has: (milli: number) => boolean } {
  const steps = stepsOf(sizes)
  const step = steps.reduce(commonDivisor)
  const smallest = Math.min(...steps) / step
  const least = smallestSums(
    smallest,
    steps.map((size) => size / step),
  )
  return { step, has: (milli) => milli % step === 0 && milli > 0 && (least[(milli / step) % smallest] ?? Infinity) <= milli / step }
}

function smallestSums(modulus: number, sizes: readonly number[]): Float64Array {
  const least = new Float64Array(modulus).fill(Infinity)
  least[0] = 0
  for (const size of sizes) {
    const cycles = commonDivisor(size, modulus)
    for (let start = 0; start < cycles; start++) relaxCycle(least, start, size, (2 * modulus) / cycles)
  }
  return least
}

// Goes twice around the cycle of remainders that adding one size visits: the smallest sum of the cycle then has reached all members.
function relaxCycle(least: Float64Array, start: number, size: number, turns: number): void {
  let at = start
  for (let turn = 0; turn < turns; turn++) {
    const next = (at + size) % least.length
    least[next] = Math.min(least[next] ?? Infinity, (least[at] ?? Infinity) + size)
    at = next
  }
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b)
}
