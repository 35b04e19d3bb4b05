import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'
import { translate } from '#lib/i18n/translate.ts'
import { orderedByShopper, signedIn } from '../testing/admin-shop.ts'

// Staff who open the invoice page of a customer by hand are offered what the shop lets them do.

const { db, url } = await testDb()
const payment_numbers = { ...DEFAULT_SETTINGS.payment_numbers, bkash: '01711000009' }
await db
  .insertInto('settings')
  .values({ key: 'payment_numbers', value: JSON.stringify(payment_numbers) })
  .execute()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const [viewer, sales] = [await signedIn(shop, 'viewer'), await signedIn(shop, 'sales')]
afterAll(() => expect(shop.failures).toEqual([]))

const t = translate('en')
const html = { accept: 'text/html', 'accept-language': 'en' }
/** Which of the texts the page shows. */
async function offered(by: Visitor, path: string, texts: readonly string[], lang = 'en'): Promise<string[]> {
  const page = await by.get(path, { ...html, 'accept-language': lang })
  expect(page.status).toBe(200)
  // Without the texts and props of its scripts.
  const shown = page.text.replaceAll(/<script[\s\S]*?<\/script>/g, '')
  return texts.filter((text) => shown.includes(text))
}

it('a reported advance: a viewer cannot report another payment', async () => {
  const { id } = await orderedByShopper(shop, area.id)
  const { rows } = await sql<{ key: string }>`select view_key as key from orders where id = ${id}`.execute(db)
  const [guest, key] = [shop.visitor(), rows[0]!.key]
  const report = (by: Visitor, transaction_id: string, more = {}) =>
    by.post(`/orders/${id}/advance`, { method: 'bkash', sender: '01711111111', amount: 11_500, transaction_id, ...more })
  expect((await report(guest, 'BFD90JRLS1', { key })).status).toBe(200)
  for (const path of [`/invoice/${id}`, `/order/confirmed/${id}`]) {
    const another = [t('advance.another')]
    for (const by of [guest, viewer]) expect(await offered(by, `${path}?key=${key}`, another)).toEqual(another)
    expect(await offered(sales, path, another)).toEqual(another)
    expect(await offered(viewer, path, another)).toEqual([])
  }
  expect((await report(viewer, 'BFD90JRLS2')).status).toBe(404)
  expect((await report(viewer, 'BFD90JRLS2', { key })).status).toBe(200)
})

it('a review belongs to the customer, and the products of an ended order to who may order', async () => {
  const guest = shop.visitor()
  const honey = await buildProduct(db)
  const form = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
  const { body } = await guest.post('/customer-orders', orderBody(area.id, [[honey.id, 1]], form))
  const path = `/invoice/${body.order_id}`
  await sql`update orders set status = 'delivered' where id = ${body.order_id}`.execute(db)
  const review = [t('review.write')]
  expect(await offered(guest, path, review)).toEqual(review)
  expect(await offered(sales, path, review)).toEqual([])
  expect(await offered(viewer, path, review)).toEqual([])
  await sql`insert into reviews (order_id, product_id, rating, body, shown_name, state)
    values (${body.order_id}, ${honey.id}, 5, 'Sweet', 'Karim', 'published')`.execute(db)
  expect(await offered(guest, path, [...review, t('review.yours')])).toEqual([t('review.yours')])
  await sql`update orders set status = 'cancelled', reason = 'Changed' where id = ${body.order_id}`.execute(db)
  const back = [t('unpaid.back-to-cart')]
  expect(await offered(guest, path, back)).toEqual(back)
  expect(await offered(viewer, path, back)).toEqual([])
})

it('an erased customer has no English name or address on a Bengali page', async () => {
  const { id } = await orderedByShopper(shop, area.id)
  await sql`update orders set name = 'Erased', address = 'Erased' where id = ${id}`.execute(db)
  for (const path of [`/admin/orders/invoice/${id}`, `/admin/orders/update/${id}`])
    expect(await offered(sales, path, ['>মুছে ফেলা হয়েছে<', '>Erased<'], 'bn')).toEqual(['>মুছে ফেলা হয়েছে<'])
})

it('the print view of two copies has one main heading', async () => {
  const { id } = await orderedByShopper(shop, area.id)
  const { text } = await viewer.get(`/admin/orders/invoice/${id}`, html)
  expect([...text.matchAll(/<(h1|h2) class="tabular-nums/g)].map(([, tag]) => tag)).toEqual(['h1', 'h2'])
})
