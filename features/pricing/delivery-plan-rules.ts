// Delivery dates of an order, computed before it exists. The database computes the same of a placed order: deliver_on,
// first_delivery_on and line_delivery_on (migration 0111). A property test holds the two together.
//
// A line comes on its list day (evening cut-off) or on its goods' own date where that is later. An order comes on the latest date of
// its lines. In two deliveries, the first brings what can come on the earliest date, the last brings the rest.

/** The date on which one line can come; days as YYYY-MM-DD. */
export function lineDate(listOn: string, deliveryOn: string | null): string {
  return deliveryOn !== null && deliveryOn > listOn ? deliveryOn : listOn
}

/** The date on which everything has come. */
export function deliveryDate(listOn: string, goods: readonly (string | null)[]): string {
  return goods.reduce<string>((latest, deliveryOn) => lineDate(latest, deliveryOn), listOn)
}

/** The dates of two deliveries, or null where all goods can come on one date. */
export function splitDates(listOn: string, goods: readonly (string | null)[]): [first: string, last: string] | null {
  const dates = goods.map((deliveryOn) => lineDate(listOn, deliveryOn)).sort()
  const [first, last] = [dates[0], dates.at(-1)]
  return first === undefined || last === undefined || first === last ? null : [first, last]
}

/** The date on which a line comes. `split` is null for one delivery. */
export function arrivalDate(listOn: string, deliveryOn: string | null, latest: string, split: readonly [string, string] | null): string {
  return split !== null && lineDate(listOn, deliveryOn) === split[0] ? split[0] : latest
}
