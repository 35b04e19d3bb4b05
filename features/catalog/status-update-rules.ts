// Parses the response of `GET /api/product-status-update` for lists, product pages and the cart.
import { readTaka } from '#lib/format/money.ts'
import { PRODUCT_STATUSES } from './rules.ts'
import type { StatusUpdate } from './types.ts'

/** Products of one request for statuses. */
export const MAX_STATUS_IDS = 200

/** The rows of a response; null when there is no list, or when a row is invalid. */
export function parseStatuses(body: unknown): StatusUpdate[] | null {
  const rows = (body as { products?: unknown } | null)?.products
  return Array.isArray(rows) && rows.every(isStatusUpdate) ? rows : null
}

function isStatusUpdate(row: StatusUpdate | null): row is StatusUpdate {
  return (
    Number.isSafeInteger(row?.id) &&
    PRODUCT_STATUSES.includes(row!.status) &&
    [row!.price, row!.discount ?? 0].every((amount) => readTaka(amount) !== null) &&
    [row!.note ?? '', row!.delivery_date ?? ''].every((text) => typeof text === 'string')
  )
}
