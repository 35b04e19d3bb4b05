import { z } from 'zod'
import { requiredText, takaField, textField } from '#lib/form-fields.ts'
import type { Poisha } from '#lib/money.ts'
import { readTillPhone, readTillQuantity } from './rules.ts'

// What the till sends. Messages are keys of texts.

const MOST_LINES = 200
const MOST_ID = Number.MAX_SAFE_INTEGER

const amount = takaField()
const optionalAmount = z
  .preprocess((sent) => (sent === '' ? null : sent), amount.nullish())
  .transform((sent): Poisha | null => sent ?? null)

function optional<Field extends z.ZodType>(field: Field) {
  return field.nullish().transform((sent): z.output<Field> | null => sent ?? null)
}

const quantity = z.union([z.string(), z.number()], { error: 'pos.quantity-invalid' }).transform((typed, context) => {
  const milli = readTillQuantity(String(typed))
  if (milli !== null) return milli
  context.addIssue({ code: 'custom', message: 'pos.quantity-invalid' })
  return z.NEVER
})

const id = z.coerce.number({ error: 'refusal.unknown-product' }).int({ error: 'refusal.unknown-product' }).positive().max(MOST_ID)

const phone = z.string({ error: 'details.phone-required' }).transform((typed, context) => {
  const local = readTillPhone(typed)
  if (local !== null) return local
  context.addIssue({ code: 'custom', message: typed.trim() === '' ? 'details.phone-required' : 'pos.phone-invalid' })
  return z.NEVER
})

const optionalText = z.preprocess((sent) => sent ?? '', textField())
const email = optionalText.refine((typed) => typed === '' || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(typed), { error: 'details.email-invalid' })

/** Body of POST /admin/quick-orders/store. Prices and sums are what the cashier saw; the shop compares them with its own. */
export const saleBody = z.object({
  products: z
    .array(z.object({ id, quantity, price: optionalAmount }), { error: 'pos.empty' })
    .min(1, { error: 'pos.empty' })
    .max(MOST_LINES, { error: 'office-orders.too-many-lines' }),
  transactions: z.object({ cash: optionalAmount, bkash: optionalAmount, bank: optionalAmount }, { error: 'pos.payments-missing' }),
  discount: optionalAmount,
  sub_total: optionalAmount,
  shipping_cost: optionalAmount,
  total: amount.refine((total) => total > 0, { error: 'pos.total-zero' }),
  customer: z.object({ phone, name: optionalText, email }, { error: 'details.phone-required' }),
  change_amount: optionalAmount,
  paid_amount: optionalAmount,
  /** Where it is brought; without it the goods go over the counter, at no charge. */
  delivery: z
    .object({ area_id: z.number({ error: 'details.area-required' }).int().positive(), address: requiredText() })
    .nullish()
    .transform((sent) => sent ?? null),
  /** When the device sold it, by its own clock: a sale may wait there for the network. */
  sold_at: optional(z.iso.datetime({ offset: true }).transform((text) => new Date(text))),
  /** Whose sale it is and in which shift: sent later, it must not become another's. */
  cashier_id: optional(z.number().int().positive().max(MOST_ID)),
  shift_id: optional(z.number().int().positive().max(MOST_ID)),
  /** The goods were handed over: what the shop's count lacks is counted in. Only with `sold_at`. */
  goods_are_gone: z.boolean().default(false),
})

export type SaleForm = z.output<typeof saleBody>

export const openShiftBody = z.strictObject({ opening_cash: amount })

export const cashMoveBody = z.strictObject({
  direction: z.enum(['in', 'out'], { error: 'field.choose' }),
  amount: amount.refine((sent) => sent > 0, { error: 'field.taka' }),
  reason: requiredText(),
})

export const closeShiftBody = z.strictObject({
  counted_cash: amount,
  counted_bkash: amount,
  counted_bank: amount,
  note: textField().default(''),
})

/** A sale that waited on a device and is given up. */
export const dropUnsentBody = z.strictObject({
  key: z.string().regex(/^[\x21-\x7e]{8,200}$/),
  reason: requiredText(),
  sold_at: z.iso.datetime({ offset: true }),
  total: z.number().min(0).max(1e12),
  phone: textField(40),
  products: z.array(z.strictObject({ id: z.number().int().positive().max(MOST_ID), quantity: textField(20) })).max(MOST_LINES),
})

export type DropUnsentForm = z.output<typeof dropUnsentBody>
export type CashMoveForm = z.output<typeof cashMoveBody>
export type CloseShiftForm = z.output<typeof closeShiftBody>
