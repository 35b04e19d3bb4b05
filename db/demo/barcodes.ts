import { ean13 } from '#lib/codes/ean.ts'

/** An EAN-13 of the range for internal use (prefix 20 to 29). */
export function ownBarcode(number: number): string {
  return ean13(`20${String(number).padStart(10, '0')}`)
}
