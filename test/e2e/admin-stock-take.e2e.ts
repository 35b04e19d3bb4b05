import { expect, test } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { translate } from '#lib/i18n/translate.ts'
import { complaints } from './axe.ts'
import { admin, database, useDemoShop } from './demo-shop.ts'
import { plugScanner } from './scanner.ts'
import { go } from './sign-in.ts'

useDemoShop()

// A manager counts the stock on a sheet: by typing and with a scanner, on a phone in Bengali. A second person counts the same product.

const MANAGER = '01711000002'
const OWNER = '01711000001'
const lang = 'bn'
const t = translate(lang)

const row = async <Row extends object>(text: string) => (await database.query<Row>(text)).rows[0]!
const stockOf = async (id: number) =>
  (await row<{ left: number }>(`select stock_milli::float8 / 1000 as left from products where id = ${id}`)).left

test('a stock take of two people', { timeout: 180_000 }, async () => {
  const digits = (text: string) => localizeDigits(lang, text)
  const code = '8941100509991'
  const { id, name } = await row<{ id: number; name: string }>(
    `update products set stock_milli = 10000, status = 'in-stock', unit = 'piece', sizes_milli = '{}', barcode = '${code}' where id =
      (select id from products where not is_unique and visible order by id limit 1) returning id, name_${lang} as name`,
  )
  const animal = await row<{ id: number; name: string }>(
    `select id, name_${lang} as name from products where is_unique and visible and status = 'in-stock' order by id limit 1`,
  )
  const { page, expectProblem } = await admin(MANAGER, { lang, width: 390 })
  // The count of another person, and closing with a line that cannot be applied, are refused.
  expectProblem(/\/stock-takes\/\d+\/(count|close)/)

  await go(page, '/admin/stock-takes')
  expect(await complaints(page)).toEqual([])
  await page.getByRole('button', { name: t('stock-take.start') }).click()
  await page.waitForURL(/\/admin\/stock-takes\/\d+$/)
  await page.waitForFunction(() => window.pageAwake)
  const sheet = new URL(page.url()).pathname
  expect(await complaints(page)).toEqual([])

  const line = page.getByRole('listitem').filter({ hasText: name }).first()
  const counted = line.getByLabel(t('stock-take.counted-of', { name }))
  await page.locator('#pos-search').fill(code)
  await page.locator('#pos-search').press('Enter')
  await expect.poll(() => counted.inputValue()).toBe(digits('1'))
  const scan = await plugScanner(page)
  await page.waitForTimeout(600)
  await scan(code)
  await expect.poll(() => counted.inputValue()).toBe(digits('2'))
  // A scan while a quantity has the focus is undone there.
  await counted.focus()
  await page.waitForTimeout(600)
  await scan(code)
  await expect.poll(() => counted.inputValue()).toBe(digits('3'))

  // Someone at another device counts nine while seven is typed here.
  const other = await admin(OWNER, { lang: 'en' })
  await go(other.page, sheet)
  const { name: english } = await row<{ name: string }>(`select name_en as name from products where id = ${id}`)
  const theirs = other.page.getByLabel(`Counted quantity of ${english}`)
  await counted.fill(digits('7'))
  await theirs.fill('9')
  await theirs.press('Enter')
  await other.page.getByText('Saving').waitFor({ state: 'detached' })
  await counted.press('Enter')
  await line.getByRole('button', { name: t('stock-take.save-mine', { count: digits('7') }) }).click()
  await line.getByText(digits('−3')).first().waitFor()
  await line.getByLabel(t('stock-take.reason-of', { name })).selectOption('spoiled')
  // The buttons are disabled while the reason is saved, and change their colours.
  await expect.poll(() => line.getByLabel(t('stock-take.reason-of', { name })).inputValue()).toBe('spoiled')
  await page.waitForTimeout(500)
  expect(await complaints(page)).toEqual([])

  await go(page, `${sheet}?list=open`)
  const beast = page.getByRole('listitem').filter({ hasText: animal.name }).first()
  await beast
    .getByRole('button', { name: t('stock-take.absent') })
    .first()
    .click()
  await beast.getByLabel(t('stock-take.reason-of', { name: animal.name })).waitFor()
  expect(await complaints(page)).toEqual([])

  // Nine are sold meanwhile: three cannot be missing of one.
  await database.query(`update products set stock_milli = 1000 where id = ${id}`)
  await go(page, `${sheet}?list=different`)
  await page.getByRole('button', { name: t('stock-take.close'), exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('stock-take.close'), exact: true })
    .click()
  await page.getByRole('heading', { name: t('stock-take.lines-problem') }).waitFor()
  expect(await complaints(page)).toEqual([])
  expect(await stockOf(id)).toBe(1)
  // Another quantity does not belong to the stock of the first count.
  await counted.fill(digits('9'))
  await counted.press('Enter')
  await line.getByText(t('stock-take.stock-moved')).waitFor()
  await line.getByRole('button', { name: t('stock-take.remove-of', { name }) }).click()
  await line.getByText(t('stock-take.not-yet')).waitFor()
  await counted.fill(digits('0'))
  await counted.press('Enter')
  await line.getByText(digits('−1')).first().waitFor()
  await expect.poll(() => page.getByRole('button', { name: t('stock-take.close'), exact: true }).isEnabled()).toBe(true)
  // The summary follows the count.
  await page.waitForTimeout(500)
  await page.getByRole('button', { name: t('stock-take.close'), exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('stock-take.close'), exact: true })
    .click()
  await page.getByText(t('stock-take.state.closed'), { exact: true }).waitFor()
  expect(await stockOf(id)).toBe(0)
  expect(await row(`select status from products where id = ${animal.id}`)).toEqual({ status: 'out-of-stock' })
  expect(await complaints(page)).toEqual([])

  await go(page, `/admin/products/${id}`)
  await page.getByRole('link', { name: t('stock-take.title', { id: digits(sheet.split('/').at(-1)!) }) }).waitFor()
  await database.query(`update stock_take_lines set expected_milli = 0, counted_milli = 1000, reason = 'found'
    where take_id = ${sheet.split('/').at(-1)} and product_id = ${id}`)
  await go(page, `${sheet}/print`)
  await page.getByText(name).first().waitFor()
  await page.getByText(digits('+1'), { exact: true }).waitFor({ timeout: 5000 })
})

test.each(['en', 'bn'] as const)('a booked animal that is absent stays with its order, in %s', { timeout: 120_000 }, async (lang) => {
  const t = translate(lang)
  const { tag, order } = await row<{ tag: string; order: number }>(
    `select p.tag_number as tag, o.id::int as order from animal_holds h join products p on p.id = h.product_id join orders o on o.id = h.order_id
      where p.status = 'hold' and o.status in ('placed', 'processing') order by p.id limit 1`,
  )
  const { page, expectProblem } = await admin(MANAGER, { lang, width: 390 })
  expectProblem(/\/stock-takes\/\d+\/close/)
  await go(page, '/admin/stock-takes')
  await page.getByRole('button', { name: t('stock-take.start') }).click()
  await page.waitForURL(/\/admin\/stock-takes\/\d+$/)
  await go(page, `${new URL(page.url()).pathname}?list=open&q=${encodeURIComponent(tag)}`)
  const line = page.getByRole('listitem').filter({ hasText: tag }).first()
  await line.getByText(t('stock-take.not-yet')).waitFor()
  await line.getByRole('button', { name: t('stock-take.absent') }).click()
  await line.getByText(localizeDigits(lang, '−1'), { exact: true }).waitFor()
  await page.getByRole('button', { name: t('stock-take.close'), exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('stock-take.close'), exact: true })
    .click()
  const problem = page.getByRole('region', { name: t('stock-take.lines-problem') })
  await problem.getByText(t('stock-take.ordered')).waitFor()
  const link = problem.getByRole('link', { name: localizeDigits(lang, String(order)) })
  expect(await link.getAttribute('href')).toBe(`/admin/orders/update/${order}`)
  expect(await complaints(page)).toEqual([])
  // It is there after all.
  await problem.getByRole('button', { name: t('stock-take.present') }).click()
  await problem.getByText(t('stock-take.agrees')).waitFor()
})
