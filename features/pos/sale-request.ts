import type { StaffActor } from '#features/auth/permissions.ts'
import type { AdminDeps } from '#features/orders/order-deps.ts'
import type { NewOrderLine } from '#features/orders/editing/pricing-rules.ts'
import type { RequestKey } from '#features/orders/editing/insert-order.server.ts'
import type { Poisha } from '#lib/format/money.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { Text } from '#lib/i18n/translate.ts'
import type { SaleForm } from './forms.ts'

/** A sale request: the POS, its cashier and the reply language. */
export interface SaleRequest {
  deps: AdminDeps
  form: SaleForm
  clerk: StaffActor
  lang: Lang
  t: Text
  /** As the device sent it. */
  idempotencyKey: string
  key: RequestKey
  requested: NewOrderLine[]
  sentAt: Date | null
  /** The return that pays for the sale, or a part of it. */
  exchange?: SaleExchange
}

/** Returned products that the customer exchanges for a sale. */
export interface SaleExchange {
  returnId: number
  /** Their refund: at most this pays for the sale. */
  refund: Poisha
}
