// Quiet hours of automatic SMS.
//
// Codes and confirmations of a customer's own action are sent at any hour. Other automatic messages wait for the morning.
import { HOUR_MS, dhakaTime } from '#lib/format/time.ts'

/** Hours of Dhaka's clock, 0 to 23: from the first on, until the second begins. */
export interface QuietHours {
  from: number
  to: number
}

/** The hour of Dhaka's clock, 0 to 23. */
export function dhakaHour(now: Date): number {
  return Number(dhakaTime(now).slice(0, 2))
}

/** Whether it is quiet now; the hours may go over midnight, and the same hour twice is no quiet at all. */
export function isQuiet(now: Date, quiet: QuietHours): boolean {
  return isQuietHour(dhakaHour(now), quiet)
}

function isQuietHour(hour: number, { from, to }: QuietHours): boolean {
  return from <= to ? hour >= from && hour < to : hour >= from || hour < to
}

/** Whether a day has an hour outside the quiet hours from this hour on; without one a message would never be sent. */
export function hasHourLeft(from: number, quiet: QuietHours): boolean {
  return Array.from({ length: 24 - from }, (_, later) => from + later).some((hour) => !isQuietHour(hour, quiet))
}

/** The moment when the next quiet hours begin, `end` at the latest. Hours of Dhaka begin with those of UTC. */
export function nextQuietStart(now: Date, end: Date, quiet: QuietHours): Date {
  let at = new Date((Math.floor(now.getTime() / HOUR_MS) + 1) * HOUR_MS)
  while (at < end && !isQuiet(at, quiet)) at = new Date(at.getTime() + HOUR_MS)
  return at < end ? at : end
}

/** The moment when the quiet hours that it lies in end; outside of them the moment itself. */
export function quietEnd(moment: Date, quiet: QuietHours): Date {
  let at = moment
  while (isQuiet(at, quiet)) at = new Date((Math.floor(at.getTime() / HOUR_MS) + 1) * HOUR_MS)
  return at
}

const STEP_MS = 15 * 60_000
const STEPS_OF_DAY = 96

/** The moment itself, or the last quarter of an hour before the quiet hours that it lies in. */
export function lastBeforeQuiet(moment: Date, quiet: QuietHours): Date {
  let at = moment
  for (let step = 0; step < STEPS_OF_DAY && isQuiet(at, quiet); step++) at = new Date(at.getTime() - STEP_MS)
  return at
}
