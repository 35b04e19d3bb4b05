import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import type { OrderStatus } from '#features/orders/rules.ts'
import { formatTaka, type Poisha } from '#lib/format/money.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { complaints } from './axe.ts'
import { admin, database, useDemoShop } from './demo-shop.ts'
import { go } from './sign-in.ts'

useDemoShop()

// A phone order with everything that is said on the phone, and the steps of its order afterwards.

const SALES = '01711000003'

async function one<Row>(statement: string, values: unknown[] = []): Promise<Row> {
  return (await database.query(statement, values)).rows[0] as Row
}
const someCustomer = () =>
  one<{ id: number; name: string; phone: string; address: string; area_id: number }>(
    `select u.id::int, u.name, u.phone, o.address, o.area_id::int from users u join orders o on o.customer_id = u.id
      join areas a on a.id = o.area_id and a.active where u.role = 'customer' and u.merged_into is null and u.disabled_at is null
      and o.address <> '' and u.name ~ '^[A-Za-z]{3}' order by o.id desc limit 1`,
  )
const someFruit = () =>
  one<{ id: number; name_en: string }>(
    `select p.id::int, p.name_en from products p join categories c on c.id = p.category_id where not is_unique and visible and status = 'in-stock'
      and p.stock_milli > 90000 and c.delivery_group = 'produce' and p.coupon_applicable order by p.id limit 1`,
  )
let lastId = Date.now()
const transaction = () => `TRX${String((lastId += 1))}`

/** Chooses a customer by name and a product, with an address of an earlier order. */
async function fill(
  page: Page,
  lang: Lang,
  customer: { name: string; phone: string; address: string },
  fruit: { id: number; name_en: string },
) {
  const t = translate(lang)
  const find = page.getByRole('combobox', { name: t('admin-orders.find-customer') })
  await find.fill(customer.name)
  await page.getByRole('option', { name: customer.name }).first().waitFor()
  const wanted = page.locator('[role=option]', { hasText: customer.name })
  const phones = await wanted.count()
  for (let at = 0; at < phones; at += 1) await find.press('ArrowDown')
  await find.press('Enter')
  await expect.poll(() => page.locator('[name=phone]').inputValue()).not.toBe('')
  await page.locator('[name=phone]').fill(customer.phone)
  await expect.poll(() => page.locator('[name=name]').inputValue()).toBe(customer.name)
  await page.getByRole('button', { name: customer.address }).first().click()
  const product = page.getByRole('combobox', { name: t('admin-orders.product') }).first()
  await product.fill(fruit.name_en)
  await page.getByRole('option').first().waitFor()
  await product.press('ArrowDown')
  await product.press('Enter')
  await expect.poll(() => page.getByLabel(t('admin-orders.price'), { exact: true }).first().inputValue()).not.toBe('')
}

test('a phone order with customer by name, day, coupon and advance opens its page, on a phone in Bengali', async () => {
  const [lang, width] = ['bn', 390] as const
  const t = translate(lang)
  const { page } = await admin(SALES, { lang, width })
  const [customer, fruit] = [await someCustomer(), await someFruit()]
  const code = `PHONE${width}`
  await database.query("insert into coupons (code, kind, percent_bp) values ($1, 'percentage', 1000) on conflict do nothing", [code])
  await go(page, '/admin/orders/create')
  await fill(page, lang, customer, fruit)
  const days = page.getByRole('group', { name: t('admin-orders.possible-days') }).getByRole('button')
  await days.nth(1).click()
  const day = await page.locator('[name=list_on]').inputValue()
  expect(day).toMatch(/^\d{4}-\d\d-\d\d$/)
  await page.locator('[name=coupon]').fill(code)
  await page.locator('[name=coupon]').press('Enter')
  const dues = page.locator('[data-new-due]').filter({ visible: true })
  // The summary names the coupon once it is priced.
  await page
    .getByText(`${t('pos.coupon')} ${code}`)
    .filter({ visible: true })
    .first()
    .waitFor()
  await page.locator('[name=advance_amount]').fill('50')
  await page.locator('[name=advance_method]').selectOption('bkash')
  const reference = transaction()
  await page.locator('[name=advance_transaction]').fill(reference)
  const due = await dues.textContent()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  expect(await complaints(page)).toEqual([])
  await page.getByRole('button', { name: t('admin-orders.create-open') }).click()
  await page.waitForURL('**/admin/orders/update/*')
  await page.waitForFunction(() => window.pageAwake)
  const id = Number(page.url().split('/').at(-1))
  const order = await one<{ due: string; list_on: string; uses: number; customer: number }>(
    `select amount_due(o) as due, list_on::text, customer_id::int as customer,
      (select count(*)::int from coupon_uses where order_id = o.id) as uses from orders o where id = $1`,
    [id],
  )
  expect(order).toMatchObject({ list_on: day, uses: 1, customer: customer.id })
  expect(formatTaka(Number(order.due) as Poisha, lang)).toBe(due)
  expect(await page.locator('[data-due]').textContent()).toBe(due)
  expect(
    (await one<{ n: number }>('select count(*)::int as n from ledger_entries where order_id = $1 and reference = $2', [id, reference])).n,
  ).toBe(1)

  // Its steps, each with its question.
  const statusOf = async () => (await one<{ status: OrderStatus }>('select status from orders where id = $1', [id])).status
  await page.locator('[data-step=processing]').click()
  await page.locator('[data-status=processing]').waitFor()
  await page.locator('[data-step=on_delivery]').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(t('admin-orders.paid-so-far', { amount: formatTaka(5000 as Poisha, lang) }), { exact: false }).waitFor()
  expect(await complaints(page)).toEqual([])
  await dialog.getByRole('button', { name: t('admin.cancel'), exact: true }).click()
  expect(await statusOf()).toBe('processing')
  await page.locator('[data-step=on_delivery]').click()
  await dialog.getByRole('button', { name: t('admin-orders.step.on_delivery') }).click()
  await page.locator('[data-status=on_delivery]').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  expect(await complaints(page)).toEqual([])
})

test('Create and next begins an empty form; the same words are then another order', async () => {
  const t = translate('en')
  const { page } = await admin(SALES)
  const [customer, fruit] = [await someCustomer(), await someFruit()]
  const count = async () => (await one<{ n: number }>('select count(*)::int as n from orders where phone = $1', [customer.phone])).n
  const before = await count()
  await go(page, '/admin/orders/create')
  for (const written of [1, 2]) {
    await fill(page, 'en', customer, fruit)
    await page.getByRole('button', { name: t('admin-orders.create-next') }).click()
    await expect.poll(count).toBe(before + written)
    await expect.poll(() => page.locator('[name=phone]').inputValue()).toBe('')
    await expect.poll(() => page.locator('#find-customer').evaluate((field) => field === document.activeElement)).toBe(true)
    expect(await page.locator('[name=address]').inputValue()).toBe('')
  }
})

test('what is typed on an order opens again after a reload, and Cancel asks before it is discarded', async () => {
  const t = translate('en')
  const { page } = await admin(SALES)
  const { id, note } = await one<{ id: number; note: string }>(
    "select id::int, note from orders where status = 'placed' order by id limit 1",
  )
  await go(page, `/admin/orders/update/${id}`)
  await page.locator('#edit-details').click()
  await page.locator('[name=note]').fill('Ring the second bell')
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await page.waitForFunction(() => window.pageAwake)
  await page.getByText(t('admin.restored')).waitFor()
  expect(await page.locator('[name=note]').inputValue()).toBe('Ring the second bell')
  await page.getByRole('button', { name: t('admin.cancel'), exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('admin.discard'), exact: true })
    .click()
  await page.locator('#edit-details').waitFor()
  expect((await one<{ note: string }>('select note from orders where id = $1', [id])).note).toBe(note)
  await page.reload()
  await page.waitForFunction(() => window.pageAwake)
  expect(await page.locator('[name=note]').count()).toBe(0)
})

test('Order again opens a new order with customer and products at prices of today, without money', async () => {
  const t = translate('en')
  const { page } = await admin(SALES)
  const earlier = await one<{ id: number; phone: string; address: string; product: string; price: string }>(
    `select o.id::int, o.phone, o.address, l.name_en as product, (p.price_poisha / 100)::text as price from orders o
      join order_lines l on l.order_id = o.id and l.position = 1 join products p on p.id = l.product_id
      join areas a on a.id = o.area_id and a.active
      where o.phone <> '' and o.address <> '' and not p.is_unique and p.status = 'in-stock' and p.visible and p.discount_kind is null order by o.id limit 1`,
  )
  const paid = async () => (await one<{ n: number }>('select count(*)::int as n from ledger_entries')).n
  const before = await paid()
  await go(page, `/admin/orders/update/${earlier.id}`)
  await page.getByRole('button', { name: t('admin-orders.more'), exact: true }).click()
  await page.getByRole('button', { name: t('admin-orders.order-again') }).click()
  await page.waitForURL(`**/admin/orders/create?from=${earlier.id}`)
  await page.waitForFunction(() => window.pageAwake)
  await expect
    .poll(() =>
      page
        .getByRole('combobox', { name: t('admin-orders.product') })
        .first()
        .inputValue(),
    )
    .toBe(earlier.product)
  expect(await page.getByLabel(t('admin-orders.price'), { exact: true }).first().inputValue()).toBe(String(Number(earlier.price)))
  expect(await page.locator('[name=phone]').inputValue()).toBe(earlier.phone)
  expect(await page.locator('[name=address]').inputValue()).toBe(earlier.address)
  expect(await page.locator('[name=advance_amount]').inputValue()).toBe('')
  await page.getByRole('button', { name: t('admin-orders.create-open') }).click()
  await page.waitForURL((url) => url.pathname !== `/admin/orders/update/${earlier.id}` && url.pathname.startsWith('/admin/orders/update/'))
  expect(await paid()).toBe(before)
  for (const from of ['0', '999999999', '-1', 'x', '%3Cscript%3E']) {
    await go(page, `/admin/orders/create?from=${from}`)
    expect(await page.locator('[name=phone]').inputValue()).toBe('')
  }
})

test('a phone order requires an address unless it is collected, and a reason when it is cancelled or returned', async () => {
  const t = translate('en')
  const { page } = await admin(SALES)
  await go(page, '/admin/orders/create')
  const reason = page.getByLabel(t('admin-orders.reason'), { exact: true })
  expect(await reason.count()).toBe(0)
  for (const status of ['cancelled', 'returned']) {
    await page.locator('[name=status]').selectOption(status)
    expect(await reason.evaluate((field: HTMLInputElement) => field.required)).toBe(true)
  }
  const address = page.locator('[name=address]')
  expect(await address.evaluate((field: HTMLTextAreaElement) => field.required)).toBe(true)
  await page.locator('[name=is_collection]').check()
  expect(await address.count()).toBe(0)
})
