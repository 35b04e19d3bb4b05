import { sql } from 'kysely'
import { audit } from '#features/audit/audit.server.ts'
import { addOrderEvent } from '#features/audit/order-events.server.ts'
import type { StaffActor } from '#features/auth/permissions.ts'
import { addLedgerEntry } from '#features/ledger/ledger.server.ts'
import { raiseOrderVersion } from '#features/orders/order-locks.server.ts'
import { sellPaidAnimals } from '#features/payments/commands/mark-animals-sold.server.ts'
import { isSentBack } from '#features/payments/refunds/queries.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { type Poisha, poisha, poishaToTaka, sum, ZERO } from '#lib/format/money.ts'
import { findOpenShift } from '../shift-queries.server.ts'
import type { AccountPaymentForm } from './account-forms.ts'
import { findAccount, lockOpenOrders } from './account-queries.server.ts'
import { accountRounding, allocatePayment, type RoundedPart, withRounding } from './account-rules.ts'

export type AccountPaymentResult =
  | { ok: true; paymentId: number }
  /** `sent-back`: the money of the transaction id goes back to its customer. */
  | { ok: false; reason: 'no-shift' | 'not-found' | 'too-little-received' | 'sent-back' }
  /** More than the customer owes, or another debt than on the screen. */
  | { ok: false; reason: 'too-much' | 'changed'; due: Poisha }

/**
 * Records a payment on account, in the cashier's open shift or in the admin, and allocates it to the oldest account sales. Where cash is
 * rounded, cash for everything that is due is whole taka, with the difference in the ledger. Runs in a transaction. A used transaction id
 * violates `USED_TRANSACTION`.
 */
export async function receiveAccountPayment(
  tx: Db,
  customerId: number,
  form: AccountPaymentForm,
  clerk: StaffActor,
  { inShift, roundsCash, now }: { inShift: boolean; roundsCash: boolean; now: Date },
): Promise<AccountPaymentResult> {
  const shift = inShift ? await findOpenShift(tx, clerk.id, 'share') : null
  if (inShift && !shift) return { ok: false, reason: 'no-shift' }
  const customer = await findAccount(tx, { id: customerId })
  if (!customer) return { ok: false, reason: 'not-found' }
  const orders = await lockOpenOrders(tx, customer.id)
  const due = sum(orders.map((order) => order.due))
  if (form.owed !== undefined && form.owed !== due) return { ok: false, reason: 'changed', due }
  if (form.amount > due) return { ok: false, reason: 'too-much', due }
  const { rounding, paid, received } = cashOf(form, due, roundsCash)
  if (received < paid) return { ok: false, reason: 'too-little-received' }
  const reference = form.method === 'cash' ? null : form.transaction_id
  if (await isSentBack(tx, form.method, reference)) return { ok: false, reason: 'sent-back' }
  const payment = {
    customer_id: customer.id,
    shift_id: shift?.id ?? null,
    actor_id: clerk.id,
    at: now,
    method: form.method,
    amount_poisha: paid,
    change_poisha: poisha(received - paid),
    reference,
    balance_poisha: poisha(due - form.amount),
  }
  const { id } = await tx.insertInto('account_payments').values(payment).returning('id').executeTakeFirstOrThrow()
  const parts = withRounding(allocatePayment(orders, form.amount), rounding)
  await writeParts(tx, parts, { id, method: form.method, reference, clerk, now, shiftId: shift?.id ?? null })
  const after = { account_payment: id, method: form.method, amount: poishaToTaka(paid), transaction_id: reference }
  await audit(tx, clerk, { action: 'paid', subject: 'customer', id: customer.id, after })
  return { ok: true, paymentId: id }
}

/** What is paid and received. Cash may be rounded; the rest of what is handed over is change. */
function cashOf({ method, amount, received }: AccountPaymentForm, due: Poisha, roundsCash: boolean) {
  const isCash = method === 'cash'
  const rounding = isCash && roundsCash ? accountRounding(amount, due) : ZERO
  const paid = poisha(amount + rounding)
  return { rounding, paid, received: isCash ? (received ?? paid) : paid }
}

interface WrittenPayment {
  id: number
  method: AccountPaymentForm['method']
  reference: string | null
  clerk: StaffActor
  now: Date
  shiftId: number | null
}

/** Writes the parts of a payment to the orders that they pay. */
async function writeParts(tx: Db, parts: readonly RoundedPart[], payment: WrittenPayment): Promise<void> {
  const { id, method, reference, clerk, now, shiftId } = payment
  const of = { actorId: clerk.id, at: now, accountPaymentId: id, ...(shiftId === null ? {} : { shiftId }) }
  for (const [index, { orderId, rounding, ...part }] of parts.entries()) {
    const amount = poisha(part.amount + rounding)
    // A transaction id counts once: the first entry has it.
    const entry = { ...of, orderId, kind: 'counter', method, amount, reference: index === 0 ? reference : null } as const
    if (amount !== 0) await addLedgerEntry(tx, entry)
    const rounded = { ...of, orderId, kind: 'rounding', method: 'rounding', amount: poisha(-rounding), reference: null } as const
    if (rounding !== 0) await addLedgerEntry(tx, rounded)
    const detail = { method, amount: poishaToTaka(amount), transaction_id: reference, account_payment: id }
    await addOrderEvent(tx, orderId, clerk, now, { kind: 'payment-recorded', detail })
    await raiseOrderVersion(tx, orderId, now)
    await sellPaidAnimals(tx, orderId)
  }
}

/** A payment on account as printed on its receipt; money in taka. */
export interface AccountPaymentReceipt {
  id: number
  at: string
  cashier: string
  name: string
  phone: string
  method: AccountPaymentForm['method']
  amount: number
  /** What cash rounding added to the amount; zero without rounding. */
  rounding: number
  change: number
  reference: string | null
  balance: number
  orders: { id: number; amount: number }[]
}

/** A payment for printing; null when there is none. `shiftsOnly`: only payments at the POS, for staff without `orders.read`. */
export async function findAccountPayment(
  db: Db,
  id: number,
  { shiftsOnly }: { shiftsOnly: boolean },
): Promise<AccountPaymentReceipt | null> {
  const { rows } = await sql<{ receipt: AccountPaymentReceipt }>`
    select json_build_object('id', p.id, 'at', p.at, 'cashier', a.name, 'name', u.name, 'phone', u.phone, 'method', p.method,
      'amount', p.amount_poisha / 100.0, 'change', p.change_poisha / 100.0, 'reference', p.reference, 'balance', p.balance_poisha / 100.0,
      'rounding', (select coalesce(-sum(amount_poisha), 0) / 100.0 from ledger_entries where account_payment_id = p.id and kind = 'rounding'),
      'orders', coalesce((select json_agg(json_build_object('id', e.order_id, 'amount', e.amount) order by e.first) from (
        select order_id, sum(amount_poisha) / 100.0 as amount, min(id) as first from ledger_entries where account_payment_id = p.id group by order_id) e), '[]')) as receipt
    from account_payments p join users u on u.id = p.customer_id join users a on a.id = p.actor_id
    where p.id = ${id} and (p.shift_id is not null or ${!shiftsOnly})`.execute(db)
  return rows[0]?.receipt ?? null
}
