import { randomUUID } from 'node:crypto'
import { csrfToken, jsonPoster, signIn } from './admin-shop.ts'
import { cpuSeconds, median, medianRatio } from './compare.ts'
import { type Bench, openShop, run } from './database.ts'
import { load, postJson, addStatuses, areAll } from './load.ts'
import { NO_PGBENCH, openPgbench } from './pgbench.ts'
import { type Finding, thousands } from './report.ts'
import type { Cashier } from './pos-shop.ts'

const PRODUCTS = 100_000
const CASHIERS = 4
const ROUNDS = 4
const ROUND_MS = 4_000
/** Requests before the measurement, so that the code is compiled. */
const WARM_UP_MS = 12_000
const GOAL = 0.3

export interface BenchProduct {
  id: string
  barcode: string
  name_en: string
  name_bn: string
  price: number
}

/** Sales of several cashiers among 100,000 products, compared with `pgbench -N` in the same database. */
export async function benchSales(bench: Bench): Promise<Finding[]> {
  const url = await bench.copy(PRODUCTS)
  const pgbench = await openPgbench(url)
  if (!pgbench) return [{ what: 'sales', goal: '', measured: NO_PGBENCH, reached: null }]
  const [products, phones] = [await loadProducts(url), await addCashiers(url)]
  const shop = await openShop(url)
  try {
    const cashiers = await Promise.all(phones.map((phone) => beginShift(shop.url, phone)))
    const next = sales(shop.url, cashiers, products)
    let answered = (await load({ url: shop.url, next, ms: WARM_UP_MS })).count
    const [rates, bases, times, micros]: [number[], number[], number[], number[]] = [[], [], [], []]
    const statuses: Record<number, number> = {}
    for (let round = 0; round < ROUNDS; round++) {
      bases.push(await pgbench.rate(ROUND_MS))
      const before = cpuSeconds(shop.pid) ?? 0
      const result = await load({ url: shop.url, next, ms: ROUND_MS })
      micros.push((((cpuSeconds(shop.pid) ?? 0) - before) * 1e6) / result.count)
      answered += result.count
      rates.push(result.rate)
      times.push(result.p99)
      addStatuses(statuses, result)
    }
    if (!areAll(statuses)) throw new Error(`sales were rejected: ${JSON.stringify(statuses)}`)
    await expectWhole(url, answered)
    const ratio = medianRatio(rates, bases)
    return [
      {
        what: `pos: sales of ${CASHIERS} cashiers over pgbench -N`,
        goal: `≥ ${GOAL}`,
        measured: `${ratio.toFixed(2)} — ${thousands(median(rates))}/s (p99 ${median(times).toFixed(0)} ms) to ${thousands(median(bases))}/s, CPU ${median(micros).toFixed(0)} µs each in the shop, answers ${JSON.stringify(statuses)}`,
        reached: ratio >= GOAL,
      },
    ]
  } finally {
    await shop.stop()
  }
}

/** Checks that every confirmed sale has its lines, ledger entries, events and audit log. */
async function expectWhole(url: string, answered: number): Promise<void> {
  const { rows } = await run<Record<string, number>>(
    url,
    `select (select count(*)::int from pos_sales) as sales, (select count(*)::int from order_lines l join pos_sales using (order_id)) as lines,
      (select count(*)::int from ledger_entries l join pos_sales using (order_id)) as money,
      (select count(*)::int from order_events e join pos_sales using (order_id)) as events,
      (select count(*)::int from audit_log where subject = 'order' and action = 'created') as log`,
  )
  if (Object.values(rows[0] ?? {}).some((count) => count !== answered))
    throw new Error(`${answered} sales were answered, and these written: ${JSON.stringify(rows[0])}`)
}

/** Products with barcodes, at one price. */
export async function loadProducts(url: string): Promise<BenchProduct[]> {
  const { rows } = await run<BenchProduct>(
    url,
    `select id, barcode, name_en, name_bn, price_poisha::int / 100 as price from products where barcode like '77%' and status = 'in-stock' and discount_kind is null and visible
      and not is_unique and sizes_milli = '{}' order by id limit 20000`,
  )
  return rows
}

/** Cashiers beside the demo shop's one, with its password. */
export async function addCashiers(url: string): Promise<string[]> {
  const { rows } = await run<{ phone: string }>(
    url,
    `insert into users (name, phone, role, password_hash) select 'Cashier ' || n, '0171199' || lpad(n::text, 4, '0'), 'cashier', password_hash
      from users, generate_series(1, ${CASHIERS}) n where phone = '01711000004' returning phone`,
  )
  return rows.map(({ phone }) => phone)
}

/** Signs a cashier in and opens a shift. */
export async function beginShift(url: string, phone: string): Promise<Cashier> {
  const cookie = await signIn(url, phone)
  const post = await jsonPoster(url, cookie)
  await post('/admin/quick-orders/shift/open', { opening_cash: 1000 })
  return { cookie, token: await csrfToken(url, cookie) }
}

/** Sales over the counter: one of many products, paid in cash, by a customer among 20,000; the cashiers in turn. */
function sales(url: string, cashiers: Cashier[], products: BenchProduct[]): () => string {
  let number = 0
  return () => {
    number += 1
    const { cookie, token } = cashiers[number % cashiers.length] as Cashier
    const { id, price } = products[(number * 7919) % products.length] as BenchProduct
    const total = price * 2
    const body = JSON.stringify({
      products: [{ id: Number(id), quantity: '2', price }],
      transactions: { cash: total, bkash: 0, bank: 0 },
      discount: 0,
      sub_total: total,
      shipping_cost: 0,
      total,
      customer: { phone: `018${String(10_000_000 + ((number * 7919) % 20_000)).padStart(8, '0')}`, name: '', email: '' },
      change_amount: 0,
      paid_amount: total,
      delivery: null,
    })
    return postJson(url, '/admin/quick-orders/store', body, { cookie, 'x-csrf-token': token, 'idempotency-key': randomUUID() })
  }
}
