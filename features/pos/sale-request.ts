import type { OfficeDeps, OrderClerk } from '#features/orders/office/office-deps.ts'
import type { Text } from '#features/orders/office/office-goods.server.ts'
import type { WantedLine } from '#features/orders/office/pricing-rules.ts'
import type { RequestKey } from '#features/orders/office/write-order.server.ts'
import type { Lang } from '#lib/lang.ts'
import type { SaleForm } from './forms.ts'

/** What a till asks for, and who. */
export interface SaleRequest {
  deps: OfficeDeps
  form: SaleForm
  clerk: OrderClerk
  lang: Lang
  t: Text
  /** As the device made it. */
  idempotencyKey: string
  key: RequestKey
  wanted: WantedLine[]
  sentAt: Date | null
}
