import { type FieldErrors, type Resolver, set } from 'react-hook-form'
import { z } from 'zod'
import { textLimits } from '#lib/form-fields.ts'
import { issueMessageKey } from '#lib/form-messages.ts'
import { textByData, type Translate } from '#lib/i18n/translate.ts'

/** The limits of a text field. */
export interface TextLimits {
  maxLength?: number
  isRequired?: boolean
}

/** Reads the limits of the field at `path` (`name_en`, `shop.name.en`) from a schema; none where the schema has no text there. */
export function limitsAt(schema: z.ZodType, path: readonly string[]): TextLimits {
  const [key, ...rest] = path
  if (key === undefined) return ownLimits(schema)
  const inner = unwrapped(schema)
  const child = inner instanceof z.ZodObject ? inner.shape[key] : inner instanceof z.ZodArray ? inner.element : undefined
  return child ? limitsAt(child as z.ZodType, rest) : {}
}

/** The maximum length of the text at `path` of a schema, for inputs outside of `AdminForm`. */
export const maxLengthAt = (schema: z.ZodType, path: string): number | undefined => limitsAt(schema, path.split('.')).maxLength

function ownLimits(schema: z.ZodType): TextLimits {
  const limits = textLimits.get(schema)
  if (limits) return limits
  const parts = partsOf(schema)
  return parts.map(ownLimits).find(({ maxLength }) => maxLength !== undefined) ?? {}
}

/** The object or array within wrappers such as `optional`, `default` and `preprocess`. */
function unwrapped(schema: z.ZodType): z.ZodType | undefined {
  if (schema instanceof z.ZodObject || schema instanceof z.ZodArray) return schema
  return partsOf(schema)
    .map(unwrapped)
    .find((part) => part !== undefined)
}

function partsOf(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodPipe) return [schema.in as z.ZodType, schema.out as z.ZodType]
  const isWrapper = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
  return isWrapper ? [schema.unwrap() as z.ZodType] : []
}

/**
 * Validates a form with the schema of the server's body, so that both report the same errors. Values are sent as typed; the server parses
 * them. (The resolver of `@hookform/resolvers` reports a union's branch in place of the union's message.)
 */
export function schemaResolver(schema: z.ZodType, bodyOf: (values: never) => unknown, translate: Translate): Resolver {
  const t = textByData(translate)
  return (values) => {
    const parsed = schema.safeParse(bodyOf(values as never))
    return parsed.success ? { values, errors: {} } : { values: {}, errors: errorsOf(parsed.error.issues, t) }
  }
}

function errorsOf(issues: readonly z.core.$ZodIssue[], t: (key: string) => string): FieldErrors {
  const errors: FieldErrors = {}
  const seen = new Set<string>()
  // Shorter paths first: the error of a list must not replace those of its items.
  for (const issue of [...issues].sort((a, b) => a.path.length - b.path.length)) {
    const path = issue.path.join('.') || 'body'
    if (seen.has(path)) continue
    seen.add(path)
    set(errors, path, { type: 'schema', message: t(messageKeyOf(issue)) })
  }
  return errors
}

function messageKeyOf(issue: z.core.$ZodIssue) {
  const isText = 'origin' in issue && issue.origin === 'string'
  return issueMessageKey(issue.message, { code: issue.code, isText, isUndefined: issue.message.endsWith('received undefined') })
}
