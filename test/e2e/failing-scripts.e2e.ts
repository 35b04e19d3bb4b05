// Scripts that do not run: in browsers that are too old for them, or because the network or the page fails.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import '#messages/bn.ts'
import '#messages/en.ts'
import { translate } from '#lib/i18n/translate.ts'
import { openPage } from './browser.ts'
import { button, fillCart, ordersOf, pick } from './checkout.ts'
import { browser, shop, useDemoShop } from './demo-shop.ts'
import { newPhone } from './new-phone.ts'

useDemoShop()

const t = translate('en')
const addButtons = (page: Page) => page.getByRole('button', { name: t('catalog.add-to-cart') }).filter({ visible: true })
const cartNotice = (page: Page) => page.getByText(t('checkout.noscript'))

/** Waits until scripts would have run, or have failed for good. */
const settle = (page: Page) => page.waitForFunction(() => !('scripts' in document.documentElement.dataset))

test('a browser that lacks what the scripts use gets the page as without scripts, and orders', async () => {
  const product = await pick('produce')
  const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url })
  expectProblem(/\/assets\/.*\.js: csp$/)
  await page.addInitScript(() => {
    delete (Object as { hasOwn?: unknown }).hasOwn
    delete (Array.prototype as { at?: unknown }).at
  })
  await page.goto('/cart')
  await cartNotice(page).waitFor()
  await page.goto(`/product/${product.id}`)
  expect(await addButtons(page).count()).toBe(0)
  await page.getByRole('link', { name: t('catalog.order-now') }).click()
  const phone = newPhone()
  await page.fill('#full_name', 'Karim')
  await page.fill('#phone', phone)
  await page.fill('#email', 'karim@example.com')
  await page.selectOption('#area', { index: 1 })
  await page.fill('#landmark', 'Near the mosque')
  await page.fill('#delivery_address', 'House 1')
  await button(page, t('legacy.submit')).click()
  await page.waitForURL(/demo-gateway/)
  expect(await ordersOf(phone)).toHaveLength(1)
})

test.each([
  ['messages', /\/assets\/messages-en-checkout/],
  ['the library', /\/assets\/react-/],
])('a page without the script of %s is loaded again, and shows no keys of texts meanwhile', async (_, file) => {
  const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url })
  expectProblem(/net::ERR_CONNECTION_RESET/)
  await fillCart(page, [await pick('produce')])
  let losses = 1
  await page.route(file, (route) => (losses-- > 0 ? route.abort('connectionreset') : route.continue()))
  await page.goto('/cart')
  await page.waitForFunction(() => window.name === '/cart')
  expect(await page.innerText('main')).not.toContain('cart.')
  await button(page, t('cart.proceed')).click()
  await page.fill('#name', 'Rahima')
})

test('a page whose script is lost twice can be read and used as without scripts', async () => {
  const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url })
  expectProblem(/net::ERR_CONNECTION_RESET/)
  await page.route(/\/assets\/shared-/, (route) => route.abort('connectionreset'))
  await page.goto('/fruits')
  await addButtons(page).first().waitFor()
  await settle(page)
  expect(await addButtons(page).count()).toBe(0)
  await page.locator('main a[href^="/product/"]').first().click()
  await page.waitForURL('**/product/*')
  await settle(page)
  await page.getByRole('link', { name: t('catalog.order-now') }).click()
  await page.waitForURL('**/order/place/*')
  // The next page tries its scripts again.
  await page.unrouteAll()
  await page.goto('/fruits')
  await addButtons(page).first().click()
  await page.getByText(t('catalog.added')).waitFor()
})

test('a page that fails while it is rendered comes back as without scripts', async () => {
  const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url })
  expectProblem(/at is not a function/)
  await page.addInitScript(() => delete (Array.prototype as { at?: unknown }).at)
  await page.goto('/fruits')
  await settle(page)
  await page.locator('main a[href^="/product/"]').first().waitFor()
  expect(await addButtons(page).count()).toBe(0)
})

test('a part that is lost when it is needed is told, leaves the page, and comes with the next press', async () => {
  const { page, context, expectProblem } = await openPage(browser, { baseUrl: shop.url })
  expectProblem(/net::ERR_INTERNET_DISCONNECTED|Failed to fetch dynamically imported module/)
  await page.goto('/beef')
  await page.waitForFunction(() => window.pageAwake)
  const media = page.locator('.card-media').filter({ visible: true }).first()
  await context.setOffline(true)
  await media.click()
  await page.getByText(t('shell.not-loaded')).waitFor()
  await media.waitFor()
  await context.setOffline(false)
  await media.click()
  await page.getByRole('dialog').waitFor()
  expect(await page.evaluate(() => window.name)).toBe('')
})
