import { z } from 'zod'
import { MAX_PRICE } from '#features/catalog/limits.ts'
import { PRODUCT_STATUSES } from '#features/catalog/rules.ts'
import { HEALTH_KINDS } from '#features/catalog/types.ts'
import { dayField, versionField, textField } from '#lib/form-fields.ts'
import { normalizeNumber } from '#lib/format/numbers.ts'
import { initialFields, productFields } from './field-values.ts'
import { decimalField, optionalDay, quantityField } from './form-fields.ts'
import { PRICE_CHANGES, STOCK_ENTRIES } from './product-rules.ts'

const choice = { error: 'field.choose' }

export const productBody = z.strictObject({ ...productFields, version: versionField })

export const newProductBody = z.strictObject({ ...productFields, ...initialFields })

export type ProductForm = Omit<z.output<typeof productBody>, 'version'>
export type NewProductForm = z.output<typeof newProductBody>

export const stockBody = z.strictObject({
  kind: z.enum(STOCK_ENTRIES, choice),
  quantity: quantityField,
  /** The reason, for the audit log. */
  note: textField(200),
  /** The newest movement on the sender's screen, 0 for none. A newer movement is a conflict. */
  lastEntryId: z.number(choice).int().nonnegative().max(Number.MAX_SAFE_INTEGER).optional(),
})

export const healthBody = z
  .strictObject({
    on_day: dayField(),
    kind: z.enum(HEALTH_KINDS, choice),
    what_en: textField(255),
    what_bn: textField(255),
    vet: textField(255),
    image_id: z.number(choice).int().positive().nullable(),
  })
  .refine(({ what_en, what_bn }) => what_en + what_bn !== '', { path: ['what_en'], error: 'field.required' })

export type HealthForm = z.output<typeof healthBody>

const MAX_PICKED = 200
const ids = z.array(z.number().int().positive(), choice).min(1, choice).max(MAX_PICKED, choice)

const previewHash = z.string().max(64).optional()

/** Taka (`unit` ৳) or percent with a sign, as typed; becomes hundredths, never zero. */
const signedAmount = (unit: '৳' | '') =>
  z.string({ error: 'products.amount-bad' }).transform((text, context): number => {
    const [, sign = '', rest = ''] = /^([-+]?)(.*)$/.exec(normalizeNumber(text)) ?? []
    const value = decimalField({ places: 2, max: MAX_PRICE, error: 'products.amount-bad', sign: unit }).safeParse(rest)
    if (value.success && value.data !== null && value.data > 0) return sign === '-' ? -value.data : value.data
    context.addIssue({ code: 'custom', message: 'products.amount-bad' })
    return z.NEVER
  })

const [PERCENT, ...IN_TAKA] = PRICE_CHANGES

/** A change of several products. Without `previewHash` the response is a preview. */
export const bulkBody = z.discriminatedUnion(
  'what',
  [
    z.discriminatedUnion(
      'by',
      [
        z.strictObject({ what: z.literal('price'), by: z.literal(PERCENT), amount: signedAmount(''), ids, previewHash }),
        z.strictObject({ what: z.literal('price'), by: z.enum(IN_TAKA), amount: signedAmount('৳'), ids, previewHash }),
      ],
      choice,
    ),
    z.strictObject({ what: z.literal('status'), status: z.enum(PRODUCT_STATUSES, choice), ids, previewHash }),
    z.strictObject({ what: z.literal('visible'), visible: z.boolean(choice), ids, previewHash }),
    z.strictObject({ what: z.literal('delivery_on'), delivery_on: optionalDay, ids, previewHash }),
    z.strictObject({ what: z.literal('archived'), archived: z.boolean(choice), ids, previewHash }),
  ],
  choice,
)

export type BulkChangeInput = z.output<typeof bulkBody>
