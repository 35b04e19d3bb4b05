import { formatDay } from '#lib/format/time.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { translate } from '#lib/i18n/translate.ts'
import { formatTaka, taka } from '#lib/format/money.ts'
import { admin, database, useDemoShop } from './demo-shop.ts'
import { editSection } from './order-page.ts'
import { go } from './sign-in.ts'

useDemoShop()

// Dialogs lose nothing that was typed, and a list says what it is filtered by.

const MANAGER = '01711000002'
const t = translate('en')
const one = async <Row>(statement: string, values: unknown[] = []): Promise<Row> => (await database.query(statement, values)).rows[0] as Row
const someOrder = async () => (await one<{ id: number }>("select id::int from orders where status = 'placed' order by id limit 1")).id

test('a tap beside a dialog takes nothing away that was typed', async () => {
  const { page } = await admin(MANAGER, { width: 390 })
  await go(page, `/admin/orders/update/${await someOrder()}`)
  const open = page.getByRole('button', { name: t('admin-orders.send-sms') })
  await open.click()
  await page.getByRole('dialog').waitFor()
  await page.mouse.click(195, 4)
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await open.click()
  const message = page.getByRole('dialog').getByLabel(t('sms.compose.message'))
  await message.fill('আপনার অর্ডার কাল পৌঁছাবে')
  await page.mouse.click(195, 4)
  expect(await message.inputValue()).toBe('আপনার অর্ডার কাল পৌঁছাবে')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
})

test('Escape, the cross and Cancel keep what was typed in a dialog until it is sent', async () => {
  const { page } = await admin(MANAGER)
  await go(page, `/admin/orders/update/${await someOrder()}`)
  const dialog = page.getByRole('dialog')
  const message = dialog.getByLabel(t('sms.compose.message'))
  const open = async () => {
    await page.getByRole('button', { name: t('admin-orders.send-sms') }).click()
    await message.waitFor()
  }
  await open()
  await message.fill('আপনার অর্ডার কাল পৌঁছাবে')
  const close = dialog.getByRole('button', { name: t('admin.close') })
  const cancel = dialog.getByRole('button', { name: t('sms.compose.cancel') })
  for (const leave of [() => page.keyboard.press('Escape'), () => close.click(), () => cancel.click()]) {
    await leave()
    await dialog.waitFor({ state: 'hidden' })
    await open()
    expect(await message.inputValue()).toBe('আপনার অর্ডার কাল পৌঁছাবে')
  }
  await dialog.getByRole('button', { name: t('sms.compose.send') }).click()
  await page.getByText(t('sms.written.sent')).waitFor()
  await open()
  expect(await message.inputValue()).toBe('')
})

/** Types into a dialog, leaves it by Escape, opens it again: it is still there. */
async function typedSurvives(page: Page, open: () => Promise<void>, typed: [label: string, text: string][]): Promise<void> {
  const field = (label: string) => page.getByRole('dialog').getByLabel(label, { exact: false })
  await open()
  for (const [label, text] of typed) await field(label).fill(text)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await open()
  for (const [label, text] of typed) expect([label, await field(label).inputValue()]).toEqual([label, text])
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
}

test('Escape keeps an amount, a bulk price, a move of cash and the name of a held sale', async () => {
  const { page } = await admin(MANAGER)
  const button = (name: string) => () => page.getByRole('button', { name, exact: false }).filter({ visible: true }).first().click()
  await go(page, `/admin/orders/update/${await someOrder()}`)
  await typedSurvives(page, button(t('admin-orders.record-payment')), [[t('admin-orders.amount'), '123.45']])

  await go(page, '/admin/products')
  await page.locator('tbody input[type=checkbox]').first().check()
  await typedSurvives(page, button(t('products.bulk.price')), [[t('products.bulk-amount'), '-7']])

  await go(page, '/admin/quick-orders')
  if (await page.getByLabel(t('pos.opening-cash')).isVisible()) {
    await page.getByLabel(t('pos.opening-cash')).fill('500')
    await button(t('pos.open-shift'))()
    await page.locator('#pos-search:not([readonly])').waitFor()
  }
  await typedSurvives(page, button(t('pos.cash-move')), [
    [t('pos.amount'), '250'],
    [t('pos.reason'), 'Tea for the drivers'],
  ])
  const { barcode } = await one<{ barcode: string }>(
    "select barcode from products where not is_unique and status = 'in-stock' and visible and barcode is not null order by id limit 1",
  )
  await page.locator('#pos-search').fill(barcode)
  await page.keyboard.press('Enter')
  await page.locator('#quick-order li input').first().waitFor()
  await typedSurvives(page, button(t('pos.held.do')), [[t('pos.held.name'), 'The man with the hat']])
})

test('the list says what else it is filtered by, and each chip takes its own away', async () => {
  // Filters that an earlier try has saved are not offered to be saved again.
  await database.query('delete from saved_filters')
  const { page } = await admin(MANAGER)
  await go(page, '/admin/orders?late_on=2099-01-01&open=1&attention=1&due=yes')
  const chips = page.getByRole('list', { name: t('admin-orders.chips') }).getByRole('link')
  expect((await chips.allInnerTexts()).map((text) => text.trim())).toEqual([
    t('admin-orders.still-to-go'),
    t('admin-orders.late-on', { day: '1 Jan 2099' }),
    t('admin-orders.flagged'),
  ])
  await chips.nth(2).click()
  await page.waitForURL((url) => url.search === '?late_on=2099-01-01&open=1&due=yes')
  // What has no field of its own stays when a field changes, and is printed and saved with the rest.
  await page.waitForFunction(() => window.pageAwake)
  await page.getByRole('button', { name: t('admin.filters.more') }).click()
  await page.locator('select[name=source]').selectOption('web')
  await page.waitForURL((url) => url.searchParams.get('late_on') === '2099-01-01' && url.searchParams.get('source') === 'web')
  await go(page, '/admin/orders?late_on=2099-01-01')
  const all = await page.getByRole('link', { name: /^Print all/ }).getAttribute('href')
  expect(all).toContain('late_on=2099-01-01')
  await page.getByRole('button', { name: t('admin.filters.save') }).click()
  await page.getByLabel(t('admin.filters.name')).fill('Late ones')
  await page.getByRole('button', { name: t('admin.save') }).click()
  expect(await page.getByRole('link', { name: 'Late ones' }).getAttribute('href')).toContain('late_on=2099-01-01')
})

test('the palette by keys: the beginning of a phone, arrows that keep their line in sight, Escape, and once more', async () => {
  const { page } = await admin(MANAGER)
  const { phone } = await one<{ phone: string }>('select phone from orders order by phone, id desc limit 1')
  await go(page, '/admin/orders')
  const find = page.getByRole('combobox', { name: t('admin.find.label') })
  await page.keyboard.press('Control+k')
  await find.waitFor()
  for (let down = 0; down < 30; down += 1) await page.keyboard.press('ArrowDown')
  const within = await page
    .getByRole('dialog')
    .getByRole('option', { selected: true })
    .evaluate((line) => {
      const [one, all] = [line.getBoundingClientRect(), line.closest('[role=listbox]')!.getBoundingClientRect()]
      return one.top >= all.top && one.bottom <= all.bottom + 1
    })
  expect(within).toBe(true)
  await page.keyboard.press('Escape')
  await find.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  await find.waitFor()
  // A press that follows Escape before the browser tells that it closed the dialog is not lost.
  await page.locator('dialog[open]').evaluate((dialog) => {
    const press = () => document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }))
    dialog.addEventListener('cancel', () => queueMicrotask(press), { once: true })
  })
  await page.keyboard.press('Escape')
  await find.fill(phone.slice(0, 4))
  await page.getByRole('dialog').getByRole('option', { name: phone }).first().waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/admin\/orders\/update\/\d+$/)
})

test('a field for a day shows that it has the focus, on whichever of its parts', async () => {
  const { page } = await admin(MANAGER)
  await go(page, `/admin/orders/update/${await someOrder()}`)
  await editSection(page, 'details')
  await page.locator('input[type=date]').first().focus()
  expect(
    await page
      .locator('input[type=date]')
      .first()
      .evaluate((field) => getComputedStyle(field).outlineStyle),
  ).toBe('solid')
})

test('a date field shows the date as the page does, and in ISO form only while typing', async () => {
  const { page } = await admin(MANAGER, { lang: 'bn' })
  await go(page, '/admin/orders?list_on=2026-11-22')
  const words = page.getByText(formatDay('2026-11-22', 'bn'), { exact: true }).first()
  await expect.poll(() => words.isVisible()).toBe(true)
  await page.getByLabel(translate('bn')('admin-orders.delivery-day'), { exact: true }).focus()
  await expect.poll(() => words.isVisible()).toBe(false)
  await page.keyboard.press('Shift+Tab')
  await expect.poll(() => words.isVisible()).toBe(true)
})

test('a figure too many is asked about; Escape leads back to the amount, with all that was typed', async () => {
  const { page } = await admin(MANAGER)
  const { id } = await one<{ id: number }>(
    "select id::int from orders where status = 'placed' and ledger_balance_poisha = 0 order by id limit 1",
  )
  const paid = async () => (await one<{ paid: number }>('select ledger_balance_poisha::int as paid from orders where id = $1', [id])).paid
  const due = (
    await one<{ due: number }>('select ((total_poisha - ledger_balance_poisha) / 100)::int as due from orders where id = $1', [id])
  ).due
  await go(page, `/admin/orders/update/${id}`)
  const open = page.getByRole('button', { name: t('admin-orders.record-payment') })
  await open.click()
  const entry = page.getByRole('dialog', { name: t('admin-orders.record-payment') })
  const amount = entry.getByLabel(t('admin-orders.amount'))
  await amount.fill(String(due + 1000))
  await amount.press('Enter')
  const sum = formatTaka(taka(due + 1000), 'en')
  const question = page.getByRole('dialog', { name: t('admin-orders.too-much-title', { amount: sum }) })
  await question.getByText(t('admin-orders.too-much-text', { amount: '৳1,000' })).waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'hidden' })
  expect(await amount.inputValue()).toBe(String(due + 1000))
  expect(await paid()).toBe(0)
  await amount.press('Enter')
  await question.waitFor()
  // The second key comes before the page knows of the first.
  await Promise.all([page.keyboard.press('Escape'), page.keyboard.press('Enter')])
  await question.waitFor()
  await question.getByRole('button', { name: t('admin-orders.too-much-do', { amount: sum }) }).click()
  await entry.waitFor({ state: 'hidden' })
  await page.getByText(t('admin-orders.overpaid')).first().waitFor()
  expect(await paid()).toBe((due + 1000) * 100)
  expect(await open.evaluate((button) => button === document.activeElement)).toBe(true)
})
