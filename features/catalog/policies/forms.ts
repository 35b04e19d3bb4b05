import { z } from 'zod'
import { requiredText, versionField } from '#lib/form-fields.ts'
import { TEXT_SLUGS } from './slugs.ts'

const MAX_BODY_LENGTH = 30_000
const body = z
  .string({ error: 'field.required' })
  .transform((text) => text.replaceAll('\r\n', '\n'))
  .pipe(requiredText(MAX_BODY_LENGTH))

export const policyParams = z.object({ slug: z.enum(TEXT_SLUGS) })

/** A policy page in both languages: plain text, `## ` before a heading, `- ` before an item, a blank line between paragraphs. */
export const policyBody = z.strictObject({
  title_en: requiredText(150),
  title_bn: requiredText(150),
  body_en: body,
  body_bn: body,
  /** A draft says so to shoppers and to staff. */
  is_draft: z.boolean().default(false),
  version: versionField.or(z.literal(0)),
})

export type PolicyForm = Omit<z.output<typeof policyBody>, 'version'>
