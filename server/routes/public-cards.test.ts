import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db)
const NAME = `"><img src=x onerror=alert(1)> ' & </script> \u2028`
const mango = await buildProduct(db, { name_en: NAME })
const cow = await buildAnimal(db)

async function trackingPath(): Promise<string> {
  const visitor = shop.visitor()
  const body = orderBody(area.id, [[mango.id, 1]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' })
  const placed = await visitor.post('/customer-orders', body)
  expect(placed.status, placed.text).toBe(200)
  const { tracking_code } = await db.selectFrom('orders').select('tracking_code').orderBy('id', 'desc').executeTakeFirstOrThrow()
  return `/track/${String(tracking_code)}`
}

it('shows the products and the state to anyone with the code, and nothing of the buyer', async () => {
  const page = await shop.get(await trackingPath())
  expect(page.status).toBe(200)
  const { orders } = pageProps<{ orders: { order_products: unknown[]; status: string }[] }>(page.text)
  expect(orders).toEqual([
    {
      status: 'placed',
      delivery_dates: [expect.any(String)],
      is_collection: false,
      order_products: [{ product: { qr_url: `/product/${mango.id}`, product_type: NAME } }],
    },
  ])
  const { phone } = await db.selectFrom('orders').select('phone').orderBy('id', 'desc').executeTakeFirstOrThrow()
  // Three digits of it occur in many random URLs.
  for (const secret of ['Rahima', 'House 5', 'customer.example', phone.slice(3)]) expect(page.text).not.toContain(secret)
  expect(page.text).not.toContain('<img src=x')
  expect(page.text).toContain('noindex')
})

it('has its state of now for an open page, for nobody without the code', async () => {
  const path = await trackingPath()
  const { orders } = pageProps<{ orders: object[] }>((await shop.get(path)).text)
  const now = await shop.get(`/api${path}`)
  expect([now.status, now.headers['cache-control'], now.body]).toEqual([200, 'no-store', { orders }])
  await sql`update orders set status = 'on_delivery' where id = (select max(id) from orders)`.execute(db)
  expect((await shop.get(`/api${path}`)).body).toMatchObject({ orders: [{ status: 'on_delivery' }] })
  for (const code of ['1001', 'A'.repeat(22), '%00', "'or'1'='1"]) expect((await shop.get(`/api/track/${code}`)).status).toBe(404)
})

it('carries its products as JSON on the tracking element, whatever a name is made of', async () => {
  const { text } = await shop.get(await trackingPath())
  const [, attribute = ''] = /<div id="tracking-qr" data-orders="([^"]*)"/.exec(text) ?? []
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&', '#x27': "'", '#39': "'" }
  const json = attribute.replace(/&(lt|gt|quot|amp|#x27|#39);/g, (_, entity: string) => entities[entity] ?? '')
  expect(JSON.parse(json)).toEqual([{ order_products: [{ product: { qr_url: `/product/${mango.id}`, product_type: NAME } }] }])
  expect(text).toContain('src="/uploads/logo.png"')
  expect(text).toMatch(/<h1[^>]*>Products Tracking<\/h1>/)
  expect(text).not.toContain('</script> \u2028')
})

it.each(['/track/1001', '/track/x', `/track/${'A'.repeat(22)}`, `/track/${'A'.repeat(250)}`, '/track/%00', "/track/'or'1'='1"])(
  '%s shows nothing but the form that finds an order',
  async (path) => {
    const { status, text } = await shop.get(path, { accept: 'text/html' })
    expect([status, pageProps<{ problem: string }>(text).problem]).toEqual([
      404,
      expect.stringMatching(/^This tracking link leads to no order/),
    ])
  },
)

it('keeps the card of an animal when it is sold and withdrawn', async () => {
  const card = `/animal/${cow.id}`
  await db
    .insertInto('health_records')
    .values({ product_id: cow.id, on_day: '2026-05-01', kind: 'vaccination', what_bn: 'খুরা রোগের টিকা' })
    .execute()
  const before = pageProps<{ isShown: boolean; health: { what: string }[] }>((await shop.get(card)).text)
  expect([before.isShown, before.health.map((one) => one.what)]).toEqual([true, ['খুরা রোগের টিকা']])
  await db.updateTable('products').set({ visible: false, status: 'sold', stock_milli: 0 }).where('id', '=', cow.id).execute()
  const after = await shop.get(card)
  expect([after.status, pageProps<{ isShown: boolean }>(after.text).isShown]).toEqual([200, false])
})

it('carries neither price nor note of an animal that is not for sale yet', async () => {
  const calf = await buildAnimal(db, { visible: false, price_poisha: 12_345_600, note_en: 'For the minister', note_bn: 'মন্ত্রীর জন্য' })
  const { status, text } = await shop.get(`/animal/${calf.id}`)
  expect([status, text.includes(calf.tag_number!), text.includes('123456'), text.includes('For the minister')]).toEqual([
    200,
    true,
    false,
    false,
  ])
})

it.each([`/animal/${mango.id}`, '/animal/0', '/animal/999999', '/animal/x', `/animal/${'9'.repeat(16)}`])(
  '%s is no animal',
  async (path) => {
    expect((await shop.get(path)).status).toBe(404)
  },
)
