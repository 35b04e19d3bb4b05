import { type Poisha, ZERO } from '#lib/format/money.ts'
import type { ReturnForm } from './forms.ts'
import { PAYMENT_METHODS, type PaymentMethod } from './rules.ts'

/** How a return is paid back. */
type RefundMethod = PaymentMethod | 'store_credit'
const REFUND_METHODS: readonly RefundMethod[] = [...PAYMENT_METHODS, 'store_credit']

/** The transaction id of a refund by wallet or bank. */
export const refundReference = ({ transaction_ids: ids }: Pick<ReturnForm, 'transaction_ids'>, method: RefundMethod): string | null =>
  method === 'cash' || method === 'store_credit' ? null : (ids[method] ?? null)

/** What a return pays back by each method, above zero. */
export const refundsByMethod = ({ refund }: Pick<ReturnForm, 'refund'>): { method: RefundMethod; amount: Poisha }[] =>
  REFUND_METHODS.map((method) => ({ method, amount: refund[method] ?? ZERO })).filter(({ amount }) => amount > 0)
