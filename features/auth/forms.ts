import { z } from 'zod'
import { idField } from '#lib/form-fields.ts'
import { isEmail } from '#lib/format/email.ts'
import { normalizePhone } from '#lib/format/phone.ts'
import { sanitizeText, isStorable, isTooLong, TEXT_LIMIT } from '#lib/format/text.ts'
import { MAX_TYPED_PASSWORD_LENGTH } from '#lib/format/input-limits.ts'
import { passwordProblem, type PasswordProblem } from './password-rules.ts'

const typed = z.string().max(2000).default('')
const common = { next: z.string().optional() }

export const signInBody = z.object({
  identifier: z.string().max(TEXT_LIMIT).default(''),
  password: z.string().max(MAX_TYPED_PASSWORD_LENGTH).default(''),
  /** A code of the authenticator, which allows an attempt beyond the limit. */
  code: z.string().max(60).default(''),
  ...common,
})
export const phoneBody = z.object({ phone: typed, ...common })
export const registerBody = z.object({ name: typed, phone: typed, email: typed, password: typed, ...common })
export const codeBody = z.object({ code: typed, password: typed })
export const unlockBody = z.object({
  pin: z.string().max(40).default(''),
  password: z.string().max(MAX_TYPED_PASSWORD_LENGTH).default(''),
  /** The new PIN, with the password. */
  new_pin: z.string().max(40).default(''),
  ...common,
})
/** The cashier to switch to, and his PIN. */
export const switchBody = z.object({
  user_id: idField(),
  pin: z.string().max(40),
})
type RegisterBody = z.infer<typeof registerBody>

/** Message keys of field errors. */
export type FieldProblem =
  | PasswordProblem
  | 'auth.name-required'
  | 'auth.phone-required'
  | 'auth.phone-invalid'
  | 'auth.email-invalid'
  | 'auth.too-long'
  | 'auth.not-text'

/** A normalized registration. */
export interface Registration {
  name: string
  phone: string
  email: string | null
  password: string
}

/** Parses a registration; errors by field. */
export function readRegistration(
  body: RegisterBody,
): { ok: true; value: Registration } | { ok: false; errors: Record<string, FieldProblem> } {
  const errors: Record<string, FieldProblem> = {}
  const name = readName(body.name)
  const email = readEmail(body.email)
  const phone = readPhone(body.phone)
  if (!name.ok) errors.name = name.reason
  if (!phone.ok) errors.phone = phone.reason
  if (!email.ok) errors.email = email.reason
  const problem = passwordProblem(body.password, { name: sanitizeText(body.name), phone: body.phone, email: body.email })
  if (problem) errors.password = problem
  if (!name.ok || !phone.ok || !email.ok || Object.keys(errors).length > 0) return { ok: false, errors }
  return { ok: true, value: { name: name.value, phone: phone.value, email: email.value, password: body.password } }
}

/** Parses the name of an account. */
export function readName(
  raw: string,
): { ok: true; value: string } | { ok: false; reason: 'auth.name-required' | 'auth.too-long' | 'auth.not-text' } {
  if (!isStorable(raw)) return { ok: false, reason: 'auth.not-text' }
  const name = sanitizeText(raw)
  if (name === '') return { ok: false, reason: 'auth.name-required' }
  return isTooLong(name) ? { ok: false, reason: 'auth.too-long' } : { ok: true, value: name }
}

/** Parses a phone into its normalized form. */
export function readPhone(raw: string): { ok: true; value: string } | { ok: false; reason: 'auth.phone-required' | 'auth.phone-invalid' } {
  if (raw.trim() === '') return { ok: false, reason: 'auth.phone-required' }
  const phone = normalizePhone(raw)
  return phone === null ? { ok: false, reason: 'auth.phone-invalid' } : { ok: true, value: phone }
}

/** Parses an email into lower case; null when it is empty. */
export function readEmail(raw: string): { ok: true; value: string | null } | { ok: false; reason: 'auth.email-invalid' | 'auth.not-text' } {
  if (!isStorable(raw)) return { ok: false, reason: 'auth.not-text' }
  const email = sanitizeText(raw).toLowerCase()
  if (email === '') return { ok: true, value: null }
  return isEmail(email) ? { ok: true, value: email } : { ok: false, reason: 'auth.email-invalid' }
}

export const newPasswordBody = z.object({ password: typed })
export const nameBody = z.object({ name: typed, ...common })
export const emailBody = z.object({ email: typed })
export const confirmBody = z.object({ password: z.string().max(MAX_TYPED_PASSWORD_LENGTH).default(''), ...common })
export const confirmCodeBody = z.object(common)
