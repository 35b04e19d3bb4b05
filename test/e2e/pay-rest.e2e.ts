import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { translate } from '#lib/i18n/translate.ts'
import { formatTaka, taka } from '#lib/format/money.ts'
import { orderBody } from '../factories.ts'
import { Visitor } from '../visitor.ts'
import { complaints } from './axe.ts'
import { openPage } from './browser.ts'
import { pick } from './checkout.ts'
import { browser, database, shop, useDemoShop } from './demo-shop.ts'
import { go } from './sign-in.ts'

useDemoShop()

const GROWN = 120

/** An order of this browser that was paid in full online, and that staff made dearer. */
async function editedOrder(page: Page): Promise<number> {
  const product = await pick('produce')
  const get = async <T>(path: string) => (await (await page.request.get(shop.url + path)).json()) as T
  const [area] = await get<{ id: number }[]>('/api/areas')
  const { token } = await get<{ token: string }>('/csrf-token')
  const lines: [number, number][] = [[product.id, Number(product.size?.split(',')[0] ?? 1)]]
  const answer = await page.request.post(`${shop.url}/customer-orders`, {
    data: orderBody(area!.id, lines, { payment_gateway: 'sslcommerz' }),
    headers: { 'x-csrf-token': token, origin: shop.url },
  })
  const { order_id, redirect_url } = (await answer.json()) as { order_id: number; redirect_url: string }
  await page.goto(redirect_url)
  await page.getByRole('button', { name: /Pay with VISA/ }).click()
  await page.waitForURL(/\/order\/confirmed\//)
  const { rows } = await database.query('select shipping_poisha::int as shipping from orders where id = $1', [order_id])
  const manager = new Visitor(shop.url)
  await manager.signIn('01711000002', 'khamar-demo')
  const edit = { address: 'House 12, Road 7', shipping_cost: rows[0].shipping / 100 + GROWN }
  expect((await manager.post(`/admin/orders/update/${order_id}`, edit)).status).toBe(200)
  return order_id
}

test.each(['en', 'bn'] as const)('an order that staff made dearer: its customer pays the rest online (%s)', async (lang) => {
  const t = translate(lang)
  const { page, context } = await openPage(browser, { baseUrl: shop.url, lang })
  const id = await editedOrder(page)
  await go(page, `/invoice/${id}`)
  const amount = formatTaka(taka(GROWN), lang)
  const pay = page.getByRole('button', { name: t('unpaid.by-sslcommerz', { amount }) })
  await page.getByText(t('invoice.next-due', { amount })).first().waitFor()
  expect(await complaints(page)).toEqual([])

  const other = await context.newPage()
  await go(other, `/invoice/${id}`)
  await pay.click()
  await page.getByRole('button', { name: /Fail/ }).click()
  await page.getByText(t('payment-state.failed')).first().waitFor()
  await pay.click()
  await page.waitForURL(/EasyCheckOut/)
  await page.goBack()
  await page.getByText(t('payment-state.checking-text')).waitFor()

  // The other tab shows what was due before; the page at the gateway is the same one.
  await other.getByRole('button', { name: t('unpaid.by-sslcommerz', { amount }) }).click()
  await other.getByRole('button', { name: /Pay with VISA/ }).click()
  await other.waitForURL(`**/invoice/${id}`)
  await other.getByRole('heading', { name: t('payment-state.paid') }).waitFor()
  // The first tab learns it by itself.
  await page.getByRole('heading', { name: t('payment-state.paid') }).waitFor()
  expect(await page.getByRole('button', { name: /৳/ }).count()).toBe(0)
})
