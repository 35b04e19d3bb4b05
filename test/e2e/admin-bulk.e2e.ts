import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { translate } from '#lib/i18n/translate.ts'
import { complaints } from './axe.ts'
import { admin, database, useDemoShop } from './demo-shop.ts'
import { go } from './sign-in.ts'

useDemoShop()

// All orders of a filter are changed in the background: progress, one order that another clerk has changed, and the reload.

const SALES = '01711000003'
const COUNT = 60
const lang = 'bn'
const t = translate(lang)

/** Placed orders without lines under one phone. */
async function placeOrders(phone: string): Promise<number[]> {
  const { rows } = await database.query<{ id: string }>(
    `insert into orders (customer_id, name, phone, address, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type,
       payment_gateway, payable_poisha, list_on, placed_at, view_key, tracking_code, source)
     select customer_id, 'Many', $1, 'x', 0, 0, 0, 0, 'full', 'NONE', 0, current_date, now(),
       'v' || nextval('orders_id_seq'), 't' || nextval('orders_id_seq'), 'admin'
     from (select customer_id from orders order by id limit 1) o, generate_series(1, $2::int) returning id`,
    [phone, COUNT],
  )
  return rows.map(({ id }) => Number(id))
}

test('"Select all" changes the orders of a search in the background, on a phone in Bengali', async () => {
  const phone = `017${randomInt(1e7, 1e8)}`
  const number = (value: number) => formatNumber(value, lang)
  const ids = await placeOrders(phone)
  // Those of another test are shown as well.
  await database.query('delete from bulk_runs')
  const { page } = await admin(SALES, { lang, width: 390 })
  await go(page, `/admin/orders?q=${phone}&rows=25`)
  // A phone shows cards, without the head of the table.
  await page.locator('tbody .pick label').first().tap()
  await page.getByRole('button', { name: t('admin.table.select-all') }).tap()
  await page.getByRole('button', { name: t('admin-orders.all-select') }).click()
  await page.getByText(t('admin-orders.all-selected', { count: number(COUNT) })).waitFor()
  expect(await complaints(page)).toEqual([])
  await page.getByLabel(t('admin-orders.bulk-status')).selectOption('processing')
  const dialog = page.getByRole('dialog')
  const status = t('order-status.processing')
  await dialog.getByRole('heading', { name: t('admin-orders.bulk-title', { count: number(COUNT), status }) }).waitFor()
  expect(await complaints(page)).toEqual([])
  // Another clerk confirms the oldest of them meanwhile; the run leaves it as it is.
  await database.query("update orders set status = 'processing', version = version + 1 where id = $1", [Math.min(...ids)])
  await Promise.all([page.waitForEvent('load'), dialog.getByRole('button', { name: t('admin-orders.bulk-go') }).click()])
  await page.waitForFunction(() => window.pageAwake)
  const runs = page.getByRole('region', { name: t('admin-orders.runs') })
  await runs.getByText(t('admin-orders.run-done', { done: number(COUNT - 1), failed: number(1) })).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  expect(await complaints(page)).toEqual([])
  await runs.getByText(t('admin-orders.run-failures')).click()
  await runs.getByRole('listitem').first().waitFor()
  const { rows } = await database.query('select status, count(*)::int as count from orders where id = any($1) group by 1', [ids])
  expect(rows).toEqual([{ status: 'processing', count: COUNT }])
})
