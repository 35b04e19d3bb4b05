import { expect, test } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { formatDay } from '#lib/format/time.ts'
import { translate } from '#lib/i18n/translate.ts'
import { openPage } from './browser.ts'
import { button, fillCart, pick, writeDetails } from './checkout.ts'
import { admin, browser, database, shop, useDemoShop } from './demo-shop.ts'
import { go } from './sign-in.ts'
import { newPhone } from './new-phone.ts'

useDemoShop()

// A shopper chooses the day of the delivery, or collects at the farm; from elsewhere they leave a number.

const MANAGER = '01711000002'

const orderOf = async (phone: string) => {
  const { rows } = await database.query(
    `select id, to_char(deliver_on, 'YYYY-MM-DD') as day, is_collection, shipping_poisha::int as charge from orders where phone = $1`,
    [phone],
  )
  return rows as { id: number; day: string; is_collection: boolean; charge: number }[]
}

test('fruit for a chosen day, and collected at the farm, in Bengali at 390 px', async () => {
  const [lang, width] = ['bn', 390] as const
  const t = translate(lang)
  const goods = await pick('produce', '', lang)
  const { page } = await openPage(browser, { baseUrl: shop.url, lang, width })
  await fillCart(page, [goods])
  const phone = newPhone()
  await go(page, '/cart')
  await button(page, t('cart.proceed')).click()
  await writeDetails(page, phone)
  const days = page.locator('#delivery_on')
  expect(await days.locator('option').count()).toBeGreaterThan(2)
  const day = (await days.locator('option').nth(2).getAttribute('value'))!
  await days.selectOption(day)
  await page.getByRole('radio', { name: t('delivery.collect') }).check()
  // Another way begins at its own earliest day.
  expect(await days.inputValue()).toBe('')
  await days.selectOption(day)

  // The choice outlives a reload.
  await page.reload()
  await page.waitForFunction(() => window.pageAwake)
  await expect.poll(() => days.inputValue()).toBe(day)
  await button(page, t('checkout.proceed-to-preview')).click()
  await page.getByRole('radio', { name: t('payment.cod') }).check()
  await page.getByRole('checkbox').check()
  await button(page, t('place.order')).click()
  await page.getByRole('heading', { level: 1, name: t('place.thanks') }).waitFor()
  expect(await page.getByText(t('place.thanks-text')).count()).toBe(0)
  const [order] = await orderOf(phone)
  expect(order).toMatchObject({ day, is_collection: true, charge: 0 })

  const { page: staff } = await admin(MANAGER, { lang, width })
  await go(staff, `/admin/orders/update/${order!.id}`)
  await staff.getByText(t('admin-orders.collects')).first().waitFor()
  expect(await staff.locator('main').innerText()).toContain(formatDay(day, lang))
})

test('an area that is not listed: staff get name, phone and place, in English at 1280 px', async () => {
  const [lang, width] = ['en', 1280] as const
  const t = translate(lang)
  const goods = await pick('produce', '', lang)
  const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url, lang, width })
  await fillCart(page, [goods])
  const phone = newPhone()
  await go(page, '/cart')
  await button(page, t('cart.proceed')).click()
  await page.fill('#name', 'রহিমা খাতুন')
  await page.fill('#phone', phone)
  await button(page, t('area-request.open')).click()
  const dialog = page.getByRole('dialog')
  // What was typed is taken over.
  expect(await dialog.locator('#request-phone').inputValue()).toBe(phone)
  expectProblem(/422/)
  await button(dialog, t('area-request.send')).click()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('request-place')
  const place = `Char Kukri-Mukri ${phone}`
  await dialog.locator('#request-place').fill(place)
  await button(dialog, t('area-request.send')).click()
  await dialog.getByText(t('area-request.sent')).waitFor()
  await button(dialog, t('shell.close')).last().click()
  expect(await page.inputValue('#name')).toBe('রহিমা খাতুন')

  const { page: staff } = await admin(MANAGER, { lang, width })
  await go(staff, '/admin/area-requests')
  const row = staff.locator('tr, li').filter({ hasText: place }).first()
  await row.getByRole('button', { name: new RegExp(t('area-requests.mark.called')) }).click()
  await row.getByText(t('area-requests.state.called'), { exact: true }).waitFor()

  // A note that was not saved is there when the dialog opens again.
  const edit = async () => {
    await row.getByRole('button', { name: t('area-requests.edit-name', { name: 'রহিমা খাতুন' }) }).click()
    return staff.getByRole('dialog')
  }
  const note = `Calls back on Friday ${width}`
  await (await edit()).getByLabel(t('area-requests.note')).fill(note)
  await staff.keyboard.press('Escape')
  await staff.getByRole('dialog').waitFor({ state: 'hidden' })
  const again = await edit()
  expect(await again.getByLabel(t('area-requests.note')).inputValue()).toBe(note)
  await again.getByLabel(t('area-requests.state')).selectOption('done')
  await button(again, t('admin.save')).click()
  await again.waitFor({ state: 'hidden' })
  await row.getByText(t('area-requests.state.done'), { exact: true }).waitFor()
  await row.getByText(note).waitFor()
})
