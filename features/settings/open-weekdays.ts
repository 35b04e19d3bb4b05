const DAYS_OF_WEEK = 7

/** Whether the shop delivers to an area on some weekday. Shoppers of another one could order nothing. 0 is Sunday. */
export function hasOpenWeekday(closedByShop: readonly number[], closedByArea: readonly number[]): boolean {
  return new Set([...closedByShop, ...closedByArea]).size < DAYS_OF_WEEK
}
