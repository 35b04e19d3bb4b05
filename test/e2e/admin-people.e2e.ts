import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import '#messages/en-account.ts'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { DEMO_PASSWORD } from '#db/demo/people.ts'
import { can, PERMISSION_NAMES, STAFF_ROLES } from '#features/auth/permissions.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { translate } from '#lib/i18n/translate.ts'
import { complaints } from './axe.ts'
import { admin, database, useDemoShop } from './demo-shop.ts'
import { newPhone } from './new-phone.ts'

useDemoShop()

// Customers and staff: totals by customer, merging two accounts, another role for a user who is signed in.

const [OWNER, SALES, WEIGHER] = ['01711000001', '01711000003', '01711000005']
const FARHANA = '01811000001'
const t = translate('en')

const idOf = async (phone: string): Promise<number> =>
  (await database.query<{ id: string }>('select id from users where phone = $1', [phone])).rows.map(({ id }) => Number(id))[0] ?? 0

test('the leaderboard: completes its address, sorts by reloading, leads to the orders, and comes as a file', async () => {
  const { page } = await admin(SALES)
  await page.goto('/admin/leaderboard')
  const address = new URL(page.url()).searchParams
  expect([address.get('sort_column'), address.get('sort_order')]).toEqual(['total_spent', 'desc'])
  await page.getByLabel(t('admin.from'), { exact: true }).fill('2020-01-01')
  await page.getByRole('button', { name: t('admin.filters.apply') }).click()
  await page.waitForURL(/start_date=2020-01-01/)
  const spent = () =>
    page
      .locator('#leaderboard')
      .evaluate((element) =>
        (JSON.parse((element as HTMLElement).dataset.leaderboard ?? '[]') as { total_spent: number }[]).map((row) => row.total_spent),
      )
  const falling = await spent()
  expect(falling.length).toBeGreaterThan(2)
  expect(falling).toEqual([...falling].sort((a, b) => b - a))
  await page
    .getByRole('columnheader', { name: t('leaderboard.spent') })
    .getByRole('link')
    .click()
  await page.waitForURL(/sort_order=asc/)
  expect(await spent()).toEqual([...falling].reverse())
  await page
    .getByRole('columnheader', { name: t('leaderboard.orders') })
    .getByRole('link')
    .click()
  await page.waitForURL(/sort_column=orders_count&sort_order=asc/)

  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: t('admin.csv') }).click()])
  const file = await readFile(await download.path(), 'utf8')
  expect(file.startsWith('\ufeff"User Id","Name"')).toBe(true)
  expect(file.trim().split('\r\n')).toHaveLength(falling.length + 1)
  expect(file).toContain('মোহাম্মদ সেলিম')

  await page.getByRole('link', { name: /Farhana/ }).click()
  await page.waitForURL(/\/admin\/orders\?status=delivered&user_id=\d+$/)
})

test('two phones of one person: the preview, the question, one customer afterwards', async () => {
  const { page } = await admin(SALES)
  const [target, phone] = [await idOf(FARHANA), newPhone()]
  await database.query("insert into users (name, phone) values ('Rokeya Begum', $1)", [phone])
  const other = await idOf(phone)
  await database.query('update orders set customer_id = $1 where id = (select min(id) from orders where customer_id = $2)', [other, target])
  const { rows } = await database.query<{ orders: number }>('select count(*)::int as orders from orders where customer_id in ($1, $2)', [
    target,
    other,
  ])
  await page.goto('/admin/customers')
  await page.getByRole('searchbox').fill('+880 1811-000001')
  await page.getByRole('searchbox').press('Enter')
  await page.getByRole('link', { name: 'Farhana Rahman' }).click()
  await page.getByLabel(t('customers.note')).fill('Has a second phone')
  await page.getByRole('button', { name: t('customers.note-add') }).click()
  await page.getByText(t('customers.noted')).waitFor()
  await page.getByRole('link', { name: t('customers.merge') }).click()
  await page.getByLabel(t('customers.merge-with')).fill(localizeDigits('bn', phone))
  await page.getByRole('button', { name: t('customers.merge-find') }).click()
  await page.getByText(t('customers.merge-forever')).first().waitFor()
  await page.getByRole('button', { name: t('customers.merge-go'), exact: true }).click()
  const question = page.getByRole('dialog')
  await question.getByText(/Merge Rokeya Begum .* into Farhana Rahman/).waitFor()
  expect(await complaints(page)).toEqual([])
  await question.getByRole('button', { name: t('customers.merge-go') }).click()
  await page.waitForURL(`**/admin/customers/${target}`)
  await page.getByText(phone).first().waitFor()
  const after = await database.query<{ orders: number }>('select count(*)::int as orders from orders where customer_id = $1', [target])
  expect(after.rows[0]?.orders).toBe(rows[0]?.orders)
})

test('another role ends a session; a new password is shown once', async () => {
  await database.query("update users set role = 'weigher' where phone = $1", [WEIGHER])
  const [{ page }, weigher] = [await admin(OWNER), await admin(WEIGHER)]
  await weigher.page.goto('/admin/weigh-ins')
  await weigher.page.getByRole('heading', { level: 1 }).waitFor()
  await page.goto('/admin/staff')
  const role = page.getByLabel(t('staff.role-of', { name: 'Jamal Uddin' }))
  await role.selectOption('cashier')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('admin.cancel') })
    .click()
  await expect.poll(() => role.inputValue()).toBe('weigher')
  await role.selectOption('cashier')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('admin.role.cashier') })
    .click()
  await page.getByText(t('staff.role-changed', { name: 'Jamal Uddin', role: t('admin.role.cashier') })).waitFor()
  await weigher.page.goto('/admin/weigh-ins')
  expect(new URL(weigher.page.url()).pathname).toBe('/login')

  await page.getByRole('button', { name: t('staff.add') }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel(t('staff.name')).fill('নতুন কর্মী')
  await form.getByLabel(t('staff.phone')).fill(newPhone())
  await form.getByRole('button', { name: t('staff.add') }).click()
  await page.getByText(/^([0-9A-Z]{4}-){3}[0-9A-Z]{4}$/).waitFor()
  await page.getByRole('button', { name: t('staff.password-done') }).click()
  await page.getByText('নতুন কর্মী').first().waitFor()
  await page.reload()
  expect(await page.getByText(/([0-9A-Z]{4}-){3}[0-9A-Z]{4}/).count()).toBe(0)
})

test('what is chosen before the page wakes is asked about too', async () => {
  const { page, context } = await admin(OWNER)
  let wake = () => {}
  const woken = new Promise<void>((resolve) => (wake = resolve))
  await context.route('**/*.js', (route) => woken.then(() => route.continue()))
  await page.goto('/admin/staff', { waitUntil: 'commit' })
  await page.getByLabel(t('staff.role-of', { name: 'Nusrat Jahan' })).selectOption('sales')
  wake()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('admin.cancel') })
    .click()
})

test('an owner whose password is no longer recent types it before a new member of staff and a payment number, and loses nothing', async () => {
  const { page, expectProblem } = await admin(OWNER, { width: 390 })
  expectProblem(/403/)
  const letProofAge = () =>
    database.query(
      "update sessions set checked_at = now() - interval '11 minutes' where user_id = (select id from users where phone = $1)",
      [OWNER],
    )
  const confirm = async () => {
    await page.getByLabel(t('auth.password'), { exact: true }).fill(DEMO_PASSWORD)
    await page.getByRole('button', { name: t('auth.confirm'), exact: true }).click()
  }
  await page.goto('/admin/staff')
  await letProofAge()
  const phone = newPhone()
  const open = () => page.getByRole('button', { name: t('staff.add') }).click()
  const form = page.getByRole('dialog')
  await open()
  await form.getByLabel(t('staff.name')).fill('Rokeya')
  await form.getByLabel(t('staff.phone')).fill(phone)
  await form.getByRole('button', { name: t('staff.add') }).click()
  await confirm()
  await page.waitForURL('**/admin/staff')
  await open()
  expect(await form.getByLabel(t('staff.phone')).inputValue()).toBe(phone)
  await form.getByRole('button', { name: t('staff.add') }).click()
  await page.getByText(/^([0-9A-Z]{4}-){3}[0-9A-Z]{4}$/).waitFor()

  await page.goto('/admin/settings?part=payments')
  await letProofAge()
  const nagad = page.getByLabel(t('settings.nagad'))
  await nagad.fill('01911222333')
  await page.getByRole('button', { name: t('admin.save') }).click()
  await confirm()
  await page.waitForURL('**/admin/settings?part=payments')
  await expect.poll(() => nagad.inputValue()).toBe('01911222333')
})

test('what each role may do is shown to the owner as the server checks it', async () => {
  const { page } = await admin(OWNER, { width: 390, lang: 'bn' })
  await page.goto('/admin/staff')
  await page.getByText(translate('bn')('permissions.title')).click()
  const shown = await page.locator('tr[data-permission]').evaluateAll((rows) =>
    rows.map((row) => ({
      right: (row as HTMLElement).dataset.permission,
      roles: [...row.querySelectorAll<HTMLElement>('[data-role]')]
        .filter((cell) => cell.querySelector('svg'))
        .map((cell) => cell.dataset.role),
    })),
  )
  expect(shown).toEqual(PERMISSION_NAMES.map((right) => ({ right, roles: STAFF_ROLES.filter((role) => can(role, right)) })))
  expect(await complaints(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('Back after signing out shows nothing of a customer, and Back before it keeps what was typed', async () => {
  const { page, expectProblem } = await admin(SALES)
  const address = `/admin/customers/${await idOf(FARHANA)}`
  await page.goto(`${address}/edit`)
  await page.waitForFunction(() => window.pageAwake)
  const name = page.getByLabel(t('admin-orders.name'), { exact: true })
  await name.fill('Farhana Rahman Chowdhury')
  page.on('dialog', (question) => void question.accept())
  await page.goto(address)
  await page.goBack()
  await expect.poll(() => name.inputValue()).toBe('Farhana Rahman Chowdhury')

  await page.goto(address)
  // The page may be asking for news while its session ends.
  expectProblem(/news: 401|status of 401 .*news/)
  await page.getByRole('button', { name: t('shell.logout') }).click()
  await page.waitForURL('/')
  for (let step = 0; step < 2; step++) {
    await page.goBack()
    await page.waitForURL(/\/login\?next=/)
    expect((await page.content()).includes('Farhana')).toBe(false)
  }
})
