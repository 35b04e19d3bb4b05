import { inTurns, median } from './compare.ts'
import { type Bench, openShop, run } from './database.ts'
import { fetchRaw } from './http.ts'
import { get, areAll } from './load.ts'
import { formatMeasured, type Finding } from './report.ts'

const GOAL = 15_000

/** The 10-second refresh of 20 cards without a change, which gets 304. */
export async function benchPolling(bench: Bench): Promise<Finding[]> {
  const url = await bench.database(1_000)
  const { rows } = await run<{ id: string }>(url, 'select id from products where visible order by availability_rank, id limit 20')
  const path = `/api/product-status-update?productIds=${rows.map(({ id }) => id).join(',')}`
  const shop = await openShop(url)
  try {
    const etag = (await fetchRaw(shop.url + path)).headers.etag ?? ''
    const { polling } = await inTurns({ polling: { ...shop, next: () => get(shop.url, path, { 'if-none-match': etag }) } })
    const only304 = areAll(polling.statuses, 304)
    return [
      {
        what: 'status polling, 304',
        goal: `≥ ${GOAL}/s`,
        measured: formatMeasured(polling),
        reached: only304 && median(polling.rates) >= GOAL,
      },
    ]
  } finally {
    await shop.stop()
  }
}
