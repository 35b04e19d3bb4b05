import { z } from 'zod'
import { shortIdField } from '#lib/form-fields.ts'

/** Ids of chosen products in their order, each once. */
export function productIdsField(max: number) {
  return z
    .array(shortIdField(), { error: 'field.invalid' })
    .max(max, { error: 'slots.too-many' })
    .refine((ids) => new Set(ids).size === ids.length, { error: 'slots.twice' })
}
