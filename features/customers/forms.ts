import { z } from 'zod'

/** A field of a form that may be missing; how long it may be is said at the field. */
export const formField = z
  .string()
  .max(2000)
  .nullish()
  .transform((value) => value ?? '')

/** A chosen area: its number, as JSON or as a form has it; nothing chosen is null. */
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

/** Body of POST /address/add and /address/update. Whatever else is sent (an owner, a default) is left out. */
export const addressBody = z.object({
  name: formField,
  phone: formField,
  alternate_phone: formField,
  address: formField,
  /** Not in the form of old: left as it is when it is missing. */
  landmark: z.string().max(2000).nullish(),
  note: formField,
  area_id: chosenArea,
})
