import { z } from 'zod'
import { MAX_CATEGORY_TEXT_LENGTH, MAX_NAME_LENGTH } from '#features/catalog/limits.ts'
import { DELIVERY_GROUPS } from '#features/catalog/types.ts'
import { nullWhenEmpty, requiredText, versionField, textField, wholeField } from '#lib/form-fields.ts'

const category = {
  name_en: requiredText(MAX_NAME_LENGTH),
  name_bn: requiredText(MAX_NAME_LENGTH),
  description: textField(MAX_CATEGORY_TEXT_LENGTH),
  delivery_group: z.enum(DELIVERY_GROUPS, { error: 'field.choose' }),
  cod_allowed: z.boolean({ error: 'field.choose' }),
  /** Days before delivery; null: animals of this category have no final weighing. */
  final_weighing_days: nullWhenEmpty(wholeField(0, 60)),
}

export const newCategoryBody = z.strictObject(category)
export const categoryBody = z.strictObject({ ...category, version: versionField })

export type CategoryForm = z.output<typeof newCategoryBody>
