import { sql } from 'kysely'
import { IS_ADJUSTMENT, IS_MONEY } from '#features/ledger/ledger.server.ts'
import { ADJUSTMENT_KINDS, type AdjustmentKind, type LedgerKind } from '#features/ledger/rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import { numericCursor } from '#lib/db/keyset.server.ts'
import { type KeysetCursor, type KeysetPage, keysetPage } from '#lib/db/keyset.ts'
import { datesToText, type WithDates } from '#lib/db/rows.ts'
import { dhakaDay, isOnDays } from '#lib/db/dhaka-day.server.ts'
import type { Period } from './period-rules.ts'
import { type Poisha, poisha } from '#lib/format/money.ts'

// Money of the ledger by day (in Dhaka) and method. Every entry that is money is in exactly one column, so the columns add up to the ledger.
// Fees retained and write-offs are no money and stand apart.

/** The columns in poisha. Refunds, below zero, stand apart from payments; `total_poisha` is the sum of the four columns. */
export interface PaymentSums {
  entries: number
  /** Recorded by staff outside of the POS: advances by transfer, cash at the door. */
  staff_poisha: Poisha
  /** Received through a payment gateway. */
  web_poisha: Poisha
  pos_poisha: Poisha
  refunds_poisha: Poisha
  total_poisha: Poisha
}

/** The sums of a method on a day. */
export interface PaymentDay extends PaymentSums {
  day: string
  method: string
}

/** Where the money of an entry came in, or `refunds`; `books`: a fee or write-off, which is no money. */
export type PaymentChannel = 'staff' | 'web' | 'pos' | 'refunds' | 'books'

const CHANNEL = sql`case when kind = 'refund' then 'refunds' when ${IS_ADJUSTMENT} then 'books' when kind = 'gateway' then 'web' when shift_id is not null then 'pos' else 'staff' end`

const inPeriod = ({ from, to }: Pick<Period, 'from' | 'to'>) => isOnDays(sql`at`, from, to)

/** The sums of each day and method with entries, the latest day first. */
export async function listPaymentDays(db: Db, period: Pick<Period, 'from' | 'to'>): Promise<PaymentDay[]> {
  const sumOf = (channel: Exclude<PaymentChannel, 'books'>) =>
    sql`coalesce(sum(amount_poisha) filter (where channel = ${channel}), 0)::bigint`
  const { rows } = await sql<PaymentDay>`
    select to_char(day, 'YYYY-MM-DD') as day, method, count(*)::int as entries, ${sumOf('staff')} as staff_poisha, ${sumOf('web')} as web_poisha,
      ${sumOf('pos')} as pos_poisha, ${sumOf('refunds')} as refunds_poisha, sum(amount_poisha)::bigint as total_poisha
    from (select ${dhakaDay(sql`at`)} as day, method, amount_poisha, ${CHANNEL} as channel
      from ledger_entries where ${IS_MONEY} and ${inPeriod(period)}) e
    group by e.day, method order by e.day desc, method`.execute(db)
  return rows
}

/** The fees retained, or the write-offs, of a day. */
export interface AdjustmentDay {
  day: string
  kind: AdjustmentKind
  entries: number
  /** What the shop keeps of fees and overpayments, less amounts due that were written off. */
  retained_poisha: Poisha
}

/** Fees and write-offs of each day, less their reversals, the latest day first. */
export async function listAdjustmentDays(db: Db, period: Pick<Period, 'from' | 'to'>): Promise<AdjustmentDay[]> {
  const { rows } = await sql<AdjustmentDay>`
    select to_char(day, 'YYYY-MM-DD') as day, kind, count(*)::int as entries, -sum(amount_poisha)::bigint as retained_poisha
    from (select ${dhakaDay(sql`at`)} as day, kind, amount_poisha from ledger_entries where ${IS_ADJUSTMENT} and ${inPeriod(period)}) e
    group by e.day, kind order by e.day desc, kind`.execute(db)
  return rows
}

/** Adds up the sums of each method, the largest total first. */
export function sumByMethod(days: readonly PaymentDay[]): (PaymentSums & { method: string })[] {
  const sums = new Map<string, PaymentSums & { method: string }>()
  for (const { day: _day, ...row } of days) {
    const sum = sums.get(row.method)
    if (!sum) sums.set(row.method, row)
    else sums.set(row.method, { method: row.method, ...addSums(sum, row) })
  }
  return [...sums.values()].toSorted((a, b) => b.total_poisha - a.total_poisha || a.method.localeCompare(b.method))
}

function addSums(a: PaymentSums, b: PaymentSums): PaymentSums {
  return {
    entries: a.entries + b.entries,
    staff_poisha: poisha(a.staff_poisha + b.staff_poisha),
    web_poisha: poisha(a.web_poisha + b.web_poisha),
    pos_poisha: poisha(a.pos_poisha + b.pos_poisha),
    refunds_poisha: poisha(a.refunds_poisha + b.refunds_poisha),
    total_poisha: poisha(a.total_poisha + b.total_poisha),
  }
}

/** An entry of the ledger that is money, a fee or a write-off. */
export interface PaymentEntry {
  id: number
  at: string
  /** Null for a refund without a receipt. */
  order_id: number | null
  /** The customer's name of the order. */
  name: string | null
  kind: LedgerKind
  channel: PaymentChannel
  reference: string | null
  amount_poisha: Poisha
  /** The member of staff; null for a gateway. */
  by: string | null
}

const PAGE_SIZE = 100

/** The entries of a method on a day, the latest first; fees and write-offs under their kind. `size`: how many a page has at most. */
export async function listPaymentEntries(
  db: Db,
  { day, method }: { day: string; method: string },
  cursor: KeysetCursor,
  size: number = PAGE_SIZE,
): Promise<KeysetPage<PaymentEntry>> {
  const isShown = ADJUSTMENT_KINDS.some((kind) => kind === method) ? IS_ADJUSTMENT : IS_MONEY
  const { beyond, direction } = numericCursor(sql`e.id`, cursor)
  const { rows } = await sql<WithDates<PaymentEntry, 'at'>>`
    select e.id, e.at, e.order_id, o.name, e.kind, e.channel, e.reference, e.amount_poisha, u.name as by
    from (select *, ${CHANNEL} as channel from ledger_entries
      where ${isShown} and method = ${method} and ${inPeriod({ from: day, to: day })}) e
    left join orders o on o.id = e.order_id left join users u on u.id = e.actor_id
    where ${beyond} order by e.id ${direction} limit ${size + 1}`.execute(db)
  return keysetPage(rows.map(datesToText), cursor, size, (row) => [row.id])
}
