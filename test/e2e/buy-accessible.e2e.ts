import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import '#messages/bn.ts'
import '#messages/en.ts'
import { CART_KEY } from '#features/cart/rules.ts'
import { cartItemOf, storedCart } from '#features/cart/stored-rules.ts'
import type { ProductJson } from '#features/catalog/types.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { complaints } from './axe.ts'
import { sharedBrowser, openPage } from './browser.ts'
import { startShop, type Shop } from '../server.ts'
import { newPhone } from './new-phone.ts'

let shop: Shop
let browser: Browser

beforeAll(async () => {
  ;[shop, browser] = await Promise.all([startShop({ demo: true }), sharedBrowser()])
})

afterAll(async () => {
  await shop?.stop()
})

async function products(): Promise<ProductJson[]> {
  const lists = await Promise.all(
    ['Fruits', 'Kurbani%20Cow'].map(
      async (name) => (await fetch(`${shop.url}/api/products?category_name=${name}`)).json() as Promise<{ products: ProductJson[] }>,
    ),
  )
  return lists.flatMap((list) => list.products.filter((product) => product.status === 'in-stock').slice(0, 1))
}

test.each<[Lang, 390 | 1280]>([
  ['en', 390],
  ['bn', 1280],
])('the checkout from cart to invoice has no accessibility violations (%s, %i px)', async (lang, width) => {
  const t = translate(lang)
  const { page } = await openPage(browser, { baseUrl: shop.url, lang, width })
  const press = (name: string) => page.getByRole('button', { name, exact: true }).filter({ visible: true }).first().click()
  const isClean = async (where: string) => expect(await complaints(page), where).toEqual([])

  await page.goto('/cart')
  await page.getByRole('heading', { name: t('cart.empty-title') }).waitFor()
  await isClean('empty cart')

  const items = (await products()).map(cartItemOf).map((item, index) => ({ ...item, basePrice: item.basePrice + (index === 0 ? -5 : 5) }))
  await page.evaluate(([key, text]) => localStorage.setItem(key as string, text as string), [
    CART_KEY,
    storedCart([...items, { ...items[0]!, productId: 999_999 }]),
  ] as const)
  await page.reload()
  await page.getByText(t('cart.changed')).waitFor()
  await page.getByText(t('cart.reduced')).waitFor()
  await isClean('cart with a higher price, a lower one and something gone')
  await page.evaluate(([key, text]) => localStorage.setItem(key as string, text as string), [
    CART_KEY,
    storedCart((await products()).map(cartItemOf)),
  ] as const)
  await page.reload()

  await press(t('cart.proceed'))
  await press(t('checkout.proceed-to-preview'))
  await isClean('details with errors')
  await page.getByRole('textbox', { name: `${t('details.alternate')} (${t('details.optional')})`, exact: true }).waitFor()
  await page.fill('#name', 'রহিমা')
  await page.fill('#email', 'rahima@example.com')
  await page.fill('#phone', newPhone())
  await page.selectOption('#area_id', { index: 1 })
  await page.fill('#address', 'House 1')
  await press(t('checkout.proceed-to-preview'))
  await page.getByRole('radio', { name: t('payment.partial') }).check()
  await page.fill('#part', '1')
  await isClean('preview with a part that is too small')
  expect(await page.locator('#part-hint').textContent()).toMatch(/৳[^৳]+৳/)
  const policies = `${t('terms.terms')}, ${t('terms.privacy')}, ${t('terms.returns')} ${t('terms.and')} ${t('terms.shipping')}`
  await page.getByRole('checkbox', { name: `${t('terms.agree')} ${policies}`, exact: true }).waitFor()
  await page.getByRole('radio', { name: t('payment.advance') }).check()
  await page.getByRole('checkbox').check()
  await press(t('place.order'))
  await page.waitForURL(/\/order\/confirmed\//)
  await isClean('confirmation with an advance form')
  await page.getByRole('link', { name: t('place.ok'), exact: true }).click()
  await page.waitForURL(/\/invoice\//)
  await press(t('advance.send'))
  await isClean('invoice with an advance form')
})

test('the refused one-product form and the refused tracking form have no accessibility violations', async () => {
  const [fruit] = await products()
  const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url })
  expectProblem(/order-store|422/)
  await page.goto(`/order/place/${fruit!.id}`)
  await page.evaluate(() => document.querySelectorAll('main form [required]').forEach((field) => field.removeAttribute('required')))
  await page.getByRole('button', { name: translate('en')('legacy.submit') }).click()
  await page.getByRole('alert').waitFor()
  expect(await complaints(page)).toEqual([])
  await page.goto('/track')
  await page.locator('main button[type=submit]').click()
  await page.locator('#order-error').waitFor()
  expect(await complaints(page)).toEqual([])
})

test('the whole order can be made with the keyboard alone', async () => {
  const { page } = await openPage(browser, { baseUrl: shop.url, width: 1280 })
  const [fruit] = await products()
  await page.addInitScript(([key, text]) => localStorage.getItem(key as string) ?? localStorage.setItem(key as string, text as string), [
    CART_KEY,
    storedCart([cartItemOf(fruit!)]),
  ] as const)
  const t = translate('en')
  const tabTo = async (name: string) => {
    for (let press = 0; press < 60; press++) {
      const focused = await page.evaluate(() => [document.activeElement?.textContent?.trim(), document.activeElement?.id])
      if (focused.includes(name)) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`The keyboard does not reach "${name}".`)
  }
  await page.goto('/cart')
  await page.getByRole('button', { name: t('cart.plus', { name: fruit!.product_type }) }).waitFor()
  await tabTo(t('cart.proceed'))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: t('checkout.details-title') }).waitFor()
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  for (const [field, text] of [
    ['name', 'Rahima'],
    ['email', 'r@example.com'],
    ['phone', newPhone()],
  ] as const) {
    await tabTo(field)
    await page.keyboard.type(text)
  }
  await tabTo('area_id')
  await page.keyboard.press('ArrowDown')
  await tabTo('address')
  await page.keyboard.type('House 1')
  await tabTo(t('checkout.proceed-to-preview'))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: t('checkout.preview-title') }).waitFor()
  await tabTo('pay-full')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await tabTo('terms')
  await page.keyboard.press('Space')
  await tabTo(t('place.order'))
  await page.keyboard.press('Enter')
  await page.getByText(t('place.thanks-text')).waitFor()
  await tabTo(t('place.ok'))
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/invoice\//)
})
