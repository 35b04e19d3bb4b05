import { sql } from 'kysely'
import { expect, test } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { formatLongDay } from '#lib/format/time.ts'
import { translate } from '#lib/i18n/translate.ts'
import { buildArea } from '../factories.ts'
import { complaints } from './axe.ts'
import { storeSettings } from '../settings.ts'
import { openPage } from './browser.ts'
import { newPhone } from './new-phone.ts'
import { browser, cashier, db, enter, shop, signInAs, startOfflinePos, storedReceipt, openOfflinePos } from './offline-pos.ts'
import { lastOrder, offline, openPos, place } from './pos-page.ts'

await startOfflinePos()

// Sales at the POS that are delivered on a chosen day, or collected later.

const readHome = async () => (await fetch(shop.url)).text()
const set = (settings: Record<string, unknown>) => storeSettings(db, readHome, settings)
const address = { en: 'The farm, Savar', bn: 'খামার, সাভার' }
await set({ collection: { is_offered: true, address, note: { en: '', bn: '' } } })
await buildArea(db, { produce: 80, name_en: 'Savar', name_bn: 'সাভার' })

const orderOf = async (phone: string) =>
  (
    await sql<{
      id: number
      day: string
      is_collection: boolean
      charge: number
    }>`select id, to_char(deliver_on, 'YYYY-MM-DD') as day, is_collection,
      shipping_poisha::int as charge from orders where phone = ${phone}`.execute(db)
  ).rows[0]

test('a delivery on a chosen day, then a collection; receipts name the day, on a phone in Bengali', async () => {
  const lang = 'bn'
  const t = translate(lang)
  const { page } = await openPage(browser, { baseUrl: shop.url, lang, width: 390 })
  await page.addInitScript(() => (window.print = () => undefined))
  await signInAs(page, cashier.phone)
  await openPos(page)
  const days = page.locator('#pos-day')
  const delivered = newPhone()
  await enter(page, delivered)
  await page.getByRole('checkbox', { name: t('pos.deliver') }).check()
  await page.getByLabel(t('pos.area')).selectOption({ index: 1 })
  await page.getByLabel(t('pos.address')).fill('House 4')
  const day = (await days.locator('option').nth(3).getAttribute('value')) ?? ''
  await days.selectOption(day)
  expect(await complaints(page)).toEqual([])
  await place(page)
  const id = await lastOrder(page)
  expect(await orderOf(delivered)).toMatchObject({ day, is_collection: false, charge: 8000 })
  const receipt = page.locator('[data-print-in-place] [data-receipt]')
  await receipt.filter({ hasText: t('invoice.next-day', { day: formatLongDay(day, lang) }) }).waitFor({ state: 'attached' })
  expect(id).not.toBe('')

  const collected = newPhone()
  await enter(page, collected)
  await page.getByRole('checkbox', { name: t('pos.deliver') }).check()
  await page.getByRole('checkbox', { name: t('pos.collect') }).check()
  // One of the two, and its days begin at the earliest again.
  expect(await page.getByRole('checkbox', { name: t('pos.deliver') }).isChecked()).toBe(false)
  expect(await days.inputValue()).toBe('')
  await days.selectOption(day)
  await place(page)
  await receipt.filter({ hasText: t('invoice.next-collect', { day: formatLongDay(day, lang) }) }).waitFor({ state: 'attached' })
  expect(await orderOf(collected)).toMatchObject({ day, is_collection: true, charge: 0 })
})

test('without network the days of the device are offered; a day that has become impossible is shown to the cashier', async () => {
  const t = translate('en')
  const { page, context, expectProblem } = await openOfflinePos()
  expectProblem(/422/)
  await context.setOffline(true)
  await offline(page)
  const phone = newPhone()
  await enter(page, phone)
  await page.getByRole('checkbox', { name: t('pos.collect') }).check()
  const days = page.locator('#pos-day')
  const day = (await days.locator('option').nth(2).getAttribute('value')) ?? ''
  await days.selectOption(day)
  await place(page)
  await storedReceipt(page)
  await page
    .locator('[data-print-in-place] [data-receipt]', { hasText: t('invoice.next-collect', { day: formatLongDay(day, 'en') }) })
    .waitFor({ state: 'attached' })
  await page.keyboard.press('Enter')

  await set({ delivery_days: { ahead: 14, closed_weekdays: [new Date(day).getUTCDay()], capacity: { cattle: 0, produce: 0 } } })
  await context.setOffline(false)
  await page.locator('[data-unsent="1"]', { hasText: t('pos.state.clashes', { count: '1', clashes: '1' }) }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/This day is no longer possible/).waitFor()
  expect(await orderOf(phone)).toBeUndefined()
  // The sale goes back to the screen with its day, which the cashier replaces.
  await dialog.getByRole('button', { name: t('pos.unsent.edit') }).click()
  await days.selectOption('')
  await place(page)
  await lastOrder(page)
  expect(await orderOf(phone)).toMatchObject({ is_collection: true })
  await set({ delivery_days: { ahead: 14, closed_weekdays: [], capacity: { cattle: 0, produce: 0 } } })
})

test('a delivery charge that changes while the POS is open: the new total is shown, and is sold', async () => {
  const t = translate('en')
  const setCharge = (poisha: number) => sql`update area_charges set charge_poisha = ${poisha}`.execute(db)
  await setCharge(8000)
  const { page, context, expectProblem } = await openOfflinePos()
  expectProblem(/422/)
  const enterDelivery = async (phone: string) => {
    await enter(page, phone)
    await page.getByRole('checkbox', { name: t('pos.deliver') }).check()
    await page.getByLabel(t('pos.area')).selectOption({ index: 1 })
    await page.getByLabel(t('pos.address')).fill('House 4')
  }
  const [dearer, later] = [newPhone(), newPhone()]
  await enterDelivery(dearer)
  await page.getByText('৳180').first().waitFor()
  await setCharge(9000)
  await place(page)
  await page.getByText('The total is now ৳190.').first().waitFor()
  await page.locator('[data-pane=payment]').getByText('৳190').first().waitFor()
  expect(await orderOf(dearer)).toBeUndefined()
  await place(page)
  await lastOrder(page)
  expect(await orderOf(dearer)).toMatchObject({ charge: 9000 })

  // The same for a sale without network, which the cashier sends at the new charge.
  await context.setOffline(true)
  await offline(page)
  await enterDelivery(later)
  await place(page)
  await storedReceipt(page)
  await page.keyboard.press('Enter')
  await setCharge(10_000)
  await context.setOffline(false)
  await page.locator('[data-unsent="1"]', { hasText: t('pos.state.clashes', { count: '1', clashes: '1' }) }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Send with current prices: ৳200/ })
    .click()
  await expect.poll(() => orderOf(later)).toMatchObject({ charge: 10_000 })
})
