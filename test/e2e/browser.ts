import { existsSync } from 'node:fs'
import { chromium, type Browser, type BrowserContext, type ConsoleMessage, type Frame, type Page, type Request } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { emptyTab } from './tabs.ts'

const DISABLED = [
  // A process that is started beside each page, for a page that may come: a tenth of the processor time of browser tests.
  'SpareRendererForSitePerProcess',
  // What Playwright disables: the last list of a command line is the only one.
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]
const ENABLED = [
  // No process of its own for the network: a tenth of the processor time of a browser.
  'NetworkServiceInProcess2',
  // What Playwright enables: the last list of a command line is the only one.
  'CDPScreenshotNewSurface',
  'SkipListAccountsWithoutGaiaCookies',
]
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${DISABLED.join(',')}`,
  `--enable-features=${ENABLED.join(',')}`,
]

export type OpenPage = {
  page: Page
  context: BrowserContext
  /** Tells that a console error, page error or failed request whose text matches is meant to happen. */
  expectProblem(pattern: RegExp): void
}

type Options = {
  baseUrl: string
  width?: 390 | 1280
  lang?: 'en' | 'bn'
  /** Off: as a visitor whose browser runs no scripts. */
  javaScript?: boolean
  /** The shop's service worker. Off by default: requests that it makes pass by the routes of a test. */
  shopWorker?: boolean
}

const MAX_SHOWN = 400
const HEIGHTS = { 390: 844, 1280: 800 }
const LOCALES = { en: 'en-GB', bn: 'bn-BD' }

let running: Promise<Browser> | undefined

/** The Chromium that all test files of this worker share. It ends with the worker. */
export function sharedBrowser(): Promise<Browser> {
  running ??= launch(process.env.CHROME_PATH || CHROMIUM).then((browser) => browser.on('disconnected', () => (running = undefined)))
  return running
}

const CHROMIUM = '/usr/bin/chromium'
// A loaded machine needs longer than the library's standard of half a minute.
const launch = (executablePath: string, more: string[] = []) =>
  chromium.launch({ executablePath, args: [...ARGS, ...more], timeout: 240_000 })

/** Starts a browser with further switches; close it in `afterAll`. The headless shell has no camera and no notifications, so Chromium is preferred. */
export function launchFullBrowser(...more: string[]): Promise<Browser> {
  return launch(existsSync(CHROMIUM) ? CHROMIUM : process.env.CHROME_PATH || CHROMIUM, more)
}

/**
 * Opens an empty page of a visitor without cookies, to be used in one test. At its end the test fails on every
 * console error, page error and failed request to the shop that was not announced with `expectProblem`.
 */
export async function openPage(
  browser: Browser,
  { baseUrl, width = 390, lang = 'en', javaScript = true, shopWorker = false }: Options,
): Promise<OpenPage> {
  const { context, page, leave } = await emptyTab(
    browser,
    {
      baseURL: baseUrl,
      viewport: { width, height: HEIGHTS[width] },
      isMobile: width === 390,
      hasTouch: width === 390,
      locale: LOCALES[lang],
      timezoneId: 'Asia/Dhaka',
      javaScriptEnabled: javaScript,
      reducedMotion: 'reduce',
    },
    [reportPolicyViolations, ...(shopWorker ? [] : [ignoreShopWorker])],
  )
  page.setDefaultTimeout(90_000)
  const problems = collectProblems(context, new URL(baseUrl).origin)
  const expected: RegExp[] = []
  onTestFinished(async ({ task: { result } }) => {
    const error = result?.state === 'fail' && result.errors?.at(-1)
    if (error) error.message += `\n${await shownBy(context)}`
    // What a page gives up when it is closed is no problem of the page.
    const unexpected = problems.filter((problem) => !expected.some((pattern) => pattern.test(problem)))
    await leave()
    if (unexpected.length > 0) throw new Error(`The page had problems:\n${unexpected.join('\n')}`)
  })
  return { page, context, expectProblem: (pattern) => void expected.push(pattern) }
}

/**
 * Address and first words of each open page (of its dialog, if there is one), a line each: a test that failed tells them.
 * `test/closing-reporter.ts` repeats the first.
 */
async function shownBy(context: BrowserContext): Promise<string> {
  const shown = context.pages().map(async (page) => {
    const text = await page
      .locator('body')
      .evaluate(mainText, undefined, { timeout: 5_000 })
      .catch((error) => String(error))
    return `Shown at ${page.url()}: ${text.replaceAll(/\s+/g, ' ').slice(0, MAX_SHOWN)}`
  })
  return (await Promise.all(shown)).join('\n')
}

/** Runs in the page. */
function mainText(body: HTMLElement | SVGElement): string {
  return (body.querySelector<HTMLElement>('dialog[open]') ?? body.querySelector('main') ?? (body as HTMLElement)).innerText
}

/** Runs in the page. Chromium says nothing of a violation that the script caught. */
function reportPolicyViolations(): void {
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    console.error(`The content security policy refused ${blockedURI} (${effectiveDirective}).`),
  )
}

/** Runs in the page. The worker of the POS is registered as always. */
function ignoreShopWorker(): void {
  // The sandboxed page of a payment company has no origin, and asking for its workers throws.
  if (origin === 'null') return
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined
  if (!workers) return
  const register = workers.register.bind(workers)
  workers.register = (url, options) => (url === '/shop-worker.js' ? new Promise(() => {}) : register(url, options))
}

function collectProblems(context: BrowserContext, origin: string): string[] {
  const problems: string[] = []
  const isGivenUp = trackGivenUp(context)
  context.on('console', (message) => {
    if (isComplaint(message)) problems.push(`console ${message.type()}: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (error) => problems.push(`page error: ${oneLine(error.error())}`))
  context.on('requestfailed', (request) => {
    if (request.url().startsWith(origin) && !isGivenUp(request)) problems.push(`${describe(request)}: ${request.failure()?.errorText}`)
  })
  context.on('response', (response) => {
    if (response.url().startsWith(origin) && response.status() >= 400)
      problems.push(`${describe(response.request())}: ${response.status()}`)
  })
  return problems
}

/** React tells of a mismatch between server and browser as an error, and of other carelessness as a warning. */
function isComplaint(message: ConsoleMessage): boolean {
  return message.type() === 'error' || (message.type() === 'warning' && /react|hydrat/i.test(message.text()))
}

/** Vitest would take the browser's stack frames for files of ours, and trip over them. */
function oneLine(error: Error): string {
  return (error.stack || error.message).replaceAll(/\n\s*at\s*/g, ' < ')
}

/** Leaving a page gives up what it was still loading: Chromium aborts a request, and lets one fail that a service worker answers. */
function trackGivenUp(context: BrowserContext): (request: Request) => boolean {
  const navigations = new WeakMap<Frame, Request>()
  const asked = new WeakMap<Request, { frame: Frame; navigation: Request | undefined }>()
  context.on('request', (request) => {
    const frame = frameOf(request)
    if (!frame) return
    if (request.isNavigationRequest()) navigations.set(frame, request)
    else asked.set(request, { frame, navigation: navigations.get(frame) })
  })
  return (request) => {
    const error = request.failure()?.errorText
    const from = asked.get(request)
    const isLeft = from !== undefined && (from.frame.isDetached() || navigations.get(from.frame) !== from.navigation)
    // What a page misses of its worker is a failed request of the page, too.
    return error === 'net::ERR_ABORTED' || (error === 'net::ERR_FAILED' && (isLeft || request.serviceWorker() !== null))
  }
}

/** Requests of service workers have no frame, and the first one of a new tab has none yet. */
function frameOf(request: Request): Frame | null {
  try {
    return request.frame()
  } catch {
    return null
  }
}

function describe(request: Request): string {
  return `${request.method()} ${request.url()}`
}
