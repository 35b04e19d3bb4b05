import { z } from 'zod'
import { normalizeTransactionId } from '#features/orders/advances/transaction-id-rules.ts'
import { nullWhenEmpty } from '#lib/form-fields.ts'

/** A normalized transaction id of a wallet or bank, or null. */
export const transactionId = nullWhenEmpty(
  z.string({ error: 'advance.bad-transaction-id' }).transform((typed, context) => {
    const id = normalizeTransactionId(typed)
    if (id !== null) return id
    context.addIssue({ code: 'custom', message: 'advance.bad-transaction-id' })
    return z.NEVER
  }),
)
