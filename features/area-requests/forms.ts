import { z } from 'zod'
import { phoneField, requiredText, textField, versionField } from '#lib/form-fields.ts'
import { AREA_REQUEST_STATES, MAX_AREA_REQUEST_NOTE_LENGTH } from './rules.ts'

/** Body of POST /api/area-requests. */
export const areaRequestBody = z.strictObject({
  name: requiredText(),
  phone: phoneField('details.phone-invalid'),
  place: requiredText(),
})

export type AreaRequestInput = z.output<typeof areaRequestBody>

/** Body of POST /admin/area-requests/{id}. */
export const handleAreaRequestBody = z.strictObject({
  state: z.enum(AREA_REQUEST_STATES, { error: 'field.required' }),
  note: textField(MAX_AREA_REQUEST_NOTE_LENGTH),
  version: versionField,
})
