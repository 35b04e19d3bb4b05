import { z } from 'zod'
import { MAX_AMOUNT } from '#lib/format/money.ts'
import { chosenArea, formField } from '#features/customers/forms.ts'

/** Taka as JSON has them: a finite number of at most two decimals. */
export const taka = z
  .number()
  .refine((n) => Number.isFinite(n) && Math.abs(n) <= MAX_AMOUNT / 100 && Math.abs(n * 100 - Math.round(n * 100)) < 1e-6, {
    message: 'must be taka with at most two decimals',
  })
const MAX_LINES = 100

/** Body of POST /customer-orders, as specified; sums are compared, never believed. */
export const customerOrderBody = z.object({
  customer: z.object({
    /** Of a saved address of the signed-in customer: then the book's own words count, not those that are sent. */
    id: z.number().int().positive().nullish(),
    name: formField,
    email: formField,
    phone: formField,
    alternate_phone: formField,
    address: formField,
    landmark: formField,
    note: formField,
    area_id: chosenArea,
  }),
  products: z
    .array(
      z.object({
        product_id: z.number().int().positive().max(Number.MAX_SAFE_INTEGER),
        quantity: z.number(),
        coupon: z.union([z.string().max(100), z.boolean()]).nullish(),
      }),
    )
    .min(1)
    .max(MAX_LINES),
  payment_type: z.enum(['full', 'partial', 'cash_on_delivery']),
  payment_gateway: z.enum(['NONE', 'sslcommerz', 'bkash', 'pgw']),
  payable_amount: taka.nullish(),
  partial_payment: z.union([taka, z.literal('')]).nullish(),
  is_free_order: z.boolean().nullish(),
  /** The total the shopper saw; when it no longer holds the order is refused with the new one. */
  expected_total: taka.nullish(),
  totalProductDiscount: taka.nullish(),
  couponDiscountAmount: taka.nullish(),
  couponFreeShipping: z.union([taka, z.boolean()]).nullish(),
  shipping_cost: taka.nullish(),
  /** 2: in two deliveries where the goods have different dates, for two charges. Absent: one. */
  deliveries: z.union([z.literal(1), z.literal(2)]).nullish(),
})

export type CustomerOrderBody = z.infer<typeof customerOrderBody>

/** Body of the legacy one-product form. */
export const orderStoreBody = z.object({
  full_name: formField,
  phone: formField,
  email: formField,
  quantity: z
    .union([z.string().max(20), z.number().transform(String)])
    .nullish()
    .transform((value) => value ?? ''),
  delivery_address: formField,
  landmark: formField,
  area: z
    .union([z.string().max(20), z.number().transform(String)])
    .nullish()
    .transform((value) => value ?? ''),
  pid: z.union([z.string().max(20), z.number().transform(String)]),
  /** Compared with the shop's own charge [S5]. */
  shipping_cost: z.unknown().optional(),
  /** Checked by the route, with a text at the field [M9]. */
  payment_gateway: z.unknown().optional(),
  _token: z.string().optional(),
})

export type OrderStoreBody = z.infer<typeof orderStoreBody>
