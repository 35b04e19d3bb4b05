import { z } from 'zod'
import { MAX_NAME_LENGTH, MAX_PRICE } from '#features/catalog/limits.ts'
import { requiredText, seenVersion, takaField, wholeField } from '#lib/form-fields.ts'

/** What delivery of a group to the area costs: the product's own charge, a charge of the area's, or no delivery at all. */
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
}

export const newAreaBody = z.strictObject(area)
export const areaBody = z.strictObject({ ...area, version: seenVersion })

export type AreaForm = z.output<typeof newAreaBody>
