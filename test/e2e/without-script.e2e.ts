// The shop in a browser without scripts: forms and links alone.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { translate } from '#lib/i18n/translate.ts'
import { openPage } from './browser.ts'
import { button, ordersOf, pick } from './checkout.ts'
import { browser, database, shop, useDemoShop } from './demo-shop.ts'
import { newPhone } from './new-phone.ts'
import { signIn } from './sign-in.ts'

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

async function orderByForm(page: Page): Promise<number> {
  const phone = newPhone()
  await page.goto(`/order/place/${(await pick('produce')).id}`)
  for (const [id, text] of [
    ['full_name', 'Karim'],
    ['phone', phone],
    ['email', 'karim@example.com'],
    ['landmark', 'Near the mosque'],
    ['delivery_address', 'House 1'],
  ] as const)
    await page.fill(`#${id}`, text)
  await page.selectOption('#area', { index: 1 })
  await button(page, t('legacy.submit')).click()
  await page.waitForURL(/demo-gateway/)
  return (await ordersOf(phone))[0]!.id
}

const fail = (page: Page) => page.getByRole('button', { name: /fail/i }).click()

test('an order whose payment failed is paid again from its invoice, or becomes cash on delivery', async () => {
  const { page } = await openWithoutScript()
  const id = await orderByForm(page)
  await fail(page)
  await page.waitForURL(/\/invoice\/\d+/)
  await page.getByRole('button', { name: /^Pay ৳[\d,]+ now$/ }).click()
  await page.waitForURL(/demo-gateway/)
  await fail(page)
  await page.waitForURL(/\/invoice\/\d+/)
  await button(page, t('payment-state.cod')).click()
  await page.waitForURL(/\/order\/confirmed\/\d+/)
  const { rows } = await database.query('select payment_type, status from orders where id = $1', [id])
  expect(rows).toEqual([{ payment_type: 'cash_on_delivery', status: 'placed' }])
})

/** Buttons that only a script would answer. Thumbnails show a picture each. */
const deadButtons = (page: Page) =>
  page.locator('button:enabled:not(form[action] *, form[method] *, li > [aria-label^="Photo"])').filter({ visible: true }).allInnerTexts()

test('no page offers a button that only a script would answer', async () => {
  const { page } = await openWithoutScript()
  const id = await orderByForm(page)
  await fail(page)
  await page.waitForURL(/\/invoice\/\d+/)
  const animal = await pick('cattle')
  const dead: Record<string, string[]> = { [`/invoice/${id}`]: await deadButtons(page) }
  const see = async (paths: string[]) => {
    for (const path of paths) {
      await page.goto(path)
      dead[path] = await deadButtons(page)
    }
  }
  await see(['/beef', '/kurbani', `/product/${animal.id}`, `/animal/${animal.id}`])
  await signIn(page, '01811000001')
  await see(['/account', '/account/addresses', '/account/profile', '/account/security'])
  expect(Object.entries(dead).filter(([, texts]) => texts.length > 0)).toEqual([])
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

test('the small pictures of a product lead to the large ones', async () => {
  const { rows } = await database.query('select product_id from product_media group by product_id having count(*) > 1 limit 1')
  const { page } = await openWithoutScript()
  await page.goto(`/product/${rows[0]!.product_id}`)
  await page.getByRole('link', { name: /^Photo 2 of/ }).click()
  await page.waitForURL(/\/uploads\//)
})
