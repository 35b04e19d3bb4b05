import { sql } from 'kysely'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { beforeEach } from 'vitest'
import '#messages/en-admin.ts'
import type { Db } from '#lib/db/db.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import { countStock, expectInvariants } from '../invariants.ts'
import { testDb } from '../db.ts'
import { buildAnimal, buildProduct, buildUser, TEST_PASSWORD } from '../factories.ts'
import { openShop, type TestShop } from '../request.ts'
import { openPage, type OpenPage, sharedBrowser } from './browser.ts'
import { signIn } from './sign-in.ts'
import { openPos, place, quantity, scan, settled, unlocked } from './pos-page.ts'

// A shop with a POS whose network comes and goes.

export const t = translate('en')
export const CODE = '8900000000017'
export const STORE = '**/admin/quick-orders/store'

type User = Awaited<ReturnType<typeof buildUser>>

export let db: Db
export let shop: TestShop
export let browser: Browser
export let cashier: User
export let manager: User
export let cow: Awaited<ReturnType<typeof buildAnimal>>
let before: Map<number, number>

/** Starts the shop for the calling test file, and stops it after its last test. Each test has its own products with stock. */
export async function startOfflinePos(): Promise<void> {
  const database = await testDb()
  ;({ db } = database)
  shop = await openShop({ databaseUrl: database.url })
  // Cookies are dated by the shop's clock, and expire by the browser's.
  shop.clock.now = new Date()
  ;[cashier, manager] = [await buildUser(db, { role: 'cashier' }), await buildUser(db, { role: 'manager' })]
  cow = await buildAnimal(db)
  browser = await sharedBrowser()
  beforeEach(async () => {
    await sql`update products set barcode = null where barcode = ${CODE}`.execute(db)
    // Those of another test, or of an earlier try, are in the list as well.
    await sql`delete from held_sales`.execute(db)
    await buildProduct(db, { name_en: 'Test honey', unit: 'kg', price_poisha: 10_000, stock_milli: 500_000, barcode: CODE })
    before = await countStock(db)
  })
}

export const allIsWell = () => expectInvariants(db, before)

/** What the shop has sold to this phone. */
export async function sold(phone: string) {
  const { rows } = await sql<{ id: number; total: number; paid: number; lines: number }>`
    select o.id, total_poisha as total, ledger_balance_poisha as paid, (select count(*)::int from order_lines where order_id = o.id) as lines
    from orders o where source = 'pos' and phone = ${phone} order by id`.execute(db)
  return rows
}

export const signInAs = (page: Page, who: string) => signIn(page, who, TEST_PASSWORD)

/** A POS that has everything it needs without network. `data-printed` counts the printed receipts. */
export async function openOfflinePos(who = cashier.phone, width: 390 | 1280 = 1280): Promise<OpenPage> {
  const opened = await openPage(browser, { baseUrl: shop.url, width })
  const { page, context } = opened
  opened.expectProblem(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_CONNECTION|net::ERR_ABORTED/)
  await context.addInitScript(() => {
    let printed = 0
    window.print = () => document.documentElement.setAttribute('data-printed', String(++printed))
  })
  await signInAs(page, who)
  await openPos(page)
  await settled(page)
  return opened
}

/** One scan, and the customer's phone. */
export async function enter(page: Page, phone: string): Promise<void> {
  await unlocked(page)
  await page.locator('#pos-search').focus()
  await scan(page, CODE)
  await quantity(page).waitFor()
  await page.fill('#pos-phone', phone)
}

/** The sale is stored on the device: it is shown as the last sale, and its receipt says that it is not sent yet. */
export async function storedReceipt(page: Page): Promise<void> {
  await page.locator('[data-last-sale^=U]').waitFor()
  await page.locator('[data-print-in-place] [data-receipt]', { hasText: t('pos.receipt-not-sent') }).waitFor({ state: 'attached' })
}

export async function sellWithout(page: Page, phone: string): Promise<void> {
  await enter(page, phone)
  await place(page)
  await storedReceipt(page)
}

/** The next sale that is sent reaches the shop; its answer does not reach the POS. */
export async function loseOneAnswer(context: BrowserContext): Promise<void> {
  let lost = 0
  await context.route(STORE, async (route) => {
    if (lost++ > 0) return route.continue()
    await route.fetch()
    await route.abort('connectionreset')
  })
}
