import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { drawQr, type QrDrawing } from '#lib/codes/qr-code.server.ts'
import { MAX_PRINTED } from '../history/list-query-rules.ts'
import { type OrderDocument, orderDocument, withSums } from './order-document.server.ts'
import type { OrderJson } from '../types.ts'

/** An order with the QR code of its tracking page. */
export interface PrintedOrder {
  order: OrderJson
  /** The QR code, and the URL that it contains. */
  tracking: { qr: QrDrawing; url: string }
}

/**
 * The orders for a print view, in the order of `ids`, without missing ones. One round trip. For staff; the caller checks the permission.
 * `counterOnly`: only POS sales, for staff without `orders.read`.
 */
export async function listPrintedOrders(
  db: Db,
  ids: readonly number[],
  { lang, publicUrl, counterOnly = false }: { lang: Lang; publicUrl: string; counterOnly?: boolean },
): Promise<PrintedOrder[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<OrderDocument>`select ${orderDocument(lang)} from orders o
    where o.id = any(${ids}::bigint[]) and (o.source = 'pos' or ${!counterOnly})`.execute(db)
  const orders = new Map(rows.map((row) => [row.document.id, withSums(row)]))
  return ids.flatMap((id) => {
    const order = orders.get(id)
    if (!order) return []
    const url = publicUrl + order.tracking_url
    return [{ order, tracking: { qr: drawQr(url), url } }]
  })
}

/** Parses the ids of a print view (`?ids=1001,1002`). Drops duplicates and invalid parts. */
export function idsToPrint(text: string): number[] {
  const ids = text
    .slice(0, 5000)
    .split(',')
    .filter((part) => /^[1-9]\d{0,14}$/.test(part))
    .map(Number)
  return [...new Set(ids)].slice(0, MAX_PRINTED)
}
