import { z } from 'zod'
import { MAX_PRICE, MAX_PRODUCT_NAME_LENGTH, MAX_SEASON_LENGTH } from '#features/catalog/limits.ts'
import { PRODUCT_STATUSES } from '#features/catalog/rules.ts'
import { COATS } from '#features/catalog/coats.ts'
import { weightField } from '#features/cattle/forms.ts'
import { dayField, requiredText, seenVersion, textField, wholeField } from '#lib/form-fields.ts'
import { barcodeField, decimalField, monthField, optionalDay, optionalTaka, sizesField, tagField, videoField } from './fields.ts'
import { UNITS } from './product-rules.ts'

const choice = { error: 'field.choose' }
const rowId = z.number(choice).int().positive().max(2_147_483_647)
const tick = z.boolean(choice)
const MAX_PICTURES = 12
const MAX_VIDEOS = 5
const LONG_TEXT = 5000

/** An amount that is nought when left empty. */
const takaOrNone = optionalTaka.transform((poisha) => poisha ?? 0)

/** What is set of a product whether it is new or not. */
export const productFields = {
  category_id: wholeField(1, 2_147_483_647),
  further_category_ids: z.array(rowId, choice).max(20),
  name_en: requiredText(MAX_PRODUCT_NAME_LENGTH),
  name_bn: requiredText(MAX_PRODUCT_NAME_LENGTH),
  description_en: textField(LONG_TEXT),
  description_bn: textField(LONG_TEXT),
  price: optionalTaka,
  unit: z.enum(UNITS as [string, ...string[]], choice),
  discount_kind: z.enum(['none', 'percentage', 'fixed'], choice),
  /** Percent or taka, in hundredths either way. */
  discount: optionalTaka,
  sizes: sizesField,
  status: z.enum(PRODUCT_STATUSES, choice),
  note_en: textField(500),
  note_bn: textField(500),
  delivery_on: optionalDay,
  shipping_cost: takaOrNone,
  advance_minimum: takaOrNone,
  advance_percentage: decimalField({ places: 2, most: 10_000, error: 'products.percent-bad' }).transform((value) => value ?? 0),
  advance_round_figure: takaOrNone,
  coupon_applicable: tick,
  barcode: barcodeField,
  search_aliases: textField(1000),
  visible: tick,
  tag_number: tagField,
  breed_en: textField(100),
  breed_bn: textField(100),
  coat: z.union([z.literal(''), z.enum(Object.keys(COATS) as [string, ...string[]])], choice),
  teeth: decimalField({ places: 0, most: 8, error: 'products.teeth-bad' }),
  birth_month: monthField,
  sold_by_live_weight: tick,
  season: textField(MAX_SEASON_LENGTH),
  picture_ids: z.array(z.number(choice).int().positive(), choice).max(MAX_PICTURES, { error: 'products.pictures-many' }),
  videos: z.array(videoField).max(MAX_VIDEOS, { error: 'products.videos-many' }),
}

export const productBody = z.strictObject({ ...productFields, version: seenVersion })

const quantity = decimalField({ places: 3, most: 1_000_000_000, error: 'products.count-bad' })

export const newProductBody = z.strictObject({
  ...productFields,
  kind: z.enum(['animal', 'goods'], choice),
  /** How many there are, in thousandths; empty: not counted. */
  stock: quantity,
  /** The first weighing of an animal. */
  weight_kg: z.union([z.literal('').transform(() => null), z.null(), weightField]),
  weighed_on: z.union([z.literal('').transform(() => null), z.null(), dayField()]),
})

export type ProductForm = Omit<z.output<typeof productBody>, 'version'>
export type NewProductForm = z.output<typeof newProductBody>

export const stockBody = z.strictObject({
  kind: z.enum(['received', 'counted', 'uncounted'], choice),
  quantity,
  /** Why: kept in the log. */
  note: textField(200),
  /** The newest movement on the sender's screen, 0 for none: what was entered since is told, not entered over or a second time. */
  seen: z.number(choice).int().nonnegative().max(Number.MAX_SAFE_INTEGER).optional(),
})

export const healthBody = z
  .strictObject({
    on_day: dayField(),
    kind: z.enum(['vaccination', 'deworming', 'check', 'treatment'], choice),
    what_en: textField(255),
    what_bn: textField(255),
    vet: textField(255),
    image_id: z.number(choice).int().positive().nullable(),
  })
  .refine(({ what_en, what_bn }) => what_en + what_bn !== '', { path: ['what_en'], error: 'field.required' })

export type HealthForm = z.output<typeof healthBody>

const MAX_PICKED = 200
const ids = z.array(z.number().int().positive(), choice).min(1, choice).max(MAX_PICKED, choice)

const seen = z.string().max(64).optional()

/** Taka or percent with a sign, as typed; in hundredths, and never nought. */
const signedAmount = z.string({ error: 'products.amount-bad' }).transform((text, context): number => {
  const [, sign = '', rest = ''] = /^([-−+]?)(.*)$/u.exec(text.trim()) ?? []
  const value = decimalField({ places: 2, most: MAX_PRICE, error: 'products.amount-bad' }).safeParse(rest)
  if (value.success && value.data !== null && value.data > 0) return sign === '-' || sign === '−' ? -value.data : value.data
  context.addIssue({ code: 'custom', message: 'products.amount-bad' })
  return z.NEVER
})

/** What happens to several products; without `seen` only what would change is answered. */
export const bulkBody = z.discriminatedUnion(
  'what',
  [
    z.strictObject({ what: z.literal('price'), by: z.enum(['set', 'taka', 'percent'], choice), amount: signedAmount, ids, seen }),
    z.strictObject({ what: z.literal('status'), status: z.enum(PRODUCT_STATUSES, choice), ids, seen }),
    z.strictObject({ what: z.literal('visible'), visible: tick, ids, seen }),
  ],
  choice,
)

export type BulkChangeInput = z.output<typeof bulkBody>
