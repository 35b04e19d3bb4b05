import { z } from 'zod'
import { MAX_ANIMAL_KG } from '#features/catalog/limits.ts'
import { latinDigits, toMilli } from '#lib/format/numbers.ts'

/** The weight of an animal as typed, in kilograms with at most three decimals; becomes grams. */
export const weightField = z.union([z.number(), z.string()], { error: 'field.weight' }).transform((value, context): number => {
  const text = latinDigits(String(value).trim())
  const kg = /^\d{1,4}(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN
  if (kg > 0 && kg <= MAX_ANIMAL_KG) return toMilli(kg)
  context.addIssue({ code: 'custom', message: text === '' ? 'field.required' : 'field.weight' })
  return z.NEVER
})
