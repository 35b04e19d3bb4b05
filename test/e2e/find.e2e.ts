import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import '#messages/suggestions.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import { complaints } from './axe.ts'
import { openPage } from './browser.ts'
import { fillCart, pick } from './checkout.ts'
import { browser, shop, useDemoShop } from './demo-shop.ts'
import { go } from './sign-in.ts'

useDemoShop()

// Ways to the products: suggestions of the search box, "See all" of a home section, and the headers that hold them.

const MAX_PHONE_HEADER = 120

/** Types into the search box and waits for the list. */
async function suggest(page: Page, typed: string) {
  const box = page.locator('#search-box')
  await box.click()
  await box.fill('')
  await box.pressSequentially(typed)
  const list = page.getByRole('listbox', { name: translate((await page.locator('html').getAttribute('lang')) as Lang)('suggest.label') })
  await list.waitFor()
  await list.getByRole('option').last().filter({ hasText: typed }).waitFor()
  return { box, list, options: list.getByRole('option') }
}

describe.each<[Lang, 390 | 1280, string]>([
  ['en', 390, 'mango'],
  ['bn', 1280, 'আম'],
])('suggestions (%s, %i px)', (lang, width, typed) => {
  const t = translate(lang)
  const open = async () => {
    const { page } = await openPage(browser, { baseUrl: shop.url, lang, width })
    // Not the home page, whose advertisement takes the focus.
    await go(page, '/fruits')
    return page
  }

  test('arrow keys walk through the list and back to the field; Escape closes it and keeps the text', async () => {
    const page = await open()
    const { box, list, options } = await suggest(page, typed)
    const count = await options.count()
    expect(count).toBeGreaterThan(1)
    expect([await box.getAttribute('role'), await box.getAttribute('aria-expanded')]).toEqual(['combobox', 'true'])
    await options
      .last()
      .getByText(t('suggest.all', { query: typed }))
      .waitFor()
    expect(await complaints(page)).toEqual([])

    /** The position that is read out: of an option, or -1 for the field. */
    const position = async () => {
      const selected = await options.evaluateAll((all) => all.findIndex((one) => one.getAttribute('aria-selected') === 'true'))
      const active = await box.getAttribute('aria-activedescendant')
      expect(active).toBe(selected < 0 ? null : await options.nth(selected).getAttribute('id'))
      return selected
    }
    const press = async (key: string, expected: number) => {
      await box.press(key)
      await expect.poll(position).toBe(expected)
    }
    await press('ArrowDown', 0)
    await press('ArrowDown', 1)
    await press('ArrowUp', 0)
    await press('ArrowUp', -1)
    await press('ArrowUp', count - 1)
    await press('ArrowDown', -1)
    await press('ArrowDown', 0)
    await box.press('Escape')
    await list.waitFor({ state: 'hidden' })
    expect([await box.inputValue(), await box.getAttribute('aria-expanded')]).toEqual([typed, 'false'])
    expect(new URL(page.url()).pathname).toBe('/fruits')
    await box.press('ArrowDown')
    await list.waitFor()
  })

  test('Enter opens the chosen product, all results from the last row, and searches without a choice', async () => {
    const page = await open()
    const first = await suggest(page, typed)
    await first.box.press('ArrowDown')
    const href = (await first.options.first().getAttribute('data-href')) ?? ''
    expect(href).toMatch(/^\/(product|animal|order\/place)\/\d+/)
    await first.box.press('Enter')
    await page.waitForURL(`**${href}`)

    await page.waitForFunction(() => window.pageAwake)
    const second = await suggest(page, typed)
    await second.box.press('ArrowUp')
    await second.box.press('Enter')
    await page.waitForURL((url) => url.pathname === '/search' && url.searchParams.get('q') === typed)

    await go(page, '/fruits')
    const third = await suggest(page, typed)
    await third.box.press('Enter')
    await page.waitForURL((url) => url.pathname === '/search' && url.searchParams.get('q') === typed)
    expect(await page.inputValue('#search-box')).toBe(typed)
  })
})

test.each<[Lang, 390 | 1280]>([
  ['en', 390],
  ['bn', 1280],
])('"See all" of a home section leads to the page of its category (%s, %i px)', async (lang, width) => {
  const t = translate(lang)
  const { page } = await openPage(browser, { baseUrl: shop.url, lang, width })
  // This browser has seen the advertisement, which would cover the links.
  await page.context().addCookies([{ name: 'popup', value: '1', url: shop.url }])
  await go(page, '/')
  const links = page.getByRole('link', { name: new RegExp(`^${t('home.see-all')}: `) })
  expect(await links.count()).toBeGreaterThan(0)
  const href = (await links.first().getAttribute('href')) ?? ''
  await links.first().click()
  await page.waitForURL(`**${href}`)
  await page.waitForFunction(() => window.pageAwake)
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
  expect(await page.locator('main article, main li [data-add], main [data-card]').count()).toBeGreaterThan(0)
  expect(await complaints(page)).toEqual([])
})

test.each<[Lang, 390 | 1280]>([
  ['en', 390],
  ['bn', 1280],
])('the checkout has no search and a slim footer; the cart says that the day is chosen next (%s, %i px)', async (lang, width) => {
  const t = translate(lang)
  const { page } = await openPage(browser, { baseUrl: shop.url, lang, width })
  const heightOf = async (role: 'banner' | 'contentinfo') => (await page.getByRole(role).boundingBox())?.height ?? Infinity
  await go(page, '/fruits')
  const normal = await heightOf('contentinfo')
  await fillCart(page, [await pick('produce', '', lang)])
  await go(page, '/cart')
  await page.getByText(t('notice.choose-day')).waitFor()
  expect(await page.locator('#search-box').count()).toBe(0)
  const header = page.getByRole('banner')
  expect(await header.getByRole('link', { name: t('cart.back-to-shop') }).getAttribute('href')).toBe('/')
  expect(await header.locator('a[href^="tel:"]').count()).toBe(1)
  expect(await heightOf('banner')).toBeLessThanOrEqual(60)
  expect(await heightOf('contentinfo')).toBeLessThan(normal / 2)
})

test.each<[Lang, boolean]>([
  ['en', true],
  ['bn', true],
  ['en', false],
  ['bn', false],
])('the header of a phone stays low, also before its fonts are loaded (%s, fonts: %s)', async (lang, hasFonts) => {
  const { page, context, expectProblem } = await openPage(browser, { baseUrl: shop.url, lang })
  if (!hasFonts) {
    expectProblem(/woff2/)
    await context.route(/\.woff2/, (route) => route.abort())
  }
  for (const path of ['/', '/fruits', '/login']) {
    await page.goto(path)
    for (const width of [390, 360, 320]) {
      await page.setViewportSize({ width, height: 844 })
      expect((await page.getByRole('banner').boundingBox())?.height, `${path} ${width} px`).toBeLessThanOrEqual(MAX_PHONE_HEADER)
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${path} ${width} px`).toBe(true)
    }
  }
})
