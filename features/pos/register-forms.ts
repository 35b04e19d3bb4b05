import { z } from 'zod'
import { requiredText, versionField } from '#lib/form-fields.ts'
import { MAX_REGISTER_LENGTH } from './limits.ts'

/** Body of POST /admin/quick-orders/registers/:id. */
export const registerBody = z.strictObject({
  name: requiredText(MAX_REGISTER_LENGTH),
  active: z.boolean({ error: 'field.choose' }),
  version: versionField,
})

export type RegisterForm = Omit<z.output<typeof registerBody>, 'version'>
