import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { orderBody } from '../factories.ts'
import { complaints } from './axe.ts'
import { openPage } from './browser.ts'
import { pick } from './checkout.ts'
import { browser, shop, useDemoShop } from './demo-shop.ts'

useDemoShop()

const FARHANA = '01811000001'

/** Orders something for the customer of the page, so that each try of a test has an order to cancel. */
async function order(page: Page): Promise<void> {
  const product = await pick('produce')
  const quantity = Number(product.size?.split(',')[0] ?? 1)
  const get = async <T>(path: string) => (await (await page.request.get(shop.url + path)).json()) as T
  const [area] = await get<{ id: number }[]>('/api/areas')
  const { token } = await get<{ token: string }>('/csrf-token')
  const { customer, ...body } = orderBody(area!.id, [[product.id, quantity]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' })
  const answer = await page.request.post(`${shop.url}/customer-orders`, {
    data: { ...body, customer: { ...customer, phone: FARHANA } },
    headers: { 'x-csrf-token': token, origin: shop.url },
  })
  expect(answer.status()).toBe(200)
}

test('a stranger signs in and comes back to the orders; one is cancelled with a reason, and ordered again', async () => {
  const { page } = await openPage(browser, { baseUrl: shop.url })
  await page.goto('/account')
  await page.waitForURL(/\/login/)
  await page.getByRole('link', { name: 'Log in with password' }).click()
  await page.locator('input[name=identifier]').fill(FARHANA)
  await page.locator('input[name=password]').fill('khamar-demo')
  await page.locator('input[name=password]').press('Enter')
  await page.waitForURL(`${shop.url}/account`)
  await order(page)
  await page.reload()
  await page.waitForFunction(() => window.pageAwake)
  const id = await page.locator('[data-order][data-status=placed]').first().getAttribute('data-order')
  const same = page.locator(`[data-order="${id}"]`)
  await same.getByRole('button', { name: /^Cancel order/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Cancel order' }).click()
  await dialog.getByText('Please choose a reason.').waitFor()
  await dialog.getByLabel('Reason for cancelling').selectOption('mistake')
  expect(await complaints(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel order' }).click()
  await expect.poll(() => same.getAttribute('data-status')).toBe('cancelled')
  await same.getByText('Reason: Ordered by mistake').waitFor()
  expect(await same.getByRole('button', { name: /^Cancel order/ }).count()).toBe(0)
  await same.getByRole('button', { name: /^Order again/ }).click()
  await dialog.getByText('Added to your cart').waitFor()
  await dialog.getByRole('link', { name: 'Go to Cart' }).click()
  await page.waitForURL(/\/cart/)
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem('cartData') ?? '[]').length)).toBeGreaterThan(0)
  await page.goto(`/invoice/${id}`)
  await page.getByText('This order was cancelled.').waitFor()
})
