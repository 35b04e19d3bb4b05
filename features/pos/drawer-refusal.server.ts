import { audit } from '#features/audit/audit.server.ts'
import type { StaffActor } from '#features/auth/permissions.ts'
import type { Text } from '#features/orders/editing/order-line-pricing.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { poisha, poishaToTaka } from '#lib/format/money.ts'
import type { ReturnForm } from './forms.ts'
import type { ReturnRejection } from './return-products.server.ts'
import { type OpenShift, sumShift } from './shift-queries.server.ts'

// Cash refunds that the drawer does not hold. Checked after the approval and logged: refusals tell a cashier who counts blind what is in the
// drawer.

export interface CashRefund {
  shift: OpenShift
  clerk: StaffActor
  form: Pick<ReturnForm, 'refund' | 'reason'>
}

/** Whether the drawer holds less than the cash of a refund. */
export async function isBeyondDrawer(tx: Db, { shift, form }: CashRefund): Promise<boolean> {
  const { cashPoisha, movesPoisha } = await sumShift(tx, shift.id)
  return form.refund.cash > shift.openingCashPoisha + cashPoisha + movesPoisha
}

/** The rejection of a cash refund that the drawer does not hold. */
export const drawerRejection = (t: Text): ReturnRejection => {
  return { ok: false, reason: 'invalid', errors: { 'refund.cash': [t('pos.more-than-there-is')] } }
}

/** Logs a refused cash refund. */
export function logRefusedRefund(tx: Db, { shift, clerk, form: { refund, reason } }: CashRefund): Promise<void> {
  const after = { cash: poishaToTaka(poisha(-refund.cash)), reason, refused: true }
  return audit(tx, clerk, { action: 'changed', subject: 'shift', id: shift.id, after })
}

/** The logged rejection of a cash refund that the drawer does not hold, or null. The caller's transaction must be committed. */
export async function findDrawerError(tx: Db, refund: CashRefund, t: Text): Promise<ReturnRejection | null> {
  if (!(await isBeyondDrawer(tx, refund))) return null
  await logRefusedRefund(tx, refund)
  return drawerRejection(t)
}
