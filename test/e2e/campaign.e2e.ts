import { expect, test } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { translate } from '#lib/i18n/translate.ts'
import { complaints } from './axe.ts'
import { openPage } from './browser.ts'
import { button } from './checkout.ts'
import { admin, browser, database, shop, useDemoShop } from './demo-shop.ts'
import { go } from './sign-in.ts'
import { newPhone } from './new-phone.ts'

useDemoShop()

// A manager adds a customer, filters the list, sends a campaign, and the customer stops campaigns by the link of the SMS.

const MANAGER = '01711000002'
const lang = 'bn'
const t = translate(lang)

test('create, filter, send, stop, on a phone in Bengali', async () => {
  const phone = newPhone()
  const title = `Mango ${phone}`
  // Quiet hours would make the test wait for the morning.
  await database.query(
    `insert into settings (key, value) values ('quiet_hours', '{"from":0,"to":0}') on conflict (key) do update set value = excluded.value`,
  )
  await database.query('notify catalog')
  const { page, expectProblem } = await admin(MANAGER, { lang, width: 390 })

  // A known phone leads to its customer.
  await go(page, '/admin/customers/create')
  await page.locator('[name=name]').fill('Campaign Buyer')
  await page.locator('[name=phone]').fill('01811000001')
  const known = page.locator('[role=status] a[href^="/admin/customers/"]')
  await known.waitFor()
  expectProblem(/422/)
  await button(page, t('admin.save')).click()
  await page.locator('[name=phone][aria-invalid=true]').waitFor()
  expect(await complaints(page)).toEqual([])
  await page.locator('[name=phone]').fill(phone)
  await known.waitFor({ state: 'detached' })
  await button(page, t('admin.save')).click()
  await page.getByRole('heading', { level: 1, name: 'Campaign Buyer' }).waitFor()

  // An SMS by hand, shown on the page.
  await page.getByRole('button', { name: t('admin-orders.send-sms') }).click()
  await page.getByRole('dialog').locator('textarea').fill('Your mango is ripe')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('sms.compose.send') })
    .click()
  await page.getByText('Your mango is ripe').waitFor()
  expect(await complaints(page)).toEqual([])

  // The list, filtered to this customer, leads to the campaign.
  await go(page, `/admin/customers?q=${phone}&quiet_since=2026-01-01`)
  await page.getByRole('link', { name: t('campaigns.send') }).click()
  await page.waitForFunction(() => window.pageAwake)
  await page.locator('[name=name]').fill(title)
  await button(page, t('campaigns.send')).click()
  await page.locator('[name=text_bn][aria-invalid=true]').waitFor()
  await page.locator('[name=text_bn]').fill('খামারে আম এসেছে। অর্ডার করুন।')
  expect(await complaints(page)).toEqual([])
  await button(page, t('campaigns.send')).click()
  await page
    .getByRole('dialog')
    .getByText(t('campaigns.ask', { count: formatNumber(1, lang) }))
    .waitFor()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('campaigns.send') })
    .click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()

  // The job queues it, the sender sends it, and the page says so.
  await page.getByText(t('campaigns.state.done'), { exact: true }).waitFor({ timeout: 60_000 })
  expect(await complaints(page)).toEqual([])
  const { rows } = await database.query<{ body: string; state: string }>(
    "select body, state from sms_outbox where purpose = 'campaign' and phone = $1",
    [phone],
  )
  expect(rows).toMatchObject([{ state: 'submitted' }])

  // The customer stops campaigns, without an account.
  const { page: own } = await openPage(browser, { baseUrl: shop.url, lang, width: 390 })
  await go(own, new URL(/http\S+$/.exec(rows[0]!.body)![0]).pathname)
  expect(await complaints(own)).toEqual([])
  await own.locator('form[action^="/stop/"] button').click()
  await own.getByRole('heading', { level: 1, name: t('stop.done') }).waitFor()

  // The next campaign reaches nobody.
  await go(page, `/admin/sms/campaigns/create?q=${phone}`)
  await page.getByText(t('campaigns.error.none')).waitFor()
  await go(page, '/admin/sms/campaigns')
  await page.getByText(title).waitFor()
  expect(await complaints(page)).toEqual([])
})
