import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { openPage } from './browser.ts'
import { admin, browser, shop, useDemoShop } from './demo-shop.ts'
import { openPos } from './pos-page.ts'
import { go } from './sign-in.ts'

useDemoShop()

// What has the focus and what is chosen, for weak eyes: on dark areas, in lists that cut, and in the colors of the reader.

const OWNER = '01711000001'
const INDIGO = [54, 72, 154]
const YELLOW = [246, 197, 27]

/** The sides of the focused element at which the ring of this color is seen. */
async function ringSides(page: Page, element: Locator, color: number[]): Promise<string[]> {
  // A key before, so that the browser shows the focus.
  await page.keyboard.press('Shift')
  await element.scrollIntoViewIfNeeded()
  await element.focus()
  const { x, y, width, height } = (await element.boundingBox())!
  const out = 8
  const clip = { x: Math.max(0, x - out), y: Math.max(0, y - out), width: width + 2 * out, height: height + 2 * out }
  const { data, info } = await sharp(await page.screenshot({ clip }))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const isColor = (left: number, top: number) => {
    const at = (Math.round(top) * info.width + Math.round(left)) * info.channels
    return color.every((value, index) => Math.abs(value - data[at + index]!) < 24)
  }
  const sideways = (from: number) => Array.from({ length: out }, (_, by) => from + by)
  const middle = { x: Math.min(x, out) + width / 2, y: Math.min(y, out) + height / 2 }
  return [
    sideways(0).some((top) => isColor(middle.x, top)) && 'top',
    sideways(info.height - out).some((top) => isColor(middle.x, top)) && 'bottom',
    sideways(0).some((left) => isColor(left, middle.y)) && 'left',
    sideways(info.width - out).some((left) => isColor(left, middle.y)) && 'right',
  ].filter((side) => side !== false)
}

const ALL = ['top', 'bottom', 'left', 'right']

test('the ring of the focus is seen on dark areas, and whole around the name of a card', async () => {
  const { page } = await openPage(browser, { baseUrl: shop.url, lang: 'bn' })
  await go(page, '/fruits')
  expect(await ringSides(page, page.locator('main article h3 a').first(), INDIGO)).toEqual(ALL)
  expect(await ringSides(page, page.locator('footer a').first(), YELLOW)).toEqual(ALL)
  const staff = await admin(OWNER)
  await go(staff.page, '/admin/orders')
  expect(await ringSides(staff.page, staff.page.locator('.sidebar-link').nth(2), YELLOW)).toEqual(ALL)
  await staff.page.locator('tbody .pick input').first().check()
  expect(await ringSides(staff.page, staff.page.locator('.admin-bar button').last(), YELLOW)).toEqual(ALL)
})

// The colors of the reader take backgrounds away.

const styleOf = (element: Locator, name: 'backgroundColor' | 'outlineStyle') =>
  element.evaluate((one, key) => getComputedStyle(one)[key], name)

test('in colors of the reader a chosen option has a line', async () => {
  const { page } = await openPage(browser, { baseUrl: shop.url, width: 1280 })
  await page.emulateMedia({ forcedColors: 'active' })
  await go(page, '/')
  await page.fill('#search-box', 'man')
  const options = page.getByRole('option')
  await options.first().waitFor()
  await page.locator('#search-box').press('ArrowDown')
  await expect.poll(() => options.first().getAttribute('aria-selected')).toBe('true')
  expect([await styleOf(options.first(), 'outlineStyle'), await styleOf(options.nth(1), 'outlineStyle')]).toEqual(['solid', 'none'])
})

test('in colors of the reader charts have their bars', async () => {
  const { page } = await admin(OWNER)
  await page.emulateMedia({ forcedColors: 'active' })
  await go(page, '/admin/reports')
  const colors = await page.locator('[role=img] .bg-leaf-600').evaluateAll((all) => all.map((bar) => getComputedStyle(bar).backgroundColor))
  expect(new Set(colors)).toEqual(new Set(['rgb(0, 0, 0)']))
})

test('in colors of the reader a rating fills as many stars as it has', async () => {
  const { page } = await admin(OWNER)
  await page.emulateMedia({ forcedColors: 'active' })
  await go(page, '/admin/reviews?state=all')
  const looks = await page.locator('main .bg-clip-text').evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundImage))
  expect(looks.length).toBeGreaterThan(0)
  expect(looks.filter((look) => !look.includes('gradient'))).toEqual([])
})

test('in colors of the reader a pressed key differs from the others', async () => {
  const { page } = await admin(OWNER)
  await page.emulateMedia({ forcedColors: 'active' })
  await openPos(page)
  const keys = page.locator('[aria-labelledby=pos-favourites] button[aria-pressed]')
  await keys.first().click()
  await expect.poll(() => keys.first().getAttribute('aria-pressed')).toBe('true')
  expect(await styleOf(keys.first(), 'backgroundColor')).not.toBe(await styleOf(keys.nth(1), 'backgroundColor'))
})
