import { z } from 'zod'
import { normalizeTransactionId } from '#features/orders/advances/transaction-id-rules.ts'
import { nullWhenEmpty, positiveTakaField, takaField } from '#lib/form-fields.ts'
import { PAYMENT_METHODS } from '../rules.ts'
import { transactionId } from '../transaction-id-field.ts'

/** Maximum credit limit in taka. */
const MAX_CREDIT_TAKA = 10_000_000

/**
 * Body of a payment on account. `received`: the cash handed over; the rest is change. `owed`: what the customer owes on the screen; a payment
 * that was recorded without an answer is seen by it, although it is sent with other inputs now.
 */
export const accountPaymentBody = z
  .strictObject({
    amount: positiveTakaField(),
    method: z.enum(PAYMENT_METHODS, { error: 'field.choose' }),
    received: nullWhenEmpty(takaField()),
    transaction_id: transactionId(null),
    owed: takaField().optional(),
  })
  .transform((form, context) => {
    const { method, transaction_id: typed } = form
    const transaction_id = typed === null || method === 'cash' ? typed : normalizeTransactionId(typed, method)
    if (typed !== null && transaction_id === null)
      context.addIssue({ code: 'custom', path: ['transaction_id'], message: 'advance.bad-transaction-id' })
    return { ...form, transaction_id }
  })
export type AccountPaymentForm = z.output<typeof accountPaymentBody>

/** The limit of a customer, and that of the moment when the form opened. */
export const creditLimitBody = z.strictObject({
  credit_limit: takaField(MAX_CREDIT_TAKA * 100),
  previous: takaField(),
})
