import { z } from 'zod'
import { MAX_PRICE } from '#features/catalog/limits.ts'
import {
  hundredthsField,
  momentField,
  nullWhenEmpty,
  shortIdField,
  versionField,
  takaField,
  textField,
  wholeField,
} from '#lib/form-fields.ts'
import { MAX_TYPED_COUPON_LENGTH } from '#lib/format/input-limits.ts'
import { COUPON_KINDS } from '../rules.ts'
import { COUPON_SCOPES, normalizeCouponCode } from './rules.ts'
import { WHOLE_PERCENT } from '#lib/format/money.ts'

const MAX_LISTED = 1000

/** Percent as typed with at most two decimals; becomes hundredths of a percent. An empty text is zero. */
const percent = z.preprocess((typed) => (typed === '' ? 0 : typed), hundredthsField(0, WHOLE_PERCENT, 'coupons.percent-wrong'))
const count = nullWhenEmpty(wholeField(1, 1_000_000)).default(null)
const ids = z.array(shortIdField()).max(MAX_LISTED, { error: 'coupons.too-many' }).default([])

/**
 * The coupon form: percent, taka and local times of Dhaka as typed, null where there is no limit. The output has hundredths of a
 * percent, poisha and instants.
 */
const fields = {
  code: z
    .string({ error: 'field.required' })
    .max(200, { error: 'coupons.code-wrong' })
    .transform(normalizeCouponCode)
    .pipe(z.string({ error: 'coupons.code-wrong' })),
  kind: z.enum(COUPON_KINDS, { error: 'field.choose' }),
  percent: percent.default(0),
  /** Taka off (others), or the delivery charge that is left (free_shipping). */
  value: nullWhenEmpty(takaField(MAX_PRICE))
    .default(null)
    .transform((poisha) => poisha ?? 0),
  /** Null or 0: no cap. */
  max_discount: nullWhenEmpty(takaField(MAX_PRICE))
    .default(null)
    .transform((poisha) => poisha || null),
  scope: z.enum(COUPON_SCOPES, { error: 'field.choose' }).default('all'),
  product_ids: ids,
  category_ids: ids,
  min_subtotal: nullWhenEmpty(takaField())
    .default(null)
    .transform((poisha) => poisha ?? 0),
  starts_at: nullWhenEmpty(momentField()).default(null),
  ends_at: nullWhenEmpty(momentField()).default(null),
  max_uses: count,
  max_uses_per_customer: count,
  first_order_only: z.boolean({ error: 'field.choose' }).default(false),
  active: z.boolean({ error: 'field.choose' }).default(true),
  note: textField().default(''),
}

export const couponForm = z.strictObject(fields).check(checkTogether)
export const couponBody = z.strictObject({ ...fields, version: versionField }).check(checkTogether)

export type CouponForm = z.infer<typeof couponForm>

function checkTogether({ value: coupon, issues }: { value: CouponForm; issues: z.core.$ZodRawIssue[] }): void {
  const addIssue = (field: string, message: string) => issues.push({ code: 'custom', input: coupon, path: [field], message })
  if (coupon.kind === 'percentage' && coupon.percent === 0) addIssue('percent', 'coupons.percent-wrong')
  if (coupon.kind === 'others' && coupon.value === 0) addIssue('value', 'coupons.value-missing')
  if (coupon.starts_at && coupon.ends_at && coupon.ends_at <= coupon.starts_at) addIssue('ends_at', 'popups.ends-before')
  if (coupon.scope === 'products' && coupon.product_ids.length === 0) addIssue('product_ids', 'coupons.nothing-chosen')
  if (coupon.scope === 'categories' && coupon.category_ids.length === 0) addIssue('category_ids', 'coupons.nothing-chosen')
}

/** The code of a coupon as staff type it for an order; what is no code is an unknown coupon. */
export const typedCouponField = z.string({ error: 'coupon.unknown' }).max(MAX_TYPED_COUPON_LENGTH, { error: 'coupon.unknown' })

/** Body of POST /coupons/validate. The code may be any text; an invalid one is an unknown coupon. */
export const validateBody = z.object({
  code: z.string(),
  cart_items: z.array(z.object({ product_id: z.number().int().positive(), quantity: z.number().positive() })).max(100),
  /** Specified, but ignored: the shop counts the orders of the customer itself. */
  is_new_customer: z.boolean().nullish(),
})
