// The shop in a browser without scripts: forms and links alone.
import { expect, test } from 'vitest'
import { translate } from '#lib/i18n/translate.ts'
import { openPage } from './browser.ts'
import { button, ordersOf, pick } from './checkout.ts'
import { browser, database, shop, useDemoShop } from './demo-shop.ts'
import { newPhone } from './new-phone.ts'

useDemoShop()

const t = translate('en')
// Chromium gives up on scripts that it was told to preload and must not run.
const openWithoutScript = async () => {
  const opened = await openPage(browser, { baseUrl: shop.url, javaScript: false })
  opened.expectProblem(/\/assets\/.*\.js: csp$/)
  return opened
}

test('the one-product form keeps what was typed, says what is wrong, and orders', async () => {
  const product = await pick('produce')
  const { page, expectProblem } = await openWithoutScript()
  expectProblem(/order-store\?pid=\d+: 422|status of 422/)
  await page.goto(`/order/place/${product.id}`)
  await page.fill('#full_name', 'Karim')
  await page.fill('#phone', '12345')
  await page.fill('#email', 'karim@example.com')
  await page.selectOption('#area', { index: 1 })
  await page.fill('#landmark', 'Near the mosque')
  await page.fill('#delivery_address', 'House 1')
  await button(page, t('legacy.submit')).click()
  await page.getByText(t('details.phone-invalid')).waitFor()
  expect(await page.inputValue('#full_name')).toBe('Karim')
  const phone = newPhone()
  await page.fill('#phone', phone)
  await button(page, t('legacy.submit')).click()
  await page.waitForURL(/demo-gateway/)
  expect(await ordersOf(phone)).toHaveLength(1)
})

test('a held product shows why it waits, and takes no order', async () => {
  const { rows } = await database.query("select id from products where status = 'hold' and visible order by id limit 1")
  const { page } = await openWithoutScript()
  await page.goto(`/order/place/${rows[0].id}`)
  await page.getByRole('heading', { name: t('legacy.wait-title') }).waitFor()
  expect(await page.getByRole('button', { name: t('legacy.submit') }).count()).toBe(0)
})

test('signing in, wrongly and rightly, leads on', async () => {
  const { page, expectProblem } = await openWithoutScript()
  expectProblem(/422/)
  await page.goto('/login?way=password&next=/cart')
  await page.fill('#identifier', '01811000001')
  await page.fill('#password', 'not this one')
  await button(page, t('auth.sign-in')).click()
  await page.getByText(t('auth.wrong')).waitFor()
  await page.fill('#identifier', '০১৮১১ ০০০০০১')
  await page.fill('#password', 'khamar-demo')
  await button(page, t('auth.sign-in')).click()
  await page.waitForURL('**/cart')
})

test('the prices of the Kurbani filter are read whole on a phone', async () => {
  const { page } = await openWithoutScript()
  await page.goto('/kurbani')
  const fields = page.locator('input[name=minPrice], input[name=maxPrice]')
  const cut = await fields.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length)
  expect([await fields.count(), cut]).toEqual([2, 0])
})
