import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { dhakaDate } from '#lib/format/time.ts'

// Plain sums over the rows of orders, ledger and returns, without the columns and functions that the reports read.

interface Entry {
  order_id: number | null
  kind: string
  method: string
  amount: number
  day: string
  shift_id: number | null
}

export interface BookOrder {
  id: number
  day: string
  at: Date
  status: string
  area: number
  customer: number
  total: number
  discount: number
  shipping: number
  lines: { product: number; value: number }[]
  ledger: Entry[]
}

export interface Books {
  orders: BookOrder[]
  ledger: Entry[]
  /** Returns without a receipt. */
  receiptless: { day: string; at: Date; refund: number; lines: { product: number; value: number }[] }[]
}

const dayOf = ({ at, ...row }: { at: Date }) => ({ ...row, at, day: dhakaDate(at) })

export async function readBooks(db: Db): Promise<Books> {
  const { rows: entries } = await sql<Entry & { at: Date }>`
    select order_id, kind, method, amount_poisha::float8 as amount, at, shift_id from ledger_entries order by id`.execute(db)
  const ledger = entries.map((row) => dayOf(row) as unknown as Entry)
  const { rows: orders } = await sql<Omit<BookOrder, 'day' | 'ledger'>>`
    select id, placed_at as at, status, coalesce(area_id, 0)::float8 as area, customer_id as customer, total_poisha as total, discount_poisha as discount,
      shipping_poisha as shipping, (select json_agg(json_build_object('product', product_id, 'value', line_total_poisha
        - (select coalesce(sum(b.goods_poisha), 0) from pos_returns r join pos_return_lines b on b.return_id = r.id where r.order_id = o.id and b.product_id = l.product_id)
        - (select coalesce(sum(e.amount_poisha), 0) from settlements s join ledger_entries e on e.id = s.ledger_entry_id
          where s.order_id = o.id and s.product_id = l.product_id))) from order_lines l where l.order_id = o.id) as lines
    from orders o order by id`.execute(db)
  const { rows: receiptless } = await sql<Omit<Books['receiptless'][number], 'day'>>`
    select at, refund_poisha as refund, (select json_agg(json_build_object('product', product_id, 'value', goods_poisha)) from pos_return_lines
      where return_id = r.id) as lines from pos_returns r where order_id is null order by id`.execute(db)
  const own = Map.groupBy(ledger, ({ order_id }) => order_id)
  return {
    orders: orders.map((order) => ({ ...dayOf(order), ledger: own.get(order.id) ?? [] }) as unknown as BookOrder),
    ledger,
    receiptless: receiptless.map((row) => dayOf(row) as unknown as Books['receiptless'][number]),
  }
}

export const total = <Row>(rows: readonly Row[], of: (row: Row) => number) => rows.reduce((sum, row) => sum + of(row), 0)

export const sumOf = (ledger: readonly Entry[], ...kinds: string[]) =>
  total(
    ledger.filter(({ kind }) => kinds.includes(kind)),
    ({ amount }) => amount,
  )

/** What an order brought in: the price after weighings and returns, less money that was paid back beyond an overpayment. */
export function spentOf({ total: ordered, ledger }: BookOrder): number {
  const price = ordered - sumOf(ledger, 'settlement', 'return')
  const refunded = -sumOf(ledger, 'refund')
  const received = total(ledger, ({ amount }) => amount) - sumOf(ledger, 'settlement', 'return') + refunded
  return Math.max(0, price - Math.max(0, refunded - Math.max(0, received - price)))
}

export const isLive = ({ status }: BookOrder) => !['cancelled', 'returned'].includes(status)
export const isDone = ({ status }: BookOrder) => ['delivered', 'completed'].includes(status)

/** The sums by a key, those of zero left out. */
export function sumBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string | number, of: (row: Row) => number): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const row of rows) sums[keyOf(row)] = (sums[keyOf(row)] ?? 0) + of(row)
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0))
}
