import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buildProduct } from '../factories.ts'
import { openPage } from './browser.ts'
import { go } from './sign-in.ts'
import { newPhone } from './new-phone.ts'
import { browser, db, manager, shop, signInAs, sold, startOfflinePos, t, openOfflinePos } from './offline-pos.ts'
import { offline, place, unlocked } from './pos-page.ts'

await startOfflinePos()

// Products without a barcode are sold by a press on their button.

const [cane, guava] = [
  await buildProduct(db, { name_en: 'Cane by the stalk', unit: 'piece', price_poisha: 3_000, stock_milli: 500_000 }),
  await buildProduct(db, { name_en: 'Ripe guava', unit: 'kg', price_poisha: 8_000, stock_milli: 500_000 }),
]

test('a manager chooses the favourites, and a cashier sells them with and without network', async () => {
  const { page: admin } = await openPage(browser, { baseUrl: shop.url, width: 1280 })
  await signInAs(admin, manager.phone)
  await go(admin, '/admin/quick-orders/favourites')
  for (const { name_en: name } of [cane, guava]) {
    await admin.getByRole('combobox', { name: t('slots.add-product') }).fill(name)
    await admin.getByRole('option', { name }).click()
  }
  await admin.getByRole('button', { name: t('admin.save') }).click()
  await expect
    .poll(async () => (await sql<{ ids: string[] }>`select product_ids as ids from pos_favourites`.execute(db)).rows[0]?.ids.map(Number))
    .toEqual([cane.id, guava.id])

  const { page, context } = await openOfflinePos()
  const button = (name: string) => page.getByRole('region', { name: t('pos.favourites') }).getByRole('button', { name })
  const line = (name: string) =>
    page
      .getByRole('list', { name: t('pos.selected') })
      .getByRole('listitem')
      .filter({ hasText: name })
  await button(cane.name_en).click()
  await line(cane.name_en).waitFor()
  await button(cane.name_en).click()
  await expect.poll(() => line(cane.name_en).locator('input').inputValue()).toBe('2')
  // The next scan goes to the box.
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('pos-search')
  await context.setOffline(true)
  await offline(page)
  await button(guava.name_en).click()
  await line(guava.name_en).waitFor()
  await context.setOffline(false)
  const phone = newPhone()
  await page.fill('#pos-phone', phone)
  await unlocked(page)
  await place(page)
  await expect.poll(() => sold(phone)).toMatchObject([{ total: 14_000, lines: 2 }])
})

test('a product that is sold out cannot be pressed', async () => {
  await sql`update products set status = 'out-of-stock', stock_milli = 0 where id = ${guava.id}`.execute(db)
  await sql`update pos_favourites set product_ids = ${[guava.id]}::bigint[]`.execute(db)
  const { page } = await openOfflinePos()
  const button = page.getByRole('button', { name: guava.name_en })
  await expect.poll(() => button.isDisabled()).toBe(true)
})
