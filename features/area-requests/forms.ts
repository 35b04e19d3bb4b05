import { z } from 'zod'
import { normalizePhone } from '#lib/format/phone.ts'
import { MAX_TYPED_PHONE_LENGTH } from '#lib/format/input-limits.ts'
import { requiredText, textField, versionField } from '#lib/form-fields.ts'
import { AREA_REQUEST_STATES, MAX_AREA_REQUEST_NOTE_LENGTH } from './rules.ts'

/** Body of POST /api/area-requests. */
export const areaRequestBody = z.strictObject({
  name: requiredText(),
  phone: requiredText(MAX_TYPED_PHONE_LENGTH).transform((typed, context) => {
    const phone = normalizePhone(typed)
    if (phone !== null) return phone
    context.addIssue({ code: 'custom', message: 'details.phone-invalid' })
    return z.NEVER
  }),
  place: requiredText(),
})

export type AreaRequestInput = z.output<typeof areaRequestBody>

/** Body of POST /admin/area-requests/{id}. */
export const handleAreaRequestBody = z.strictObject({
  state: z.enum(AREA_REQUEST_STATES, { error: 'field.required' }),
  note: textField(MAX_AREA_REQUEST_NOTE_LENGTH),
  version: versionField,
})
