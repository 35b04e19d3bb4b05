// The shares of lines in the discount of a coupon.
//
// Each line that a coupon applies to has a share by its price, the others have none. A return refunds a line less its own share
// (features/orders/returns/return-rules.ts). Shares add up exactly.
import { type Poisha, poisha, sum, ZERO } from '#lib/format/money.ts'
import { type Coupon, couponCovers, type CouponLine } from '../rules.ts'

/** Splits an amount by weights; all shares are zero where all weights are. At most the sum of the weights, no share exceeds its weight. */
export function splitByWeight(amount: Poisha, weights: readonly Poisha[]): Poisha[] {
  const all = sum(weights)
  if (all === 0) return weights.map(() => ZERO)
  // BigInt, because products of two amounts exceed safe integers. Differences of rounded running totals add up exactly.
  const upTo = (weight: number) => Number((2n * BigInt(amount) * BigInt(weight) + BigInt(all)) / (2n * BigInt(all)))
  let before = 0
  return weights.map((weight) => {
    const [from, to] = [before, before + weight]
    before = to
    return poisha(upTo(to) - upTo(from))
  })
}

/** `retained`: the product discount that the line keeps, as on orders that staff enter. The coupon's discount includes it. */
export type SharingLine = CouponLine & { retained: Poisha }

/** The share of each line in a coupon's discount, beyond the product discounts that lines keep. */
export function couponShares(coupon: Coupon, lines: readonly SharingLine[], discount: Poisha): Poisha[] {
  const full = splitByWeight(
    discount,
    lines.map((line) => (couponCovers(coupon, line) ? line.baseTotal : ZERO)),
  )
  const beyond = poisha(Math.max(0, discount - sum(lines.map((line) => line.retained))))
  return splitByWeight(
    beyond,
    full.map((share, index) => poisha(Math.max(0, share - lines[index]!.retained))),
  )
}

export interface SharedLine {
  productId: number
  quantityMilli: number
  total: Poisha
}

/**
 * The shares of lines after an edit by staff: of the lines before it, by their quantity, at most the discount that is left. A coupon's discount
 * moves to the other lines that have a share in it; a discount on one line of the POS does not. The rest is on no line.
 */
export function sharesAfterEdit(
  before: readonly (SharedLine & { discount: Poisha })[],
  lines: readonly SharedLine[],
  { orderDiscount, hasCoupon }: { orderDiscount: Poisha; hasCoupon: boolean },
): Poisha[] {
  const known = new Map(before.map((line) => [line.productId, line]))
  const weights = lines.map(({ productId, quantityMilli, total }) => {
    const line = known.get(productId)
    if (!line) return ZERO
    const [weight] = hasCoupon ? splitByWeight(line.discount, partOf(line.quantityMilli, quantityMilli)) : [line.discount]
    return poisha(Math.min(weight ?? 0, total))
  })
  const max = sum((hasCoupon ? before : []).map((line) => line.discount))
  const shares = splitByWeight(poisha(Math.min(orderDiscount, hasCoupon ? max : sum(weights))), weights)
  return shares.map((share, index) => poisha(Math.min(share, lines[index]!.total)))
}

/** The quantity that is left, and what was taken off; a larger quantity has no larger share. */
function partOf(beforeMilli: number, milli: number): Poisha[] {
  const left = Math.min(beforeMilli, milli)
  return [poisha(left), poisha(beforeMilli - left)]
}
