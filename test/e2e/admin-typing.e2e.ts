import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { translate } from '#lib/i18n/translate.ts'
import { admin, database, useDemoShop } from './demo-shop.ts'
import { go } from './sign-in.ts'

useDemoShop()

// What is typed in the admin is not lost: by a reload, by another page, by a line that breaks, by another clerk. And all of it goes by keys.

const MANAGER = '01711000002'
const t = translate('en')

async function typing() {
  const opened = await admin(MANAGER)
  // Leaving with something typed asks first; here the answer is always yes.
  opened.page.on('dialog', (dialog) => void dialog.accept())
  return opened
}
const awake = (page: Page) => page.waitForFunction(() => window.pageAwake)
const one = async <Row>(statement: string, values: unknown[] = []): Promise<Row> => (await database.query(statement, values)).rows[0] as Row
const someCustomer = () => one<{ id: number; name: string }>("select id::int, name from users where role = 'customer' order by id limit 1")
const nameOf = async (id: number) => (await one<{ name: string }>('select name from users where id = $1', [id])).name
const nameField = (page: Page) => page.getByLabel(t('admin-orders.name'), { exact: true })
/** Another one at a second try: what was saved before is no change. */
const mark = () => String(Date.now()).slice(-8)
const save = (page: Page) => page.getByRole('button', { name: t('admin.save'), exact: true }).click()

test('what was typed is there again after a reload, and after another page; put away it is gone', async () => {
  const { page } = await typing()
  const { id, name } = await someCustomer()
  await go(page, `/admin/customers/${id}/edit`)
  await nameField(page).fill('Typed and not saved')
  await page.reload()
  await awake(page)
  await page.getByText(t('admin.restored')).waitFor()
  expect(await nameField(page).inputValue()).toBe('Typed and not saved')
  await go(page, '/admin/orders')
  await go(page, `/admin/customers/${id}/edit`)
  await page.getByText(t('admin.restored')).waitFor()
  expect(await nameField(page).inputValue()).toBe('Typed and not saved')
  await page.getByRole('button', { name: t('admin.discard') }).click()
  expect(await nameField(page).inputValue()).toBe(name)
  await page.reload()
  await awake(page)
  expect(await page.getByText(t('admin.restored')).count()).toBe(0)
  expect(await nameOf(id)).toBe(name)
})

test('a line that breaks while saving keeps what was typed, and saves it once when it is back', async () => {
  const { page, context, expectProblem } = await typing()
  expectProblem(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to load/)
  const { id } = await someCustomer()
  const name = `Saved when the line was back ${mark()}`
  await go(page, `/admin/customers/${id}/edit`)
  await nameField(page).fill(name)
  await context.setOffline(true)
  await save(page)
  await page.getByRole('alert').getByText(t('admin.offline')).waitFor()
  expect(await nameField(page).inputValue()).toBe(name)
  await context.setOffline(false)
  await save(page)
  await page.waitForURL(`**/admin/customers/${id}`)
  expect(await nameOf(id)).toBe(name)
  const log = await one<{ n: number }>(
    `select count(*)::int as n from audit_log where subject = 'customer' and action = 'changed' and subject_id = $1
      and after ->> 'name' = $2`,
    [String(id), name],
  )
  expect(log.n).toBe(1)
})

test('an answer that is lost on its way: pressed again, or after a reload, a new order is one order', async () => {
  const { page, expectProblem } = await typing()
  expectProblem(/ERR_FAILED|Failed to load/)
  const phone = `017${mark()}`
  await go(page, '/admin/orders/create')
  await page.getByLabel(t('admin-orders.phone'), { exact: true }).fill(phone)
  await nameField(page).fill('Rahima Khatun')
  await page.getByLabel(t('admin-orders.address'), { exact: true }).fill('House 5, Road 3')
  await page.getByLabel(t('admin-orders.area'), { exact: true }).selectOption({ index: 1 })
  const field = page.getByRole('combobox', { name: t('admin-orders.product') }).first()
  // Mangoes have their season; a product of today is in stock in every month.
  const { name } = await one<{ name: string }>(
    `select name_en as name from products where not is_unique and status = 'in-stock' and visible
      and (stock_milli is null or stock_milli >= 100000) order by id limit 1`,
  )
  await field.fill(name)
  await page.locator('[role=option]').first().waitFor()
  await field.press('ArrowDown')
  await field.press('Enter')
  await expect.poll(() => page.getByLabel(t('admin-orders.price'), { exact: true }).first().inputValue()).not.toBe('')
  // The server writes it; what it says never comes.
  let lost = 0
  await page.route('**/admin/orders/store', async (route) => {
    await route.fetch()
    lost += 1
    await route.abort('failed')
  })
  await page.getByRole('button', { name: t('admin-orders.create'), exact: true }).click()
  await page.getByText(t('admin.offline')).first().waitFor()
  await page.getByText(t('admin-orders.create-failed')).waitFor()
  expect(lost).toBe(1)
  await page.getByRole('button', { name: t('admin-orders.create'), exact: true }).click()
  await expect.poll(() => lost).toBe(2)
  await page.unroute('**/admin/orders/store')
  await page.reload()
  await awake(page)
  await page.getByText(t('admin.restored')).waitFor()
  await page.getByRole('button', { name: t('admin-orders.create'), exact: true }).click()
  await page.waitForURL('**/admin/orders')
  expect((await one<{ n: number }>('select count(*)::int as n from orders where phone = $1', [phone])).n).toBe(1)
})

test('two clerks at once with a customer: the second is told, and nothing of the first is written over', async () => {
  const [first, second] = [await typing(), await typing()]
  second.expectProblem(/409/)
  const { id } = await someCustomer()
  const name = `The first ${mark()}`
  for (const { page } of [first, second]) await go(page, `/admin/customers/${id}/edit`)
  await nameField(first.page).fill(name)
  await save(first.page)
  await first.page.waitForURL(`**/admin/customers/${id}`)
  await nameField(second.page).fill('The second')
  await save(second.page)
  await second.page.getByRole('alert').getByText(t('admin.stale')).waitFor()
  expect(await nameField(second.page).inputValue()).toBe('The second')
  expect(await nameOf(id)).toBe(name)
})

test('by keys alone: the palette, the list, an order, its status, saved', async () => {
  const { page } = await typing()
  await go(page, '/admin')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').waitFor()
  await page.keyboard.type(t('admin.nav.orders'))
  await page
    .getByRole('option', { name: t('admin.nav.orders') })
    .first()
    .waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/orders')
  await awake(page)
  await page.keyboard.press('j')
  await page.locator('tr[data-at]').waitFor()
  await page.keyboard.press('j')
  await expect.poll(() => page.locator('tr[data-at]').evaluate((row: HTMLTableRowElement) => row.sectionRowIndex)).toBe(1)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/orders/update/*')
  await awake(page)
  const id = Number(page.url().split('/').at(-1))
  const edit = page.locator('#edit-details')
  const isFocused = () => edit.evaluate((button) => button === document.activeElement)
  for (let tabs = 0; tabs < 60 && !(await isFocused()); tabs += 1) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  // The first field has the focus.
  await expect.poll(() => nameField(page).evaluate((field) => field === document.activeElement)).toBe(true)
  const name = `By keys ${mark()}`
  await page.keyboard.press('Control+a')
  await page.keyboard.type(name)
  await page.keyboard.press('Control+s')
  await expect.poll(async () => (await one<{ name: string }>('select name from orders where id = $1', [id])).name).toBe(name)
  await page.getByText(t('admin-orders.saved')).waitFor()
  await expect.poll(isFocused).toBe(true)
})
