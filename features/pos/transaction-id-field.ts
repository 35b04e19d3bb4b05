import { z } from 'zod'
import { normalizeTransactionId } from '#features/orders/advances/transaction-id-rules.ts'
import { nullWhenEmpty } from '#lib/form-fields.ts'
import type { NoncashMethod } from './rules.ts'

/** A normalized transaction id of a payment method, or null. `method`: null where another field names it. */
export const transactionId = (method: NoncashMethod | null) =>
  nullWhenEmpty(
    z.string({ error: 'advance.bad-transaction-id' }).transform((typed, context) => {
      const id = normalizeTransactionId(typed, method)
      if (id !== null) return id
      context.addIssue({ code: 'custom', message: 'advance.bad-transaction-id' })
      return z.NEVER
    }),
  )
