// Labels of a scale: an EAN-13 with the product's number and its weight or price.
//
// Such codes begin with 20 to 29; the settings give the meaning of each prefix. After the prefix comes the product's number, and before the
// check digit the weight or the price; a digit between the two belongs to the scale and is ignored. The product is the one whose barcode
// is the prefix with that number. A weight is rounded to 10 g, because the POS sells hundredths of a kilogram. A price becomes the largest
// weight that does not cost more: the customer never pays more than the label says.
import type { ScaleLabelRule } from '#features/settings/settings.ts'
import type { Unit } from '#features/catalog/types.ts'
import { hasValidCheckDigit } from '#lib/codes/ean.ts'
import { type Poisha, poisha } from '#lib/format/money.ts'

const PREFIX = 2
const LENGTH = 13
/** The smallest step of a quantity at the POS, in thousandths. */
const STEP = 10

export interface ScaleLabel {
  /** The barcode of the product. */
  item: string
  holds: 'weight' | 'price'
  /** Grams, or poisha. */
  value: number
}

/** Reads a scanned code as a scale label; null when it is none, or its check digit is wrong. */
export function readScaleLabel(code: string, rules: readonly ScaleLabelRule[]): ScaleLabel | null {
  if (code.length !== LENGTH || hasValidCheckDigit(code) !== true) return null
  const rule = rules.find(({ prefix }) => prefix !== '' && code.startsWith(prefix))
  if (!rule) return null
  const digits = Number(code.slice(LENGTH - 1 - rule.value_digits, LENGTH - 1))
  const places = rule.holds === 'weight' ? 3 : 2
  return {
    item: code.slice(0, PREFIX + rule.item_digits),
    holds: rule.holds,
    value: Math.round(digits * 10 ** (places - rule.decimals)),
  }
}

export type LabelledQuantity = { ok: true; milli: number } | { ok: false; reason: 'not-by-weight' | 'nothing' }

/** The quantity of a label, in thousandths of a kilogram. */
export function labelledQuantity(label: ScaleLabel, goods: { unit: Unit; isAnimal: boolean; price: Poisha }): LabelledQuantity {
  if (goods.unit !== 'kg' || goods.isAnimal) return { ok: false, reason: 'not-by-weight' }
  const grams = label.holds === 'weight' ? Math.round(label.value / STEP) * STEP : stepsFor(label.value, goods.price) * STEP
  return grams > 0 ? { ok: true, milli: grams } : { ok: false, reason: 'nothing' }
}

/** The maximum number of steps that cost no more than the amount. */
function stepsFor(amount: number, price: Poisha): number {
  return price > 0 ? Math.floor((amount * 1000) / (price * STEP)) : 0
}

/** The product barcode of a scale label: the beginning of the code; null for any other code. */
export function scaleItemRule(barcode: string, rules: readonly ScaleLabelRule[]): ScaleLabelRule | null {
  return rules.find(({ prefix, item_digits }) => prefix !== '' && isItemOf(barcode, prefix, item_digits)) ?? null
}

function isItemOf(barcode: string, prefix: string, digits: number): boolean {
  return barcode.startsWith(prefix) && barcode.length === PREFIX + digits && /^\d+$/.test(barcode)
}

/** The value of a price label as money, for messages. */
export const labelPrice = ({ value }: ScaleLabel): Poisha => poisha(value)
