import type { Bench } from './database.ts'
import { changedAndDrawn, scan, search, sell, times, withPosPage } from './pos-page.ts'
import { type Cashier, withPosShop } from './pos-shop.ts'
import type { Finding } from './report.ts'

const [SEARCHES, SCANS, SALES] = [40, 60, 40]
/** How many times slower the browser's processor is made. */
const CPU_FACTORS = [1, 4]
const GOAL = { list: 60, line: 50, sale: 100 }

/** The POS in a browser with 100,000 products: from the first letter to the list, from a scan to the line, from F9 to the next sale. */
export function benchPosBrowser(bench: Bench): Promise<Finding[]> {
  return withPosShop(bench, ({ url, cashiers, products, barcode }) =>
    withPosPage(url, cashiers[0] as Cashier, async (page, session, scanner) => {
      const words = [...new Set(products.flatMap(({ name_en, name_bn }) => [name_en, name_bn]))].filter((word) => /^\S{2}/.test(word))
      const findings: Finding[] = []
      for (const rate of CPU_FACTORS) {
        await session.send('Emulation.setCPUThrottlingRate', { rate })
        const lists = await times(`CPU/${rate}, searches`, SEARCHES, (n) =>
          search(page, (words[(n * 31) % words.length] ?? '').slice(0, 2)),
        )
        const lines = await times(`CPU/${rate}, scans`, SCANS, (n) => scan(page, scanner, barcode(n + rate * SCANS)))
        // The sale of all scanned lines, then sales of a line each.
        await sell(page, '01812000000')
        const sales = await times(`CPU/${rate}, sales`, SALES, async (n) => {
          await scan(page, scanner, barcode(n))
          return sell(page, `018120000${String(n + 10)}`)
        })
        findings.push(
          ...changedAndDrawn(`pos, CPU/${rate}: first letter to the list`, lists, GOAL.list),
          ...changedAndDrawn(`pos, CPU/${rate}: scan to the line`, lines, GOAL.line),
          ...changedAndDrawn(`pos, CPU/${rate}: sale to the screen ready for the next scan`, sales, GOAL.sale),
        )
      }
      return findings
    }),
  )
}
