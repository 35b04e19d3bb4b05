import { z } from 'zod'
import { requiredText } from '#lib/form-fields.ts'
import { normalizePhone } from '#lib/format/phone.ts'
import { STAFF_ROLES } from '../permissions.ts'

const role = z.enum(STAFF_ROLES as [(typeof STAFF_ROLES)[number]], { error: 'field.choose' })

const phone = z.string({ error: 'field.required' }).transform((typed, context) => {
  const number = normalizePhone(typed)
  if (number !== null) return number
  context.addIssue({ code: 'custom', message: typed.trim() === '' ? 'field.required' : 'details.phone-invalid' })
  return z.NEVER
})

/** A new member of staff. */
export const newStaffBody = z.strictObject({ name: requiredText(), phone, role })
export type NewStaff = z.output<typeof newStaffBody>

export const roleBody = z.strictObject({ role })
