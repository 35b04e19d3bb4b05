import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import '#messages/bn-admin.ts'
import { translate } from '#lib/i18n/translate.ts'
import { complaints } from './axe.ts'
import { openPage } from './browser.ts'
import { type FakeDevices, injectSerial } from './fake-serial.ts'
import { newPhone } from './new-phone.ts'
import { browser, cashier, CODE, db, shop, signInAs, startOfflinePos, t } from './offline-pos.ts'
import { lastOrder, openPos, place, quantity, ready, scan } from './pos-page.ts'
import { go } from './sign-in.ts'

await startOfflinePos()

// The devices of the counter: scale and printer on a fake Web Serial, and the customer display.

async function openCounter(lang: 'en' | 'bn' = 'en', width: 390 | 1280 = 1280) {
  const opened = await openPage(browser, { baseUrl: shop.url, width, lang })
  await opened.context.addInitScript(injectSerial)
  await opened.context.addInitScript(() => void (window.print = () => document.documentElement.setAttribute('data-printed', '')))
  await signInAs(opened.page, cashier.phone)
  await openPos(opened.page)
  return opened
}
const set = (page: Page, changes: Partial<FakeDevices>) => page.evaluate((values) => void Object.assign(window.devices, values), changes)
const dialog = (page: Page) => page.getByRole('dialog')
const button = (page: Page, name: string) => page.getByRole('button', { name })
/** Opens the settings of the devices. */
async function openDevices(page: Page, text = t) {
  await button(page, text('pos.more-actions')).click()
  await dialog(page)
    .getByRole('button', { name: text('pos.devices') })
    .click()
}
const printed = (page: Page) => page.evaluate(() => window.devices.printed)
const drawerOpenings = async () =>
  (await sql`select 1 from audit_log where subject = 'shift' and after ? 'drawer_opened'`.execute(db)).rows.length
const takeWeight = (page: Page) => button(page, t('pos.scale.take'))

test('devices: the weight of the scale becomes the quantity, the receipt goes to the printer, and a printer that is gone is replaced', async () => {
  const { page, expectProblem } = await openCounter()
  await openDevices(page)
  await set(page, { grams: 1236 })
  await dialog(page)
    .getByRole('button', { name: t('pos.devices.connect'), exact: true })
    .click()
  await dialog(page).locator('[data-weight="1236"]').waitFor()
  await dialog(page).getByLabel(t('pos.printer.kind'), { exact: true }).selectOption('serial')
  await set(page, { next: 'printer' })
  await dialog(page)
    .getByRole('button', { name: t('pos.devices.connect'), exact: true })
    .click()
  await dialog(page).getByText(t('pos.printer.ready')).waitFor()
  await dialog(page).getByLabel(t('pos.printer.drawer')).check()
  await button(page, t('pos.printer.test')).click()
  await dialog(page).getByText(t('pos.printer.test-done')).waitFor()
  // ESC @, then a raster of 72 bytes a row; no drawer.
  expect((await printed(page)).slice(0, 8)).toEqual([0x1b, 0x40, 0x1d, 0x76, 0x30, 0, 72, 0])
  expect(await complaints(page)).toEqual([])
  await button(page, t('pos.devices.done')).click()

  // No product, then an unstable weight: nothing can be taken.
  expect(await takeWeight(page).isDisabled()).toBe(true)
  await page.focus('#pos-search')
  await scan(page, CODE)
  await quantity(page).waitFor()
  await set(page, { isStable: false })
  await page.getByText(t('pos.scale.unstable'), { exact: true }).waitFor()
  expect(await takeWeight(page).isDisabled()).toBe(true)
  await set(page, { isStable: true })
  await page.getByText(t('pos.scale.stable'), { exact: true }).waitFor()
  expect(await complaints(page)).toEqual([])
  await page.keyboard.press('F1')
  await expect.poll(() => quantity(page).inputValue()).toBe('1.24')
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('pos-search')

  // Unplugged and plugged in again.
  await set(page, { isScalePlugged: false })
  await page.getByText(t('pos.scale.unplugged')).waitFor()
  await set(page, { isScalePlugged: true, grams: 500 })
  await page.locator('[data-weight="500"]').waitFor()
  await expect.poll(() => takeWeight(page).isEnabled()).toBe(true)
  await page.keyboard.press('F1')
  await expect.poll(() => quantity(page).inputValue()).toBe('0.5')

  await page.fill('#pos-phone', newPhone())
  const before = (await printed(page)).length
  await place(page)
  const id = await lastOrder(page)
  await expect.poll(async () => (await printed(page)).length).toBeGreaterThan(before + 20_000)
  // A cash sale opens the drawer first, and cuts at the end.
  const job = (await printed(page)).slice(before)
  expect(job.slice(0, 10)).toEqual([0x1b, 0x40, 0x1b, 0x70, 0, 25, 250, 0x1d, 0x76, 0x30])
  expect(job.slice(-4)).toEqual([0x1d, 0x56, 66, 0])
  expect(await page.locator('html[data-printed]').count()).toBe(0)
  await set(page, { isPrinterPlugged: false })
  await page.keyboard.press('F3')
  await page.getByText(t('pos.printer.failed.unplugged')).waitFor()
  await page.locator('html[data-printed]').waitFor()

  // The drawer without a sale: when the shop has logged it, so not without network.
  await set(page, { isPrinterPlugged: true })
  const all = (await printed(page)).length
  const opened = await drawerOpenings()
  expectProblem(/ERR_INTERNET_DISCONNECTED/)
  await page.context().setOffline(true)
  await button(page, t('pos.printer.open-drawer')).click()
  await page.getByText(t('pos.error', { message: t('pos.offline-search') })).waitFor()
  expect((await printed(page)).length).toBe(all)
  await page.context().setOffline(false)
  await button(page, t('pos.printer.open-drawer')).click()
  await expect.poll(async () => (await printed(page)).slice(all)).toEqual([0x1b, 0x40, 0x1b, 0x70, 0, 25, 250])
  expect(await drawerOpenings()).toBe(opened + 1)

  // Printed again from the list of sales, the receipt opens no drawer.
  await go(page, `/admin/quick-orders/pos-invoice/${id}?print=1`)
  await expect.poll(async () => (await printed(page)).length).toBeGreaterThan(20_000)
  expect((await printed(page)).slice(0, 5)).toEqual([0x1b, 0x40, 0x1d, 0x76, 0x30])
})

test('a browser without Web Serial says so; the demo shop has a simulator', async () => {
  const { page, context } = await openPage(browser, { baseUrl: shop.url, width: 390, lang: 'bn' })
  await context.addInitScript(() => Object.defineProperty(navigator, 'serial', { value: undefined }))
  await signInAs(page, cashier.phone)
  await openPos(page)
  const bn = translate('bn')
  await openDevices(page, bn)
  await dialog(page).getByText(bn('pos.devices.no-serial')).waitFor()
  expect(
    await dialog(page)
      .getByRole('button', { name: bn('pos.devices.connect'), exact: true })
      .isDisabled(),
  ).toBe(true)
  expect(await complaints(page)).toEqual([])
  // The demo shop has a scale of its own, with faults.
  await button(page, bn('pos.simulator.start')).click()
  await dialog(page).getByLabel(bn('pos.simulator.grams')).fill('750')
  await dialog(page).locator('[data-weight="750"]').waitFor()
  await dialog(page).getByLabel(bn('pos.simulator.fault')).selectOption('noise')
  await dialog(page).getByText(bn('pos.scale.unreadable')).waitFor()
  await dialog(page).getByLabel(bn('pos.simulator.fault')).selectOption('unplugged')
  await dialog(page).getByText(bn('pos.scale.unplugged')).waitFor()
  await dialog(page).getByLabel(bn('pos.simulator.fault')).selectOption('split')
  await dialog(page).locator('[data-weight="750"]').waitFor()
})

test('customer display: follows the sale across reloads of both windows, and thanks with the change', async () => {
  const { page, context } = await openCounter()
  const display = await context.newPage()
  display.setDefaultTimeout(90_000)
  const phase = (name: string) => display.locator(`[data-display=${name}]`).waitFor()
  const total = (text: string) => expect.poll(() => display.locator('[data-total]').textContent()).toBe(text)
  await go(display, '/admin/quick-orders/display')
  await phase('idle')
  expect(await complaints(display)).toEqual([])

  await page.bringToFront()
  await page.focus('#pos-search')
  await scan(page, CODE)
  await phase('sale')
  await display.getByText('Test honey').waitFor()
  await total('৳100')
  expect(await complaints(display)).toEqual([])
  await quantity(page).fill('2.5')
  await total('৳250')
  await go(display, '/admin/quick-orders/display')
  await total('৳250')
  // The page is gone for a moment, and comes back with its sale.
  await page.goto('about:blank')
  await phase('idle')
  await go(page, '/admin/quick-orders')
  await ready(page)
  await total('৳250')

  await page.fill('#pos-phone', newPhone())
  await page.fill('#pos-cash', '500')
  await display.getByText(t('pos.change')).waitFor()
  await page.keyboard.press('F9')
  await phase('sold')
  expect(await display.locator('[data-change]').textContent()).toBe('৳250')
  await lastOrder(page)
  await page.locator('html[data-printed]').waitFor()
  // The next sale replaces the thanks with its first line.
  await phase('sold')
  expect(await complaints(display)).toEqual([])
  await scan(page, CODE)
  await phase('sale')
  await total('৳100')
})

test('with the rounding of cash, the POS, the display and the last sale show the sum to pay', async () => {
  const rounding = { key: 'cash_rounding', value: JSON.stringify(true) }
  await db
    .insertInto('settings')
    .values(rounding)
    .onConflict((conflict) => conflict.column('key').doUpdateSet(rounding))
    .execute()
  shop.deps.shopCache.invalidate()
  await sql`update products set price_poisha = 12375 where barcode = ${CODE}`.execute(db)
  const { page, context } = await openCounter()
  const display = await context.newPage()
  await go(display, '/admin/quick-orders/display')
  await page.bringToFront()
  await page.focus('#pos-search')
  await scan(page, CODE)
  await expect.poll(() => page.locator('#quick-order [data-total]').textContent()).toBe('৳124')
  await expect.poll(() => display.locator('[data-total]').textContent()).toBe('৳124')
  await page.fill('#pos-phone', newPhone())
  await page.fill('#pos-cash', '500')
  await place(page)
  const order = await lastOrder(page)
  expect(await page.locator('[data-last-sale] dd').allTextContents()).toEqual(['৳124', '৳500', '৳376'])
  const { rows } = await sql<{ kind: string; amount: number }>`
    select kind, amount_poisha as amount from ledger_entries where order_id = ${order}::bigint order by kind`.execute(db)
  expect(rows).toEqual([
    { kind: 'counter', amount: 12_400 },
    { kind: 'rounding', amount: -25 },
  ])
})
