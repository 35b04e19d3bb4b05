import sharp from 'sharp'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { complaints } from './axe.ts'
import { sharedBrowser, openPage } from './browser.ts'
import { startShop, type Shop } from '../server.ts'

let shop: Shop
let browser: Browser

beforeAll(async () => {
  ;[shop, browser] = await Promise.all([startShop({ demo: true }), sharedBrowser()])
})
afterAll(async () => {
  await shop?.stop()
})

const isClean = async (page: Page, where: string) => expect(await complaints(page), where).toEqual([])

async function signIn(page: Page): Promise<void> {
  await page.goto('/login?way=password')
  await page.fill('#identifier', '01711000002')
  await page.fill('#password', 'khamar-demo')
  await page.locator('form[action="/login"] button[type=submit]').click()
  await page.waitForURL((url) => !url.pathname.startsWith('/login'))
}

/** A photograph as a telephone takes it: large, lying on its side, with the place in it. */
const photograph = (background: string) =>
  sharp({ create: { width: 2400, height: 1800, channels: 3, background } })
    .withExif({ IFD3: { GPSLatitude: '23/1 48/1 0/1', GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 95 })
    .toBuffer()

test('a new product with pictures from a phone is in the shop at once', async () => {
  const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url })
  // Browsers log the 422 of a rejected form.
  expectProblem(/422/)
  await signIn(page)
  await page.goto('/admin/products')
  await isClean(page, 'list')
  await page.getByRole('link', { name: 'Add a product' }).click()
  await page.waitForFunction(() => window.pageAwake)

  const colours = ['#a04030', '#308040', '#3040a0']
  const files = await Promise.all(
    colours.map(async (colour, index) => ({ name: `IMG_${index}.jpg`, mimeType: 'image/jpeg', buffer: await photograph(colour) })),
  )
  await page.getByLabel('Choose photos').setInputFiles([...files, { name: 'x.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<svg/>') }])
  await page.getByRole('img', { name: 'Photo 3' }).waitFor()
  await page.getByText('x.jpg: Unsupported picture').waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByRole('button', { name: 'Move photo 3 forward' }).click()
  await page.getByRole('button', { name: 'Remove photo 3' }).click()
  await page.getByRole('button', { name: 'Crop photo 1' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Frame' }).focus()
  await page.keyboard.press('ArrowDown')
  await isClean(page, 'cropping')
  await dialog.getByRole('button', { name: 'Crop', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })

  await page.getByLabel('Name in English').fill('Haribhanga mango')
  await page.getByLabel('Category', { exact: true }).selectOption({ label: 'Fruits' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('This field is required.').first().waitFor()
  await isClean(page, 'form with errors')
  await page.getByLabel('Name in Bengali').fill('হাঁড়িভাঙ্গা আম')
  await page.getByLabel('Price (৳)').fill('১৮০')
  await page.getByLabel('Initial stock').fill('40')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(/\/admin\/products\/\d+$/)
  await page.getByRole('heading', { name: 'Haribhanga mango' }).waitFor()
  expect(await page.getByRole('img', { name: /^Photo/ }).count()).toBe(2)
  await isClean(page, 'product')

  const id = new URL(page.url()).pathname.split('/').at(-1)
  const product = (await (await fetch(`${shop.url}/api/products/${id}`)).json()) as {
    price: number
    picture: { width: number; height: number }
  }
  expect([product.price, product.picture.width / product.picture.height]).toEqual([180, expect.closeTo(4 / 3, 1)])
  const shopper = await openPage(browser, { baseUrl: shop.url })
  await shopper.page.goto('/search?q=haribhanga')
  await shopper.page.getByRole('link', { name: 'Haribhanga mango' }).first().waitFor()
}, 120_000)

test('what is hidden is seen by the staff only, and prices of several change after a look (1280 px, Bengali)', async () => {
  const { page, context } = await openPage(browser, { baseUrl: shop.url, width: 1280, lang: 'bn' })
  await context.addCookies([{ name: 'lang', value: 'bn', url: shop.url }])
  await signIn(page)
  await page.goto('/admin/products?kind=goods&visibility=shop&sort=price&order=asc')
  await page.waitForFunction(() => window.pageAwake)
  await page.getByRole('checkbox').nth(1).check()
  await page.getByRole('checkbox').nth(2).check()
  await page.getByRole('button', { name: 'দাম', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('পরিমাণ', { exact: true }).fill('-১০')
  await dialog.getByRole('button', { name: 'পরিবর্তন দেখুন' }).click()
  await dialog.getByRole('button', { name: '২টি বদলান' }).waitFor()
  await isClean(page, 'several prices')
  // The list reloads when the import is done.
  await Promise.all([page.waitForEvent('load'), dialog.getByRole('button', { name: '২টি বদলান' }).click()])
  await page.waitForFunction(() => window.pageAwake)

  await page.getByRole('checkbox').nth(1).check()
  await page.getByRole('button', { name: 'প্রকাশ বা লুকান' }).click()
  await page.getByRole('dialog').getByLabel('দৃশ্যমানতা').selectOption('false')
  await page.getByRole('dialog').getByRole('button', { name: 'পরিবর্তন দেখুন' }).click()
  await Promise.all([page.waitForEvent('load'), page.getByRole('dialog').getByRole('button', { name: '১টি বদলান' }).click()])
  await page.goto('/admin/products?visibility=hidden')
  const href = await page.locator('tbody tr a').first().getAttribute('href')
  const id = href?.split('/').at(-1)
  expect((await fetch(`${shop.url}/product/${id}?preview=1`)).status).toBe(410)
  await page.goto(`/product/${id}?preview=1`)
  await page.getByText('আগে দেখা: শুধু কর্মীরা দেখছেন').waitFor()
  await isClean(page, 'preview')
  await page.goto('/admin/products/import')
  await isClean(page, 'import')
}, 120_000)
