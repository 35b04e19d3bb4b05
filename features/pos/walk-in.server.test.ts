import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'

// Sales without a phone, a setting: no SMS, no customer, and found by everything else.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const [cashier, owner] = [await signedIn(shop, 'cashier'), await signedIn(shop, 'owner')]
const area = await buildArea(db, { produce: 80 })
await cashier.post('/admin/quick-orders/shift/open', { opening_cash: 1000 })
const html = { accept: 'text/html' }

let honey: { id: number }
let before = new Map<number, number>()
beforeEach(async () => {
  honey = await buildProduct(db, { unit: 'kg', stock_milli: 50_000, price_poisha: 12_000 })
  before = await countStock(db)
})
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

async function allow(isOn: boolean): Promise<void> {
  await sql`insert into settings (key, value) values ('walk_in_sales', ${JSON.stringify(isOn)}) on conflict (key) do update set value = excluded.value`.execute(
    db,
  )
  const shown = async () => pageProps<{ walkInSales: boolean }>((await cashier.get('/admin/quick-orders', html)).text).walkInSales
  await expect.poll(shown).toBe(isOn)
}

const body = (customer: object, more: object = {}) => ({
  products: [{ id: honey.id, quantity: '2', price: 120 }],
  transactions: { cash: 240, bkash: 0, bank: 0 },
  total: 240,
  customer,
  ...more,
})
const WALK_IN = { phone: '', name: '', email: '', walk_in: true }
const store = (sent: object, key: string = crypto.randomUUID()) =>
  cashier.post('/admin/quick-orders/store', sent, { headers: { 'idempotency-key': key } })

describe('a walk-in sale', () => {
  it('needs the setting; a sale of a device that did not know is accepted', async () => {
    await allow(false)
    expect((await store(body(WALK_IN))).body).toMatchObject({ errors: { 'customer.phone': [expect.any(String)] } })
    shop.clock.now = new Date(shop.clock.now.getTime() + 300_000)
    const minutesAgo = (minutes: number) => new Date(shop.clock.now.getTime() - minutes * 60_000).toISOString()
    const headers = { 'x-sent-at': minutesAgo(0) }
    const sent = body(WALK_IN, { sold_at: minutesAgo(2) })
    expect((await cashier.post('/admin/quick-orders/store', sent, { headers })).status).toBe(200)
  })

  it('has no phone, no SMS and no customer in any list, and is returned by its number', async () => {
    await allow(true)
    const answers = await Promise.all([store(body(WALK_IN)), store(body({ ...WALK_IN, name: 'Rahima' })), store(body(WALK_IN))])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const ids = answers.map(({ body: { order_id } }) => Number(order_id))
    const { rows } = await sql<{
      name: string
      phone: string
    }>`select name, phone from orders where id = any(${ids}::bigint[]) order by name`.execute(db)
    expect(rows).toEqual([
      { name: 'Rahima', phone: '' },
      { name: 'Walk-in customer', phone: '' },
      { name: 'Walk-in customer', phone: '' },
    ])
    expect((await sql`select 1 from sms_outbox`.execute(db)).rows).toEqual([])
    expect((await sql`select name from users where phone = ''`.execute(db)).rows).toEqual([{ name: 'Sales without a phone' }])
    const { customer_id: id } = await db.selectFrom('orders').select('customer_id').where('id', '=', ids[0]!).executeTakeFirstOrThrow()
    for (const page of [
      '/admin/leaderboard?start_date=2020-01-01&end_date=2030-01-01&sort_column=total_spent&sort_order=desc',
      '/admin/customers',
      '/admin/staff',
    ])
      expect((await owner.get(page, html)).text).not.toContain('Sales without a phone')
    expect((await owner.get(`/admin/customers/${id}`, html)).status).toBe(404)
    expect((await owner.post(`/admin/orders/send_sms/${ids[0]}`, { message: 'Hello' })).status).toBe(404)
    expect((await owner.get(`/admin/orders/update/${ids[0]}`, html)).text).not.toContain('href="tel:"')
    expect((await cashier.get(`/admin/quick-orders/return?receipt=${ids[0]}`, html)).text).toContain('Walk-in customer')
  })

  it('without a name is named in the language of its reader, on pages, prints and in files', async () => {
    await allow(true)
    const headers = { 'accept-language': 'bn', 'idempotency-key': crypto.randomUUID() }
    const id = Number((await cashier.post('/admin/quick-orders/store', body(WALK_IN), { headers })).body.order_id)
    expect((await db.selectFrom('orders').select('name').where('id', '=', id).executeTakeFirstOrThrow()).name).toBe('কাউন্টারের ক্রেতা')
    await sql`insert into users (name, phone, role) values ('কাউন্টারের ক্রেতা', '01799000111', 'customer')`.execute(db)
    const asShown = (text: string) => text.replace(/data-props=(["'])(.*?)\1/s, '')
    for (const path of [
      '/admin/orders',
      '/admin/orders/export',
      `/admin/orders/update/${id}`,
      `/admin/orders/invoice/${id}`,
      `/admin/quick-orders/pos-invoice/${id}`,
      `/admin/quick-orders/return?receipt=${id}`,
      '/admin/quick-orders/sales',
      '/admin/payments',
      '/admin/payments/export',
      '/admin/customers',
      '/admin/customers/export',
    ]) {
      const [en, bn] = await Promise.all(['en', 'bn'].map((lang) => owner.get(path, { ...html, 'accept-language': lang })))
      expect([path, en!.status, asShown(en!.text).includes('Walk-in customer'), asShown(en!.text).includes('কাউন্টারের ক্রেতা')]).toEqual([
        path,
        200,
        true,
        false,
      ])
      expect([path, asShown(bn!.text).includes('কাউন্টারের ক্রেতা')]).toEqual([path, true])
      expect([path, asShown(bn!.text).includes('Walk-in customer')]).toEqual([path, false])
    }
  })

  it('of two requests with one key is one sale', async () => {
    await allow(true)
    const key = crypto.randomUUID()
    const [one, two] = await Promise.all([store(body(WALK_IN), key), store(body(WALK_IN), key)])
    expect(one.body.order_id).toBe(two.body.order_id)
  })

  it.each<[string, object, object?]>([
    ['no phone and no key', { phone: '' }],
    ['a phone beside the key', { ...WALK_IN, phone: '01712345678' }],
    ['a key that is no truth', { ...WALK_IN, walk_in: 'yes' }],
    ['a key without a phone field', { walk_in: true }],
    [
      'a delivery',
      WALK_IN,
      { delivery: { area_id: area.id, address: 'House 5' }, shipping_cost: 80, total: 320, transactions: { cash: 320, bkash: 0, bank: 0 } },
    ],
  ])('%s is rejected', async (_, customer, more = {}) => {
    await allow(true)
    const { status, body: answer } = await store(body(customer, more))
    expect([status, Object.keys(answer.errors as object)[0]?.split('.')[0]]).toEqual([422, 'customer'])
  })
})
