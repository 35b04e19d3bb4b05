// Eid-ul-Adha in Bangladesh, and the days of a Kurbani season that follow from it.
import { addDays } from '#lib/format/time.ts'
import type { Settings } from './settings.ts'

/**
 * The expected days of Eid-ul-Adha (10 Dhul Hijjah) in Bangladesh: a day after the Umm al-Qura calendar of Saudi Arabia. The moon decides,
 * so a day may still move by one.
 */
export const EID_DAYS = [
  '2025-06-07',
  '2026-05-28',
  '2027-05-17',
  '2028-05-06',
  '2029-04-25',
  '2030-04-14',
  '2031-04-03',
  '2032-03-23',
  '2033-03-13',
  '2034-03-02',
  '2035-02-20',
  '2036-02-09',
  '2037-01-28',
  '2038-01-17',
  '2039-01-06',
  '2039-12-27',
  '2040-12-16',
] as const

/** The first expected Eid-ul-Adha later than a day; null after the last of the table. */
export function nextEid(day: string): string | null {
  return EID_DAYS.find((eid) => eid > day) ?? null
}

type SeasonDays = Omit<Settings['kurbani'], 'season'>

/** The usual days of a season: weighing six weeks before Eid, delivery on the five days before it. */
export function seasonDays(eid: string): SeasonDays {
  return { weighedFrom: addDays(eid, -46), weighedTo: addDays(eid, -39), deliveryFrom: addDays(eid, -5), deliveryTo: addDays(eid, -1) }
}

/** The first day on which the animals of Kurbani are delivered, until the season has begun; then null. */
export function seasonStart({ deliveryFrom }: Pick<SeasonDays, 'deliveryFrom'>, today: string): string | null {
  return deliveryFrom > today ? deliveryFrom : null
}

/** What the set-up and the settings propose: the next Eid and its days. Null when the season in the settings goes on until then. */
export function proposedSeason(today: string, deliveryTo: string): { eid: string; days: SeasonDays } | null {
  const eid = nextEid(today)
  // A season that ends up to a month before or a week after the expected day is the one of that Eid.
  if (!eid || (deliveryTo >= addDays(eid, -30) && deliveryTo <= addDays(eid, 7))) return null
  return { eid, days: seasonDays(eid) }
}
