import { z } from 'zod'

const trouble = z.enum(['hang', 'error', 'html'])

/** What can be made to go wrong. Everything left out works as it should. */
export const faultsSchema = z.strictObject({
  /** Every call's connection is cut. */
  down: z.boolean().optional(),
  /** How long a hanging call hangs. */
  hangMs: z.number().int().min(1).max(120_000).optional(),
  /** The session is recorded first, then the answer goes wrong; `failed` refuses it. */
  create: z.enum(['hang', 'error', 'html', 'failed']).optional(),
  validate: z.enum(['hang', 'error', 'html', 'validated-first']).optional(),
  query: trouble.optional(),
  /** Notifications; the default is shortly after the browser has left. */
  notify: z.enum(['before-return', 'late', 'never', 'five-times']).optional(),
  /** The delay of `late`; ten minutes by default. */
  notifyDelayMs: z.number().int().min(0).optional(),
  /** The payment has another sum, currency, attempt or shop than requested. */
  paidAmount: z.string().optional(),
  paidCurrency: z.string().optional(),
  tranId: z.string().optional(),
  storeId: z.string().optional(),
  badSignature: z.boolean().optional(),
  risky: z.boolean().optional(),
  /** `1500.00` is posted as `1500`. */
  shortAmount: z.boolean().optional(),
  /** A card payment was reversed by its bank: the query returns failed. */
  reversed: z.boolean().optional(),
  /** Two payments went through under one tran_id. */
  twoPaid: z.boolean().optional(),
  /** A refund is `processing` this many times before it is done. */
  refundPolls: z.number().int().min(0).optional(),
  /** A refund is recorded, then the answer goes wrong; `failed` refuses it. */
  refund: z.enum(['hang', 'error', 'html', 'failed']).optional(),
  refundStatus: trouble.optional(),
  /** A refund that was taken up ends as cancelled, after `refundPolls` questions. */
  refundCancelled: z.boolean().optional(),
  grant: z.enum(['refuse', 'expired']).optional(),
  /** bKash: `hang` and `error` after the money has moved, or a code such as `2023`. */
  execute: z.union([trouble, z.string().regex(/^\d{3,4}$/)]).optional(),
})

export type Faults = z.infer<typeof faultsSchema>
