import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { openAmountDueShop, type Order } from '#features/orders/testing/amount-due-shop.ts'
import { addDays, dhakaDate } from '#lib/format/time.ts'
import { aggregateSales } from './aggregate-sales.server.ts'
import { salesByArea, salesByCategory, salesByDay, salesTotals } from './sales.server.ts'

// Generated orders change around midnight while the daily totals are updated. The report then shows what rows of orders and ledger add up to,
// computed here without the columns and functions that the report reads.

const { db, manager, move, online, partly, pay, refund, shop, sold, takeBack, versionOf, weigh } = await openAmountDueShop()
afterAll(() => expect(shop.failures).toEqual([]))

const FIRST = dhakaDate(shop.clock.now)
const STEPS = [
  'pay',
  'refund',
  'weigh',
  'forward',
  'forward',
  'end',
  'reopen',
  'take back',
  'return',
  'fee',
  'write off',
  'edit',
  'wait',
] as const
type Step = { do: (typeof STEPS)[number]; size: number }

const statusOf = async (id: number) =>
  (await sql<{ status: string }>`select status from orders where id = ${id}`.execute(db)).rows[0]!.status
const NEXT: Record<string, string> = { placed: 'processing', processing: 'on_delivery', on_delivery: 'delivered', delivered: 'completed' }

async function take(order: Order & { honey?: number }, { do: step, size }: Step): Promise<unknown> {
  const { id, cow, honey } = order
  const status = await statusOf(id)
  const product = honey ?? cow
  const version = await versionOf(id)
  switch (step) {
    case 'pay':
      return pay(order, size * 1000)
    case 'refund':
      return refund(order, size * 10)
    case 'weigh':
      return honey === undefined ? weigh(order, 150 + size) : null
    case 'forward':
      return NEXT[status] ? move(order, NEXT[status]) : null
    case 'end':
      return move(order, ['placed', 'processing'].includes(status) ? 'cancelled' : 'returned')
    case 'reopen':
      return move(order, status === 'cancelled' ? 'placed' : 'processing')
    case 'take back':
      return honey === undefined ? null : takeBack({ id, honey }, 1)
    case 'return':
      return manager.post(`/admin/orders/returns/${id}`, { lines: [{ product_id: product, quantity: 1 }], reason: 'Not ripe', version })
    case 'fee':
    case 'write off':
      return manager.post(`/admin/orders/adjustments/${id}`, {
        kind: step.replace(' ', '_'),
        amount: size * 10,
        reason: 'As agreed',
        version,
      })
    case 'edit':
      return manager.post(`/admin/orders/update/${id}`, { address: 'House 5', shipping_cost: size, version })
    case 'wait':
      shop.clock.now = new Date(shop.clock.now.getTime() + size * 180_000)
      // The manager was at work meanwhile.
      return sql`update sessions set last_seen_at = ${shop.clock.now}, expires_at = ${shop.clock.now}::timestamptz + interval '1 day'`.execute(
        db,
      )
  }
}

interface OrderRows {
  day: string
  status: string
  area: number | null
  category: number
  total: number
  lines: number
  returned: number
  ledger: { kind: string; amount: number }[]
}

/** What an order brought in: the price after weighings and returns, less money that was paid back beyond an overpayment. */
function worthOf({ total, ledger }: OrderRows) {
  const sum = (...kinds: string[]) => ledger.filter(({ kind }) => kinds.includes(kind)).reduce((all, { amount }) => all + amount, 0)
  const changed = sum('settlement', 'return')
  const refunded = -sum('refund')
  const received = ledger.reduce((all, { amount }) => all + amount, 0) - changed + refunded
  const overpaid = Math.max(0, received - (total - changed))
  return { spent: Math.max(0, total - changed - Math.max(0, refunded - overpaid)), settled: sum('settlement') }
}

async function readOrders(): Promise<OrderRows[]> {
  const { rows } = await sql<
    Omit<OrderRows, 'day'> & { placed_at: Date }
  >`select o.placed_at, o.status, o.area_id as area, o.total_poisha as total,
      (select min(p.category_id) from order_lines l join products p on p.id = l.product_id where l.order_id = o.id) as category,
      (select sum(line_total_poisha) from order_lines where order_id = o.id)::bigint as lines,
      (select coalesce(sum(b.goods_poisha), 0) from pos_returns r join pos_return_lines b on b.return_id = r.id where r.order_id = o.id)::bigint as returned,
      coalesce((select json_agg(json_build_object('kind', kind, 'amount', amount_poisha)) from ledger_entries where order_id = o.id), '[]') as ledger
    from orders o order by o.id`.execute(db)
  return rows.map(({ placed_at, ...rest }) => ({ day: dhakaDate(placed_at), ...rest }))
}

const total = <Row>(rows: readonly Row[], of: (row: Row) => number) => rows.reduce((sum, row) => sum + of(row), 0)

/** The sums by a key, those of zero left out. */
function sumBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string, of: (row: Row) => number): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const row of rows) sums[keyOf(row)] = (sums[keyOf(row)] ?? 0) + of(row)
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0))
}
const shown = (parts: readonly { key: string; total_poisha: number }[]) =>
  sumBy(
    parts,
    ({ key }) => key,
    (part) => part.total_poisha,
  )

const step = fc.record({ do: fc.constantFrom(...STEPS), size: fc.integer({ min: 1, max: 110 }) })
const lives = fc.sample(fc.record({ start: fc.constantFrom('online', 'partial', 'POS'), steps: fc.array(step, { maxLength: 8 }) }), {
  numRuns: 60,
  seed: 11,
})
const starts = { online, partial: partly, POS: sold }

it('sales are what orders and ledger add up to, by day in Dhaka, area and category', { timeout: 180_000 }, async () => {
  for (const { start, steps } of lives) {
    const order = await starts[start as keyof typeof starts]()
    for (const one of steps) {
      // The shop rejects steps that the order does not allow.
      await take(order, one).catch(() => null)
      if (one.size % 3 === 0) await aggregateSales(db, shop.clock.now)
    }
  }
  await aggregateSales(db, shop.clock.now)

  const orders = await readOrders()
  const period = { from: FIRST, to: addDays(FIRST, 10), days: 11 }
  const live = orders.filter(({ status }) => !['cancelled', 'returned'].includes(status))
  const done = live.filter(({ status }) => ['delivered', 'completed'].includes(status))
  const lost = orders.filter((order) => !live.includes(order))
  expect([live.length, done.length, lost.length].map((count) => count > 5)).toEqual([true, true, true])
  const spent = (order: OrderRows) => worthOf(order).spent
  expect(await salesTotals(db, period)).toMatchObject({
    orders: live.length,
    total_poisha: total(live, spent),
    done_orders: done.length,
    done_poisha: total(done, spent),
    lost_orders: lost.length,
    lost_poisha: total(lost, (order) => order.total),
    fees_poisha: -total(
      orders.flatMap(({ ledger }) => ledger),
      ({ kind, amount }) => (kind === 'fee' ? amount : 0),
    ),
    written_off_poisha: total(
      orders.flatMap(({ ledger }) => ledger),
      ({ kind, amount }) => (kind === 'write_off' ? amount : 0),
    ),
  })
  const byDay = sumBy(live, ({ day }) => day, spent)
  expect(Object.keys(byDay).length).toBeGreaterThan(2)
  expect(shown(await salesByDay(db, period))).toEqual(byDay)
  expect(shown(await salesByArea(db, period, 'en'))).toEqual(sumBy(live, ({ area }) => String(area ?? 0), spent))
  expect(shown(await salesByCategory(db, period, 'en'))).toEqual(
    sumBy(
      live,
      ({ category }) => String(category),
      (order) => order.lines - order.returned - worthOf(order).settled,
    ),
  )
})
