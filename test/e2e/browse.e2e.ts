import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import '#messages/bn.ts'
import '#messages/en.ts'
import '#messages/bn-account.ts'
import type { ProductJson } from '#features/catalog/types.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { openPage } from './browser.ts'
import { browser, database, shop, useDemoShop } from './demo-shop.ts'
import { go } from './sign-in.ts'

useDemoShop()

/** As a shopper reads them, after discounts. */
const prices = (page: Page) =>
  page
    .locator('main section ul [data-product]')
    .evaluateAll((all) =>
      all.map((one) => Number(one.querySelector('div.tabular-nums .font-semibold')?.textContent?.replace(/[^\d.]/g, ''))),
    )
const count = (page: Page) => page.locator('main [aria-live=polite]').first().textContent()
const isFalling = (numbers: number[]) =>
  numbers.length > 1 && numbers.every((one, index) => index === 0 || one <= (numbers[index - 1] ?? 0))
const isWithin = (numbers: number[], min: number, max: number) => numbers.length > 0 && numbers.every((one) => one >= min && one <= max)
/** A browser that has seen the campaign. */
const seen = (page: Page) => page.context().addCookies([{ name: 'popup', value: '1', url: shop.url }])

describe('the listing', () => {
  test('weight, order, pages and Back, all in the address and without loading a page', async () => {
    const { page } = await openPage(browser, { baseUrl: shop.url, width: 1280 })
    await page.goto('/beef')
    await page.waitForFunction(() => window.pageAwake)
    await page.evaluate(() => ((window as unknown as { same: boolean }).same = true))
    await page.getByRole('link', { name: '200-225kg', exact: true }).click()
    await expect.poll(() => page.url()).toContain('minPrice=104000&maxPrice=117000')
    await expect.poll(async () => isWithin(await prices(page), 104_000, 117_000)).toBe(true)
    await expect(page.getByRole('link', { name: '200-225kg', exact: true }).getAttribute('aria-current')).resolves.toBe('true')

    await page.getByRole('link', { name: '200-225kg', exact: true }).click()
    await expect.poll(() => page.url()).not.toContain('minPrice')
    await page.getByLabel('Sort').selectOption({ label: 'Price: High to Low' })
    await expect.poll(() => page.url()).toContain('sort=desc')
    await expect.poll(async () => isFalling(await prices(page))).toBe(true)

    await page.goBack()
    await expect.poll(() => page.url()).toBe(`${shop.url}/beef`)
    await page.goBack()
    await expect.poll(async () => isWithin(await prices(page), 104_000, 117_000)).toBe(true)
    expect(await page.evaluate(() => (window as unknown as { same?: boolean }).same)).toBe(true)
  })

  test('pages: the count line, Next, a link to a page, and the product behind a card with Back to the same page', async () => {
    const { page } = await openPage(browser, { baseUrl: shop.url })
    await seen(page)
    await page.goto('/?page=2')
    await page.waitForFunction(() => window.pageAwake)
    await expect.poll(() => count(page)).toMatch(/^21 - 40 of \d+ products$/)
    // By key: cards that come into sight get their own heights, and move the link between the two halves of a press.
    await page.getByRole('link', { name: 'Next' }).press('Enter')
    await expect.poll(() => count(page)).toMatch(/^41 - /)
    const card = page.locator('#all-products [data-status=in-stock] h3 a, #all-products [data-status=out-of-stock] h3 a').first()
    const name = await card.textContent()
    await card.click()
    await page.getByRole('heading', { level: 1, name: name ?? '' }).waitFor()
    await page.goBack()
    await expect.poll(() => page.url()).toContain('page=3')
    await expect.poll(() => count(page)).toMatch(/^41 - /)
  })

  test('20 skeletons while it loads, an offer to try again when it fails', async () => {
    const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url })
    expectProblem(/api\/products|ERR_FAILED|Failed to load/)
    await page.goto('/fruits')
    await page.waitForFunction(() => window.pageAwake)
    let release = (): void => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/api/products?*', async (route) => {
      await held
      await route.abort()
    })
    await page.getByLabel('Sort').selectOption('asc')
    await page.locator('[data-skeletons="20"]').waitFor()
    expect(await page.locator('[data-skeletons] > div').count()).toBe(20)
    release()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await page.unroute('**/api/products?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(async () => (await prices(page)).length).toBeGreaterThan(3)
  })

  test('an empty list says so and links to all products', async () => {
    const { page } = await openPage(browser, { baseUrl: shop.url })
    await page.goto('/fruits?minPrice=900000')
    await page.getByText('No products found').waitFor()
    await page.getByRole('link', { name: 'View all' }).click()
    await expect.poll(async () => (await prices(page)).length).toBeGreaterThan(3)
  })

  test('what changes at the farm shows within ten seconds, without touching the page', async () => {
    const { page } = await openPage(browser, { baseUrl: shop.url })
    await page.clock.install()
    await page.goto('/beef')
    await page.waitForFunction(() => window.pageAwake)
    const card = page.locator('[data-product][data-status=in-stock]').first()
    const id = Number(await card.getAttribute('data-product'))
    await database.query("update products set status = 'hold' where id = $1", [id])
    const known = async () => (await fetch(`${shop.url}/api/product-status-update?productIds=${id}`)).json()
    await expect.poll(known).toMatchObject({ products: [{ id, status: 'hold' }] })
    const same = page.locator(`[data-product="${id}"]`)
    await page.clock.runFor(10_000)
    await expect.poll(() => same.getAttribute('data-status')).toBe('hold')
    expect(await same.getByRole('button', { name: 'Ordering will start soon' }).isDisabled()).toBe(true)
    expect(await same.locator('h3 a').getAttribute('href')).toBe(`/order/place/${id}`)
    await database.query("update products set status = 'in-stock' where id = $1", [id])
  })

  test.each<[string, RegExp]>([
    ['/', /Order Now/],
    ['/beef?minPrice=104000&maxPrice=117000&sort=asc', /1 - \d+ of/],
    ['/search?q=mango', /Himsagar/],
    ['/product/1', /Weight records/],
    ['/terms-condition', /Orders and prices/],
  ])('%s is whole without script', async (path, text) => {
    const { page } = await openPage(browser, { baseUrl: shop.url, javaScript: false })
    await page.goto(path)
    await page.getByText(text).first().waitFor()
    if (path.startsWith('/beef')) {
      await page.getByRole('button', { name: 'Sort' }).waitFor()
      const shown = await prices(page)
      expect(isWithin(shown, 104_000, 117_000)).toBe(true)
      expect(shown).toEqual(shown.toSorted((a, b) => a - b))
      await page.getByRole('link', { name: 'All weights' }).click()
      await expect.poll(() => page.url()).toBe(`${shop.url}/beef?sort=asc`)
    }
  })
})

test.each<Lang>(['en', 'bn'])('into the cart: toast, badge, mark on the card, and a dialog the second time (%s)', async (lang) => {
  const { page } = await openPage(browser, { baseUrl: shop.url, lang })
  const t = translate(lang)
  await page.goto('/fruits')
  const card = page.locator('[data-product][data-status=in-stock]').first()
  await card.getByRole('button', { name: t('catalog.add-to-cart') }).click()
  await page.getByText(t('catalog.added')).waitFor()
  await page.getByText(t('catalog.added')).waitFor({ state: 'hidden' })
  await card.getByText(t('catalog.in-cart')).waitFor()
  await page
    .getByText(t('shell.cart-count', { count: 1 }))
    .first()
    .waitFor({ state: 'attached' })
  await card.getByRole('button', { name: t('catalog.add-to-cart') }).click()
  const dialog = page.getByRole('dialog', { name: t('catalog.duplicate-title') })
  await dialog.getByText(t('catalog.duplicate-text')).waitFor()
  await dialog.getByRole('button', { name: t('catalog.continue-shopping') }).click()
  await dialog.waitFor({ state: 'hidden' })
  await card.getByRole('button', { name: t('catalog.add-to-cart') }).click()
  await dialog.getByRole('link', { name: t('catalog.go-to-cart') }).click()
  await page.waitForURL('**/cart')
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem('cartData') ?? '[]').length)).toBe(1)
})

test('a list follows answers of the specified fields alone, turn after turn, and after one that makes no sense', async () => {
  const { page } = await openPage(browser, { baseUrl: shop.url })
  const answers: ((price: number) => object)[] = [
    (price) => ({ status: 'hold', price, note: 'soon', delivery_date: null }),
    () => ({ status: 'lost' }),
    (price) => ({ status: 'sold', price, note: '', delivery_date: null }),
  ]
  const listing = (await (await fetch(`${shop.url}/api/products?category_name=Fruits`)).json()) as { products: ProductJson[] }
  const product = listing.products.find(({ status, discount }) => status === 'in-stock' && discount !== null)!
  await page.route('**/api/product-status-update*', (route) =>
    route.fulfill({ json: { products: answers.slice(0, 1).map((row) => ({ id: product.id, ...row(product.price) })) } }),
  )
  await page.clock.install()
  await page.goto('/fruits')
  await page.waitForFunction(() => window.pageAwake)
  const card = page.locator(`[data-product="${product.id}"]`).first()
  const price = await card.locator('.tabular-nums').first().textContent()
  const becomes = (status: string) => expect.poll(() => page.clock.runFor(10_000).then(() => card.getAttribute('data-status'))).toBe(status)
  await becomes('hold')
  expect(await card.locator('.tabular-nums').first().textContent()).toBe(price)
  answers.shift()
  await page.clock.runFor(20_000)
  expect(await card.getAttribute('data-status')).toBe('hold')
  answers.shift()
  await becomes('sold')
})

test('the campaign comes up once, and the server is told at once', async () => {
  const { page } = await openPage(browser, { baseUrl: shop.url })
  const told = page.waitForRequest((request) => request.url().endsWith('/mark-popup-shown'))
  await page.goto('/')
  expect((await told).postDataJSON()).toEqual({ shown: true })
  expect((await told).headers()['x-csrf-token']).toBeTruthy()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  // No button opened it: Tab goes on at the top of the page, not behind its last link.
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement!.getBoundingClientRect().top < innerHeight)).toBe(true)
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await page.reload()
  await page.waitForFunction(() => window.pageAwake)
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('the other language is one press away, keeps the address, and is remembered', async () => {
  const { page } = await openPage(browser, { baseUrl: shop.url })
  await page.goto('/beef?sort=asc')
  await page.getByRole('button', { name: 'বাংলা' }).click()
  await page.getByRole('heading', { level: 1, name: translate('bn')('beef.title') }).waitFor()
  expect(page.url()).toBe(`${shop.url}/beef?sort=asc`)
  await page.goto('/fruits')
  await expect(page.locator('html').getAttribute('lang')).resolves.toBe('bn')
  expect(await page.locator('[data-product]').first().textContent()).toMatch(/[০-৯]/)
})

test('the language changes in place, also of a rejected form: Back leads to the page before', async () => {
  const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url })
  expectProblem(/422/)
  const shown = (lang: Lang) => page.locator(`html[lang=${lang}]`).waitFor()
  const press = (name: string) => page.getByRole('button', { name }).first().click()
  await go(page, '/fruits')
  await go(page, '/beef?lang=en&sort=asc')
  await press('বাংলা')
  await shown('bn')
  await page.waitForURL('**/beef?sort=asc')
  await page.goBack()
  await page.waitForURL('**/fruits')
  await go(page, '/login?way=password')
  await page.locator('#password').press('Enter')
  await page.getByText(translate('bn')('auth.password-required')).first().waitFor()
  await press('English')
  await shown('en')
  await page.goBack()
  await page.goBack()
  await page.waitForURL('**/fruits')
})

test('the product page: pictures by the thumbnails, a video only when asked, photos over a list', async () => {
  const { page } = await openPage(browser, { baseUrl: shop.url, width: 1280 })
  const foreign: string[] = []
  page.on(
    'request',
    (request) => void (request.url().startsWith(shop.url) || request.url().startsWith('data:') || foreign.push(request.url())),
  )
  await page.goto('/search?q=K-101')
  await page.getByRole('link', { name: 'Details' }).waitFor()
  await page
    .getByRole('button', { name: /Photos and video/ })
    .first()
    .click()
  const modal = page.getByRole('dialog', { name: /Photos and video/ })
  await modal.getByRole('button', { name: 'Next', exact: true }).click()
  await modal.getByRole('img', { name: /^Photo 2 of/ }).waitFor()
  await page.keyboard.press('ArrowLeft')
  await modal.getByRole('img', { name: /^Photo 1 of/ }).waitFor()
  await page.keyboard.press('Escape')
  await modal.waitFor({ state: 'detached' })

  await page.getByRole('link', { name: 'Details' }).click()
  await page.getByRole('heading', { name: 'Weight records' }).waitFor()
  await page.getByRole('button', { name: /^Photo 2 of/ }).click()
  await page.getByRole('img', { name: /Photo 2 of/ }).waitFor()
  expect(foreign).toEqual([])
  const data = await page.locator('script[type="application/ld+json"]').allTextContents()
  expect(data.map((text) => JSON.parse(text)['@type'])).toEqual(['Product', 'BreadcrumbList'])
})

test('missing and withdrawn products', async () => {
  await database.query('update products set visible = false where id = (select max(id) from products)')
  const { rows } = await database.query('select max(id) as id from products')
  const status = async (path: string) => (await fetch(`${shop.url}${path}`)).status
  expect(
    await Promise.all([`/product/${rows[0].id}`, '/product/99999999', '/product/abc', '/product/99999999999999999999'].map(status)),
  ).toEqual([410, 404, 404, 404])
})

test('a name without a space, a long note and a price of nine digits stay within a small screen', async () => {
  const { page } = await openPage(browser, { baseUrl: shop.url })
  await page.setViewportSize({ width: 320, height: 700 })
  const { rows } = await database.query(
    "select id, name_en, price_poisha, note_en from products where category_id = 3 and status = 'in-stock' order by id limit 1",
  )
  const before = rows[0] as { id: number; name_en: string; price_poisha: string; note_en: string }
  const write = (name: string, price: string, note: string) =>
    database.query('update products set name_en = $2, price_poisha = $3, note_en = $4 where id = $1', [before.id, name, price, note])
  await write('Mango'.repeat(30), '9999999900', 'Note'.repeat(60))
  for (const path of [`/product/${before.id}`, '/fruits?sort=desc', `/order/place/${before.id}`, '/search?q=MangoMango']) {
    await page.goto(path)
    await page.getByText('MangoMango').first().waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), path).toBe(0)
  }
  await write(before.name_en, before.price_poisha, before.note_en)
})
