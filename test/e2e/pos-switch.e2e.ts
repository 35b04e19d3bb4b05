import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DEMO_PASSWORD } from '#db/demo/people.ts'
import '#messages/en-admin.ts'
import { translate } from '#lib/i18n/translate.ts'
import { complaints } from './axe.ts'
import { admin, database, useDemoShop } from './demo-shop.ts'
import { lastOrder, openPos, ready, settled } from './pos-page.ts'
import { go, signIn } from './sign-in.ts'

useDemoShop()

// Two cashiers share a device: each takes over with the own PIN, and the sale on the screen stays.

const t = translate('en')
const [FIRST, SECOND] = ['01711000004', '01711000046']
const PIN = '7391'

/** Locks the screen and sets a PIN with the password. */
async function setPin(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: t('lock.lock'), exact: true })
    .first()
    .click()
  await page.getByRole('button', { name: t('lock.forgot') }).click()
  await page.getByLabel(t('lock.password')).fill(DEMO_PASSWORD)
  await page.getByLabel(t('lock.new-pin')).fill(PIN)
  await page.getByRole('button', { name: t('lock.unlock') }).click()
  await page.locator('dialog[data-lock]').waitFor({ state: 'detached' })
}

const favourite = (page: Page, at: number) => page.locator('section[aria-labelledby=pos-favourites] li button').nth(at)
const onScreen = (page: Page, name: string) => page.locator('[data-cashier]', { hasText: name }).waitFor()

test('a begun sale is taken over by PIN and sold in the shift of the other cashier; a locked screen is taken over too', async () => {
  // A sale of an earlier try would be counted.
  await database.query('delete from held_sales')
  await database.query(
    `insert into users (role, name, phone, password_hash, phone_verified_at) select 'cashier', 'Mizan', $2, password_hash, now() from users where phone = $1
      on conflict (phone) do nothing`,
    [FIRST, SECOND],
  )
  const { page, expectProblem } = await admin(SECOND)
  expectProblem(/42[23]/)
  await page.addInitScript(() => void (window.print = () => {}))
  await openPos(page, '500')
  await setPin(page)
  await favourite(page, 1).click()
  await expect.poll(() => page.locator('#quick-order [data-lines] li').count()).toBe(1)
  await signIn(page, FIRST)
  await openPos(page, '1000')
  await setPin(page)
  await onScreen(page, 'Shirin Akter')
  await settled(page)
  await favourite(page, 0).click()
  await page.fill('#pos-phone', '01712345678')
  await page.locator('[data-cashier]').click()
  const dialog = page.getByRole('dialog', { name: t('lock.switch') })
  await dialog.getByLabel('Mizan').check()
  expect(await complaints(page)).toEqual([])
  await dialog.getByLabel(t('lock.pin')).fill('0008')
  await dialog.getByRole('button', { name: t('lock.switch-do') }).click()
  await dialog.getByText(t('lock.switch-wrong')).waitFor()
  await dialog.getByLabel(t('lock.pin')).fill(PIN)
  await page.keyboard.press('Enter')
  await onScreen(page, 'Mizan')
  await ready(page)
  await expect.poll(() => page.locator('#quick-order [data-lines] li').count()).toBe(1)
  expect(await page.inputValue('#pos-phone')).toBe('01712345678')
  // What the other cashier left in this tab is held, and the page opens without network.
  await expect.poll(() => page.locator('[data-held]').allInnerTexts()).toEqual(['1'])
  await settled(page)
  await page.keyboard.press('F9')
  const id = await lastOrder(page)
  const { rows } = await database.query(
    'select u.name from pos_sales s join pos_shifts f on f.id = s.shift_id join users u on u.id = f.cashier_id where s.order_id = $1',
    [id],
  )
  expect(rows).toEqual([{ name: 'Mizan' }])
  await page
    .getByRole('button', { name: t('lock.lock'), exact: true })
    .first()
    .click()
  const cover = page.locator('dialog[data-lock]')
  await cover.getByRole('button', { name: t('lock.switch') }).click()
  await cover.getByLabel('Shirin Akter').check()
  await cover.getByLabel(t('lock.pin')).fill(PIN)
  await page.keyboard.press('Enter')
  await onScreen(page, 'Shirin Akter')
  // The sold sale does not come back to the former cashier.
  await go(page, '/admin/quick-orders')
  await ready(page)
  expect(await page.locator('#quick-order [data-lines] li').count()).toBe(0)
})
