import { z } from 'zod'
import { isStorable, TEXT_LIMIT } from '#lib/text.ts'
import { normaliseCode } from './rules.ts'

const MOST_LISTED = 1000
const HIGHEST_TAKA = 100_000_000

const takaOf = (most: number) =>
  z
    .number()
    .min(0)
    .max(most)
    .refine((n) => Math.abs(n * 100 - Math.round(n * 100)) < 1e-6, { message: 'must be taka with at most two decimals' })
    .transform((n) => Math.round(n * 100))
const count = z.number().int().min(1).max(1_000_000).nullable().default(null)
const instant = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .nullable()
  .default(null)
const ids = z.array(z.number().int().positive()).max(MOST_LISTED).default([])

/**
 * A coupon as the office writes it: percent and taka as people say them, instants with their offset, null where there is no limit.
 * Comes out with hundredths of a percent and poisha.
 */
export const couponForm = z
  .object({
    code: z
      .string()
      .max(200)
      .transform(normaliseCode)
      .pipe(z.string({ error: '3 to 32 letters and figures, - and _' })),
    kind: z.enum(['percentage', 'free_shipping', 'others']),
    /** Percent, at most two decimals. */
    percent: z
      .number()
      .min(0)
      .max(100)
      .refine((n) => Math.abs(n * 100 - Math.round(n * 100)) < 1e-6, { message: 'at most two decimals' })
      .default(0)
      .transform((n) => Math.round(n * 100)),
    /** Taka off (others), or the delivery charge that is left (free_shipping). */
    value: takaOf(HIGHEST_TAKA).default(0),
    /** Null or 0: no cap. */
    max_discount: takaOf(HIGHEST_TAKA)
      .nullable()
      .default(null)
      .transform((poisha) => poisha || null),
    scope: z.enum(['all', 'products', 'categories']).default('all'),
    product_ids: ids,
    category_ids: ids,
    min_subtotal: takaOf(HIGHEST_TAKA).default(0),
    starts_at: instant,
    ends_at: instant,
    max_uses: count,
    max_uses_per_customer: count,
    first_order_only: z.boolean().default(false),
    active: z.boolean().default(true),
    note: z.string().max(TEXT_LIMIT).refine(isStorable, { message: 'cannot be kept' }).default(''),
  })
  .check(({ value: coupon, issues }) => {
    const complain = (field: string, message: string) => issues.push({ code: 'custom', input: coupon, path: [field], message })
    if (coupon.kind === 'percentage' && coupon.percent === 0) complain('percent', 'must be more than 0')
    if (coupon.kind === 'others' && coupon.value === 0) complain('value', 'must be more than 0')
    if (coupon.starts_at && coupon.ends_at && coupon.ends_at <= coupon.starts_at) complain('ends_at', 'must be after the beginning')
    if (coupon.scope === 'products' && coupon.product_ids.length === 0) complain('product_ids', 'choose at least one')
    if (coupon.scope === 'categories' && coupon.category_ids.length === 0) complain('category_ids', 'choose at least one')
  })

export type CouponForm = z.infer<typeof couponForm>

/** Body of POST /coupons/validate. A code may be any text: one that is none is refused as unknown. */
export const validateBody = z.object({
  code: z.string(),
  cart_items: z.array(z.object({ product_id: z.number().int().positive(), quantity: z.number().positive() })).max(100),
  /** Not believed: the shop knows who is new. */
  is_new_customer: z.boolean().nullish(),
})
