import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { erasePerson } from '#features/customers/personal-data/erase-person.server.ts'
import { findPerson, readPersonalData } from '#features/customers/personal-data/read-personal-data.server.ts'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { structuredDataErrors } from '#test/structured-data.ts'
import type { Visitor } from '#test/visitor.ts'
import { ownReviews, reviewPhoto, type SentReview, sendReview } from './testing/send-review.ts'
import type { ReviewRow } from './types.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const area = await buildArea(db, { produce: 80 })
const [mango, lemon] = [await buildProduct(db, { name_en: 'Himsagar' }), await buildProduct(db)]
const customer = await buildUser(db, { name: 'Rahim Uddin', phone_verified_at: new Date() })
const stranger = await buildUser(db, { phone_verified_at: new Date() })
const HOSTILE = `<img src=x onerror=alert(1)></script><script>alert('1')</script> "'&`
const html = { accept: 'text/html' }

beforeEach(async () => {
  await sql`truncate reviews, review_pictures, product_ratings, attempt_counts restart identity cascade`.execute(db)
  shop.deps.catalogRevision.advance()
})

interface Order {
  id: number
  key: string
  browser: Visitor
}

async function order(status = 'delivered', { phone = customer.phone, name = 'Rahim Uddin' } = {}): Promise<Order> {
  const browser = shop.visitor()
  const payment = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
  const body = orderBody(area.id, [[mango.id, 2]], payment)
  const answer = await browser.post('/customer-orders', { ...body, customer: { ...body.customer, phone, name } })
  expect(answer.status).toBe(200)
  const { rows } = await sql<{ id: number; view_key: string }>`
    update orders set status = ${status}, reason = 'As tested' where id = ${answer.body.order_id} returning id, view_key`.execute(db)
  return { id: rows[0]!.id, key: rows[0]!.view_key, browser }
}

const send = (who: Visitor, id: number | string, fields: SentReview, suffix = '') =>
  sendReview(who, id, { product_id: mango.id, rating: 4, ...fields }, suffix)
const stored = async () =>
  (
    await sql<{ id: number; rating: number; body: string; state: string; shown_name: string; version: number }>`
      select id, rating, body, state, shown_name, version from reviews order by id`.execute(db)
  ).rows
const files = () => readdir(path.join(shop.deps.env.dataDir, 'uploads')).catch((): string[] => [])

async function handle(staff: Visitor, decision: object) {
  const { rows } = await sql<{ id: number; version: number }>`select id, version from reviews order by id desc limit 1`.execute(db)
  return staff.post(`/admin/reviews/${rows[0]!.id}`, { refusal: '', answer: '', version: rows[0]!.version, ...decision })
}

describe('who reviews', () => {
  const of = async (user: { phone: string }) => {
    const visitor = shop.visitor()
    await visitor.signIn(user.phone)
    return visitor
  }
  it.each<[string, (one: Order) => Promise<Visitor>, (one: Order) => string, number]>([
    ['the browser that ordered', async (one) => one.browser, () => '', 200],
    ['the customer', () => of(customer), () => '', 200],
    ['a signed link', async () => shop.visitor(), (one) => `?key=${one.key}`, 200],
    ['a stranger', async () => shop.visitor(), () => '', 404],
    ['another customer', () => of(stranger), () => '', 404],
    ['a wrong link', async () => shop.visitor(), (one) => `?key=${one.key.slice(1)}x`, 404],
    ['staff, who did not buy it', () => signedIn(shop, 'owner'), () => '', 404],
  ])('%s', async (_name, visitorOf, suffixOf, status) => {
    const one = await order()
    const who = await visitorOf(one)
    const answer = await send(who, one.id, { body: 'Sweet' }, suffixOf(one))
    expect([answer.status, (await stored()).length]).toEqual([status, status === 200 ? 1 : 0])
    const page = await who.get(`/order/review/${one.id}${suffixOf(one)}`, html)
    expect(page.status).toBe(status)
  })

  it.each(['placed', 'processing', 'on_delivery', 'cancelled', 'returned'])('not while the order is %s', async (status) => {
    const one = await order(status)
    expect((await send(one.browser, one.id, {})).status).toBe(409)
    const page = await one.browser.get(`/order/review/${one.id}`, html)
    expect([page.status, page.headers.location]).toEqual([303, `/invoice/${one.id}`])
    expect(await stored()).toEqual([])
  })

  it('without the anti-forgery token nobody', async () => {
    const one = await order()
    const answer = await one.browser.send('POST', `/orders/${one.id}/reviews`, Buffer.from(''), {
      headers: { 'content-type': 'multipart/form-data; boundary=x', accept: 'application/json' },
    })
    expect(answer.status).toBe(403)
  })
})

describe('a review', () => {
  it('is one for an order and product, also when sent several times at once', async () => {
    const one = await order()
    const answers = await Promise.all([1, 2, 3, 4].map((rating) => send(one.browser, one.id, { rating, body: `No. ${rating}` })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await stored()).toMatchObject([{ state: 'waiting', shown_name: 'Rahim U.', version: 4 }])
  })

  it('may be changed until it is published', async () => {
    const one = await order()
    const manager = await signedIn(shop, 'manager')
    expect((await send(one.browser, one.id, { rating: '৩', body: '  Sweet \r\n' })).status).toBe(200)
    expect((await handle(manager, { state: 'refused', refusal: 'Write about the fruit, please' })).status).toBe(200)
    const changed = await send(one.browser, one.id, { rating: 5, body: 'Very sweet' })
    expect(ownReviews(changed)).toMatchObject([{ rating: 5, body: 'Very sweet', state: 'waiting', refusal: '' }])
    expect((await handle(manager, { state: 'published' })).status).toBe(200)
    expect((await send(one.browser, one.id, { rating: 1 })).status).toBe(409)
    expect(await stored()).toMatchObject([{ rating: 5, state: 'published' }])
  })

  it.each<[string, SentReview, number]>([
    ['rating', { rating: 0 }, 422],
    ['rating', { rating: 6 }, 422],
    ['rating', { rating: '4.5' }, 422],
    ['rating', { rating: '' }, 422],
    ['body', { body: 'x'.repeat(1001) }, 422],
    ['body', { body: 'a\u0000b' }, 422],
    ['body', { body: 'x'.repeat(40_000) }, 422],
    ['pictures', { keep: '1,2,3,4' }, 422],
    ['pictures', { keep: '__proto__' }, 422],
    ['other', { other: 'field' }, 422],
    ['product_id', { product_id: lemon.id }, 404],
    ['product_id', { product_id: 'x' }, 404],
    ['product_id', { product_id: '999999999999999999999' }, 404],
  ])('is rejected with a wrong %s: %.40j', async (field, fields, status) => {
    const one = await order()
    const answer = await send(one.browser, one.id, fields)
    expect(answer.status).toBe(status)
    if (['rating', 'pictures'].includes(field)) expect(Object.keys(answer.body.errors ?? {})).toEqual([field])
    expect(await stored()).toEqual([])
  })

  it('is rejected when it is no form, or for an order that is no number', async () => {
    const one = await order()
    expect((await one.browser.post(`/orders/${one.id}/reviews`, { rating: 4 })).status).toBe(422)
    expect((await send(one.browser, '1e9', {})).status).toBeGreaterThanOrEqual(404)
    expect((await send(one.browser, '999999999', {})).status).toBe(404)
  })
})

describe('photos', () => {
  it('are re-encoded, retained or replaced, three at most', async () => {
    const one = await order()
    const first = ownReviews(await send(one.browser, one.id, { pictures: [await reviewPhoto(), await reviewPhoto()] }))[0]!.pictures
    expect(first).toMatchObject([{ picture: { widths: [160] } }, { picture: { widths: [160] } }])
    const before = await files()
    const retained = { keep: String(first[1]!.image_id) }
    const second = ownReviews(await send(one.browser, one.id, { ...retained, pictures: [await reviewPhoto()] }))[0]!.pictures
    expect([second.length, second[0]!.image_id]).toEqual([2, first[1]!.image_id])
    const all = { keep: second.map(({ image_id }) => image_id).join(',') }
    const tooMany = await send(one.browser, one.id, { ...all, pictures: [await reviewPhoto(), await reviewPhoto()] })
    expect([tooMany.status, (await files()).length]).toEqual([422, before.length + 2])
    expect((await send(one.browser, one.id, { pictures: await Promise.all([1, 2, 3, 4].map(reviewPhoto)) })).status).toBe(422)
    // The picture of another review is not taken.
    const other = await order()
    expect(ownReviews(await send(other.browser, other.id, retained))[0]!.pictures).toEqual([])
  })

  it('are pictures: nothing is stored of a page, and nothing of a rejected review', async () => {
    const one = await order()
    const before = await files()
    const page = await send(one.browser, one.id, { pictures: [await reviewPhoto(), Buffer.from(`<!doctype html>${HOSTILE}`)] })
    expect([page.status, Object.keys(page.body.errors ?? {})]).toEqual([422, ['pictures']])
    expect((await send(one.browser, one.id, { rating: 9, pictures: await reviewPhoto() })).status).toBe(422)
    expect((await send(shop.visitor(), one.id, { pictures: await reviewPhoto() })).status).toBe(404)
    const large = Buffer.concat([await reviewPhoto(), Buffer.alloc(12 * 1024 * 1024)])
    expect((await send(one.browser, one.id, { pictures: large })).status).toBe(413)
    expect([await stored(), await files()]).toEqual([[], before])
  })
})

describe('the product page', () => {
  const productOf = (page: string) => {
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? []
    const parsed = JSON.parse(json) as Record<string, unknown>[] | Record<string, unknown>
    return Array.isArray(parsed) ? parsed[0]! : parsed
  }
  const pageOf = async () => (await shop.get(`/product/${mango.id}`, html)).text

  it('shows published reviews alone, with the shortened name and without markup, and follows every decision', async () => {
    const manager = await signedIn(shop, 'manager')
    const one = await order('completed', { name: 'Karim <b>Bold</b>' })
    await send(one.browser, one.id, { rating: 4, body: HOSTILE, pictures: await reviewPhoto() })
    expect(await pageOf()).not.toContain('reviews-title')
    expect((await handle(manager, { state: 'published', answer: `Thanks ${HOSTILE}` })).status).toBe(200)
    const shown = await pageOf()
    expect(shown).toMatch(/reviews-title" class="[^"]*">Customer reviews</)
    expect(shown).toContain('Karim &lt;.')
    expect(shown).not.toContain('<img src=x')
    expect(shown).not.toContain("<script>alert('1')")
    expect(productOf(shown)).toMatchObject({
      aggregateRating: { ratingValue: 4, reviewCount: 1 },
      review: [{ author: { name: 'Karim <.' }, reviewRating: { ratingValue: 4 } }],
    })
    expect(structuredDataErrors(productOf(shown))).toEqual([])
    expect((await handle(manager, { state: 'refused', refusal: 'Hostile' })).status).toBe(200)
    const hidden = await pageOf()
    expect(hidden).not.toContain('reviews-title')
    expect(productOf(hidden)).not.toHaveProperty('aggregateRating')
  })

  it('has three reviews at most and the numbers of all; the others are paged', async () => {
    const { rows } = await sql<{ id: number }>`select id from orders where status in ('delivered', 'completed')`.execute(db)
    const orders = rows.map(({ id }) => id)
    while (orders.length < 25) orders.push((await order()).id)
    await sql`insert into reviews (order_id, product_id, rating, body, shown_name, state)
      select o, ${mango.id}, 1 + n % 5, 'Review ' || n, 'Rahim U.', 'published'
      from unnest(${orders.slice(0, 25)}::bigint[]) with ordinality as x(o, n)`.execute(db)
    await sql`update reviews set rating = 5 where body = 'Review 5'`.execute(db)
    shop.deps.catalogRevision.advance()
    const props = pageProps<{ reviews: { count: number; average: number; newest: { body: string }[] } }>(await pageOf())
    // Five of each rating from 1 to 5, and one changed from 1 to 5.
    expect([props.reviews.count, props.reviews.average]).toEqual([25, 3.2])
    expect(props.reviews.newest.map(({ body }) => body)).toEqual(['Review 25', 'Review 24', 'Review 23'])
    type Listed = { page: { rows: { body: string }[]; next: Record<string, string> | null } }
    const list = async (query: string) => pageProps<Listed>((await shop.get(`/product/${mango.id}/reviews${query}`, html)).text).page
    const first = await list('')
    const second = await list(`?${new URLSearchParams(first.next!).toString()}`)
    expect([first.rows.length, second.rows.length, second.next, second.rows.at(-1)?.body]).toEqual([20, 5, null, 'Review 1'])
    for (const query of ['?after=x', '?after=99999999999999999999', '?before=__proto__', '?end=1'])
      expect((await shop.get(`/product/${mango.id}/reviews${query}`, html)).status).toBe(200)
    for (const id of ['999999', 'x']) expect((await shop.get(`/product/${id}/reviews`, html)).status).toBe(404)
  })

  it('keeps count and sum right when several are published and refused at once', async () => {
    const manager = await signedIn(shop, 'manager')
    const orders = await Promise.all([1, 2, 3, 4, 5, 6].map(() => order()))
    await Promise.all(orders.map((one, index) => send(one.browser, one.id, { rating: (index % 5) + 1 })))
    const decide = async (state: string, which: (index: number) => boolean) => {
      const rows = (await stored()).filter((_row, index) => which(index))
      const body = { state, refusal: state === 'refused' ? 'No' : '', answer: '' }
      return Promise.all(rows.map(({ id, version }) => manager.post(`/admin/reviews/${id}`, { ...body, version })))
    }
    expect((await decide('published', () => true)).every(({ status }) => status === 200)).toBe(true)
    await Promise.all([decide('refused', (index) => index < 2), decide('waiting', (index) => index === 3)])
    const { rows } = await sql`select k.review_count, k.rating_sum, count(*)::int as count, sum(r.rating)::int as sum from product_ratings k
      join reviews r on r.product_id = k.product_id and r.state = 'published' group by 1, 2`.execute(db)
    const [row] = rows as { review_count: number; rating_sum: number; count: number; sum: number }[]
    expect(row).toMatchObject({ review_count: 3, count: 3, rating_sum: row!.sum })
  })
})

describe('staff', () => {
  it('decide once of two at once, managers only; a refusal needs its reason', async () => {
    const [one, manager] = [await order(), await signedIn(shop, 'manager')]
    await send(one.browser, one.id, { body: 'Sweet' })
    const rows = pageProps<{ page: { rows: ReviewRow[] } }>((await manager.get('/admin/reviews', html)).text).page.rows
    expect(rows).toMatchObject([{ rating: 4, body: 'Sweet', name: 'Rahim U.', state: 'waiting', product_en: 'Himsagar' }])
    const wrong = await handle(manager, { state: 'refused', refusal: ' ' })
    expect([wrong.status, Object.keys(wrong.body.errors ?? {})]).toEqual([422, ['refusal']])
    const decisions = [{ state: 'published' }, { state: 'refused', refusal: 'No' }]
    const answers = await Promise.all(decisions.map((decision) => handle(manager, { ...decision, version: rows[0]!.version })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    for (const role of ['sales', 'cashier', 'weigher', 'viewer'] as const)
      expect((await handle(await signedIn(shop, role), { state: 'waiting' })).status).toBe(403)
    expect((await handle(shop.visitor(), { state: 'waiting' })).status).toBe(401)
    expect((await manager.post('/admin/reviews/999999', { state: 'waiting', version: 1 })).status).toBe(404)
    for (const state of ['published', 'refused', 'waiting', 'all', 'nonsense'])
      expect((await manager.get(`/admin/reviews?state=${state}`, html)).status).toBe(200)
  })

  it('do not publish a text that the buyer changed meanwhile', async () => {
    const one = await order()
    await send(one.browser, one.id, { body: 'First' })
    const { id, version } = (await stored())[0]!
    await send(one.browser, one.id, { body: 'Second' })
    const manager = await signedIn(shop, 'manager')
    const late = await manager.post(`/admin/reviews/${id}`, { state: 'published', refusal: '', answer: '', version })
    expect([late.status, late.body, (await stored())[0]!.state]).toMatchObject([409, { review: { body: 'Second' } }, 'waiting'])
  })
})

it('belongs to the data of its buyer, and is erased with it', async () => {
  const phone = '01853127099'
  const one = await order('completed', { phone, name: 'Uniquename Buyer' })
  await sql`update orders set ledger_balance_poisha = total_poisha where id = ${one.id}`.execute(db)
  await send(one.browser, one.id, { body: 'Uniquetext', pictures: await reviewPhoto() })
  await handle(await signedIn(shop, 'manager'), { state: 'published', answer: 'Thank you, Uniquename' })
  const person = (await findPerson(db, phone))!
  expect((await readPersonalData(db, person)).reviews).toMatchObject([
    { body: 'Uniquetext', shown_name: 'Uniquename B.', state: 'published' },
  ])
  expect(await erasePerson(db, person, new Date())).toEqual({ ok: true, orders: 1 })
  expect(await stored()).toEqual([])
  expect((await sql`select review_count from product_ratings`.execute(db)).rows).toEqual([{ review_count: 0 }])
  expect((await sql`select 1 from audit_log where before::text || after::text like '%Uniquename%'`.execute(db)).rows).toEqual([])
  expect((await send(one.browser, one.id, { body: 'Again' })).status).toBe(404)
})
