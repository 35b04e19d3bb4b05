import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import '#messages/bn-account.ts'
import '#messages/en-account.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { translate } from '#lib/i18n/translate.ts'
import { complaints } from './axe.ts'
import { openPage } from './browser.ts'
import { button, fillCart, ordersOf, pick, writeDetails } from './checkout.ts'
import { browser, database, shop, useDemoShop } from './demo-shop.ts'
import { newPhone } from './new-phone.ts'
import { go } from './sign-in.ts'

useDemoShop()

// A new visitor logs in by phone and code on the way through the checkout, and orders without an email, or because the shop asks for a code.

async function codeOf(phone: string): Promise<string> {
  const { rows } = await database.query(`select body from sms_outbox where purpose = 'code' and phone = $1 order by id desc limit 1`, [
    phone,
  ])
  return /\d{6}/.exec((rows[0] as { body: string }).body)?.[0] ?? ''
}

async function isClean(page: Page, where: string): Promise<void> {
  expect(await complaints(page), where).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), where).toBe(true)
}

test.each([
  ['en', 390],
  ['bn', 1280],
] as const)('cart, login by code, name, order without an email, order in the account (%s, %i px)', async (lang, width) => {
  const phone = newPhone()
  const t = translate(lang)
  const goods = await pick('produce', '', lang)
  const { page } = await openPage(browser, { baseUrl: shop.url, lang, width })
  const main = page.locator('main')
  await fillCart(page, [goods])
  await go(page, '/cart')
  await button(page, t('cart.proceed')).click()
  await page.getByRole('link', { name: t('checkout.return-customer') }).click()
  await page.waitForURL('**/login?next=/cart%23details')
  await isClean(page, `login ${lang}`)
  await page.fill('#phone', localizeDigits(lang, phone))
  await main.getByRole('button', { name: t('auth.send-code') }).click()
  await page.waitForURL('**/code')
  await isClean(page, `code ${lang}`)
  await page.fill('#code', await codeOf(phone))
  await main.getByRole('button', { name: t('auth.continue') }).click()

  await page.waitForURL('**/account/security/name?next=**')
  // The message confirms the login by the number, and by the name once there is one.
  await page
    .getByRole('status')
    .getByText(t('shell.signed-in-as', { name: localizeDigits(lang, phone) }))
    .waitFor()
  await isClean(page, `name ${lang}`)
  expect(await main.getByRole('link', { name: t('auth.skip') }).getAttribute('href')).toBe('/cart#details')
  await page.fill('#name', 'রহিমা খাতুন')
  await main.getByRole('button', { name: t('auth.save') }).click()
  await page.getByRole('heading', { name: t('checkout.details-title') }).waitFor()
  await page
    .getByRole('status')
    .getByText(t('shell.signed-in-as', { name: 'রহিমা খাতুন' }))
    .waitFor()

  expect([await page.inputValue('#name'), await page.inputValue('#phone')]).toEqual(['রহিমা খাতুন', phone])
  await page.fill('#address', 'House 4, Road 2')
  await page.selectOption('#area_id', { index: 1 })
  await isClean(page, `details ${lang}`)
  await button(page, t('checkout.proceed-to-preview')).click()
  await page.getByRole('heading', { name: t('checkout.preview-title') }).waitFor()
  await page.getByRole('radio', { name: t('payment.cod') }).check()
  await page.getByRole('checkbox').check()
  await button(page, t('place.order')).click()
  await page.waitForURL(/\/order\/confirmed\/\d+$/)
  const [order] = await ordersOf(phone)
  await go(page, '/account')
  await page
    .locator('[data-order]')
    .first()
    .getByText(localizeDigits(lang, String(order!.id)))
    .first()
    .waitFor()
  await go(page, '/account/security')
  await page.getByText(t('auth.has-no-password', { sms: true })).waitFor()
})

test('cash on delivery that needs a code: says so, takes the order after the login, and loses nothing that was typed', async ({
  onTestFinished,
}) => {
  onTestFinished(async () => void (await database.query("delete from settings where key = 'cash_on_delivery'")))
  await database.query(
    "insert into settings (key, value) values ('cash_on_delivery', $1) on conflict (key) do update set value = excluded.value",
    [JSON.stringify({ is_code_needed: true, code_from_taka: 1 })],
  )
  const [phone, t] = [newPhone(), translate('bn')]
  const { page } = await openPage(browser, { baseUrl: shop.url, lang: 'bn', width: 390 })
  await fillCart(page, [await pick('produce', '', 'bn')])
  await go(page, '/cart')
  await button(page, t('cart.proceed')).click()
  await writeDetails(page, phone)
  await button(page, t('checkout.proceed-to-preview')).click()
  const onDelivery = page.getByRole('radio', { name: t('payment.cod') })
  await onDelivery.waitFor()
  expect(await onDelivery.isDisabled()).toBe(true)
  await isClean(page, 'preview')

  await page.getByRole('link', { name: t('payment.cod-code') }).click()
  await page.fill('#phone', phone)
  await button(page, t('auth.send-code')).click()
  await page.waitForURL('**/code')
  await page.fill('#code', await codeOf(phone))
  await button(page, t('auth.continue')).click()
  await page.getByRole('link', { name: t('auth.skip') }).click()
  await page.getByText('House 12, Road 7').waitFor()
  await onDelivery.check()
  await page.getByRole('checkbox').check()
  await button(page, t('place.order')).click()
  await page.waitForURL(/\/order\/confirmed\/\d+$/)
  expect((await ordersOf(phone)).map((order) => order.payment_type)).toEqual(['cash_on_delivery'])
})
