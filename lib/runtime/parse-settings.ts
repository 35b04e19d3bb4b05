import { z } from 'zod'
import { SettingsError } from './settings-error.ts'

/** The environment variables of a process. */
export type SettingsSource = Readonly<Record<string, string | undefined>>

/** A whole number between two bounds. */
export function wholeNumberSetting(name: string, min: number, max: number) {
  return z
    .string()
    .refine((text) => /^\d{1,6}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: (issue) => `${name} must be a whole number from ${min} to ${max}, not "${String(issue.input)}".`,
    })
    .transform(Number)
}

/** An address or a host name to listen on. */
export function hostName(name: string) {
  return z.string().refine((text) => /^[\w.:-]+$/.test(text), {
    error: (issue) => `${name} must be an address or a host name, not "${String(issue.input)}".`,
  })
}

/** An http or https URL, such as that of `example`. */
export function httpUrl(name: string, example: string) {
  return z.string().refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), { error: `${name} must look like ${example}.` })
}

/** Reads settings by a schema of their names; an empty value is unset. Throws a `SettingsError` with one line that names each wrong one. */
export function parseSettings<Schema extends z.ZodType>(schema: Schema, source: SettingsSource): z.output<Schema> {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value?.trim()))
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  throw new SettingsError(parsed.error.issues.map(lineOf).join(' '))
}

/** The message of the schema, which names the setting; else one that does. */
function lineOf(issue: z.core.$ZodIssue): string {
  const name = issue.path.join('.')
  if (issue.message.startsWith(name)) return issue.message
  return issue.code === 'too_big' ? `${name} must have at most ${issue.maximum} characters.` : `${name}: ${issue.message}`
}
