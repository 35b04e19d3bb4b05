import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { complaints } from './axe.ts'
import { newPhone } from './new-phone.ts'
import { allIsWell, enter, manager, sold, startOfflinePos, STORE, t, openOfflinePos } from './offline-pos.ts'
import { lastOrder, place, quantity, ready } from './pos-page.ts'
import { go } from './sign-in.ts'

await startOfflinePos()

// Held sales: resumed at another register, by exactly one of them, and held without network.

const dialog = (page: Page) => page.getByRole('dialog')
const chip = (page: Page) => page.locator('[data-held]')

async function hold(page: Page, name: string): Promise<void> {
  await page.keyboard.press('F7')
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'name')
  await page.keyboard.insertText(name)
  await page.keyboard.press('Enter')
  await expect.poll(() => quantity(page).count()).toBe(0)
}

test('a sale held at one register is resumed at another, and the first learns of it', async () => {
  const [first, second] = [await openOfflinePos(), await openOfflinePos(manager.phone)]
  second.expectProblem(/409/)
  const phone = newPhone()
  await enter(first.page, phone)
  await hold(first.page, 'red shirt')
  await expect.poll(() => chip(first.page).innerText()).toBe('1')
  // Both see it with its total; the other register is quicker.
  await second.page.keyboard.press('F8')
  await dialog(second.page).getByText('red shirt').waitFor()
  await second.page.waitForFunction(() => document.activeElement?.textContent?.includes('red shirt'))
  expect(await complaints(second.page)).toEqual([])
  await first.page.keyboard.press('F8')
  const row = dialog(first.page).getByRole('button', { name: /red shirt/ })
  await row.getByText('৳100').waitFor()
  await expect.poll(() => row.getByText(t('pos.held.device-only')).count()).toBe(0)
  await second.page.keyboard.press('1')
  await expect.poll(() => second.page.locator('#pos-phone').inputValue()).toBe(phone)
  first.expectProblem(/409/)
  await row.click()
  await first.page.getByText(/resumed this sale at/).waitFor()
  expect(await quantity(first.page).count()).toBe(0)
  await place(second.page)
  await lastOrder(second.page)
  expect(await sold(phone)).toHaveLength(1)
  await allIsWell()
})

test('the search box has the focus after a sale was held, resumed or cleared, wherever it was before', async () => {
  const { page } = await openOfflinePos()
  const phone = newPhone()
  await enter(page, phone)
  const focused = () => page.evaluate(() => document.activeElement?.id)
  await page.locator('#pos-phone').focus()
  await hold(page, 'kept for Karim')
  await expect.poll(focused).toBe('pos-search')
  await page.locator('#pos-phone').focus()
  await page.keyboard.press('F8')
  await page.waitForFunction(() => document.activeElement?.textContent?.includes('kept for Karim'))
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('#pos-phone').inputValue()).toBe(phone)
  await expect.poll(focused).toBe('pos-search')
  // Escape returns to the field where it was.
  await page.locator('#pos-phone').focus()
  await page.keyboard.press('F7')
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'name')
  await page.keyboard.press('Escape')
  await expect.poll(focused).toBe('pos-phone')
  await page.getByRole('button', { name: t('pos.clear') }).focus()
  await page.keyboard.press('Enter')
  await dialog(page)
    .getByRole('button', { name: t('pos.clear') })
    .focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => quantity(page).count()).toBe(0)
  await expect.poll(focused).toBe('pos-search')
})

test('a sale held without network stays on the device, is resumed there, and is sent when the network is back', async () => {
  const { page, context } = await openOfflinePos()
  const other = await openOfflinePos(manager.phone)
  const phones = [newPhone(), newPhone()]
  await context.setOffline(true)
  await enter(page, phones[0]!)
  await hold(page, 'first')
  await enter(page, phones[1]!)
  await hold(page, 'second')
  await page.keyboard.press('F8')
  await dialog(page).getByText(t('pos.held.device-only')).first().waitFor()
  await dialog(page).getByRole('button', { name: /first/ }).click()
  await expect.poll(() => page.locator('#pos-phone').inputValue()).toBe(phones[0])
  await context.setOffline(false)
  await expect
    .poll(async () => {
      await other.page.keyboard.press('F8')
      await dialog(other.page).waitFor()
      const isThere = await dialog(other.page).getByText('second').count()
      if (isThere === 0) await other.page.keyboard.press('Escape')
      return isThere
    })
    .toBe(1)
  expect(await dialog(other.page).getByText('first').count()).toBe(0)
  await dialog(other.page)
    .getByRole('button', { name: /second/ })
    .click()
  await expect.poll(() => other.page.locator('#pos-phone').inputValue()).toBe(phones[1])
  await place(other.page)
  await lastOrder(other.page)
  await place(page)
  await lastOrder(page)
  // Nothing comes back after a reload.
  await go(page, '/admin/quick-orders')
  await ready(page)
  await page.keyboard.press('F8')
  await dialog(page).getByText(t('pos.held.none')).waitFor()
  expect([await sold(phones[0]!), await sold(phones[1]!)].map(({ length }) => length)).toEqual([1, 1])
  await allIsWell()
})

test('a sale that is being placed is neither held nor replaced by a held one', async () => {
  const { page, context } = await openOfflinePos()
  const [held, placed] = [newPhone(), newPhone()]
  await enter(page, held)
  await hold(page, 'waits')
  await enter(page, placed)
  let answer = () => {}
  const isAnswered = new Promise<void>((resolve) => (answer = resolve))
  await context.route(STORE, async (route) => {
    await isAnswered
    await route.continue()
  })
  await place(page)
  for (const key of ['F7', 'F8']) {
    await page.keyboard.press(key)
    await page.getByText(t('pos.placing-wait')).first().waitFor()
    expect(await dialog(page).count()).toBe(0)
  }
  // What the shop was sent is what the screen shows.
  await quantity(page).fill('7')
  await page.fill('#pos-phone', newPhone())
  expect([await quantity(page).inputValue(), await page.inputValue('#pos-phone')]).toEqual(['1', placed])
  answer()
  await lastOrder(page)
  expect(await sold(placed)).toMatchObject([{ total: 10_000 }])
  expect(await chip(page).innerText()).toBe('1')
  await page.keyboard.press('F8')
  await dialog(page).getByText('waits').waitFor()
  expect(await dialog(page).locator('li').count()).toBe(1)
  await allIsWell()
})
