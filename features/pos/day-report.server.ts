import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { dhakaHour, isOnDays } from '#lib/db/dhaka-day.server.ts'
import { columnIn } from '#lib/db/column-in.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { Poisha } from '#lib/format/money.ts'
import { EDITED } from './account/statement.server.ts'
import { PAYMENT_METHODS, type PaymentMethod, STANDARD_METHODS } from './rules.ts'

/** The report of a day (the shifts that were opened on it) or of one shift. */
export interface DayReport {
  sales: number
  /** Line totals minus order discounts plus delivery charges, less what edits have added since, make the total as it was sold. */
  goods: Poisha
  discount: Poisha
  delivery: Poisha
  edited: Poisha
  total: Poisha
  returns: number
  refunds: Poisha
  /** What returned products lowered amounts due by, in place of a refund. */
  off_due: Poisha
  /** Returns that were exchanged for a sale, and the value carried over. It is in `refunds` and `total`, but in no payment method. */
  exchanges: { count: number; value: Poisha }
  /** What cash rounding added to the money of sales and returns; negative: took off. */
  rounding: Poisha
  /** What customers left on account in these sales, and what they paid on account. */
  on_account: Poisha
  account_payments: Poisha
  /** Store credit that paid sales, and what returns refunded as store credit. It is in no payment method and not in the drawer. */
  store_credit: { used: Poisha; issued: Poisha }
  /** Ledger payments and refunds by payment method. */
  methods: { method: PaymentMethod; taken: Poisha; given: Poisha }[]
  /** By the category that a product had at its sale; the name of one that was deleted since is empty. */
  categories: { id: number; name: string; sold: Poisha; returned: Poisha }[]
  /** Hours in Dhaka with sales. */
  hours: { hour: number; sales: number; total: Poisha }[]
  moves: { id: number; at: string; cashier: string; amount: Poisha; reason: string }[]
  /** Sales that a supervisor approved: at a cashier's POS, or at the own one without a code. */
  approved: { order_id: number; by: string; discount: Poisha }[]
  /** Returns without a receipt, with the supervisor of each. */
  receiptless: { id: number; at: string; by: string; phone: string; refund: Poisha; reason: string }[]
}

const MAX_MOVES = 500

/** Which shifts of a day are in its report. Null: all cashiers, or all registers. */
interface ReportFilter {
  cashierId?: number | null
  registerId?: number | null
}

/** The report of the shifts opened on a day. */
export function readDayReport(
  db: Db,
  day: string,
  lang: Lang,
  { cashierId = null, registerId = null }: ReportFilter = {},
): Promise<DayReport> {
  const isOfCashier = sql`(${cashierId}::bigint is null or cashier_id = ${cashierId})`
  const isOfRegister = sql`(${registerId}::bigint is null or register_id = ${registerId})`
  return readReport(db, sql`${isOnDays(sql`opened_at`, day)} and ${isOfCashier} and ${isOfRegister}`, lang)
}

/** The report of one shift. */
export function readShiftSums(db: Db, shiftId: number, lang: Lang): Promise<DayReport> {
  return readReport(db, sql`id = ${shiftId}`, lang)
}

/** Computes the report of some shifts. Sales come from orders, payment methods from the ledger; both must agree. */
async function readReport(db: Db, ofShifts: RawBuilder<unknown>, lang: Lang): Promise<DayReport> {
  const name = columnIn(lang, 'c.name')
  const { rows } = await sql<{ report: DayReport }>`
    with shifts as materialized (select id, cashier_id from pos_shifts where ${ofShifts}),
    sold as materialized (
      select o.id, o.placed_at, o.total_poisha - edited as total, edited, o.shipping_poisha as shipping
      from shifts s join pos_sales t on t.shift_id = s.id join orders o on o.id = t.order_id cross join lateral (
        select coalesce(sum(${EDITED}), 0) as edited from order_events e where e.order_id = o.id and e.kind = 'edited' and e.detail ? 'total') c),
    lines as materialized (
      select l.order_id, category_at(p, sold.placed_at) as category_id, l.line_total_poisha as goods from sold join order_lines l on l.order_id = sold.id join products p on p.id = l.product_id),
    back as materialized (
      select category_at(p, coalesce(o.placed_at, r.at)) as category_id, b.goods_poisha as goods from shifts s join pos_returns r on r.shift_id = s.id
      left join orders o on o.id = r.order_id join pos_return_lines b on b.return_id = r.id join products p on p.id = b.product_id),
    ledger as materialized (
      select e.method, e.amount_poisha as amount, e.account_payment_id from shifts s join ledger_entries e on e.shift_id = s.id)
    select json_build_object(
      'sales', (select count(*) from sold),
      'goods', (select coalesce(sum(goods), 0) from lines),
      'discount', (select coalesce(sum(goods), 0) from lines) - (select coalesce(sum(total + edited - shipping), 0) from sold),
      'delivery', (select coalesce(sum(shipping), 0) from sold),
      'edited', (select coalesce(sum(edited), 0) from sold),
      'total', (select coalesce(sum(total), 0) from sold),
      'returns', (select count(*) from pos_returns where shift_id in (select id from shifts)),
      'refunds', (select coalesce(sum(refund_poisha), 0) from pos_returns where shift_id in (select id from shifts)),
      'off_due', (select coalesce(sum(worth_poisha - refund_poisha), 0) from pos_returns where shift_id in (select id from shifts)),
      'exchanges', (select json_build_object('count', count(*), 'value', (select coalesce(sum(amount), 0) from ledger where method = 'exchange' and amount > 0))
        from pos_returns where shift_id in (select id from shifts) and exchange_order_id is not null),
      'rounding', (select coalesce(-sum(amount), 0) from ledger where method = 'rounding'),
      'on_account', (select coalesce(sum(a.amount_poisha), 0) from sold join account_sales a on a.order_id = sold.id),
      'account_payments', (select coalesce(sum(amount), 0) from ledger where account_payment_id is not null),
      'store_credit', (select json_build_object('used', coalesce(sum(amount) filter (where amount > 0), 0),
        'issued', coalesce(-sum(amount) filter (where amount < 0), 0)) from ledger where method = 'store_credit'),
      'methods', coalesce((select json_agg(json_build_object('method', m, 'taken', (select coalesce(sum(amount), 0) from ledger where method = m and amount > 0),
        'given', (select coalesce(-sum(amount), 0) from ledger where method = m and amount < 0)) order by position)
        from unnest(${[...PAYMENT_METHODS]}::text[]) with ordinality as of(m, position)
        where m = any(${[...STANDARD_METHODS]}::text[]) or m in (select method from ledger)), '[]'),
      'categories', (select coalesce(json_agg(json_build_object('id', category_id, 'name', coalesce(${name}, ''), 'sold', g.sold, 'returned', g.returned) order by g.sold desc, category_id), '[]')
        from (select category_id, sum(sold) as sold, sum(returned) as returned from (
          select category_id, goods as sold, 0 as returned from lines union all select category_id, 0, goods from back) u group by 1) g
        left join categories c on c.id = g.category_id),
      'hours', (select coalesce(json_agg(json_build_object('hour', hour, 'sales', sales, 'total', total) order by hour), '[]') from (
        select ${dhakaHour(sql`placed_at`)} as hour, count(*) as sales, sum(total) as total from sold group by 1) h),
      'moves', (select coalesce(json_agg(json_build_object('id', id, 'at', at, 'cashier', name, 'amount', amount_poisha, 'reason', reason) order by id), '[]')
        from (select m.id, m.at, u.name, m.amount_poisha, m.reason from shifts s join pos_cash_movements m on m.shift_id = s.id join users u on u.id = s.cashier_id
          order by m.id limit ${MAX_MOVES}) m),
      'receiptless', (select coalesce(json_agg(json_build_object('id', r.id, 'at', r.at, 'by', u.name, 'phone', r.phone, 'refund', r.refund_poisha,
          'reason', r.reason) order by r.id), '[]')
        from shifts s join pos_returns r on r.shift_id = s.id and r.order_id is null join users u on u.id = r.approved_by),
      'approved', (select coalesce(json_agg(json_build_object('order_id', sold.id, 'by', e.detail #>> '{approved,by}',
          'discount', (e.detail #>> '{approved,discount}')::numeric * 100) order by sold.id), '[]')
        from sold join order_events e on e.order_id = sold.id and e.kind = 'placed' where e.detail ? 'approved')) as report`.execute(db)
  return rows[0]!.report
}
