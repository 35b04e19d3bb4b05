import { z } from 'zod'
import { dayField, idField, nullWhenEmpty, requiredText, textField } from '#lib/form-fields.ts'
import { DAY_ORDERS, MAX_ACCOUNT_NAME_LENGTH, MAX_ENTRIES_OF_ROW, MAX_REASON_LENGTH, STATEMENT_METHODS } from './rules.ts'

/** Body of POST /admin/payments/accounts. */
export const accountBody = z.strictObject({
  name: requiredText(MAX_ACCOUNT_NAME_LENGTH),
  method: z.enum(STATEMENT_METHODS, { error: 'field.required' }),
})

/** Body of POST /admin/payments/accounts/{id}: the name, and that of the moment when the page opened. */
export const renameBody = accountBody.pick({ name: true }).extend({ previous: z.string({ error: 'field.version' }) })

const heading = nullWhenEmpty(z.string({ error: 'field.required' }).max(100, { error: 'field.too-long' }))

const mappingField = z
  .strictObject({
    day: z.string({ error: 'field.required' }).min(1, { error: 'field.required' }).max(100, { error: 'field.too-long' }),
    dayOrder: z.enum(DAY_ORDERS, { error: 'field.required' }),
    amount: heading,
    credit: heading,
    debit: heading,
    reference: heading,
    details: heading,
  })
  .refine(({ amount, credit, debit }) => amount !== null || credit !== null || debit !== null, {
    path: ['amount'],
    error: 'field.required',
  })
  .refine(({ amount, credit, debit }) => amount === null || (credit === null && debit === null), {
    path: ['amount'],
    error: 'reconcile.amount-or-columns',
  })

/** Body of POST /admin/payments/accounts/{id}/statement. Without `mapping` the response is a preview. */
export const statementBody = z.strictObject({
  csv: z.string({ error: 'field.required' }),
  file_name: textField(255),
  mapping: mappingField.optional(),
})

const reason = requiredText(MAX_REASON_LENGTH)

export const matchBody = z.strictObject({
  entries: z
    .array(idField(), { error: 'field.required' })
    .min(1, { error: 'reconcile.choose-entries' })
    .max(MAX_ENTRIES_OF_ROW, { error: 'reconcile.choose-entries' }),
  reason,
})

export const reasonBody = z.strictObject({ reason })

/** `open`: the number of open rows and entries that the manager saw. */
export const closeDayBody = z.strictObject({
  day: dayField(),
  note: textField(MAX_REASON_LENGTH),
  open: z.number({ error: 'field.whole' }).int().nonnegative().max(1_000_000_000),
})

export const reopenDayBody = z.strictObject({ day: dayField(), reason })
