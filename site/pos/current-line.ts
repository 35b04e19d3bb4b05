import { withCurrentProduct } from '#features/pos/current-product.ts'
import type { PosLine } from '#features/pos/rules.ts'
import { catalog } from './device/catalog.ts'

/** The line with what this device knows of its product now; the same object when nothing changed. */
export function currentLine(line: PosLine): PosLine {
  const known = catalog.product(line.id)
  return known ? withCurrentProduct(line, known) : line
}
