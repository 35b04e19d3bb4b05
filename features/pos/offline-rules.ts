// Sales made without network and sent later.
//
// The device sends the time of the sale and its current time, both by its own clock: their difference to the server's clock is the skew.
// The result lies within the cashier's shift and not in the future. A sale sent immediately counts as now.
/** A sale that is sent this long after it was made was sent immediately. */
const MAX_IMMEDIATE_MS = 60_000

/** The time of a sale by the server's clock. Without both device times: now. */
export function saleMoment(device: { soldAt: Date | null; sentAt: Date | null }, shiftOpenedAt: Date, now: Date): Date {
  if (device.soldAt === null || device.sentAt === null) return now
  const ago = device.sentAt.getTime() - device.soldAt.getTime()
  if (!(ago > MAX_IMMEDIATE_MS)) return now
  return new Date(Math.max(shiftOpenedAt.getTime(), now.getTime() - ago))
}
