import pg from 'pg'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startPushService } from '#features/news/push/testing/start-push-service.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { translate } from '#lib/i18n/translate.ts'
import { type Shop, startShop } from '../server.ts'
import { complaints } from './axe.ts'
import { launchFullBrowser, openPage } from './browser.ts'
import { placeOrder } from './place-order.ts'
import { go, signIn } from './sign-in.ts'

// Notifications on the device of a member of staff. A browser of a test has no push service, so the page's `subscribe` is a stand-in that
// answers a device of the simulator. What the simulator receives is given to the worker as the browser would.

const SALES = '01711000003'
const t = translate('en')
let shop: Shop
let browser: Browser
let service: Awaited<ReturnType<typeof startPushService>>
let database: pg.Client

beforeAll(async () => {
  service = await startPushService()
  ;[shop, browser] = await Promise.all([startShop({ demo: true, env: { PUSH_SIMULATOR_URL: service.origin } }), launchFullBrowser()])
  database = new pg.Client({ connectionString: shop.databaseUrl })
  await database.connect()
})
beforeEach(async () => {
  await database.query('delete from push_subscriptions')
  service.received.length = 0
})
afterAll(async () => {
  await browser?.close()
  await database?.end()
  await shop?.stop()
  await service?.close()
})

async function staff({ lang = 'en', width = 1280 }: { lang?: Lang; width?: 390 | 1280 } = {}) {
  const opened = await openPage(browser, { baseUrl: shop.url, lang, width })
  await opened.context.grantPermissions(['notifications'], { origin: shop.url })
  await opened.context.addInitScript(standInForPushService, service.subscribe())
  await signIn(opened.page, SALES)
  return opened
}

/** Runs in the page: the subscription outlives a page, as that of a browser does. */
function standInForPushService(device: { endpoint: string; keys: Record<string, string> }): void {
  const stored = () => {
    const key = localStorage.getItem('test.push-key')
    if (key === null) return null
    return {
      endpoint: device.endpoint,
      options: { userVisibleOnly: true, applicationServerKey: Uint8Array.from(JSON.parse(key) as number[]).buffer },
      toJSON: () => device,
      unsubscribe: async () => (localStorage.removeItem('test.push-key'), true),
    }
  }
  Object.assign(PushManager.prototype, {
    getSubscription: async () => stored(),
    subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array }) => {
      localStorage.setItem('test.push-key', JSON.stringify([...applicationServerKey]))
      return stored()
    },
  })
}

const openBell = (page: Page) => page.locator('[popovertarget=news-panel]').click()
const pushSwitch = (page: Page, lang: Lang = 'en') => page.getByRole('checkbox', { name: translate(lang)('news.push') })
const devices = async () => (await database.query<{ lang: string }>('select lang from push_subscriptions order by id')).rows
const isRegistered = (page: Page) =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).some(({ scope }) => scope.endsWith('/admin')))

/** Gives a message to the worker of the admin. */
async function deliverer(context: BrowserContext, page: Page): Promise<(payload: object) => Promise<void>> {
  const cdp = await context.newCDPSession(page)
  const found = new Promise<string>((resolve) =>
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL, isDeleted }) => scopeURL.endsWith('/admin') && !isDeleted)
      if (own) resolve(own.registrationId)
    }),
  )
  await cdp.send('ServiceWorker.enable')
  const registrationId = await found
  return async (payload) => {
    await cdp.send('ServiceWorker.deliverPushMessage', { origin: shop.url, registrationId, data: JSON.stringify(payload) })
  }
}
const shown = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration('/admin')
    const all = (await registration?.getNotifications()) ?? []
    return all.map(({ title, body, tag, lang, silent, data }) => ({ title, body, tag, lang, silent, url: (data as { url: string }).url }))
  })

test('switched on, a device gets new orders; switched off or logged out, none', async () => {
  const { page, context, expectProblem } = await staff()
  await go(page, '/admin/customers')
  await openBell(page)
  expect(await pushSwitch(page).isChecked()).toBe(false)
  await pushSwitch(page).check()
  await expect.poll(devices).toEqual([{ lang: 'en' }])
  expect(await complaints(page)).toEqual([])
  // The first run of the job notes what is there.
  await expect
    .poll(async () => (await database.query("select 1 from push_state where pushed <> '{}'")).rowCount, { timeout: 60_000 })
    .toBe(1)
  await placeOrder(database, shop.url)
  await expect.poll(() => service.received.length, { timeout: 60_000 }).toBe(1)
  const { payload } = service.received[0]!
  expect([payload.kind, payload.count, service.complaints]).toEqual(['orders', 1, []])

  const deliver = await deliverer(context, page)
  await deliver(payload)
  await expect.poll(() => shown(page)).toHaveLength(1)
  expect(await shown(page)).toEqual([
    { title: 'New orders: 1', body: payload.shop, tag: 'orders', lang: 'en', silent: true, url: '/admin/orders' },
  ])

  await page.reload()
  await openBell(page)
  expect(await pushSwitch(page).isChecked()).toBe(true)
  await pushSwitch(page).uncheck()
  await expect.poll(devices).toEqual([])
  await pushSwitch(page).check()
  await expect.poll(devices).toHaveLength(1)
  await page.keyboard.press('Escape')
  // The page may be asking for news, or telling of its device, while its session ends.
  expectProblem(/(news|push): 401|status of 401 .*(news|push)/)
  await Promise.all([page.waitForURL(`${shop.url}/`), page.getByRole('button', { name: t('shell.logout') }).click()])
  await expect.poll(() => isRegistered(page)).toBe(false)
})

test('the worker adds up what is shown, in Bengali, aloud when no admin page is in front, and leads to the list', async () => {
  const { page, context } = await staff({ lang: 'bn', width: 390 })
  await go(page, '/admin/customers')
  await openBell(page)
  await pushSwitch(page, 'bn').check()
  await expect.poll(() => isRegistered(page)).toBe(true)
  await expect.poll(devices).toContainEqual({ lang: 'bn' })
  const deliver = await deliverer(context, page)
  await page.goto('/fruits')
  const news = { kind: 'orders', count: 3, label: 'নতুন অর্ডার', shop: 'খামার', lang: 'bn', url: '/admin/orders' }
  await deliver(news)
  await expect.poll(() => shown(page)).toHaveLength(1)
  await deliver({ ...news, count: 9 })
  await deliver({ ...news, kind: 'sms', label: 'না যাওয়া এসএমএস', count: 1, url: '/admin/sms' })
  await expect
    .poll(async () => (await shown(page)).map(({ title, silent }) => [title, silent]).sort())
    .toEqual([
      ['নতুন অর্ডার: ১২', false],
      ['না যাওয়া এসএমএস: ১', false],
    ])
  // The test hears of the worker later than the page does.
  const worker = () => context.serviceWorkers().find((one) => one.url().endsWith('/admin-worker.js'))
  await expect.poll(worker).toBeDefined()
  // A press on a notification, without the browser's window manager.
  const opened = await worker()!.evaluate(async () => {
    const scope = globalThis as unknown as {
      registration: ServiceWorkerRegistration
      clients: { openWindow(url: string): Promise<null> }
      NotificationEvent: new (type: string, init: object) => Event
    }
    const urls: string[] = []
    scope.clients.openWindow = async (url) => (urls.push(url), null)
    for (const notification of await scope.registration.getNotifications({ tag: 'orders' }))
      dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }))
    for (let tries = 0; tries < 1000 && urls.length === 0; tries++) await new Promise((resolve) => setTimeout(resolve, 10))
    return urls
  })
  expect(opened).toEqual([`${shop.url}/admin/orders`])
  await expect.poll(async () => (await shown(page)).map(({ tag }) => tag)).toEqual(['sms'])
})

test('a refused permission and an unable browser are named at the switch', async () => {
  const denied = await staff({ width: 390 })
  await denied.context.addInitScript(() => void (Notification.requestPermission = async () => 'denied'))
  await go(denied.page, '/admin/customers')
  await openBell(denied.page)
  await pushSwitch(denied.page).click()
  await denied.page.getByText(t('news.push-denied')).waitFor()
  await expect.poll(() => pushSwitch(denied.page).isChecked()).toBe(false)
  expect([await devices(), await complaints(denied.page)]).toEqual([[], []])

  const unable = await staff()
  await unable.context.addInitScript(() => void Reflect.deleteProperty(window, 'PushManager'))
  await go(unable.page, '/admin/customers')
  await openBell(unable.page)
  await unable.page.getByText(t('news.push-unsupported')).waitFor()
  expect([await pushSwitch(unable.page).isDisabled(), await complaints(unable.page)]).toEqual([true, []])
})
