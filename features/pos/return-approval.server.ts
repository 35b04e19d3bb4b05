import type { StaffActor } from '#features/auth/permissions.ts'
import type { ReturnSums } from '#features/orders/returns/return-rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { isTooOldToReturn, refundAllowance, type RefundLimit } from './refund-limit-rules.ts'
import { readRefundLimit, type SoldSale } from './sale-queries.server.ts'
import type { Supervisor } from './supervisors.server.ts'

export interface ReturnApprover {
  id: number
  /** Null: the cashier is a supervisor. */
  name: string | null
}

interface ApprovedReturn {
  clerk: StaffActor
  /** The supervisor whose code came with the return; null without one. */
  supervisor: Supervisor | null
  limit: RefundLimit
  sale: SoldSale
  sums: ReturnSums
  now: Date
}

/** The supervisor who approves this return, null where the cashier may refund alone; `missing` where one is needed. */
export async function findReturnApprover(
  tx: Db,
  { clerk, supervisor, limit, sale, sums: { worth }, now }: ApprovedReturn,
): Promise<ReturnApprover | null | 'missing'> {
  if (clerk.can('pos.approve')) return { id: clerk.id, name: null }
  const refunded = await readRefundLimit(tx, { orderId: sale.id, cashierId: clerk.id, now })
  // Also what lowers a debt on account, which pays nothing back.
  if (worth <= refundAllowance(limit, refunded, new Date(sale.placedAt), now)) return null
  return supervisor ?? 'missing'
}

/** Why a cashier may not refund this return alone. */
export function returnApprovalText(limit: RefundLimit, sale: SoldSale, now: Date, lang: Lang): string {
  const t = translate(lang)
  if (isTooOldToReturn(limit, new Date(sale.placedAt), now)) return t('pos.return.too-old', { days: formatNumber(limit.days, lang) })
  const taka = (amount: number) => formatTaka(takaToPoisha(amount), lang)
  return t('pos.return.approval', { sale: taka(limit.taka), day: taka(limit.day_taka) })
}
