import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { translate } from '#lib/i18n/translate.ts'
import { admin, database, useDemoShop } from './demo-shop.ts'
import { editSection } from './order-page.ts'
import { go } from './sign-in.ts'

// The admin under a thumb: what is pressed is large enough, what is said is in sight.

useDemoShop()

const OWNER = '01711000001'
const t = translate('en')
const BROKEN = /500|422|Failed to load/
const someOrder = async () => {
  const { rows } = await database.query<{ id: number }>("select id::int from orders where status = 'placed' order by id limit 1")
  return rows[0]!.id
}

/** What can be pressed and is less than 44 px high, but for links in a line of text. */
const small = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main :is(a[href], button, input:not([type=hidden]), select, summary)')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('thead'))
      .filter((element) => !element.matches('.tap') && getComputedStyle(element).display !== 'inline')
      .map((element) => ({
        element,
        box: (element.matches('[type=checkbox]') ? element.closest('label')! : element).getBoundingClientRect(),
      }))
      .filter(({ box }) => box.height < 43.5)
      .map(({ element, box }) => `${element.tagName} ${Math.round(box.width)}x${Math.round(box.height)} ${element.textContent}`),
  )

test('a thumb meets every button, field and link of the lists, and the whole card leads to its page', async () => {
  const { page } = await admin(OWNER, { width: 390 })
  for (const path of ['/admin', '/admin/orders', '/admin/products', '/admin/staff', '/admin/reports', '/admin/settings', '/admin/areas']) {
    await go(page, path)
    expect(await small(page), path).toEqual([])
  }
  await go(page, '/admin/areas')
  const row = (await page.locator('tbody tr').first().boundingBox())!
  await page.touchscreen.tap(row.x + row.width / 2, row.y + row.height - 14)
  await page.waitForURL(/\/admin\/areas\/\d+$/)
})

test('the tab that is open is in sight, the last one too', async () => {
  const { page } = await admin(OWNER, { width: 390, lang: 'bn' })
  for (const path of ['/admin/settings?part=security', '/admin/orders?attention=1']) {
    await go(page, path)
    const { x, width } = (await page.locator('main nav [aria-current=page]').boundingBox())!
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x + width).toBeLessThanOrEqual(390)
  }
})

test('what goes wrong while a dialog is open is said above it', async () => {
  const { page, expectProblem } = await admin(OWNER, { width: 390 })
  expectProblem(BROKEN)
  await go(page, '/admin/orders')
  await page.route('**/admin/orders/status', (route) => route.fulfill({ status: 500, contentType: 'text/html', body: '<h1>broken</h1>' }))
  await page.locator('tbody .pick label').first().tap()
  await page.getByLabel(t('admin-orders.bulk-status')).selectOption('processing')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: t('admin-orders.bulk-go') }).tap()
  const said = page.locator('[popover] > div', { hasText: t('admin.no-answer') })
  await said.waitFor()
  const isOnTop = await said.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    return (
      document.querySelector('dialog[open]') !== null &&
      element.parentElement!.matches(':popover-open') &&
      top >= 0 &&
      bottom < innerHeight &&
      left >= 0 &&
      right <= innerWidth
    )
  })
  expect(isOnTop).toBe(true)
})

test('a long address is read whole, stays one line for the server, and what is wrong with a field stands in sight with its label', async () => {
  const { page, expectProblem } = await admin(OWNER, { width: 390 })
  expectProblem(BROKEN)
  const id = await someOrder()
  await go(page, `/admin/orders/update/${id}`)
  await editSection(page, 'details')
  const address = page.getByLabel(t('admin-orders.address'), { exact: true })
  await address.fill(`${'House 12, Road 7A, Block C, '.repeat(6)}\nBanasree, Dhaka`)
  expect(await address.inputValue()).not.toContain('\n')
  expect(await address.evaluate((field) => field.scrollHeight - field.clientHeight)).toBeLessThanOrEqual(1)
  await address.fill('')
  await page.getByRole('button', { name: t('admin.save'), exact: true }).tap()
  await page.getByRole('alert').getByText(t('error.invalid')).waitFor()
  const spots = await address.evaluate((field: HTMLTextAreaElement) => {
    const bar = document.querySelector('.admin-bar')!.getBoundingClientRect()
    const label = field.labels![0]!.getBoundingClientRect()
    const error = document.getElementById(`${field.id}-error`)!.getBoundingClientRect()
    return { isFocused: document.activeElement === field, labelTop: label.top, errorBottom: error.bottom, barTop: bar.top }
  })
  expect(spots.isFocused).toBe(true)
  expect(spots.labelTop).toBeGreaterThan(64)
  expect(spots.errorBottom).toBeLessThan(spots.barTop)
})

test('the products that a new order finds are in sight, with the field', async () => {
  const { page } = await admin(OWNER, { width: 390 })
  await go(page, '/admin/orders/create')
  const field = page.getByRole('combobox', { name: t('admin-orders.product'), exact: true })
  await field.tap()
  await page.keyboard.type('mango')
  const list = page.getByRole('listbox', { name: t('admin-orders.products-found') })
  await list.waitFor()
  await expect
    .poll(async () => {
      const [box, above] = [await list.boundingBox(), await field.boundingBox()]
      return box!.y + box!.height <= 844 && above!.y > 64
    })
    .toBe(true)
})
