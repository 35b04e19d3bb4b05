// When the demo's fruits and crops are harvested in Bangladesh, and how the shop offers them on a day.
import type { ProductStatus } from '#features/catalog/types.ts'
import { addDays } from '#lib/format/time.ts'

/** The first and last day of a harvest, MM-DD. It may go over the new year. */
export interface Harvest {
  from: string
  to: string
}

/** Days before the harvest from which it can be ordered, and from which its card says that ordering starts soon. */
const PRE_BOOK_DAYS = 45
const SOON_DAYS = 75

export interface Offer {
  status: ProductStatus
  /** The day from which it is delivered; null: not offered. */
  deliveryOn: string | null
}

interface Harvested {
  /** Absent: all year. */
  harvest?: Harvest
  /** The whole harvest is sold ahead. */
  isSold?: true
  /** Days from order to delivery during the harvest. */
  deliveryIn: number
}

/** How a product is offered on a day: in stock during its harvest, to be ordered ahead just before it, else out of stock. */
export function offerOn({ harvest, isSold, deliveryIn }: Harvested, today: string): Offer {
  if (isSold) return { status: 'sold', deliveryOn: null }
  if (!harvest || isHarvested(harvest, today.slice(5))) return { status: 'in-stock', deliveryOn: addDays(today, deliveryIn) }
  const begins = nextBegin(harvest, today)
  if (begins <= addDays(today, PRE_BOOK_DAYS)) return { status: 'pre-book', deliveryOn: addDays(begins, deliveryIn) }
  if (begins <= addDays(today, SOON_DAYS)) return { status: 'hold', deliveryOn: addDays(begins, deliveryIn) }
  return { status: 'out-of-stock', deliveryOn: null }
}

function isHarvested({ from, to }: Harvest, day: string): boolean {
  return from <= to ? from <= day && day <= to : from <= day || day <= to
}

function nextBegin({ from }: Harvest, today: string): string {
  const year = Number(today.slice(0, 4))
  return `${from > today.slice(5) ? year : year + 1}-${from}`
}
