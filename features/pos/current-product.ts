// A line of a sale after its product has changed.
import type { PosProduct } from './device-catalog.ts'
import { type PosLine, setPriceOf } from './rules.ts'

type CurrentProduct = Pick<PosProduct, 'price' | 'status' | 'unit' | 'group' | 'shipping' | 'deliveryOn' | 'sizesMilli'>

/** The line with what it takes from its product: price, hold, unit, packs and delivery; the same object when nothing changed. */
export function withCurrentProduct(line: PosLine, { price, status, ...product }: CurrentProduct): PosLine {
  const { unit, group, shipping, deliveryOn, sizesMilli } = product
  const fresh: PosLine = { ...setPriceOf(line, price), isHeld: status === 'hold', unit, group, shipping, deliveryOn, sizesMilli }
  return comparable(fresh) === comparable(line) ? line : fresh
}

/** What may change in a line, as text. Lines that an earlier build stored lack some fields. */
function comparable({ price, listPrice, isHeld = false, unit, group, shipping, deliveryOn = null, sizesMilli = [] }: PosLine): string {
  return JSON.stringify([price, listPrice, isHeld, unit, group, shipping, deliveryOn, sizesMilli])
}
