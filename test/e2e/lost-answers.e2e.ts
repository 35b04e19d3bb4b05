import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addDays, dhakaDate } from '#lib/format/time.ts'
import { translate } from '#lib/i18n/translate.ts'
import { openPage } from './browser.ts'
import { button, fillCart, ordersOf, pick, toPreview, writeDetails } from './checkout.ts'
import { browser, database, shop, useDemoShop } from './demo-shop.ts'
import { go, signIn } from './sign-in.ts'
import { newPhone } from './new-phone.ts'

useDemoShop()

// A checkout over mobile data that loses answers.

const t = translate('en')
const CUSTOMER = '01811000001'

/** The first answer of this call is lost, and its request arrives. */
async function loseAnswer(page: Page, url: string): Promise<void> {
  let isLost = false
  await page.route(url, async (route) => {
    if (isLost) return route.continue()
    isLost = true
    await route.fetch()
    return route.abort()
  })
}

test('the answer to an order with a cow is lost: the cow is on hold for it, and trying again finds the order', async () => {
  const phone = newPhone()
  const [cow, fruit] = [await pick('cattle'), await pick('produce')]
  const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url })
  expectProblem(/customer-orders|ERR_FAILED/)
  await fillCart(page, [cow, fruit])
  await toPreview(page, 'en', 'payment.advance', phone)
  await loseAnswer(page, '**/customer-orders')
  await button(page, t('place.order')).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(t('place.try-again-safe')).waitFor()
  await button(dialog, t('place.ok')).click()
  // The refresh finds the cow on hold.
  await page.getByText(t('place.product-gone')).waitFor()
  await button(page, t('place.order')).click()
  await page.waitForURL(/\/order\/confirmed\/\d+/)
  expect(await ordersOf(phone)).toHaveLength(1)
  await go(page, '/cart')
  await page.getByRole('heading', { name: t('cart.empty-title') }).waitFor()
})

test.each([
  ['cash for fruit', 'produce', 'payment.cod'],
  ['an advance for a cow', 'cattle', 'payment.advance'],
] as const)(
  'the answer to an order is lost (%s), and the shopper chooses to pay in full: it is found, and there is no second one',
  async (_way, group, option) => {
    const phone = newPhone()
    const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url })
    expectProblem(/customer-orders|ERR_FAILED|409/)
    await fillCart(page, [await pick(group)])
    await toPreview(page, 'en', option, phone)
    await loseAnswer(page, '**/customer-orders')
    await button(page, t('place.order')).click()
    await button(page.getByRole('dialog'), t('place.ok')).click()
    await page.getByRole('radio', { name: t('payment.full') }).check()
    await button(page, t('place.order')).click()
    await page.waitForURL(/\/(invoice|order\/confirmed)\/\d+/)
    const [order, ...others] = await ordersOf(phone)
    expect([new URL(page.url()).pathname.endsWith(`/${order!.id}`), others]).toEqual([true, []])
  },
)

test('the answer to an order is lost that used up its coupon, and the page is loaded again: the order is found', async () => {
  const phone = newPhone()
  const code = `ONCE${phone}`
  await database.query(`insert into coupons (code, kind, percent_bp, max_uses_per_customer) values ($1, 'percentage', 1000, 1)`, [code])
  const fruit = await pick('produce')
  await database.query('update products set coupon_applicable = true where id = $1', [fruit.id])
  const ordered = async () =>
    (await database.query('select count(*)::int as lines from order_lines where product_id = $1', [fruit.id])).rows[0].lines
  const before = await ordered()
  const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url })
  expectProblem(/coupons\/validate|customer-orders|ERR_FAILED|400|409/)
  await signIn(page, CUSTOMER)
  await fillCart(page, [fruit])
  await go(page, '/cart')
  await page.fill('#coupon', code)
  await button(page, t('coupon.apply')).click()
  await page.getByText(t('coupon.applied')).waitFor()
  await button(page, t('cart.proceed')).click()
  await button(page, t('checkout.proceed-to-preview')).click()
  await page.getByRole('radio', { name: t('payment.cod') }).check()
  await page.getByRole('checkbox').check()
  await loseAnswer(page, '**/customer-orders')
  await button(page, t('place.order')).click()
  await button(page.getByRole('dialog'), t('place.ok')).click()
  await go(page, '/cart')
  await button(page, t('cart.proceed')).click()
  await button(page, t('checkout.proceed-to-preview')).click()
  await page.getByRole('checkbox').check()
  await button(page, t('place.order')).click()
  await page.waitForURL(/\/order\/confirmed\/\d+/)
  expect(await ordered()).toBe(before + 1)
})

test('the check of a coupon gets no answer after a reload: the order is not placed without it', async () => {
  // A second try has a coupon of its own.
  const code = `LOST${newPhone()}`
  await database.query(`insert into coupons (code, kind, percent_bp) values ($1, 'percentage', 1000)`, [code])
  const fruit = await pick('produce')
  await database.query('update products set coupon_applicable = true where id = $1', [fruit.id])
  const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url })
  expectProblem(/coupons\/validate|ERR_FAILED|422/)
  await signIn(page, CUSTOMER)
  await fillCart(page, [fruit])
  await go(page, '/cart')
  await page.fill('#coupon', code)
  await button(page, t('coupon.apply')).click()
  await page.getByText(t('coupon.applied')).waitFor()
  await page.route('**/coupons/validate', (route) => route.abort())
  await go(page, '/cart')
  await button(page, t('cart.proceed')).click()
  await button(page, t('checkout.proceed-to-preview')).click()
  await page.getByRole('radio', { name: t('payment.cod') }).check()
  await page.getByRole('checkbox').check()
  await page.unroute('**/coupons/validate')
  await button(page, t('place.order')).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/The total is now/).waitFor()
  await button(dialog, t('place.ok')).click()
  await page.getByText(code).first().waitFor()
  await button(page, t('place.order')).click()
  await page.waitForURL(/\/order\/confirmed\/\d+/)
  const { rows } = await database.query('select count(*)::int as uses from coupon_uses where code = $1', [code])
  expect(rows).toEqual([{ uses: 1 }])
})

test('a chosen day that is far ahead outlives a reload: the products that decide about it load later', async () => {
  const fruit = await pick('produce')
  const from = addDays(dhakaDate(new Date()), 20)
  await database.query(`update products set status = 'pre-book', delivery_on = $2 where id = $1`, [fruit.id, from])
  const { page } = await openPage(browser, { baseUrl: shop.url })
  await fillCart(page, [fruit])
  await go(page, '/cart')
  await button(page, t('cart.proceed')).click()
  await writeDetails(page)
  const days = page.locator('#delivery_on')
  await expect.poll(async () => (await days.locator('option').nth(1).getAttribute('value')) ?? '').toSatisfy((day: string) => day > from)
  const day = (await days.locator('option').nth(2).getAttribute('value'))!
  await days.selectOption(day)
  // The products load after the page shows the days.
  await page.route('**/api/product-status-update*', async (route) => {
    await days.waitFor()
    await route.continue()
  })
  await page.reload()
  await expect.poll(() => days.inputValue()).toBe(day)
})

test('a new address counts at once, also when the book cannot be read again', async () => {
  const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url })
  expectProblem(/address\/all|ERR_FAILED|could not be read/)
  await signIn(page, CUSTOMER)
  await database.query('delete from addresses where customer_id = (select id from users where phone = $1)', [CUSTOMER])
  await database.query(
    `insert into addresses (customer_id, name, address, area_id, is_default)
      select u.id, 'Nasrin', 'Old House 1', (select min(id) from areas where active), true from users u where u.phone = $1`,
    [CUSTOMER],
  )
  await fillCart(page, [await pick('produce')])
  await go(page, '/cart')
  await button(page, t('cart.proceed')).click()
  const card = page.getByRole('region', { name: t('address.saved') })
  await card.getByText('Old House 1').waitFor()
  await page.route('**/address/all', (route) => route.abort())
  await button(card, t('address.add')).click()
  const panel = page.getByRole('dialog')
  await panel.locator('[name=address]').fill('New House 2')
  await panel.locator('[name=area_id]').selectOption({ index: 1 })
  await button(panel, t('address.save')).click()
  await panel.waitFor({ state: 'hidden' })
  await card.getByText('New House 2').waitFor()
  await page.getByRole('button', { name: /New House 2/ }).click()
  await panel.locator('[name=address]').fill('New House 3')
  await button(panel, t('address.save')).click()
  await panel.waitFor({ state: 'hidden' })
  await card.getByText('New House 3').waitFor()
})

test('a form that is pressed twice on a slow network is sent once: one code, and the sign-in leads back', async () => {
  const phone = newPhone()
  const { page } = await openPage(browser, { baseUrl: shop.url })
  await go(page, '/login?way=code&next=/cart%23details')
  // Forms arrive at once, and their answers take a while.
  await page.route(/\/(login\/code|code)$/, async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    const response = await route.fetch({ maxRedirects: 0 })
    await new Promise((resolve) => setTimeout(resolve, 1500))
    // A second press has ended this request.
    return route.fulfill({ response }).catch(() => {})
  })
  const pressTwice = (name: string) => button(page.locator('main'), name).click({ clickCount: 2, delay: 300, noWaitAfter: true })
  await page.fill('#phone', phone)
  await pressTwice(t('auth.send-code'))
  await page.waitForURL('**/code')
  const { rows } = await database.query(`select body from sms_outbox where phone = $1`, [phone])
  expect(rows).toHaveLength(1)
  await page.fill('#code', /\d{6}/.exec(rows[0].body)![0])
  await pressTwice(t('auth.continue'))
  await page.waitForURL(/security\/name\?next=/)
  await page.getByRole('link', { name: t('auth.skip'), exact: true }).click()
  await page.waitForURL('**/cart#details')
})
