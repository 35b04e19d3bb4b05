import type { Bench } from './database.ts'
import { get, load } from './load.ts'
import { withPosShop } from './pos-shop.ts'
import type { Finding } from './report.ts'

const WARM_UP_MS = 2_000
const ROUND_MS = 4_000
const GOAL_MS = 10

/** The server finds a barcode among 100,000 products. */
export function benchPos(bench: Bench): Promise<Finding[]> {
  return withPosShop(bench, async ({ url, cashiers, barcode }) => {
    let sent = 0
    const next = () => get(url, `/api/product/search?q=${barcode(sent++)}`, { cookie: cashiers[0]?.cookie ?? '' })
    await load({ url, next, connections: 1, ms: WARM_UP_MS })
    const { p95 } = await load({ url, next, connections: 1, ms: ROUND_MS })
    const [what, goal] = ['pos: the server finds a barcode', `p95 ≤ ${GOAL_MS} ms`]
    return [{ what, goal, measured: `p95 ${p95.toFixed(1)} ms`, reached: p95 <= GOAL_MS }]
  })
}
