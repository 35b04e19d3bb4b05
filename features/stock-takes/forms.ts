import { z } from 'zod'
import { idField, MAX_INTEGER, nullWhenEmpty, textField, versionField, wholeField } from '#lib/form-fields.ts'
import { MAX_NOTE_LENGTH, MAX_TYPED_COUNT_LENGTH, readCounted, TAKE_REASONS } from './rules.ts'

/** Body of POST /admin/stock-takes. Without a category the sheet is for all counted products and animals. */
export const startBody = z.strictObject({
  category_id: nullWhenEmpty(wholeField(1, MAX_INTEGER)),
  note: textField(MAX_NOTE_LENGTH),
})

const productField = idField('field.choose')

/** A typed quantity; becomes thousandths. */
const quantityField = z
  .string({ error: 'field.required' })
  .max(MAX_TYPED_COUNT_LENGTH, { error: 'stock-take.quantity-bad' })
  .transform((text, context) => {
    const milli = readCounted(text)
    if (milli !== null) return milli
    context.addIssue({ code: 'custom', message: text.trim() === '' ? 'field.required' : 'stock-take.quantity-bad' })
    return z.NEVER
  })

/** Body of POST /admin/stock-takes/{id}/scan: adds to what was counted. */
export const scanBody = z.strictObject({ product_id: productField, quantity: quantityField })

/** Body of POST /admin/stock-takes/{id}/count. `version`: of the line on the sender's screen; null while it had none. */
export const countBody = z.strictObject({
  product_id: productField,
  quantity: quantityField,
  reason: z.enum(TAKE_REASONS, { error: 'field.choose' }),
  version: versionField.nullable(),
})

/** Body of POST /admin/stock-takes/{id}/remove. */
export const removeBody = z.strictObject({ product_id: productField, version: versionField })

/** Body of POST /admin/stock-takes/{id}/close. `revision`: of the summary on the sender's screen. */
export const closeBody = z.strictObject({ revision: z.string({ error: 'field.required' }).max(60, { error: 'field.too-long' }) })

export const cancelBody = z.strictObject({})
