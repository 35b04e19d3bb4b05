import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import '#messages/en-admin.ts'
import { DEMO_PASSWORD } from '#db/demo/people.ts'
import { orderAt } from '#features/orders/testing/delivered-order.ts'
import { translate } from '#lib/i18n/translate.ts'
import { Visitor } from '#test/visitor.ts'
import { pick } from './checkout.ts'
import { admin, database, shop, useDemoShop } from './demo-shop.ts'
import { newPhone } from './new-phone.ts'
import { editSection, takeStep } from './order-page.ts'
import { go } from './sign-in.ts'

useDemoShop()

// A clerk edits orders over a network that loses requests and answers.

const MANAGER = '01711000002'
const SALES = '01711000003'
const t = translate('en')

/** An order of two pieces of fruit. */
async function ordered(status = 'placed'): Promise<number> {
  const fruit = await pick('produce')
  await database.query(`update products set sizes_milli = '{}' where id = $1`, [fruit.id])
  const { rows } = await database.query<{ id: string }>(
    `select a.id from areas a join area_charges c on c.area_id = a.id
      where a.active and c.delivery_group = 'produce' and c.is_open order by a.id limit 1`,
  )
  const sales = new Visitor(shop.url)
  await sales.signIn(SALES, DEMO_PASSWORD)
  return orderAt(sales, { areaId: Number(rows[0]!.id), lines: [[fruit.id, 2]], paid: 0, status, more: { phone: newPhone() } })
}

const saved = async (id: number) =>
  (
    await database.query(
      `select o.status, o.note, o.name, o.shipping_poisha::int / 100 as charge, o.ledger_balance_poisha::int / 100 as paid,
        (select sum(quantity_milli)::int / 1000 from order_lines where order_id = o.id) as pieces,
        (select count(*)::int from order_events where order_id = o.id and kind = 'edited') as edits
      from orders o where o.id = $1`,
      [id],
    )
  ).rows[0]

/** The next save is lost: before it reaches the shop, or its answer on the way back. */
async function loseNext(page: Page, part: 'request' | 'answer'): Promise<void> {
  await page.route(
    '**/admin/orders/update/*',
    async (route) => {
      if (part === 'answer') await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
}
const field = (page: Page, label: 'quantity' | 'note' | 'name' | 'shipping') =>
  page.getByLabel(t(`admin-orders.${label}`), { exact: label !== 'note' }).first()
const save = (page: Page) => page.getByRole('button', { name: t('admin.save'), exact: true }).click()
const saveInVain = async (page: Page) => {
  await Promise.all([page.waitForEvent('requestfailed', (request) => request.url().includes('/orders/update/')), save(page)])
  await page.getByRole('alert').getByText(t('admin.offline')).first().waitFor()
}
const isConflict = async (page: Page) => (await page.getByRole('heading', { name: t('admin-orders.conflict') }).count()) > 0

async function open(id: number, who = SALES, width: 390 | 1280 = 1280): Promise<Page> {
  const { page, expectProblem } = await admin(who, { width })
  expectProblem(/orders\/update|ERR_FAILED|409/)
  await go(page, `/admin/orders/update/${id}`)
  await editSection(page, 'lines')
  await editSection(page, 'details')
  return page
}

test.each(['request', 'answer'] as const)('an edit whose %s was lost is pressed again, and saved once', async (part) => {
  const id = await ordered()
  const page = await open(id, SALES, 390)
  await field(page, 'quantity').fill('৩')
  await field(page, 'note').fill('Gate 2 ')
  await loseNext(page, part)
  await saveInVain(page)
  await save(page)
  await page.getByText(t('admin-orders.saved')).waitFor()
  expect(await isConflict(page)).toBe(false)
  expect(await saved(id)).toMatchObject({ note: 'Gate 2', pieces: 3, edits: 1 })
})

test('an edit whose answer was lost, typed over and partly back: the order is what the page shows, until another person changes it', async () => {
  const id = await ordered()
  const before = await saved(id)
  const page = await open(id)
  await field(page, 'quantity').fill('3')
  await field(page, 'name').fill('Rahima B')
  await field(page, 'shipping').fill('999')
  await loseNext(page, 'answer')
  await saveInVain(page)
  expect(await saved(id)).toMatchObject({ pieces: 3, name: 'Rahima B', charge: 999 })
  await field(page, 'quantity').fill('2')
  await field(page, 'name').fill(before.name)
  await field(page, 'shipping').fill('')
  await field(page, 'note').fill('Gate 3')
  await loseNext(page, 'answer')
  await saveInVain(page)
  expect(await saved(id)).toMatchObject({ ...before, note: 'Gate 3', edits: 2 })
  const other = await open(id, MANAGER)
  await field(other, 'name').fill('Karim')
  await save(other)
  await other.getByText(t('admin-orders.saved')).waitFor()
  await save(page)
  await page.getByRole('heading', { name: t('admin-orders.conflict') }).waitFor()
  await page.getByRole('button', { name: t('admin-orders.keep-mine') }).click()
  await save(page)
  await page.getByText(t('admin-orders.saved')).waitFor()
  expect(await saved(id)).toMatchObject({ ...before, name: 'Karim', note: 'Gate 3', edits: 3 })
})

test('changed lines whose answer was lost are no draft after a reload; what was typed since is one', async () => {
  const id = await ordered()
  const page = await open(id)
  await field(page, 'quantity').fill('4.0')
  await loseNext(page, 'answer')
  await saveInVain(page)
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await page.waitForFunction(() => window.pageAwake)
  await page.getByRole('button', { name: t('admin-orders.edit-section', { section: t('admin-orders.lines') }) }).waitFor()
  expect(await page.getByText(t('admin.unsaved')).count()).toBe(0)
  await editSection(page, 'details')
  await field(page, 'note').fill('Gate 2')
  await loseNext(page, 'answer')
  await saveInVain(page)
  await field(page, 'note').fill('Gate 4')
  await page.reload()
  await page.waitForFunction(() => window.pageAwake)
  await expect.poll(() => field(page, 'note').inputValue()).toBe('Gate 4')
  await save(page)
  await page.getByText(t('admin-orders.saved')).waitFor()
  expect(await saved(id)).toMatchObject({ note: 'Gate 4', pieces: 4 })
})

test.each(['request', 'answer'] as const)('a delivery whose %s was lost is pressed again: its cash is recorded once', async (part) => {
  const id = await ordered('on_delivery')
  const { page, expectProblem } = await admin(MANAGER, { width: 390 })
  expectProblem(/orders\/update|ERR_FAILED/)
  await go(page, `/admin/orders/update/${id}`)
  await loseNext(page, part)
  await takeStep(page, 'delivered')
  const due = Number(await page.getByLabel(t('door.collected')).inputValue())
  const deliver = () =>
    page
      .getByRole('dialog')
      .getByRole('button', { name: new RegExp(`${t('order-status.delivered')}|${t('admin-orders.step.delivered')}`) })
      .click()
  await deliver()
  await page.getByText(t('admin.no-answer')).first().waitFor()
  await takeStep(page, 'delivered')
  await deliver()
  await page.locator('[data-status=delivered]').waitFor()
  expect(await isConflict(page)).toBe(false)
  expect(await saved(id)).toMatchObject({ status: 'delivered', paid: due })
})
