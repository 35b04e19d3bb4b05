import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { addDays, dhakaDate, formatFullDay } from '#lib/format/time.ts'
import { translate } from '#lib/i18n/translate.ts'
import { complaints } from './axe.ts'
import { admin, database, useDemoShop } from './demo-shop.ts'
import { go } from './sign-in.ts'

useDemoShop()

// A manager uploads a statement, matches what is left, and closes the day, on a phone in Bengali.

const MANAGER = '01711000002'
const lang = 'bn'
const t = translate(lang)
const DAY = addDays(dhakaDate(new Date()), -2)

/** An entry of the ledger at noon of the day. Amounts are taka. */
async function pay(amount: number, reference: string | null): Promise<void> {
  await database.query(
    `insert into ledger_entries (order_id, kind, method, amount_poisha, reference, at)
      values ((select min(id) from orders where status = 'processing'), 'advance', 'rocket', $1, $2, $3)`,
    [amount * 100, reference, `${DAY}T12:00:00+06:00`],
  )
}

/** UTF-16 with a byte order mark, as spreadsheet programs save it. */
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')

const awake = (page: Page) => page.waitForFunction(() => window.pageAwake)

/** Runs what loads the page again, and waits for the new one. */
async function reloaded(page: Page, act: () => Promise<void>): Promise<void> {
  await page.evaluate(() => document.documentElement.setAttribute('data-before', ''))
  await act()
  await page.waitForFunction(() => !document.documentElement.hasAttribute('data-before') && window.pageAwake)
}

test('a statement is matched and its day closed', { timeout: 120_000 }, async () => {
  const run = String(Date.now() % 1_000_000_000)
  const ids = [`RKT${run}A`, `RKT${run}B`]
  // Entries of another run would be open in this one.
  await database.query("delete from ledger_entries where method = 'rocket'")
  await pay(1000, ids[0]!)
  await pay(1250, null)
  await pay(970, null)

  const { page, expectProblem } = await admin(MANAGER, { lang, width: 390 })
  // A match without a reason is refused at the field.
  expectProblem(/\/statement-rows\/\d+\/match/)
  await go(page, '/admin/payments/accounts')
  await page.getByLabel(t('reconcile.name')).fill(`Rocket ${run}`)
  await page.getByLabel(t('money.method')).selectOption('rocket')
  await page.getByRole('button', { name: t('reconcile.add') }).click()
  await page.waitForURL(/\/admin\/payments\/accounts\/\d+$/)
  await awake(page)
  const account = page.url()

  const csv = [
    'Account statement',
    'Date,TxnId,Description,Debit,Credit',
    `${DAY},${ids[0]},Advance,,"1,000.00"`,
    `${DAY},,Deposit,,"1,250.00"`,
    `${DAY},${ids[1]},Less fee,,960`,
    `${DAY},,Monthly charge,15,`,
  ].join('\n')
  await page.locator('input[type=file]').setInputFiles({ name: 'statement.csv', mimeType: 'text/csv', buffer: utf16(csv) })
  await page.getByLabel(t('reconcile.column.dayOrder')).waitFor()
  expect(await page.getByLabel(t('reconcile.column.reference')).inputValue()).toBe('TxnId')
  expect(await complaints(page)).toEqual([])
  await page.getByRole('button', { name: t('reconcile.import') }).click()
  // What was loaded before the import is gone: its sums are no longer right.
  await page.getByRole('link', { name: t('reconcile.show-days') }).waitFor()
  expect(await page.getByRole('heading', { name: t('reconcile.days'), exact: true }).count()).toBe(0)
  await page.getByRole('link', { name: t('reconcile.show-days') }).click()
  await page.waitForURL(/from=/)
  await awake(page)
  expect(await complaints(page)).toEqual([])

  await go(page, `${new URL(account).pathname}/${DAY}`)
  expect(await complaints(page)).toEqual([])
  // By hand: the payment less its fee. A list that does not load says so, and is not taken for an empty one.
  expectProblem(/candidates/)
  expectProblem(/ERR_FAILED/)
  await page.route(/candidates$/, (route) => route.abort(), { times: 1 })
  await page.locator('tbody tr', { hasText: ids[1] }).getByRole('button').first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(t('admin.no-answer')).waitFor()
  expect(await dialog.getByText(t('reconcile.no-candidates')).count()).toBe(0)
  await dialog.getByRole('button', { name: t('admin.again') }).click()
  await dialog.getByRole('checkbox').first().check()
  expect(await complaints(page)).toEqual([])
  await dialog.getByRole('button', { name: t('reconcile.do-match'), exact: true }).click()
  await dialog.getByLabel(t('reconcile.reason')).and(dialog.locator('[aria-invalid]')).waitFor()
  await dialog.getByLabel(t('reconcile.reason')).fill('Fee of Rocket')
  await reloaded(page, () => dialog.getByRole('button', { name: t('reconcile.do-match'), exact: true }).click())
  await page.locator('tbody tr').getByRole('button').last().click()
  await page.getByRole('dialog').getByLabel(t('reconcile.reason')).fill('Monthly charge')
  await reloaded(page, () =>
    page
      .getByRole('dialog')
      .getByRole('button', { name: t('reconcile.do-explain'), exact: true })
      .click(),
  )

  await page.getByRole('button', { name: t('reconcile.close'), exact: true }).click()
  await page.getByRole('heading', { name: t('reconcile.close-title', { day: formatFullDay(DAY, lang) }) }).waitFor()
  await reloaded(page, () =>
    page
      .getByRole('dialog')
      .getByRole('button', { name: t('reconcile.close'), exact: true })
      .click(),
  )
  await page.getByRole('button', { name: t('reconcile.reopen') }).waitFor()
  expect(await complaints(page)).toEqual([])
  const { rows } = await database.query(
    `select d.open_rows, d.open_entries, u.phone, array_agg(coalesce(m.kind, 'explained') order by r.line) as kinds
      from reconciled_days d join users u on u.id = d.closed_by join statement_rows r on r.account_id = d.account_id
      left join statement_matches m on m.row_id = r.id where d.account_id = $1 group by 1, 2, 3`,
    [Number(new URL(account).pathname.split('/').at(-1))],
  )
  expect(rows).toEqual([{ open_rows: 0, open_entries: 0, phone: MANAGER, kinds: ['reference', 'amount', 'manual', 'explained'] }])
})

test('an account gets another name; one that was added by mistake is deleted', async () => {
  const { page, expectProblem } = await admin(MANAGER, { lang, width: 390 })
  expectProblem(/422/)
  const name = `ভুল ${Date.now() % 1_000_000_000}`
  await database.query("insert into statement_accounts (name, method) values ('Taken', 'bank') on conflict do nothing")
  await go(page, '/admin/payments/accounts')
  await page.getByLabel(t('reconcile.name')).fill(name)
  await page.getByRole('button', { name: t('reconcile.add'), exact: true }).click()
  await page.waitForURL(/accounts\/\d+$/)
  await awake(page)
  await page.getByLabel(t('reconcile.name')).fill('Taken')
  await page.getByRole('button', { name: t('admin.save'), exact: true }).click()
  await page.getByText(t('reconcile.name-used')).waitFor()
  await page.getByLabel(t('reconcile.name')).fill(`${name} ঠিক`)
  await reloaded(page, () => page.getByRole('button', { name: t('admin.save'), exact: true }).click())
  await page.getByRole('heading', { level: 1, name: `${name} ঠিক` }).waitFor()
  expect(await complaints(page)).toEqual([])
  await page.getByRole('button', { name: t('admin.delete'), exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('admin.delete'), exact: true })
    .click()
  await page.waitForURL(/accounts$/)
  await page.getByLabel(t('reconcile.name')).waitFor()
  expect(await page.getByText(`${name} ঠিক`).count()).toBe(0)
})
