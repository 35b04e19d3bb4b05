import { expect, test } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { translate } from '#lib/i18n/translate.ts'
import { orderBody } from '#test/factories.ts'
import { Visitor } from '#test/visitor.ts'
import { openPage } from './browser.ts'
import { admin, browser, database, shop, useDemoShop } from './demo-shop.ts'
import { go } from './sign-in.ts'

useDemoShop()

// Online payments in the admin: a refund through the gateway, and two reports of one transaction id.

const MANAGER = '01711000002'
const t = translate('en')

async function one<Row>(statement: string, values: unknown[] = []): Promise<Row> {
  return (await database.query(statement, values)).rows[0] as Row
}

/** A guest's order of one animal with its advance; `gateway` NONE is sent by hand. */
async function ordered(gateway: 'NONE' | 'sslcommerz') {
  const animal = await one<{ id: number }>(
    "select id::int from products where is_unique and status = 'in-stock' and visible and advance_minimum_poisha > 0 order by id limit 1",
  )
  const area = await one<{ id: number }>(
    "select a.id from areas a join area_charges c on c.area_id = a.id where a.active and c.delivery_group = 'cattle' and c.is_open order by a.id limit 1",
  )
  const payment = { payment_type: 'partial', payment_gateway: gateway, payable_amount: 15_000, partial_payment: 15_000 }
  const answer = await new Visitor(shop.url).post('/customer-orders', orderBody(area.id, [[animal.id, 1]], payment))
  expect(answer.status, answer.text).toBe(200)
  const id = answer.body.order_id!
  const { view_key } = await one<{ view_key: string }>('select view_key from orders where id = $1', [id])
  return { id, key: view_key, page: answer.body.redirect_url ?? '' }
}

test('a payment is refunded through its gateway, after its effects were confirmed', async () => {
  const order = await ordered('sslcommerz')
  const buyer = await openPage(browser, { baseUrl: shop.url })
  // Another browser has placed the order: the invoice does not open in this one.
  buyer.expectProblem(/\/(invoice|order\/confirmed)\//)
  await buyer.page.goto(order.page)
  await buyer.page.getByRole('button', { name: /Pay with VISA/ }).click()
  await expect
    .poll(async () => (await one<{ paid: number }>('select ledger_balance_poisha::int as paid from orders where id = $1', [order.id])).paid)
    .toBe(1_500_000)

  const { page } = await admin(MANAGER)
  await go(page, `/admin/orders/update/${order.id}`)
  await page.getByRole('button', { name: t('admin-orders.record-refund') }).click()
  const dialog = page.getByRole('dialog').first()
  await dialog.getByLabel(t('admin-orders.amount')).fill('500')
  await dialog.getByRole('button', { name: t('admin-orders.refund'), exact: true }).click()
  await dialog.getByText(t('admin-orders.reason-required')).waitFor()
  await dialog.getByLabel(t('admin-orders.reason')).fill('Smaller animal')
  await dialog.getByRole('button', { name: t('admin-orders.refund'), exact: true }).click()
  await page.getByText(t('refunds.confirm-text')).waitFor()
  await page.getByRole('button', { name: t('refunds.confirm-do', { amount: '৳500' }) }).click()
  await page.getByText(t('refunds.sent.processing')).waitFor()
  await page.locator('[data-refund-state=processing], [data-refund-state=done]').waitFor()
  expect(
    await one('select amount_poisha::int as amount, method from ledger_entries where order_id = $1 and kind = $2', [order.id, 'refund']),
  ).toEqual({
    amount: -50_000,
    method: 'sslcommerz',
  })
})

test('of two reports of one transaction id, verifying one refuses the other', async () => {
  const [first, second] = [await ordered('NONE'), await ordered('NONE')]
  const transaction = `BKX${first.id}SAME`
  const body = { method: 'bkash', transaction_id: transaction, sender: '01722334457', amount: 15_000 }
  await new Visitor(shop.url).post(`/orders/${first.id}/advance`, { ...body, key: first.key })

  const buyer = await openPage(browser, { baseUrl: shop.url })
  await go(buyer.page, `/invoice/${second.id}?key=${second.key}`)
  await buyer.page.getByRole('radio', { name: t('advance.bkash') }).check()
  await buyer.page.locator('#transaction_id').fill(`bkx ${first.id} same`)
  await buyer.page.locator('#sender').fill('01722334458')
  await buyer.page.getByRole('button', { name: t('advance.send') }).click()
  await buyer.page.getByText(t('advance.reported-before', { sms: true })).waitFor()

  const { page } = await admin(MANAGER)
  await go(page, '/admin/advances')
  const flagged = page.locator('tbody tr', { hasText: transaction }).getByText(t('advances.same-transaction'))
  expect(await flagged.count()).toBe(2)
  await page.getByRole('button', { name: new RegExp(`^Verify.*${second.id}`) }).click()
  await page.getByRole('heading', { name: t('advances.verify-one-title', { id: String(second.id) }) }).waitFor()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('advances.verify'), exact: true })
    .click()
  await page.getByText(t('advances.verified', { id: String(second.id), sms: true })).waitFor()
  expect(await flagged.count()).toBe(0)
  const { rows } = await database.query('select order_id::int, state from advance_reports where transaction_id = $1 order by id', [
    transaction,
  ])
  expect(rows).toEqual([
    { order_id: first.id, state: 'refused' },
    { order_id: second.id, state: 'verified' },
  ])
})
