import { sql } from 'kysely'
import { placeholderNames } from '#features/auth/placeholder-names.server.ts'
import type { FieldErrors } from '#features/orders/editing/order-line-pricing.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { formatTaka, type Poisha, ZERO } from '#lib/format/money.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { Text } from '#lib/i18n/translate.ts'
import { lockAccount } from './account-queries.server.ts'
import { creditRequired } from './store-credit-rules.ts'

/**
 * Why a sale cannot be paid with this store credit; null when it can. Locks the customer, so that two registers cannot spend it twice. The
 * sale must be written in the same transaction.
 */
export async function findStoreCreditErrors(
  tx: Db,
  { phone, storeCredit }: { phone: string; storeCredit: Poisha },
  { t, lang }: { t: Text; lang: Lang },
): Promise<FieldErrors | null> {
  if (storeCredit <= 0) return null
  const account = phone === '' ? null : await lockAccount(tx, { phone })
  if (!account || account.storeCredit === 0) return { store_credit: [t('pos.credit.none')] }
  if (storeCredit <= account.storeCredit) return null
  return { store_credit: [t('pos.credit.too-little', { balance: formatTaka(account.storeCredit, lang) })] }
}

/** Takes the store credit that paid a sale from its customer. The ledger entry is written with the sale. */
export async function spendStoreCredit(
  tx: Db,
  orderId: number,
  { storeCredit, actorId, at }: { storeCredit: Poisha; actorId: number; at: Date },
): Promise<void> {
  if (storeCredit <= 0) return
  await sql`insert into store_credit_entries (customer_id, amount_poisha, order_id, actor_id, at)
    select customer_id, ${-storeCredit}, id, ${actorId}, ${at} from orders where id = ${orderId}`.execute(tx)
}

/** The customer of a return: that of the sale (null for a walk-in sale), or a phone. */
type ReturnCustomer = { id: number | null } | { phone: string }

/** Why a refund cannot be paid back as stated; null when it can. `sale`: null for a return without a receipt. */
export async function findCreditRefundErrors(
  tx: Db,
  { customer, refund, storeCredit }: { customer: ReturnCustomer; refund: Poisha; storeCredit: Poisha },
  sale: { paid: Poisha; creditPaid: Poisha } | null,
  { t, lang }: { t: Text; lang: Lang },
): Promise<FieldErrors | null> {
  const invalid = (text: string) => ({ 'refund.store_credit': [text] })
  const required = sale ? creditRequired(refund, sale) : ZERO
  if (storeCredit < required) return invalid(t('pos.credit.at-least', { amount: formatTaka(required, lang) }))
  if (storeCredit === 0) return null
  if ('id' in customer && customer.id === null) return invalid(t('pos.credit.needs-phone'))
  return (await isOfStaff(tx, customer)) ? invalid(t('pos.credit.customers-only')) : null
}

async function isOfStaff(db: Db, by: ReturnCustomer): Promise<boolean> {
  const staff = db.selectFrom('users').select('id').where('role', '<>', 'customer')
  const user = await ('phone' in by ? staff.where('phone', '=', by.phone) : staff.where('id', '=', by.id)).executeTakeFirst()
  return user !== undefined
}

/** Adds the store credit of a return to its customer, whom a return without a receipt may create. */
export async function addStoreCredit(
  tx: Db,
  returnId: number,
  { customer, storeCredit, actorId, at }: { customer: ReturnCustomer; storeCredit: Poisha; actorId: number; at: Date },
): Promise<void> {
  if (storeCredit <= 0) return
  // The update locks an existing row, so that no concurrent request changes its phone before it is read.
  if ('phone' in customer)
    await sql`insert into users (name, phone) values (${placeholderNames()[0]}, ${customer.phone})
      on conflict (phone) do update set phone = excluded.phone`.execute(tx)
  const account = 'phone' in customer ? await lockAccount(tx, customer) : await lockAccount(tx, { id: customer.id ?? 0 })
  if (!account) throw new Error('store credit needs a customer')
  await sql`insert into store_credit_entries (customer_id, amount_poisha, return_id, actor_id, at)
    values (${account.id}, ${storeCredit}, ${returnId}, ${actorId}, ${at})`.execute(tx)
}
