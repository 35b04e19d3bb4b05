// Sales made without network and sent later.
//
// The device sends the time of the sale and its current time, both by its own clock: their difference to the server's clock is the skew.
// The result lies within the cashier's shift and not in the future. A sale sent immediately counts as now.
import { DAY_MS } from '#lib/format/time.ts'

/** A sale that is sent this long after it was made was sent immediately. */
const MAX_IMMEDIATE_MS = 60_000
/** No sale waits for longer: the device, which began in 1970 for example, set its clock in between. Counts of years would be later than the sale. */
const MAX_WAIT_MS = 365 * DAY_MS

interface DeviceTimes {
  soldAt: Date | null
  sentAt: Date | null
}

/** The time of a sale by the server's clock, as the device tells it. Without both device times, or with impossible ones: now. */
export function deviceMoment({ soldAt, sentAt }: DeviceTimes, now: Date): Date {
  if (soldAt === null || sentAt === null) return now
  const ago = sentAt.getTime() - soldAt.getTime()
  return ago > MAX_IMMEDIATE_MS && ago <= MAX_WAIT_MS ? new Date(now.getTime() - ago) : now
}

/** The time that a sale is recorded with: within the shift that records it. */
export function saleMoment(device: DeviceTimes, shiftOpenedAt: Date, now: Date): Date {
  return new Date(Math.max(shiftOpenedAt.getTime(), deviceMoment(device, now).getTime()))
}
