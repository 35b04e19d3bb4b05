import { z } from 'zod'
import { phoneField, requiredText } from '#lib/form-fields.ts'
import { STAFF_ROLES } from '../permissions.ts'

const role = z.enum(STAFF_ROLES, { error: 'field.choose' })

/** A new member of staff. */
export const newStaffBody = z.strictObject({ name: requiredText(), phone: phoneField('details.phone-invalid'), role })
export type NewStaff = z.output<typeof newStaffBody>

/** The role of a member of staff, and that of the moment when the list opened. */
export const roleBody = z.strictObject({ role, previous: role })
