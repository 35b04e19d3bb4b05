import type { AreaJson } from '#features/catalog/types.ts'
import { chargesOf } from '#features/orders/checkout/checkout-rules.ts'
import { listDate } from '#features/orders/list-date.ts'
import type { DayTerms } from '#features/pos/pos-terms.ts'
import { planDelivery } from '#features/pricing/delivery-day-rules.ts'
import type { Sale } from './sale.ts'

/** The days on which the products of a sale can be delivered or collected, earliest first; none over the counter. */
export function possibleDays(sale: Sale, area: AreaJson | null, { cutoffHour, calendar }: DayTerms): readonly string[] {
  if (!sale.deliver && !sale.collect) return []
  const lines = sale.lines.map((line) => ({ deliveryGroup: line.group, deliveryOn: line.deliveryOn ?? null }))
  return planDelivery(
    { listOn: listDate(new Date(), cutoffHour), calendar, area: chargesOf(area) },
    { isCollection: sale.collect === true },
    lines,
  ).days
}

/** Whether the sale leaves the shop later, but on no possible day. */
export function isDayWrong({ deliver, collect, day }: Sale, days: readonly string[]): boolean {
  return (deliver || collect === true) && (days.length === 0 || (Boolean(day) && !days.includes(day ?? '')))
}

/** The chosen day in the request; absent for the earliest possible one. */
export const dayField = ({ day }: Sale): { day?: string } => (day ? { day } : {})
