import { creditLeft } from '#features/ledger/rules.ts'
import { creditLimitText } from '#features/orders/editing/account-credit.server.ts'
import type { FieldErrors } from '#features/orders/editing/order-line-pricing.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { Poisha } from '#lib/format/money.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { Text } from '#lib/i18n/translate.ts'
import { lockAccount } from './account-queries.server.ts'

/**
 * Why a part of a sale cannot be left on account; null when it can. Locks the customer, so that two registers cannot exceed the limit
 * together. The sale must be written in the same transaction.
 */
export async function findAccountSaleErrors(
  tx: Db,
  { phone, onAccount }: { phone: string; onAccount: Poisha },
  { t, lang }: { t: Text; lang: Lang },
): Promise<FieldErrors | null> {
  if (onAccount <= 0) return null
  const account = await lockAccount(tx, { phone })
  if (!account || account.limit === 0) return { on_account: [t('pos.account.none')] }
  return onAccount <= creditLeft(account) ? null : { on_account: [creditLimitText(account, lang)] }
}

/** Records which part of a sale was left on account. */
export async function writeAccountSale(tx: Db, orderId: number, onAccount: Poisha): Promise<void> {
  if (onAccount > 0) await tx.insertInto('account_sales').values({ order_id: orderId, amount_poisha: onAccount }).execute()
}
