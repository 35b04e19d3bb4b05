import { describe, expect, test } from 'vitest'
import { translate } from '#lib/i18n/translate.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { sharedBrowser, openPage } from './browser.ts'
import { button, fillCart, ordersOf, pick, storedItems, toPreview, writeDetails } from './checkout.ts'
import { database, shop, useDemoShop } from './demo-shop.ts'
import { signIn } from './sign-in.ts'
import { newPhone } from './new-phone.ts'

useDemoShop()

// What a shopper does after a payment that failed, and how an order is followed.

const browser = await sharedBrowser()

test('a family books a cow: the card fails, the advance goes by bKash, and it is tracked by number and phone', async () => {
  const lang = 'bn'
  const t = translate(lang)
  const phone = newPhone()
  const { page, context } = await openPage(browser, { baseUrl: shop.url, lang })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const cow = await pick('cattle', 'Kurbani Cow', lang)
  await fillCart(page, [cow])
  await toPreview(page, lang, 'payment.full', phone)
  // Who pays in full need not read how an advance is sent.
  expect(await page.getByRole('heading', { name: t('booking.title') }).count()).toBe(0)
  await button(page, t('place.order')).click()
  await page.waitForURL(/demo-gateway/)
  await page.locator('button[formaction$="/fail"], form[action$="/fail"] button').first().click()
  await page.waitForURL(/\/invoice\/\d+/)
  await page.getByRole('heading', { name: t('payment-state.failed') }).waitFor()
  await page.getByText(t('invoice.next-unpaid')).waitFor()
  expect(await page.getByText(t('invoice.list-day'), { exact: true }).count()).toBe(0)

  await page.getByRole('button', { name: t('unpaid.advance', { amount: '৳১০,০০০' }) }).click()
  await page.waitForURL(/\/order\/confirmed\/\d+/)
  const id = (await ordersOf(phone))[0]!.id
  await page.getByText(t('place.thanks-text')).waitFor()
  await page.getByText(/-এর আগে ৳১০,০০০ না পাঠালে বুকিং বাতিল হয়ে যাবে।$/).waitFor()
  const copied = async (what: string) => {
    await page.getByRole('button', { name: t('advance.copy', { what }), exact: true }).click()
    await page.getByText(t('advance.copied-what', { what })).waitFor({ state: 'attached' })
    return page.evaluate(() => navigator.clipboard.readText())
  }
  expect(await copied(t('advance.send-amount'))).toBe('10000')
  expect(await copied(t('advance.reference-name'))).toBe(cow.tag_number)
  expect(await copied(t('advance.bkash'))).toMatch(/^01\d{9}$/)
  await page.reload()
  await page.getByText(t('advance.bkash'), { exact: true }).last().click()
  await page.fill('#transaction_id', `CARD${id}FAIL`)
  await page.fill('#sender', phone)
  await button(page, t('advance.send')).click()
  await page.getByText(t('advance.sent', { sms: true })).waitFor()
  expect(await page.getByRole('heading', { name: t('unpaid.title') }).count()).toBe(0)

  await page.goto('/track')
  await page.fill('#order', localizeDigits(lang, String(id)))
  await page.fill('#phone', phone)
  await button(page, t('track.submit')).click()
  await page.waitForURL(/\/track\/[\w-]{16,}/)
  await page.getByText(cow.product_type).first().waitFor()
  expect(await page.getByText(phone).count()).toBe(0)
})

describe('an unpaid order', () => {
  const t = translate('en')

  test('cancelled at the gateway: its products go back into the cart, and the order is cancelled', async () => {
    const phone = newPhone()
    const { page } = await openPage(browser, { baseUrl: shop.url })
    const fruit = await pick('produce')
    await fillCart(page, [fruit])
    await toPreview(page, 'en', 'payment.full', phone)
    await button(page, t('place.order')).click()
    await page.waitForURL(/demo-gateway/)
    await page.getByRole('button', { name: /cancel/i }).click()
    await page.waitForURL(/\/invoice\/\d+/)
    await page.getByRole('heading', { name: t('payment-state.abandoned') }).waitFor()
    expect(await storedItems(page)).toEqual([])
    await button(page, t('unpaid.change')).click()
    await button(page.getByRole('dialog'), t('unpaid.back-to-cart')).click()
    await page.waitForURL(/\/cart$/)
    expect(await storedItems(page)).toMatchObject([{ productId: fruit.id }])
    const { rows } = await database.query('select status from orders where phone = $1', [phone])
    expect(rows).toEqual([{ status: 'cancelled' }])
    // An ended order puts its products back into the cart in one press.
    await page.evaluate(() => localStorage.clear())
    await page.goBack()
    await page.waitForURL(/\/invoice\/\d+/)
    await page.reload()
    await button(page, t('unpaid.back-to-cart')).click()
    await page.waitForURL(/\/cart$/)
    expect(await storedItems(page)).toHaveLength(1)
  })

  test('takes its coupon back to the cart, too', async () => {
    const { page } = await openPage(browser, { baseUrl: shop.url })
    await fillCart(page, [await pick('produce')])
    await signIn(page, '01811000001')
    await page.goto('/cart')
    await page.fill('#coupon', 'EID10')
    await button(page, t('coupon.apply')).click()
    await page.getByText(t('coupon.applied')).waitFor()
    await button(page, t('cart.proceed')).click()
    await button(page, t('checkout.proceed-to-preview')).click()
    await page.getByRole('radio', { name: t('payment.full') }).check()
    await page.getByRole('checkbox').check()
    await button(page, t('place.order')).click()
    await page.waitForURL(/demo-gateway/)
    await page.getByRole('button', { name: /cancel/i }).click()
    await page.waitForURL(/\/invoice\/\d+/)
    await button(page, t('unpaid.change')).click()
    await button(page.getByRole('dialog'), t('unpaid.back-to-cart')).click()
    await page.waitForURL(/\/cart$/)
    await expect.poll(() => page.inputValue('#coupon')).toBe('EID10')
  })

  test('becomes cash on delivery; Back orders nothing again', async () => {
    const phone = newPhone()
    const { page } = await openPage(browser, { baseUrl: shop.url })
    await fillCart(page, [await pick('produce')])
    await toPreview(page, 'en', 'payment.full', phone)
    await button(page, t('place.order')).click()
    await page.waitForURL(/demo-gateway/)
    await page.getByRole('button', { name: /fail/i }).click()
    await page.waitForURL(/\/invoice\/\d+/)
    await button(page, t('payment-state.cod')).click()
    await page.waitForURL(/\/order\/confirmed\/\d+/)
    await page.getByText(t('confirmed.due'), { exact: true }).waitFor()
    await page.getByRole('link', { name: t('confirmed.account') }).waitFor()
    await page.goBack()
    await page.goto('/cart')
    expect(await storedItems(page)).toEqual([])
    expect(await ordersOf(phone)).toMatchObject([{ payment_type: 'cash_on_delivery' }])
  })
})

describe('small things on the way', () => {
  const t = translate('en')

  test('the hint at the button leads to the terms, whose box says the whole sentence', async () => {
    const { page } = await openPage(browser, { baseUrl: shop.url })
    await fillCart(page, [await pick('produce')])
    await toPreview(page, 'en', 'payment.cod', newPhone())
    await page.getByRole('checkbox').uncheck()
    const sentence = [t('terms.agree'), t('terms.terms'), t('terms.shipping')]
    const name = await page
      .getByRole('checkbox')
      .evaluate((box) => document.getElementById(box.getAttribute('aria-labelledby') ?? '')?.textContent)
    for (const part of sentence) expect(name).toContain(part)
    await button(page, t('place.needs-terms')).click()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('terms')
  })

  test('a session that ends during the details does not stop the order', async () => {
    const { page, context, expectProblem } = await openPage(browser, { baseUrl: shop.url })
    expectProblem(/address|401/)
    await fillCart(page, [await pick('produce')])
    await signIn(page, '01811000002')
    await page.goto('/cart')
    await database.query('delete from addresses where customer_id = (select id from users where phone = $1)', ['01811000002'])
    await page.reload()
    await button(page, t('cart.proceed')).click()
    await writeDetails(page, newPhone())
    await context.clearCookies({ name: 'sid' })
    await button(page, t('checkout.proceed-to-preview')).click()
    await button(page.getByRole('dialog'), t('address.go-on-unsaved')).click()
    await page.getByRole('heading', { name: t('checkout.preview-title') }).waitFor()
  })

  test('logging in leads back, and says that it worked', async () => {
    const { page } = await openPage(browser, { baseUrl: shop.url, width: 1280 })
    await page.goto('/fruits')
    await page.getByRole('link', { name: t('shell.login') }).click()
    await page.getByRole('link', { name: t('auth.with-password') }).click()
    await page.fill('#identifier', '01811000001')
    await page.fill('#password', 'khamar-demo')
    await page.locator('form[action="/login"] button[type=submit]').click()
    await page.waitForURL(/\/fruits$/)
    await page
      .getByRole('status')
      .getByText(/Logged in as/)
      .waitFor()
    await page.reload()
    expect(
      await page
        .getByRole('status')
        .getByText(/Logged in as/)
        .count(),
    ).toBe(0)
  })
})
