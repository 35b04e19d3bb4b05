import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import type { ProductJson } from '#features/catalog/types.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { complaints } from './axe.ts'
import { openPage } from './browser.ts'
import { fillCart } from './checkout.ts'
import { admin, browser, database, shop, useDemoShop } from './demo-shop.ts'
import { signIn } from './sign-in.ts'

// The shop window as the admin keeps it: categories in their order, a coupon that the shop then takes.

useDemoShop()

const MANAGER = '01711000002'
const FARHANA = '01811000001'
const t = translate('en')

/** The page hears what is typed. */
const awake = (page: Page) => page.waitForFunction(() => (window as { pageAwake?: boolean }).pageAwake === true)

/** Ids in their order, as the list shows them and as they are stored. */
async function shownOrder(page: Page): Promise<number[]> {
  return page.locator('#category-list tr[data-id]').evaluateAll((rows) => rows.map((row) => Number((row as HTMLElement).dataset.id)))
}
async function storedOrder(): Promise<number[]> {
  return (await database.query<{ id: number }>('select id from categories order by priority')).rows.map(({ id }) => id)
}

test('categories are put in order by a button and by dragging', async () => {
  const { page } = await admin(MANAGER)
  await page.goto('/admin/categories')
  const row = (id: number) => page.locator(`#category-list tr[data-id="${id}"]`)
  await row(6).waitFor()
  const before = await shownOrder(page)
  await row(before[1]!).getByRole('button', { name: / up$/ }).click()
  await page.getByText('Order updated successfully').first().waitFor()
  const swapped = [before[1]!, before[0]!, ...before.slice(2)]
  expect(await shownOrder(page)).toEqual(swapped)
  expect(await storedOrder()).toEqual(swapped)

  const [from, to] = [row(swapped[0]!).locator('[data-handle]'), row(swapped[3]!)]
  const [start, end] = [(await from.boundingBox())!, (await to.boundingBox())!]
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2)
  await page.mouse.down()
  await page.mouse.move(end.x + 40, end.y + end.height / 2, { steps: 8 })
  await page.locator('[data-drop]').waitFor()
  await page.mouse.up()
  const dragged = [swapped[1]!, swapped[2]!, swapped[3]!, swapped[0]!, ...swapped.slice(4)]
  await expect.poll(storedOrder).toEqual(dragged)
  expect(await shownOrder(page)).toEqual(dragged)

  // Dropped outside of the list, nothing happens.
  const again = (await row(dragged[0]!).locator('[data-handle]').boundingBox())!
  await page.mouse.move(again.x + 10, again.y + 10)
  await page.mouse.down()
  await page.mouse.move(again.x + 10, 20, { steps: 5 })
  await page.mouse.up()
  expect(await shownOrder(page)).toEqual(dragged)
})

test('a category that has products is not deleted, with the reason; an empty one is, after the question', async () => {
  const { page, expectProblem } = await admin(MANAGER)
  expectProblem(/409/)
  // What an earlier try of this test has left.
  await database.query("delete from categories where name_en = 'Honey'")
  await page.goto('/admin/category/create')
  await awake(page)
  await page.getByLabel(t('categories.name-en')).fill('Honey')
  await page.getByLabel(t('categories.name-bn')).fill('মধু')
  await page.getByRole('button', { name: t('admin.save'), exact: true }).click()
  await page.waitForURL('**/admin/categories')
  const row = (name: string) => page.locator('#category-list tr', { has: page.getByRole('rowheader', { name }) })
  const answer = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true })
  await row('Sugarcane').getByRole('button', { name: 'Delete Sugarcane' }).click()
  await page.getByRole('dialog').getByText('Are you sure you want to delete Sugarcane?').waitFor()
  await answer(t('categories.delete')).click()
  await page.getByText(`Failed to delete category. ${t('categories.has-products')}`).waitFor()
  await row('Honey').getByRole('button', { name: 'Delete Honey' }).click()
  await answer(t('admin.cancel')).click()
  expect(await row('Honey').count()).toBe(1)
  await row('Honey').getByRole('button', { name: 'Delete Honey' }).click()
  await answer(t('categories.delete')).click()
  await page.getByText('Category deleted successfully').waitFor()
  await expect.poll(() => row('Honey').count()).toBe(0)
  expect(await row('Kurbani Cow').getByRole('button', { name: 'Delete Kurbani Cow' }).isDisabled()).toBe(true)
})

test('a list that does not come says so, and comes when asked again; one that is not saved goes back', async () => {
  const { page, expectProblem } = await admin(MANAGER, { width: 390 })
  expectProblem(/500|Failed to load|net::/)
  await page.route('**/api/admin/categories', (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.goto('/admin/categories')
  await page.getByText('Failed to load categories.').first().waitFor()
  await page.unroute('**/api/admin/categories')
  await page.getByRole('button', { name: t('categories.again') }).click()
  await page.locator('#category-list tr[data-id]').first().waitFor()
  const before = await shownOrder(page)
  await page.route('**/api/admin/categories/reorder', (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.locator(`tr[data-id="${before[1]}"]`).getByRole('button', { name: / up$/ }).click()
  await page.getByText('Failed to update order').first().waitFor()
  await expect.poll(() => shownOrder(page)).toEqual(before)
})

test('a coupon is made in the admin, taken by the shop, and counted', async () => {
  const { page } = await admin(MANAGER)
  await page.goto('/admin/coupons/create')
  await page.getByRole('button', { name: t('coupons.generate') }).click()
  const field = page.getByLabel(t('coupons.code'), { exact: true })
  await expect.poll(() => field.inputValue()).toMatch(/^[0-9A-Z]{8}$/)
  const code = await field.inputValue()
  await page.getByLabel(t('coupons.percent'), { exact: true }).fill('12.5')
  await page.getByLabel(t('coupons.max-uses')).fill('1')
  await page.getByRole('button', { name: t('admin.save'), exact: true }).click()
  await page.getByRole('heading', { level: 1, name: code }).waitFor()

  const id = await buyWith(code)
  await page.reload()
  await page.getByText(t('coupons.state.used-up')).first().waitFor()
  await page.getByRole('link', { name: String(id), exact: true }).waitFor()
  await page.getByRole('button', { name: t('coupons.stop'), exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('coupons.stop'), exact: true })
    .click()
  await page.getByText(t('coupons.state.off')).first().waitFor()
})

/** Farhana buys fruit with a code, paid on delivery; answers the order's number. */
async function buyWith(code: string): Promise<number> {
  const { page } = await openPage(browser, { baseUrl: shop.url, lang: 'en', width: 390 })
  await signIn(page, FARHANA)
  const answer = await fetch(`${shop.url}/api/products?category_name=Fruits`)
  const fruit = ((await answer.json()) as { products: ProductJson[] }).products.find(({ status }) => status === 'in-stock')!
  await fillCart(page, [fruit])
  const press = (name: string) => page.getByRole('button', { name, exact: true }).filter({ visible: true }).first().click()
  await page.goto('/cart')
  await page.fill('#coupon', code.toLowerCase())
  await press(t('coupon.apply'))
  await page.getByText(t('coupon.applied')).waitFor()
  await press(t('cart.proceed'))
  await page.getByRole('heading', { name: t('address.saved') }).waitFor()
  await press(t('checkout.proceed-to-preview'))
  await page.getByRole('radio', { name: t('payment.cod') }).check()
  await page.getByRole('checkbox').check()
  await press(t('place.order'))
  await page.getByRole('link', { name: t('place.ok'), exact: true }).click()
  await page.waitForURL(/\/invoice\/\d+/)
  return Number(/\d+$/.exec(new URL(page.url()).pathname)?.[0])
}

test.each<[Lang, 390 | 1280]>([
  ['en', 1280],
  ['bn', 390],
])('no accessibility violations in the list of categories, which comes after its page (%s, %i px)', async (lang, width) => {
  const { page } = await admin(MANAGER, { lang, width })
  await page.goto('/admin/categories')
  await page.locator('#category-list table').waitFor()
  expect(await complaints(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
})

test('packs: one press adds 10 kg at its price, the stepper follows the sizes, removing is undone, by keyboard and in another tab', async () => {
  const { page, context } = await openPage(browser, { baseUrl: shop.url })
  const { rows } = await database.query<{ id: number; name: string }>(
    `update products set unit = 'kg', price_poisha = 10000, discount_kind = 'percentage', discount_value = 1000, sizes_milli = '{5000,10000,20000}',
       stock_milli = null
     where id = (select min(id) from products where category_id = 3 and status = 'in-stock') returning id, name_en as name`,
  )
  const { id, name } = rows[0]!
  const product = (where: Page) => where.locator(`[data-product="${id}"]`)
  await page.goto('/fruits')
  await page.waitForFunction(() => window.pageAwake)
  const stored = () =>
    page.evaluate(() => (JSON.parse(localStorage.cartData ?? '[]') as { quantity: number }[]).map(({ quantity }) => quantity))
  const focused = () => page.evaluate(() => document.activeElement?.textContent || document.activeElement?.getAttribute('aria-label'))
  // 10 % off ৳100.
  await product(page).getByRole('button', { name: 'Add 10 kg, ৳900' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText(t('catalog.added')).waitFor()
  expect(await stored()).toEqual([10])
  expect(await focused()).toBe(`Increase quantity of ${name}`)
  await page.keyboard.press('Enter')
  expect(await stored()).toEqual([15])
  expect(await product(page).getByRole('status').or(product(page).locator('output')).first().textContent()).toBe('15 kg৳1,350')

  const other = await context.newPage()
  await other.goto('/fruits')
  await other.waitForFunction(() => window.pageAwake)
  await product(other)
    .getByRole('button', { name: /^Decrease/ })
    .click()
  await expect.poll(stored).toEqual([10])
  await product(page).locator('output', { hasText: '10 kg৳900' }).waitFor()
  // Add to cart is as specified: it tells that the product is there.
  await product(page)
    .getByRole('button', { name: /^Add to cart/ })
    .click()
  await page.getByRole('dialog', { name: 'The Product Already in Cart' }).waitFor()
  await page.keyboard.press('Escape')

  await product(page)
    .getByRole('button', { name: /^Decrease/ })
    .click()
  await product(page)
    .getByRole('button', { name: `Remove ${name}` })
    .click()
  expect(await stored()).toEqual([])
  expect(await focused()).toBe('Undo')
  await page.keyboard.press('Enter')
  expect(await stored()).toEqual([5])
  await page.goto('/cart')
  await page.getByText('৳450').first().waitFor()
})

test('a closed notice stays closed, and the next one shows', async () => {
  const { page } = await openPage(browser, { baseUrl: shop.url })
  await page.goto('/fruits', { waitUntil: 'domcontentloaded' })
  const shown = () => page.locator('[data-notice]:visible')
  const first = (await shown().textContent()) ?? ''
  await page.getByRole('button', { name: t('shell.close-notice') }).click()
  await expect.poll(() => shown().textContent()).not.toBe(first)
  await page.goto('/beef')
  expect(await shown().textContent()).not.toBe(first)
  expect(await page.locator('header').evaluate((header) => header.getBoundingClientRect().bottom)).toBeLessThanOrEqual(120)
})
