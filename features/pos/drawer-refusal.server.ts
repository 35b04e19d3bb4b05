import type { StaffActor } from '#features/auth/permissions.ts'
import type { Db } from '#lib/db/db.server.ts'
import { poisha } from '#lib/format/money.ts'
import type { Text } from '#lib/i18n/translate.ts'
import { type CashMove, exceedsDrawer, logRefusedCash, refusesCash } from './drawer.server.ts'
import type { ReturnForm } from './forms.ts'
import type { ReturnRejection } from './return-products.server.ts'
import type { OpenShift } from './shift-queries.server.ts'

// Cash refunds of returns that the drawer does not hold. Checked after the approval.

export interface CashRefund {
  shift: OpenShift
  clerk: StaffActor
  form: Pick<ReturnForm, 'refund' | 'reason'>
}

const cashOf = ({ form: { refund, reason } }: CashRefund): CashMove => ({ amount: poisha(-refund.cash), reason })

/** Whether the drawer holds less than the cash of a refund. */
export const isBeyondDrawer = (tx: Db, refund: CashRefund): Promise<boolean> => exceedsDrawer(tx, refund.shift, cashOf(refund))

/** The rejection of a cash refund that the drawer does not hold. */
export const drawerRejection = (t: Text): ReturnRejection => {
  return { ok: false, reason: 'invalid', errors: { 'refund.cash': [t('pos.more-than-there-is')] } }
}

/** Logs a refused cash refund. */
export const logRefusedRefund = (tx: Db, refund: CashRefund): Promise<void> =>
  logRefusedCash(tx, refund.clerk, refund.shift, cashOf(refund))

/** The logged rejection of a cash refund that the drawer does not hold, or null. The caller's transaction must be committed. */
export async function findDrawerError(tx: Db, refund: CashRefund, t: Text): Promise<ReturnRejection | null> {
  return (await refusesCash(tx, refund.clerk, refund.shift, cashOf(refund))) ? drawerRejection(t) : null
}
