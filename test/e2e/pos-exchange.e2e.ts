import { beforeAll, expect, test } from 'vitest'
import '#messages/en-admin.ts'
import { translate } from '#lib/i18n/translate.ts'
import { complaints } from './axe.ts'
import { openPage } from './browser.ts'
import { browser, database, shop, useDemoShop } from './demo-shop.ts'
import { newPhone } from './new-phone.ts'
import { lastOrder, openPos, place, ready, scan, unlocked } from './pos-page.ts'
import { plugScanner } from './scanner.ts'
import { go, signIn } from './sign-in.ts'

// What a customer brings back is exchanged in one step: chosen at the return page, settled with the sale at the POS.

const t = translate('en')
const [CASHIER, MANAGER] = ['01711000004', '01711000002']
const [HONEY, MANGO] = ['8900000000017', '8900000000024']

useDemoShop()

beforeAll(async () => {
  for (const [at, [code, price]] of [[HONEY, 12_000] as const, [MANGO, 8000] as const].entries())
    await database.query(
      `update products set barcode = $1, price_poisha = $2, discount_kind = null, discount_value = null, unit = 'kg', sizes_milli = '{}',
        stock_milli = 500000 where id = (select id from products where not is_unique and status = 'in-stock' and visible order by id offset $3 limit 1)`,
      [code, price, at],
    )
})

test.each([1280, 390] as const)('an exchange at %i px: for more, then for less', async (width) => {
  const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url, width })
  expectProblem(/ERR_INTERNET_DISCONNECTED|4\d\d/)
  await page.addInitScript(() => void (window.print = () => {}))
  await signIn(page, CASHIER)
  await openPos(page, '1000')
  const sell = async (code: string) => {
    await unlocked(page)
    await page.locator('#pos-search').focus()
    await scan(page, code)
    await expect.poll(() => page.locator('#quick-order [data-lines] li').count()).toBe(1)
  }
  await sell(HONEY)
  await page.fill('#pos-phone', '01712345670')
  await place(page)
  const first = await lastOrder(page)

  // Another sale is on the screen: it is held while the exchange is made.
  await unlocked(page)
  await page.locator('#pos-search').focus()
  await scan(page, MANGO)
  await expect.poll(() => page.locator('#quick-order [data-lines] li').count()).toBe(1)
  await go(page, `/admin/quick-orders/return?receipt=${first}`)
  await page.getByLabel(/^Return quantity of/).fill('1')
  await page.getByLabel(t('pos.return.why')).fill('Not sweet')
  expect(await complaints(page)).toEqual([])
  await page.getByRole('button', { name: t('pos.exchange.start') }).click()
  await page.locator('[data-exchange]').waitFor()
  await ready(page)
  await page.locator('[data-held]').waitFor()
  expect(await page.locator('#pos-phone').inputValue()).toBe('01712345670')
  await sell(MANGO)
  await expect.poll(() => page.locator('[data-exchange]').innerText()).toContain('৳40')
  expect(await complaints(page)).toEqual([])

  // Without network it stays on the screen; a reload keeps it.
  await page.context().setOffline(true)
  await place(page)
  await page.getByText(t('pos.exchange.offline')).first().waitFor()
  await page.context().setOffline(false)
  await go(page, '/admin/quick-orders')
  await ready(page)
  await page.locator(`[data-exchange="${first}"]`).waitFor()
  await place(page)
  const second = await lastOrder(page)
  expect(await page.locator('[data-paid-back]').innerText()).toBe('৳40')
  await expect.poll(() => page.locator('[data-print-in-place]').textContent()).toContain(t('pos.exchange.value'))

  const { rows } = await database.query(
    `select o.status, amount_due(o)::int as due, (select string_agg(concat_ws(' ', kind, method, amount_poisha), ', ' order by id)
      from ledger_entries where order_id = o.id) as ledger from orders o where id = any($1) order by id`,
    [[first, second]],
  )
  expect(rows).toEqual([
    { status: 'returned', due: 0, ledger: 'counter cash 12000, refund cash -4000, refund exchange -8000' },
    { status: 'completed', due: 0, ledger: 'counter exchange 8000' },
  ])
  await page.context().close()
})

test('a return without a receipt, approved by a supervisor', async () => {
  const manager = await openPage(browser, { baseUrl: shop.url, width: 1280 })
  await signIn(manager.page, MANAGER)
  await go(manager.page, '/admin/quick-orders/code')
  await manager.page.fill('[name=code]', '403917')
  await manager.page.keyboard.press('Enter')
  await manager.page.getByText(t('pos.code.saved')).first().waitFor()

  const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url, width: 390 })
  expectProblem(/422/)
  await page.addInitScript(() => void (window.print = () => {}))
  await signIn(page, CASHIER)
  await openPos(page, '1000')
  await go(page, '/admin/quick-orders/return')
  await page.getByRole('link', { name: t('pos.receiptless') }).click()
  await page.locator('#pos-search').waitFor()
  await page.waitForFunction(() => window.pageAwake)
  const scanner = await plugScanner(page)
  // The box has the focus; a scan into another field is a scan.
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('pos-search')
  await scanner(HONEY)
  await page.locator('[data-returned] li input').first().waitFor()
  await page.locator('[name=reason]').fill('Cry')
  await unlocked(page)
  await scanner(HONEY)
  await expect.poll(() => page.getByLabel(/^Return quantity of/).inputValue()).toBe('2')
  expect(await page.locator('[name=reason]').inputValue()).toBe('Cry')
  await page.getByLabel(/^Return quantity of/).fill('0.5')
  await page.getByLabel(/^Refund price of/).fill('100')
  await page.locator('[name=phone]').fill('01712345671')
  await page.locator('[name=reason]').fill('Crystals')
  await expect.poll(() => page.locator('[data-refund]').innerText()).toBe('৳50')
  expect(await complaints(page)).toEqual([])
  await page.getByRole('button', { name: t('pos.return.do') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(t('pos.receiptless.approval')).waitFor()
  await dialog.locator('[name=phone]').fill(MANAGER)
  await dialog.locator('[name=code]').fill('403917')
  expect(await complaints(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.locator('[data-recorded-return]').waitFor()
  await page.locator('[data-receipt]').getByText('Crystals').waitFor({ state: 'attached' })
  await go(manager.page, '/admin/quick-orders/shifts')
  await manager.page.getByText(t('pos.report.receiptless')).first().waitFor()
  await manager.page.locator('[data-ledger="0"]').waitFor()
  expect(await complaints(manager.page)).toEqual([])
})

test('a return without a receipt whose answer was lost is named, and is recorded again only when told', async () => {
  const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url, width: 1280 })
  expectProblem(/422|ERR_FAILED/)
  await page.addInitScript(() => void (window.print = () => {}))
  await signIn(page, MANAGER)
  await openPos(page, '1000')
  const reason = `Leaks ${newPhone()}`
  const returned = async () => {
    const { rows } = await database.query<{ count: number }>('select count(*)::int from pos_returns where reason = $1', [reason])
    return rows[0]!.count
  }
  const url = '**/admin/quick-orders/return-without-receipt'
  const enter = async () => {
    await go(page, '/admin/quick-orders/return-without-receipt')
    await (
      await plugScanner(page)
    )(HONEY)
    await page.locator('[data-returned] li input').first().waitFor()
    await page.getByLabel(/^Refund price of/).fill('100')
    await page.locator('[name=phone]').fill('01712345671')
    await page.locator('[name=reason]').fill(reason)
    await page.getByRole('button', { name: t('pos.return.do') }).click()
  }
  await page.route(url, async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fetch()
    await route.abort()
  })
  await enter()
  await page.getByText(t('pos.return.offline')).waitFor()
  expect(await returned()).toBe(1)
  await page.unroute(url)
  await enter()
  await page
    .locator('[data-recorded-return]')
    .getByText(/^Already saved:/)
    .waitFor()
  expect(await complaints(page)).toEqual([])
  expect(await returned()).toBe(1)
  await page.getByRole('button', { name: t('pos.return.again') }).click()
  expect(await page.locator('[name=reason]').inputValue()).toBe(reason)
  await page.getByRole('button', { name: t('pos.return.do') }).click()
  await page.locator('[data-recorded-return]').getByText(t('pos.return.done')).waitFor()
  expect(await returned()).toBe(2)
})
