// Sales on account (baki): a customer with a credit limit pays a part of a sale, or all of it, later.
//
// What a customer owes is the amount due of the account sales (SQL `account_balance`). A payment is allocated to the oldest of them first,
// and is never more than is due.
import type { AdjustmentKind } from '#features/ledger/rules.ts'
import { type Poisha, poisha, wholeTaka } from '#lib/format/money.ts'

/** The account of a customer. */
export interface CustomerAccount {
  id: number
  name: string
  phone: string
  limit: Poisha
  owed: Poisha
  /** What is to be paid back of overpaid and ended account sales. The balance of the statement is what is owed less this. */
  refundDue: Poisha
  /** What the shop owes to the customer for returns. */
  storeCredit: Poisha
}

/** An order with an amount due. */
export interface OpenOrder {
  id: number
  placedAt: Date
  due: Poisha
}

/** The part of a payment that pays an order. */
interface PaymentPart {
  orderId: number
  amount: Poisha
}

export interface RoundedPart extends PaymentPart {
  /** What rounding adds to the amount; negative: takes off. */
  rounding: Poisha
}

/** Divides a payment over open orders, the oldest first. What exceeds the sum due is not allocated. */
export function allocatePayment(orders: readonly OpenOrder[], amount: Poisha): PaymentPart[] {
  let left: number = amount
  return [...orders]
    .sort((a, b) => a.placedAt.getTime() - b.placedAt.getTime() || a.id - b.id)
    .map(({ id, due }) => {
      const part = poisha(Math.min(left, Math.max(0, due)))
      left -= part
      return { orderId: id, amount: part }
    })
    .filter((part) => part.amount > 0)
}

/** What cash rounding adds to a payment; negative: takes off. Only the cash of everything that is due is rounded, and never to nothing. */
export function accountRounding(amount: Poisha, due: Poisha): Poisha {
  const cash = wholeTaka(due)
  return poisha(amount === due && cash > 0 ? cash - due : 0)
}

/** The parts of a payment with what rounding adds to them, from the last one on; no part is paid less than nothing. */
export function withRounding(parts: readonly PaymentPart[], rounding: Poisha): RoundedPart[] {
  let left: number = rounding
  return [...parts]
    .reverse()
    .map((part) => {
      const added = poisha(Math.max(left, -part.amount))
      left -= added
      return { ...part, rounding: added }
    })
    .reverse()
}

/** A row of a statement. Positive: the customer owes more. `changed`: an order was edited, cancelled or reopened in the admin. */
export interface StatementRow {
  at: string
  kind: 'sale' | 'payment' | 'return' | 'refund' | 'changed' | AdjustmentKind
  orderId: number
  method: string | null
  reference: string | null
  amount: Poisha
}

export interface Statement {
  /** Days in Dhaka, both included. */
  from: string
  to: string
  opening: Poisha
  rows: (StatementRow & { balance: Poisha })[]
  closing: Poisha
}

/** The rows between two instants with the running balance; earlier rows make the opening balance. `rows` are in order of time. */
export function makeStatement(rows: readonly StatementRow[], days: { from: string; to: string }, start: Date, end: Date): Statement {
  let balance = 0
  let opening = 0
  const shown: Statement['rows'] = []
  for (const row of rows) {
    const at = new Date(row.at)
    if (at >= end) break
    balance += row.amount
    if (at < start) opening = balance
    else shown.push({ ...row, balance: poisha(balance) })
  }
  return { ...days, opening: poisha(opening), rows: shown, closing: poisha(balance) }
}
