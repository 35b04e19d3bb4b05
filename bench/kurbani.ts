import { type Contender, inTurns, medianRatio } from './compare.ts'
import { type Bench, openShop } from './database.ts'
import { get } from './load.ts'
import { formatMeasured, type Finding } from './report.ts'

const PRODUCTS = 100_000
const SLOWER = 1.3

/** The Kurbani list by price and status, compared with the same queries for beef. Each URL is used once, so that nothing is cached. */
export async function benchKurbani(bench: Bench): Promise<Finding[]> {
  const shop = await openShop(await bench.database(PRODUCTS))
  const range = (n: number) => `minPrice=${1_000 + ((n * 7919) % 90_000)}&maxPrice=${95_000 + ((n * 104_729) % 100_000)}`
  const sort = (n: number) => `sort=${n % 2 ? 'asc' : 'desc'}`
  const asking = (address: (n: number) => string): Contender => {
    let number = 0
    return { ...shop, next: () => get(shop.url, address(++number)) }
  }
  const products = (n: number) => `/api/products?category_name=Beef&${sort(n)}&${range(n)}&n=${n}`
  const ways: Record<string, (n: number) => string> = {
    'by price': (n) => `/api/kurbani-cows?${sort(n)}&${range(n)}`,
    'by price and status': (n) => `/api/kurbani-cows?status=${['in-stock', 'hold', 'sold'][n % 3]}&${sort(n)}&${range(n)}`,
    'is one in stock': () => '/api/kurbani-cows?status=in-stock&limit=1',
  }
  try {
    const findings: Finding[] = []
    for (const [what, address] of Object.entries(ways)) {
      const { kurbani, beef } = await inTurns({ kurbani: asking(address), beef: asking(products) }, 5)
      const slower = medianRatio(beef.rates, kurbani.rates)
      findings.push({
        what: `/api/kurbani-cows against /api/products, 100,000 products: ${what}`,
        goal: `≤ ${SLOWER} × the time`,
        measured: `${slower.toFixed(2)} × — ${formatMeasured(kurbani)} to ${formatMeasured(beef)}`,
        reached: slower <= SLOWER,
      })
    }
    return findings
  } finally {
    await shop.stop()
  }
}
