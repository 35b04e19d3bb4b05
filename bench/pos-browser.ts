import { chromium, type Page } from 'playwright-core'
import '#messages/en-admin.ts'
import { translate } from '#lib/i18n/translate.ts'
import { plugScanner } from '#test/e2e/scanner.ts'
import type { Finding } from './report.ts'

/** A signed-in cashier with an open shift. */
export interface Cashier {
  cookie: string
  token: string
}

const SCANS = 60
const SEARCHES = 40
/** Numbers of lines after which the page's memory is measured. */
const LOOKS = [50, 200, 500, 1000, 1500, 2000]
/** Lines of a sale, each with another product. */
const IN_A_SALE = 50
const t = translate('en')
const GOAL = { list: 100, line: 50, growth: 1.15 }

/** The POS in a browser: from the last key to the list, from Enter to the line, and the memory of a page after a day's lines. */
export async function walkPos(url: string, { cookie }: Cashier, barcodes: string[], words: string[]): Promise<Finding[]> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url }])
    const page = await context.newPage()
    await page.goto(`${url}/admin/quick-orders`)
    await page.waitForFunction(() => (window as { pageAwake?: boolean }).pageAwake === true)
    // The catalog of the device is loaded first.
    await page.waitForLoadState('networkidle')
    await page.evaluate(watchScreen)
    const barcode = (n: number) => barcodes[(n * 7919) % barcodes.length] ?? ''
    const lists = await times(SEARCHES, (n) => search(page, (words[n % words.length] ?? '').slice(0, 2)))
    const lines = await times(SCANS, (n) => scan(page, barcode(n)))
    const heaps = await dayOfLines(page, barcode)
    const growth = (heaps.at(-1) ?? 0) / (heaps[0] ?? 1)
    return [
      finding('pos: last key to the list, in the browser', lists, GOAL.list),
      finding('pos: scan to the line, in the browser', lines, GOAL.line),
      {
        what: 'pos: memory of the page over a day',
        goal: 'flat',
        measured: LOOKS.map((count, at) => `${count} lines ${((heaps[at] ?? 0) / 1e6).toFixed(1)} MB`).join(', '),
        reached: growth <= GOAL.growth,
      },
    ]
  } finally {
    await browser.close()
  }
}

function finding(what: string, measured: number[], goal: number): Finding {
  const sorted = measured.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
  return {
    what,
    goal: `p95 ≤ ${goal} ms`,
    measured: `p95 ${at(0.95).toFixed(0)} ms, median ${at(0.5).toFixed(0)} ms`,
    reached: at(0.95) <= goal,
  }
}

async function times(count: number, one: (n: number) => Promise<number>): Promise<number[]> {
  const found: number[] = []
  for (let n = 0; n < count; n++) found.push(await one(n))
  return found
}

interface Screen {
  keyAt: number
  changedAt: number
}
declare global {
  interface Window {
    screenOf?: Screen
  }
}

/** Records the time of the last key, and of the first change of list or lines after it. */
function watchScreen(): void {
  const screen: Screen = { keyAt: 0, changedAt: 0 }
  window.screenOf = screen
  document.addEventListener(
    'keydown',
    (event) => {
      screen.keyAt = event.timeStamp
      screen.changedAt = 0
    },
    { capture: true },
  )
  const snapshot = () => `${document.querySelector('#pos-found')?.textContent}|${document.querySelectorAll('#quick-order li').length}`
  let before = snapshot()
  new MutationObserver(() => {
    const now = snapshot()
    if (now !== before && screen.changedAt === 0) screen.changedAt = performance.now()
    before = now
  }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
}

async function elapsed(page: Page): Promise<number> {
  await page.waitForFunction(() => window.screenOf && window.screenOf.changedAt > window.screenOf.keyAt)
  return page.evaluate(() => (window.screenOf ? window.screenOf.changedAt - window.screenOf.keyAt : Number.NaN))
}

/** Types two letters; the second one shows the longest list. */
async function search(page: Page, text: string): Promise<number> {
  await page.locator('#pos-search:not([readonly])').waitFor()
  await page.focus('#pos-search')
  await page.keyboard.type(text)
  await page.locator('#pos-found [role=option]').first().waitFor()
  const took = await elapsed(page)
  await page.keyboard.press('Escape')
  await page.locator('#pos-found').waitFor({ state: 'hidden' })
  return took
}

async function scan(page: Page, code: string): Promise<number> {
  await page.locator('#pos-search:not([readonly])').waitFor()
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')
  return elapsed(page)
}

/** Scans without pauses, starts a new sale every 50 lines, and measures the memory after garbage collection. */
async function dayOfLines(page: Page, barcode: (n: number) => string): Promise<number[]> {
  const session = await page.context().newCDPSession(page)
  const scanner = await plugScanner(page)
  await newSale(page)
  await page.clock.install()
  const heaps: number[] = []
  const most = LOOKS.at(-1) ?? 0
  for (let n = 1; n <= most; n++) {
    await page.locator('#pos-search:not([readonly])').waitFor()
    await scanner(barcode(n))
    await page.clock.fastForward(600)
    if (n % IN_A_SALE === 0) {
      await page.waitForFunction((count) => document.querySelectorAll('#quick-order li').length === count, IN_A_SALE)
      await newSale(page)
    }
    if (!LOOKS.includes(n)) continue
    await session.send('HeapProfiler.collectGarbage')
    heaps.push((await session.send('Runtime.getHeapUsage')).usedSize)
  }
  return heaps
}

async function newSale(page: Page): Promise<void> {
  await page.getByRole('button', { name: t('pos.clear') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('pos.clear') })
    .click()
  await page.locator('#quick-order li').first().waitFor({ state: 'detached' })
}
