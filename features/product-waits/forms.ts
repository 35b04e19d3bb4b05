import { z } from 'zod'
import { MAX_TYPED_PHONE_LENGTH } from '#lib/format/input-limits.ts'
import { normalizePhone } from '#lib/format/phone.ts'
import { idField, requiredText } from '#lib/form-fields.ts'

/** Body of POST /api/product-waits. */
export const productWaitBody = z.strictObject({
  product_id: idField(),
  phone: requiredText(MAX_TYPED_PHONE_LENGTH).transform((typed, context) => {
    const phone = normalizePhone(typed)
    if (phone !== null) return phone
    context.addIssue({ code: 'custom', message: 'details.phone-invalid' })
    return z.NEVER
  }),
})
