import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { drawQr, type QrDrawing } from '#lib/codes/qr-code.server.ts'
import { MAX_PRINTED } from '../history/list-query-rules.ts'
import { type OrderDocument, orderDocument, withSums } from './order-document.server.ts'
import type { OrderJson } from '../types.ts'

/** An order as it is printed: with the code that leads to its tracking page. */
export interface PrintedOrder {
  order: OrderJson
  /** The code, and the whole address in it. */
  tracking: { qr: QrDrawing; url: string }
}

/**
 * These orders ready to be printed, in the order asked for; missing ones are left out. One round trip. For staff; the caller checks the
 * permission. `counterOnly`: only sales of the counter, for staff without `orders.read`.
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

/** The ids of a list to print (`?ids=1001,1002`), each once; anything that is no id is left out. */
export function idsToPrint(text: string): number[] {
  const ids = text
    .slice(0, 5000)
    .split(',')
    .filter((part) => /^[1-9]\d{0,14}$/.test(part))
    .map(Number)
  return [...new Set(ids)].slice(0, MAX_PRINTED)
}
