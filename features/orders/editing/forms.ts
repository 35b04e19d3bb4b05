import { z } from 'zod'
import { typedCouponField } from '#features/pricing/coupons/forms.ts'
import { MAX_LINES } from '#features/cart/rules.ts'
import { MAX_PRICE } from '#features/catalog/limits.ts'
import { quantityProblem, readQuantity } from '#features/catalog/quantity-rules.ts'
import { dayField, idField, optionalTakaField, requiredText, takaField, textLimits, versionField } from '#lib/form-fields.ts'
import { ID_DIGITS } from '#lib/format/id.ts'
import { MAX_REFERENCE_LENGTH } from '#lib/format/input-limits.ts'
import { latinDigits } from '#lib/format/numbers.ts'
import { normalizePhone } from '#lib/format/phone.ts'
import { sanitizeText, isStorable, isTooLong, maxRawLength, TEXT_LIMIT } from '#lib/format/text.ts'
import { isEmail } from '#lib/format/email.ts'
import { ADMIN_METHODS } from '../payments/ledger-rules.ts'
import { ORDER_STATUSES } from '../rules.ts'

// Bodies of the admin's order routes, sent as JSON or as an HTML form. Error messages are keys of texts. No check aborts: an aborted one would
// keep `placeIsGiven` from running.

function text(max = TEXT_LIMIT) {
  const tooLong = { error: max === TEXT_LIMIT ? 'details.too-long' : 'field.too-long' }
  return z
    .string({ error: 'details.not-text' })
    .max(maxRawLength(max), tooLong)
    .refine(isStorable, { error: 'details.not-text' })
    .transform(sanitizeText)
    .refine((typed) => !isTooLong(typed, max), tooLong)
    .register(textLimits, { maxLength: max })
}

const required = (error: string) =>
  z.preprocess(
    (typed) => typed ?? '',
    text()
      .refine((typed) => typed !== '', { error })
      .register(textLimits, { maxLength: TEXT_LIMIT, isRequired: true }),
  )

const phone = z.preprocess(
  (typed) => (typeof typed === 'number' ? `0${typed}` : (typed ?? '')),
  text()
    .refine((typed) => typed !== '', { error: 'details.phone-required' })
    .transform((typed, context) => {
      const local = normalizePhone(typed)
      if (local !== null) return local
      context.addIssue({ code: 'custom', message: 'details.phone-invalid' })
      return z.NEVER
    }),
)

const email = text().refine((typed) => typed === '' || isEmail(typed), { error: 'details.email-invalid' })

const taka = optionalTakaField(MAX_PRICE)

const wholeText = (typed: unknown) =>
  typeof typed === 'number' ? String(typed) : typeof typed === 'string' ? latinDigits(typed.trim()) : typed

function id(missing: string, invalid: string) {
  return z
    .preprocess(
      (typed) => wholeText(typed ?? ''),
      z
        .string({ error: invalid })
        .refine((typed) => typed !== '', { error: missing })
        .refine((typed) => typed === '' || ID_DIGITS.test(typed), { error: invalid })
        .transform(Number),
    )
    .meta({ type: ['integer', 'string'] })
}

/** A quantity as typed or as a number, with at most three decimals; becomes thousandths. */
export const quantityField = z.unknown().transform((typed, context) => {
  const number =
    typeof typed === 'string' && /^\d{1,15}([.]\d{1,3})?$/.test(latinDigits(typed.trim())) ? Number(latinDigits(typed.trim())) : typed
  const milli = readQuantity(number)
  if (milli !== null) return milli
  context.addIssue({ code: 'custom', message: quantityProblem(number) ?? 'refusal.quantity' })
  return z.NEVER
})

const line = z.object({
  product_id: id('admin-orders.product-required', 'refusal.unknown-product'),
  quantity: quantityField,
  // Sent as specified. The server uses its own base price.
  base_price: z.unknown().optional(),
  price_on_order: taka,
  /** The price without a set one that the form showed for a new line. Absent for other lines, and without a form. */
  usual_price: takaField(MAX_PRICE).optional(),
})

const products = z
  .array(line, { error: 'admin-orders.lines-required' })
  .min(1, { error: 'admin-orders.lines-required' })
  .max(MAX_LINES, { error: 'admin-orders.too-many-lines' })

const status = z.enum(ORDER_STATUSES, { error: 'admin-orders.status-unknown' })
const day = dayField()
const blankIsAbsent = (typed: unknown) => (typed === '' || typed === null ? undefined : typed)

/** A checkbox in JSON or in an HTML form. */
const checkbox = z.preprocess((typed) => typed === true || typed === 'true' || typed === 'on' || typed === '1', z.boolean())

const placeIsGiven = (
  { address, area_id, is_collection }: { address: string; area_id?: number | undefined; is_collection: boolean },
  context: z.RefinementCtx,
) => {
  if (is_collection) return
  if (address === '') context.addIssue({ code: 'custom', path: ['address'], message: 'details.address-required' })
  if (area_id === undefined) context.addIssue({ code: 'custom', path: ['area_id'], message: 'details.area-required' })
}

/** A comment of staff, as long as the database allows. */
export const commentBody = z.strictObject({ text: requiredText(1000) })

/** Body of POST /api/admin/orders/coupon: a coupon, and the order that it is for. */
export const orderCouponBody = z.object({
  coupon: typedCouponField,
  phone,
  products: z
    .array(z.object({ product_id: line.shape.product_id, quantity: quantityField }), { error: 'admin-orders.lines-required' })
    .min(1, { error: 'admin-orders.lines-required' })
    .max(MAX_LINES, { error: 'admin-orders.too-many-lines' }),
  /** Absent for a collected order. */
  area_id: z.preprocess(blankIsAbsent, id('details.area-required', 'details.area-unknown').optional()),
})

/** Body of POST /admin/orders/store. */
export const storeOrderBody = z
  .object({
    name: required('details.name-required'),
    phone,
    email: email.nullish().transform((typed) => typed ?? ''),
    // Required unless the customer collects the order.
    address: text()
      .nullish()
      .transform((typed) => typed ?? ''),
    landmark: text()
      .nullish()
      .transform((typed) => typed ?? ''),
    note: text()
      .nullish()
      .transform((typed) => typed ?? ''),
    remarks: text(1000)
      .nullish()
      .transform((typed) => typed ?? ''),
    area_id: z.preprocess(blankIsAbsent, id('details.area-required', 'details.area-unknown').optional()),
    /** The delivery day; absent: the earliest. */
    list_on: z.preprocess(blankIsAbsent, day.optional()),
    is_collection: checkbox,
    status: z.preprocess(blankIsAbsent, status.default('placed')),
    reason: text()
      .nullish()
      .transform((typed) => typed ?? ''),
    shipping_cost: taka,
    discount: taka,
    /** Absent where there is none, so that the hash of a repeated request is the same; so is the advance. */
    coupon: z.preprocess(blankIsAbsent, typedCouponField.optional()).optional(),
    /** Money that the customer has paid already, in taka, and how. */
    advance_amount: z.preprocess(blankIsAbsent, takaField(MAX_PRICE).optional()).optional(),
    advance_method: z.preprocess(blankIsAbsent, z.enum(ADMIN_METHODS, { error: 'field.choose' }).optional()).optional(),
    advance_transaction: z
      .preprocess(blankIsAbsent, z.string({ error: 'details.not-text' }).max(MAX_REFERENCE_LENGTH).optional())
      .optional(),
    /** Cash goes into the drawer of the own open shift. */
    advance_drawer: checkbox.optional(),
    /** The total that the form showed, in taka; another one is refused [S5]. */
    shown_total: z.preprocess(blankIsAbsent, takaField().optional()).optional(),
    /** The draft that becomes this order. Absent without one. */
    draft: z.strictObject({ id: idField(), version: versionField }, { error: 'field.version' }).optional(),
    products,
  })
  // Beside errors of other fields too: all are shown at once.
  .superRefine(placeIsGiven, { when: ({ value }) => typeof value === 'object' && value !== null })

export type StoreOrder = z.output<typeof storeOrderBody>

/** An address is sent with every edit. Only an order that has none, such as a sale over the counter, may leave it empty (`editedOrder`). */
const savedAddress = z.preprocess((typed) => typed ?? '', text().register(textLimits, { maxLength: TEXT_LIMIT, isRequired: true }))

/** Body of POST /admin/orders/update/{id}. Absent fields stay unchanged; the address is required. */
export const updateOrderBody = z.preprocess(
  nestLines,
  z.object({
    /** The version that the clerk saw. A stale one is rejected. */
    version: z.preprocess(blankIsAbsent, id('field.version', 'field.version').optional()),
    name: required('details.name-required').optional(),
    phone: phone.optional(),
    address: savedAddress,
    landmark: text().optional(),
    note: text().optional(),
    remarks: text(1000).optional(),
    area_id: z.preprocess(blankIsAbsent, id('details.area-required', 'details.area-unknown').optional()),
    list_on: z.preprocess(blankIsAbsent, day.optional()),
    is_collection: checkbox.optional(),
    status: z.preprocess(blankIsAbsent, status.optional()),
    reason: text()
      .nullish()
      .transform((typed) => typed ?? ''),
    /** Cash on delivery in taka, recorded with the delivery. */
    collected: taka,
    /** The collected cash goes into the drawer of the own open shift. */
    drawer: checkbox.optional(),
    /** Empty (null) keeps the charge, also in another area. Absent (undefined): the charge follows the area. */
    shipping_cost: taka.optional(),
    discount: taka,
    products: products.optional(),
  }),
)

export type UpdateOrder = z.output<typeof updateOrderBody>

/** Turns form fields such as `products[0][quantity]=2` into the list that JSON has. */
export function nestLines(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body
  const rows = new Map<number, Record<string, unknown>>()
  const rest: [string, unknown][] = []
  for (const [key, value] of Object.entries(body)) {
    const [, index, field] = /^products\[(\d{1,3})\]\[(product_id|quantity|base_price|price_on_order)\]$/.exec(key) ?? []
    if (index === undefined || field === undefined) rest.push([key, value])
    else rows.set(Number(index), { ...rows.get(Number(index)), [field]: value })
  }
  if (rows.size === 0) return body
  const lines = [...rows].sort(([a], [b]) => a - b).map(([, row]) => row)
  return { ...Object.fromEntries(rest), products: lines }
}
