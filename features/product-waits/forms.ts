import { z } from 'zod'
import { idField, phoneField } from '#lib/form-fields.ts'

/** Body of POST /api/product-waits. */
export const productWaitBody = z.strictObject({
  product_id: idField(),
  phone: phoneField('details.phone-invalid'),
})
