import { z } from 'zod'
import { weightField } from '#features/catalog/products/weight-field.ts'
import { dayField, requiredText } from '#lib/form-fields.ts'

/** A weighing as the scale's screen sends it. */
export const weighInForm = z.strictObject({
  weight_kg: weightField,
  weighed_on: dayField(),
  method: z.enum(['scale', 'tape', 'estimate'], { error: 'field.choose' }),
  weighed_by: requiredText(),
  /** A photograph of the scale, uploaded before; null without one. */
  image_id: z.number().int().positive().nullable().default(null),
  /** The user confirmed an unexpected weight. */
  confirmed: z.boolean().default(false),
})

/** A weighing that has been checked. */
export interface WeighInInput extends Omit<z.output<typeof weighInForm>, 'weight_kg'> {
  grams: number
}
