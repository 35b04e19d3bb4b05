import type { Browser, CDPSession, Locator, Page, Route } from 'playwright-core'
import type { Lang } from '#lib/i18n/lang.ts'
import { openPage, type OpenPage } from './browser.ts'

/** 400 kbit/s with 400 ms of latency. */
const SLOW_LINE = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }
const CPU_SLOWDOWN = 6
/** A browser never answers some of the touches that a navigation overtakes. */
const MAX_TOUCH_MS = 15_000
/** Tall enough for a whole list, so that every card can be touched without scrolling. */
const SCREEN = { width: 390, height: 4200 }

export interface SlowPhone extends OpenPage {
  /** Touches the screen. Resolves when the page has seen it, or has been left, or does not answer for a while. */
  tap(at: Point): Promise<unknown>
  /** Types letters, one each `gapMs`, into the field that has the focus. */
  type(text: string, gapMs: () => number): Promise<void>
  /** Ends the throttling, for checks after the test's own part. */
  unthrottle(): Promise<void>
}

export interface Point {
  x: number
  y: number
}

/** A page on a phone with a CPU six times slower, on a slow line, with real touch and key events. */
export async function openSlowPhone(browser: Browser, baseUrl: string, before?: (page: Page) => Promise<unknown>): Promise<SlowPhone> {
  const opened = await openPage(browser, { baseUrl })
  await opened.page.setViewportSize(SCREEN)
  await before?.(opened.page)
  const devtools: CDPSession = await opened.context.newCDPSession(opened.page)
  await devtools.send('Network.enable')
  const throttle = async (rate: number, line: typeof SLOW_LINE) => {
    await devtools.send('Emulation.setCPUThrottlingRate', { rate })
    await devtools.send('Network.emulateNetworkConditions', line)
  }
  await throttle(CPU_SLOWDOWN, SLOW_LINE)
  const key = (letter: string) =>
    Promise.all([
      devtools.send('Input.dispatchKeyEvent', { type: 'keyDown', key: letter, text: letter }),
      devtools.send('Input.dispatchKeyEvent', { type: 'keyUp', key: letter }),
    ])
  return {
    ...opened,
    tap: (at) =>
      Promise.race([
        Promise.allSettled([
          devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] }),
          devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }),
        ]),
        wait(MAX_TOUCH_MS),
      ]),
    async type(text, gapMs) {
      const sent: Promise<unknown>[] = []
      for (const letter of text) {
        sent.push(key(letter))
        await wait(gapMs())
      }
      await Promise.all(sent)
    },
    unthrottle: () => throttle(1, { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 }),
  }
}

export interface AsleepPage extends OpenPage {
  /** Lets the scripts go and waits for hydration. */
  wake(): Promise<void>
  /** Leaves for another page, whose scripts do not wait. */
  leave(by: Locator): Promise<void>
}

/** Opens a page whose scripts wait until they are let go. */
export async function openAsleep(
  browser: Browser,
  { baseUrl, path, lang }: { baseUrl: string; path: string; lang?: Lang },
): Promise<AsleepPage> {
  const opened = await openPage(browser, { baseUrl, lang })
  const scripts = await holdScripts(opened.page)
  await opened.page.goto(path, { waitUntil: 'domcontentloaded' })
  return {
    ...opened,
    async wake() {
      await scripts.release()
      await opened.page.waitForFunction(() => window.pageAwake)
    },
    async leave(by) {
      scripts.passNext()
      await by.tap({ noWaitAfter: true })
    },
  }
}

export interface HeldScripts {
  /** Lets the scripts go that wait, and all that come. */
  release(): Promise<unknown>
  /** Lets all scripts go that come. Those that wait stay. */
  passNext(): void
}

/** Makes the scripts of a page wait, so that it stays without hydration. */
export async function holdScripts(page: Page): Promise<HeldScripts> {
  const waiting: Route[] = []
  let isHeld = true
  await page.route('**/assets/*.js', (route) => (isHeld ? void waiting.push(route) : route.continue()))
  const passNext = () => {
    isHeld = false
  }
  return {
    passNext,
    release() {
      passNext()
      return Promise.all(waiting.splice(0).map((route) => route.continue()))
    },
  }
}

export const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Waits until something of the page has been painted. */
export async function firstPaint(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0, undefined, { polling: 50 })
}

/** Repeatable random numbers from 0 to 1 (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
