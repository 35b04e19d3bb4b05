import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { DEMO_PASSWORD } from '#db/demo/people.ts'
import { move, orderAt } from '#features/orders/testing/delivered-order.ts'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { translate } from '#lib/i18n/translate.ts'
import { openDb } from '#lib/db/db.server.ts'
import { buildProduct } from '#test/factories.ts'
import { Visitor } from '#test/visitor.ts'
import { complaints } from './axe.ts'
import { admin, database, shop, useDemoShop } from './demo-shop.ts'
import { go } from './sign-in.ts'

useDemoShop()

// Staff return a part of an order, keep a fee and write off, on a phone in Bengali.

const MANAGER = '01711000002'
let manager: Visitor
const NAMES = { en: 'Langra mango', bn: 'ল্যাংড়া আম' }
let productId = 0
let areaId = 0

beforeAll(async () => {
  manager = new Visitor(shop.url)
  await manager.signIn(MANAGER, DEMO_PASSWORD)
  const opened = openDb(shop.databaseUrl)
  const made = { unit: 'kg', price_poisha: 12_000, stock_milli: 500_000, name_en: NAMES.en, name_bn: NAMES.bn } as const
  productId = (await buildProduct(opened.db, made)).id
  await opened.close()
  const areas = await database.query('select id from areas where active order by id limit 1')
  areaId = areas.rows[0].id
})

/** An order of 10 kg for 1,280 taka. */
async function order(paid: number, status: string) {
  const id = await orderAt(manager, { areaId, lines: [[productId, 10]], paid, status, more: { shipping_cost: 80 } })
  if (status === 'processing') await move(manager, id, 'cancelled')
  return id
}

async function check(page: Page, name: string) {
  expect(await complaints(page), name).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name).toBe(true)
}

const lang = 'bn'
const width = 390
const t = translate(lang)
const taka = (amount: number) => formatTaka(takaToPoisha(amount), lang)
const due = (page: Page) => page.locator('[data-due]').textContent()

test('5 of 10 kg come back, and their refund is paid', async () => {
  const id = await order(1280, 'delivered')
  const { page } = await admin(MANAGER, { lang, width })
  await go(page, `/admin/orders/update/${id}`)
  await page.getByRole('button', { name: t('admin-orders.more') }).click()
  await page.getByRole('button', { name: t('returns.open') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: t('returns.do') }).click()
  await dialog.getByText(t('returns.nothing')).waitFor()
  const name = NAMES[lang]
  await dialog.getByLabel(t('returns.quantity-of', { name })).fill('11')
  await dialog.getByText(/10|১০/).last().waitFor()
  await dialog.getByLabel(t('returns.quantity-of', { name })).fill('৫')
  await dialog.getByLabel(t('returns.to-of', { name })).selectOption('damaged')
  await dialog.getByLabel(t('admin-orders.reason')).fill('Not ripe')
  expect(await dialog.locator('[data-return-value]').textContent()).toBe(taka(600))
  expect(await dialog.locator('[data-return-due]').textContent()).toBe(taka(600))
  await check(page, `return-${lang}`)
  await dialog.getByRole('button', { name: t('returns.do') }).click()
  await page.locator('[data-returned]').waitFor()
  expect(await due(page)).toBe(taka(600))
  await check(page, `returned-${lang}`)

  await page.getByRole('button', { name: t('admin-orders.record-refund') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('admin-orders.record-refund') })
    .click()
  await expect.poll(() => due(page)).toBe(taka(0))
  for (const print of [`invoice/${id}`, `../quick-orders/pos-invoice/${id}?from=order`]) {
    await go(page, `/admin/orders/${print}`)
    await page
      .getByText(t('invoice.returned', { quantity: '৫ কেজি' }))
      .first()
      .waitFor()
  }
})

test('a cancelled order keeps a fee, a delivered one is written off and undone', async () => {
  const id = await order(1280, 'processing')
  const { page } = await admin(MANAGER, { lang, width })
  await go(page, `/admin/orders/update/${id}`)
  expect(await due(page)).toBe(taka(1280))
  const fill = async (open: string, amount: string | null, action: string) => {
    await page.getByRole('button', { name: open }).click()
    const dialog = page.getByRole('dialog')
    if (amount !== null) await dialog.getByLabel(t('admin-orders.amount')).fill(amount)
    await dialog.getByRole('button', { name: action }).click()
    await dialog.getByText(t('admin-orders.reason-required')).waitFor()
    await dialog.getByLabel(t('admin-orders.reason')).fill('Transport')
    await check(page, `${open.replaceAll(' ', '-')}-${lang}`)
    await dialog.getByRole('button', { name: action }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await fill(t('adjustments.fee'), '100', t('adjustments.fee'))
  expect(await due(page)).toBe(taka(1180))
  await page.locator('#details').getByText(t('admin-orders.event.fee-kept')).waitFor()

  const unpaid = await order(1250, 'delivered')
  await go(page, `/admin/orders/update/${unpaid}`)
  await fill(t('adjustments.write_off'), null, t('adjustments.write_off'))
  expect(await due(page)).toBe(taka(0))
  await go(page, '/admin/payments/days')
  await page.getByRole('heading', { name: t('money.adjustments') }).waitFor()
  await check(page, `days-${lang}`)
  await page
    .getByRole('link', { name: new RegExp(t('ledger.write_off')) })
    .first()
    .click()
  await page.getByText(t('money.channel.books')).first().waitFor()
  await go(page, '/admin/reports')
  await page.getByText(t('reports.total.fees_poisha')).waitFor()

  await go(page, `/admin/orders/update/${unpaid}`)
  await fill(t('adjustments.reverse-write_off'), null, t('adjustments.reverse-write_off'))
  expect(await due(page)).toBe(taka(30))
})
