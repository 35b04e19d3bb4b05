import { sql } from 'kysely'
import type { BrowserContext, Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { latinDigits } from '#lib/format/numbers.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import { buildProduct, buildUser } from '../factories.ts'
import { complaints } from './axe.ts'
import { openPage } from './browser.ts'
import { newPhone } from './new-phone.ts'
import { allIsWell, browser, CODE, db, manager, shop, signInAs, startOfflinePos } from './offline-pos.ts'
import { lastOrder, nothingWaits, offline, place, quantity, ready, scan, settled, unlocked, unsent } from './pos-page.ts'
import { go } from './sign-in.ts'

// A busy day at two registers at once. Each cashier does what a day brings, and what the drawer must hold in the evening is added up here,
// apart from the shop: both close without a difference.

await startOfflinePos()

const OIL = '8900000000024'
const HONEY = { en: 'Test honey', bn: 'পরীক্ষার মধু' }
const SUPERVISOR_CODE = '403917'
const OPENING_CASH = 1000

const set = (key: string, value: unknown) =>
  sql`insert into settings (key, value) values (${key}, ${JSON.stringify(value)}::jsonb) on conflict (key) do update set value = excluded.value`.execute(
    db,
  )

beforeEach(async () => {
  await set('walk_in_sales', true)
  await set('cash_rounding', true)
  await sql`update products set barcode = null where barcode = ${OIL}`.execute(db)
  await sql`update products set name_bn = ${HONEY.bn} where barcode = ${CODE}`.execute(db)
  await buildProduct(db, { name_en: 'Test oil', name_bn: 'পরীক্ষার তেল', unit: 'kg', price_poisha: 3335, stock_milli: 500_000, barcode: OIL })
  const supervisor = shop.visitor()
  await supervisor.signIn(manager.phone)
  await supervisor.token()
  await supervisor.post('/admin/quick-orders/code', { code: SUPERVISOR_CODE })
})

test('a busy day at two registers, closed to the poisha', async () => {
  // A second try has registers of its own.
  const names = [newPhone(), newPhone()].map((number) => `Register ${number}`)
  const days = await Promise.all([spendDay('en', 1280, names[0]!), spendDay('bn', 390, names[1]!)])
  const { rows } = await sql<{ name: string; cash: number; bkash: number; off: number }>`
    select r.name, s.counted_cash_poisha::int as cash, s.counted_bkash_poisha::int as bkash,
      (s.counted_cash_poisha - s.expected_cash_poisha + s.counted_bkash_poisha - s.expected_bkash_poisha)::int as off
    from pos_shifts s join pos_registers r on r.id = s.register_id where r.name = any(${names}::text[]) and s.closed_at is not null order by r.name`.execute(
    db,
  )
  expect(rows).toEqual([
    { name: names[0], cash: 100 * days[0].cash, bkash: 100 * days[0].bkash, off: 0 },
    { name: names[1], cash: 100 * days[1].cash, bkash: 100 * days[1].bkash, off: 0 },
  ])
  await allIsWell()
})

/** What lies in the drawer and came by bKash, in taka. */
interface Takings {
  cash: number
  bkash: number
}

async function spendDay(lang: Lang, width: 390 | 1280, register: string): Promise<Takings> {
  const { page, context, expectProblem } = await openPage(browser, { baseUrl: shop.url, width, lang })
  expectProblem(/422|ERR_INTERNET_DISCONNECTED|ERR_FAILED|net::ERR_ABORTED/)
  await context.addInitScript(() => void (window.print = () => undefined))
  const cashier = await buildUser(db, { role: 'cashier', name: register })
  const customer = newPhone()
  await buildUser(db, { role: 'customer', name: 'Rahima', phone: customer, credit_limit_poisha: 50_000 })
  await signInAs(page, cashier.phone)
  await go(page, '/admin/quick-orders')
  await page.fill('[name=register]', register)
  await page.fill('[name=opening_cash]', String(OPENING_CASH))
  await page.keyboard.press('Enter')
  await ready(page)
  await settled(page)
  const takings = { cash: OPENING_CASH, bkash: 0 }
  const counter = { page, lang, customer, takings }
  await sellTen(counter)
  await sellWithDiscount(counter)
  await sellByTwoMethods(counter)
  await sellOnAccountAndReceive(counter)
  await takeHalfBack(counter)
  await exchangeForMore(counter)
  const last = await sellWithoutNetwork(counter, context)
  await close({ ...counter, page: last })
  return takings
}

interface Counter {
  page: Page
  lang: Lang
  /** The phone of a customer with a credit limit. */
  customer: string
  takings: Takings
}

async function begin(page: Page, ...codes: string[]): Promise<void> {
  for (const code of codes) {
    await unlocked(page)
    await page.locator('#pos-search').focus()
    await scan(page, code)
  }
  await quantity(page).waitFor()
}

/** Ten scans, as fast as the lock between two allows: 5 × 100 + 5 × 33.35 taka, rounded to 667. */
async function sellTen({ page, lang, takings }: Counter): Promise<void> {
  await begin(page, ...Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? CODE : OIL)))
  await expect.poll(() => quantities(page)).toEqual(['5', '5'])
  await page.getByRole('button', { name: translate(lang)('pos.walk-in-key') }).click()
  await place(page)
  await lastOrder(page)
  takings.cash += 667
}

const quantities = (page: Page) =>
  page
    .locator('#quick-order [data-lines] li input')
    .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))
    .then((all) => all.map(latinDigits))

/** 20 of 100 taka off is more than a cashier may. */
async function sellWithDiscount({ page, customer, takings }: Counter): Promise<void> {
  await begin(page, CODE)
  await page.fill('#pos-phone', customer)
  await page.fill('#pos-discount', '20')
  await place(page)
  const dialog = page.getByRole('dialog')
  await dialog.locator('[name=phone]').fill(manager.phone)
  await dialog.locator('[name=code]').fill(SUPERVISOR_CODE)
  await page.keyboard.press('Enter')
  await lastOrder(page)
  takings.cash += 80
}

async function sellByTwoMethods({ page, customer, takings }: Counter): Promise<void> {
  await begin(page, CODE)
  await page.fill('#pos-phone', customer)
  await page.fill('#pos-bkash', '60')
  await page.fill('#pos-bkash-id', `BK${customer}`)
  await place(page)
  await lastOrder(page)
  takings.cash += 40
  takings.bkash += 60
}

async function sellOnAccountAndReceive({ page, lang, customer, takings }: Counter): Promise<void> {
  const t = translate(lang)
  await begin(page, CODE, CODE)
  await page.fill('#pos-phone', customer)
  await page.getByRole('button', { name: t('pos.account.all') }).click()
  await place(page)
  await lastOrder(page)
  await go(page, `/admin/quick-orders/account?phone=${customer}`)
  await page.getByLabel(t('pos.amount'), { exact: true }).fill('150')
  await page.getByRole('button', { name: t('pos.account.receive') }).click()
  await page.getByText(t('pos.account.balance')).first().waitFor()
  takings.cash += 150
}

/** A sale of two, of which a half comes back. */
async function takeHalfBack(counter: Counter): Promise<void> {
  const { page, lang, takings } = counter
  const t = translate(lang)
  await openReturn(counter, CODE, CODE)
  await page.getByLabel(t('pos.return.quantity-of', { name: HONEY[lang] })).fill('0.5')
  await page.getByLabel(t('pos.return.why')).fill('Soft')
  await page.getByRole('button', { name: t('pos.return.do') }).click()
  await page.locator('[data-recorded-return]').waitFor()
  takings.cash += 200 - 50
}

async function openReturn({ page, customer }: Counter, ...codes: string[]): Promise<void> {
  await go(page, '/admin/quick-orders')
  await ready(page)
  await begin(page, ...codes)
  await page.fill('#pos-phone', customer)
  await place(page)
  const order = await lastOrder(page)
  await go(page, `/admin/quick-orders/return?receipt=${order}`)
  await page.waitForFunction(() => window.pageAwake)
}

/** What was sold for 100 comes back, and two for 200 leave. */
async function exchangeForMore(counter: Counter): Promise<void> {
  const { page, lang, takings } = counter
  const t = translate(lang)
  await openReturn(counter, CODE)
  await page.getByLabel(t('pos.return.quantity-of', { name: HONEY[lang] })).fill('1')
  await page.getByLabel(t('pos.return.why')).fill('Not sweet')
  await page.getByRole('button', { name: t('pos.exchange.start') }).click()
  await page.locator('[data-exchange]').waitFor()
  await ready(page)
  await begin(page, CODE, CODE)
  await place(page)
  await lastOrder(page)
  takings.cash += 100 + 100
}

/** The cable is pulled; after two sales the tab is killed, and the next one sells on. Then all arrive. Returns the new tab. */
async function sellWithoutNetwork({ page, customer, takings }: Counter, context: BrowserContext): Promise<Page> {
  await context.setOffline(true)
  await offline(page)
  for (const codes of [[CODE], [OIL, OIL]]) await sellStored(page, customer, codes)
  await page.close()
  const next = await context.newPage()
  await next.goto('/admin/quick-orders')
  await ready(next)
  await unsent(next, 2)
  await sellStored(next, customer, [CODE, OIL])
  await context.setOffline(false)
  await nothingWaits(next)
  // 66.70 is rounded to 67, and 133.35 to 133.
  takings.cash += 100 + 67 + 133
  return next
}

async function sellStored(page: Page, phone: string, codes: string[]): Promise<void> {
  await begin(page, ...codes)
  await page.fill('#pos-phone', phone)
  await place(page)
  await page.locator('[data-last-sale^=U]').waitFor()
}

async function close({ page, lang, takings }: Counter): Promise<void> {
  const t = translate(lang)
  await go(page, '/admin/quick-orders/close')
  await page.waitForFunction(() => window.pageAwake)
  await page
    .getByRole('region', { name: t('pos.bkash'), exact: true })
    .getByRole('checkbox')
    .check()
  await page.locator('[name=counted_cash]').fill(String(takings.cash))
  expect(await complaints(page)).toEqual([])
  await page.getByRole('button', { name: t('pos.close-shift') }).click()
  await page.waitForURL('**/admin/quick-orders/shifts**')
}
