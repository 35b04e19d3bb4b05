import { z } from 'zod'
import { weightField } from '#features/catalog/products/weight-field.ts'
import { WEIGHING_METHODS } from '#features/catalog/types.ts'
import { dayField, requiredText } from '#lib/form-fields.ts'

/** The form of a weigh-in. */
export const weighInForm = z.strictObject({
  weight_kg: weightField,
  weighed_on: dayField(),
  method: z.enum(WEIGHING_METHODS, { error: 'field.choose' }),
  weighed_by: requiredText(),
  /** An uploaded photo of the scale; null without one. */
  image_id: z.number().int().positive().nullable().default(null),
  /** The user confirmed an unexpected weight. */
  confirmed: z.boolean().default(false),
})

/** A validated weigh-in. */
export interface WeighInInput extends Omit<z.output<typeof weighInForm>, 'weight_kg'> {
  grams: number
}
