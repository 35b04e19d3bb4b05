import { z } from 'zod'
import { MAX_ANIMAL_KG } from '#features/catalog/limits.ts'
import { dayField, requiredText } from '#lib/form-fields.ts'
import { latinDigits } from '#lib/format/numbers.ts'

/** A weight of an animal as people type it, in kilograms with at most three decimals; becomes grams. */
export const weightField = z.union([z.number(), z.string()], { error: 'field.weight' }).transform((value, context): number => {
  const text = latinDigits(String(value).trim())
  const kg = /^\d{1,4}(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN
  if (kg > 0 && kg <= MAX_ANIMAL_KG) return Math.round(kg * 1000)
  context.addIssue({ code: 'custom', message: text === '' ? 'field.required' : 'field.weight' })
  return z.NEVER
})

/** A weighing as the scale's screen sends it. */
export const weighInForm = z.strictObject({
  weight_kg: weightField,
  weighed_on: dayField(),
  method: z.enum(['scale', 'tape', 'estimate'], { error: 'field.choose' }),
  weighed_by: requiredText(),
  /** A photograph of the scale, uploaded before; null without one. */
  image_id: z.number().int().positive().nullable().default(null),
  /** The person has seen that the weight is a surprise. */
  confirmed: z.boolean().default(false),
})

/** A weighing that has been checked. */
export interface WeighInInput extends Omit<z.output<typeof weighInForm>, 'weight_kg'> {
  grams: number
}
