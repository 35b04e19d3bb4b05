import { expect, test } from 'vitest'
import { translate } from '#lib/i18n/translate.ts'
import '#messages/bn.ts'
import '#messages/en.ts'
import { complaints } from './axe.ts'
import { openPage } from './browser.ts'
import { button, fillCart, pick, writeDetails } from './checkout.ts'
import { browser, shop, useDemoShop } from './demo-shop.ts'

useDemoShop()

// A product is shared by WhatsApp, by the list of the device, or as a copied link.

const PATH = '/product/1'

test('the device shares title and link; a closed list says nothing', async () => {
  const { page } = await openPage(browser, { baseUrl: shop.url, width: 390, lang: 'bn' })
  await page.addInitScript(() => {
    const calls: ShareData[] = []
    Object.assign(window, { calls })
    Object.assign(navigator, {
      canShare: () => true,
      share(data: ShareData) {
        calls.push(data)
        return calls.length === 1 ? Promise.resolve() : Promise.reject(new DOMException('closed', 'AbortError'))
      },
    })
  })
  await page.goto(PATH)
  const t = translate('bn')
  const button = page.getByRole('button', { name: t('share.share') })
  const calls = () => page.evaluate(() => (window as unknown as { calls: ShareData[] }).calls)
  await button.click()
  await expect.poll(calls).toEqual([{ title: await page.getByRole('heading', { level: 1 }).textContent(), url: shop.url + PATH }])
  await button.click()
  await expect.poll(async () => (await calls()).length).toBe(2)
  expect(await page.getByRole('status').getByText(t('share.copied')).count()).toBe(0)
  expect(await complaints(page)).toEqual([])
})

test('without a list the link is copied; where that is forbidden it is shown', async () => {
  const { page, context } = await openPage(browser, { baseUrl: shop.url, width: 1280 })
  const t = translate('en')
  await page.addInitScript(() => Object.assign(navigator, { canShare: undefined }))
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(PATH)
  await page.getByRole('button', { name: t('share.share'), exact: true }).click()
  await page.getByText(t('share.copied')).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shop.url + PATH)
  await page.evaluate(() => Object.assign(navigator.clipboard, { writeText: () => Promise.reject(new Error('forbidden')) }))
  await page.getByRole('button', { name: t('share.share'), exact: true }).click()
  await page.getByText(t('share.failed', { url: shop.url + PATH })).waitFor()
})

test('the link to WhatsApp has name and address, also without scripts', async () => {
  const { page } = await openPage(browser, { baseUrl: shop.url, javaScript: false })
  await page.goto(PATH)
  const t = translate('en')
  const href = await page
    .getByRole('group', { name: t('share.title') })
    .getByRole('link')
    .getAttribute('href')
  const name = await page.getByRole('heading', { level: 1 }).textContent()
  expect(new URL(href!).searchParams.get('text')).toBe(`${name}\n${shop.url}${PATH}`)
  expect(await page.getByRole('button', { name: t('share.share'), exact: true }).count()).toBe(0)
})

test('the payment step shows the marks of the methods of the shop', async () => {
  const { page } = await openPage(browser, { baseUrl: shop.url, width: 390, lang: 'bn' })
  const t = translate('bn')
  await fillCart(page, [await pick('produce', '', 'bn')])
  await page.goto('/cart')
  await button(page, t('cart.proceed')).click()
  await writeDetails(page)
  await button(page, t('checkout.proceed-to-preview')).click()
  const marks = page.getByRole('group', { name: t('payment.title') }).getByRole('img')
  await marks.first().waitFor()
  const names = await marks.evaluateAll((images) => images.map((image) => (image as HTMLImageElement).alt))
  expect(names).toEqual(['bkash', 'nagad', 'rocket', 'visa', 'mastercard'].map((mark) => t(`payment.mark.${mark as 'bkash'}`)))
  expect(await complaints(page)).toEqual([])
})
