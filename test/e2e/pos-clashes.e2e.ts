import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { hashPassword } from '#features/auth/passwords.server.ts'
import { buildProduct } from '../factories.ts'
import { complaints } from './axe.ts'
import { newPhone } from './new-phone.ts'
import {
  allIsWell,
  cashier,
  CODE,
  cow,
  db,
  enter,
  storedReceipt,
  manager,
  sellWithout,
  shop,
  signInAs,
  sold,
  startOfflinePos,
  STORE,
  t,
  openOfflinePos,
} from './offline-pos.ts'
import { go } from './sign-in.ts'
import { hasCachedPage, nothingWaits, offline, online, openPos, place, quantity, ready, scan, unlocked, unsent } from './pos-page.ts'

await startOfflinePos()

// What a POS without network does not decide by itself: a person does, or the network is needed.

test('a price or packs that changed meanwhile, and products that are out of stock, are decided by a person', async () => {
  const { page, context, expectProblem } = await openOfflinePos()
  expectProblem(/quick-orders\/store: 4(10|22)|status of 4(10|22)/)
  const [dearer, packed, gone] = [newPhone(), newPhone(), newPhone()]
  await context.setOffline(true)
  await sellWithout(page, dearer)
  await sql`update products set price_poisha = 11000 where barcode = ${CODE}`.execute(db)
  await context.setOffline(false)
  const badge = page.locator('[data-unsent="1"]')
  await page.getByText(t('pos.state.clashes', { count: '1', clashes: '1' }), { exact: true }).waitFor()
  const evening = await context.newPage()
  await evening.goto(new URL('/admin/quick-orders/close', page.url()).href)
  await evening.getByText(t('pos.unsent.before-closing', { count: '1' })).waitFor()
  expect(await evening.getByRole('button', { name: t('pos.close-shift') }).isDisabled()).toBe(true)
  await evening.close()
  await badge.click()
  await page.getByText('The total is now ৳110.').waitFor()
  expect(await complaints(page)).toEqual([])
  await page.getByRole('button', { name: /Send with current prices: ৳110/ }).click()
  await page
    .getByText(/Sent: order/)
    .first()
    .waitFor()
  expect(await sold(dearer)).toMatchObject([{ total: 11_000, paid: 11_000 }])
  await page.keyboard.press('Escape')
  await online(page)
  await context.setOffline(true)
  await sellWithout(page, packed)
  await sql`update products set sizes_milli = '{5000}' where barcode = ${CODE}`.execute(db)
  await context.setOffline(false)
  await page.getByText(t('pos.state.clashes', { count: '1', clashes: '1' }), { exact: true }).waitFor()
  await badge.click()
  await page.getByRole('button', { name: t('pos.unsent.goods-are-gone') }).click()
  await expect.poll(async () => (await sold(packed)).length).toBe(1)
  await sql`update products set sizes_milli = '{}' where barcode = ${CODE}`.execute(db)
  await page.keyboard.press('Escape')
  // Sold to the last kilogram in the web shop while the POS had no network.
  await online(page)
  await context.setOffline(true)
  await sellWithout(page, gone)
  await sql`insert into stock_movements (product_id, delta_milli, reason) select id, -stock_milli, 'counted' from products where barcode = ${CODE}`.execute(
    db,
  )
  await sql`update products set stock_milli = 0, status = 'out-of-stock' where barcode = ${CODE}`.execute(db)
  await context.setOffline(false)
  await page.getByText(t('pos.state.clashes', { count: '1', clashes: '1' }), { exact: true }).waitFor()
  await badge.click()
  const again = page.getByRole('button', { name: t('pos.unsent.goods-are-gone') })
  const fresh = page.getByRole('button', { name: /Send with current prices/ })
  await again.or(fresh).first().waitFor()
  if (await fresh.count()) await fresh.click()
  await again.click()
  await expect.poll(async () => (await sold(gone)).length).toBe(1)
  await allIsWell()
})

test('an animal needs the network, and says so', async () => {
  const { page, context } = await openOfflinePos()
  await context.setOffline(true)
  await page.locator('#pos-search').focus()
  await scan(page, cow.tag_number ?? '')
  await page.locator('#quick-order [data-lines] li').getByText(t('pos.animal-needs-network')).waitFor()
  await page.fill('#pos-phone', newPhone())
  await place(page)
  await page.locator('[role=status]').getByText(t('pos.animal-needs-network')).first().waitFor()
  expect(await page.locator('[data-receipt]').count()).toBe(0)
})

test('what a cashier left is his: another sees how many, sends none of it, and does not meet his sale', async () => {
  const { page, context, expectProblem } = await openOfflinePos()
  // A page that asks for news while its cashier signs out is told so.
  expectProblem(/(catalog\?|quick-orders\/held).*401|status of 401/)
  const phone = newPhone()
  await context.setOffline(true)
  await sellWithout(page, phone)
  await enter(page, newPhone())
  await context.setOffline(false)
  await context.route(STORE, (route) => route.abort('connectionreset'))
  await page.getByRole('button', { name: t('admin.menu'), exact: true }).click()
  await page.getByRole('button', { name: t('shell.logout') }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/admin'))
  expect(await hasCachedPage(page)).toBe(false)
  await context.unroute(STORE)
  const already = (await sold(phone)).length
  await signInAs(page, manager.phone)
  await openPos(page)
  expect(await quantity(page).count()).toBe(0)
  if (already === 0) {
    await page.getByText(/1 unsent of/).waitFor()
    expect(await sold(phone)).toEqual([])
    await page.context().clearCookies()
    await signInAs(page, cashier.phone)
    await go(page, '/admin/quick-orders')
    await ready(page)
    await nothingWaits(page)
    await expect.poll(async () => (await sold(phone)).length).toBe(1)
  }
  await allIsWell()
})

/** Waits until the POS shows this; otherwise the error tells what the page said, and what stood in its fields. */
async function said(page: Page, text: string): Promise<void> {
  try {
    await page.locator('[role=status]').getByText(text).first().waitFor()
  } catch (error) {
    const statuses = await page.locator('[role=status], [role=alert]').allInnerTexts()
    const lines = await page.locator('#quick-order [data-lines] li').allInnerTexts()
    const search = await page.locator('#pos-search').inputValue()
    const focus = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200))
    throw new Error(`Never said: ${text}\n${JSON.stringify({ statuses, lines, search, focus }, null, 2)}`, { cause: error })
  }
}
const HELD = '8900000000031'

test('what a cashier does not do alone is said at once without network', async () => {
  await sql`update products set barcode = null where barcode = ${HELD}`.execute(db)
  await buildProduct(db, {
    name_en: 'Held ghee',
    price_poisha: 50_000,
    stock_milli: 9000,
    status: 'hold',
    hold_reason: 'soon',
    barcode: HELD,
  })
  const { page, context } = await openOfflinePos()
  const phone = newPhone()
  await context.setOffline(true)
  await offline(page)
  await enter(page, phone)
  // Five percent of a hundred taka.
  await page.fill('#pos-discount', '6')
  await said(page, t('pos.alone.discount', { max: '৳5' }))
  expect(await complaints(page)).toEqual([])
  await place(page)
  await expect.poll(() => page.getByText(t('pos.alone.discount', { max: '৳5' })).count()).toBe(2)
  expect(await page.locator('[data-receipt]').count()).toBe(0)
  await page.fill('#pos-discount', '')
  await page.getByRole('button', { name: t('pos.set-price-of', { name: 'Test honey' }) }).click()
  await page.getByLabel(t('pos.price-of', { name: 'Test honey' })).fill('90')
  await said(page, t('pos.alone.price'))
  await page.getByLabel(t('pos.price-of', { name: 'Test honey' })).fill('')
  await page.keyboard.press('Enter')
  await unlocked(page)
  await page.locator('#pos-search').focus()
  await scan(page, HELD)
  await said(page, t('pos.alone.held'))
  await place(page)
  expect(await page.locator('[data-receipt]').count()).toBe(0)
  await page.getByRole('button', { name: t('pos.remove', { name: 'Held ghee' }) }).click()
  // The POS cannot be left now: it stays, with its sale.
  await page.keyboard.press('F10')
  await said(page, t('pos.needs-network'))
  await page.getByRole('link', { name: t('pos.close-shift') }).click()
  await page.fill('#pos-discount', '5')
  await place(page)
  await storedReceipt(page)
  await context.setOffline(false)
  await nothingWaits(page)
  expect(await sold(phone)).toMatchObject([{ total: 9500 }])
  await allIsWell()
})

test('a discount that nobody has approved waits on the screen, not in the list; an approved one waits in the list', async () => {
  await sql`insert into pos_approval_codes (user_id, code_hash, set_at) values (${manager.id}, ${await hashPassword('403917')}, now())
    on conflict do nothing`.execute(db)
  const { page, context, expectProblem } = await openOfflinePos()
  expectProblem(/quick-orders\/store: 422|status of 422/)
  const phone = newPhone()
  await enter(page, phone)
  await page.fill('#pos-discount', '20')
  await context.route(STORE, (route) => route.abort('connectionreset'))
  await place(page)
  await said(page, t('pos.alone.discount', { max: '৳5' }))
  await expect.poll(() => page.locator('[data-unsent]').count()).toBe(0)
  expect(await quantity(page).inputValue()).toBe('1')
  // The line is back: the shop asks for a supervisor, and is gone again when he has said yes.
  let answers = 0
  await context.unroute(STORE)
  await context.route(STORE, (route) => (answers++ === 0 ? route.continue() : route.abort('connectionreset')))
  await place(page)
  const question = page.getByRole('dialog', { name: t('pos.approval.title') })
  await question.getByLabel(t('pos.approval.phone')).fill(manager.phone)
  await question.getByLabel(t('pos.approval.code')).fill('403917')
  await page.keyboard.press('Enter')
  await storedReceipt(page)
  await unsent(page, 1)
  await context.unroute(STORE)
  await nothingWaits(page)
  expect(await sold(phone)).toMatchObject([{ total: 8000, paid: 8000 }])
  await allIsWell()
})

test('an approval covers the sale on the screen: a change is asked for again, and not placed without network', async () => {
  await sql`insert into pos_approval_codes (user_id, code_hash, set_at) values (${manager.id}, ${await hashPassword('403917')}, now())
    on conflict do nothing`.execute(db)
  const { page, context, expectProblem } = await openOfflinePos()
  expectProblem(/quick-orders\/store: 422|status of 422/)
  const phone = newPhone()
  const usedId = `USED${phone}`
  const honey = (await sql<{ id: number }>`select id from products where barcode = ${CODE}`.execute(db)).rows[0]!
  const clerk = shop.visitor()
  await clerk.signIn(cashier.phone)
  const used = await clerk.post('/admin/quick-orders/store', {
    products: [{ id: honey.id, quantity: 1 }],
    transactions: { bkash: 100 },
    transaction_ids: { bkash: usedId },
    total: 100,
    customer: { phone: newPhone() },
  })
  expect(used.status, used.text).toBe(200)

  await enter(page, phone)
  await page.getByRole('button', { name: t('pos.set-price-of', { name: 'Test honey' }) }).click()
  await page.getByLabel(t('pos.price-of', { name: 'Test honey' })).fill('1')
  await page.keyboard.press('Enter')
  await page.fill('#pos-bkash', '1')
  await page.fill('#pos-bkash-id', usedId)
  await place(page)
  const question = page.getByRole('dialog', { name: t('pos.approval.title') })
  const terms = (amount: string) =>
    question.getByText(t('pos.approval.of-price', { name: 'Test honey', quantity: amount, price: '৳1', list: '৳100' }))
  await terms('1 kg').waitFor()
  expect(await complaints(page)).toEqual([])
  await question.getByLabel(t('pos.approval.phone')).fill(manager.phone)
  await question.getByLabel(t('pos.approval.code')).fill('403917')
  await page.keyboard.press('Enter')
  // Approved, and not sold: the transaction is in the ledger already.
  await expect.poll(() => page.locator('#pos-bkash-id').getAttribute('aria-invalid')).toBe('true')
  expect(await question.count()).toBe(0)

  // Two hundred for the same price.
  await page.fill('#pos-bkash', '')
  await quantity(page).fill('200')
  await place(page)
  await terms('200 kg').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => question.count()).toBe(0)
  await context.setOffline(true)
  await offline(page)
  await said(page, t('pos.alone.price'))
  await place(page)
  expect(await page.locator('[data-receipt]').count()).toBe(0)
  expect(await sold(phone)).toEqual([])

  // As it was approved it is placed, without network too.
  await quantity(page).fill('1')
  await place(page)
  await storedReceipt(page)
  await context.setOffline(false)
  await nothingWaits(page)
  expect(await sold(phone)).toMatchObject([{ total: 100, paid: 100 }])
  await allIsWell()
})

test('a supervisor at the POS needs no approval, without network either', async () => {
  const { page, context } = await openOfflinePos(manager.phone)
  const phone = newPhone()
  await context.setOffline(true)
  await offline(page)
  await enter(page, phone)
  await page.fill('#pos-discount', '50')
  await place(page)
  await storedReceipt(page)
  await context.setOffline(false)
  await nothingWaits(page)
  expect(await sold(phone)).toMatchObject([{ total: 5000 }])
  await allIsWell()
})
