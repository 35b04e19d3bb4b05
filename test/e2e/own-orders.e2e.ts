import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { complaints } from './axe.ts'
import { sharedBrowser, openPage } from './browser.ts'
import { startShop, type Shop } from '../server.ts'

const FARHANA = '01811000001'

let shop: Shop
let browser: Browser

beforeAll(async () => {
  ;[shop, browser] = await Promise.all([startShop({ demo: true }), sharedBrowser()])
})

afterAll(async () => {
  await shop?.stop()
})

async function signIn(page: Page): Promise<void> {
  await page.locator('input[name=identifier]').fill(FARHANA)
  await page.locator('input[name=password]').fill('khamar-demo')
  await page.locator('input[name=password]').press('Enter')
}

const expectAccessible = async (page: Page) => expect(await complaints(page)).toEqual([])

test('a stranger signs in and comes back to the orders; one is cancelled with a reason, and ordered again', async () => {
  const { page } = await openPage(browser, { baseUrl: shop.url })
  await page.goto('/account')
  await page.waitForURL(/\/login/)
  await page.getByRole('link', { name: 'Log in with password' }).click()
  await signIn(page)
  await page.waitForURL(`${shop.url}/account`)
  await page.waitForFunction(() => window.pageAwake)
  const order = page.locator('[data-order][data-status=placed]').first()
  const id = await order.getAttribute('data-order')
  const same = page.locator(`[data-order="${id}"]`)
  await same.getByRole('button', { name: /^Cancel order/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Cancel order' }).click()
  await dialog.getByText('Please choose a reason.').waitFor()
  await dialog.getByLabel('Reason for cancelling').selectOption('mistake')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel order' }).click()
  await expect.poll(() => same.getAttribute('data-status')).toBe('cancelled')
  await same.getByText('Reason: Ordered by mistake').waitFor()
  expect(await same.getByRole('button', { name: /^Cancel order/ }).count()).toBe(0)
  await same.getByRole('button', { name: /^Order again/ }).click()
  await dialog.getByText('Added to your cart').waitFor()
  await dialog.getByRole('link', { name: 'Go to Cart' }).click()
  await page.waitForURL(/\/cart/)
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem('cartData') ?? '[]').length)).toBeGreaterThan(0)
  await page.goto(`/invoice/${id}`)
  await page.getByText('This order was cancelled.').waitFor()
})

test.each(['en', 'bn'] as const)('orders, addresses and profile have no accessibility violations and fit the screen (%s)', async (lang) => {
  const { page } = await openPage(browser, { baseUrl: shop.url, lang })
  await page.goto('/login?way=password&next=/account')
  await signIn(page)
  await page.waitForURL(`${shop.url}/account`)
  for (const path of ['/account', '/account/addresses', '/account/profile']) {
    await page.goto(path)
    await page.waitForFunction(() => window.pageAwake)
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  }
})
