import { z } from 'zod'

/** A text field that may be missing. The field's own rule limits its length. */
export const formField = z
  .string()
  .max(2000)
  .nullish()
  .transform((value) => value ?? '')

/** The id of a chosen area, as a number or as text; null when none is chosen. */
export const chosenArea = z
  .union([
    z.number().int().positive(),
    z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number),
    z.literal('').transform(() => null),
  ])
  .nullish()
  .transform((value) => value ?? null)

/** Body of POST /address/add and /address/update. Other fields (an owner, a default) are ignored. */
export const addressBody = z.object({
  name: formField,
  phone: formField,
  alternate_phone: formField,
  address: formField,
  /** The legacy form has no landmark: a missing one stays unchanged. */
  landmark: z.string().max(2000).nullish(),
  note: formField,
  area_id: chosenArea,
})
