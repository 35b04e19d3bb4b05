import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import '#messages/bn.ts'
import '#messages/en.ts'
import { translate } from '#lib/i18n/translate.ts'
import { openPage } from './browser.ts'
import { browser, shop, useDemoShop } from './demo-shop.ts'

useDemoShop()

// What happens by itself between the first paint and rest.

const hiddenParts = '[style*="content-visibility"]'

test('what is far down comes a part in a frame, and all of it comes', async () => {
  const { page } = await openPage(browser, { baseUrl: shop.url })
  await page.addInitScript((parts) => {
    const counts: number[] = []
    Object.assign(window, { counts })
    const look = () => {
      counts.push(document.querySelectorAll(parts).length)
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  }, hiddenParts)
  await page.goto('/')
  await page.waitForFunction(() => window.pageAwake)
  await expect.poll(() => page.locator(hiddenParts).count()).toBe(0)
  const counts = await page.evaluate(() => (window as unknown as { counts: number[] }).counts)
  const falls = counts.slice(1).map((count, at) => counts[at]! - count)
  // More than one frame shows; the first look may come after the first frame.
  expect(Math.max(...counts)).toBeGreaterThan(8)
  expect(Math.max(...falls)).toBeLessThanOrEqual(8)
  expect(await page.evaluate(() => document.documentElement.dataset.early)).toBeUndefined()
  const last = page.locator('.snap-x > li:last-child').first()
  await last.scrollIntoViewIfNeeded()
  await expect(last.evaluate((card) => card.checkVisibility({ contentVisibilityAuto: true }))).resolves.toBe(true)
})

const watchFooter = (page: Page) =>
  page.addInitScript(() => {
    const moved: number[] = []
    Object.assign(window, { moved })
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as (PerformanceEntry & { value: number; sources: { node: Node | null }[] })[])
        if (sources.some(({ node }) => node?.nodeName === 'FOOTER')) moved.push(value)
    }).observe({ type: 'layout-shift', buffered: true })
  })

test.each([
  [390, 'en'],
  [390, 'bn'],
  [1280, 'en'],
  [1280, 'bn'],
] as const)('at %i px in %s the footer is not seen to move while the cart is read, be it empty or not', async (width, lang) => {
  const { page } = await openPage(browser, { baseUrl: shop.url, width, lang })
  await watchFooter(page)
  const t = translate(lang)
  const open = async (sign: Locator) => {
    await page.goto('/cart')
    await page.waitForFunction(() => window.pageAwake)
    await sign.waitFor()
    await expect.poll(() => page.locator(hiddenParts).count()).toBe(0)
    const { top, screen, moved } = await page.evaluate(() => ({
      top: document.querySelector('footer')!.getBoundingClientRect().top,
      screen: innerHeight,
      moved: (window as unknown as { moved: number[] }).moved,
    }))
    expect(moved).toEqual([])
    expect(top).toBeGreaterThanOrEqual(screen)
  }
  await open(page.getByRole('heading', { name: t('cart.empty-title') }))
  await page.goto('/fruits')
  await page.waitForFunction(() => window.pageAwake)
  await page
    .getByRole('button', { name: t('catalog.add-to-cart') })
    .first()
    .click()
  await open(page.locator('main [id^=line-]').first())
})
