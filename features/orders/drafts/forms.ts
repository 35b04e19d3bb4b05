import { z } from 'zod'
import { MAX_LINES } from '#features/cart/rules.ts'
import { idField, textField, versionField } from '#lib/form-fields.ts'
import { readTaka } from '#lib/format/money.ts'
import { ADMIN_METHODS } from '../payments/ledger-rules.ts'
import { ORDER_STATUSES } from '../rules.ts'

// The form of a new order as typed: nothing is required, and no amount is parsed. The checks of an order come when it is created.

const typed = () => textField().default('')

const price = z.number({ error: 'field.taka' }).refine((taka) => taka >= 0 && readTaka(taka) !== null, { error: 'field.taka' })

const line = z.strictObject({
  product_id: idField('field.choose').nullable(),
  name: typed(),
  quantity: typed(),
  /** The list price that was shown, and the price that was typed, in taka. */
  base_price: price,
  price_on_order: typed(),
  /** The price that the shop asked. Another one was typed. */
  usual_price: price.optional(),
})

const draftForm = z
  .strictObject({
    name: typed(),
    phone: typed(),
    email: typed(),
    address: typed(),
    area_id: typed(),
    landmark: typed(),
    note: typed(),
    remarks: textField(1000).default(''),
    status: z.enum(ORDER_STATUSES, { error: 'admin-orders.status-unknown' }).default('placed'),
    reason: typed(),
    list_on: typed(),
    is_collection: z.boolean({ error: 'field.choose' }).default(false),
    shipping_cost: typed(),
    discount: typed(),
    coupon: typed(),
    advance_amount: typed(),
    advance_method: z.enum(ADMIN_METHODS, { error: 'field.choose' }).default('cash'),
    advance_transaction: typed(),
    products: z.array(line, { error: 'admin-orders.lines-required' }).max(MAX_LINES, { error: 'admin-orders.too-many-lines' }).default([]),
  })
  .refine(({ name, phone, products }) => name + phone !== '' || products.length > 0, { path: ['phone'], error: 'admin-orders.draft-empty' })

export type DraftForm = z.output<typeof draftForm>

/** Body of POST /admin/orders/drafts. */
export const newDraftBody = z.strictObject({ form: draftForm })

/** Body of POST /admin/orders/drafts/{id}. */
export const draftBody = z.strictObject({ form: draftForm, version: versionField })

/** Body of POST /admin/orders/drafts/{id}/delete. */
export const deleteDraftBody = z.strictObject({ version: versionField })
