import { z } from 'zod'
import { requiredText } from '#lib/form-fields.ts'

export const noteBody = z.strictObject({ note: requiredText(1000), _token: z.string().optional() })

/** Nothing but that it shall be done. */
export const nothingBody = z.strictObject({ _token: z.string().optional() })

/** Whose orders, addresses and notes come over, and how many orders the preview named. */
export const mergeBody = z.strictObject({
  other: z.number({ error: 'field.required' }).int().positive().max(1e15),
  orders: z.number({ error: 'field.required' }).int().min(0).max(1e12),
  _token: z.string().optional(),
})
