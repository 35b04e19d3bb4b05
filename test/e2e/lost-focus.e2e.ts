import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import '#messages/bn.ts'
import '#messages/en-admin.ts'
import { translate } from '#lib/i18n/translate.ts'
import { openPage } from './browser.ts'
import { admin, browser, database, shop, useDemoShop } from './demo-shop.ts'
import { openPos } from './pos-page.ts'
import { go } from './sign-in.ts'

useDemoShop()

// The keyboard alone: the focus is never on nothing, never below a bar, and never at something that cannot be seen.

const OWNER = '01711000001'
const CASHIER = '01711000004'
const t = translate('en')
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: at } = document
    return at === document.body ? null : at?.getAttribute('aria-label') || at?.getAttribute('title') || at?.id || at?.textContent?.trim()
  })

/** Whether the middle of the focused element is what is seen there. */
const isSeen = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement!
    const { left, top, width, height } = at.getBoundingClientRect()
    const shown = document.elementFromPoint(left + width / 2, top + height / 2)
    return shown !== null && (at.contains(shown) || shown.querySelector('input') === at)
  })

test('the head of a list covers no row that has the focus', async () => {
  const { page } = await admin(OWNER)
  await page.setViewportSize({ width: 1280, height: 600 })
  await go(page, '/admin/orders')
  for (let at = 0; at < 9; at++) await page.keyboard.press('j')
  for (let at = 0; at < 8; at++) {
    await page.keyboard.press('k')
    expect(await isSeen(page), `k: ${await focused(page)}`).toBe(true)
  }
  await page.locator('tbody tr').nth(8).locator('td.lead a').focus()
  for (let at = 0; at < 20; at++) {
    await page.keyboard.press('Shift+Tab')
    expect(await isSeen(page), `Shift Tab: ${await focused(page)}`).toBe(true)
  }
})

test('on a narrow screen the head of a list is seen while it has the focus', async () => {
  const { page } = await admin(OWNER, { width: 390 })
  await go(page, '/admin/orders')
  const head = page.locator('thead')
  expect((await head.boundingBox())!.height).toBe(1)
  const controls = await head.locator('a, input').filter({ visible: true }).count()
  await page.locator('main button', { hasText: t('admin.table.falling') }).focus()
  for (let at = 0; at < controls; at++) {
    await page.keyboard.press('Tab')
    expect(await head.evaluate((element) => element.contains(document.activeElement))).toBe(true)
    expect(await isSeen(page), (await focused(page)) ?? '').toBe(true)
  }
})

test('naming, saving and removing a saved filter leave the focus beside it', async () => {
  const { page } = await admin(OWNER)
  const names = [1, 2].map((at) => `Mine ${at} ${Date.now()}`)
  const remove = (at: number) => page.getByRole('button', { name: t('admin.filters.remove', { name: names[at]! }) })
  for (const [at, name] of names.entries()) {
    await go(page, `/admin/orders?due=yes&q=${at}`)
    const save = page.getByRole('button', { name: t('admin.filters.save') })
    await save.press('Enter')
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page)).toBe(t('admin.filters.save'))
    await page.keyboard.press('Enter')
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toBe(name)
  }
  await remove(1).press('Enter')
  await expect.poll(() => focused(page)).toBe(names[0])
  await database.query('delete from saved_filters where name <> $1', [names[0]])
  await go(page, '/admin/orders')
  await remove(0).press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search')
})

test('the palette tells screen readers that it found nothing', async () => {
  const { page } = await admin(OWNER)
  await go(page, '/admin/orders')
  await page.keyboard.press('Control+k')
  const told = page.getByRole('dialog').getByRole('status')
  await expect.poll(() => told.textContent()).toBe('')
  await page.keyboard.type('qxqxqxqx')
  await expect.poll(() => told.textContent()).toBe(t('admin.find.nothing'))
})

test('a form that the shop refuses has the focus at its first error, which is read with it', async () => {
  const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url, lang: 'bn', javaScript: false })
  expectProblem(/422/)
  for (const path of ['/track', '/register']) {
    await page.goto(path)
    await page.locator('main form').first().locator('[type=submit]').press('Enter')
    await page.locator('main [aria-invalid]').first().waitFor()
    const first = await page.locator('main [aria-invalid]').first().getAttribute('id')
    await expect.poll(() => focused(page), { message: path }).toBe(first)
    expect(await page.locator(`#${first}-error`).textContent()).not.toBe('')
  }
})

test('a dialog that is refused has the focus at its first wrong field', async () => {
  const { page, expectProblem } = await admin(OWNER)
  expectProblem(/422|400/)
  await go(page, '/admin/staff')
  await page.getByRole('button', { name: t('staff.add') }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.locator('button[type=submit]').press('Enter')
  const wrong = dialog.locator('[aria-invalid=true]').first()
  await expect.poll(() => wrong.evaluate((field) => field === document.activeElement)).toBe(true)
})

test('on the smallest screen the way back to the shop is seen while it has the focus', async () => {
  const { page } = await openPage(browser, { baseUrl: shop.url })
  await page.setViewportSize({ width: 320, height: 600 })
  await go(page, '/cart')
  await page.locator('header a').first().focus()
  await page.keyboard.press('Tab')
  expect(await isSeen(page), (await focused(page)) ?? '').toBe(true)
})

/** The POS with one line. */
async function openSale(): Promise<Page> {
  const { page } = await admin(CASHIER)
  await openPos(page)
  await page.locator('#quick-order section[aria-labelledby=pos-favourites] li button').first().click()
  await page.locator('[data-lines] li').waitFor()
  return page
}

test('Tab leads from an empty discount of a line to its percent sign, and on', async () => {
  const page = await openSale()
  await page
    .locator('[data-lines]')
    .getByRole('button', { name: t('pos.discount') })
    .press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-pressed'))).toBe('false')
  await page.keyboard.press('Tab')
  expect(await focused(page)).not.toBe(null)
  await page.locator('[id^=pos-line-discount]').waitFor({ state: 'detached' })
})

test('the button that resets the cash leaves the focus at its field', async () => {
  const page = await openSale()
  await page.fill('#pos-cash', '500')
  await page.getByRole('button', { name: t('pos.reset-cash') }).press('Enter')
  expect(await focused(page)).toBe('pos-cash')
})

test('the chosen result of the POS is in sight', async () => {
  const page = await openSale()
  await page.setViewportSize({ width: 1280, height: 500 })
  await page.fill('#pos-search', 'bull')
  const options = page.locator('#pos-found [role=option]')
  await expect.poll(() => options.count()).toBeGreaterThan(6)
  for (let at = 0; at < 7; at++) await page.keyboard.press('ArrowDown')
  const [list, chosen] = [await page.locator('#pos-found').boundingBox(), await options.nth(6).boundingBox()]
  expect(await options.nth(6).getAttribute('aria-selected')).toBe('true')
  expect(chosen!.y + chosen!.height).toBeLessThanOrEqual(list!.y + list!.height)
})
