// Delivery dates of an order before it is placed. The database computes the same for a placed order: deliver_on, first_delivery_on and
// line_delivery_on. A property test compares the two.
//
// A line is delivered on the list day of the order (evening cut-off), or on the product's own date where that is later. An order is
// delivered on the latest date of its lines. With two deliveries the first has the lines of the earliest date, the second has the rest.

/** The earliest delivery date of one line; days as YYYY-MM-DD. */
export function lineDate(listOn: string, deliveryOn: string | null): string {
  return deliveryOn !== null && deliveryOn > listOn ? deliveryOn : listOn
}

/** The date on which all lines are delivered. `productDates`: the own dates of the products, null without one. */
export function deliveryDate(listOn: string, productDates: readonly (string | null)[]): string {
  return productDates.reduce<string>((latest, deliveryOn) => lineDate(latest, deliveryOn), listOn)
}

/** The dates of two deliveries, or null where all lines have one date. */
export function splitDates(listOn: string, productDates: readonly (string | null)[]): [first: string, last: string] | null {
  const dates = productDates.map((deliveryOn) => lineDate(listOn, deliveryOn)).sort()
  const [first, last] = [dates[0], dates.at(-1)]
  return first === undefined || last === undefined || first === last ? null : [first, last]
}

/** The delivery date of a line. `split` is null for one delivery. */
export function arrivalDate(listOn: string, deliveryOn: string | null, latest: string, split: readonly [string, string] | null): string {
  return split !== null && lineDate(listOn, deliveryOn) === split[0] ? split[0] : latest
}
