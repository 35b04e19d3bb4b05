import {
  MAX_FAVOURITES,
  MAX_LINE_NOTE_LENGTH,
  MAX_LINES,
  MAX_POS_CODE_LENGTH,
  MAX_RECEIPTLESS_LINES,
  MAX_REGISTER_LENGTH,
} from './limits.ts'
import { MAX_TYPED_PHONE_LENGTH } from '#lib/format/input-limits.ts'
import { z } from 'zod'
import { typedCouponField } from '#features/pricing/coupons/forms.ts'
import { isEmail } from '#lib/format/email.ts'
import { productIdsField } from '#features/catalog/product-ids-field.ts'
import { positiveTakaField, requiredText, signedTakaField, takaField, textField, versionField } from '#lib/form-fields.ts'
import { type Poisha, ZERO } from '#lib/format/money.ts'
import { REQUEST_KEY } from '#lib/http/idempotency-key.ts'
import type { SaleLine } from './approval-rules.ts'
import { type ExtraMethod, readPosPhone, readPosQuantity } from './rules.ts'
import { transactionId } from './transaction-id-field.ts'

// Request bodies of the POS API. Messages are keys of texts.

const MAX_ID = Number.MAX_SAFE_INTEGER

const amount = takaField()
const optionalAmount = z
  .preprocess((sent) => (sent === '' ? null : sent), amount.nullish())
  .transform((sent): Poisha | null => sent ?? null)

/** An amount by a method that not every device sends. Absent stays absent, so that the hash of older requests stays the same. */
const extraAmount = z.preprocess((sent) => sent || undefined, amount.optional()).optional()
/** The sum of a method at closing: below zero where more was refunded than taken. Cash is counted in the drawer and never below zero. */
const signedAmount = signedTakaField()
const optionalSignedAmount = z.preprocess((sent) => sent || undefined, signedAmount.optional()).optional()
const extraAmounts = { nagad: extraAmount, rocket: extraAmount, card: extraAmount } satisfies Record<ExtraMethod, z.ZodType>

function optional<Field extends z.ZodType>(field: Field) {
  return field.nullish().transform((sent): z.output<Field> | null => sent ?? null)
}

const quantity = z.union([z.string(), z.number()], { error: 'pos.quantity-invalid' }).transform((typed, context) => {
  // Two decimals, except for packs (`hasPosDecimals`) and returns.
  const milli = readPosQuantity(String(typed), 3)
  if (milli !== null) return milli
  context.addIssue({ code: 'custom', message: 'pos.quantity-invalid' })
  return z.NEVER
})

const id = z.coerce.number({ error: 'refusal.unknown-product' }).int({ error: 'refusal.unknown-product' }).positive().max(MAX_ID)

const phone = z.string({ error: 'details.phone-required' }).transform((typed, context) => {
  const local = readPosPhone(typed)
  if (local !== null) return local
  context.addIssue({ code: 'custom', message: typed.trim() === '' ? 'details.phone-required' : 'pos.phone-invalid' })
  return z.NEVER
})

const optionalText = z.preprocess((sent) => sent ?? '', textField())
const email = optionalText.refine((typed) => typed === '' || isEmail(typed), { error: 'details.email-invalid' })

/** A customer with a phone, or a walk-in customer without one. `walk_in` stays absent, so that the hash of a repeated request is the same. */
const customer = z.discriminatedUnion(
  'walk_in',
  [
    z.object({ walk_in: z.literal(false).optional(), phone, name: optionalText, email }),
    z.object({ walk_in: z.literal(true), phone: z.literal('', { error: 'pos.phone-invalid' }), name: optionalText, email }),
  ],
  { error: 'details.phone-required' },
)

/** A chosen day; absent for the earliest possible one, so that the hash of older requests stays the same. */
const day = z.iso.date({ error: 'pos.day-impossible' }).optional()

const extraId = (method: ExtraMethod) => z.preprocess((sent) => sent || undefined, transactionId(method).optional()).optional()
const extraIds = { nagad: extraId('nagad'), rocket: extraId('rocket'), card: extraId('card') } satisfies Record<ExtraMethod, z.ZodType>
const transactionIds = z
  .object({ bkash: transactionId('bkash'), bank: transactionId('bank'), ...extraIds })
  .nullish()
  .transform((sent) => sent ?? { bkash: null, bank: null, nagad: undefined, rocket: undefined, card: undefined })

/** A line of a sale. A note and a discount stay absent where there is none, so that the hash of a repeated request is the same. */
const saleProduct = z.object({
  id,
  quantity,
  price: optionalAmount,
  price_is_set: z.boolean().default(false),
  note: textField(MAX_LINE_NOTE_LENGTH).optional(),
  /** The discount on this line alone; it is a part of the sale's discount. */
  discount: extraAmount,
})

/** Body of POST /api/admin/quick-orders/coupon: a coupon, and the sale that it is for. */
export const couponBody = z.strictObject({
  coupon: typedCouponField,
  phone,
  products: z
    .array(z.strictObject({ id, quantity }), { error: 'pos.empty' })
    .min(1, { error: 'pos.empty' })
    .max(MAX_LINES, { error: 'pos.too-many-lines' }),
  /** Of the delivery; null over the counter. */
  area_id: optional(z.number().int().positive().max(MAX_ID)),
})

/** Body of POST /admin/quick-orders/store. Prices and sums are those on the cashier's screen; the server compares them with its own. */
export const saleBody = z.object({
  products: z.array(saleProduct, { error: 'pos.empty' }).min(1, { error: 'pos.empty' }).max(MAX_LINES, { error: 'pos.too-many-lines' }),
  transactions: z.object(
    { cash: optionalAmount, bkash: optionalAmount, bank: optionalAmount, ...extraAmounts },
    { error: 'pos.payments-missing' },
  ),
  transaction_ids: transactionIds,
  /** The part that the customer pays later. */
  on_account: extraAmount,
  /** The part that the customer's store credit pays. */
  store_credit: extraAmount,
  /** Priced by the server. Absent where there is none, so that the hash of a repeated request is the same. */
  coupon: z.preprocess((sent) => sent || undefined, typedCouponField.optional()).optional(),
  discount: optionalAmount,
  sub_total: optionalAmount,
  shipping_cost: optionalAmount,
  total: amount.refine((total) => total > 0, { error: 'pos.total-zero' }),
  customer,
  change_amount: optionalAmount,
  paid_amount: optionalAmount,
  /** The delivery address; without it the products are handed over at the counter, at no charge. */
  delivery: z
    .object({ area_id: z.number({ error: 'details.area-required' }).int().positive(), address: requiredText(), day })
    .nullish()
    .transform((sent) => sent ?? null),
  /** The customer collects the products on a later day. Absent where there is no collection, so that the hash of a repeated request is the same. */
  collection: z.strictObject({ day }).optional(),
  /** When the device sold it, by its own clock: the sale may have been queued offline. */
  sold_at: optional(z.iso.datetime({ offset: true }).transform((text) => new Date(text))),
  /** The cashier and shift of the sale, so that a queued sale is not booked to another one. */
  cashier_id: optional(z.number().int().positive().max(MAX_ID)),
  shift_id: optional(z.number().int().positive().max(MAX_ID)),
  /** The products were handed over: missing stock is added. Only with `sold_at`. */
  handed_over: z.boolean().default(false),
})

export type SaleForm = z.output<typeof saleBody>

const refundOf = optionalAmount.transform((sent) => sent ?? ZERO)

/** A supervisor's phone and approval code. */
const supervisor = {
  phone: z.string({ error: 'field.required' }).max(MAX_TYPED_PHONE_LENGTH, { error: 'field.too-long' }),
  code: z.string({ error: 'field.required' }).max(MAX_POS_CODE_LENGTH, { error: 'field.too-long' }),
}

/** Body of POST /admin/quick-orders/return/:id. The refund is the one on screen; the server computes it again. */
export const returnBody = z.strictObject({
  lines: z
    .array(
      z
        .strictObject({ product_id: id, quantity, spoiled: z.boolean().default(false) })
        .transform(({ product_id, quantity: quantityMilli, spoiled }) => ({ productId: product_id, quantityMilli, spoiled })),
      { error: 'pos.return.nothing' },
    )
    .min(1, { error: 'pos.return.nothing' })
    .max(MAX_LINES, { error: 'pos.too-many-lines' }),
  reason: requiredText(),
  refund: z.strictObject(
    { cash: refundOf, bkash: refundOf, bank: refundOf, ...extraAmounts, store_credit: extraAmount },
    { error: 'pos.payments-missing' },
  ),
  transaction_ids: transactionIds,
  /** How many returns of the sale the screen shows: one that was recorded without an answer is seen by it. */
  returns: z.number().int().min(0).optional(),
  /** For a refund beyond the cashier's limit. Not part of the request hash of the idempotency key. */
  supervisor: optional(z.strictObject(supervisor)),
})
export type ReturnForm = z.output<typeof returnBody>

/** Body of POST /admin/quick-orders/return-without-receipt. The price of a unit is at most the current one. */
export const receiptlessReturnBody = returnBody.omit({ lines: true, returns: true }).extend({
  lines: z
    .array(
      z
        .strictObject({ product_id: id, quantity, price: amount, spoiled: z.boolean().default(false) })
        .transform(({ product_id, quantity: quantityMilli, ...line }) => ({ productId: product_id, quantityMilli, ...line })),
      { error: 'pos.return.nothing' },
    )
    .min(1, { error: 'pos.return.nothing' })
    .max(MAX_RECEIPTLESS_LINES, { error: 'pos.receiptless.too-many-lines' }),
  phone,
})
export type ReceiptlessReturnForm = z.output<typeof receiptlessReturnBody>

/** Body of POST /admin/quick-orders/exchange/:id: the new sale, and what comes back of the old one. `refund` is the difference paid back. */
export const exchangeBody = saleBody.extend({ exchange: returnBody })
export type ExchangeForm = z.output<typeof exchangeBody>

const saleLine = z
  .strictObject({ id, quantity, price: amount, price_is_set: z.boolean().default(false), held: z.boolean().default(false) })
  .transform((line): SaleLine => {
    return { id: line.id, quantityMilli: line.quantity, price: line.price, isPriceSet: line.price_is_set, isHeld: line.held }
  })

/** Body of POST /admin/quick-orders/approve: the sale's terms, its key, and the supervisor. */
export const approveBody = z.strictObject({
  sale_key: z.string({ error: 'field.required' }).regex(REQUEST_KEY, { error: 'field.required' }),
  ...supervisor,
  discount: refundOf,
  lines: z.array(saleLine, { error: 'pos.empty' }).min(1, { error: 'pos.empty' }).max(MAX_LINES, { error: 'pos.too-many-lines' }),
})
export type ApproveForm = z.output<typeof approveBody>

/** Body of POST /admin/quick-orders/code: a supervisor's own code. */
export const posCodeBody = z.strictObject({
  code: z.string({ error: 'field.required' }).max(MAX_POS_CODE_LENGTH, { error: 'field.too-long' }),
})

export const openShiftBody = z.strictObject({ opening_cash: amount, register: textField(MAX_REGISTER_LENGTH).default('') })

export const cashMoveBody = z.strictObject({
  direction: z.enum(['in', 'out'], { error: 'field.choose' }),
  amount: positiveTakaField(),
  reason: requiredText(),
})

export const closeShiftBody = z.strictObject({
  counted_cash: amount,
  counted_bkash: signedAmount,
  counted_bank: signedAmount,
  counted_nagad: optionalSignedAmount,
  counted_rocket: optionalSignedAmount,
  counted_card: optionalSignedAmount,
  note: textField().default(''),
  /** The shift that was counted: its cashier may have opened the next one since. */
  shift_id: optional(z.number().int().positive().max(MAX_ID)),
})

/** An unsent sale that is discarded. */
export const discardSaleBody = z.strictObject({
  key: z.string().regex(REQUEST_KEY),
  reason: requiredText(),
  sold_at: z.iso.datetime({ offset: true }),
  total: z.number().min(0).max(1e12),
  phone: textField(MAX_TYPED_PHONE_LENGTH),
  products: z.array(z.strictObject({ id: z.number().int().positive().max(MAX_ID), quantity: textField(20) })).max(MAX_LINES),
  /** The order under the key of the sale, which the cashier has been told. */
  recorded_order: z.number().int().positive().max(MAX_ID).optional(),
})

/** Body of POST /admin/quick-orders/favourites. */
export const favouritesBody = z.strictObject({ product_ids: productIdsField(MAX_FAVOURITES), version: versionField })

export type DiscardSaleForm = z.output<typeof discardSaleBody>
export type OpenShiftForm = z.output<typeof openShiftBody>
export type CashMoveForm = z.output<typeof cashMoveBody>
export type CloseShiftForm = z.output<typeof closeShiftBody>
