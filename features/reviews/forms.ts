import { z } from 'zod'
import { textField, versionField, wholeField } from '#lib/form-fields.ts'
import { MAX_RATING, MAX_REFUSAL_LENGTH, MAX_REVIEW_LENGTH, MAX_REVIEW_PICTURES, REVIEW_STATES } from './rules.ts'

const id = wholeField(1, 999_999_999_999_999)

/** The text fields of POST /orders/{id}/reviews, which come before its pictures. */
export const reviewFields = z.strictObject({
  product_id: id,
  rating: wholeField(1, MAX_RATING),
  body: textField(MAX_REVIEW_LENGTH).default(''),
  /** Ids of the pictures that the review keeps, separated by commas. */
  keep: z
    .string({ error: 'field.text' })
    .regex(/^(\d{1,15}(,\d{1,15})*)?$/, { error: 'field.invalid' })
    .default('')
    .transform((text) => (text === '' ? [] : text.split(',').map(Number)))
    .refine((ids) => ids.length <= MAX_REVIEW_PICTURES, { error: 'review.too-many-pictures' }),
})

export type ReviewInput = z.output<typeof reviewFields>

/** Body of POST /admin/reviews/{id}: the decision, with a reason for a refusal, and the shop's answer. */
export const handleReviewBody = z
  .strictObject({
    state: z.enum(REVIEW_STATES, { error: 'field.required' }),
    refusal: textField(MAX_REFUSAL_LENGTH).default(''),
    answer: textField(MAX_REVIEW_LENGTH).default(''),
    version: versionField,
  })
  .refine(({ state, refusal }) => state !== 'refused' || refusal !== '', { path: ['refusal'], error: 'field.required' })
