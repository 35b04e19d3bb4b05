import { z } from 'zod'
import { DELIVERY_GROUPS, UNITS } from '#features/catalog/types.ts'
import { requiredText, textField } from '#lib/form-fields.ts'
import { poisha } from '#lib/format/money.ts'
import { TEXT_LIMIT } from '#lib/format/text.ts'
import { MAX_LINE_NOTE_LENGTH, MAX_LINES, MAX_HELD_NAME_LENGTH, MAX_REGISTER_LENGTH } from './limits.ts'
import type { PosLine } from './rules.ts'

// Bodies of the API of held sales. A held sale is what a cashier typed: it is stored and shown, and checked like any sale when it is sold.

const MAX_TYPED = 40
const MAX_SIZES = 40
const MAX_EXTRA_NAME = 40

const wholePoisha = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).transform(poisha)
const typed = z.string().max(MAX_TYPED)
const text = z.string().max(TEXT_LIMIT)
/** An input that this version does not name: a value, or values by name. */
const value = z.union([text, z.number(), z.boolean(), z.null()])
const input = z.union([value, z.record(z.string().max(MAX_EXTRA_NAME), value)])

const line = z
  .object({
    id: z.number().int().positive().max(Number.MAX_SAFE_INTEGER),
    name: text,
    unit: z.enum(UNITS),
    price: wholePoisha,
    listPrice: wholePoisha.optional(),
    isHeld: z.boolean().optional(),
    quantity: typed,
    /** A path of the shop. */
    image: z
      .string()
      .max(500)
      .regex(/^\/(?![/\\])/)
      .nullable(),
    isAnimal: z.boolean(),
    group: z.enum(DELIVERY_GROUPS),
    shipping: wholePoisha,
    sizesMilli: z.array(z.number().int().positive().max(1_000_000_000)).max(MAX_SIZES).optional(),
    stockMilli: z.number().int().nullish(),
    discount: typed.optional(),
    note: z.string().max(MAX_LINE_NOTE_LENGTH).optional(),
  })
  .catchall(input)

/** The returned side of an exchange: values, and a list of products. */
const exchange = z.object({ lines: z.array(z.record(z.string().max(MAX_EXTRA_NAME), value)).max(MAX_LINES) }).catchall(value)

/** A sale as the register has it. Supervisors approve again: an approval is not held. */
const heldSale = z
  .object({
    key: z.string().min(8).max(200),
    lines: z.array(line as unknown as z.ZodType<PosLine>).max(MAX_LINES),
    phone: typed,
    name: text,
    email: text,
    cash: typed.nullable(),
    bkash: typed,
    bank: typed,
    discount: typed,
    approval: z.null(),
    address: text,
    exchange: exchange.nullish(),
  })
  .catchall(input)

/** Body of POST /admin/quick-orders/held. The id is chosen by the device: a repeated request stores the sale once. */
export const holdSaleBody = z.strictObject({
  id: z.uuid().transform((id) => id.toLowerCase()),
  name: requiredText(MAX_HELD_NAME_LENGTH),
  held_at: z.iso.datetime({ offset: true }).transform((at) => new Date(at)),
  register: textField(MAX_REGISTER_LENGTH).default(''),
  sale: heldSale,
})
export type HoldSaleForm = z.output<typeof holdSaleBody>
export type HeldSaleForm = z.output<typeof heldSale>

/** Body of POST /admin/quick-orders/held/:id/resume. The key makes a repeated request the same one. */
export const resumeSaleBody = z.strictObject({
  key: z.uuid(),
  /** This device holds the sale itself, and does not know whether the shop has it. */
  own: z.boolean().default(false),
})
export type ResumeSaleForm = z.output<typeof resumeSaleBody>

export const heldIdParams = z.object({ id: z.uuid().transform((id) => id.toLowerCase()) })
