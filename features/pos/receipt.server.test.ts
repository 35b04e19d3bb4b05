import { afterAll, expect, it } from 'vitest'
import { signedIn, storeBody } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { dhakaDate, formatFullDay } from '#lib/format/time.ts'
import { openShop } from '#test/request.ts'
import { plainText } from './testing/plain-text.ts'

// The receipt names what a customer and a supervisor ask for: cash and change, cashier, shift, register, delivery address.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { produce: 80 })
const [cashier, viewer, sales] = [await signedIn(shop, 'cashier'), await signedIn(shop, 'viewer'), await signedIn(shop, 'sales')]
const honey = await buildProduct(db, { unit: 'kg', stock_milli: null, price_poisha: 12_400 })
afterAll(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})

const open = (register: unknown) => cashier.post('/admin/quick-orders/shift/open', { opening_cash: 500, register })
const store = (more: object) =>
  cashier.post('/admin/quick-orders/store', { products: [{ id: honey.id, quantity: 1 }], customer: { phone: '01712345678' }, ...more })
const receipt = async (id: number, lang = 'en', who = cashier) =>
  plainText((await who.get(`/admin/quick-orders/pos-invoice/${id}?lang=${lang}`, { accept: 'text/html' })).text)

it('opens a shift with the name of its register, and refuses a name that does not fit', async () => {
  for (const wrong of ['x'.repeat(41), 7, null, { name: 'x' }]) expect([wrong, (await open(wrong)).status]).toEqual([wrong, 422])
  const opened = await Promise.all([open(' 2 '), open('2'), open('2')])
  expect(opened.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  expect(await db.selectFrom('pos_shifts').select(['cashier_id', 'register']).execute()).toEqual([
    { cashier_id: cashier.id, register: '2' },
  ])
})

it('prints cash handed over, change, cashier, shift and register of a sale over the counter', async () => {
  const shift = await db.selectFrom('pos_shifts').select('id').executeTakeFirstOrThrow()
  const { name } = await db.selectFrom('users').select('name').where('id', '=', cashier.id).executeTakeFirstOrThrow()
  const sold = await store({
    transactions: { cash: 500, bkash: 100 },
    transaction_ids: { bkash: 'RCP0001' },
    change_amount: 476,
    total: 124,
  })
  expect(sold.status, sold.text).toBe(200)
  const text = await receipt(sold.body.order_id!)
  expect(text).toContain(`Cashier: ${name} · Shift ${shift.id} · Counter: 2`)
  expect(text).toContain('Total ৳124')
  expect(text).toContain('Cash ৳500 Change ৳476 bKash ৳100 Due ৳0')
  expect(text).toContain('Show this code to return items')
  expect(text).not.toContain('Paid in store')
  expect(text).not.toContain('Deliver to')
  expect(await receipt(sold.body.order_id!, 'bn')).toContain('নগদ টাকা ৳৫০০ ফেরত ৳৪৭৬ বিকাশ ৳১০০')
  expect(await receipt(sold.body.order_id!, 'en', viewer)).toContain('Counter: 2')
  expect(await receipt(sold.body.order_id!, 'en', sales)).toContain('Counter: 2')
})

it('prints cash that paid a sale on account later', async () => {
  await db.updateTable('users').set({ credit_limit_poisha: 100_000 }).where('phone', '=', '01712345678').execute()
  const customer = await db.selectFrom('users').select('id').where('phone', '=', '01712345678').executeTakeFirstOrThrow()
  const sold = await store({ transactions: {}, on_account: 124, total: 124 })
  expect(sold.status, sold.text).toBe(200)
  const paid = await cashier.post(`/admin/quick-orders/account/${customer.id}/payments`, { amount: 124, method: 'cash', received: 200 })
  expect(paid.status, paid.text).toBe(200)
  expect(await receipt(sold.body.order_id!)).toContain('Total ৳124 Cash ৳124 On account ৳124 Due ৳0')
})

it('a copy of a sale on account names the day of the balance, which later sales and payments have changed', async () => {
  const sell = async () => (await store({ transactions: {}, on_account: 124, total: 124 })).body.order_id!
  const [id] = [await sell(), await sell()]
  const today = dhakaDate(new Date())
  expect(await receipt(id)).toContain(`Account balance on ${formatFullDay(today, 'en')} ৳248`)
  expect(await receipt(id, 'bn')).toContain(`${formatFullDay(today, 'bn')} তারিখে মোট বাকি ৳২৪৮`)
})

it('prints the address of a delivered sale, and a code that tracks it', async () => {
  const delivery = { area_id: area.id, address: 'House 5, Road 3' }
  const sold = await store({ transactions: { cash: 204 }, total: 204, delivery })
  expect(sold.status, sold.text).toBe(200)
  const text = await receipt(sold.body.order_id!)
  expect(text).toContain('Deliver to: House 5, Road 3')
  expect(text).toContain('Scan or tap to track your order')
  expect(text).toContain('Delivery charge ৳80')
  expect(text).not.toContain('Change')
})

it('a receipt that is printed once more says so; one that was just received, and that of an order by phone, do not', async () => {
  const page = async (url: string, who = cashier) => plainText((await who.get(url, { accept: 'text/html' })).text)
  const sold = await store({ transactions: { cash: 124 }, total: 124 })
  const id = sold.body.order_id!
  expect(await receipt(id)).toMatch(new RegExp(` ${id} Copy `))
  expect(await receipt(id, 'bn')).toContain(' অনুলিপি ')

  const lines = [{ product_id: honey.id, quantity: 0.5 }]
  const back = await cashier.post(`/admin/quick-orders/return/${id}`, { lines, refund: { cash: 62 }, reason: 'Soft' })
  const returnUrl = (back.body as { redirect?: string }).redirect!
  expect(await page(`${returnUrl}?lang=en&print=1`)).toMatch(/ Copy /)
  expect(await page(`${returnUrl}?lang=en&print=1&first=1`)).not.toMatch(/ Copy /)

  const { id: customer } = await db.selectFrom('users').select('id').where('phone', '=', '01712345678').executeTakeFirstOrThrow()
  await store({ transactions: {}, on_account: 124, total: 124 })
  const paid = await cashier.post(`/admin/quick-orders/account/${customer}/payments`, { amount: 124, method: 'cash' })
  const account = (paid.body as { redirect?: string }).redirect!
  expect(await page(`${account}?lang=en&print=1`)).not.toMatch(/ Copy /)
  expect(await page(`${account}?lang=en`)).toMatch(/ Copy /)
  shop.clock.now = new Date(shop.clock.now.getTime() + 6 * 60_000)
  expect(await page(`${account}?lang=en&print=1`)).toMatch(/ Copy /)

  const byPhone = await sales.post('/admin/orders/store', storeBody(area.id, [[honey.id, 1]]))
  expect(byPhone.status, byPhone.text).toBe(200)
  expect(await receipt(byPhone.body.order_id!, 'en', sales)).not.toMatch(/ Copy /)
})
