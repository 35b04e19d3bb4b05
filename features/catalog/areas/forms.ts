import { z } from 'zod'
import { MAX_NAME_LENGTH, MAX_PRICE } from '#features/catalog/limits.ts'
import { requiredText, versionField, takaField, wholeField } from '#lib/form-fields.ts'

/** The delivery charge of a group: the product's own (`own`), the area's (`set`), or no delivery (`closed`). */
const groupCharge = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('own'), charge: z.unknown().optional() }),
    z.strictObject({ kind: z.literal('closed'), charge: z.unknown().optional() }),
    z.strictObject({ kind: z.literal('set'), charge: takaField(MAX_PRICE) }),
  ],
  { error: 'field.choose' },
)

const area = {
  name_en: requiredText(MAX_NAME_LENGTH),
  name_bn: requiredText(MAX_NAME_LENGTH),
  active: z.boolean({ error: 'field.choose' }),
  position: wholeField(0, 9999),
  cattle: groupCharge,
  produce: groupCharge,
  /** The weekdays without delivery, 0 for Sunday. Absent: unchanged, none for a new area. */
  closed_weekdays: z
    .array(z.number().int().min(0).max(6), { error: 'field.choose' })
    .max(6, { error: 'areas.weekdays-none' })
    .transform((days) => [...new Set(days)].sort((a, b) => a - b))
    .optional(),
}

export const newAreaBody = z.strictObject(area)
export const areaBody = z.strictObject({ ...area, version: versionField })

export type AreaForm = z.output<typeof newAreaBody>
