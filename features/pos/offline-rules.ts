// Sales that were made while no network was there, and reached the shop later.
//
// The device says when it sold, by its own clock, and what that clock says when it sends: the difference to the shop's clock is taken
// off. Whatever comes of it lies within the cashier's shift and not in the future. What was sold and sent in one breath counts as now.
const IN_ONE_BREATH_MS = 60_000

/** When a sale was made, by the shop's clock. Without both of the device's times: now. */
export function saleMoment(device: { soldAt: Date | null; sentAt: Date | null }, shiftOpenedAt: Date, now: Date): Date {
  if (device.soldAt === null || device.sentAt === null) return now
  const ago = device.sentAt.getTime() - device.soldAt.getTime()
  if (!(ago > IN_ONE_BREATH_MS)) return now
  return new Date(Math.max(shiftOpenedAt.getTime(), now.getTime() - ago))
}
