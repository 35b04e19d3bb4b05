import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core'

// Tabs that browser tests use one after another. The first page of a new context takes Chromium several times the processor time of one in
// a tab that was emptied: a process is started, and all scripts are compiled again. What a test cannot take back (a script in every page, a
// changed clock, a crash) ends its tab.

/** A tab without cookies, storage, workers, history, routes and listeners. */
export interface EmptyTab {
  context: BrowserContext
  page: Page
  /** Empties the tab for the next test, or closes it. */
  leave(): Promise<void>
}

export interface TabOptions extends BrowserContextOptions {
  baseURL: string
  viewport: { width: number; height: number }
}

interface Tab {
  context: BrowserContext
  page: Page
  sessions: CDPSession[]
  isSpent: boolean
}

/** Unused tabs of each browser with the options they were opened with, the last used one last. */
const unused = new WeakMap<Browser, { key: string; tab: Tab }[]>()
/** Each takes some 80 MB. */
const MAX_UNUSED = 4

/** `scripts` run in each page before its own. */
export async function emptyTab(browser: Browser, options: TabOptions, scripts: (() => void)[] = []): Promise<EmptyTab> {
  const key = JSON.stringify([options, scripts.map(String)])
  const tabs = unused.get(browser) ?? unused.set(browser, []).get(browser)!
  const at = tabs.findLastIndex((other) => other.key === key)
  const tab = at < 0 ? await openTab(browser, options, scripts) : tabs.splice(at, 1)[0]!.tab
  return {
    context: tab.context,
    page: tab.page,
    async leave() {
      if (tab.isSpent || !(await isEmptied(tab, options))) return tab.context.close()
      tabs.push({ key, tab })
      if (tabs.length > MAX_UNUSED) await tabs.shift()!.tab.context.close()
    },
  }
}

async function openTab(browser: Browser, options: TabOptions, scripts: (() => void)[]): Promise<Tab> {
  const context = await browser.newContext(options)
  for (const script of scripts) await context.addInitScript(script)
  const page = await context.newPage()
  const tab: Tab = { context, page, sessions: [], isSpent: false }
  const spend = () => void (tab.isSpent = true)
  for (const name of ['addInitScript', 'exposeBinding', 'exposeFunction', 'setExtraHTTPHeaders', 'routeWebSocket'] as const) {
    before(context, name, spend)
    before(page, name, spend)
  }
  for (const name of ['grantPermissions', 'setGeolocation'] as const) before(context, name, spend)
  for (const name of ['install', 'setFixedTime', 'setSystemTime'] as const) before(context.clock, name, spend)
  const newCDPSession = context.newCDPSession.bind(context)
  context.newCDPSession = async (target) => {
    const session = await newCDPSession(target)
    tab.sessions.push(session)
    return session
  }
  context.on('close', spend)
  page.on('close', spend)
  page.on('crash', spend)
  return tab
}

/** Calls `first` before each call of a method. */
function before<Of extends object>(object: Of, name: keyof Of & string, first: () => void): void {
  const method = object[name] as (...values: unknown[]) => unknown
  Reflect.set(object, name, (...values: unknown[]) => {
    first()
    return method.apply(object, values)
  })
}

const PAGE_EVENTS = [
  'console',
  'dialog',
  'download',
  'filechooser',
  'load',
  'pageerror',
  'popup',
  'request',
  'response',
  'requestfailed',
  'requestfinished',
  'worker',
  'websocket',
  'framenavigated',
] as const
const CONTEXT_EVENTS = [
  'console',
  'dialog',
  'page',
  'request',
  'response',
  'requestfailed',
  'requestfinished',
  'serviceworker',
  'weberror',
] as const

/** Whether all that the test left could be deleted. */
async function isEmptied({ context, page, sessions }: Tab, { baseURL, viewport }: TabOptions): Promise<boolean> {
  try {
    for (const event of PAGE_EVENTS) page.removeAllListeners(event)
    for (const event of CONTEXT_EVENTS) context.removeAllListeners(event)
    await Promise.all(sessions.splice(0).map((session) => session.detach().catch(() => {})))
    await Promise.all(context.pages().map((other) => (other === page ? undefined : other.close())))
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    await context.setOffline(false)
    await context.clearCookies()
    await page.setViewportSize(viewport)
    await page.emulateMedia({ media: null, colorScheme: null, forcedColors: null, contrast: null, reducedMotion: 'reduce' })
    const session = await context.newCDPSession(page)
    // The page unloads first: it may write while it does.
    await page.goto('about:blank')
    await session.send('Storage.clearDataForOrigin', { origin: baseURL, storageTypes: 'all' })
    await clearSessionStorage(page, baseURL)
    await page.goto('about:blank')
    await session.send('Page.resetNavigationHistory')
    await session.detach()
    sessions.length = 0
    return true
  } catch {
    return false
  }
}

/** The storage of the tab can only be reached by a page of its shop: here an empty one. */
async function clearSessionStorage(page: Page, baseURL: string): Promise<void> {
  await page.route(`${baseURL}/**`, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><title></title>' }))
  await page.goto(`${baseURL}/empty`)
  await page.evaluate(() => sessionStorage.clear())
  await page.unrouteAll()
}
