import { startBare } from './bare.ts'
import { type Contender, inTurns, type Measured, median, medianRatio } from './compare.ts'
import { type Bench, openShop } from './database.ts'
import { fetchRaw } from './http.ts'
import { get, areAll } from './load.ts'
import { formatMeasured, type Finding } from './report.ts'

const FEW = 1_000
const MANY = 100_000
const OVER_BARE = 0.5
const SLOWER = 1.3

/** Lists: cached against a bare route with the same JSON; and many products against few, cached and not. */
export async function benchProducts(bench: Bench): Promise<Finding[]> {
  return [...(await overBare(bench)), ...(await manyOverFew(bench))]
}

async function overBare(bench: Bench): Promise<Finding[]> {
  const shop = await openShop(await bench.database(FEW))
  const path = '/api/products?category_name=Fruits&page=1'
  const plain = { 'accept-encoding': 'identity' }
  await fetchRaw(shop.url + path, plain)
  const bare = await startBare('fastify', { ...(await fetchRaw(shop.url + path, plain)), path: '/api/products' })
  try {
    const result = await inTurns({
      shop: { ...shop, next: () => get(shop.url, path, plain) },
      bare: { ...bare, next: () => get(bare.url, path, plain) },
    })
    const ratio = medianRatio(result.shop.rates, result.bare.rates)
    const measured = `${ratio.toFixed(2)} — ${formatMeasured(result.shop)} to ${formatMeasured(result.bare)}`
    return [
      { what: '/api/products over a bare Fastify route with the same JSON', goal: `≥ ${OVER_BARE}`, measured, reached: ratio >= OVER_BARE },
    ]
  } finally {
    bare.stop()
    await shop.stop()
  }
}

/** The requests: the same page repeatedly, or URLs that never repeat. */
const ADDRESSES: Record<string, (number: number, products: number) => string> = {
  'one page, cached': () => '/api/products?category_name=Fruits',
  'first pages, each address once': (n) => `/api/products?category_name=Fruits&page=${1 + (n % 8)}&${once(n)}`,
  'any page, each address once': (n, products) => `/api/products?page=${1 + ((n * 7919) % Math.floor(products / 20))}&${once(n)}`,
  'price ranges, each address once': (n) =>
    `/api/products?minPrice=${1_000 + ((n * 7919) % 90_000)}&maxPrice=${95_000 + ((n * 104_729) % 100_000)}&${once(n)}`,
  'price ranges by price, each address once': (n) =>
    `/api/products?category_name=Beef&sort=${n % 2 ? 'asc' : 'desc'}&minPrice=${1_000 + ((n * 7919) % 90_000)}&maxPrice=${95_000 + ((n * 104_729) % 100_000)}&${once(n)}`,
}

const once = (n: number) => `n=${n}`

async function manyOverFew(bench: Bench): Promise<Finding[]> {
  const [few, many] = [await openShop(await bench.database(FEW)), await openShop(await bench.database(MANY))]
  const findings: Finding[] = []
  try {
    for (const [what, address] of Object.entries(ADDRESSES)) {
      const asking = (shop: typeof few, products: number): Contender => {
        let number = 0
        return { ...shop, next: () => get(shop.url, address(++number, products)) }
      }
      findings.push(finding(what, await inTurns({ few: asking(few, FEW), many: asking(many, MANY) }, 5)))
    }
  } finally {
    await few.stop()
    await many.stop()
  }
  return findings
}

function finding(what: string, { few, many }: Record<'few' | 'many', Measured>): Finding {
  const slower = medianRatio(few.rates, many.rates)
  const clean = [few, many].every(({ statuses }) => areAll(statuses))
  return {
    what: `/api/products, 100,000 against 1,000 products: ${what}`,
    goal: `≤ ${SLOWER} × the time`,
    measured: `${slower.toFixed(2)} × — ${formatMeasured(many)} to ${formatMeasured(few)} (median of rounds ${median(many.p50).toFixed(1)} to ${median(few.p50).toFixed(1)} ms)`,
    reached: clean && slower <= SLOWER,
  }
}
