import { randomUUID } from 'node:crypto'
import { csrfToken } from './admin-shop.ts'
import { type Bench, openShop, run } from './database.ts'
import { median, medianRatio } from './compare.ts'
import { load, postJson, addStatuses, areAll } from './load.ts'
import { NO_PGBENCH, openPgbench } from './pgbench.ts'
import { type Finding, thousands } from './report.ts'

const PRODUCTS = 2_000
const ROUNDS = 4
const ROUND_MS = 4_000
/** Requests before the measurement, so that the code is compiled. */
const WARM_UP_MS = 12_000
const GOAL = 0.4
/** How many products the orders are spread over: of a large shop, and of a farm. */
const ORDERED_PRODUCTS = [2_000, 20]

/** The rates of a case and the 99th percentiles of its response times, a value a round. */
interface Case {
  products: number
  next: () => string
  rates: number[]
  times: number[]
}

/** Guest orders with cash on delivery, compared with `pgbench -N` in the same database. The cases take turns in one shop, first and last by turns. */
export async function benchOrders(bench: Bench): Promise<Finding[]> {
  const url = await bench.copy(PRODUCTS)
  const pgbench = await openPgbench(url)
  if (!pgbench) return [{ what: 'orders', goal: '', measured: NO_PGBENCH, reached: null }]
  const shop = await openShop(url)
  try {
    const cases: Case[] = []
    for (const products of ORDERED_PRODUCTS)
      cases.push({ products, next: await orderRequests(shop.url, url, products), rates: [], times: [] })
    const before = await countWritten(url)
    let answered = (await load({ url: shop.url, next: cases[0]!.next, ms: WARM_UP_MS })).count
    const bases: number[] = []
    const statuses: Record<number, number> = {}
    for (let round = 0; round < ROUNDS; round++) {
      bases.push(await pgbench.rate(ROUND_MS))
      for (const { next, rates, times } of round % 2 === 0 ? cases : cases.toReversed()) {
        const result = await load({ url: shop.url, next, ms: ROUND_MS })
        answered += result.count
        rates.push(result.rate)
        times.push(result.p99)
        addStatuses(statuses, result)
      }
    }
    expectWhole(before, await countWritten(url), answered)
    return cases.map((one) => findingOf(one, bases, statuses))
  } finally {
    await shop.stop()
  }
}

function findingOf({ products, rates, times }: Case, bases: number[], statuses: Record<number, number>): Finding {
  const ratio = medianRatio(rates, bases)
  return {
    what: `orders: guest orders of ${thousands(products)} products over pgbench -N`,
    goal: `≥ ${GOAL}`,
    measured: `${ratio.toFixed(2)} — ${thousands(median(rates))}/s (p99 ${median(times).toFixed(0)} ms) to ${thousands(median(bases))}/s, answers ${JSON.stringify(statuses)}`,
    reached: ratio >= GOAL && areAll(statuses),
  }
}

/** Orders of one product each, with an own key and one of 20,000 guests. */
export async function orderRequests(shopUrl: string, databaseUrl: string, count: number): Promise<() => string> {
  const token = await csrfToken(shopUrl)
  const { rows } = await run<{ id: string }>(
    databaseUrl,
    `
    select p.id from products p join categories c on c.id = p.category_id where c.cod_allowed and p.stock_milli = 1000000000 and p.status = 'in-stock' order by p.id`,
  )
  const { rows: areas } = await run<{ id: number }>(databaseUrl, 'select id from areas where active order by id limit 5')
  const products = rows.slice(0, count)
  if (products.length < Math.min(count, 500)) throw new Error(`Only ${products.length} products can be ordered`)
  let number = 0
  return () => {
    number += 1
    const body = JSON.stringify({
      customer: {
        name: `Rahim Uddin ${number % 20_000}`,
        email: `rahim${number % 20_000}@example.com`,
        phone: `017${String(10_000_000 + ((number * 7919) % 20_000)).padStart(8, '0')}`,
        alternate_phone: '',
        address: `House ${number % 90}, Road 7, Dhanmondi, Dhaka`,
        landmark: 'By the mosque',
        note: '',
        area_id: areas[number % areas.length]?.id,
      },
      products: [{ product_id: Number(products[number % products.length]?.id), quantity: 5 }],
      payment_type: 'cash_on_delivery',
      payment_gateway: 'NONE',
      payable_amount: 0,
    })
    return postJson(shopUrl, '/customer-orders', body, { 'x-csrf-token': token, 'idempotency-key': randomUUID() })
  }
}

interface RowCounts {
  orders: number
  lines: number
  moved: number
  taken: number
  events: number
  sms: number
}

async function countWritten(url: string): Promise<RowCounts> {
  const { rows } = await run<RowCounts>(
    url,
    `
    select (select count(*)::int from orders) as orders, (select count(*)::int from order_lines) as lines,
      (select -coalesce(sum(delta_milli), 0)::float8 from stock_movements) as moved,
      (select -coalesce(sum(stock_milli), 0)::float8 from products) as taken,
      (select count(*)::int from order_events) as events, (select count(*)::int from sms_outbox) as sms`,
  )
  return rows[0] as RowCounts
}

/** Checks that every confirmed order has its stock, lines, events and message. */
function expectWhole(before: RowCounts, after: RowCounts, answered: number): void {
  const written = Object.fromEntries(
    Object.entries(after).map(([what, count]) => [what, count - before[what as keyof RowCounts]]),
  ) as unknown as RowCounts
  const { moved, taken, ...rows } = written
  if (moved !== taken || Object.values(rows).some((count) => count !== answered)) {
    throw new Error(`${answered} orders were answered, and these written: ${JSON.stringify(written)}`)
  }
}
