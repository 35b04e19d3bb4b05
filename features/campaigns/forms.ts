import { z } from 'zod'
import { momentField, nullWhenEmpty, requiredText, textField, wholeField } from '#lib/form-fields.ts'
import { isStorable } from '#lib/format/text.ts'

/** The query of the list of customers. */
export const queryField = z.string().max(2000).refine(isStorable)

const whole = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)

/** A campaign as its author starts it. `starts_at` is null for now. */
export const campaignBody = z.strictObject({
  name: requiredText(),
  text_bn: textField(1000),
  text_en: textField(1000),
  /** SMS parts. Null: what the people need. */
  parts_limit: nullWhenEmpty(wholeField(1, 1_000_000)),
  starts_at: nullWhenEmpty(momentField()),
  query: queryField,
  /** What the author confirmed: the number of people, and the newest customer of the shop then. */
  count: whole,
  up_to: whole,
})

export type CampaignInput = z.infer<typeof campaignBody>
