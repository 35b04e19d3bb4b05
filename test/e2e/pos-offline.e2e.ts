import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { complaints } from './axe.ts'
import { newPhone } from './new-phone.ts'
import {
  allIsWell,
  cashier,
  CODE,
  db,
  enter,
  loseOneAnswer,
  openOfflinePos,
  sellWithout,
  signInAs,
  sold,
  startOfflinePos,
  STORE,
  storedReceipt,
  t,
} from './offline-pos.ts'
import { go } from './sign-in.ts'
import {
  hasCachedPage,
  lastOrder,
  nothingWaits,
  offline,
  online,
  openPos,
  place,
  quantity,
  ready,
  scan,
  unlocked,
  unsent,
} from './pos-page.ts'

await startOfflinePos()

// The POS while the network comes and goes: every sale is one sale, wherever the line was cut.

test('cut before the scan: the products are on the device, the receipt prints, and the sale is sent once', async () => {
  const { page, context } = await openOfflinePos()
  const phone = newPhone()
  await context.setOffline(true)
  await offline(page)
  expect(await complaints(page)).toEqual([])
  await page.fill('#pos-search', 'honey')
  await page
    .getByRole('option', { name: /Test honey/ })
    .first()
    .waitFor()
  await page.fill('#pos-search', '')
  await enter(page, phone)
  await place(page)
  await storedReceipt(page)
  await page.locator('html[data-printed="1"]').waitFor({ state: 'attached' })
  expect(await complaints(page)).toEqual([])
  await page.keyboard.press('Enter')
  await unsent(page, 1)
  expect(await quantity(page).count()).toBe(0)
  expect(await sold(phone)).toEqual([])
  await page.getByText(t('pos.stored.network')).waitFor()
  await context.setOffline(false)
  await online(page)
  await nothingWaits(page)
  const [order] = await sold(phone)
  expect(order).toMatchObject({ total: 10_000, paid: 10_000, lines: 1 })
  // The screen knows that the sale was sent.
  expect(await lastOrder(page)).toBe(String(order?.id))
  expect(await page.getByText(t('pos.stored.network')).count()).toBe(0)
  await allIsWell()
})

test('cut between the scan and Place Order', async () => {
  const { page, context } = await openOfflinePos()
  const phone = newPhone()
  await enter(page, phone)
  await context.setOffline(true)
  await place(page)
  await storedReceipt(page)
  await context.setOffline(false)
  await nothingWaits(page)
  expect(await sold(phone)).toHaveLength(1)
  await allIsWell()
})

test('a server error: the receipt says so, and does not blame the network', async () => {
  const { page, context, expectProblem } = await openOfflinePos()
  expectProblem(/500|Failed to load/)
  const phone = newPhone()
  await enter(page, phone)
  await context.route(STORE, (route) =>
    route.fulfill({ status: 500, contentType: 'application/json', body: '{"message":"Something went wrong"}' }),
  )
  await place(page)
  await storedReceipt(page)
  await page.getByText(t('pos.stored.trouble')).waitFor()
  expect(await page.getByText(t('pos.stored.network')).count()).toBe(0)
  await context.unroute(STORE)
  await page.keyboard.press('Enter')
  await nothingWaits(page)
  expect(await sold(phone)).toHaveLength(1)
  await allIsWell()
})

test('cut between Place Order and the answer, after the shop has sold', async () => {
  const { page, context } = await openOfflinePos()
  const phone = newPhone()
  await enter(page, phone)
  await loseOneAnswer(context)
  await place(page)
  await storedReceipt(page)
  await nothingWaits(page)
  expect(await sold(phone)).toHaveLength(1)
  await allIsWell()
})

test('cut while the outbox sends: in order, each once', async () => {
  const { page, context } = await openOfflinePos()
  const phones = [newPhone(), newPhone(), newPhone()]
  await context.setOffline(true)
  for (const phone of phones) await sellWithout(page, phone)
  await unsent(page, 3)
  await loseOneAnswer(context)
  await context.setOffline(false)
  await nothingWaits(page)
  const orders = await Promise.all(phones.map(sold))
  expect(orders.map((rows) => rows.length)).toEqual([1, 1, 1])
  const ids = orders.flat().map(({ id }) => Number(id))
  expect(ids.toSorted((a, b) => a - b)).toEqual(ids)
  await allIsWell()
})

test('the browser ends between Place Order and the answer', async () => {
  const { page, context } = await openOfflinePos()
  const phone = newPhone()
  await enter(page, phone)
  let arrived = () => {}
  const sent = new Promise<void>((resolve) => (arrived = resolve))
  await context.route(STORE, async (route) => {
    await route.fetch()
    arrived()
  })
  await place(page)
  await sent
  await page.close()
  await context.unroute(STORE)
  const again = await context.newPage()
  await go(again, '/admin/quick-orders')
  await ready(again)
  expect(await quantity(again).count()).toBe(0)
  await nothingWaits(again)
  await expect.poll(async () => (await sold(phone)).length).toBe(1)
  await again.waitForTimeout(500)
  expect(await sold(phone)).toHaveLength(1)
  await allIsWell()
})

test('a reload without network: page, products, sale and unsent sales are there', async () => {
  const { page, context } = await openOfflinePos()
  const phones = [newPhone(), newPhone()]
  await context.setOffline(true)
  await sellWithout(page, phones[0]!)
  await enter(page, phones[1]!)
  await page.reload()
  await ready(page)
  await offline(page)
  await unsent(page, 1)
  const sheets = await page.evaluate(() => [...document.styleSheets].map(({ cssRules }) => cssRules.length > 0))
  expect(sheets.length > 0 && sheets.every(Boolean)).toBe(true)
  expect(await quantity(page).inputValue()).toBe('1')
  await scan(page, CODE)
  await expect.poll(() => quantity(page).inputValue()).toBe('2')
  await place(page)
  await storedReceipt(page)
  await unsent(page, 2)
  await context.setOffline(false)
  await nothingWaits(page)
  expect(await sold(phones[0]!)).toHaveLength(1)
  expect(await sold(phones[1]!)).toMatchObject([{ total: 20_000 }])
  await allIsWell()
})

test('two tabs with the same outbox send each sale once', async () => {
  const { page, context } = await openOfflinePos()
  const phones = [newPhone(), newPhone(), newPhone(), newPhone()]
  const other = await context.newPage()
  await go(other, '/admin/quick-orders')
  await ready(other)
  await context.setOffline(true)
  for (const phone of phones.slice(0, 2)) await sellWithout(page, phone)
  for (const phone of phones.slice(2)) await sellWithout(other, phone)
  await unsent(page, 4)
  await unsent(other, 4)
  await context.setOffline(false)
  await nothingWaits(page)
  await nothingWaits(other)
  for (const phone of phones) expect(await sold(phone)).toHaveLength(1)
  await allIsWell()
})

test('signing out in the shop leaves no page of the POS, and loses no sale', async () => {
  const { page, context, expectProblem } = await openOfflinePos()
  expectProblem(/status of 401/)
  const phone = newPhone()
  await context.route(STORE, (route) => route.abort('connectionreset'))
  await sellWithout(page, phone)
  await unsent(page, 1)
  await go(page, '/')
  await page.locator('form[action="/logout"] button').click()
  await page.locator('form[action="/logout"]').waitFor({ state: 'detached' })
  expect(await hasCachedPage(page)).toBe(false)
  // Without network the POS of the cashier who left does not open.
  await context.setOffline(true)
  await page.goto('/admin/quick-orders').catch(() => {})
  expect(await page.locator('#quick-order').count()).toBe(0)
  await context.setOffline(false)
  await context.unroute(STORE)
  await signInAs(page, cashier.phone)
  await openPos(page)
  await unlocked(page)
  await nothingWaits(page)
  expect(await sold(phone)).toHaveLength(1)
  await allIsWell()
})

test('the customer display reloads without network, and follows the sale', async () => {
  const { page, context } = await openOfflinePos()
  const display = await context.newPage()
  await go(display, '/admin/quick-orders/display')
  await context.setOffline(true)
  await display.reload()
  await display.locator('[data-display=idle]').waitFor()
  await page.bringToFront()
  await page.focus('#pos-search')
  await scan(page, CODE)
  await expect.poll(() => display.locator('[data-total]').textContent()).toBe('৳100')
})

test('a stored sale that is discarded is not shown as the last sale any more', async () => {
  const { page, context, expectProblem } = await openOfflinePos()
  expectProblem(/quick-orders\/store: 422|status of 422/)
  const phone = newPhone()
  await context.setOffline(true)
  await sellWithout(page, phone)
  await sql`update products set price_poisha = 12000 where barcode = ${CODE}`.execute(db)
  await context.setOffline(false)
  await page.locator('[data-last-sale]').getByText(t('pos.stored.rejected')).waitFor()
  await page.locator('[data-unsent="1"]').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: t('pos.unsent.give-up') }).click()
  await dialog.getByLabel(t('pos.unsent.why')).fill('Customer left')
  await dialog
    .getByRole('button', { name: t('pos.unsent.give-up') })
    .last()
    .click()
  await page.getByText(t('pos.unsent.none')).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.locator('[data-last-sale]').count()).toBe(0)
  expect(await sold(phone)).toEqual([])
  await allIsWell()
})
