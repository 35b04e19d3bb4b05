// Who sees which shifts and sums. Staff with `reports.read` see all. A cashier sees own shifts only, and with the setting "Cashiers count
// blind" neither expected amounts nor what they are computed from: taken amounts, change, the day report.
import type { StaffActor } from '#features/auth/permissions.ts'

export interface ReportScope {
  /** Only shifts of this cashier; null: all shifts. */
  cashierId: number | null
  /** Expected amounts are hidden. */
  isBlind: boolean
}

export function reportScope(staff: Pick<StaffActor, 'id' | 'can'>, settings: { blind_count: boolean }): ReportScope {
  if (staff.can('reports.read')) return { cashierId: null, isBlind: false }
  return { cashierId: staff.id, isBlind: settings.blind_count }
}
