import { setTimeout as sleep } from 'node:timers/promises'
import { type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'
import { plugScanner, type Scanner } from '#test/e2e/scanner.ts'
import { PAGE_CACHE, POS_DATABASE } from '#features/pos/storage-names.ts'
import { percentile } from './load.ts'
import type { Cashier } from './pos-shop.ts'
import type { Finding } from './report.ts'

// The POS page in a browser, for measurements. Times are those of the browser's own events.

export const LAUNCH = {
  executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
  viewport: { width: 1280, height: 800 },
}
const POLL_MS = 500
/** A browser with a slow processor has drawn a scan after this time. */
const LOOK_AFTER_MS = 400
const HAND_MS = 300
/** How long the device may take to load the catalog of 100,000 products. */
const CATALOG_TIMEOUT_MS = 240_000
/** The part of the searches, scans and sales that run: 0.1 for a first look. */
const PART = Number(process.env.BENCH_PART ?? 1)

/** So many of a whole run, at least one. */
export const partOf = (count: number): number => Math.max(1, Math.round(count * PART))

declare global {
  interface Window {
    /** Times of the last key, of the first change of list, lines or last sale after it, and of the end of that change's frame. */
    screenOf?: { keyAt: number; changedAt: number; drawnAt: number }
  }
}

/** Opens a browser with the POS page of this cashier and its whole catalog. */
export async function withPosPage<Result>(
  url: string,
  cashier: Cashier,
  measure: (page: Page, session: CDPSession, scanner: Scanner) => Promise<Result>,
): Promise<Result> {
  const browser = await chromium.launch(LAUNCH)
  try {
    const context = await browser.newContext({ viewport: LAUNCH.viewport })
    await signIn(context, url, cashier)
    const page = await context.newPage()
    await openPos(page, url)
    await page.evaluate(watchScreen)
    return await measure(page, await context.newCDPSession(page), await plugScanner(page))
  } finally {
    await browser.close()
  }
}

/** Adds the cookie of the cashier, which outlives the browser. */
export async function signIn(context: BrowserContext, url: string, { cookie }: Cashier): Promise<void> {
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([{ name, value, url, expires: Math.floor(Date.now() / 1000) + 86_400 }])
}

/** Opens the POS, and waits until the device has the catalog and the worker has the page. */
export async function openPos(page: Page, url: string): Promise<void> {
  await page.addInitScript(() => (window.print = () => {}))
  await page.goto(`${url}/admin/quick-orders`)
  await awake(page)
  console.error('The device loads the catalog…')
  const deadline = Date.now() + CATALOG_TIMEOUT_MS
  while (!(await page.evaluate(hasEverything, [POS_DATABASE, PAGE_CACHE] as const))) {
    if (Date.now() > deadline) throw new Error(`The device has no catalog or no worker:\n${await page.locator('body').innerText()}`)
    await page.waitForTimeout(POLL_MS)
  }
}

export const awake = (page: Page) => page.waitForFunction(() => (window as { pageAwake?: boolean }).pageAwake === true)

/** Runs in the page. */
async function hasEverything([database, pageCache]: readonly [string, string]): Promise<boolean> {
  // Opening a database that the page has not created yet would create it without its stores.
  if (!(await indexedDB.databases()).some(({ name }) => name === database)) return false
  const open = indexedDB.open(database)
  const db = await new Promise<IDBDatabase>((resolve) => open.addEventListener('success', () => resolve(open.result)))
  const about = db.transaction('about').objectStore('about').get('catalog')
  const isStored = await new Promise<boolean>((resolve) => about.addEventListener('success', () => resolve(about.result !== undefined)))
  db.close()
  const pages = await caches.open(pageCache)
  return isStored && navigator.serviceWorker.controller !== null && (await pages.keys()).length > 0
}

/** Runs in the page. A change is on the screen when the next frame is drawn: what the frame's own callbacks post, runs after it. */
function watchScreen(): void {
  const screen = (window.screenOf = { keyAt: 0, changedAt: 0, drawnAt: 0 })
  document.addEventListener(
    'keydown',
    (event) => {
      screen.keyAt = event.timeStamp
      screen.changedAt = screen.drawnAt = 0
    },
    { capture: true },
  )
  const drawn = new MessageChannel()
  drawn.port1.addEventListener('message', ({ data: keyAt }) => screen.keyAt === keyAt && (screen.drawnAt = performance.now()))
  drawn.port1.start()
  const snapshot = () =>
    `${document.querySelector('#pos-found')?.childElementCount}|${document.querySelector('[data-lines]')?.childElementCount}|${document.querySelector('[data-last-sale]')?.getAttribute('data-last-sale')}`
  let before = snapshot()
  new MutationObserver(() => {
    const now = snapshot()
    const isFirst = now !== before && screen.changedAt === 0
    before = now
    if (!isFirst) return
    const { keyAt } = screen
    screen.changedAt = performance.now()
    requestAnimationFrame(() => drawn.port2.postMessage(keyAt))
  }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-last-sale', 'hidden'] })
}

/** The times in milliseconds from the last key until the document has changed, and until its frame was drawn. */
export interface Elapsed {
  changed: number
  drawn: number
}

async function elapsed(page: Page): Promise<Elapsed> {
  // Late and seldom, because each look is work for the browser.
  await sleep(LOOK_AFTER_MS)
  await page.waitForFunction(() => window.screenOf && window.screenOf.drawnAt > window.screenOf.keyAt, undefined, { polling: 200 })
  const { keyAt, changedAt, drawnAt } = await page.evaluate(() => window.screenOf!)
  return { changed: changedAt - keyAt, drawn: drawnAt - keyAt }
}

const unlocked = (page: Page) => page.locator('#pos-search:not([readonly])').waitFor()

/** From the letter that shows the list, typed at a person's speed, to the list. */
export async function search(page: Page, text: string): Promise<Elapsed> {
  await unlocked(page)
  await page.focus('#pos-search')
  await page.keyboard.type(text, { delay: 120 })
  const took = await elapsed(page)
  await page.keyboard.press('Escape')
  await page.locator('#pos-found').waitFor({ state: 'hidden' })
  return took
}

/**
 * From the Enter of a scan to the line. The keys come as fast as from a scanner: with the gaps of a person, each key would show a list.
 * The time includes the keys that the page has still to handle when Enter comes.
 */
export async function scan(page: Page, scanner: Scanner, code: string): Promise<Elapsed> {
  await unlocked(page)
  await page.focus('#pos-search')
  await scanner(code)
  return elapsed(page)
}

/**
 * From F9 to the screen that is free for the next scan, with the receipt under way. A person's hand takes a moment from the last digit to F9, in
 * which the page has drawn the digit and looked the customer up.
 */
export async function sell(page: Page, phone: string): Promise<Elapsed> {
  await page.fill('#pos-phone', phone)
  await sleep(HAND_MS)
  await page.keyboard.press('F9')
  return elapsed(page)
}

/** Runs one after the other, and names the run that fails. */
export async function times<Took extends number | Elapsed>(
  what: string,
  count: number,
  one: (n: number) => Promise<Took>,
): Promise<Took[]> {
  const found: Took[] = []
  for (let n = 0; n < partOf(count); n++) {
    const took = await one(n).catch((cause: unknown) => {
      throw new Error(`${what}, number ${n + 1} of ${partOf(count)}`, { cause })
    })
    found.push(took)
  }
  console.error(`${what}: ${found.map(printed).join(' ')}`)
  return found
}

const printed = (took: number | Elapsed): string =>
  typeof took === 'number' ? took.toFixed(0) : `${took.changed.toFixed(0)}/${took.drawn.toFixed(0)}`

/** Two findings with one limit in milliseconds: of the document, and of the screen. */
export const changedAndDrawn = (what: string, measured: readonly Elapsed[], goal: number): Finding[] => [
  withinMs(
    `${what}, in the document`,
    measured.map(({ changed }) => changed),
    goal,
  ),
  withinMs(
    `${what}, drawn`,
    measured.map(({ drawn }) => drawn),
    goal,
  ),
]

/** A finding whose 95th percentile has a limit in milliseconds. */
export function withinMs(what: string, measured: readonly number[], goal: number): Finding {
  const sorted = measured.toSorted((a, b) => a - b)
  const [p50, p95] = [percentile(sorted, 0.5), percentile(sorted, 0.95)]
  return { what, goal: `p95 ≤ ${goal} ms`, measured: `p95 ${p95.toFixed(0)} ms, median ${p50.toFixed(0)} ms`, reached: p95 <= goal }
}
