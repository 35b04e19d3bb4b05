// Pre-booking a Kurbani cow while none is in stock: the buyer chooses a price range, and the farm calls when such a cow is available.
//
// Bots are detected by a hidden field, and by forms that are sent within two seconds.
import type { Lang } from '#lib/i18n/lang.ts'
import { bengaliDigits, groupIndian } from '#lib/format/numbers.ts'

/** Taka from and to; null is "above". */
const RANGES: readonly (readonly [number, number | null])[] = [
  [60_000, 80_000],
  [80_001, 100_000],
  [100_001, 120_000],
  [120_001, 150_000],
  [150_001, 200_000],
  [200_001, 240_000],
  [240_001, 300_000],
  [300_001, 350_000],
  [350_001, 400_000],
  [400_001, 450_000],
  [450_001, 500_000],
  [500_000, null],
]

/** The twelve price ranges as the form offers them, in Bengali: `৬০,০০০-৮০,০০০ টাকা`. */
export const BOOKING_RANGES: readonly string[] = RANGES.map(([from, to]) => {
  const amount = (taka: number) => bengaliDigits(groupIndian(taka))
  return to === null ? `${amount(from)} টাকার উপরে` : `${amount(from)}-${amount(to)} টাকা`
})

/** A price range in the language of the reader; an unknown one as it is stored. */
export function rangeText(stored: string, lang: Lang): string {
  const range = RANGES[BOOKING_RANGES.indexOf(stored)]
  if (lang === 'bn' || !range) return stored
  const [from, to] = range
  return to === null ? `Above ৳${groupIndian(from)}` : `৳${groupIndian(from)} – ৳${groupIndian(to)}`
}

/** Minimum milliseconds that a person needs for the form. */
export const QUICKEST_MS = 2_000

/** Whether a bot filled in the form. `openMs`: how long it was open; null when it was not sent by a page of the shop. */
export function isAutomatic(form: { trap: string; openMs: number | null }): boolean {
  return form.trap !== '' || (form.openMs !== null && form.openMs < QUICKEST_MS)
}

/** New, called, matched with a cow, closed. */
export const BOOKING_STATES = ['new', 'called', 'matched', 'closed'] as const
export type BookingState = (typeof BOOKING_STATES)[number]

/** Characters of the staff's note on a booking. */
export const MAX_BOOKING_NOTE_LENGTH = 1000
