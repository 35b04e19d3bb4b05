import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { translate } from '#lib/i18n/translate.ts'
import { complaints } from './axe.ts'
import { admin, database, useDemoShop } from './demo-shop.ts'
import { newPhone } from './new-phone.ts'
import { go } from './sign-in.ts'

useDemoShop()

// Prices and charges that change while a member of staff enters an order.

const MANAGER = '01711000002'

async function one<Row>(statement: string, values: unknown[] = []): Promise<Row> {
  return (await database.query(statement, values)).rows[0] as Row
}
const someFruit = () =>
  one<{ id: number; name_en: string; name_bn: string; price: number }>(
    `select p.id::int, p.name_en, p.name_bn, price_poisha::int / 100 as price from products p join categories c on c.id = p.category_id
      where not is_unique and visible and status = 'in-stock' and p.stock_milli > 90000 and c.delivery_group = 'produce'
      and discount_kind is null order by p.id limit 1`,
  )
const orderOf = (phone: string) =>
  one<{ price: number; total: number } | undefined>(
    `select l.price_poisha::int / 100 as price, o.total_poisha::int / 100 as total from orders o join order_lines l on l.order_id = o.id
      where o.phone = $1`,
    [phone],
  )

async function fill(page: Page, lang: 'en' | 'bn', phone: string, name: string) {
  const t = translate(lang)
  await go(page, '/admin/orders/create')
  await page.locator('[name=phone]').fill(phone)
  await page.locator('[name=name]').fill('Rahima')
  await page.locator('[name=address]').fill('House 5, Road 3')
  await page.locator('[name=area_id]').selectOption('1')
  const product = page.getByRole('combobox', { name: t('admin-orders.product') }).first()
  await product.fill(name)
  await page.getByRole('option').first().waitFor()
  await product.press('ArrowDown')
  await product.press('Enter')
  await expect.poll(() => page.getByLabel(t('admin-orders.price'), { exact: true }).inputValue()).not.toBe('')
}

test.each([
  ['en', 1280],
  ['bn', 390],
] as const)('a manager is told of a new price and chooses (%s, %i)', async (lang, width) => {
  const t = translate(lang)
  const { page, expectProblem } = await admin(MANAGER, { lang, width })
  expectProblem(/orders\/store: 422|status of 422/)
  const fruit = await someFruit()
  const create = page.getByRole('button', { name: t('admin-orders.create'), exact: true })
  const price = page.getByLabel(t('admin-orders.price'), { exact: true })
  const use = page.getByRole('button', { name: t('admin-orders.take-usual', { price: '' }).trim() })
  for (const takes of [true, false]) {
    const phone = newPhone()
    await fill(page, lang, phone, lang === 'bn' ? fruit.name_bn : fruit.name_en)
    const before = Number((await someFruit()).price)
    await database.query('update products set price_poisha = price_poisha + 1000 where id = $1', [fruit.id])
    await create.click()
    await page.getByText(lang === 'en' ? /^The price is now/ : /^দাম এখন/).waitFor()
    await use.waitFor()
    expect(await price.inputValue()).toBe(String(before))
    expect(await orderOf(phone)).toBeUndefined()
    expect(await complaints(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    if (takes) {
      await use.click()
      await use.waitFor({ state: 'detached' })
    }
    await create.click()
    await expect.poll(async () => (await orderOf(phone))?.price).toBe(takes ? before + 10 : before)
  }
})

test('a charge that rose since the form was opened changes the shown total before the order is created', async () => {
  const t = translate('en')
  const { page, expectProblem } = await admin(MANAGER)
  expectProblem(/orders\/store: 422|status of 422/)
  const [phone, fruit] = [newPhone(), await someFruit()]
  await fill(page, 'en', phone, fruit.name_en)
  const due = page.locator('[data-new-due]').filter({ visible: true })
  const before = await due.textContent()
  await database.query("update area_charges set charge_poisha = charge_poisha + 7000 where delivery_group = 'produce' and area_id = 1")
  const create = page.getByRole('button', { name: t('admin-orders.create'), exact: true })
  await create.click()
  await page.getByText(/^The total is now/).waitFor()
  await expect.poll(() => due.textContent()).not.toBe(before)
  expect(await orderOf(phone)).toBeUndefined()
  const shown = Number((await due.textContent())!.replaceAll(/[^\d.]/g, ''))
  await create.click()
  await expect.poll(async () => (await orderOf(phone))?.total).toBe(shown)
})
