import { setTimeout as sleep } from 'node:timers/promises'
import { residentMiB } from './compare.ts'
import { type Bench, openShop, run } from './database.ts'
import type { Finding } from './report.ts'

const GOAL_MIB = 180
const TIMES = 5

/** Memory of the idle process after all pages were shown a few times. */
export async function benchMemory(bench: Bench): Promise<Finding[]> {
  const url = await bench.database(0)
  const { rows } = await run<{ id: string }>(url, 'select id from products where visible order by id limit 20')
  const pages = [
    '/',
    '/beef',
    '/fruits',
    '/search?q=bull',
    '/cart',
    '/login',
    '/terms-condition',
    '/shipping-info',
    '/nothing-here',
    '/api/products',
    '/api/kurbani-cows',
    '/api/areas',
    '/api/product/search?q=bull',
    ...rows.map(({ id }) => `/product/${id}`),
  ]
  const shop = await openShop(url)
  try {
    for (let time = 0; time < TIMES; time++) {
      for (const page of pages)
        for (const lang of ['en', 'bn'])
          await (await fetch(shop.url + page, { headers: { accept: 'text/html', 'accept-language': lang } })).text()
    }
    await sleep(10_000)
    const mib = residentMiB(shop.pid)
    return [
      {
        what: 'memory of the app at rest',
        goal: `≤ ${GOAL_MIB} MB`,
        measured: `${((mib * 1024 * 1024) / 1e6).toFixed(0)} MB (${mib.toFixed(0)} MiB)`,
        reached: mib * 1.048576 <= GOAL_MIB,
      },
    ]
  } finally {
    await shop.stop()
  }
}
