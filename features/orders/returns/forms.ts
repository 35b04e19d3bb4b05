import { z } from 'zod'
import { MAX_LINES } from '#features/cart/rules.ts'
import { idField, requiredText, versionField } from '#lib/form-fields.ts'
import { quantityField } from '../editing/forms.ts'

/** Body of POST /admin/orders/returns/:id: the products that came back, and why. */
export const returnProductsBody = z.strictObject({
  lines: z
    .array(
      z
        .strictObject({
          product_id: idField('refusal.unknown-product'),
          quantity: quantityField,
          /** Written off instead of put back in stock. */
          damaged: z.boolean().default(false),
        })
        .transform((line) => ({ productId: line.product_id, quantityMilli: line.quantity, isSpoiled: line.damaged })),
      { error: 'returns.nothing' },
    )
    .min(1, { error: 'returns.nothing' })
    .max(MAX_LINES, { error: 'admin-orders.too-many-lines' }),
  reason: requiredText(),
  version: versionField,
})
export type ReturnProductsForm = z.output<typeof returnProductsBody>
