import type { CDPSession, Page } from 'playwright-core'
import type { Bench } from './database.ts'
import { partOf, sell, withPosPage } from './pos-page.ts'
import { type Cashier, withPosShop } from './pos-shop.ts'
import { type Finding, thousands } from './report.ts'

/** Numbers of sales after which the page's memory is measured. */
const LOOKS = [100, 500, 1000, 1500, 2000]
const MAX_GROWTH = 1.05

/** The memory of one page over 2,000 sales, after garbage collection. */
export function benchPosMemory(bench: Bench): Promise<Finding[]> {
  return withPosShop(bench, ({ url, cashiers, barcode }) =>
    withPosPage(url, cashiers[0] as Cashier, async (page, session) => {
      const heaps: number[] = []
      const looks = LOOKS.map(partOf)
      for (let n = 1; n <= (looks.at(-1) ?? 0); n++) {
        await choose(page, barcode(n))
        await sell(page, `01813${String(n % 500).padStart(6, '0')}`)
        if (!looks.includes(n)) continue
        heaps.push(await heapOf(session))
        console.error(`${n} sales: ${(heaps.at(-1)! / 1e6).toFixed(1)} MB`)
      }
      const growth = (heaps.at(-1) ?? Number.NaN) / (heaps[0] ?? Number.NaN)
      const measured = looks.map((count, at) => `${count} sales ${((heaps[at] ?? 0) / 1e6).toFixed(1)} MB`).join(', ')
      return [
        {
          what: `pos: memory of a page over ${thousands(looks.at(-1)!)} sales`,
          goal: `growth ≤ ${MAX_GROWTH}`,
          measured,
          reached: growth <= MAX_GROWTH,
        },
      ]
    }),
  )
}

/** Chooses a product from the list, which needs no pause between two sales. */
async function choose(page: Page, code: string): Promise<void> {
  await page.fill('#pos-search', code)
  await page.locator('#pos-found [role=option]').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.locator('[data-lines] li').first().waitFor()
}

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  return (await session.send('Runtime.getHeapUsage')).usedSize
}
