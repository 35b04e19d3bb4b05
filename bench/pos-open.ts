import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium } from 'playwright-core'
import type { Bench } from './database.ts'
import { awake, LAUNCH, openPos, signIn, times, withinMs } from './pos-page.ts'
import { type Cashier, withPosShop } from './pos-shop.ts'
import type { Finding } from './report.ts'

const RUNS = 10
const CPU_FACTOR = 4
const GOAL = { open: 1500, line: 3000 }

/** A browser that is started without network opens the POS from its own storage, and finds a scanned product among 100,000. */
export function benchPosOpen(bench: Bench): Promise<Finding[]> {
  return withPosShop(bench, async ({ url, cashiers, barcode }) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'bench-pos-'))
    try {
      const first = await chromium.launchPersistentContext(folder, LAUNCH)
      await signIn(first, url, cashiers[0] as Cashier)
      await openPos(await first.newPage(), url)
      await first.close()
      const lines: number[] = []
      const opened = await times('Openings without network', RUNS, async (n) => {
        const run = await openOffline(folder, url, barcode(n))
        lines.push(run.line)
        return run.opened
      })
      return [
        withinMs(`pos, CPU/${CPU_FACTOR}: cold open without network`, opened, GOAL.open),
        withinMs(`pos, CPU/${CPU_FACTOR}: cold open without network, to the line of the first scan`, lines, GOAL.line),
      ]
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

/** Opens the POS in a new browser. Times count from the navigation: until the page takes keys, and until the first scan is a line. */
async function openOffline(folder: string, url: string, code: string): Promise<{ opened: number; line: number }> {
  const context = await chromium.launchPersistentContext(folder, LAUNCH)
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_FACTOR })
    await context.setOffline(true)
    await page.addInitScript(() => addEventListener('khamar:awake', () => performance.mark('awake')))
    await page.goto(`${url}/admin/quick-orders`, { waitUntil: 'commit' })
    await awake(page)
    await page.evaluate(() => {
      const observer = new MutationObserver(() => {
        if (!document.querySelector('[data-lines] li')) return
        performance.mark('line')
        observer.disconnect()
      })
      observer.observe(document.body, { subtree: true, childList: true })
    })
    await page.focus('#pos-search')
    await page.keyboard.type(code)
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => performance.getEntriesByName('line').length > 0)
    const [opened = Number.NaN, line = Number.NaN] = await page.evaluate(() =>
      ['awake', 'line'].map((name) => performance.getEntriesByName(name)[0]?.startTime ?? Number.NaN),
    )
    return { opened, line }
  } finally {
    await context.close()
  }
}
