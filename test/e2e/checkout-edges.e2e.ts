import { describe, expect, test } from 'vitest'
import { CART_KEY, MAX_LINES } from '#features/cart/rules.ts'
import { cartItemOf, storedCart } from '#features/cart/stored-rules.ts'
import { translate } from '#lib/i18n/translate.ts'
import { openPage } from './browser.ts'
import { button, fillCart, pick, toPreview, writeDetails } from './checkout.ts'
import { browser, database, shop, useDemoShop } from './demo-shop.ts'
import { newPhone } from './new-phone.ts'
import { signIn } from './sign-in.ts'

useDemoShop()

const t = translate('en')
const CUSTOMER = '01811000002'

describe('a product that the cart cannot take', () => {
  const blockStorage = () =>
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('denied', 'SecurityError')
      },
    })
  const fullStorage = () => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  }
  const fullCart = ([key, text]: [string, string]) => localStorage.setItem(key, text)

  test.each([
    ['blocks its storage', 'unsaved', blockStorage],
    ['has no space left', 'unsaved', fullStorage],
    ['has a full cart', 'full', fullCart],
  ] as const)('a browser that %s: the product is ordered directly, not lost on the way to the cart', async (_name, reason, prepare) => {
    const product = await pick('cattle')
    const { page } = await openPage(browser, { baseUrl: shop.url })
    const items = Array.from({ length: MAX_LINES }, (_, index) => ({ ...cartItemOf(product), productId: 1_000_000 + index }))
    await page.addInitScript(prepare as (argument: [string, string]) => void, [CART_KEY, storedCart(items)] as [string, string])
    await page.goto(`/product/${product.id}`)
    await page.waitForFunction(() => window.pageAwake)
    const bar = page.getByRole('region', { name: t('shell.next') })
    const dialog = page.getByRole('dialog')
    for (const press of [
      button(bar, `${t('catalog.add-to-cart')}: ${product.product_type}`),
      bar.getByRole('link', { name: t('catalog.order-now') }),
    ]) {
      await press.click()
      await dialog.getByRole('heading', { name: t(`catalog.cart-${reason}-title`) }).waitFor()
      await dialog.getByText(t(`catalog.cart-${reason}`, { name: product.product_type })).waitFor()
      await dialog.getByRole('link', { name: /01\d{9}/ }).waitFor()
      expect(new URL(page.url()).pathname).toBe(`/product/${product.id}`)
      expect(await page.getByText(t('catalog.added')).count()).toBe(0)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
    }
    await button(bar, `${t('catalog.add-to-cart')}: ${product.product_type}`).click()
    await dialog.getByRole('link', { name: t('catalog.order-directly') }).click()
    await page.waitForURL(`**/order/place/${product.id}`)
    await page.getByRole('heading', { name: product.product_type }).waitFor()
  })
})

describe('the third step', () => {
  test('Back leads to the details, and the keyboard meets terms, Back and Place Order in this order', async () => {
    for (const width of [390, 1280] as const) {
      const { page } = await openPage(browser, { baseUrl: shop.url, width })
      await fillCart(page, [await pick('produce')])
      await toPreview(page, 'en', 'payment.cod')
      await page.getByRole('checkbox').focus()
      const reached: string[] = []
      for (let presses = 0; presses < 8 && reached.at(-1) !== t('place.order'); presses++) {
        await page.keyboard.press('Tab')
        reached.push((await page.evaluate(() => document.activeElement?.textContent)) ?? '')
      }
      expect(reached).toEqual([
        ...(['terms.terms', 'terms.privacy', 'terms.returns', 'terms.shipping'] as const).map((key) => t(key)),
        t('checkout.back'),
        t('place.order'),
      ])
      await button(page, t('checkout.back')).click()
      await page.getByRole('heading', { name: t('checkout.details-title') }).waitFor()
      expect(await page.inputValue('#name')).toBe('রহিমা খাতুন')
    }
  })

  test('two cows: banner, part and advance all name what both need', async () => {
    const phone = newPhone()
    const { page } = await openPage(browser, { baseUrl: shop.url })
    await fillCart(page, [await pick('cattle', 'Kurbani Cow'), await pick('cattle', 'Kurbani Cow')])
    await toPreview(page, 'en', 'payment.advance', phone)
    await page.getByText(t('booking.pay', { amount: '৳20,000' })).waitFor()
    await page.getByText(t('payment.partial-text', { amount: '৳20,000' })).waitFor()
    await page.getByRole('radio', { name: t('payment.partial') }).check()
    await page.fill('#part', '15000')
    await page.getByText(t('partial.belowAdvance', { amount: '৳20,000' })).waitFor()
    await page.getByRole('radio', { name: t('payment.advance') }).check()
    await button(page, t('place.order')).click()
    await page.waitForURL(/\/order\/confirmed\/\d+/)
    await page.getByText(/^Send ৳20,000 before .*, or the booking ends/).waitFor()
    expect(await page.inputValue('#amount')).toBe('20000')
    const { rows } = await database.query('select payable_poisha::int as payable from orders where phone = $1', [phone])
    expect(rows).toEqual([{ payable: 2_000_000 }])
  })
})

test('a step that could not be loaded comes by itself, with the cart as it was', async () => {
  const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url })
  expectProblem(/later-steps|ERR_FAILED/)
  let requests = 0
  await page.route('**/assets/later-steps*.js', (route) => (requests++ === 0 ? route.abort() : route.continue()))
  await fillCart(page, [await pick('produce')])
  await page.goto('/cart')
  await button(page, t('cart.proceed')).click()
  await page.getByRole('status', { name: t('checkout.loading') }).waitFor()
  await writeDetails(page)
  await button(page, t('checkout.proceed-to-preview')).click()
  await page.getByRole('radio', { name: t('payment.cod') }).waitFor()
  expect(requests).toBe(2)
})

test('a step that never loads says so and offers to try again; the cart is as it was', async () => {
  const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url })
  expectProblem(/later-steps|ERR_FAILED/)
  let isBlocked = true
  await page.route('**/assets/later-steps*.js', (route) => (isBlocked ? route.abort() : route.continue()))
  await fillCart(page, [await pick('produce')])
  await page.goto('/cart')
  await button(page, t('cart.proceed')).click()
  // The page has tried once by itself.
  await page.waitForEvent('load')
  await page.getByText(t('shell.not-loaded')).waitFor()
  isBlocked = false
  await button(page, t('checkout.again')).click()
  await writeDetails(page)
})

test('the button of a step that still loads waits for it, so no press is lost', async () => {
  const { page } = await openPage(browser, { baseUrl: shop.url })
  await page.clock.install()
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/assets/later-steps*.js', async (route) => {
    await released
    await route.continue()
  })
  await fillCart(page, [await pick('produce')])
  await page.goto('/cart')
  await button(page, t('cart.proceed')).click()
  const next = button(page, t('checkout.proceed-to-preview'))
  await next.waitFor()
  expect(await next.isDisabled()).toBe(true)
  // On a slow network it says so, and does not stop what is on its way by loading the page again.
  let loads = 0
  page.on('load', () => (loads += 1))
  await page.clock.fastForward(60_000)
  await page.getByText(t('shell.not-loaded')).waitFor()
  release()
  await expect.poll(() => next.isEnabled()).toBe(true)
  expect(loads).toBe(0)
  await next.click()
  await page.getByText(t('details.phone-required')).first().waitFor()
})

test('while an address is saved the button of a phone is busy, and Back to the cart stays there', async () => {
  const { page } = await openPage(browser, { baseUrl: shop.url })
  await database.query('delete from addresses where customer_id = (select id from users where phone = $1)', [CUSTOMER])
  await signIn(page, CUSTOMER)
  const asked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  await page.route('**/address/add/*', async (route) => {
    asked.resolve()
    await released.promise
    await route.continue()
  })
  await fillCart(page, [await pick('produce')])
  await page.goto('/cart')
  await button(page, t('cart.proceed')).click()
  await writeDetails(page)
  const next = button(page, t('checkout.proceed-to-preview'))
  await next.click()
  await asked.promise
  expect(await next.isDisabled()).toBe(true)
  await button(page, t('checkout.back-to-cart')).click()
  await page.getByRole('heading', { name: t('cart.title') }).waitFor()
  released.resolve()
  await page.getByText(t('address.added')).waitFor()
  expect(new URL(page.url()).hash).toBe('')
  await button(page, t('cart.proceed')).click()
  await page.getByText('House 12, Road 7').first().waitFor()
})

test('the only cow is sold while her buyer reads the preview: no payment is offered, and a link leads to what is gone', async () => {
  const cow = await pick('cattle')
  const { page } = await openPage(browser, { baseUrl: shop.url })
  await fillCart(page, [cow])
  await toPreview(page, 'en', 'payment.advance', newPhone())
  await database.query(`update products set status = 'sold' where id = $1`, [cow.id])
  await button(page, t('place.needs-available')).click()
  await page.getByText(t('place.product-gone')).waitFor()
  expect(await page.getByRole('radio').count()).toBe(0)
  await page.keyboard.press('Enter')
  await page.getByText(t('cart.gone')).waitFor()
})
