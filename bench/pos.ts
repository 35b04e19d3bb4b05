import { type Bench, openShop } from './database.ts'
import { get, load } from './load.ts'
import type { Finding } from './report.ts'
import { addCashiers, beginShift, loadProducts } from './sales.ts'
import { type Cashier, walkPos } from './pos-browser.ts'

const PRODUCTS = 100_000
const ROUND_MS = 4_000
const GOAL_MS = 10

/** The POS with 100,000 products: the time of a scan on the screen and at the server. */
export async function benchPos(bench: Bench): Promise<Finding[]> {
  const url = await bench.copy(PRODUCTS)
  const products = await loadProducts(url)
  const phones = await addCashiers(url)
  const shop = await openShop(url)
  try {
    const cashiers = await Promise.all(phones.map((phone) => beginShift(shop.url, phone)))
    const findings = await walkPos(
      shop.url,
      cashiers[0] as Cashier,
      products.map(({ barcode }) => barcode),
      [...new Set(products.flatMap(({ name_en, name_bn }) => [name_en, name_bn]))],
    )
    let sent = 0
    const ask = () =>
      get(shop.url, `/api/product/search?q=${products[(sent++ * 7919) % products.length]?.barcode}`, { cookie: cashiers[0]?.cookie ?? '' })
    await load({ url: shop.url, next: ask, connections: 1, ms: 2_000 })
    const { p95 } = await load({ url: shop.url, next: ask, connections: 1, ms: ROUND_MS })
    findings.push({
      what: 'pos: the server finds a barcode',
      goal: `p95 ≤ ${GOAL_MS} ms`,
      measured: `p95 ${p95.toFixed(1)} ms`,
      reached: p95 <= GOAL_MS,
    })
    return findings
  } finally {
    await shop.stop()
  }
}
