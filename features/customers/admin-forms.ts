import { z } from 'zod'
import { isEmail } from '#lib/format/email.ts'
import { phoneField, requiredText, textField } from '#lib/form-fields.ts'

export const noteBody = z.strictObject({ note: requiredText(1000) })

const phone = phoneField('field.phone')

const email = textField()
  .transform((text) => text.toLowerCase())
  .refine((text) => text === '' || isEmail(text), { error: 'field.email' })

/** The details of a customer, and the values when the form opened. */
export const detailsBody = z.strictObject({
  name: requiredText(),
  phone,
  email,
  previous: z.strictObject({ name: z.string(), phone: z.string(), email: z.string() }, { error: 'field.version' }),
})

export type CustomerDetails = z.infer<typeof detailsBody>

/** A customer that staff add, with an optional first note. */
export const newCustomerBody = z.strictObject({
  name: requiredText(),
  phone,
  email,
  note: textField(1000),
})

export type NewCustomer = z.infer<typeof newCustomerBody>

/** A message to a customer. `writtenMessage` checks its length. */
export const smsBody = z.strictObject({ message: z.string().max(20_000).default('') })

/** Whether a customer wants no campaigns. */
export const optOutBody = z.strictObject({ opted_out: z.boolean({ error: 'field.choose' }) })

/** The customer that is merged into another, and its number of orders in the preview. */
export const mergeBody = z.strictObject({
  other: z.number({ error: 'field.required' }).int().positive().max(1e15),
  orders: z.number({ error: 'field.required' }).int().min(0).max(1e12),
})
