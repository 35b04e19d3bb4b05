import pg from 'pg'
import type { Browser, Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import '#messages/en-admin.ts'
import { translate } from '#lib/i18n/translate.ts'
import { complaints } from './axe.ts'
import { sharedBrowser, openPage } from './browser.ts'
import { lastOrder } from './pos-page.ts'
import { go, signIn } from './sign-in.ts'
import { startShop, type Shop } from '../server.ts'

// A day at the POS: a sale is held and fetched, sold with a supervisor's discount, half of it comes back, more of it with a supervisor, and
// the evening agrees.

const t = translate('en')
const [CASHIER, MANAGER] = ['01711000004', '01711000002']
const CODE = '8900000000017'
const APPROVAL_CODE = '403917'

let shop: Shop
let browser: Browser
let database: pg.Client

// Each try has a shop of its own: the one before has left held sales and an open shift.
beforeEach(async ({ onTestFinished }) => {
  ;[shop, browser] = await Promise.all([startShop({ demo: true }), sharedBrowser()])
  database = new pg.Client({ connectionString: shop.databaseUrl })
  onTestFinished(async () => {
    await database.end()
    await shop.stop()
  })
  await database.connect()
  await database.query(
    `update products set barcode = $1, price_poisha = 12000, discount_kind = null, discount_value = null, unit = 'kg', sizes_milli = '{}',
      stock_milli = 500000 where id = (select id from products where not is_unique and status = 'in-stock' and visible order by id limit 1)`,
    [CODE],
  )
  await database.query(`insert into settings (key, value) values ('pos_return', '{"taka":100,"day_taka":5000,"days":7}')`)
})

async function scan(page: Page, code: string, amount: string) {
  await page.locator('#pos-search:not([readonly])').waitFor()
  await page.locator('#pos-search').focus()
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('#quick-order li input').first().inputValue()).toBe(amount)
}
const stock = async () => Number((await database.query('select stock_milli from products where barcode = $1', [CODE])).rows[0].stock_milli)

test('from the first sale to the closed shift', async () => {
  const manager = await openPage(browser, { baseUrl: shop.url, width: 1280 })
  await signIn(manager.page, MANAGER)
  await go(manager.page, '/admin/quick-orders/code')
  await manager.page.fill('[name=code]', APPROVAL_CODE)
  await manager.page.keyboard.press('Enter')
  await manager.page.getByText(t('pos.code.saved')).first().waitFor()

  const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url, width: 1280 })
  expectProblem(/422/)
  await page.addInitScript(() => void (window.print = () => {}))
  await signIn(page, CASHIER)
  await go(page, '/admin/quick-orders')
  await page.fill('[name=opening_cash]', '1000')
  await page.keyboard.press('Enter')
  await page.locator('#pos-search').waitFor()
  await page.waitForFunction(() => window.pageAwake)
  const before = await stock()

  // Two sales are held, by keyboard; the price changes meanwhile.
  await scan(page, CODE, '1')
  await page.keyboard.press('F7')
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'name')
  await page.keyboard.insertText('red shirt')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('#quick-order [data-lines] li').count()).toBe(0)
  // The box has the focus again, and takes letters.
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('pos-search')
  await scan(page, CODE, '1')
  await scan(page, CODE, '2')
  await page.keyboard.press('F7')
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'name')
  await page.keyboard.insertText('blue cap')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('[data-held]').innerText()).toBe('2')
  await database.query('update products set price_poisha = 12500 where barcode = $1', [CODE])

  // A reload loses nothing; what is entered when one is fetched is held itself.
  await go(page, '/admin/quick-orders')
  await expect.poll(() => page.locator('[data-held]').innerText()).toBe('2')
  await scan(page, CODE, '1')
  await page.keyboard.press('F8')
  await page.getByRole('dialog').getByText('blue cap').waitFor()
  expect(await complaints(page)).toEqual([])
  await page.waitForFunction(() => document.activeElement?.textContent?.includes('red shirt'))
  await page.keyboard.press('2')
  await expect.poll(() => page.locator('#quick-order li input').first().inputValue()).toBe('2')
  await expect.poll(() => page.locator('#pos-cash').inputValue()).toBe('250.00')
  await expect.poll(() => page.locator('[data-held]').innerText()).toBe('2')

  // 50 of 250 taka off: more than a cashier may.
  await page.fill('#pos-phone', '01712345670')
  await page.fill('#pos-discount', '50')
  await page.fill('#pos-bkash', '80')
  await page.fill('#pos-bkash-id', 'bk-777001')
  await page.keyboard.press('F9')
  const dialog = page.getByRole('dialog')
  await dialog.getByText(t('pos.approval.of-discount', { amount: '৳50' })).waitFor()
  expect(await complaints(page)).toEqual([])
  await dialog.locator('[name=phone]').fill(MANAGER)
  await dialog.locator('[name=code]').fill('111222')
  await page.keyboard.press('Enter')
  await dialog.getByText(t('pos.code.wrong')).waitFor()
  await page.keyboard.type(APPROVAL_CODE)
  await page.keyboard.press('Enter')
  const id = await lastOrder(page)
  expect(await stock()).toBe(before - 2000)

  // Found again among the day's sales by its sum, and half of it comes back, spoiled: 100 of the 200 taka that were paid.
  await go(page, '/admin/quick-orders/sales')
  await page.fill('#sales-search', '২০০')
  await page.keyboard.press('Enter')
  await page.waitForURL(/q=/)
  await page.waitForFunction(() => window.pageAwake)
  expect(await complaints(page)).toEqual([])
  await page.getByRole('link', { name: `${t('pos.sales.return')} ${id}` }).click()
  await page.getByText(t('pos.return.sale-of', { id })).waitFor()
  await page.waitForFunction(() => window.pageAwake)
  expect(await complaints(page)).toEqual([])
  await page.getByLabel(/^Return quantity of/).fill('1')
  await page.getByLabel(/^Where /).selectOption('spoiled')
  await page.getByLabel(t('pos.return.why')).fill('Soft')
  await expect.poll(() => page.locator('[data-refund]').innerText()).toBe('৳100')
  await page.getByRole('button', { name: t('pos.return.do') }).click()
  await page.locator('[data-recorded-return]').waitFor()
  await page.locator('[data-receipt]').getByText('Soft').waitFor({ state: 'attached' })
  await page.waitForFunction(() => window.pageAwake)
  expect(await stock()).toBe(before - 2000)

  // A cashier refunds 100 taka of a sale alone: for 50 more a supervisor types the code.
  await go(page, `/admin/quick-orders/return?receipt=${id}`)
  await page.getByLabel(/^Return quantity of/).fill('0.5')
  await page.getByLabel(t('pos.return.why')).fill('Soft too')
  await page.getByText(t('pos.return.supervisor-needed')).waitFor()
  await page.getByRole('button', { name: t('pos.return.do') }).click()
  await dialog.getByText(t('pos.return.of', { amount: '৳50', id })).waitFor()
  expect(await complaints(page)).toEqual([])
  await dialog.locator('[name=phone]').fill(MANAGER)
  await dialog.locator('[name=code]').fill('111222')
  await page.keyboard.press('Enter')
  await dialog.getByText(t('pos.code.wrong')).waitFor()
  await page.keyboard.type(APPROVAL_CODE)
  await page.keyboard.press('Enter')
  await page.locator('[data-recorded-return]').waitFor()
  await page.locator('[data-receipt]').getByText('Approved by').waitFor({ state: 'attached' })
  await page.waitForFunction(() => window.pageAwake)
  expect(await stock()).toBe(before - 1500)

  // The evening: 1000 + 120 − 150 in the drawer; ten are missing, and it is said why.
  await go(page, '/admin/quick-orders/close')
  await page.getByLabel(t('pos.notes-of', { note: '500' })).fill('1')
  await page.getByLabel(t('pos.notes-of', { note: '10' })).fill('46')
  await page.getByText('BK777001').click()
  await expect.poll(() => page.locator('[name=counted_cash]').inputValue()).toBe('960.00')
  await expect.poll(() => page.locator('[name=counted_bkash]').inputValue()).toBe('80.00')
  expect(await complaints(page)).toEqual([])
  const close = page.getByRole('button', { name: t('pos.close-shift') })
  await close.click()
  // The count is blind: the cashier hears that it differs, not by how much.
  await page.getByText(t('pos.unexplained')).first().waitFor()
  expect(await page.locator('[data-differences]').count()).toBe(0)
  await page.getByLabel(t('pos.note')).fill('Tea for a guest')
  await close.click()
  await page.waitForURL(/shifts\?day=/)
  await page.getByText('Tea for a guest').waitFor()
  expect(await page.locator('[data-ledger]').count()).toBe(0)
  expect(await page.getByText(t('pos.expected')).count()).toBe(0)
  expect(await complaints(page)).toEqual([])

  const { rows } = await database.query(
    `select o.status, o.ledger_balance_poisha::int as paid, o.spent_poisha::int as spent, (select sum(amount_poisha)::int from ledger_entries where shift_id = s.id) as ledger,
      s.expected_cash_poisha::int + s.expected_bkash_poisha::int - s.opening_cash_poisha::int as expected, s.counted_cash_poisha::int - s.expected_cash_poisha::int as off
    from orders o join pos_sales t on t.order_id = o.id join pos_shifts s on s.id = t.shift_id where o.id = $1`,
    [id],
  )
  expect(rows).toEqual([{ status: 'completed', paid: 20_000, spent: 5000, ledger: 5000, expected: 5000, off: -1000 }])
})
