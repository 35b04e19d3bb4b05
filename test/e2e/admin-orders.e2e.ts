import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { DEMO_PASSWORD } from '#db/demo/people.ts'
import { orderAt } from '#features/orders/testing/delivered-order.ts'
import { translate } from '#lib/i18n/translate.ts'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { Visitor } from '#test/visitor.ts'
import { admin, database, shop, useDemoShop } from './demo-shop.ts'
import { newPhone } from './new-phone.ts'
import { editSection, endOrder, takeStep } from './order-page.ts'
import { go } from './sign-in.ts'

useDemoShop()

// A clerk's day with orders: a phone order, an edit by two at once, an advance, a delivery, a return.

const MANAGER = '01711000002'
const SALES = '01711000003'
const t = translate('en')

async function one<Row>(statement: string, values: unknown[] = []): Promise<Row> {
  return (await database.query(statement, values)).rows[0] as Row
}
const orderRow = (id: number) =>
  one<{ status: string; note: string; address: string; version: number; reason: string | null }>('select * from orders where id = $1', [id])

/** An animal in stock that no test has touched. */
const freeAnimal = () =>
  one<{ id: number; tag_number: string; name_en: string }>(
    "select id::int, tag_number, name_en from products where is_unique and status = 'in-stock' and visible order by id limit 1",
  )

async function press(page: Page, name: string | RegExp): Promise<void> {
  await page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .filter({ visible: true })
    .first()
    .click()
}
const save = (page: Page) => press(page, t('admin.save'))

/** Writes a phone order for one animal, by keys alone; answers its number. */
async function typePhoneOrder(page: Page, animal: { tag_number: string }): Promise<number> {
  const phone = newPhone()
  await page.getByLabel(t('admin-orders.phone'), { exact: true }).fill(phone)
  await page.getByLabel(t('admin-orders.name'), { exact: true }).fill('Rahima Khatun')
  await page.getByLabel(t('admin-orders.address'), { exact: true }).fill('House 5, Road 3')
  await page.getByLabel(t('admin-orders.area'), { exact: true }).selectOption({ index: 1 })
  const field = page.getByRole('combobox', { name: t('admin-orders.product') }).first()
  await field.fill(animal.tag_number)
  await page.locator('[role=option]').first().waitFor()
  await field.press('ArrowDown')
  await field.press('Enter')
  await expect.poll(() => page.getByLabel(t('admin-orders.price'), { exact: true }).first().inputValue()).not.toBe('')
  await press(page, t('admin-orders.create'))
  // The toast of an earlier order may still be there.
  await page.getByText(t('admin-orders.created')).first().waitFor()
  await page.waitForURL('**/admin/orders')
  return (await one<{ id: number }>('select id::int from orders where phone = $1 order by id desc limit 1', [phone])).id
}

/** A phone order for one animal, sent as the form sends it; answers its number. */
async function phoneOrder(animal: { id: number }, phone = newPhone()): Promise<number> {
  const area = await one<{ id: number }>(
    `select a.id::int from areas a join area_charges c on c.area_id = a.id
      where a.active and c.delivery_group = 'cattle' and c.is_open order by a.id limit 1`,
  )
  const sales = new Visitor(shop.url)
  const { status, text } = await sales.signIn(SALES, DEMO_PASSWORD)
  if (status !== 200) throw new Error(text)
  return orderAt(sales, { areaId: area.id, lines: [[animal.id, 1]], paid: 0, status: 'placed', more: { phone } })
}

test('a phone order with its errors at their fields, a second line, and the list', async () => {
  const { page, expectProblem } = await admin(SALES)
  expectProblem(/422/)
  const animal = await freeAnimal()
  await go(page, '/admin/orders/create')
  await press(page, t('admin-orders.create'))
  await page.getByText('Please check the form for errors').first().waitFor()
  await page.getByText(t('details.phone-required')).waitFor()
  await page.getByText(t('details.address-required')).waitFor()
  await page.getByText(t('admin-orders.product-required')).waitFor()
  await press(page, t('admin-orders.add-line'))
  expect(await page.getByRole('combobox', { name: t('admin-orders.product') }).count()).toBe(2)
  await page
    .getByRole('button', { name: /^Remove/ })
    .last()
    .click()
  const id = await typePhoneOrder(page, animal)
  await page.getByRole('link', { name: String(id) }).waitFor()
  expect((await one<{ status: string }>('select status from products where id = $1', [animal.id])).status).toBe('hold')
})

test('the phone of a known customer fills in the name, and the address at a press; another phone removes it', async () => {
  const { page } = await admin(SALES, { width: 390 })
  const known = await one<{ id: number; phone: string; name: string; address: string }>(
    `select u.id::int, u.phone, u.name, o.address from users u join orders o on o.customer_id = u.id
      join areas a on a.id = o.area_id and a.active where u.role = 'customer' and o.address <> '' order by o.id desc limit 1`,
  )
  await go(page, `/admin/customers/${known.id}`)
  await page.getByRole('link', { name: t('admin-orders.new') }).click()
  await page.waitForURL(`**/admin/orders/create?phone=${known.phone}`)
  const name = page.getByLabel(t('admin-orders.name'), { exact: true })
  await expect.poll(() => name.inputValue()).toBe(known.name)
  await page.getByRole('button', { name: known.address }).first().click()
  expect(await page.getByLabel(t('admin-orders.address'), { exact: true }).inputValue()).toBe(known.address)
  expect(await page.getByLabel(t('admin-orders.area'), { exact: true }).inputValue()).not.toBe('')
  const phone = page.getByLabel(t('admin-orders.phone'), { exact: true })
  await phone.fill('01999999999')
  await expect.poll(() => name.inputValue()).toBe('')
  await name.fill('Typed by hand')
  await phone.fill(known.phone)
  await page.getByText(known.name).first().waitFor()
  expect(await name.inputValue()).toBe('Typed by hand')
})

test('another area brings its charge, old and new in sight; an emptied charge keeps the old one', async () => {
  const { page } = await admin(SALES)
  const id = await phoneOrder(await freeAnimal())
  const [from, to] = (
    await database.query<{ id: number; charge: number }>(
      `select a.id::int, c.charge_poisha::int / 100 as charge from areas a join area_charges c on c.area_id = a.id
        where a.active and c.delivery_group = 'cattle' and c.is_open and c.charge_poisha is not null and a.id <> (select area_id from orders where id = $1)
        order by c.charge_poisha desc, a.id`,
      [id],
    )
  ).rows.filter((row, at, all) => at === 0 || row.charge !== all[at - 1]?.charge)
  const saved = () =>
    one<{ area_id: number; charge: number }>('select area_id::int, shipping_poisha::int / 100 as charge from orders where id = $1', [id])
  await go(page, `/admin/orders/update/${id}`)
  await editSection(page, 'lines')
  await editSection(page, 'details')
  const [charge, area] = [
    page.getByLabel(t('admin-orders.shipping'), { exact: true }),
    page.getByLabel(t('admin-orders.area'), { exact: true }),
  ]
  const old = (await saved()).charge
  await area.selectOption(String(from!.id))
  await expect.poll(() => charge.inputValue()).toBe(String(from!.charge))
  await page
    .getByText(
      t('admin-orders.shipping-moved', { old: formatTaka(takaToPoisha(old), 'en'), charge: formatTaka(takaToPoisha(from!.charge), 'en') }),
    )
    .waitFor()
  await save(page)
  await page.getByText(t('admin-orders.saved')).waitFor()
  expect(await saved()).toEqual({ area_id: Number(from!.id), charge: from!.charge })
  // A typed charge stays, whatever area is chosen.
  await editSection(page, 'lines')
  await editSection(page, 'details')
  await charge.fill('777')
  await area.selectOption(String(to!.id))
  expect(await charge.inputValue()).toBe('777')
  // Emptied, the old one is shown and saved.
  await charge.fill('')
  const oldCharge = formatTaka(takaToPoisha(from!.charge), 'en')
  await page.getByText(t('admin-orders.shipping-unchanged', { old: oldCharge })).waitFor()
  await page.locator('dl dd', { hasText: oldCharge }).first().waitFor()
  await save(page)
  await expect.poll(saved).toEqual({ area_id: Number(to!.id), charge: from!.charge })
})

test('two clerks at once: the second sees what differs and loses nothing', async () => {
  const [first, second] = [await admin(MANAGER), await admin(SALES)]
  second.expectProblem(/409/)
  const id = await phoneOrder(await freeAnimal())
  for (const { page } of [first, second]) {
    await go(page, `/admin/orders/update/${id}`)
    await editSection(page, 'details')
  }
  await first.page.getByLabel(t('admin-orders.note'), { exact: false }).first().fill('Gate 2')
  await save(first.page)
  await first.page.getByText(t('admin-orders.saved')).waitFor()
  await second.page.getByLabel(t('admin-orders.address'), { exact: true }).fill('Another road 9')
  await save(second.page)
  await second.page.getByRole('heading', { name: t('admin-orders.conflict') }).waitFor()
  expect(await second.page.getByText('Gate 2').count()).toBeGreaterThan(0)
  // Of the note only the first clerk wrote: it is not offered as the second one's.
  expect(await second.page.getByText(t('admin-orders.theirs-stays')).count()).toBe(1)
  expect(await second.page.getByRole('button', { name: t('admin.stale-load') }).count()).toBe(0)
  expect(await orderRow(id)).toMatchObject({ note: 'Gate 2', address: 'House 5, Road 3' })
  await press(second.page, t('admin-orders.keep-mine'))
  await save(second.page)
  await second.page.getByText(t('admin-orders.saved')).waitFor()
  expect(await orderRow(id)).toMatchObject({ note: 'Gate 2', address: 'Another road 9' })
})

test('an advance is verified in one press, the order delivered, paid and returned with its reason', async () => {
  const { page } = await admin(MANAGER)
  const animal = await freeAnimal()
  const id = await phoneOrder(animal)
  await database.query(
    `insert into advance_reports (order_id, method, transaction_id, sender, amount_poisha) values ($1, 'bkash', $2, '01722334457', 1000000)`,
    [id, `BKX${id}`],
  )
  await go(page, '/admin/advances')
  await page.getByRole('button', { name: new RegExp(`^Verify.*${id}`) }).click()
  await page.getByText(t('advances.verified', { id: String(id), sms: true })).waitFor()
  expect((await one<{ status: string }>('select status from products where id = $1', [animal.id])).status).toBe('sold')
  await go(page, `/admin/orders/update/${id}`)
  for (const status of ['processing', 'on_delivery', 'delivered'] as const) {
    await takeStep(page, status)
    if (status === 'on_delivery') await press(page, t('door.go', { status: t(`order-status.${status}`) }))
    if (status === 'delivered') {
      await page.getByLabel(t('door.collected')).fill('')
      await press(page, t('door.go-not-collected', { status: t(`order-status.${status}`) }))
    }
    await expect.poll(async () => (await orderRow(id)).status).toBe(status)
    await page.locator(`[data-status=${status}]`).waitFor()
  }
  const paymentSms = async () =>
    (
      await one<{ count: number }>(
        "select count(*)::int as count from sms_outbox where order_id = $1 and template like 'payment-recorded-%'",
        [id],
      )
    ).count
  const told = await paymentSms()
  await press(page, t('admin-orders.record-payment'))
  const payment = page.getByRole('dialog')
  await payment.getByLabel(t('admin-orders.amount')).fill('1')
  await payment.getByLabel(t('admin-orders.notify')).uncheck()
  await payment.getByRole('button', { name: t('admin-orders.record-payment') }).click()
  await payment.waitFor({ state: 'hidden' })
  expect(await paymentSms()).toBe(told)
  await press(page, t('admin-orders.record-payment'))
  await payment.getByRole('button', { name: t('admin-orders.record-payment') }).click()
  await expect.poll(() => page.locator('[data-due]').textContent()).toBe('৳0')
  expect(await paymentSms()).toBe(told + 1)
  await endOrder(page, 'returned', 'Limps')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('admin-orders.return-go') })
    .click()
  await expect.poll(async () => (await orderRow(id)).status).toBe('returned')
  expect(await orderRow(id)).toMatchObject({ reason: 'Limps' })
  expect((await one<{ status: string }>('select status from products where id = $1', [animal.id])).status).toBe('hold')
  await page.getByText(t('admin-orders.to-refund')).first().waitFor()
  await go(page, '/admin/held-animals')
  await press(page, t('returned.do-of', { tag: animal.tag_number }))
  const decision = page.getByRole('dialog')
  await decision.getByLabel(t('returned.outcome')).selectOption('healthy')
  await decision.getByLabel(t('returned.note')).fill('Walks well')
  await decision.getByRole('button', { name: t('returned.save') }).click()
  await page.getByText(t('returned.healthy-done', { tag: animal.tag_number })).waitFor()
  expect((await one<{ status: string }>('select status from products where id = $1', [animal.id])).status).toBe('in-stock')
})

test('a held animal is released in one press', async () => {
  const { page } = await admin(MANAGER)
  const animal = await freeAnimal()
  const id = await phoneOrder(animal)
  await go(page, '/admin/held-animals')
  await page.getByRole('button', { name: t('held.release-of', { id: String(id) }) }).click()
  await page.getByText(t('held.released', { id: String(id) })).waitFor()
  expect(await page.getByRole('button', { name: t('held.release-of', { id: String(id) }) }).count()).toBe(0)
  expect(await orderRow(id)).toMatchObject({ status: 'cancelled' })
  expect((await one<{ status: string }>('select status from products where id = $1', [animal.id])).status).toBe('in-stock')
})

test('several orders at once from the list, each with its answer', async () => {
  const { page } = await admin(MANAGER)
  const phone = newPhone()
  const ids = [await phoneOrder(await freeAnimal(), phone), await phoneOrder(await freeAnimal(), phone)]
  await database.query('update orders set version = version + 1 where id = $1', [ids[0]])
  await go(page, `/admin/orders?q=${phone}`)
  const pages = page.waitForEvent('popup')
  await page.getByRole('link', { name: t('admin-orders.print-all', { count: '2' }) }).click()
  const sheets = (await pages).locator('[data-sheet]')
  await expect.poll(() => sheets.count()).toBe(2)
  await (await pages).close()
  await database.query(`update orders set status = 'processing', version = version + 1 where id = $1`, [ids[0]])
  await page.getByLabel(t('admin.table.select-all')).check({ force: true })
  await page.getByLabel(t('admin-orders.bulk-status')).selectOption('cancelled')
  await page.getByLabel(t('admin-orders.reason'), { exact: true }).fill('No answer')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('admin-orders.bulk-go') })
    .click()
  await page.getByText(t('admin-orders.bulk-done', { count: '1' })).waitFor()
  await page.getByText(t('admin-orders.changed')).waitFor()
  expect([(await orderRow(ids[0]!)).status, (await orderRow(ids[1]!)).status]).toEqual(['processing', 'cancelled'])
})
