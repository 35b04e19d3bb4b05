import { z } from 'zod'
import { MAX_ANIMAL_KG, MAX_RATE } from '#features/catalog/limits.ts'
import { MAX_SEASON_LENGTH } from '#features/settings/limits.ts'
import { shortIdField, textField } from '#lib/form-fields.ts'
import { parseAmount, readTaka } from '#lib/format/money.ts'

const MAX_TIERS = 30

/** A typed number with at most two decimals; becomes hundredths. */
const hundredths = (min: number, max: number, error: string) =>
  z.union([z.number(), z.string()], { error }).transform((value, context): number => {
    const read = typeof value === 'number' ? readTaka(value) : parseAmount(value)
    if (read !== null && read >= min && read <= max) return read
    context.addIssue({ code: 'custom', message: error })
    return z.NEVER
  })

const tier = z.strictObject({
  /** The lower bound in kilograms; becomes grams. */
  from_kg: hundredths(0, MAX_ANIMAL_KG * 100, 'rates.from-wrong').transform((hundredthsOfKg) => hundredthsOfKg * 10),
  /** Taka per kilogram; becomes poisha. */
  per_kg: hundredths(1, MAX_RATE, 'rates.rate-wrong'),
})

const table = {
  category_id: shortIdField('field.choose'),
  season: textField(MAX_SEASON_LENGTH),
  tiers: z
    .array(tier, { error: 'rates.no-tiers' })
    .min(1, { error: 'rates.no-tiers' })
    .max(MAX_TIERS, { error: 'rates.too-many' })
    .refine((tiers) => new Set(tiers.map(({ from_kg }) => from_kg)).size === tiers.length, { error: 'rates.twice' }),
}

export const ratePreviewBody = z.strictObject(table)
export const rateTableBody = z.strictObject({
  ...table,
  /** Hashes of the rates on the page (`ratesHash`) and of the previewed price changes (`planHash`). */
  ratesHash: z.string({ error: 'field.version' }).max(64),
  planHash: z.string({ error: 'field.version' }).max(64),
})

export type RateTable = z.output<typeof ratePreviewBody>
