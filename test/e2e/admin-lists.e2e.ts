import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import '#messages/en-admin.ts'
import { translate } from '#lib/i18n/translate.ts'
import { admin, database, useDemoShop } from './demo-shop.ts'
import { go } from './sign-in.ts'

useDemoShop()

// From a filtered list to a record and back, the palette, and the way to the own account.

const MANAGER = '01711000002'
const t = translate('en')
const awake = (page: Page) => page.waitForFunction(() => window.pageAwake)
const backTo = (page: Page, label: string) => page.locator('main').getByRole('link', { name: label, exact: true }).first()
const hrefOf = (page: Page, label: string) => backTo(page, label).getAttribute('href')

/** More orders of one name than a page of the list holds. */
async function manyOrders(): Promise<void> {
  await database.query(
    `insert into orders (status, customer_id, name, phone, address, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type,
      payment_gateway, payable_poisha, list_on, placed_at, view_key, tracking_code)
    select 'delivered', u.id, 'Pager ' || n, u.phone, 'House 5', 50000, 0, 0, 50000, 'cash_on_delivery', 'NONE', 0, current_date,
      now() - n * interval '1 minute', 'key', gen_random_uuid()::text
    from generate_series(1, 40) n, (select id, phone from users where role = 'customer' order by id limit 1) u`,
  )
}

test('Back and Cancel lead to the same filters and the same page, also after a reload', async () => {
  await manyOrders()
  const { page } = await admin(MANAGER)
  await go(page, '/admin/orders?status=delivered')
  await page.getByRole('link', { name: t('admin.page.next'), exact: true }).click()
  await page.waitForURL(/after=/)
  await awake(page)
  const list = new URL(page.url())
  await page.locator('tbody a[href^="/admin/orders/update/"]').first().click()
  await page.waitForURL('**/admin/orders/update/*')
  await awake(page)
  const left = list.pathname + list.search
  await expect.poll(() => hrefOf(page, t('admin.nav.orders'))).toBe(left)
  await page.reload()
  await awake(page)
  await expect.poll(() => hrefOf(page, t('admin.nav.orders'))).toBe(left)
  // By a record that links to this one, the tab still knows its list.
  await page.getByRole('link', { name: t('admin-orders.customer-orders') }).waitFor()
  await go(page, new URL(page.url()).pathname)
  await backTo(page, t('admin.nav.orders')).click()
  await page.waitForURL((url) => url.pathname + url.search === left)
})

test('a second tab has its own list', async () => {
  const { page, context } = await admin(MANAGER)
  await go(page, '/admin/products?q=mango')
  const opened = context.waitForEvent('page')
  await page
    .locator('tbody a[href^="/admin/products/"]')
    .first()
    .click({ modifiers: ['ControlOrMeta'] })
  const second = await opened
  await awake(second)
  await expect.poll(() => hrefOf(second, t('admin.nav.products'))).toBe('/admin/products?q=mango')
  await go(page, '/admin/products?q=banana')
  await second.reload()
  await awake(second)
  await expect.poll(() => hrefOf(second, t('admin.nav.products'))).toBe('/admin/products?q=mango')
  await second.close()
})

test('a stored list that is no query of the list leads to the bare list', async () => {
  const { page } = await admin(MANAGER)
  await go(page, '/admin/customers')
  const { rows } = await database.query(`select id::int from users where role = 'customer' order by id limit 1`)
  const { rows: staff } = await database.query('select id::int from users where phone = $1', [MANAGER])
  await page.evaluate((key) => sessionStorage.setItem(key, '//evil.example/?q=1'), `list:${staff[0].id}:/admin/customers`)
  await page.goto('about:blank')
  await go(page, `/admin/customers/${rows[0].id}`)
  expect(await hrefOf(page, t('admin.nav.customers'))).toBe('/admin/customers')
})

test('the palette finds a customer by name and the own account; the menu leads there too', async () => {
  const { page } = await admin(MANAGER)
  await go(page, '/admin')
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: t('admin.find.label') })
  await field.fill('hasina')
  await page
    .getByRole('option', { name: /Hasina Parvin/ })
    .first()
    .waitFor()
  await field.fill(t('admin.account'))
  await page.getByRole('option', { name: new RegExp(t('admin.account')) }).waitFor()
  await field.press('Escape')
  await page.getByRole('link', { name: new RegExp(t('admin.account')) }).click()
  await page.waitForURL('**/account/security')
  await page.locator('a[href="/account/security/second-factor"]').waitFor()
})
