import { z } from 'zod'
import { STAFF_ROLES } from '#features/auth/permissions.ts'
import type { Role } from '#features/auth/sessions.server.ts'
import { CATEGORY_KEYS } from '#features/catalog/category-keys.ts'
import { detailSchemas } from '#features/catalog/products/field-values.ts'
import { PRODUCT_STATUSES } from '#features/catalog/rules.ts'
import {
  type AreaJson,
  DELIVERY_GROUPS,
  DISCOUNT_TYPES,
  type ListingJson,
  type ProductDetailJson,
  type ProductJson,
  type SearchResultJson,
  type StatusUpdateJson,
  UNITS,
  WEIGHING_METHODS,
} from '#features/catalog/types.ts'
import { ORDER_STATUSES } from '#features/orders/rules.ts'
import { COUPON_SCOPES } from '#features/pricing/coupons/rules.ts'
import { COUPON_KINDS } from '#features/pricing/rules.ts'
import { TRAITS } from '#features/search/product-index/animal-traits.ts'
import type { SuggestionJson, SuggestionsJson } from '#features/search/types.ts'
import type { Address } from '#features/customers/address-rules.ts'

// What the specified calls answer, and the forms that they take beside JSON, for the API description. Nothing passes through these on its way
// out: tests hold them against the answers themselves, and the types against the code.

const taka = z.number().describe('Taka')
const day = z.iso.date()
const status = z.enum(PRODUCT_STATUSES)
const discountType = z.enum(DISCOUNT_TYPES).nullable()
const unit = z.enum(UNITS)
const images = z.array(z.object({ url: z.string() }))

const picture = z.object({
  token: z.string(),
  width: z.number(),
  height: z.number(),
  widths: z.array(z.number()),
  placeholder: z.string(),
  isIllustration: z.boolean(),
})

const product = z.object({
  id: z.number(),
  product_type: z.string(),
  price: taka,
  unit,
  status,
  discount: z.number().nullable(),
  discount_type: discountType,
  delivery_date: day.nullable(),
  note: z.string(),
  size: z.string().nullable().describe('Quantities that add up to what can be ordered: "5,10,20"'),
  advance_minimum: taka,
  advance_percentage: z.number(),
  advance_round_figure: taka,
  shipping_cost: taka,
  coupon_applicable: z.boolean(),
  categories: z.array(z.object({ id: z.number(), key: z.enum(CATEGORY_KEYS).nullable(), name: z.string(), label: z.string() })),
  images,
  image: z.string().nullable(),
  full_image_path: z.string().nullable(),
  media: z.array(z.string()),
  picture: picture.nullable(),
  delivery_group: z.enum(DELIVERY_GROUPS),
  cod_allowed: z.boolean(),
  is_unique: z.boolean(),
  tag_number: z.string().nullable(),
  breed: z.string().nullable(),
  weight_kg: z.number().nullable(),
  weighed_on: day.nullable(),
  rate_per_kg: taka.nullable(),
  barcode: z.string().nullable(),
  qr_url: z.string(),
}) satisfies z.ZodType<ProductJson>

const productDetail = product.extend({
  description: z.string(),
  pictures: z.array(picture),
  ...detailSchemas,
  weigh_ins: z.array(z.object({ weighed_on: day, weight_kg: z.number(), method: z.enum(WEIGHING_METHODS), weighed_by: z.string() })),
  max_quantity: z.number().nullable(),
}) satisfies z.ZodType<ProductDetailJson>

const listing = z.object({
  products: z.array(product),
  filters: z.array(
    z.object({
      name: z.enum(TRAITS),
      label: z.string(),
      options: z.array(z.object({ value: z.string(), label: z.string(), count: z.number() })),
    }),
  ),
  pagination: z.object({ from: z.number(), to: z.number(), total: z.number(), lastPage: z.number(), currentPage: z.number() }),
  minPrice: taka,
  maxPrice: taka,
}) satisfies z.ZodType<ListingJson>

const statuses = z.object({
  products: z.array(
    z.object({
      id: z.number(),
      status,
      price: taka,
      discount: z.number().nullable(),
      discount_type: discountType,
      note: z.string(),
      delivery_date: day.nullable(),
    }) satisfies z.ZodType<StatusUpdateJson>,
  ),
})

const found = z.array(
  z.object({
    id: z.number(),
    name: z.string(),
    product_type: z.string(),
    price: taka,
    unit,
    status,
    images,
    maxOrderQty: z.number(),
    shipping_cost: taka,
    barcode: z.string().nullable(),
    tag_number: z.string().nullable(),
  }) satisfies z.ZodType<SearchResultJson>,
)

const suggestions = z.object({
  products: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      price: taka.describe('The price as shown, after discount'),
      unit,
      status,
      picture: z.string().nullable(),
      tag_number: z.string().nullable(),
      weight_kg: z.number().nullable(),
    }) satisfies z.ZodType<SuggestionJson>,
  ),
}) satisfies z.ZodType<SuggestionsJson>

const charge = z.union([taka, z.literal(false), z.null()]).describe("Taka; null: the product's own; false: closed for that group")
const areas = z.array(
  z.object({
    id: z.number(),
    area_name: z.string(),
    cattle_charge: charge,
    produce_charge: charge,
    closed_weekdays: z.array(z.number()).optional().describe('Weekdays without delivery, 0 for Sunday; absent: none'),
  }) satisfies z.ZodType<AreaJson>,
)

const address = z.object({
  id: z.number(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  alternate_phone: z.string(),
  address: z.string(),
  landmark: z.string(),
  note: z.string(),
  area_id: z.number().nullable(),
  is_default: z.boolean(),
}) satisfies z.ZodType<Address>

const message = z.object({ message: z.string() })

const couponTerms = message.extend({
  order: z.object({
    code: z.string(),
    coupon_discount_type: z.enum(COUPON_KINDS),
    coupon_percentage: z.number(),
    max_discount_amount: taka.nullable(),
    coupon_value: taka,
    applies_to_all: z.boolean(),
    applicable_products: z.array(z.number()),
    coupon_scope: z.enum(COUPON_SCOPES),
    applicable_to: z.enum(['new_customers', 'all']),
    is_new_customer: z.boolean(),
    minimum_amount: taka,
    coupon_discount: taka,
  }),
})

const signedIn = z
  .object({
    user: z.object({ id: z.number(), name: z.string(), role: z.enum(['customer', ...STAFF_ROLES] satisfies Role[]) }).optional(),
    redirect: z.string(),
  })
  .describe('Without a user, `redirect` leads to the next step, such as a code')

const redirect = z.object({ redirect: z.string() })

const placed = z
  .object({ order_id: z.number(), redirect_url: z.string().optional() })
  .describe('With redirect_url the shopper goes on to pay; without it the order is placed')

const orderCreated = message.extend({ order_id: z.number(), redirect: z.string() })

/** An order as its edit form shows it. The fields of the form are described; the order page has more. */
const adminOrder = z
  .object({
    id: z.number(),
    version: z.number(),
    customer: z.object({ id: z.number(), name: z.string(), phone: z.string() }),
    area_id: z.number().nullable(),
    status: z.enum(ORDER_STATUSES),
    statuses: z.array(z.enum(ORDER_STATUSES)).describe('The statuses that the order may have next, and its own'),
    reason: z.string().nullable(),
    name: z.string(),
    phone: z.string(),
    email: z.string(),
    address: z.string(),
    landmark: z.string(),
    note: z.string(),
    remarks: z.string(),
    shipping_cost: taka,
    discount: taka,
    total: taka,
    lines: z.array(
      z.object({ product_id: z.number(), product_name: z.string(), quantity: z.number(), base_price: taka, price_on_order: taka }).loose(),
    ),
  })
  .loose()

const smsQueued = message.extend({ id: z.number(), state: z.literal('queued') })

const categories = z.array(
  z.object({ id: z.number(), name: z.string(), description: z.string(), priority: z.number(), is_protected: z.boolean() }),
)

const sold = message.extend({ success: z.literal(true), order_id: z.number(), redirect: z.string() })

/** The error response of every call [E1]. Some have more fields, such as the current `total` or the missing `product_ids`. */
export const refusal = z
  .object({ message: z.string(), error: z.string(), errors: z.record(z.string(), z.array(z.string())).optional() })
  .loose()

/** The types of forms. */
const [URLENCODED, MULTIPART] = ['application/x-www-form-urlencoded', 'multipart/form-data']

interface Answered {
  status?: number
  body: z.ZodType
  /** The types that the body may have beside JSON. */
  forms?: readonly string[]
}

/** By method and URL pattern, as the router has them. */
export const ANSWERS: Record<string, Answered> = {
  'GET /api/products': { body: listing },
  'GET /api/products/:id': { body: productDetail },
  'GET /api/kurbani-cows': { body: listing },
  'GET /api/product-status-update': { body: statuses },
  'GET /api/product/search': { body: found },
  'GET /api/product/suggestions': { body: suggestions },
  'GET /api/areas': { body: areas },
  'POST /api/kurbani-bookings': { status: 201, body: message.extend({ id: z.number() }) },
  'POST /mark-popup-shown': { body: z.object({ shown: z.boolean() }) },
  'POST /login': { body: signedIn, forms: [URLENCODED] },
  'POST /logout': { body: redirect, forms: [URLENCODED] },
  'POST /register': { body: redirect, forms: [URLENCODED] },
  'POST /coupons/validate': { body: couponTerms },
  'POST /customer-orders': { body: placed },
  'POST /order-store': { body: placed, forms: [URLENCODED] },
  'GET /address/customer-info': { body: address.extend({ customer_id: z.number() }) },
  'GET /address/all': { body: z.array(address) },
  'POST /address/add/:id': { body: message.extend(address.shape), forms: [URLENCODED, MULTIPART] },
  'POST /address/update/:id': { body: message.extend(address.shape), forms: [URLENCODED, MULTIPART] },
  'POST /address/selectAddress': { body: message.extend(address.shape), forms: [URLENCODED, MULTIPART] },
  'DELETE /address/delete/:id': { body: message },
  'POST /admin/orders/store': { body: orderCreated },
  'POST /admin/orders/update/:id': { body: message.extend({ order: adminOrder }), forms: [URLENCODED] },
  'POST /admin/orders/send_sms/:id': { body: smsQueued, forms: [URLENCODED] },
  'POST /admin/quick-orders/store': { body: sold },
  'GET /api/admin/categories': { body: categories },
  'POST /api/admin/categories/reorder': { body: message },
  'DELETE /admin/category/delete/:id': { body: message },
}
