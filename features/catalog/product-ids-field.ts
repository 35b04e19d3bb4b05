import { z } from 'zod'

/** Ids of chosen products in their order, each once. */
export function productIdsField(max: number) {
  return z
    .array(z.number().int().positive().max(2_147_483_647), { error: 'field.invalid' })
    .max(max, { error: 'slots.too-many' })
    .refine((ids) => new Set(ids).size === ids.length, { error: 'slots.twice' })
}
