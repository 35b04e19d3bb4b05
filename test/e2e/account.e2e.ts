import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import '#messages/bn-account.ts'
import '#messages/en-account.ts'
import { CART_KEY } from '#features/cart/rules.ts'
import { type RunningSmsSimulator, startSmsSimulator, TEST_API_KEY } from '#features/messaging/testing/start-sms-simulator.ts'
import { latinDigits } from '#lib/format/numbers.ts'
import { translate } from '#lib/i18n/translate.ts'
import { wrongCode } from '../codes.ts'
import { startShop, type Shop } from '../server.ts'
import { complaints } from './axe.ts'
import { sharedBrowser, openPage } from './browser.ts'
import { newPhone } from './new-phone.ts'

let shop: Shop
let browser: Browser
let sms: RunningSmsSimulator

beforeAll(async () => {
  sms = await startSmsSimulator()
  const env = { SMS_API_KEY: TEST_API_KEY, SMS_SENDER_ID: 'Khamar', SMS_BASE_URL: sms.baseUrl }
  ;[shop, browser] = await Promise.all([startShop({ env }), sharedBrowser()])
})

afterAll(async () => {
  await shop?.stop()
  await sms?.close()
})

/** The code in the SMS of this number that came as the first, second or third. */
async function codeSentTo(phone: string, which = 1): Promise<string> {
  const received = () => sms.taken.filter((one) => one.phone === `88${phone}`)
  await expect.poll(() => received().length).toBeGreaterThanOrEqual(which)
  return /\d{6}/.exec(latinDigits(received()[which - 1]!.text))?.[0] ?? ''
}

async function isClean(page: Page, where: string): Promise<void> {
  expect(await complaints(page), where).toEqual([])
}

test('register, sign out, sign in with a code, reset the password, on a phone in Bengali', async () => {
  const phone = newPhone()
  const t = translate('bn')
  const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url, lang: 'bn' })
  expectProblem(/422/)
  const main = page.locator('main')
  const press = (name: string) => main.getByRole('button', { name, exact: true }).click()
  const code = (which: number) => codeSentTo(phone, which)

  await page.goto('/register?next=/cart')
  // A cart from before stays.
  await page.evaluate((key) => localStorage.setItem(key, localStorage.getItem(key) ?? '[]'), CART_KEY)
  const cart = await page.evaluate((key) => localStorage.getItem(key), CART_KEY)
  await isClean(page, 'register')
  await page.fill('#name', 'রহিমা Khatun')
  await page.fill('#phone', phone)
  await page.fill('#password', 'password1')
  await press(t('auth.send-code'))
  await main.getByText(t('auth.password-common')).waitFor()
  await isClean(page, 'register with an error')
  expect(await page.inputValue('#name')).toBe('রহিমা Khatun')
  await page.fill('#password', 'three brown cows')
  await press(t('auth.send-code'))
  await page.waitForURL('**/code')
  await isClean(page, 'code')
  await page.fill('#code', wrongCode(await code(1)))
  await press(t('auth.continue'))
  await main.getByText(t('auth.code-wrong')).waitFor()
  await page.fill('#code', await code(1))
  await press(t('auth.continue'))
  await page.waitForURL('**/cart')
  expect(await page.evaluate((key) => localStorage.getItem(key), CART_KEY)).toBe(cart)

  await page.goto('/account/security')
  await isClean(page, 'security')
  await page
    .getByRole('contentinfo')
    .getByRole('button', { name: t('shell.logout') })
    .click()
  await page.goto('/account/security')
  await page.waitForURL('**/login?next=**')
  await isClean(page, 'login')
  await main.getByRole('link', { name: t('auth.with-password') }).click()
  await main.locator('#identifier').waitFor()
  await isClean(page, 'login with a password')
  await main.getByRole('link', { name: t('auth.with-code') }).click()
  await page.fill('#phone', phone)
  await press(t('auth.send-code'))
  await page.waitForURL('**/code')
  await page.fill('#code', await code(2))
  await press(t('auth.continue'))
  await page.waitForURL('**/account/security')

  await page.context().clearCookies({ name: 'sid' })
  await page.goto('/forgot-password')
  await isClean(page, 'forgotten password')
  await page.fill('#phone', phone)
  await press(t('auth.send-code'))
  await page.waitForURL('**/code')
  await page.fill('#code', await code(3))
  await page.fill('#password', 'two white goats')
  await isClean(page, 'code and new password')
  await press(t('auth.save-password'))
  await page.waitForURL(`${shop.url}/`)
  await page.goto('/account/security/phone')
  await isClean(page, 'another number')
})

test('registering works without script', async () => {
  const phone = newPhone()
  const { page } = await openPage(browser, { baseUrl: shop.url, javaScript: false })
  await page.goto('/register')
  await page.fill('#name', 'Karim')
  await page.fill('#phone', phone)
  await page.fill('#password', 'three brown cows')
  await page.locator('main form button[type=submit]').click()
  await page.waitForURL('**/code')
  await page.fill('#code', await codeSentTo(phone))
  await page.locator('main form[action="/code"] button').click()
  await page.waitForURL(`${shop.url}/`)
  expect(await page.getByText(translate('en')('shell.signed-in-as', { name: 'Karim' })).count()).toBe(1)
})
