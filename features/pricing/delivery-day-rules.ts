// The days on which an order can be delivered or collected. The cart, the checkout and the server list them with the same function.
//
// The earliest day comes from the list day and the dates of the products (delivery-plan-rules.ts). Closed weekdays, and days whose capacity
// for a delivery group of the order is used up, are left out, and so are weekdays without delivery to the area of the order, and with an animal
// of Kurbani the days after its season. Collection takes no place of a day and has no area.
import { addDays } from '#lib/format/time.ts'
import type { DeliveryGroup } from '../catalog/types.ts'
import { deliveryDate, lineDate, splitDates } from './delivery-plan-rules.ts'

/** The shop's calendar. An absent calendar has every day. */
export interface DeliveryCalendar {
  /** How many days can be chosen from, counted from the earliest. */
  daysAhead: number
  /** 0 is Sunday. */
  closedWeekdays: readonly number[]
  /** The days without capacity, of each group that has a limit. */
  fullDays: Partial<Record<DeliveryGroup, readonly string[]>>
  /** The last day for animals of Kurbani, until it is over; absent: none. For shoppers: staff may choose any day. */
  kurbaniUntil?: string
}

interface DayRequest {
  groups: readonly DeliveryGroup[]
  isCollection: boolean
  /** The weekdays without delivery to the area. */
  areaClosedWeekdays: readonly number[]
}

/** Whether the shop delivers products of these groups, or is open for collection, on a day. */
function isPossible({ closedWeekdays, fullDays }: DeliveryCalendar, request: DayRequest, day: string): boolean {
  const weekday = new Date(day).getUTCDay()
  if (closedWeekdays.includes(weekday)) return false
  if (request.isCollection) return true
  return !request.areaClosedWeekdays.includes(weekday) && !request.groups.some((group) => fullDays[group]?.includes(day))
}

/** The dates of an order. */
export interface DeliveryPlan {
  deliveries: 1 | 2
  /** The list day to store: the chosen day, or the first possible one where the list day is not. Null without a list day. */
  listOn: string | null
  /** The days that can be chosen, earliest first; the earliest alone without a calendar. */
  days: string[]
  /** The date on which all lines are delivered; null without a list day. */
  deliverOn: string | null
  /** The dates of two deliveries, where they are offered. */
  splitDates: [first: string, last: string] | null
  /** One delivery is not offered: an animal of Kurbani would wait for other products until its season is over. */
  isSplitOnly?: boolean
  /** The chosen day is not possible, or no day is. */
  isImpossible: boolean
}

interface PlannedProduct {
  deliveryGroup: DeliveryGroup
  deliveryOn?: string | null
  isKurbani?: boolean
}

interface Choice {
  deliveries?: 1 | 2
  deliveryOn?: string | null
  isCollection?: boolean
}

/** Plans the dates of an order. Without a chosen day it comes on the first possible one; with two deliveries the day is that of the first. */
export function planDelivery(
  { listOn, calendar, area }: { listOn?: string; calendar?: DeliveryCalendar; area?: { closedWeekdays?: readonly number[] } | null },
  { deliveries, deliveryOn, isCollection = false }: Choice,
  products: readonly PlannedProduct[],
): DeliveryPlan {
  if (listOn === undefined) return { deliveries: 1, listOn: null, days: [], deliverOn: null, splitDates: null, isImpossible: false }
  const areaClosedWeekdays = area?.closedWeekdays ?? []
  const request = { groups: products.map((product) => product.deliveryGroup), isCollection, areaClosedWeekdays }
  const dates = products.map((product) => product.deliveryOn ?? null)
  const earliest = deliveryDate(listOn, dates)
  const { until, isSplitOnly, from } = holdToSeason(products, calendar?.kurbaniUntil, { listOn, earliest, isCollection })
  const early = isCollection ? null : splitDates(from, dates)
  const isOpen = (day: string) => calendar === undefined || isPossible(calendar, request, day)
  const daysFrom = (from: string) =>
    Array.from({ length: calendar?.daysAhead ?? 1 }, (_, count) => addDays(from, count)).filter((day) => day <= until && isOpen(day))
  const [firstDay, ...firstDays] = firstDaysOf(early, isOpen, daysFrom)
  const split: DeliveryPlan['splitDates'] = early === null || firstDay === undefined ? null : [firstDay, early[1]]
  if (split === null || (deliveries !== 2 && !isSplitOnly)) {
    const { day, days, ...found } = chooseDay(daysFrom(earliest), earliest, listOn, deliveryOn)
    return { deliveries: 1, days, deliverOn: day, splitDates: split, ...found }
  }
  const { day, days, ...found } = chooseDay([split[0], ...firstDays], early?.[0] ?? split[0], from, deliveryOn)
  return { deliveries: 2, days, deliverOn: split[1], splitDates: [day, split[1]], isSplitOnly, ...found }
}

const FAR = '9999'

/**
 * The last day for the animals of Kurbani among the products; one that comes later by its own date is not held to the season. Those that would
 * wait until after it for other products come in the first of two deliveries, on the day `from` at the earliest: what is ready before waits for
 * them.
 */
function holdToSeason(
  products: readonly PlannedProduct[],
  last: string | undefined,
  { listOn, earliest, isCollection }: { listOn: string; earliest: string; isCollection: boolean },
): { until: string; isSplitOnly: boolean; from: string } {
  const dateOf = ({ deliveryOn }: PlannedProduct) => lineDate(listOn, deliveryOn ?? null)
  const inSeason = products.filter(({ isKurbani, deliveryOn }) => isKurbani && last !== undefined && (deliveryOn ?? '') <= last)
  const ready = inSeason.map(dateOf).sort().at(-1)
  if (last === undefined || ready === undefined) return { until: FAR, isSplitOnly: false, from: listOn }
  const isSplitOnly = last < earliest && !isCollection
  return { until: last, isSplitOnly, from: isSplitOnly && products.some((product) => dateOf(product) < ready) ? ready : listOn }
}

/** The days of the first of two deliveries. Two are offered where both have a possible day. */
function firstDaysOf(early: [string, string] | null, isOpen: (day: string) => boolean, daysFrom: (from: string) => string[]): string[] {
  return early === null || !isOpen(early[1]) ? [] : daysFrom(early[0]).filter((day) => day < early[1])
}

/** The chosen day, else the first possible one. An order on the earliest day keeps its list day, so that it follows its products. */
function chooseDay(days: string[], earliest: string, listOn: string, wanted: string | null | undefined) {
  const chosen = wanted != null && days.includes(wanted) ? wanted : null
  const day = chosen ?? days[0] ?? earliest
  return {
    day,
    days,
    listOn: chosen === null && day === earliest ? listOn : day,
    isImpossible: days.length === 0 || (wanted != null && chosen === null),
  }
}
