import { expect, test } from 'vitest'
import '#messages/en-admin.ts'
import type { ProductJson } from '#features/catalog/types.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { formatDay, formatLongDay, formatLongDays } from '#lib/format/time.ts'
import { openPage } from './browser.ts'
import { button, fillCart, pick, toPreview } from './checkout.ts'
import { admin, browser, database, shop, useDemoShop } from './demo-shop.ts'
import { newPhone } from './new-phone.ts'

useDemoShop()

// A pre-ordered fruit and something for tomorrow in one cart: cart, preview, thank-you, invoice, SMS and admin name the same dates.

const MANAGER = '01711000002'

/** Something for tomorrow and a pre-order, as the shop sells them. */
async function mixedCart(lang: Lang): Promise<[now: ProductJson, later: ProductJson]> {
  const [now, later] = [await pick('produce', '', lang), await pick('produce', '', lang)]
  await database.query('update products set delivery_on = null where id = $1', [now.id])
  await database.query("update products set status = 'pre-book', delivery_on = current_date + 13 where id = $1", [later.id])
  return [now, later]
}

async function datesOf(phone: string) {
  const { rows } = await database.query(
    `select id, to_char(list_on, 'YYYY-MM-DD') as list, to_char(first_delivery_on(o), 'YYYY-MM-DD') as first, to_char(deliver_on, 'YYYY-MM-DD') as last,
      shipping_poisha::int as charge, (select body from sms_outbox s where s.order_id = o.id and template = 'order-placed') as sms
      from orders o where phone = $1`,
    [phone],
  )
  expect(rows).toHaveLength(1)
  return rows[0] as { id: number; list: string; first: string | null; last: string; charge: number; sms: string }
}

test.each([
  ['one', 'en'],
  ['two', 'bn'],
] as const)('a pre-order and something for tomorrow in %s (%s)', async (choice, lang) => {
  const phone = newPhone()
  const t = translate(lang)
  const goods = await mixedCart(lang)
  const { page } = await openPage(browser, { baseUrl: shop.url, lang, width: 390 })
  await fillCart(page, goods)
  const later = (await database.query("select to_char(delivery_on, 'YYYY-MM-DD') as on from products where id = $1", [goods[1].id])).rows[0]
    .on as string
  await page.goto('/cart')
  await page.getByText(t('notice.delivery', { day: formatLongDay(later, lang) })).waitFor()
  await toPreview(page, lang, 'payment.cod', phone)
  await page.getByText(t('delivery.all-on', { day: formatLongDay(later, lang) })).waitFor()
  if (choice === 'two') await page.getByRole('radio', { name: t('delivery.two') }).check()
  await button(page, t('place.order')).click()
  await page.getByText(t('place.thanks-text')).waitFor()

  const order = await datesOf(phone)
  const isSplit = choice === 'two'
  expect(order).toMatchObject({ first: isSplit ? order.list : null, last: later })
  const days = isSplit ? [order.list, later] : [later]
  const expected = t('invoice.next-day', { day: formatLongDays(days, lang) })
  await page.getByText(expected).waitFor()
  // Order SMS are in Bengali.
  expect(order.sms).toContain(days.map((day) => formatDay(day, 'bn')).join(' ও '))

  await page.getByRole('link', { name: t('place.ok'), exact: true }).click()
  await page.waitForURL(/\/invoice\//)
  await page.getByText(expected).waitFor()
  expect(await page.getByText(t('invoice.first-delivery', { day: formatLongDay(order.list, lang) })).count()).toBe(isSplit ? 1 : 0)

  const { page: adminPage } = await admin(MANAGER)
  for (const day of [order.list, later]) {
    await adminPage.goto(`/admin/orders?list_on=${day}`)
    const isListed = async () => (await adminPage.locator(`a[href="/admin/orders/update/${order.id}"]`).count()) > 0
    expect(await isListed(), day).toBe(day === later || isSplit)
    await adminPage.getByRole('link', { name: translate('en')('delivery-sheet.title') }).click()
    await adminPage.waitForURL('**/delivery-sheet?**')
    expect(await isListed(), day).toBe(day === later || isSplit)
  }
  await adminPage.goto(`/admin/orders/update/${order.id}`)
  const panel = adminPage.getByText(translate('en')('admin-orders.two-deliveries'), { exact: true })
  expect(await panel.count()).toBe(isSplit ? 1 : 0)
})

test('a Kurbani cow does not wait until after Eid for a fruit of summer: the cart comes in two deliveries', async () => {
  const [phone, t] = [newPhone(), translate('bn')]
  const [cow, fruit] = [await pick('cattle', 'kurbani', 'bn'), await pick('produce', '', 'bn')]
  await database.query(
    "update products set status = 'pre-book', delivery_on = (select delivery_on + 60 from products where id = $2) where id = $1",
    [fruit.id, cow.id],
  )
  const { page } = await openPage(browser, { baseUrl: shop.url, lang: 'bn', width: 390 })
  await fillCart(page, [cow, fruit])
  await toPreview(page, 'bn', 'payment.advance', phone)
  await page.getByRole('radio', { name: t('delivery.two') }).waitFor()
  expect(await page.getByRole('radio', { name: t('delivery.one') }).count()).toBe(0)
  await button(page, t('place.order')).click()
  await page.getByText(t('place.thanks-text')).waitFor()
  expect((await datesOf(phone)).first).toBe(cow.delivery_date)
})
