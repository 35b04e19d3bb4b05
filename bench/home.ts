import { startBare } from './bare.ts'
import { inTurns, medianRatio } from './compare.ts'
import { type Bench, openShop } from './database.ts'
import { fetchRaw } from './http.ts'
import { get } from './load.ts'
import { formatMeasured, type Finding } from './report.ts'

const GOAL = 0.8

/** The cached home page against a bare HTTP server that sends the same bytes with the same headers. */
export async function benchHome(bench: Bench): Promise<Finding[]> {
  const shop = await openShop(await bench.database(0))
  await fetchRaw(shop.url)
  const answer = await fetchRaw(shop.url)
  const bare = await startBare('http', answer)
  try {
    const result = await inTurns({
      shop: { ...shop, next: () => get(shop.url, '/') },
      bare: { ...bare, next: () => get(bare.url, '/') },
    })
    const ratio = medianRatio(result.shop.rates, result.bare.rates)
    return [
      {
        what: `home page, cached (${answer.body.length} bytes) over a bare server`,
        goal: `≥ ${GOAL}`,
        measured: `${ratio.toFixed(2)} — ${formatMeasured(result.shop)} to ${formatMeasured(result.bare)}`,
        reached: ratio >= GOAL,
      },
    ]
  } finally {
    bare.stop()
    await shop.stop()
  }
}
