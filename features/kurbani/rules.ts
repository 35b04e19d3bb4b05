// Pre-booking a Kurbani cow when none is in stock: the buyer names a price range, the farm calls when such a cow comes.
//
// Robots fill in forms, too. One field is hidden from people, and nobody types name and number within two seconds.
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
  const figure = (taka: number) => bengaliDigits(groupIndian(taka))
  return to === null ? `${figure(from)} টাকার উপরে` : `${figure(from)}-${figure(to)} টাকা`
})

/** A price range for a reader of either language; an unknown one as it is stored. */
export function rangeText(stored: string, lang: Lang): string {
  const range = RANGES[BOOKING_RANGES.indexOf(stored)]
  if (lang === 'bn' || !range) return stored
  const [from, to] = range
  return to === null ? `Above ৳${groupIndian(from)}` : `৳${groupIndian(from)} – ${groupIndian(to)}`
}

/** Milliseconds that a person needs for the form at the least. */
export const QUICKEST_MS = 2_000

/** Whether a form was filled in by a machine; `openMs` is how long it was open, unknown where no page of the shop sent it. */
export function isAutomatic(form: { trap: string; openMs: number | null }): boolean {
  return form.trap !== '' || (form.openMs !== null && form.openMs < QUICKEST_MS)
}

/** Just come in, called, a cow found for it, done with. */
export const BOOKING_STATES = ['new', 'called', 'matched', 'closed'] as const
export type BookingState = (typeof BOOKING_STATES)[number]
