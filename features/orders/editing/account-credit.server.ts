// An order on account that an edit or a reopening makes dearer follows the rule of the POS: what a customer owes grows to the credit limit
// at most (decision 24).
import { sql } from 'kysely'
import { creditLeft } from '#features/ledger/rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import { formatTaka, type Poisha, poisha } from '#lib/format/money.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { LockedOrder } from '../order-locks.server.ts'

/** What the customer of an order on account may owe, and owes. */
export interface OrderAccount {
  customerId: number
  limit: Poisha
  owed: Poisha
}

/** Thrown inside the transaction, so that the edit is rolled back. */
export class CreditLimitError extends Error {
  readonly account: OrderAccount

  constructor(account: OrderAccount) {
    super(`the account of customer ${account.customerId} would exceed its limit`)
    this.account = account
  }
}

/**
 * Locks the customer of an order on account and reads the balance; null for every other order. Two edits, or an edit and a sale, wait for
 * each other, so that they do not exceed one limit together. Lock order: after orders and products.
 */
export async function lockOrderAccount(tx: Db, { id, customerId }: LockedOrder): Promise<OrderAccount | null> {
  const sale = await tx.selectFrom('account_sales').select('order_id').where('order_id', '=', id).executeTakeFirst()
  if (!sale) return null
  const { limit } = await tx
    .selectFrom('users')
    .select('credit_limit_poisha as limit')
    .where('id', '=', customerId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return { customerId, limit: poisha(limit), owed: await readOwed(tx, customerId) }
}

/** Checks the account after the writes. An edit that makes a debt smaller is always allowed, also above the limit. */
export async function requireCredit(tx: Db, account: OrderAccount | null): Promise<void> {
  if (!account) return
  const owed = await readOwed(tx, account.customerId)
  if (owed > account.owed && owed > account.limit) throw new CreditLimitError(account)
}

/** Why a customer cannot owe more. */
export function creditLimitText({ limit, owed }: Pick<OrderAccount, 'limit' | 'owed'>, lang: Lang): string {
  const taka = (amount: Poisha) => formatTaka(amount, lang)
  return translate(lang)('pos.account.over-limit', { left: taka(creditLeft({ limit, owed })), limit: taka(limit), owed: taka(owed) })
}

async function readOwed(tx: Db, customerId: number): Promise<Poisha> {
  const { rows } = await sql<{ owed: Poisha }>`select account_balance(${customerId}) as owed`.execute(tx)
  return rows[0]!.owed
}
