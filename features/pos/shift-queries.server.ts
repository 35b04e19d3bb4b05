import { sql } from 'kysely'
import type { Db } from '#lib/db.server.ts'

/** A shift that is open. */
export interface OpenShift {
  id: number
  openedAt: Date
  openingCashPoisha: number
}

/**
 * The cashier's open shift, or null. `share` holds it open until the transaction ends, while others sell in it too; `update` keeps
 * everybody else out of it.
 */
export async function findOpenShift(db: Db, cashierId: number, lock?: 'share' | 'update'): Promise<OpenShift | null> {
  const { rows } = await sql<OpenShift>`select id, opened_at as "openedAt", opening_cash_poisha as "openingCashPoisha"
    from till_shifts where cashier_id = ${cashierId} and closed_at is null ${sql.raw(lock ? `for ${lock}` : '')}`.execute(db)
  return rows[0] ?? null
}

/** What a shift has taken and given, from its ledger rows and what went in and out besides. */
export interface ShiftTotals {
  sales: number
  cashPoisha: number
  bkashPoisha: number
  bankPoisha: number
  movesPoisha: number
  changePoisha: number
}

/** Adds a shift up. */
export async function addUpShift(db: Db, shiftId: number): Promise<ShiftTotals> {
  const { rows } = await sql<ShiftTotals>`
    select (select count(*) from till_sales where shift_id = ${shiftId})::int as sales,
      (select coalesce(sum(change_poisha), 0) from till_sales where shift_id = ${shiftId})::bigint as "changePoisha",
      (select coalesce(sum(amount_poisha), 0) from till_cash_moves where shift_id = ${shiftId})::bigint as "movesPoisha",
      coalesce(sum(amount_poisha) filter (where method = 'cash'), 0)::bigint as "cashPoisha",
      coalesce(sum(amount_poisha) filter (where method = 'bkash'), 0)::bigint as "bkashPoisha",
      coalesce(sum(amount_poisha) filter (where method = 'bank'), 0)::bigint as "bankPoisha"
    from ledger_entries where shift_id = ${shiftId}`.execute(db)
  return rows[0]!
}
