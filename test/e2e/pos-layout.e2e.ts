import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { translate } from '#lib/i18n/translate.ts'
import { SALE_KEY } from '#features/pos/storage-names.ts'
import { complaints } from './axe.ts'
import { admin, database, useDemoShop } from './demo-shop.ts'
import { lastOrder, openPos, ready } from './pos-page.ts'
import { go } from './sign-in.ts'

useDemoShop()

// The POS fills the screen: products, lines and payment are in sight without scrolling the page.

const CASHIER = '01711000004'
const LINE = { unit: 'kg', price: 12_050, quantity: '1.5', image: null, isAnimal: false, group: 'produce', shipping: 0 }
const SCAN_BOX = '#pos-search'
const FAVOURITE = 'section[aria-labelledby=pos-favourites] li button'
const PAYMENT = ['#pos-phone', '#pos-cash', '#pos-bkash', '#pos-bank', '#pos-discount']
const TOTALS = ['[data-total]', '#quick-order section .btn-large']

/** Puts a sale with this number of lines on the screen, again when the page that is left has stored its own sale after it. */
async function withLines(page: Page, count: number): Promise<void> {
  const open = async () => {
    await page.evaluate(
      ([saleKey, line, lines]) => {
        const sale = JSON.parse(sessionStorage.getItem(saleKey) ?? '{}') as Record<string, unknown>
        sale.lines = Array.from({ length: lines }, (_, at) => ({ ...line, id: 900_000 + at, name: `Himsagar mango, basket ${at}` }))
        sessionStorage.setItem(saleKey, JSON.stringify(sale))
      },
      [SALE_KEY, LINE, count] as const,
    )
    await go(page, '/admin/quick-orders')
    await ready(page)
    return page.locator('#quick-order [data-lines] li').count()
  }
  await expect.poll(open).toBe(count)
  // They come from the catalog of the device, after the page.
  await page.locator(FAVOURITE).first().waitFor()
}

/** The first elements of the selectors that are not wholly in the window and uncovered at their middle. */
function hidden(page: Page, selectors: string[]): Promise<string[]> {
  return page.evaluate(
    (all) =>
      all.filter((selector) => {
        const element = document.querySelector(selector)
        if (!element) return true
        const { left, top, right, bottom } = element.getBoundingClientRect()
        const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && right > left
        const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
        return !isInside || !seen || !(element.contains(seen) || seen.contains(element))
      }),
    selectors,
  )
}

const scrollable = (page: Page) =>
  page.evaluate(() => {
    const { scrollHeight, scrollWidth } = document.documentElement
    return [scrollHeight - innerHeight, scrollWidth - innerWidth]
  })
const topOf = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => element.getBoundingClientRect().top)

test.each(['en', 'bn'] as const)('at 1280 by 800 all of a sale is in sight: %s', async (lang) => {
  const { page } = await admin(CASHIER, { lang })
  await page.addInitScript(() => void (window.print = () => {}))
  await openPos(page, '1000')
  const all = [SCAN_BOX, FAVOURITE, ...PAYMENT, ...TOTALS]
  for (const count of [0, 1, 8]) {
    await withLines(page, count)
    expect(await hidden(page, all), `${count} lines`).toEqual([])
    expect(await scrollable(page), `${count} lines`).toEqual([0, 0])
  }
  expect(await complaints(page)).toEqual([])
  // Messages and further fields move neither the scan box nor the total and the button.
  const fixed = [SCAN_BOX, FAVOURITE, '#pos-cash', '#quick-order section .btn-large']
  const before = await Promise.all(fixed.map((selector) => topOf(page, selector)))
  await page.fill('#pos-cash', '10')
  await expect.poll(() => page.locator('[data-payment-problem]').innerText()).not.toBe('')
  expect(await Promise.all(fixed.map((selector) => topOf(page, selector)))).toEqual(before)
  await page.getByLabel(translate(lang)('pos.deliver')).check()
  expect(await hidden(page, all)).toEqual([])
  await page.fill('#pos-bkash', '100')
  // With address and transaction id the discount, below the methods, may need the pane to scroll.
  const needed = all.filter((selector) => selector !== '#pos-discount')
  expect(await hidden(page, [...needed, '#pos-bkash-id', '[data-payment-problem]'])).toEqual([])
  expect(await scrollable(page)).toEqual([0, 0])
  // The last sale takes the place of the lines.
  await page.getByLabel(translate(lang)('pos.deliver')).uncheck()
  await page.fill('#pos-bkash', '')
  await withLines(page, 0)
  await page.locator(FAVOURITE).first().click()
  await page.fill('#pos-phone', '01712345678')
  await page.fill('#pos-cash', '5000')
  await page.keyboard.press('F9')
  await lastOrder(page)
  expect(await hidden(page, [SCAN_BOX, FAVOURITE, '[data-change]', ...TOTALS])).toEqual([])
  expect(await scrollable(page)).toEqual([0, 0])
})

test.each(['en', 'bn'] as const)(
  'every action of a manager with a cash drawer is in sight, or reached by scrolling the bar: %s',
  async (lang) => {
    const { page, context } = await admin('01711000002', { lang })
    const printer = { kind: 'serial', port: { vendor: 1, product: 1, index: 0 }, baudRate: 9600, dots: 576, opensDrawer: true }
    await context.addInitScript((settings) => localStorage.setItem('khamar.devices', JSON.stringify(settings)), { printer })
    await openPos(page, '1000')
    await page.getByRole('button', { name: translate(lang)('pos.printer.open-drawer') }).waitFor()
    const actions = page.locator('section.action-row')
    /** What is cut off at the right, and at the left, where it cannot be scrolled to. */
    const cutOff = () =>
      actions.evaluate((row) => [row.scrollWidth - row.clientWidth, Math.min(0, (row.firstElementChild as HTMLElement).offsetLeft)])
    expect(await cutOff()).toEqual([0, 0])
    await page.setViewportSize({ width: 1024, height: 768 })
    expect((await cutOff())[1]).toBe(0)
  },
)

test.each(['en', 'bn'] as const)('at 1280 by 800 all methods and the account are in sight: %s', async (lang) => {
  const phone = '01611000004'
  await database.query('update users set credit_limit_poisha = 5000000 where phone = $1', [phone])
  await database.query(
    `insert into settings (key, value) values ('pos_methods', '{"nagad":true,"rocket":true,"card":true}')
     on conflict (key) do update set value = excluded.value`,
  )
  onTestFinished(async () => void (await database.query("delete from settings where key = 'pos_methods'")))
  const { page } = await admin(CASHIER, { lang })
  await openPos(page, '1000')
  await expect
    .poll(
      async () => {
        await database.query('notify catalog')
        await go(page, '/admin/quick-orders')
        return page.locator('#pos-card').count()
      },
      { timeout: 30_000 },
    )
    .toBe(1)
  await withLines(page, 8)
  const pane = page.locator('.pos-payment')
  const methods = ['bkash', 'bank', 'nagad', 'rocket', 'card'].map((method) => `#pos-${method}`)
  expect(await hidden(page, ['#pos-cash', ...methods, '#pos-discount', ...TOTALS])).toEqual([])
  expect(await pane.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0)
  await page.fill('#pos-phone', phone)
  await page.locator('#pos-on-account').waitFor()
  expect(await hidden(page, ['#pos-cash', ...methods, '#pos-on-account', ...TOTALS])).toEqual([])
  expect(await complaints(page)).toEqual([])
})

test('the menu is a drawer that keys open and close; favourites and steppers are large enough for a finger', async () => {
  const { page } = await admin(CASHIER)
  await openPos(page, '1000')
  await withLines(page, 1)
  const t = translate('en')
  await page.getByRole('button', { name: t('admin.menu') }).focus()
  await page.keyboard.press('Enter')
  const menu = page.getByRole('dialog', { name: t('admin.menu') })
  await menu.getByRole('link', { name: t('admin.nav.products') }).waitFor()
  // Only the server renders the name of the shop.
  await menu.getByText('Khamar', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'hidden' })
  const small = await page
    .locator(`${FAVOURITE}, #quick-order [data-lines] button.size-11, ${PAYMENT.join(', ')}`)
    .evaluateAll((all) =>
      all.filter((element) => element.getBoundingClientRect().height < 44).map((element) => element.outerHTML.slice(0, 90)),
    )
  expect(small).toEqual([])
})

test('on a phone the bar stands at the bottom, and the last field can be scrolled above it', async () => {
  const { page } = await admin(CASHIER, { width: 390 })
  await openPos(page, '1000')
  await withLines(page, 8)
  const bar = page.locator('#quick-order .fixed')
  const edges = () =>
    bar.evaluate((element) => [element.getBoundingClientRect().bottom - innerHeight, element.getBoundingClientRect().left])
  expect(await edges()).toEqual([0, 0])
  expect(await hidden(page, [SCAN_BOX, FAVOURITE])).toEqual([])
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await expect.poll(() => hidden(page, ['#pos-discount'])).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
})

test('over plain http the POS says that it needs https, also while a shift is open', async () => {
  const { page, expectProblem } = await admin(CASHIER)
  // React discards the server's page.
  expectProblem(/React error #418/)
  await openPos(page)
  await page.addInitScript(() => {
    Object.defineProperty(window, 'isSecureContext', { value: false })
    Object.defineProperty(crypto, 'randomUUID', { value: undefined })
  })
  await go(page, '/admin/quick-orders')
  await page.getByRole('alert').getByText('The POS works only on https pages').waitFor()
})
