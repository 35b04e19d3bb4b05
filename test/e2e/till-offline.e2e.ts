import { sql } from 'kysely'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import '#messages/en-office.ts'
import { translate } from '#lib/i18n.ts'
import { countStock, expectInvariants } from '../invariants.ts'
import { testDb } from '../db.ts'
import { buildAnimal, buildProduct, buildUser, TEST_PASSWORD } from '../factories.ts'
import { openShop } from '../request.ts'
import { complaints } from './axe.ts'
import { launchBrowser, openPage } from './browser.ts'

// The till while the network comes and goes: every sale is one sale, wherever the line was cut.

const t = translate('en')
const CODE = '8900000000017'
const STORE = '**/admin/quick-orders/store'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
// Cookies are dated by the shop's clock, and forgotten by the browser's.
shop.clock.now = new Date()
const [cashier, manager] = [await buildUser(db, { role: 'cashier' }), await buildUser(db, { role: 'manager' })]
const cow = await buildAnimal(db)
let browser: Browser
beforeAll(async () => void (browser = await launchBrowser()))
afterAll(() => browser?.close())

let before: Map<number, number>
beforeEach(async () => {
  await sql`update products set barcode = null where barcode = ${CODE}`.execute(db)
  await buildProduct(db, { name_en: 'Test honey', unit: 'kg', price_poisha: 10_000, stock_milli: 500_000, barcode: CODE })
  before = await countStock(db)
})

const sold = async (phone: string) =>
  (
    await sql<{ id: number; total: number; paid: number; lines: number }>`select o.id, total_poisha as total, paid_poisha as paid,
      (select count(*)::int from order_lines where order_id = o.id) as lines from orders o where source = 'pos' and phone = ${phone} order by id`.execute(
      db,
    )
  ).rows
const allIsWell = () => expectInvariants(db, before)
let lastPhone = 0
const newPhone = () => `0171999${String(1000 + ++lastPhone)}`

async function signIn(page: Page, who = cashier.phone) {
  await page.goto('/login')
  const token = await page.getAttribute('meta[name=csrf-token]', 'content')
  await page.request.post('/login', { data: { identifier: who, password: TEST_PASSWORD }, headers: { 'x-csrf-token': token ?? '' } })
}
const ready = async (page: Page) => {
  await page.locator('#quick-order #till-search').waitFor()
  await page.waitForFunction(() => window.pageAwake)
}
/** The device has the goods, and the worker the page. */
async function settled(page: Page) {
  await expect.poll(() => page.evaluate(hasEverything), { timeout: 20_000 }).toBe(true)
}
/** Runs in the page. */
async function hasEverything(): Promise<boolean> {
  const names = await indexedDB.databases()
  if (!names.some(({ name }) => name === 'khamar-till')) return false
  const goods = await new Promise<boolean>((resolve) => {
    const open = indexedDB.open('khamar-till')
    open.addEventListener('error', () => resolve(false))
    open.addEventListener('success', () => {
      const asked = open.result.transaction('about').objectStore('about').get('catalogue')
      asked.addEventListener('success', () => {
        open.result.close()
        resolve(asked.result !== undefined)
      })
    })
  })
  const pages = await caches.open('khamar-till-page')
  return goods && navigator.serviceWorker.controller !== null && (await pages.keys()).length > 0
}
async function till(who = cashier.phone, width: 390 | 1280 = 1280) {
  const opened = await openPage(browser, { baseUrl: shop.url, width })
  const { page, context } = opened
  opened.expectProblem(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_CONNECTION|net::ERR_ABORTED/)
  await context.addInitScript(() => void (window.print = () => document.documentElement.setAttribute('data-printed', '')))
  await signIn(page, who)
  await go(page)
  if (await page.locator('[name=opening_cash]').count()) {
    await page.fill('[name=opening_cash]', '0')
    await page.keyboard.press('Enter')
  }
  await ready(page)
  await settled(page)
  return opened
}
async function go(page: Page) {
  await page.goto('/admin/quick-orders')
  await page.waitForFunction(() => window.pageAwake)
}
async function scan(page: Page, code = CODE) {
  await page.locator('#till-search').focus()
  await page.keyboard.type(code, { delay: 5 })
  await page.keyboard.press('Enter')
}
const quantity = (page: Page) => page.locator('#quick-order li input').first()
async function enter(page: Page, phone: string) {
  await scan(page)
  await quantity(page).waitFor()
  await page.fill('#till-phone', phone)
}
const place = (page: Page) => page.keyboard.press('F9')
const keptSlip = (page: Page) => page.locator('[data-slip]', { hasText: t('pos.slip-not-sent') }).waitFor()
const unsent = (page: Page, count: number) => page.locator(`[data-unsent="${count}"]`).waitFor()
const online = (page: Page) => page.locator('[data-till-state=online]').waitFor()
async function sellWithout(page: Page, phone: string) {
  await enter(page, phone)
  await place(page)
  await keptSlip(page)
  await page.keyboard.press('Enter')
  await ready(page)
}
async function nothingWaits(page: Page) {
  await expect.poll(() => page.locator('[data-unsent]:not([data-unsent="0"])').count(), { timeout: 30_000 }).toBe(0)
}

test('cut before the scan: the goods are on the device, the slip prints, and the sale is sent once', async () => {
  const { page, context } = await till()
  const phone = newPhone()
  await context.setOffline(true)
  await page.locator('[data-till-state=offline]').waitFor()
  expect(await complaints(page)).toEqual([])
  await page.fill('#till-search', 'honey')
  await page
    .getByRole('option', { name: /Test honey/ })
    .first()
    .waitFor()
  await page.fill('#till-search', '')
  await enter(page, phone)
  await place(page)
  await keptSlip(page)
  expect(await page.locator('html[data-printed]').count()).toBe(1)
  expect(await complaints(page)).toEqual([])
  await page.keyboard.press('Enter')
  await unsent(page, 1)
  expect(await quantity(page).count()).toBe(0)
  expect(await sold(phone)).toEqual([])
  await context.setOffline(false)
  await online(page)
  await nothingWaits(page)
  expect(await sold(phone)).toMatchObject([{ total: 10_000, paid: 10_000, lines: 1 }])
  await allIsWell()
})

test('cut between the scan and Place Order', async () => {
  const { page, context } = await till()
  const phone = newPhone()
  await enter(page, phone)
  await context.setOffline(true)
  await place(page)
  await keptSlip(page)
  await page.keyboard.press('Enter')
  await context.setOffline(false)
  await nothingWaits(page)
  expect(await sold(phone)).toHaveLength(1)
  await allIsWell()
})

/** The next sale that is sent reaches the shop; its answer does not reach the till. */
async function loseOneAnswer(context: BrowserContext) {
  let lost = 0
  await context.route(STORE, async (route) => {
    if (lost++ > 0) return route.continue()
    await route.fetch()
    await route.abort('connectionreset')
  })
}

test('cut between Place Order and the answer, after the shop has sold', async () => {
  const { page, context } = await till()
  const phone = newPhone()
  await enter(page, phone)
  await loseOneAnswer(context)
  await place(page)
  await keptSlip(page)
  await page.keyboard.press('Enter')
  await nothingWaits(page)
  expect(await sold(phone)).toHaveLength(1)
  await allIsWell()
})

test('cut while the outbox sends: in order, each once', async () => {
  const { page, context } = await till()
  const phones = [newPhone(), newPhone(), newPhone()]
  await context.setOffline(true)
  for (const phone of phones) await sellWithout(page, phone)
  await unsent(page, 3)
  await loseOneAnswer(context)
  await context.setOffline(false)
  await nothingWaits(page)
  const orders = await Promise.all(phones.map(sold))
  expect(orders.map((rows) => rows.length)).toEqual([1, 1, 1])
  const ids = orders.flat().map(({ id }) => Number(id))
  expect(ids.toSorted((a, b) => a - b)).toEqual(ids)
  await allIsWell()
})

test('the browser ends between Place Order and the answer', async () => {
  const { page, context } = await till()
  const phone = newPhone()
  await enter(page, phone)
  let arrived = () => {}
  const sent = new Promise<void>((resolve) => (arrived = resolve))
  await context.route(STORE, async (route) => {
    await route.fetch()
    arrived()
  })
  await place(page)
  await sent
  await page.close()
  await context.unroute(STORE)
  const again = await context.newPage()
  await go(again)
  await ready(again)
  expect(await quantity(again).count()).toBe(0)
  await nothingWaits(again)
  await expect.poll(async () => (await sold(phone)).length).toBe(1)
  await again.waitForTimeout(500)
  expect(await sold(phone)).toHaveLength(1)
  await allIsWell()
})

test('a reload without network: page, goods, sale and what waits are there', async () => {
  const { page, context } = await till()
  const phones = [newPhone(), newPhone()]
  await context.setOffline(true)
  await sellWithout(page, phones[0]!)
  await enter(page, phones[1]!)
  await page.reload()
  await ready(page)
  await page.locator('[data-till-state=offline]').waitFor()
  await unsent(page, 1)
  expect(await quantity(page).inputValue()).toBe('1')
  await scan(page)
  await expect.poll(() => quantity(page).inputValue()).toBe('2')
  await place(page)
  await keptSlip(page)
  await page.keyboard.press('Enter')
  await unsent(page, 2)
  await context.setOffline(false)
  await nothingWaits(page)
  expect(await sold(phones[0]!)).toHaveLength(1)
  expect(await sold(phones[1]!)).toMatchObject([{ total: 20_000 }])
  await allIsWell()
})

test('two tabs with the same outbox send each sale once', async () => {
  const { page, context } = await till()
  const phones = [newPhone(), newPhone(), newPhone(), newPhone()]
  const other = await context.newPage()
  await go(other)
  await ready(other)
  await context.setOffline(true)
  for (const phone of phones.slice(0, 2)) await sellWithout(page, phone)
  for (const phone of phones.slice(2)) await sellWithout(other, phone)
  await unsent(page, 4)
  await unsent(other, 4)
  await context.setOffline(false)
  await nothingWaits(page)
  await nothingWaits(other)
  for (const phone of phones) expect(await sold(phone)).toHaveLength(1)
  await allIsWell()
})

test('a price that changed meanwhile, and goods that the count does not have, are decided by a person', async () => {
  const { page, context, expectProblem } = await till()
  expectProblem(/quick-orders\/store: 4(10|22)|status of 4(10|22)/)
  const [dearer, gone] = [newPhone(), newPhone()]
  await context.setOffline(true)
  await sellWithout(page, dearer)
  await sql`update products set price_poisha = 11000 where barcode = ${CODE}`.execute(db)
  await context.setOffline(false)
  const badge = page.locator('[data-unsent="1"]')
  await page.getByText(t('pos.state.clashes', { count: '1', clashes: '1' }), { exact: true }).waitFor()
  const evening = await context.newPage()
  await evening.goto(new URL('/admin/quick-orders/close', page.url()).href)
  await evening.getByText(t('pos.unsent.before-closing', { count: '1' })).waitFor()
  expect(await evening.getByRole('button', { name: t('pos.close-shift') }).isDisabled()).toBe(true)
  await evening.close()
  await badge.click()
  await page.getByText('It is 110 taka now').waitFor()
  expect(await complaints(page)).toEqual([])
  await page.getByRole('button', { name: /Send with the shop’s prices: ৳110/ }).click()
  await page
    .getByText(/Arrived: order/)
    .first()
    .waitFor()
  expect(await sold(dearer)).toMatchObject([{ total: 11_000, paid: 11_000 }])
  await page.keyboard.press('Escape')
  // Sold to the last kilogram in the web shop while the till had no network.
  await online(page)
  await context.setOffline(true)
  await sellWithout(page, gone)
  await sql`insert into stock_movements (product_id, delta_milli, reason) select id, -stock_milli, 'counted' from products where barcode = ${CODE}`.execute(
    db,
  )
  await sql`update products set stock_milli = 0, status = 'out-of-stock' where barcode = ${CODE}`.execute(db)
  await context.setOffline(false)
  await page.getByText(t('pos.state.clashes', { count: '1', clashes: '1' }), { exact: true }).waitFor()
  await badge.click()
  const again = page.getByRole('button', { name: t('pos.unsent.goods-are-gone') })
  const fresh = page.getByRole('button', { name: /Send with the shop’s prices/ })
  await again.or(fresh).first().waitFor()
  if (await fresh.count()) await fresh.click()
  await again.click()
  await expect.poll(async () => (await sold(gone)).length).toBe(1)
  await allIsWell()
})

test('an animal needs the network, and says so', async () => {
  const { page, context } = await till()
  await context.setOffline(true)
  await scan(page, cow.tag_number ?? '')
  await page.locator('#quick-order li').getByText(t('pos.animal-needs-network')).waitFor()
  await page.fill('#till-phone', newPhone())
  await place(page)
  await page.locator('[role=status]').getByText(t('pos.animal-needs-network')).first().waitFor()
  expect(await page.locator('[data-slip]').count()).toBe(0)
})

test('what a cashier left is his: another sees how many, sends none of it, and does not meet his sale', async () => {
  const { page, context, expectProblem } = await till()
  // A page that asks for news while its cashier signs out is told so.
  expectProblem(/catalogue\?|status of 401/)
  const phone = newPhone()
  await context.setOffline(true)
  await sellWithout(page, phone)
  await enter(page, newPhone())
  await context.setOffline(false)
  await context.route(STORE, (route) => route.abort('connectionreset'))
  await page.evaluate(() => document.querySelector<HTMLFormElement>('form[action="/logout"]')?.requestSubmit())
  await page.waitForURL((url) => !url.pathname.startsWith('/admin'))
  expect(await page.evaluate(() => caches.has('khamar-till-page'))).toBe(false)
  await context.unroute(STORE)
  const already = (await sold(phone)).length
  await signIn(page, manager.phone)
  await go(page)
  if (await page.locator('[name=opening_cash]').count()) {
    await page.fill('[name=opening_cash]', '0')
    await page.keyboard.press('Enter')
  }
  await ready(page)
  expect(await quantity(page).count()).toBe(0)
  if (already === 0) {
    await page.getByText(/1 unsent of/).waitFor()
    expect(await sold(phone)).toEqual([])
    await page.context().clearCookies()
    await signIn(page)
    await go(page)
    await ready(page)
    await nothingWaits(page)
    await expect.poll(async () => (await sold(phone)).length).toBe(1)
  }
  await allIsWell()
})
