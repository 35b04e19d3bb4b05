import { hasNetwork } from './device/network.ts'
import { isShiftClosed } from './device/open-shift.ts'
import { isLookingUp } from './lookups.ts'
import type { Sale } from './sale.ts'

/** Why this device knows that a sale, or an exchange, is not possible now; null: it is possible. */
export function blockedBy({ lines }: Pick<Sale, 'lines'>, cashier: { id: number; shiftId: number | null }) {
  if (isLookingUp()) return 'pos.looking-up'
  if (isShiftClosed(cashier)) return 'pos.shift-closed-elsewhere'
  return !hasNetwork() && lines.some(({ isAnimal }) => isAnimal) ? 'pos.animal-needs-network' : null
}
