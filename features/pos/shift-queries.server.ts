import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { isOnDays } from '#lib/db/dhaka-day.server.ts'
import { type SnakeCased, toCamel } from '#lib/db/rows.ts'
import { type Poisha, poisha } from '#lib/format/money.ts'
import { latinDigits } from '#lib/format/numbers.ts'
import { dhakaInstant } from '#lib/format/time.ts'
import { readShortId } from '#lib/format/id.ts'
import type { RegisterName } from './registers.server.ts'
import type { ReportScope } from './report-scope-rules.ts'
import { type NoncashMethod, NONCASH_METHODS, PAYMENT_METHODS, type PaymentMethod, STANDARD_METHODS } from './rules.ts'

/** An open shift. */
export interface OpenShift {
  id: number
  openedAt: Date
  openingCashPoisha: number
}

/**
 * The cashier's open shift, or null. `share` keeps it open until the transaction ends while others sell in it; `update` locks it
 * exclusively.
 */
export async function findOpenShift(db: Db, cashierId: number, lock?: 'share' | 'update'): Promise<OpenShift | null> {
  const shifts = openShifts(db).where('cashier_id', '=', cashierId)
  const locked = lock === 'share' ? shifts.forShare() : lock === 'update' ? shifts.forUpdate() : shifts
  const shift = await locked.executeTakeFirst()
  return shift ? toCamel<OpenShift>(shift) : null
}

/** The cashier's open shift, or else the one that was closed last. */
export async function findLatestShift(db: Db, cashierId: number): Promise<{ id: number; isOpen: boolean } | null> {
  const shifts = db.selectFrom('pos_shifts').select(['id', 'closed_at']).where('cashier_id', '=', cashierId)
  const latest = await shifts
    .orderBy('closed_at', (order) => order.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst()
  return latest ? { id: latest.id, isOpen: latest.closed_at === null } : null
}

/** The open shift of this id, of any cashier, locked exclusively; null when it is closed or unknown. */
export async function lockOpenShift(tx: Db, id: number): Promise<OpenShift | null> {
  const shift = await openShifts(tx).where('id', '=', id).forUpdate().executeTakeFirst()
  return shift ? toCamel<OpenShift>(shift) : null
}

const openShifts = (db: Db) => db.selectFrom('pos_shifts').select(['id', 'opened_at', 'opening_cash_poisha']).where('closed_at', 'is', null)

/** The cashier of an open shift; null when it is closed or unknown. */
export async function findOpenShiftCashier(db: Db, id: number): Promise<{ id: number; name: string; openedAt: Date } | null> {
  const shifts = db.selectFrom('pos_shifts as s').innerJoin('users as u', 'u.id', 's.cashier_id').where('s.id', '=', id)
  const found = await shifts.select(['u.id', 'u.name', 's.opened_at as openedAt']).where('s.closed_at', 'is', null).executeTakeFirst()
  return found ?? null
}

/** The sums of a shift, from its ledger entries and cash movements. */
export interface ShiftTotals {
  /** The sum of each method with entries. */
  methods: { [method in PaymentMethod]?: Poisha }
  movesPoisha: number
}

/** Sums a shift. */
export async function sumShift(db: Db, shiftId: number): Promise<ShiftTotals> {
  const { rows } = await sql<SnakeCased<ShiftTotals>>`
    select (select coalesce(sum(amount_poisha), 0) from pos_cash_movements where shift_id = ${shiftId})::bigint as moves_poisha,
      coalesce((select jsonb_object_agg(method, amount) from (
        select method, sum(amount_poisha) as amount from ledger_entries where shift_id = ${shiftId} group by method) m), '{}') as methods`.execute(
    db,
  )
  return toCamel<ShiftTotals>(rows[0]!)
}

/** The cash that is in the drawer of an open shift. */
export const cashInDrawer = ({ openingCashPoisha }: OpenShift, { methods, movesPoisha }: ShiftTotals): Poisha =>
  poisha(openingCashPoisha + (methods.cash ?? 0) + movesPoisha)

/** A shift in the report of a day; amounts are taka. */
export interface ShiftReport {
  id: number
  cashier: string
  /** The name of the register; may be empty. */
  register: string
  /** The register as it is called now; null without one. */
  drawer: RegisterName | null
  opened_at: string
  closed_at: string | null
  /** The number of its Z report; null while it is open. */
  z_number: number | null
  sales: number
  opening_cash: number
  /** The cash counted at the end of the last shift at the register, on any day; null without one, or where it is hidden. */
  counted_before: number | null
  /** How often the cashier opened the drawer without a sale. */
  drawer_openings: number
  cash_in: number
  cash_out: number
  /** Cash by sales and by payments on account, and cash paid back; null where it is hidden. */
  cash: { sales: number; account_payments: number; refunds: number } | null
  note: string
  /** Expected (for cash: in the drawer) and counted amounts by method; expected is null where it is hidden. */
  methods: { method: PaymentMethod; expected: number | null; counted: number | null }[]
}

/** The shifts opened on a day in Dhaka within the scope, of all registers or of one; oldest first. All, because the drawers of a day add them up. */
export function listShifts(db: Db, day: string, scope: ReportScope, registerId: number | null = null): Promise<ShiftReport[]> {
  return readShifts(db, sql`${isOnDays(sql`s.opened_at`, day)} and (${registerId}::bigint is null or s.register_id = ${registerId})`, scope)
}

/** A shift that is open although it is of an earlier day. */
export interface LeftShift {
  id: number
  cashier: string
  /** The name of the register; may be empty. */
  register: string
  opened_at: string
}

/** The shifts within the scope that were opened before a day in Dhaka and never closed, oldest first, at most 200. */
export async function listLeftShifts(db: Db, before: string, { cashierId }: Pick<ReportScope, 'cashierId'>): Promise<LeftShift[]> {
  const { rows } = await sql<{ shift: LeftShift }>`
    select json_build_object('id', s.id, 'cashier', u.name, 'register', s.register, 'opened_at', s.opened_at) as shift
    from pos_shifts s join users u on u.id = s.cashier_id
    where s.closed_at is null and s.opened_at < ${dhakaInstant(before)} and (${cashierId}::bigint is null or s.cashier_id = ${cashierId})
    order by s.opened_at, s.id limit 200`.execute(db)
  return rows.map(({ shift }) => shift)
}

/** A shift within the scope; null when there is none. */
export async function findShift(db: Db, id: number, scope: ReportScope): Promise<ShiftReport | null> {
  return (await readShifts(db, sql`s.id = ${id}`, scope))[0] ?? null
}

/** The shift of a Z report within the scope; null when there is none. */
export async function findShiftByZNumber(db: Db, typed: string, { cashierId }: ReportScope): Promise<number | null> {
  const number = readShortId(latinDigits(typed.trim()))
  if (number === null) return null
  const shifts = db.selectFrom('pos_shifts').select('id').where('z_number', '=', number)
  const shift = await (cashierId === null ? shifts : shifts.where('cashier_id', '=', cashierId)).executeTakeFirst()
  return shift?.id ?? null
}

async function readShifts(db: Db, which: RawBuilder<unknown>, { cashierId, isBlind }: ReportScope): Promise<ShiftReport[]> {
  const { rows } = await sql<{ report: ShiftReport }>`
    select json_build_object('id', s.id, 'cashier', u.name, 'register', s.register, 'opened_at', s.opened_at, 'closed_at', s.closed_at, 'z_number', s.z_number,
      'note', s.note, 'opening_cash', s.opening_cash_poisha / 100.0, 'sales', t.sales, 'drawer_openings', w.openings,
      'cash_in', m.into / 100.0, 'cash_out', m.out / 100.0,
      'counted_before', case when not ${isBlind} then (select b.counted_cash_poisha / 100.0 from pos_shifts b
        where b.register_id = s.register_id and b.closed_at is not null and b.id < s.id order by b.closed_at desc, b.id desc limit 1) end,
      'drawer', case when r.id is not null then json_build_object('id', r.id, 'name', r.name) end,
      'cash', case when not ${isBlind} then json_build_object('sales', d.sales / 100.0, 'account_payments', d.account_payments / 100.0, 'refunds', d.refunds / 100.0) end,
      'methods', coalesce((
        select json_agg(json_build_object('method', method, 'counted', counted / 100.0, 'expected', case when not ${isBlind} then expected / 100.0 end) order by position)
        from (select t.method, t.position, coalesce(l.amount, 0) + case t.method when 'cash' then s.opening_cash_poisha + m.into - m.out else 0 end as expected,
            case t.method when 'cash' then s.counted_cash_poisha when 'bkash' then s.counted_bkash_poisha when 'bank' then s.counted_bank_poisha
              else c.counted_poisha end as counted, l.amount is not null or c.method is not null as has_line
          from unnest(${[...PAYMENT_METHODS]}::text[]) with ordinality as t(method, position)
          left join (select method, sum(amount_poisha) as amount from ledger_entries where shift_id = s.id group by 1) l on l.method = t.method
          left join pos_shift_counts c on c.shift_id = s.id and c.method = t.method) lines
        where has_line or method = any(${[...STANDARD_METHODS]}::text[])), '[]')) as report
    from pos_shifts s join users u on u.id = s.cashier_id left join pos_registers r on r.id = s.register_id,
      lateral (select count(*) as sales from pos_sales where shift_id = s.id) t,
      lateral (select count(*) as openings from audit_log where subject = 'shift' and subject_id = s.id::text and after ? 'drawer_opened') w,
      lateral (select coalesce(sum(amount_poisha) filter (where amount_poisha > 0), 0) as into,
        coalesce(-sum(amount_poisha) filter (where amount_poisha < 0), 0) as out from pos_cash_movements where shift_id = s.id) m,
      lateral (select coalesce(sum(amount_poisha) filter (where amount_poisha > 0 and account_payment_id is null), 0) as sales,
        coalesce(sum(amount_poisha) filter (where amount_poisha > 0 and account_payment_id is not null), 0) as account_payments,
        coalesce(-sum(amount_poisha) filter (where amount_poisha < 0), 0) as refunds
        from ledger_entries where shift_id = s.id and method = 'cash') d
    where ${which} and (${cashierId}::bigint is null or s.cashier_id = ${cashierId}) order by s.opened_at, s.id`.execute(db)
  return rows.map(({ report }) => report)
}

/** A wallet or bank payment of a shift; a refund is negative. A payment on account is one, however many orders it pays. */
export interface ShiftPayment {
  id: number
  /** Null for the refund of a return without a receipt. */
  order_id: number | null
  return_id: number | null
  method: NoncashMethod
  amount: Poisha
  /** The provider's transaction id; null where none was typed. */
  reference: string | null
  at: string
}

/** The payments to check when the shift is closed, oldest first. */
export async function listShiftPayments(db: Db, shiftId: number): Promise<ShiftPayment[]> {
  const { rows } = await sql<{ payment: ShiftPayment }>`
    select json_build_object('id', min(id), 'order_id', min(order_id), 'return_id', min(return_id), 'method', method, 'amount', sum(amount_poisha),
      'reference', max(reference), 'at', min(at)) as payment
    from ledger_entries where shift_id = ${shiftId} and method = any(${[...NONCASH_METHODS]}::text[]) group by coalesce(-account_payment_id, id), method order by min(id) limit 2000`.execute(
    db,
  )
  return rows.map(({ payment }) => payment)
}
