import { expect, test } from 'vitest'
import { buildUser } from '../factories.ts'
import { complaints } from './axe.ts'
import { openPage } from './browser.ts'
import { SALE_KEY } from '#features/pos/storage-names.ts'
import { go } from './sign-in.ts'
import { newPhone } from './new-phone.ts'
import {
  allIsWell,
  browser,
  CODE,
  db,
  enter,
  loseOneAnswer,
  manager,
  openOfflinePos,
  shop,
  signInAs,
  sold,
  startOfflinePos,
  t,
} from './offline-pos.ts'
import { lastOrder, offline, place, quantity, ready, scan } from './pos-page.ts'

await startOfflinePos()

// A customer buys on account, pays a part by Nagad, pays the rest later, and the shift closes with a line for each method.

test('a sale on account, the payment later, the statement, and the closing line of Nagad', async () => {
  const phone = newPhone()
  const value = JSON.stringify({ nagad: true, rocket: false, card: true })
  await db
    .insertInto('settings')
    .values({ key: 'pos_methods', value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
  await db.insertInto('users').values({ name: 'Rahima', phone, role: 'customer' }).execute()
  const { id } = await db.selectFrom('users').select('id').where('phone', '=', phone).executeTakeFirstOrThrow()
  const { page: admin } = await openPage(browser, { baseUrl: shop.url, width: 1280 })
  await signInAs(admin, manager.phone)
  await go(admin, `/admin/customers/${id}/statement`)
  await admin.getByLabel(t('pos.account.limit')).fill('150')
  await admin.getByRole('button', { name: t('admin.save') }).click()
  await expect
    .poll(
      async () =>
        (await db.selectFrom('users').select('credit_limit_poisha as limit').where('id', '=', id).executeTakeFirstOrThrow()).limit,
    )
    .toBe(15_000)

  // The shift of a first try is open.
  const clerk = await buildUser(db, { role: 'cashier' })
  const { page, context } = await openOfflinePos(clerk.phone)
  expect(await page.getByLabel(t('pos.nagad'), { exact: true }).count()).toBe(1)
  expect(await page.getByLabel(t('pos.rocket'), { exact: true }).count()).toBe(0)
  await page.focus('#pos-search')
  await scan(page, CODE)
  await quantity(page).fill('2')
  await page.fill('#pos-phone', phone)
  await page.getByRole('button', { name: t('pos.account.all') }).click()
  await page.getByText('Only ৳150 more on account').waitFor()
  await page.fill('#pos-on-account', '120')
  await page.fill('#pos-nagad', '80')
  await page.fill('#pos-nagad-id', `NAGAD${phone}`)
  expect(await complaints(page)).toEqual([])
  await place(page)
  const order = await lastOrder(page)
  expect(await sold(phone)).toMatchObject([{ id: Number(order), total: 20_000, paid: 8000 }])

  // Without network the sale stays on the screen.
  await page.focus('#pos-search')
  await scan(page, CODE)
  await page.fill('#pos-phone', phone)
  await page.fill('#pos-on-account', '10')
  await context.setOffline(true)
  await offline(page)
  await page.getByText(t('pos.account.needs-network')).first().waitFor()
  await place(page)
  expect(await page.inputValue('#pos-on-account')).toBe('10')
  await context.setOffline(false)
  expect(await sold(phone)).toHaveLength(1)

  await go(page, `/admin/quick-orders/account?phone=${phone}`)
  expect(await complaints(page)).toEqual([])
  await page.getByLabel(t('pos.amount'), { exact: true }).fill('100')
  await page.getByLabel(t('pos.account.received')).fill('500')
  await page.getByText('Change ৳400').waitFor()
  await page.getByRole('button', { name: t('pos.account.receive') }).click()
  await page.getByText('Account balance').waitFor()
  expect(await sold(phone)).toMatchObject([{ paid: 18_000 }])

  await go(admin, `/admin/customers/${id}/statement`)
  await admin.getByRole('row', { name: /Closing balance ৳20/ }).waitFor()
  expect(await complaints(admin)).toEqual([])
  await admin.setViewportSize({ width: 390, height: 800 })

  await go(page, '/admin/quick-orders/close')
  const nagad = page.getByRole('region', { name: t('pos.nagad') })
  await nagad.getByText(`NAGAD${phone}`).waitFor()
  await nagad.getByRole('checkbox').check()
  await page.locator('[name=counted_cash]').fill('100')
  await page.getByRole('button', { name: t('pos.close-shift') }).click()
  await page.waitForURL('**/admin/quick-orders/shifts**')
  await page.getByRole('row', { name: /Nagad/ }).waitFor()
  await allIsWell()
})

test('the same part paid again, after an answer that was lost and a reload, is a payment of its own', async () => {
  const phone = newPhone()
  await db.insertInto('users').values({ name: 'Karim', phone, role: 'customer', credit_limit_poisha: 50_000 }).execute()
  const { page, expectProblem } = await openOfflinePos()
  expectProblem(/ERR_FAILED/)
  await page.focus('#pos-search')
  await scan(page, CODE)
  await page.fill('#pos-phone', phone)
  await page.getByRole('button', { name: t('pos.account.all') }).click()
  await place(page)
  await lastOrder(page)
  const pay = async () => {
    await go(page, `/admin/quick-orders/account?phone=${phone}`)
    await page.getByLabel(t('pos.amount'), { exact: true }).fill('40')
    await page.getByRole('button', { name: t('pos.account.receive') }).click()
  }
  await page.route('**/payments', async (route) => void (await route.fetch().then(() => route.abort())), { times: 1 })
  await pay()
  await page.getByText(t('pos.return.offline')).waitFor()
  await pay()
  await page.getByText('Account balance').waitFor()
  expect(await sold(phone)).toMatchObject([{ paid: 8000 }])
  await allIsWell()
})

test('cash out whose answer was lost is recorded once; the same words once more are a movement of their own', async () => {
  const { page, expectProblem } = await openOfflinePos()
  expectProblem(/ERR_FAILED/)
  const reason = `Change ${newPhone()}`
  const moves = async () =>
    (await db.selectFrom('pos_cash_movements').select('amount_poisha as amount').where('reason', '=', reason).execute()).map(
      ({ amount }) => amount,
    )
  const dialog = page.getByRole('dialog', { name: t('pos.cash-move') })
  const save = dialog.getByRole('button', { name: t('pos.cash-move') })
  const type = async () => {
    await page.getByRole('button', { name: t('pos.cash-move') }).click()
    await dialog.getByLabel(t('pos.direction')).selectOption('in')
    await dialog.getByLabel(t('pos.amount')).fill('50')
    await dialog.getByLabel(t('pos.reason')).fill(reason)
  }
  await page.route('**/shift/cash', async (route) => void (await route.fetch().then(() => route.abort())), { times: 1 })
  await type()
  await save.click()
  await expect.poll(moves).toEqual([5000])
  // Given up: the page is loaded again, and the cashier types the same.
  await page.waitForTimeout(500)
  await go(page, '/admin/quick-orders')
  await type()
  await save.click()
  await dialog.getByText(/^Already saved:/).waitFor()
  expect(await complaints(page)).toEqual([])
  expect(await moves()).toEqual([5000])
  await dialog.getByRole('button', { name: t('pos.move-again') }).click()
  await page.getByText(t('pos.moved')).waitFor()
  expect(await moves()).toEqual([5000, 5000])
  // The next one with the same words is another.
  await type()
  await save.click()
  await expect.poll(moves).toEqual([5000, 5000, 5000])
  await allIsWell()
})

test('a shift whose opening had no answer is opened once: the second press leads to the POS', async () => {
  const clerk = await buildUser(db, { role: 'cashier' })
  const { page, expectProblem } = await openPage(browser, { baseUrl: shop.url, width: 1280 })
  expectProblem(/ERR_FAILED|409/)
  await signInAs(page, clerk.phone)
  await page.route('**/shift/open', async (route) => void (await route.fetch().then(() => route.abort())), { times: 1 })
  await go(page, '/admin/quick-orders')
  await page.fill('[name=opening_cash]', '100')
  await page.keyboard.press('Enter')
  await page.getByText(t('pos.offline-search')).waitFor()
  await page.keyboard.press('Enter')
  await ready(page)
})

test('a sale on account whose answer was lost is placed again after a reload, and recorded once', async () => {
  const phone = newPhone()
  await db.insertInto('users').values({ name: 'Rahima', phone, role: 'customer', credit_limit_poisha: 50_000 }).execute()
  const { page, context } = await openOfflinePos()
  await enter(page, phone)
  await page.getByRole('button', { name: t('pos.account.all') }).click()
  await loseOneAnswer(context)
  await place(page)
  await expect.poll(() => sold(phone)).toHaveLength(1)
  // Back on the screen, and stored with it.
  const lines = () => page.evaluate((key) => (JSON.parse(sessionStorage.getItem(key) ?? '{}') as { lines?: [] }).lines?.length, SALE_KEY)
  await expect.poll(lines).toBe(1)
  await page.reload()
  await ready(page)
  await expect.poll(() => quantity(page).inputValue()).toBe('1')
  await place(page)
  const order = await lastOrder(page)
  expect(await sold(phone)).toMatchObject([{ id: Number(order), total: 10_000, paid: 0 }])
  await allIsWell()
})
