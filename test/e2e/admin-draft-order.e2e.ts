import { expect, test } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { translate } from '#lib/i18n/translate.ts'
import { complaints } from './axe.ts'
import { admin, database, useDemoShop } from './demo-shop.ts'
import { go } from './sign-in.ts'
import { newPhone } from './new-phone.ts'

useDemoShop()

// A clerk puts an unfinished phone order aside; another one changes it; the first one finishes it.

const SALES = '01711000003'
const MANAGER = '01711000002'
const lang = 'bn'
const t = translate(lang)

test('a draft of two clerks becomes an order, on a phone in Bengali', { timeout: 180_000 }, async () => {
  const phone = newPhone()
  // Drafts of an earlier try.
  await database.query('delete from order_drafts')
  const { rows } = await database.query<{ name: string }>(
    `select name_${lang} as name from products where not is_unique and visible and status = 'in-stock' order by id limit 1`,
  )
  const { name } = rows[0]!
  const { page, expectProblem } = await admin(SALES, { lang, width: 390 })
  // The draft of another clerk.
  expectProblem(/\/admin\/orders\/drafts\/\d+/)
  await go(page, '/admin/orders/drafts')
  expect(await complaints(page)).toEqual([])
  await go(page, '/admin/orders/create')
  await page.getByLabel(t('admin-orders.phone'), { exact: true }).fill(phone)
  const product = page.getByLabel(t('admin-orders.product'), { exact: true }).first()
  await product.fill(name)
  await page.getByRole('option').filter({ hasText: name }).first().click()
  const price = page.getByLabel(t('admin-orders.price'), { exact: true }).first()
  // The product is chosen when its price is there.
  await expect.poll(() => price.inputValue()).not.toBe('')
  await page.getByRole('button', { name: t('admin-orders.draft-save') }).click()
  await page.waitForURL(/\?draft=\d+$/)
  await page.waitForFunction(() => window.pageAwake)
  expect(await page.getByLabel(t('admin-orders.phone'), { exact: true }).inputValue()).toBe(phone)
  await expect.poll(() => product.inputValue()).toContain(name)
  // With its product, not as text alone.
  await expect.poll(() => price.inputValue()).not.toBe('')
  expect(await complaints(page)).toEqual([])
  const draft = new URL(page.url())

  const other = await admin(MANAGER, { lang })
  await go(other.page, '/admin/orders/drafts')
  await other.page
    .locator('tbody tr', { hasText: localizeDigits(lang, phone) })
    .getByRole('link')
    .first()
    .click()
  await other.page.waitForURL(/\?draft=\d+$/)
  await other.page.waitForFunction(() => window.pageAwake)
  await other.page.getByLabel(t('admin-orders.name'), { exact: true }).fill('Karim Uddin')
  const reloaded = other.page.waitForEvent('load')
  await other.page.getByRole('button', { name: t('admin-orders.draft-save') }).click()
  await reloaded

  await page.getByLabel(t('admin-orders.name'), { exact: true }).fill('Jamal')
  await page.getByRole('button', { name: t('admin-orders.draft-save') }).click()
  await page
    .getByRole('alert')
    .getByRole('button', { name: t('admin-orders.draft-save-new') })
    .waitFor()
  expect(await complaints(page)).toEqual([])
  await page
    .getByRole('alert')
    .getByRole('button', { name: t('admin-orders.draft-save-new') })
    .click()
  await page.waitForURL((url) => url.search !== draft.search)
  await go(page, '/admin/orders/drafts')
  // Both hold the product, also that of the clerk who saved without looking at it.
  await expect.poll(() => page.locator('tbody tr', { hasText: name }).count()).toBe(2)
  expect(await complaints(page)).toEqual([])
  await page.locator('tbody tr', { hasText: 'Karim' }).getByRole('button').click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('admin-orders.draft-delete'), exact: true })
    .click()
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1)

  // The order ends the draft.
  await page.locator('tbody tr', { hasText: 'Jamal' }).getByRole('link').first().click()
  await page.waitForURL(/\?draft=\d+$/)
  await page.waitForFunction(() => window.pageAwake)
  await expect.poll(() => product.inputValue()).toContain(name)
  await expect.poll(() => price.inputValue()).not.toBe('')
  await page.getByLabel(t('admin-orders.address'), { exact: true }).fill('House 1, Road 2')
  await page.getByLabel(t('admin-orders.area'), { exact: true }).selectOption({ index: 1 })
  await page.getByRole('button', { name: t('admin-orders.create'), exact: true }).click()
  await page.waitForURL(/\/admin\/orders$/)
  expect((await database.query('select 1 from order_drafts')).rows).toEqual([])
  expect((await database.query('select name from orders where phone = $1', [phone])).rows).toEqual([{ name: 'Jamal' }])
})

test('a clerk clears the discount of a manager’s draft, and takes a price that changed meanwhile', { timeout: 120_000 }, async () => {
  const phone = newPhone()
  const { rows } = await database.query<{ id: number; name: string; price: number; size: number }>(
    `select id::int, name_en as name, (price_poisha / 100)::int as price, sizes_milli[1] / 1000.0::float8 as size from products
     where not is_unique and visible and status = 'in-stock' and discount_kind is null and cardinality(sizes_milli) > 0 order by id desc limit 1`,
  )
  const { id, name, price: before, size } = rows[0]!
  const now = before + 10
  const line = { product_id: id, name, quantity: String(size), base_price: before, price_on_order: String(before - 5) }
  const contact = { name: 'Karim', phone, email: '', address: 'House 1', area_id: '1', landmark: '', note: '', remarks: '', list_on: '' }
  const money = { shipping_cost: '', discount: '20', coupon: '', advance_amount: '', advance_method: 'cash', advance_transaction: '' }
  const form = { ...contact, ...money, status: 'placed', reason: '', is_collection: false, products: [line] }
  const { rows: drafts } = await database.query<{ id: string }>(
    `insert into order_drafts (form, phone, created_by, created_at, updated_by, updated_at)
     select $1::jsonb, $2, u.id, now(), u.id, now() from users u where u.phone = $3 returning id`,
    [JSON.stringify(form), phone, MANAGER],
  )
  const en = translate('en')
  const { page, expectProblem } = await admin(SALES, { width: 390 })
  expectProblem(/\/admin\/orders\/store/)
  await go(page, `/admin/orders/create?draft=${drafts[0]!.id}`)
  const price = page.getByLabel(en('admin-orders.price'), { exact: true })
  await expect.poll(() => price.inputValue()).toBe(String(before - 5))
  await page.getByText(en('admin-orders.discount-of-manager')).waitFor()
  await page.getByLabel(en('admin-orders.discount'), { exact: false }).fill('')
  try {
    await database.query('update products set price_poisha = $2 where id = $1', [id, now * 100])
    await page.getByRole('button', { name: en('admin-orders.create'), exact: true }).click()
    await page.getByText(en('admin-orders.price-not-yours', { amount: `৳${now}` })).waitFor()
    expect(await price.inputValue()).toBe(String(now))
    expect(await complaints(page)).toEqual([])
    await page.getByRole('button', { name: en('admin-orders.create'), exact: true }).click()
    await page.waitForURL(/\/admin\/orders$/)
    const { rows: placed } = await database.query('select subtotal_poisha::int as goods from orders where phone = $1', [phone])
    expect(placed).toEqual([{ goods: now * 100 * size }])
  } finally {
    await database.query('update products set price_poisha = $2 where id = $1', [id, before * 100])
  }
})
