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
