import type { AreaJson } from '#features/catalog/types.ts'
import type { DeliveryCalendar } from '#features/pricing/delivery-day-rules.ts'
import type { ExtraMethod } from './rules.ts'

/** What a POS page knows about the days of deliveries and collections. */
export interface DayTerms {
  cutoffHour: number
  calendar: DeliveryCalendar
  isCollectionOffered: boolean
}

/** The settings and delivery areas that a POS page computes sales with. It reads them again while it is open. */
export interface PosTerms {
  areas: AreaJson[]
  /** Whether cash is rounded to whole taka. */
  roundsCash: boolean
  /** The payment methods beside cash, bKash and bank. */
  methods: ExtraMethod[]
  /** Whether sales may lack a phone. */
  walkInSales: boolean
  days: DayTerms
}
