import pg from 'pg'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import '#messages/en-admin.ts'
import { ean13 } from '#lib/codes/ean.ts'
import { translate } from '#lib/i18n/translate.ts'
import { SALE_KEY } from '#features/pos/storage-names.ts'
import { complaints } from './axe.ts'
import { sharedBrowser, openPage } from './browser.ts'
import { go, signIn } from './sign-in.ts'
import { newPhone } from './new-phone.ts'
import { lastOrder, openPos, quantity, unlocked } from './pos-page.ts'
import { startShop, type Shop } from '../server.ts'

// A cashier's hour: scanning, splitting a payment, being refused, closing; by keyboard alone.

const t = translate('en')
const CASHIER = '01711000004'
const CODE = '8900000000017'

let shop: Shop
let browser: Browser
let database: pg.Client
let product: number

beforeAll(async () => {
  ;[shop, browser] = await Promise.all([startShop({ demo: true }), sharedBrowser()])
  database = new pg.Client({ connectionString: shop.databaseUrl })
  await database.connect()
  const { rows } = await database.query<{ id: string }>(
    `update products set barcode = $1, price_poisha = 12050, discount_kind = null, discount_value = null, unit = 'kg', sizes_milli = '{}'
      where id = (select id from products where not is_unique and (stock_milli is null or stock_milli > 200000) and status = 'in-stock' and visible
      order by id limit 1) returning id`,
    [CODE],
  )
  product = Number(rows[0]!.id)
  await database.query(
    `update products set barcode = '8900000000024', status = 'out-of-stock', stock_milli = 0 where id = (select max(id) from products where not is_unique)`,
  )
})
afterAll(async () => {
  await database?.end()
  await shop?.stop()
})

async function openCashierPos(width: 390 | 1280 = 1280) {
  const opened = await openPage(browser, { baseUrl: shop.url, width })
  await signIn(opened.page, CASHIER)
  await openPos(opened.page, '1000')
  return opened
}
const scan = async (page: Page, code: string) => {
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')
}
/** Gives the product another barcode, and waits until the shop finds it by that. */
async function label(page: Page, barcode: string): Promise<void> {
  await database.query('update products set barcode = $1 where id = $2', [barcode, product])
  const found = () => page.evaluate(async (code) => (await fetch(`/api/product/search?q=${code}`)).json(), barcode)
  await expect.poll(found).toMatchObject([{ id: product }])
}
const setPrice = (poisha: number) => database.query('update products set price_poisha = $1 where id = $2', [poisha, product])
const orders = async () => Number((await database.query("select count(*) as n from orders where source = 'pos'")).rows[0].n)

test('ten sales as a scanner types them', async () => {
  const { page } = await openCashierPos()
  await page.addInitScript(() => void (window.print = () => {}))
  const before = await orders()
  const { rows: entries } = await database.query<{ last: string }>('select coalesce(max(id), 0) as last from ledger_entries')
  for (let sale = 0; sale < 10; sale++) {
    await unlocked(page)
    await page.waitForFunction(() => document.activeElement?.id === 'pos-search')
    await scan(page, CODE)
    await quantity(page).waitFor()
    await unlocked(page)
    await scan(page, CODE)
    await expect.poll(() => quantity(page).inputValue()).toBe('2')
    await expect.poll(() => page.locator('#pos-cash').inputValue()).toBe('241.00')
    await page.keyboard.press('F4')
    await page.keyboard.type(`0171234${String(1000 + sale)}`)
    if (sale === 0) expect(await complaints(page)).toEqual([])
    if (sale === 1) {
      // One is split, with change.
      await page.fill('#pos-bkash', '100')
      await expect.poll(() => page.locator('#pos-cash').inputValue()).toBe('141.00')
      await page.keyboard.press('F6')
      await page.keyboard.type('200')
      await expect.poll(() => page.getByText('৳59').first().isVisible()).toBe(true)
    }
    await page.keyboard.press('F9')
    const id = await lastOrder(page)
    // The page stays: the box has the focus, and the receipt is printed from it.
    await page.locator(`[data-print-in-place]`, { hasText: id }).waitFor({ state: 'attached' })
    if (sale === 0) expect(await complaints(page)).toEqual([])
    if (sale === 1) expect(await page.locator('[data-change]').innerText()).toBe('৳59')
  }
  expect(await page.evaluate(() => performance.getEntriesByType('navigation').length)).toBe(1)
  expect(page.url()).toMatch(/\/admin\/quick-orders$/)
  expect((await orders()) - before).toBe(10)
  const { rows } = await database.query(
    `select method, sum(amount_poisha)::int as taken from ledger_entries where shift_id is not null and id > $1 group by method order by method`,
    [entries[0]!.last],
  )
  expect(rows).toEqual([
    { method: 'bkash', taken: 10_000 },
    { method: 'cash', taken: 231_000 },
  ])
})

test('many scans, too short a code, products out of stock, a scan into an amount', async () => {
  const { page } = await openCashierPos()
  const toast = (text: string) => page.locator('[role=status]').getByText(text).first().waitFor()
  // The page's own time stands still: a scanner of 20 scans a second stays one, however slow the machine.
  await page.clock.install()
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)
  const pass = (milliseconds: number) => page.clock.runFor(milliseconds)
  const unlock = () => pass(500).then(() => unlocked(page))
  for (const taken of ['1', '2']) {
    for (let count = 0; count < 10; count++) {
      await scan(page, CODE)
      if (count < 9) await pass(50)
    }
    await toast(t('pos.too-quick', { count: '9' }))
    await expect.poll(() => quantity(page).inputValue()).toBe(taken)
    // A code that began too early is refused whole.
    await page.keyboard.type(CODE.slice(0, 6))
    await pass(50)
    await unlocked(page)
    await scan(page, CODE.slice(6))
    await toast(t('pos.too-quick', { count: '10' }))
    expect(await page.locator('#pos-search').inputValue()).toBe('')
    await pass(200)
  }
  await scan(page, '89')
  await toast(t('pos.too-short'))
  await page.fill('#pos-search', '')
  await scan(page, '8900000000024')
  await toast('is out of stock!')
  await unlock()
  await scan(page, '1234567890123')
  await toast(t('pos.barcode-not-found'))
  await unlock()
  // A scan that runs into an amount leaves no digit there.
  await page.keyboard.press('F6')
  const cash = await page.locator('#pos-cash').inputValue()
  await scan(page, CODE)
  await expect.poll(() => quantity(page).inputValue()).toBe('3')
  expect(Number(await page.locator('#pos-cash').inputValue())).toBe(Number(cash) + 120.5)
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('pos-search')
  // What was entered survives a reload.
  await page.clock.resume()
  await go(page, '/admin/quick-orders')
  await expect.poll(() => quantity(page).inputValue()).toBe('3')
})

test('labels of a scale: a weight, a price, once more, and what is none', async () => {
  const { page } = await openCashierPos()
  onTestFinished(async () => void (await database.query('update products set barcode = $1 where id = $2', [CODE, product])))
  await label(page, '2712345')
  for (const [twelve, amount] of [
    ['271234501234', '1.23'],
    ['271234500500', '1.73'],
  ] as const) {
    await scan(page, ean13(twelve))
    await expect.poll(() => quantity(page).inputValue()).toBe(amount)
    await unlocked(page)
  }
  await page.getByText(/the label says 0.5 kg, counted as 0.5 kg/).waitFor()
  await label(page, '2812345')
  await scan(page, ean13('281234502410'))
  await expect.poll(() => quantity(page).inputValue()).toBe('3.73')
  await unlocked(page)
  for (const [code, text] of [
    [ean13('289999902410'), t('pos.scale-unknown', { item: '2899999' })],
    ['2812345024109', t('pos.barcode-not-found')],
  ] as const) {
    await scan(page, code)
    await page.getByText(text).first().waitFor()
    await unlocked(page)
  }
})

test('a price that changed: nothing is sold without a yes', async () => {
  await setPrice(12_050)
  const { page, expectProblem } = await openCashierPos()
  expectProblem(/422/)
  await page.addInitScript(() => void (window.print = () => {}))
  const before = await orders()
  await scan(page, CODE)
  await expect.poll(() => page.locator('#pos-cash').inputValue()).toBe('120.50')
  await page.fill('#pos-phone', '01712349999')
  await setPrice(13_050)
  await page.keyboard.press('F9')
  await page
    .getByText(/Error: The total is now ৳130\.50\./)
    .first()
    .waitFor()
  expect(await orders()).toBe(before)
  await expect.poll(() => page.locator('#pos-cash').inputValue()).toBe('130.50')
  await page.keyboard.press('F9')
  await lastOrder(page)
  expect(await orders()).toBe(before + 1)
})

test('a phone at the counter, and the evening', async () => {
  const { page, expectProblem } = await openCashierPos(390)
  expectProblem(/422/)
  const note = `Taken to the bank ${newPhone()}`
  expect(await complaints(page)).toEqual([])
  const small = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('#quick-order button, #quick-order input:not([type=checkbox])')]
      .filter((element) => element.offsetParent && element.getBoundingClientRect().height < 44)
      .map((element) => element.outerHTML.slice(0, 120)),
  )
  expect(small).toEqual([])
  await page.getByRole('link', { name: t('pos.close-shift') }).click()
  await page.waitForFunction(() => window.pageAwake)
  expect(await complaints(page)).toEqual([])
  for (const [name, amount] of [
    ['counted_cash', '10'],
    ['counted_bkash', '100'],
    ['counted_bank', '0'],
  ])
    await page.fill(`[name=${name}]`, amount ?? '')
  await page.getByRole('button', { name: t('pos.close-shift') }).click()
  await page.getByText(t('pos.unexplained')).first().waitFor()
  await page.fill('[name=note]', note)
  await page.getByRole('button', { name: t('pos.close-shift') }).click()
  await page.waitForURL(/shifts\?day=/)
  await page.getByText(note).waitFor()
  expect(await complaints(page)).toEqual([])
})

test('a known customer is filled in, and goes with his number', async () => {
  const { page } = await openCashierPos()
  const phone = page.locator('#pos-phone')
  const name = () => page.locator('#pos-name').inputValue()
  await phone.fill('01811000001')
  await expect.poll(name).not.toBe('')
  const first = await name()
  await phone.fill('01811000002')
  await expect.poll(async () => [(await name()) !== '', (await name()) !== first]).toEqual([true, true])
  await phone.fill('01712349876')
  await expect.poll(name).toBe('')
  await page.fill('#pos-name', 'As he says')
  // As it stands in a message, longer than the field takes.
  await phone.fill('')
  await phone.evaluate((field) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', '+880 1811-000 001')
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await expect.poll(() => phone.inputValue()).toBe('01811000001')
  await page.getByText(t('pos.known', { name: first })).waitFor()
  expect(await name()).toBe('As he says')
})

test('a long sale on a phone: newest line and box are in sight, and no figure is cut off', async () => {
  const { page } = await openCashierPos(390)
  await page.evaluate((saleKey) => {
    const sale = JSON.parse(sessionStorage.getItem(saleKey) ?? '{}') as Record<string, unknown>
    const name = 'হিমসাগর আম রাজশাহীর বাগানের পাকা মিষ্টি রসালো ফরমালিনমুক্ত প্রথম শ্রেণির বাছাই করা বড় আকারের ঝুড়ি'
    const about = { unit: 'kg', price: 9_876_500, quantity: '999.5', image: null, isAnimal: false, group: 'produce', shipping: 0 }
    sale.lines = Array.from({ length: 30 }, (_, at) => ({ id: 900_000 + at, name: `${name} ${at}`, ...about }))
    // After the last write of the page.
    addEventListener('pagehide', () => sessionStorage.setItem(saleKey, JSON.stringify(sale)))
  }, SALE_KEY)
  await go(page, '/admin/quick-orders')
  await expect.poll(() => page.locator('#quick-order [data-lines] li').count()).toBe(30)
  await scan(page, CODE)
  await expect.poll(() => page.locator('#quick-order [data-lines] li').count()).toBe(31)
  const inSight = (selector: string) =>
    page.locator(selector).evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect()
      const seen = document.elementFromPoint(left + width / 2, top + height / 2)
      return seen !== null && element.contains(seen)
    })
  for (const selector of ['#quick-order li[data-last]', '#pos-search']) await expect.poll(() => inSight(selector)).toBe(true)
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('#quick-order dd')]
      .filter((element) => element.offsetParent && element.scrollWidth > element.clientWidth + 1)
      .map((element) => element.textContent),
  )
  expect(cut).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
})
