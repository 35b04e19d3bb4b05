import type { Db } from '#lib/db/db.server.ts'
import { datesToText } from '#lib/db/rows.ts'

/** An email of an order, for the admin. `at`: its last change. */
export interface OrderEmailJson {
  id: number
  kind: 'order-placed' | 'payment-received'
  state: 'queued' | 'sending' | 'sent' | 'failed' | 'skipped'
  /** The reason of the last failure: an SMTP status, a code of the connection, or one of the shop's. */
  failure: string | null
  recipient: string
  at: string
}

/** The emails of an order, oldest first. */
export async function listOrderEmails(db: Db, orderId: number): Promise<OrderEmailJson[]> {
  const rows = await db
    .selectFrom('email_outbox')
    .select(['id', 'kind', 'state', 'failure', 'recipient', 'updated_at as at'])
    .where('order_id', '=', orderId)
    .$narrowType<Pick<OrderEmailJson, 'kind' | 'state'>>()
    .orderBy('id')
    .execute()
  return rows.map(datesToText)
}
