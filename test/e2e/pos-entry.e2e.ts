import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { sql } from 'kysely'
import '#messages/bn-admin.ts'
import { translate } from '#lib/i18n/translate.ts'
import { buildAnimal, buildProduct } from '../factories.ts'
import { complaints } from './axe.ts'
import { openPage } from './browser.ts'
import { newPhone } from './new-phone.ts'
import { browser, CODE, cashier, db, sellWithout, shop, signInAs, startOfflinePos, t, openOfflinePos } from './offline-pos.ts'
import { offline, openPos, place, quantity, scan, settled, unlocked } from './pos-page.ts'
import { plugTimedKeys } from './scanner.ts'

await startOfflinePos()
await buildAnimal(db, { tag_number: 'B-201', name_en: 'Test bull' })

// What a cashier enters: quantities, payments, discounts, and scans into a box that is not empty. What the shop would refuse is said at once.

const PIECE = '8900000000161'
const bn = translate('bn')

beforeEach(async () => {
  await sql`update products set barcode = null, visible = false where barcode = ${PIECE} or name_en = 'Test sugarcane'`.execute(db)
  await buildProduct(db, {
    name_en: 'Test pineapple',
    name_bn: 'আনারস',
    unit: 'piece',
    price_poisha: 5000,
    stock_milli: 3000,
    barcode: PIECE,
  })
})

const box = (page: Page) => page.locator('#pos-search')
const line = (page: Page, name: string) => page.locator('#quick-order [data-lines] li', { hasText: name })
const problem = (page: Page, text: string) => page.getByRole('button', { name: text, exact: true })
const focused = (page: Page) => page.evaluate(() => document.activeElement?.id ?? '')
const placing = (page: Page) => page.getByRole('button', { name: t('pos.place') }).first()
/** Scans into the box, also while the last scan still locks it. */
async function take(page: Page, code: string) {
  await unlocked(page)
  await box(page).focus()
  await scan(page, code)
}

test('a quantity that the shop would refuse is refused at the line', async () => {
  const { page, context } = await openOfflinePos()
  await take(page, PIECE)
  await quantity(page).waitFor()
  await page.fill('#pos-phone', newPhone())
  await expect.poll(() => placing(page).isEnabled()).toBe(true)

  await quantity(page).fill('2.75')
  await page.getByText(t('pos.whole-only', { unit: 'piece' })).waitFor()
  expect(await placing(page).isEnabled()).toBe(false)
  await box(page).focus()
  await problem(page, t('pos.problem.quantity')).click()
  expect(await focused(page)).toMatch(/^pos-quantity-/)

  // More than the known stock is a warning: the shop may have more.
  await quantity(page).fill('5')
  await page.getByText(t('pos.beyond-stock', { left: '3 pieces' })).waitFor()
  expect(await placing(page).isEnabled()).toBe(true)
  await context.setOffline(true)
  await offline(page)
  await page.getByText(t('pos.beyond-stock-offline', { left: '3 pieces' })).waitFor()
  await context.setOffline(false)
  await quantity(page).fill('3')
  await expect.poll(() => page.getByText(/in stock/).count()).toBe(0)
})

test('a name that is typed while the customer is looked up stays', async () => {
  const { page, context } = await openOfflinePos()
  const phone = newPhone()
  await sql`insert into users (name, phone) values ('Rahima Begum', ${phone})`.execute(db)
  let answer = () => {}
  const isTyped = new Promise<void>((resolve) => (answer = resolve))
  await context.route('**/api/admin/quick-orders/customer?*', async (route) => {
    await isTyped
    await route.continue()
  })
  await page.fill('#pos-phone', phone)
  await page.fill('#pos-name', 'Her son')
  answer()
  await page.getByText(t('pos.known', { name: 'Rahima Begum' })).waitFor()
  expect(await page.inputValue('#pos-name')).toBe('Her son')
})

test('stock that arrived meanwhile ends the warning', async () => {
  const { page } = await openOfflinePos()
  await take(page, PIECE)
  await quantity(page).waitFor()
  await sql`update products set stock_milli = 8000 where barcode = ${PIECE}`.execute(db)
  await quantity(page).fill('9')
  await page.getByText(t('pos.beyond-stock', { left: '8 pieces' })).waitFor()
  await quantity(page).fill('8')
  await expect.poll(() => page.getByText(/in stock/).count()).toBe(0)
})

test('stock that went meanwhile is known at the line after the shop has refused', async () => {
  const { page, expectProblem } = await openOfflinePos()
  expectProblem(/410|422/)
  await take(page, PIECE)
  await quantity(page).fill('3')
  await page.fill('#pos-phone', newPhone())
  await sql`update products set stock_milli = 2000 where barcode = ${PIECE}`.execute(db)
  await place(page)
  await page.getByText(t('pos.beyond-stock', { left: '2 pieces' })).waitFor()
})

test('without network, what is sold and not sent is not sold again', async () => {
  const { page, context } = await openOfflinePos()
  await context.setOffline(true)
  await offline(page)
  await sellWithout(page, newPhone())
  await take(page, CODE)
  await quantity(page).fill('500')
  await page.getByText(t('pos.beyond-stock-offline', { left: '499 kg' })).waitFor()
  await quantity(page).fill('10001')
  await page.getByText(t('refusal.quantity-limit')).waitFor()
})

test('a comma is a decimal point in both scripts, and the field keeps what was typed', async () => {
  const { page } = await openOfflinePos()
  await take(page, CODE)
  await quantity(page).waitFor()
  for (const [typed, counted, total] of [
    ['1,5', '1.5 kg', '৳150.00'],
    ['১,২৫', '1.25 kg', '৳125.00'],
    ['২.৫', '2.5 kg', '৳250.00'],
  ] as const) {
    await quantity(page).fill('')
    await quantity(page).pressSequentially(typed, { delay: 200 })
    expect(await quantity(page).inputValue()).toBe(typed)
    await expect.poll(() => page.locator('[data-counted]').innerText()).toBe(counted)
    expect(await page.locator('[data-line-total]').innerText()).toBe(total)
  }
  for (const typed of ['1,500', '1.5x', '1,5.5']) {
    await quantity(page).fill('')
    await quantity(page).pressSequentially(typed, { delay: 200 })
    expect(await quantity(page).inputValue()).toBe(typed)
    await page.getByText(t('pos.quantity-invalid')).waitFor()
    expect(await placing(page).isEnabled()).toBe(false)
  }
})

test.each([1, 6])('a scan behind half-typed letters is a scan, with the CPU slowed %d times', async (slowdown) => {
  const { page, context } = await openOfflinePos()
  const devtools = await context.newCDPSession(page)
  const [scanner, plugged] = [await plugTimedKeys(page), Date.now()]
  await box(page).focus()
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  for (const typed of ['ma', 'কল', '12', 'hon']) {
    await unlocked(page)
    await page.keyboard.type(typed, { delay: 120 })
    // The cashier looks at the list.
    await page.waitForTimeout(600)
    await scanner(`${CODE}\r`, Date.now() - plugged)
    await expect.poll(() => box(page).inputValue()).toBe('')
  }
  await expect.poll(() => quantity(page).inputValue()).toBe('4')
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
})

test('a refused scan leaves the box empty', async () => {
  const { page } = await openOfflinePos()
  for (const [code, text] of [
    ['12', t('pos.too-short')],
    ['7700000000015', t('pos.barcode-not-found')],
  ] as const) {
    await take(page, code)
    await page.getByText(text).first().waitFor()
    expect(await box(page).inputValue()).toBe('')
  }
  await take(page, CODE)
  await quantity(page).waitFor()
})

test('Enter after a name of two letters adds the only product with it: it is no code', async () => {
  await buildProduct(db, { name_bn: 'আখ', name_en: 'Test sugarcane' })
  const { page } = await openOfflinePos()
  await box(page).pressSequentially('আখ', { delay: 200 })
  await page.getByRole('option', { name: /Test sugarcane/ }).waitFor()
  await page.keyboard.press('Enter')
  await quantity(page).waitFor()
})

test('a tag is found in the digits and letters of a Bengali keyboard, with price and stock in the list', async () => {
  const { page } = await openOfflinePos()
  await box(page).fill('২০১')
  await page.getByRole('option', { name: /Test bull/ }).waitFor()
  await box(page).fill('test pine')
  const found = page.getByRole('option', { name: /Test pineapple/ })
  await expect.poll(() => found.innerText()).toMatch(/3 pieces left/)
  expect((await found.innerText()).replaceAll(/\s+/g, ' ')).toContain('৳50 / piece')
  await box(page).fill('')
  await take(page, 'বি-২০১')
  await line(page, 'Test bull').waitFor()
  await take(page, '৮৯০০০০০০০০০১৭')
  await line(page, 'Test honey').waitFor()
})

test('what is missing to pay, quick tender, and discounts', async () => {
  const { page } = await openOfflinePos()
  const phone = newPhone()
  await take(page, CODE)
  await take(page, PIECE)
  await line(page, 'Test pineapple').waitFor()
  // F9 leads to what is missing, too.
  await place(page)
  expect(await focused(page)).toBe('pos-phone')
  await page.fill('#pos-phone', phone)

  await page.fill('#pos-cash', '20')
  await problem(page, '৳130 due').click()
  expect(await focused(page)).toBe('pos-cash')
  await page.fill('#pos-bkash', '400')
  await problem(page, t('pos.problem.not-from-cash')).click()
  expect(await focused(page)).toBe('pos-bkash')
  await page.fill('#pos-bkash', '')

  await page.getByRole('button', { name: '৳500', exact: true }).click()
  await expect.poll(() => page.locator('#pos-cash').inputValue()).toBe('500')
  await page.getByText('৳350').first().waitFor()
  await page.getByRole('button', { name: t('pos.cash-exact'), exact: true }).click()
  await expect.poll(() => page.locator('#pos-cash').inputValue()).toBe('150.00')

  // 10% of the pineapple, then 1% of the rest.
  await line(page, 'Test pineapple')
    .getByRole('button', { name: t('pos.discount') })
    .click()
  await page.keyboard.type('10')
  await page.getByRole('button', { name: t('pos.percent-of', { name: 'Test pineapple' }) }).click()
  await expect.poll(() => line(page, 'Test pineapple').locator('[data-line-total]').innerText()).toBe('৳45.00')
  await page.fill('#pos-discount', '200')
  await page.getByText(t('pos.discount-invalid')).first().waitFor()
  await page.fill('#pos-discount', '1%')
  await expect.poll(() => page.locator('[data-total]').innerText()).toBe('৳143.55')
  await page.getByRole('button', { name: '৳200', exact: true }).click()
  await place(page)
  await expect.poll(() => sold(phone)).toEqual([{ total: 14_355, discount: 645, paid: 14_355 }])
})

/** What the shop has sold to this phone. */
async function sold(phone: string) {
  const { rows } = await sql<{ total: number; discount: number; paid: number }>`
    select total_poisha as total, discount_poisha as discount, ledger_balance_poisha as paid
    from orders where source = 'pos' and phone = ${phone}`.execute(db)
  return rows
}

test('in Bengali: digits, units and problems', async () => {
  const opened = await openPage(browser, { baseUrl: shop.url, width: 390, lang: 'bn' })
  const { page } = opened
  await signInAs(page, cashier.phone)
  await openPos(page)
  await settled(page)
  await box(page).fill('আনারস')
  await expect.poll(() => page.getByRole('option').innerText()).toMatch(/স্টকে আছে ৩টি/)
  await box(page).press('ArrowDown')
  await box(page).press('Enter')
  await expect.poll(() => quantity(page).inputValue()).toBe('১')
  await expect.poll(() => page.locator('#pos-cash').inputValue()).toBe('৫০.০০')
  await quantity(page).fill('১,৫')
  await page.getByText(bn('pos.whole-only', { unit: 'পিস' })).waitFor()
  await quantity(page).fill('4')
  await page.getByText(bn('pos.beyond-stock', { left: '৩টি' })).waitFor()
  await page.locator('#pos-phone').focus()
  expect(await quantity(page).inputValue()).toBe('৪')
  await page.fill('#pos-cash', '৫০')
  await page.locator('[data-payment-problem]', { hasText: '৳১৫০ বাকি' }).waitFor()
  expect(await complaints(page)).toEqual([])
})
