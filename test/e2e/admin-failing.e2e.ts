import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { translate } from '#lib/i18n/translate.ts'
import { admin, database, useDemoShop } from './demo-shop.ts'
import { editSection } from './order-page.ts'
import { sheetsOf } from './sheets.ts'
import { go } from './sign-in.ts'

// The admin with a failing server, a slow or lost connection, and rows at their maximum length.

useDemoShop()

const MANAGER = '01711000002'
const t = translate('en')
const WIDTHS = [390, 1280]
const one = async <Row>(statement: string, values: unknown[] = []): Promise<Row> => (await database.query(statement, values)).rows[0] as Row
const BROKEN = /500|ERR_FAILED|Failed to load/
const someOrder = async () => (await one<{ id: number }>("select id::int from orders where status = 'placed' order by id limit 1")).id
const combobox = (page: Page, at: number) => page.getByRole('combobox', { name: t('admin-orders.product') }).nth(at)
const inSight = (page: Page, text: string) =>
  page
    .getByRole('alert')
    .getByText(text)
    .evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect()
      return top >= 0 && bottom <= innerHeight
    })

test('a server that fails while saving: the word for it stands by the button, in the middle of a long form', async () => {
  const { page, expectProblem } = await admin(MANAGER, { width: 390 })
  expectProblem(BROKEN)
  const id = await someOrder()
  await go(page, `/admin/orders/update/${id}`)
  await editSection(page, 'details')
  const note = page.getByLabel(t('admin-orders.note'), { exact: false }).first()
  await note.fill('Ring twice')
  await page.route('**/admin/orders/update/*', (route) => route.fulfill({ status: 500, contentType: 'text/html', body: '<h1>broken</h1>' }))
  await page.getByRole('button', { name: t('admin.save'), exact: true }).click()
  await page.getByRole('alert').getByText(t('admin.failed')).waitFor()
  expect(await inSight(page, t('admin.failed'))).toBe(true)
  expect(await note.inputValue()).toBe('Ring twice')
  await page.unroute('**/admin/orders/update/*')
  await page.getByRole('button', { name: t('admin.save'), exact: true }).click()
  await page.getByText(t('admin-orders.saved')).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('what a flag asks for is not done, and the reader is told so', async () => {
  const { page, expectProblem } = await admin(MANAGER)
  expectProblem(BROKEN)
  const id = await someOrder()
  await database.query("update orders set needs_attention = 'paid-twice' where id = $1", [id])
  await go(page, `/admin/orders/update/${id}`)
  await page.route('**/admin/orders/attention/*', (route) => route.abort('failed'))
  const done = page.getByRole('button', { name: t('admin-orders.attention-done') })
  await done.click()
  await page.getByText(t('admin.no-answer')).waitFor()
  await page.unroute('**/admin/orders/attention/*')
  await done.click()
  await done.waitFor({ state: 'detached' })
})

test('a product that comes late changes its own line only; a search that fails says so', async () => {
  const { page, expectProblem } = await admin(MANAGER)
  expectProblem(BROKEN)
  await go(page, '/admin/orders/create')
  let answer = () => {}
  const asked = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/api/products/*', async (route) => {
    await asked
    await route.continue()
  })
  await combobox(page, 0).fill('mango')
  await page.locator('[role=option]').first().waitFor()
  await combobox(page, 0).press('Enter')
  await page.getByRole('button', { name: t('admin-orders.add-line') }).click()
  await page.getByLabel(t('admin-orders.quantity'), { exact: true }).nth(1).fill('7')
  answer()
  await expect.poll(() => page.getByLabel(t('admin-orders.price'), { exact: true }).first().inputValue()).not.toBe('')
  expect(await page.getByLabel(t('admin-orders.quantity'), { exact: true }).nth(1).inputValue()).toBe('7')

  await page.route('**/api/product/search*', (route) => route.abort('failed'))
  await combobox(page, 1).fill('honey')
  await page.getByRole('status').getByText(t('admin.find.failed')).waitFor()
  await page.unroute('**/api/product/search*')
  await combobox(page, 1).fill('hone')
  await page.locator('[role=option]').first().waitFor()

  await page.unroute('**/api/products/*')
  await page.route('**/api/products/*', (route) => route.abort('failed'))
  await combobox(page, 1).press('Enter')
  await page.getByText(/^Couldn’t load .*Choose it again/).waitFor()
  expect(await combobox(page, 1).inputValue()).toBe('')

  await page.route('**/api/admin/find*', (route) => route.abort('failed'))
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('0171')
  await page.getByRole('dialog').getByText(t('admin.find.failed')).waitFor()
})

test('nothing is wider than the screen, however full an order is', async () => {
  const long = 'মোহাম্মদ আব্দুল্লাহ আল মামুন চৌধুরী সিরাজগঞ্জওয়ালা '.repeat(5).slice(0, 250).trim()
  const id = await someOrder()
  await database.query(
    'update orders set name = $2::text, address = $2::text, landmark = $2::text, note = $2::text, email = $3 where id = $1',
    [id, long, `${'long.address.'.repeat(12)}@${'sub.'.repeat(15)}example.com`],
  )
  await database.query('update order_lines set name_en = $2::text, name_bn = $2::text where order_id = $1', [id, long])
  const { page } = await admin(MANAGER, { lang: 'bn' })
  for (const path of [`/admin/orders/update/${id}`, '/admin/orders']) {
    await go(page, path)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 844 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${path} at ${width}`).toBeLessThanOrEqual(width)
    }
  }
})

test('sums of twelve digits have room in the list of orders', async () => {
  const id = await someOrder()
  await database.query(
    'update orders set subtotal_poisha = 98765432109800, total_poisha = 98765432109800 + shipping_poisha - discount_poisha where id = $1',
    [id],
  )
  for (const lang of ['en', 'bn'] as const) {
    const { page } = await admin(MANAGER, { lang })
    await go(page, '/admin/orders')
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 844 })
      const wider = await page
        .locator('.admin-table')
        .evaluate((table) => table.getBoundingClientRect().width - table.parentElement!.clientWidth)
      expect(wider, `${lang} at ${width}`).toBeLessThanOrEqual(0)
    }
  }
})

test('a phone has cards without heads, and is sorted all the same', async () => {
  const { page } = await admin(MANAGER, { width: 390 })
  await go(page, '/admin/products')
  await page.getByLabel(t('admin.table.sort-label')).selectOption('price')
  await page.waitForURL('**/admin/products?sort=price&order=*')
  const order = new URL(page.url()).searchParams.get('order')
  await page.getByRole('button', { name: t('admin.table.turn'), exact: false }).click()
  await page.waitForURL(`**/admin/products?sort=price&order=${order === 'asc' ? 'desc' : 'asc'}`)
})

test('filters work on when a page does not come, and after Back', async () => {
  const { page } = await admin(MANAGER)
  await go(page, '/admin/orders')
  await page.route('**/admin/orders?*', (route) => route.fulfill({ status: 204 }))
  const asked = page.waitForRequest('**/admin/orders?due=yes')
  await page.locator('select[name=due]').selectOption('yes')
  await asked
  await expect.poll(() => page.locator('form[role=search] :disabled').count()).toBe(0)
  await page.unroute('**/admin/orders?*')
  await page.getByRole('button', { name: t('admin.filters.more') }).click()
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('source')
  await page.locator('select[name=source]').selectOption('web')
  await page.waitForURL('**/admin/orders?due=yes&source=web')
})

test('a file of products survives a lost connection: previewed and imported at the next press', async () => {
  const { page, expectProblem } = await admin(MANAGER)
  expectProblem(BROKEN)
  await go(page, '/admin/products/import')
  await page.route('**/admin/products/import', (route) => (route.request().method() === 'POST' ? route.abort('failed') : route.continue()))
  const name = `From a file ${Date.now()}`
  const csv = `name_en,name_bn,category,unit,price,status\n${name},ফাইল থেকে,fruits,kg,120,in-stock\n`
  await page.locator('input[type=file]').setInputFiles({ name: 'new.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await page.getByRole('alert').getByText(t('admin.no-answer')).waitFor()
  await page.unroute('**/admin/products/import')
  await page.getByRole('button', { name: t('admin.again') }).click()
  const write = page.getByRole('button', { name: t('products.import-do', { count: 1 }) })
  await write.waitFor()
  await page.route('**/admin/products/import', (route) => route.abort('failed'))
  await write.click()
  await page.getByRole('alert').getByText(t('admin.no-answer')).waitFor()
  await page.unroute('**/admin/products/import')
  await write.click()
  await page.getByText(t('products.import-done', { count: 1 })).waitFor()
  expect(await one('select count(*)::int as n from products where name_en = $1', [name])).toEqual({ n: 1 })
})

test('what is new is made once, also when its answer was lost', async () => {
  const { page, expectProblem } = await admin(MANAGER)
  expectProblem(BROKEN)
  await go(page, '/admin/areas/create')
  const name = `Lost ${Date.now()}`
  await page.getByLabel(t('areas.name-en')).fill(name)
  await page.getByLabel(t('areas.name-bn')).fill('হারানো')
  await page.route('**/admin/areas/store', async (route) => {
    await route.fetch()
    await route.abort('failed')
  })
  const save = page.getByRole('button', { name: t('admin.save'), exact: true })
  await save.click()
  await page.getByRole('alert').getByText(t('admin.offline')).waitFor()
  await page.unroute('**/admin/areas/store')
  expect(await one('select count(*)::int as n from areas where name_en = $1', [name])).toEqual({ n: 1 })
  await save.click()
  await page.waitForURL('**/admin/areas')
  expect(await one('select count(*)::int as n from areas where name_en = $1', [name])).toEqual({ n: 1 })
})

test('an invoice of many lines: no sheet is signed that does not say for what, and each says whose it is', async () => {
  const { page } = await admin(MANAGER)
  const { id } = await one<{ id: number }>('select id::int from orders where length(address) < 100 order by id desc limit 1')
  for (const count of [1, 8, 14, 20, 26, 50]) {
    await database.query('delete from order_lines where order_id = $1', [id])
    await database.query(
      `insert into order_lines (order_id, position, product_id, name_en, name_bn, unit, quantity_milli, base_price_poisha, price_poisha, line_total_poisha)
       select $1, row_number() over (order by id) - 1, id, name_en, name_bn, unit, 1000, 20000, 20000, 20000 from products order by id limit $2`,
      [id, count],
    )
    await go(page, `/admin/orders/single_invoice/${id}`)
    const sheets = await sheetsOf(page, {
      line: '[data-invoice] tbody td:first-child:not([colspan]) > span:first-child',
      head: '[data-invoice] thead th:first-child',
      total: '[data-invoice] footer p',
    })
    const last = sheets.at(-1) ?? []
    expect(sheets.flat().filter((name) => name.startsWith('line-'))).toHaveLength(count)
    expect(last.filter((name) => name.startsWith('line-')).length, `${count} lines`).toBeGreaterThanOrEqual(Math.min(3, count))
    expect(last).toContain('total-1')
    for (const sheet of sheets) expect(sheet, `${count} lines`).toContain('head-1')
  }
})

test('a file of products that a spreadsheet saved as Unicode text, UTF-16 without a mark, is read', async () => {
  const { page } = await admin(MANAGER)
  await go(page, '/admin/products/import')
  const text = 'name_en\tname_bn\tcategory\tunit\tprice\tstatus\nWide litchi\tচওড়া লিচু\tfruits\tkg\t120\tin-stock\n'
  const buffer = Buffer.from(text, 'utf16le')
  await page.locator('input[type=file]').setInputFiles({ name: 'new.txt', mimeType: 'text/plain', buffer })
  await page.getByRole('button', { name: t('products.import-do', { count: 1 }) }).waitFor({ timeout: 30_000 })
})
