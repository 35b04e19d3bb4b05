// Two touches where one was meant. The second one reaches what the first one has brought under the finger.
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import '#messages/en.ts'
import { translate } from '#lib/i18n/translate.ts'
import { openPage } from './browser.ts'
import { button, fillCart, pick, storedItems } from './checkout.ts'
import { browser, shop, useDemoShop } from './demo-shop.ts'

useDemoShop()

const t = translate('en')

async function tapTwice(page: Page, target: Locator): Promise<void> {
  await target.scrollIntoViewIfNeeded()
  const { x, y, width, height } = (await target.boundingBox())!
  const at = [x + width / 2, y + height / 2] as const
  await page.touchscreen.tap(...at)
  await page.waitForTimeout(100)
  await page.touchscreen.tap(...at)
}

const quantities = async (page: Page) => ((await storedItems(page)) as { quantity: number }[]).map(({ quantity }) => quantity)

test.each(['first', 'last'] as const)('the %s pack is added as it is', async (place) => {
  const { page } = await openPage(browser, { baseUrl: shop.url })
  await page.goto('/fruits')
  await page.waitForFunction(() => window.pageAwake)
  const pack = page.locator('main .packs-row').first().locator('.pack')[place]()
  const amount = Number(await pack.getAttribute('data-milli')) / 1000
  await tapTwice(page, pack)
  await page.getByText(t('catalog.added')).waitFor()
  expect(await quantities(page)).toEqual([amount])
  // Another press on the stepper counts.
  await page.waitForTimeout(500)
  await page.locator('main .stepper button').last().click()
  expect(await quantities(page)).not.toEqual([amount])
})

test('one product leaves the cart', async () => {
  const { page } = await openPage(browser, { baseUrl: shop.url })
  const products = [await pick('produce'), await pick('produce'), await pick('produce')]
  await fillCart(page, products)
  await page.goto('/cart')
  const remove = (name: string) => button(page, t('cart.remove-of', { name }))
  await remove(products[0]!.product_type).click()
  await page.waitForTimeout(500)
  await tapTwice(page, remove(products[1]!.product_type))
  await page.getByText(t('cart.removed', { name: products[1]!.product_type })).waitFor()
  expect(await quantities(page)).toHaveLength(1)
})
