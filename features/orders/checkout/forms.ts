import { z } from 'zod'
import { idField } from '#lib/form-fields.ts'
import { MAX_AMOUNT } from '#lib/format/money.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
import { MAX_LINES } from '#features/cart/rules.ts'
import { chosenArea, formField } from '#features/customers/forms.ts'
import { isDay } from '#lib/format/time.ts'
import { REQUESTED_GATEWAYS } from '#features/payments/gateway.ts'

/**
 * An amount of taka in JSON: a finite number with at most two decimals. A sum of floats, such as 0.1 + 0.2, becomes the taka that it means.
 * `error`: the message key for another value.
 */
function takaNumber(error: MessageKey) {
  return z
    .number({ error })
    .refine((n) => Number.isFinite(n) && Math.abs(n) <= MAX_AMOUNT / 100 && Math.abs(n * 100 - Math.round(n * 100)) < 1e-6, { error })
    .transform((n) => Math.round(n * 100) / 100)
}

export const jsonTaka = takaNumber('field.invalid')
const payableTaka = takaNumber('partial.invalid')

/** Body of POST /customer-orders, as specified. The amounts are compared with the server's quote and not used. */
export const customerOrderBody = z.object({
  customer: z.object({
    /** The id of a saved address of the signed-in customer. Its stored details replace those of the request. */
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
        product_id: idField(),
        quantity: z.number(),
        coupon: z.union([z.string().max(100), z.boolean()]).nullish(),
      }),
    )
    .min(1, { error: 'refusal.empty-cart' })
    .max(MAX_LINES),
  payment_type: z.enum(['full', 'partial', 'cash_on_delivery']),
  payment_gateway: z.enum(['NONE', ...REQUESTED_GATEWAYS]),
  payable_amount: payableTaka.nullish(),
  partial_payment: z.union([payableTaka, z.literal('')], { error: 'partial.invalid' }).nullish(),
  is_free_order: z.boolean().nullish(),
  /** The total that the shopper saw. If it differs, the order is rejected with the current total. */
  expected_total: jsonTaka.nullish(),
  /** The day that the shopper saw, of the delivery or of the first of two. If it differs, the order is rejected with the current one. */
  expected_day: z.string().max(10).refine(isDay).nullish(),
  totalProductDiscount: jsonTaka.nullish(),
  couponDiscountAmount: jsonTaka.nullish(),
  couponFreeShipping: z.union([jsonTaka, z.boolean()]).nullish(),
  shipping_cost: jsonTaka.nullish(),
  /** 2: two deliveries for two charges, where the products have different dates. Absent: one. */
  deliveries: z.union([z.literal(1), z.literal(2)]).nullish(),
  /** The chosen day of the delivery, or of the first of two. Absent: the earliest possible one. */
  delivery_on: z.string().max(10).refine(isDay).nullish(),
  /** The customer collects the order at the farm. Address and area are then not needed. */
  collection: z.boolean().nullish(),
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
  /** Compared with the delivery charge of the quote [S5]. */
  shipping_cost: z.unknown().optional(),
  /** Checked by the route, which reports the error at the field [M9]. */
  payment_gateway: z.unknown().optional(),
})

export type OrderStoreBody = z.infer<typeof orderStoreBody>
