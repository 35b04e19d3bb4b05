import { expect, test } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { translate } from '#lib/i18n/translate.ts'
import { complaints } from './axe.ts'
import { admin, database, useDemoShop } from './demo-shop.ts'
import { editSection, takeStep } from './order-page.ts'
import { go } from './sign-in.ts'

useDemoShop()

// A weigher weighs a booked ox of the demo for the last time, sales settle its order and deliver it for cash.

const SALES = '01711000003'
const WEIGHER = '01711000005'
const TAG = 'B-218'
const t = translate('en')

async function one<Row>(statement: string, values: unknown[] = []): Promise<Row> {
  return (await database.query(statement, values)).rows[0] as Row
}
const bookedOrder = () =>
  one<{ id: number; due: string }>(
    `select o.id::int, (o.total_poisha - o.ledger_balance_poisha)::int as due from orders o join order_lines l on l.order_id = o.id where l.tag_number = $1`,
    [TAG],
  )
const taka = (poisha: number) => poisha / 100

/** Removes what an earlier try has weighed and settled. Its ledger entry stays: the amount due is compared with that of the begin. */
async function removeWeighing(): Promise<void> {
  await database.query('delete from settlements where product_id = (select id from products where tag_number = $1)', [TAG])
  await database.query('delete from weigh_ins where grams = 232500 and product_id = (select id from products where tag_number = $1)', [TAG])
  await database.query(
    `update products p set (weight_grams, weighed_on) =
      (select grams, weighed_on from weigh_ins where product_id = p.id order by weighed_on desc, id desc limit 1) where tag_number = $1`,
    [TAG],
  )
}

test('a weigher weighs; after a reload sales settle the order, from the list or from the order', async () => {
  await removeWeighing()
  const yard = await admin(WEIGHER, { width: 390 })
  yard.expectProblem(/409/)
  const before = await bookedOrder()
  await go(yard.page, `/admin/weigh-ins?tag=${TAG}`)
  await yard.page.getByLabel(t('weigh.kg')).fill('232.5')
  await yard.page.getByRole('button', { name: t('weigh.save') }).click()
  await yard.page.getByRole('button', { name: t('weigh.anyway') }).click()
  await yard.page.getByText(t('settle.for-sales', { order: String(before.id) })).waitFor()
  expect(await yard.page.getByRole('button', { name: t('settle.do') }).count()).toBe(0)

  const { page } = await admin(SALES)
  await go(page, '/admin')
  const tile = page.getByRole('link', { name: new RegExp(`^1\\s*${t('today.settle')}`) })
  await tile.click()
  await page.waitForURL('**/admin/weigh-ins')
  await page.getByRole('heading', { name: t('settle.list-title') }).waitFor()
  expect(await complaints(page)).toEqual([])
  await page.getByRole('link', { name: t('settle.open') }).click()
  await page.waitForURL(`**/admin/orders/update/${before.id}`)
  await page.reload()
  await page.waitForFunction(() => window.pageAwake)
  await page.getByText(/224 kg before, 232\.5 kg now/).waitFor()
  expect(await complaints(page)).toEqual([])
  await page.getByRole('button', { name: t('settle.do-of', { tag: TAG, order: String(before.id) }) }).click()
  await page.getByText(t('settle.done', { difference: t('settle.more', { amount: '৳4,420' }) })).waitFor()
  // The page goes on with the settled order: what is saved next is no conflict.
  await editSection(page, 'details')
  await page.getByLabel(t('admin-orders.remarks')).fill('Weighed in the yard')
  await page.getByRole('button', { name: t('admin.save'), exact: true }).click()
  await page.getByText(t('admin-orders.saved')).waitFor()
  const after = await bookedOrder()
  expect(Number(after.due) - Number(before.due)).toBe(442_000)
  const sms = await one<{ body: string }>(`select body from sms_outbox where order_id = $1 and template like 'settled-%'`, [before.id])
  expect(sms.body).toContain('৳৪,৪২০ বেশি')
  await go(page, '/admin/weigh-ins')
  expect(await page.getByRole('heading', { name: t('settle.list-title') }).count()).toBe(0)
})

test('a weight that was recorded for the wrong day is deleted, and the one before counts again', async () => {
  const { page } = await admin(WEIGHER, { width: 390 })
  const { tag, day } = await one<{ tag: string; day: string }>(
    `select tag_number as tag, (weighed_on + 1)::text as day from products p where is_unique and status = 'in-stock' and weighed_on < current_date - 1
      and not exists (select 1 from animal_holds where product_id = p.id) order by id limit 1`,
  )
  const weight = async () =>
    (await one<{ grams: number }>('select weight_grams::int as grams from products where tag_number = $1', [tag])).grams
  const before = await weight()
  await go(page, `/admin/weigh-ins?tag=${tag}`)
  await page.getByLabel(t('weigh.kg')).fill(String(before / 1000 + 1))
  await page.getByLabel(t('weigh.day')).first().fill(day)
  await page.getByRole('button', { name: t('weigh.save') }).click()
  await page.getByRole('link', { name: t('weigh.next') }).waitFor()
  expect(await weight()).toBe(before + 1000)
  const history = page.getByRole('table', { name: t('weigh.of-animal') })
  await history.getByRole('button').first().click()
  expect(await complaints(page)).toEqual([])
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('admin.delete'), exact: true })
    .click()
  await page.waitForURL(/animal=/)
  await page.getByLabel(t('weigh.kg')).waitFor()
  expect(await weight()).toBe(before)
})

test('an order that goes out unweighed, or is delivered with money due, asks first; cash at the door is recorded with it', async () => {
  const { page } = await admin(SALES)
  const { id } = await one<{ id: number }>(
    `select o.id::int from orders o join order_lines l on l.order_id = o.id and l.booked_rate_poisha > 0
      where o.status = 'processing' and o.ledger_balance_poisha < o.total_poisha and not exists (select 1 from settlements where order_id = o.id) order by o.id limit 1`,
  )
  const row = () =>
    one<{ status: string; due: number }>(`select status, (total_poisha - ledger_balance_poisha)::int as due from orders where id = $1`, [
      id,
    ])
  const { due } = await row()
  await go(page, `/admin/orders/update/${id}`)
  const dialog = page.getByRole('dialog')
  await takeStep(page, 'on_delivery')
  await dialog.getByText(/no final weighing/).waitFor()
  await dialog.getByRole('button', { name: t('admin.cancel') }).click()
  expect((await row()).status).toBe('processing')
  await takeStep(page, 'on_delivery')
  await dialog.getByRole('button', { name: t('door.go', { status: t('order-status.on_delivery') }) }).click()
  await expect.poll(async () => (await row()).status).toBe('on_delivery')

  await page.locator('[data-status=on_delivery]').waitFor()
  await takeStep(page, 'delivered')
  const collected = dialog.getByLabel(t('door.collected'))
  await collected.waitFor()
  expect(await complaints(page)).toEqual([])
  expect(await collected.inputValue()).toBe(String(taka(due)))
  await collected.fill(String(taka(due) + 1))
  await dialog.getByRole('button', { name: /collected$/ }).click()
  await dialog.getByText(/At most/).waitFor()
  await collected.fill('1000')
  await dialog.getByRole('button', { name: t('door.go-collected', { status: t('order-status.delivered'), amount: '৳1,000' }) }).click()
  await expect.poll(row).toEqual({ status: 'delivered', due: due - 100_000 })
  await page.getByText(`${t('ledger.cash_on_delivery')} · ${t('method.cash')}`).waitFor()
})

test('several orders are delivered at once, each with what was collected for it', async () => {
  const { page } = await admin(SALES)
  const { rows } = await database.query(
    `insert into orders (status, customer_id, name, phone, address, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type,
      payment_gateway, payable_poisha, list_on, placed_at, view_key, tracking_code)
    select 'on_delivery', u.id, 'Door ' || n, u.phone, 'House 5', 50000, 0, 0, 50000, 'cash_on_delivery', 'NONE', 0, current_date, now(), 'key', gen_random_uuid()::text
    from generate_series(1, 3) n, (select id, phone from users where role = 'customer' order by id limit 1) u returning id::int, phone`,
  )
  const ids = rows.map((row: { id: number }) => row.id)
  await go(page, `/admin/orders?status=on_delivery&q=${rows[0].phone}`)
  for (const id of ids) await page.getByRole('checkbox', { name: new RegExp(`${id}$`) }).check({ force: true })
  await page.getByLabel(t('admin-orders.bulk-status')).selectOption('delivered')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('admin-orders.bulk-go') })
    .click()
  const question = page.getByRole('dialog', { name: t('door.title-many', { count: '3', status: t('order-status.delivered') }) })
  await question.getByRole('button', { name: t('door.fill') }).click()
  expect(await complaints(page)).toEqual([])
  await question.getByLabel(t('door.collected-of', { order: String(ids[1]) })).fill('')
  await question.getByRole('button', { name: t('door.go-collected', { status: t('order-status.delivered'), amount: '৳1,000' }) }).click()
  await page.getByText(t('admin-orders.bulk-done', { count: '3' })).waitFor()
  const { rows: after } = await database.query(
    'select status, ledger_balance_poisha::int as paid from orders where id = any($1) order by id',
    [ids],
  )
  expect(after).toEqual([50_000, 0, 50_000].map((paid) => ({ status: 'delivered', paid })))
})
