import { ean13 } from '#lib/codes/ean.ts'

/** A number of the range that shops may use for themselves (prefix 20 to 29). */
export function ownBarcode(number: number): string {
  return ean13(`20${String(number).padStart(10, '0')}`)
}
