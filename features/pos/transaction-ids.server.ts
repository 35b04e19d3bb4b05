import { sql } from 'kysely'
import type { FieldErrors, Text } from '#features/orders/editing/order-line-pricing.server.ts'
import type { Db } from '#lib/db/db.server.ts'

/** The database constraint that a transaction id of a wallet or bank counts once. */
export const USED_TRANSACTION = 'ledger_entries_method_reference_key'

/** The transaction ids of a request; null where none was typed. */
export interface TransactionIds {
  bkash: string | null
  bank: string | null
}

/** Errors at the fields whose transaction id is in the ledger already. */
export async function usedTransactions(db: Db, ids: TransactionIds, t: Text): Promise<FieldErrors> {
  const { rows } = await sql<{ method: 'bkash' | 'bank' }>`select method from ledger_entries
    where (method = 'bkash' and reference = ${ids.bkash}) or (method = 'bank' and reference = ${ids.bank})`.execute(db)
  return Object.fromEntries(rows.map(({ method }) => [`transaction_ids.${method}`, [t('advance.used-transaction-id')]]))
}
