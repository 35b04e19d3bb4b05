import { expect, test } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { formatNumber, localizeDigits } from '#lib/format/numbers.ts'
import { translate } from '#lib/i18n/translate.ts'
import { complaints } from './axe.ts'
import { admin, useDemoShop } from './demo-shop.ts'
import { go } from './sign-in.ts'

useDemoShop()

// A clerk tags selected orders, finds them by the tag, and removes it from one of them.

const SALES = '01711000003'
const lang = 'bn'
const t = translate(lang)

test('tags of orders, on a phone in Bengali', { timeout: 180_000 }, async () => {
  const tag = 'ঈদের আগে'
  const { page } = await admin(SALES, { lang, width: 390 })
  await go(page, '/admin/orders')
  const rows = page.locator('tbody tr')
  for (const at of [0, 1]) await rows.nth(at).getByRole('checkbox').check()
  await page.getByRole('button', { name: t('admin-orders.tags'), exact: true }).click()
  const dialog = page.getByRole('dialog', { name: t('admin-orders.tags-of', { count: formatNumber(2, lang) }) })
  await dialog.getByRole('combobox', { name: t('admin-orders.tag'), exact: true }).fill(tag)
  expect(await complaints(page)).toEqual([])
  await dialog.getByRole('button', { name: t('admin.save') }).click()
  await expect.poll(() => rows.filter({ hasText: tag }).count()).toBe(2)

  await go(page, `/admin/orders?tag=${encodeURIComponent(tag)}`)
  expect(await rows.count()).toBe(2)
  await page.getByRole('link', { name: t('admin-orders.tag-is', { tag }) }).waitFor()
  expect(await complaints(page)).toEqual([])
  await rows.first().locator('td.lead a').click()
  await page.waitForURL(/\/update\/\d+/)
  await page.waitForFunction(() => window.pageAwake)
  const number = new URL(page.url()).pathname.split('/').at(-1)!
  await page.getByRole('combobox', { name: t('admin-orders.tag'), exact: true }).fill('Gift')
  await page.getByRole('button', { name: t('admin-orders.tag-add') }).click()
  await page.getByRole('link', { name: 'gift', exact: true }).waitFor()
  await page.getByRole('button', { name: t('admin-orders.tag-remove', { tag }) }).click()
  await page.getByRole('link', { name: tag, exact: true }).waitFor({ state: 'detached' })
  expect(await complaints(page)).toEqual([])
  await go(page, '/admin/orders?tag=gift')
  await rows
    .filter({ hasText: localizeDigits(lang, number) })
    .first()
    .waitFor()
})
