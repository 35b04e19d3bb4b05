import { sql } from 'kysely'
import type { FieldErrors } from '#features/orders/editing/order-line-pricing.server.ts'
import { isSentBack } from '#features/payments/refunds/queries.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { Text } from '#lib/i18n/translate.ts'
import type { NoncashMethod } from './rules.ts'

/** The transaction ids of a request; null or absent where none was typed. */
export type TransactionIds = { [method in NoncashMethod]?: string | null | undefined }

/** Errors at the fields whose transaction id is in the ledger already. */
export async function usedTransactions(db: Db, ids: TransactionIds, t: Text): Promise<FieldErrors> {
  const { rows } = await sql<{ method: NoncashMethod }>`select e.method from ledger_entries e
    join jsonb_each_text(${JSON.stringify(ids)}::jsonb) i on e.method = i.key and e.reference = i.value`.execute(db)
  return Object.fromEntries(rows.map(({ method }) => [`transaction_ids.${method}`, [t('advance.used-transaction-id')]]))
}

/** The error at a transaction id whose money goes back to its customer; null without one. Only bKash is a gateway, too. */
export async function sentBackErrors(db: Db, { bkash }: TransactionIds, t: Text): Promise<FieldErrors | null> {
  if (!(await isSentBack(db, 'bkash', bkash ?? null))) return null
  return { 'transaction_ids.bkash': [t('advance.used-transaction-id')] }
}
