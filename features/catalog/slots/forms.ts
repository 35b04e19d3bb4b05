import { z } from 'zod'
import { MAX_NAME_LENGTH } from '#features/catalog/limits.ts'
import { productIdsField } from '#features/catalog/product-ids-field.ts'
import { requiredText, versionField } from '#lib/form-fields.ts'

const MAX_PRODUCTS = 60

const slot = {
  name_en: requiredText(MAX_NAME_LENGTH),
  name_bn: requiredText(MAX_NAME_LENGTH),
  active: z.boolean({ error: 'field.choose' }),
  /** In the order of the slot. */
  product_ids: productIdsField(MAX_PRODUCTS),
}

export const newSlotBody = z.strictObject(slot)
export const slotBody = z.strictObject({ ...slot, version: versionField })

export type SlotForm = z.output<typeof newSlotBody>
