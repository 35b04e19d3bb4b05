// What a cashier may not do alone.
//
// A cashier takes off up to a share of the goods, and up to a sum; the owner sets both. More off, another price than the shop's, or
// goods that are held back need a supervisor at the till. What he approved holds for this one sale and no further.
import { type Poisha, poisha, sum } from '#lib/money.ts'

/** The owner's setting: whole percent of the goods, and whole taka. */
export interface DiscountLimit {
  percent: number
  taka: number
}

/** What is asked for, or was approved. */
export interface Exceptions {
  /** Zero: nothing beyond the limit. */
  discount: Poisha
  prices: { id: number; price: Poisha }[]
  held: number[]
}

/** The most a cashier takes off goods of this worth by himself. */
export function discountLimit(goods: Poisha, { percent, taka }: DiscountLimit): Poisha {
  return poisha(Math.max(0, Math.min(Math.floor((goods * percent) / 100), taka * 100)))
}

/** Of what is asked for, what the approval does not cover. */
export function notApproved(asked: Exceptions, approved: Exceptions | null): Exceptions {
  const prices = new Map(approved?.prices.map(({ id, price }) => [id, price]))
  return {
    discount: asked.discount > (approved?.discount ?? 0) ? asked.discount : poisha(0),
    prices: asked.prices.filter(({ id, price }) => prices.get(id) !== price),
    held: asked.held.filter((id) => !approved?.held.includes(id)),
  }
}

/** Of a sale on the screen, what a cashier does not do alone; where the limit is not known any discount may be within it. */
export function exceptionsOf(
  lines: readonly { id: number; price: Poisha; total: Poisha; isPriceSet: boolean; isHeld: boolean }[],
  discount: Poisha,
  limit: DiscountLimit | null,
): Exceptions {
  const isWithin = limit === null || discount <= discountLimit(sum(lines.map(({ total }) => total)), limit)
  return {
    discount: isWithin ? poisha(0) : discount,
    prices: lines.filter(({ isPriceSet }) => isPriceSet).map(({ id, price }) => ({ id, price })),
    held: lines.filter(({ isHeld }) => isHeld).map(({ id }) => id),
  }
}

export function isNothing({ discount, prices, held }: Exceptions): boolean {
  return discount === 0 && prices.length === 0 && held.length === 0
}

/** Whether a code is one that anybody would try first: one figure, a row of them, two or three repeated, or the end of the phone. */
export function isEasyTillCode(code: string, phone: string): boolean {
  const steps = [...code].slice(1).map((figure, at) => (Number(figure) - Number(code[at]) + 10) % 10)
  const isRow = new Set(steps).size === 1 && [0, 1, 9].includes(steps[0] ?? 0)
  return isRow || code.slice(0, 3) === code.slice(3) || code.slice(0, 2).repeat(3) === code || phone.endsWith(code)
}
