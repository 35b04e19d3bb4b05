import type { ShopProcess } from '#test/shop-process.ts'
import { startBare } from './bare.ts'
import { inTurns, medianRatio } from './compare.ts'
import { type Bench, openShop, run } from './database.ts'
import { fetchRaw } from './http.ts'
import { get, areAll } from './load.ts'
import { formatMeasured, type Finding } from './report.ts'

const GOAL = 0.8
const CHANGES_A_SECOND = 5
const CHANGING_GOAL = 0.5

/** The cached home page: against a bare HTTP server that sends the same bytes with the same headers, and while the catalog changes. */
export async function benchHome(bench: Bench): Promise<Finding[]> {
  const url = await bench.database(0)
  const shop = await openShop(url)
  try {
    await fetchRaw(shop.url)
    return [await againstBare(shop), await whileChanging(url, shop)]
  } finally {
    await shop.stop()
  }
}

async function againstBare(shop: ShopProcess): Promise<Finding> {
  const answer = await fetchRaw(shop.url)
  const bare = await startBare('http', answer)
  try {
    const result = await inTurns({
      shop: { ...shop, next: () => get(shop.url, '/') },
      bare: { ...bare, next: () => get(bare.url, '/') },
    })
    const ratio = medianRatio(result.shop.rates, result.bare.rates)
    return {
      what: `home page, cached (${answer.body.length} bytes) over a bare server`,
      goal: `≥ ${GOAL}`,
      measured: `${ratio.toFixed(2)} — ${formatMeasured(result.shop)} to ${formatMeasured(result.bare)}`,
      reached: ratio >= GOAL,
    }
  } finally {
    bare.stop()
  }
}

/** Each change empties the cache; the visitors who come during a rendering share it. */
async function whileChanging(url: string, shop: ShopProcess): Promise<Finding> {
  let isChanging = false
  let changes = 0
  const timer = setInterval(() => {
    if (isChanging) void run(url, `update products set description_en = 'No. ${++changes}' where id = (select min(id) from products)`)
  }, 1000 / CHANGES_A_SECOND)
  try {
    const { still, changing } = await inTurns({
      still: { ...shop, next: () => ((isChanging = false), get(shop.url, '/')) },
      changing: { ...shop, next: () => ((isChanging = true), get(shop.url, '/')) },
    })
    const ratio = medianRatio(changing.rates, still.rates)
    return {
      what: `home page with ${CHANGES_A_SECOND} changes of a product a second over the same without`,
      goal: `≥ ${CHANGING_GOAL}`,
      measured: `${ratio.toFixed(2)} — ${formatMeasured(changing)} to ${formatMeasured(still)}`,
      reached: ratio >= CHANGING_GOAL && areAll(changing.statuses),
    }
  } finally {
    clearInterval(timer)
  }
}
