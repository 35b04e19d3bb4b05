import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buildCoupon } from '#test/factories.ts'
import { complaints } from './axe.ts'
import { newPhone } from './new-phone.ts'
import { allIsWell, CODE, db, enter, sold, startOfflinePos, t, openOfflinePos } from './offline-pos.ts'
import { lastOrder, place, quantity } from './pos-page.ts'
import { go } from './sign-in.ts'

await startOfflinePos()

// What pays besides money: a coupon, and store credit from a return. The customer display follows, and the return prints in place.

test('a coupon is priced, held with its sale, and shown to the customer', async () => {
  const phone = newPhone()
  await sql`update products set coupon_applicable = true where barcode = ${CODE}`.execute(db)
  const { code } = await buildCoupon(db)
  const { page, context, expectProblem } = await openOfflinePos()
  expectProblem(/422/)
  const display = await context.newPage()
  await go(display, '/admin/quick-orders/display')
  await enter(page, phone)
  await page.getByRole('button', { name: t('pos.coupon'), exact: true }).click()
  await page.fill('#pos-coupon', 'NOSUCHCODE')
  await page.keyboard.press('Enter')
  await page.locator('#pos-coupon[aria-invalid=true]').waitFor()
  await page.fill('#pos-coupon', code.toLowerCase())
  await page.keyboard.press('Enter')
  await expect.poll(() => page.inputValue('#pos-coupon')).toBe(code)
  await display.getByText(`${t('pos.coupon')} ${code}`).waitFor()
  await expect.poll(() => display.locator('[data-total]').innerText()).toBe('৳90')
  expect(await complaints(page)).toEqual([])
  // The list of held sales has the total with the coupon.
  await page.keyboard.press('F7')
  await page.getByRole('dialog').locator('[name=name]').fill(code)
  await page.keyboard.press('Enter')
  await quantity(page).waitFor({ state: 'detached' })
  await page.keyboard.press('F8')
  const held = page.getByRole('dialog').getByRole('button', { name: code })
  await held.filter({ hasText: '৳90' }).waitFor()
  // The shop has it, with the same total.
  await held.filter({ hasNotText: t('pos.held.device-only') }).waitFor()
  expect(await held.innerText()).toContain('৳90')
  // The coupon is priced again. F9 waits for the price, then sells once.
  const priced = Promise.withResolvers<void>()
  await context.route('**/quick-orders/coupon', async (route) => {
    await priced.promise
    await route.continue()
  })
  const request = page.waitForRequest('**/quick-orders/coupon')
  await held.click()
  await request
  expect(await page.inputValue('#pos-coupon')).toBe(code)
  await place(page)
  await place(page)
  expect(await sold(phone)).toEqual([])
  priced.resolve()
  const order = await lastOrder(page)
  expect(await sold(phone)).toMatchObject([{ id: Number(order), total: 9000, paid: 9000 }])
  const { rows } = await sql`select order_id from coupon_uses where code = ${code}`.execute(db)
  expect(rows).toEqual([{ order_id: Number(order) }])
  await allIsWell()
})

test('a return is refunded as store credit and printed in place; the credit pays for a sale', async () => {
  const phone = newPhone()
  await db.insertInto('users').values({ name: 'Rahima', phone, role: 'customer' }).execute()
  const { page, expectProblem } = await openOfflinePos()
  expectProblem(/422/)
  await enter(page, phone)
  await place(page)
  const order = await lastOrder(page)
  await go(page, `/admin/quick-orders/return?receipt=${order}`)
  await page.getByLabel(/^Return quantity of/).fill('0.6')
  await page.getByLabel(t('pos.return.why')).fill('Soft')
  await page.getByLabel(t('pos.store_credit')).fill('60')
  await expect.poll(() => page.locator('[data-refund]').innerText()).toBe('৳60')
  await page.getByRole('button', { name: t('pos.return.do') }).click()
  await page.locator('[data-recorded-return]').waitFor()
  await page.locator('html[data-printed="1"]').waitFor()
  expect(await page.locator('[data-receipt]').count()).toBe(1)
  expect(await page.locator('[data-receipt]').textContent()).toContain(t('pos.credit.balance'))
  expect(new URL(page.url()).pathname).toBe('/admin/quick-orders/return')
  expect(await complaints(page)).toEqual([])
  await page.getByRole('link', { name: t('pos.back') }).click()
  await page.locator('#quick-order #pos-search').waitFor()
  await page.waitForFunction(() => window.pageAwake)

  await enter(page, phone)
  await page.getByText(t('pos.credit.has', { balance: '৳60' })).waitFor()
  // More than there is: the shop refuses it, and the field has the focus.
  await page.fill('#pos-store-credit', '70')
  await page.focus('#pos-search')
  await page.keyboard.press('F9')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('pos-store-credit')
  expect(await sold(phone)).toHaveLength(1)
  await page.getByRole('button', { name: t('pos.credit.use') }).click()
  await place(page)
  const next = await lastOrder(page)
  // The panel shows the whole total, not only what was paid in cash.
  const panel = page.locator('[data-last-sale] dl')
  expect((await panel.innerText()).replaceAll(/\s+/g, ' ')).toMatch(/Total ৳100 Store credit ৳60 Paid ৳40/)
  const { rows } = await sql<{ method: string; amount: number }>`select method, amount_poisha::int as amount from ledger_entries
    where order_id = ${Number(next)} order by method`.execute(db)
  expect(rows).toEqual([
    { method: 'cash', amount: 4000 },
    { method: 'store_credit', amount: 6000 },
  ])
  await allIsWell()
})
