import { describe, expect, test } from 'vitest'
import { CART_KEY } from '#features/cart/rules.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { openPage } from './browser.ts'
import { button, fillCart, ordersOf, pick, storedItems, toPreview, writeDetails } from './checkout.ts'
import { browser, database, shop, useDemoShop } from './demo-shop.ts'
import { newPhone } from './new-phone.ts'

useDemoShop()

describe.each<Lang>(['en', 'bn'])('a guest buys on a phone (%s)', (lang) => {
  const t = translate(lang)

  test('from the product to the invoice, in cash', async () => {
    const product = await pick('produce', '', lang)
    const phone = newPhone()
    const { page } = await openPage(browser, { baseUrl: shop.url, lang })
    await page.goto(`/product/${product.id}`)
    await page.waitForFunction(() => window.pageAwake)
    await page
      .getByRole('region', { name: t('shell.next') })
      .getByRole('button', { name: t('catalog.add-to-cart') })
      .click()
    await page.getByText(t('catalog.added')).waitFor()
    await page.goto('/cart')

    await page.getByRole('heading', { name: t('cart.title') }).waitFor()
    await page.getByRole('button', { name: t('cart.plus', { name: product.product_type }) }).waitFor()
    await button(page, t('cart.proceed')).click()
    await page.getByRole('heading', { name: t('checkout.details-title') }).waitFor()

    // Nothing typed: the messages stand at the fields, and the first wrong one has the focus.
    await button(page, t('checkout.proceed-to-preview')).click()
    for (const key of [
      'details.name-required',
      'details.email-required',
      'details.phone-required',
      'details.address-required',
      'details.area-required',
    ] as const) {
      expect(await page.getByText(t(key), { exact: true }).count()).toBe(1)
    }
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('name')

    await writeDetails(page, phone)
    await button(page, t('checkout.proceed-to-preview')).click()
    await page.getByRole('heading', { name: t('checkout.preview-title') }).waitFor()

    // Back goes one step, forward again, a reload stays, and nothing typed is lost.
    await page.goBack()
    expect(await page.inputValue('#name')).toBe('রহিমা খাতুন')
    await page.goForward()
    await page.reload()
    await page.getByRole('heading', { name: t('checkout.preview-title') }).waitFor()

    const place = button(page, t('place.order'))
    expect(await place.isDisabled()).toBe(true)
    await page.getByRole('radio', { name: t('payment.cod') }).check()
    expect(await place.isDisabled()).toBe(true)
    await page.getByRole('checkbox').check()
    await place.dblclick()

    await page.waitForURL(/\/order\/confirmed\/\d+$/)
    const thanks = page.getByRole('dialog', { name: t('place.thanks') })
    await thanks.getByText(t('place.thanks-text')).waitFor()
    expect(await storedItems(page)).toEqual([])
    await thanks.getByRole('link', { name: t('place.ok'), exact: true }).click()
    await page.waitForURL(/\/invoice\/\d+$/)
    await page.getByText(t('payment-state.cod')).first().waitFor()
    expect(await ordersOf(phone)).toMatchObject([{ payment_type: 'cash_on_delivery' }])
  })
})

describe('paying online', () => {
  const t = translate('en')

  test('failed, cancelled and paid at last; nothing is called paid before', async () => {
    const phone = newPhone()
    const { page } = await openPage(browser, { baseUrl: shop.url })
    await fillCart(page, [await pick('cattle')])
    await toPreview(page, 'en', 'payment.full', phone)
    await button(page, t('place.order')).click()
    await page.waitForURL(/demo-gateway/)
    await page.getByRole('button', { name: /fail/i }).click()
    await page.waitForURL(/\/invoice\/\d+/)
    await page.getByRole('heading', { name: t('payment-state.failed') }).waitFor()

    await page.getByRole('button', { name: /^Pay ৳.* now$/ }).click()
    await page.waitForURL(/demo-gateway/)
    await page.getByRole('button', { name: /cancel/i }).click()
    await page.waitForURL(/\/invoice\/\d+/)
    await page.getByRole('heading', { name: t('payment-state.abandoned') }).waitFor()
    expect(await page.getByText(t('payment-state.paid')).count()).toBe(0)

    await page.getByRole('button', { name: /^Pay ৳.* now$/ }).click()
    await page.waitForURL(/demo-gateway/)
    await page.getByRole('button', { name: /^pay/i }).first().click()
    await page.waitForURL(/\/order\/confirmed\/\d+/)
    await page.getByRole('heading', { name: t('place.thanks') }).waitFor()
    expect(await ordersOf(phone)).toHaveLength(1)
  })

  test('Back from the payment page the cart says that the order waits, and leads on to pay, in Bengali', async () => {
    const lang = 'bn'
    const words = translate(lang)
    const phone = newPhone()
    const { page } = await openPage(browser, { baseUrl: shop.url, lang })
    await fillCart(page, [await pick('produce')])
    await toPreview(page, lang, 'payment.full', phone)
    await button(page, words('place.order')).click()
    await page.waitForURL(/demo-gateway/)
    const gateway = page.url()
    const id = (await ordersOf(phone))[0]?.id
    await page.goBack()
    await page.waitForURL(/\/cart/)
    await page.getByRole('heading', { name: words('cart.order-waits', { id: localizeDigits(lang, String(id)) }) }).waitFor()
    await page.getByText(words('cart.invoice')).click()
    await page.waitForURL(`**/invoice/${id}`)
    await page.goBack()
    await page.locator('section[role=status] button').click()
    await page.waitForURL(gateway)
    expect(await ordersOf(phone)).toHaveLength(1)
    await page.getByRole('button', { name: /^pay/i }).first().click()
    await page.waitForURL(/\/order\/confirmed\/\d+/)
    await page.getByRole('heading', { name: words('place.thanks') }).waitFor()
    await page.goto('/cart')
    await page.getByText(words('cart.last-order', { id: localizeDigits(lang, String(id)) })).waitFor()
    expect(await page.getByText(words('cart.invoice')).count()).toBe(0)
  })

  test('a payment that comes in while the invoice is open shows by itself', async () => {
    const { page, context } = await openPage(browser, { baseUrl: shop.url })
    await fillCart(page, [await pick('produce')])
    const phone = newPhone()
    await toPreview(page, 'en', 'payment.full', phone)
    await button(page, t('place.order')).click()
    await page.waitForURL(/demo-gateway/)
    const gateway = page.url()
    const id = (await ordersOf(phone))[0]?.id
    const invoice = await context.newPage()
    await invoice.goto(`/invoice/${id}`)
    await invoice.getByRole('heading', { name: t('payment-state.waiting') }).waitFor()
    await page.goto(gateway)
    await page.getByRole('button', { name: /^pay/i }).first().click()
    await page.waitForURL(/\/order\/confirmed\/\d+/)
    await invoice.waitForURL(/\/order\/confirmed\/\d+/)
    await invoice.getByRole('heading', { name: t('place.thanks') }).waitFor()
  })

  test('an advance by hand: the order, the phone confirmed by its code, then the transaction number', async () => {
    const phone = newPhone()
    const { page } = await openPage(browser, { baseUrl: shop.url })
    await fillCart(page, [await pick('cattle', 'Kurbani Cow')])
    await toPreview(page, 'en', 'payment.advance', phone)
    await page.getByRole('heading', { name: t('booking.title') }).waitFor()
    await page.getByText(t('booking.pay', { amount: '৳10,000' })).waitFor()
    await button(page, t('place.order')).click()
    await page.waitForURL(/\/order\/confirmed\/\d+/)
    await page.getByText(t('place.thanks-text')).waitFor()
    await page.getByText(/or the booking ends/).waitFor()
    const shown = () => page.getByText(/Send .* before .*, then/).textContent()
    const before = await shown()
    await button(page, t('advance.confirm-phone')).click()
    await page.waitForURL(/\/code/)
    const sent = await database.query("select body from sms_outbox where purpose = 'code' and phone = $1 order by id desc limit 1", [phone])
    await page.fill('#code', /\d{6}/.exec(sent.rows[0].body)?.[0] ?? '')
    await button(page, t('auth.continue')).click()
    await page.waitForURL(/\/invoice\/\d+/)
    await page.getByText(t('order-event.phone-proven')).waitFor()
    expect([await button(page, t('advance.confirm-phone')).count(), (await shown()) === before]).toEqual([0, false])
    await page.getByText(t('advance.bkash'), { exact: true }).last().click()
    const number = phone.slice(-8)
    await page.fill('#transaction_id', `৮n${number}`)
    await page.fill('#sender', phone)
    await button(page, t('advance.send')).click()
    await page.getByText(t('advance.sent', { sms: true })).waitFor()
    const { rows } = await database.query(
      'select transaction_id, state from advance_reports c join orders o on o.id = c.order_id where o.phone = $1',
      [phone],
    )
    expect(rows).toEqual([{ transaction_id: `8N${number}`, state: 'waiting' }])
  })
})

describe('when something goes wrong', () => {
  const t = translate('en')

  test('an animal sold meanwhile: back to the cart, which says which one', async () => {
    const cow = await pick('cattle')
    const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url })
    expectProblem(/customer-orders: 410|status of 410/)
    await fillCart(page, [cow, await pick('produce')])
    await toPreview(page, 'en', 'payment.full', newPhone())
    await page.route('**/api/product-status-update*', (route) => route.abort())
    expectProblem(/product-status-update|ERR_FAILED/)
    await database.query("update products set status = 'sold' where id = $1", [cow.id])
    await button(page, t('place.order')).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(t('place.failed')).waitFor()
    await dialog.getByText(cow.product_type).waitFor()
    await page.unroute('**/api/product-status-update*')
    await button(dialog, t('place.ok')).click()
    await page.getByRole('heading', { name: t('cart.title') }).waitFor()
    await page.getByText(t('cart.gone')).waitFor()
    await button(page, t('cart.proceed')).click()
    await page.getByText(t('cart.gone-warning')).filter({ visible: true }).waitFor()
    await page
      .getByRole('button', { name: t('cart.remove-of', { name: cow.product_type }) })
      .first()
      .click()
    await button(page, t('cart.proceed')).click()
    await page.getByRole('heading', { name: t('checkout.details-title') }).waitFor()
  })

  test('no answer to the order: it says so, and trying again orders once', async () => {
    const phone = newPhone()
    const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url })
    expectProblem(/customer-orders|ERR_FAILED/)
    await fillCart(page, [await pick('produce')])
    await toPreview(page, 'en', 'payment.cod', phone)
    // First nothing gets out, then the order arrives but its answer is lost.
    let tries = 0
    await page.route('**/customer-orders', async (route) => {
      tries += 1
      if (tries === 2) await route.fetch()
      return tries <= 2 ? route.abort() : route.continue()
    })
    for (let time = 0; time < 2; time++) {
      await button(page, t('place.order')).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText(t('place.no-response')).waitFor()
      await button(dialog, t('place.ok')).click()
    }
    expect(await storedItems(page)).toHaveLength(1)
    await button(page, t('place.order')).click()
    await page.getByText(t('place.thanks-text')).waitFor()
    expect(tries).toBe(3)
    expect(await ordersOf(phone)).toHaveLength(1)
  })

  test.each(['{', '[{"productId":1}]', '"text"', '[null,{"productId":-1,"quantity":"x"}]'])(
    'a broken cart (%s) is an empty cart',
    async (text) => {
      const { page } = await openPage(browser, { baseUrl: shop.url })
      await page.addInitScript(([key, broken]) => localStorage.setItem(key as string, broken as string), [CART_KEY, text] as const)
      await page.goto('/cart')
      await page.getByRole('heading', { name: t('cart.empty-title') }).waitFor()
      await button(page, t('cart.proceed')).click()
      await page.getByRole('dialog').getByText(t('cart.empty')).waitFor()
    },
  )
})
