import { z } from 'zod'
import { MAX_ANIMAL_KG, MAX_RATE } from '#features/catalog/limits.ts'
import { MAX_SEASON_LENGTH } from '#features/settings/limits.ts'
import { hundredthsField, shortIdField, shortIdParams, textField } from '#lib/form-fields.ts'

const MAX_TIERS = 30

/** The prices of 20,000 animals take some seconds. The limit of the server, and of the page that waits for it. */
export const APPLY_WAIT_MS = 60_000

const tier = z.strictObject({
  /** The lower bound in kilograms; becomes grams. */
  from_kg: hundredthsField(0, MAX_ANIMAL_KG * 100, 'rates.from-wrong').transform((hundredthsOfKg) => hundredthsOfKg * 10),
  /** Taka per kilogram; becomes poisha. */
  per_kg: hundredthsField(1, MAX_RATE, 'rates.rate-wrong'),
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

export const deleteRatesQuery = z.object({
  category_id: shortIdParams.shape.id,
  season: table.season,
  ratesHash: rateTableBody.shape.ratesHash,
})

export type RateTable = z.output<typeof ratePreviewBody>
