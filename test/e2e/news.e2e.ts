import { expect, test } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { translate } from '#lib/i18n/translate.ts'
import { UNLOCKED_EVENT } from '#site/admin/lock/lock-events.ts'
import type { Page } from 'playwright-core'
import { complaints } from './axe.ts'
import { admin, database, shop, useDemoShop } from './demo-shop.ts'
import { placeOrder } from './place-order.ts'

useDemoShop()

// What is new appears in open admin pages by itself.

const [OWNER, SALES, CASHIER] = ['01711000001', '01711000003', '01711000004']
const t = translate('en')

const bell = (page: Page) => page.locator('[popovertarget=news-panel]')
const entry = (page: Page) => page.getByRole('complementary').getByRole('link', { name: t('admin.nav.orders') })
/** Asks now, as after the screen is unlocked: the next poll is up to 15 seconds away. */
const ask = (page: Page) => page.evaluate((event) => void dispatchEvent(new Event(event)), UNLOCKED_EVENT)
/** The page has asked once: a later order is new to it. */
const asked = (page: Page) => page.waitForFunction(() => Object.keys(localStorage).some((key) => key.startsWith('khamar.news-seen')))

test('a new order: badge, title and toast in two tabs, which agree that it was opened', async () => {
  const { page, context } = await admin(SALES)
  await page.goto('/admin/customers')
  const title = await page.title()
  await asked(page)
  const other = await context.newPage()
  await other.goto('/admin/sms')
  const id = await placeOrder(database, shop.url)
  // One of both tabs asks first and has the toast, which closes by itself.
  const toast = (tab: Page) => tab.getByRole('status').getByRole('link', { name: t('news.order', { id: String(id) }) })
  const toasts = async () => (await toast(page).count()) + (await toast(other).count())
  await expect.poll(toasts).toBeGreaterThan(0)
  await page.waitForFunction(() => document.title.startsWith('(1) '), null, { timeout: 60_000 })
  expect(await page.title()).toBe(`(1) ${title}`)
  expect(await entry(page).textContent()).toBe(`${t('admin.nav.orders')}1 ${t('news.new')}`)
  expect(await bell(page).getAttribute('aria-label')).toBe(t('news.button', { count: 1 }))
  await other.waitForFunction(() => document.title.startsWith('(1) '), null, { timeout: 60_000 })
  expect(await toasts()).toBeLessThanOrEqual(1)

  await bell(other).click()
  await other
    .getByRole('region', { name: t('news.title') })
    .getByRole('link', { name: t('admin.nav.orders') })
    .waitFor()
  expect(await complaints(other)).toEqual([])
  await other.goto(`/admin/orders/update/${id}`)
  await page.waitForFunction(() => !document.title.startsWith('('), null, { timeout: 60_000 })
  expect([await page.title(), await entry(page).textContent()]).toEqual([title, t('admin.nav.orders')])
})

test('the list marks all as seen; a later page shows no toast again', async () => {
  const { page } = await admin(OWNER, { width: 390, lang: 'bn' })
  await page.goto('/admin')
  await asked(page)
  await placeOrder(database, shop.url)
  await placeOrder(database, shop.url)
  await expect.poll(() => ask(page).then(() => page.title()), { interval: 1000 }).toMatch(/^\(২\) /)
  await page.reload()
  await page.waitForFunction(() => document.title.startsWith('(২) '))
  await bell(page).click()
  await page
    .getByRole('region')
    .getByRole('link', { name: translate('bn')('admin.nav.orders') })
    .click()
  await page.waitForURL('**/admin/orders')
  await page.waitForTimeout(3000)
  expect(await page.title()).not.toMatch(/^\(/)
  expect(await page.getByRole('status').getByRole('link').count()).toBe(0)
})

test('the POS and roles without news ask nothing; a session that ended stops the polls and says so', async () => {
  const polls: string[] = []
  const watch = (page: Page) => page.on('request', (request) => void (request.url().endsWith('/api/admin/news') && polls.push(page.url())))
  const { page: counter } = await admin(OWNER)
  watch(counter)
  await counter.goto('/admin/quick-orders')
  const { page: cashier } = await admin(CASHIER)
  watch(cashier)
  await cashier.goto('/admin/products')
  await cashier.waitForTimeout(4000)
  expect([polls, await bell(cashier).count()]).toEqual([[], 0])

  const { page, context, expectProblem } = await admin(SALES)
  await page.goto('/admin/customers')
  await asked(page)
  expectProblem(/401/)
  await context.clearCookies()
  await ask(page)
  await page
    .getByRole('status')
    .getByRole('link', { name: t('news.logged-out') })
    .waitFor({ timeout: 60_000 })
})

test('a comment on an order: written once, with its author, in the timeline', async () => {
  const { page } = await admin(SALES, { width: 390 })
  const id = await placeOrder(database, shop.url)
  await page.goto(`/admin/orders/update/${id}`)
  const text = 'Calls before noon\nThe gate is green'
  await page.getByLabel(t('admin-orders.comment')).fill(text)
  await page.getByRole('button', { name: t('admin-orders.comment-add') }).click()
  const first = page.getByRole('listitem').filter({ hasText: 'The gate is green' })
  await first.waitFor()
  expect(await first.textContent()).toContain(t('admin-orders.event.comment'))
  expect(await page.getByLabel(t('admin-orders.comment')).inputValue()).toBe('')
  await page.reload()
  await first.waitFor()
  expect(await complaints(page)).toEqual([])
})
