import { z } from 'zod'
import { orNothing, requiredText, seenVersion, textField, wholeField } from '#lib/form-fields.ts'

const category = {
  name_en: requiredText(100),
  name_bn: requiredText(100),
  description: textField(1000),
  delivery_group: z.enum(['cattle', 'produce'], { error: 'field.choose' }),
  cod_allowed: z.boolean({ error: 'field.choose' }),
  /** Null: animals of this category are not weighed again before they go out. */
  final_weighing_days: orNothing(wholeField(0, 60)),
}

export const newCategoryBody = z.strictObject(category)
export const categoryBody = z.strictObject({ ...category, version: seenVersion })

export type CategoryForm = z.output<typeof newCategoryBody>
