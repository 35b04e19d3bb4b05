import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DEMO_PASSWORD } from '#db/demo/people.ts'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { translate } from '#lib/i18n/translate.ts'
import { complaints } from './axe.ts'
import { admin, database, useDemoShop } from './demo-shop.ts'
import { go } from './sign-in.ts'
import { lastOrder, openPos, quantity, scan, unlocked } from './pos-page.ts'

useDemoShop()

// The screens of a weigher and a cashier lock after idling: what stands on them is there after the PIN.

const WEIGHER = '01711000005'
const CASHIER = '01711000004'
const CODE = '8900000000017'
const PIN = '7391'
const LOCKED = /423|422/
const t = translate('en')

/** The sessions of a person were last used 31 minutes ago. */
const idle = (phone: string) =>
  database.query(
    "update sessions set last_seen_at = now() - interval '31 minutes' where user_id = (select id from users where phone = $1)",
    [phone],
  )
const cover = (page: Page) => page.locator('dialog[data-lock]')
const unlock = (page: Page) => page.getByRole('button', { name: t('lock.unlock') }).click()

test('a weigher on a phone sets a PIN at the first lock and unlocks with it, on the page and on opening another', async () => {
  // Without the PIN of an earlier try.
  await database.query('delete from staff_pins')
  const { page, expectProblem } = await admin(WEIGHER, { width: 390 })
  expectProblem(LOCKED)
  await go(page, '/admin/weigh-ins?tag=B-218')
  await page.getByLabel(t('weigh.kg')).fill('232.5')
  await idle(WEIGHER)
  await page.getByRole('button', { name: t('weigh.save') }).click()
  await cover(page).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await cover(page).waitFor()
  expect(await complaints(page)).toEqual([])
  await page.getByLabel(t('lock.pin'), { exact: true }).fill(PIN)
  await unlock(page)
  await page.getByLabel(t('lock.password')).fill(DEMO_PASSWORD)
  await page.getByLabel(t('lock.new-pin')).fill('1234')
  await unlock(page)
  await page.getByText(t('lock.pin-simple')).waitFor()
  await page.getByLabel(t('lock.new-pin')).fill(PIN)
  await unlock(page)
  await cover(page).waitFor({ state: 'detached' })
  expect(await page.getByLabel(t('weigh.kg')).inputValue()).toBe('232.5')
  await idle(WEIGHER)
  await page.goto('/admin/products')
  await page.waitForURL(/\/unlock/)
  expect(await complaints(page)).toEqual([])
  await page.getByLabel(t('lock.pin'), { exact: true }).fill('0008')
  await unlock(page)
  await page.getByText(t('lock.pin-wrong')).waitFor()
  await page.getByLabel(t('lock.pin'), { exact: true }).fill(PIN)
  await unlock(page)
  await page.waitForURL(/\/admin\/products$/)
})

test('a sale that was being placed stays on the screen of the POS, is placed after the PIN, and counts once', async () => {
  const { page, expectProblem } = await admin(CASHIER)
  expectProblem(LOCKED)
  await page.addInitScript(() => void (window.print = () => {}))
  await database.query(
    `update products set barcode = $1, price_poisha = 12050, discount_kind = null, discount_value = null, unit = 'kg', sizes_milli = '{}'
      where id = (select id from products where not is_unique and (stock_milli is null or stock_milli > 200000) and status = 'in-stock' and visible
      order by id limit 1)`,
    [CODE],
  )
  const sales = async () => Number((await database.query("select count(*) as n from orders where source = 'pos'")).rows[0].n)
  const before = await sales()
  await openPos(page, '1000')
  await unlocked(page)
  await scan(page, CODE)
  await quantity(page).waitFor()
  await page.keyboard.press('F4')
  await page.keyboard.type('01712345678')
  await idle(CASHIER)
  await page.keyboard.press('F9')
  await cover(page).waitFor()
  expect(await sales()).toBe(before)
  await page.getByRole('button', { name: t('lock.forgot') }).click()
  await page.getByLabel(t('lock.password')).fill(DEMO_PASSWORD)
  await page.getByLabel(t('lock.new-pin')).fill(PIN)
  await unlock(page)
  await cover(page).waitFor({ state: 'detached' })
  await quantity(page).waitFor()
  expect(await page.locator('[data-unsent]:not([data-unsent="0"])').count()).toBe(0)
  await page.keyboard.press('F9')
  await lastOrder(page)
  expect(await sales()).toBe(before + 1)
})
