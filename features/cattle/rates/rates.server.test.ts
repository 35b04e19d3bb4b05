import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { findProductRecord } from '#features/catalog/products/product-editor-queries.server.ts'
import { changeProduct, createProduct } from '#features/catalog/products/write-product.server.ts'
import { productBody } from '#features/catalog/products/forms.ts'
import { type Db, openDb } from '#lib/db/db.server.ts'
import { testDb, untilLockWait } from '#test/db.ts'
import { buildAnimal, buildArea, buildCategory, buildUser, orderBody } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { PricePreview } from './admin-api.server.ts'
import { setRates } from './commands.server.ts'
import { rateTableBody } from './forms.ts'
import { EMPTY_RATES_HASH, readRates } from './queries.server.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const clerk = shop.visitor()
await clerk.signIn((await buildUser(db, { role: 'manager' })).phone)
const area = await buildArea(db, { cattle: 1500 })
const cows = await buildCategory(db, { key: 'kurbani' })
const fruits = await buildCategory(db)
beforeEach(() => sql`truncate products, orders, rate_tiers, audit_log cascade`.execute(db))

const cow = (kg: number, more: object = {}) =>
  buildAnimal(db, { category_id: cows.id, season: 'kurbani', weight_grams: kg * 1000, price_poisha: kg * 55_000, ...more })
const tiers = [
  { from_kg: '২০০', per_kg: '৫৬০' },
  { from_kg: 251, per_kg: 550.5 },
]
const table = (more: object = {}) => ({ category_id: cows.id, season: 'kurbani', tiers, ...more })
const preview = async (more: object = {}) => (await clerk.post('/admin/rates/preview', table(more))).body as unknown as PricePreview
const currentHash = async () => (await readRates(db, cows.id, 'kurbani')).hash
const apply = async (planHash: string, more: object = {}) =>
  clerk.post('/admin/rates/apply', { ...table(), ratesHash: await currentHash(), planHash, ...more })
const price = async (id: number) =>
  (await sql<{ p: number }>`select price_poisha as p from products where id = ${id}`.execute(db)).rows[0]!.p / 100

it('previews changes, then sets rates and prices; booked and sold animals keep theirs', async () => {
  const [light, heavy, tiny, booked, sold] = [
    await cow(200),
    await cow(300),
    await cow(150),
    await cow(210),
    await cow(220, { status: 'sold' }),
  ]
  const other = await cow(200, { season: 'kurbani-2030' })
  const placed = await shop.post(
    '/customer-orders',
    orderBody(area.id, [[booked.id, 1]], { payment_type: 'full', payment_gateway: 'pgw', payable_amount: 117_000 }),
  )
  expect(placed.status).toBe(200)
  const plan = await preview()
  expect(plan).toMatchObject({
    total: 2,
    without_tier: 1,
    booked: 1,
    changes: [
      { id: light.id, weight_kg: 200, before: 110_000, after: 112_000 },
      { id: heavy.id, weight_kg: 300, before: 165_000, after: 165_150 },
    ],
  })
  expect([await price(light.id), (await readRates(db, cows.id, 'kurbani')).tiers]).toEqual([110_000, []])
  expect(await apply(plan.planHash)).toMatchObject({ status: 200, body: { changed: 2 } })
  expect(await Promise.all([light, heavy, tiny, booked, sold, other].map(({ id }) => price(id)))).toEqual([
    112_000, 165_150, 82_500, 115_500, 121_000, 110_000,
  ])
  const { rows } = await sql<{ subject: string; subject_id: string; after: object }>`select * from audit_log`.execute(db)
  expect(rows).toMatchObject([{ subject: 'rate', subject_id: `${cows.id} kurbani`, after: { prices_changed: 2 } }])
  expect((await preview()).total).toBe(0)
})

it('rates that would make a price smaller than the discount of its animal keep that price', async () => {
  const { id, tag_number } = await cow(200, { discount_kind: 'fixed', discount_value: 10_900_000 })
  const low = { tiers: [{ from_kg: 100, per_kg: 500 }] }
  const plan = await preview(low)
  expect(plan).toMatchObject({ total: 0, below_discount: [tag_number] })
  expect((await apply(plan.planHash, low)).status).toBe(200)
  expect(await price(id)).toBe(110_000)
})

it('the shop shows the new price immediately', async () => {
  const { id } = await cow(200)
  expect((await shop.get(`/api/products/${id}`)).body).toMatchObject({ price: 110_000 })
  await apply((await preview()).planHash)
  expect((await shop.get(`/api/products/${id}`)).body).toMatchObject({ price: 112_000 })
})

it('an animal weighed or booked after the preview is a conflict, and nothing is changed', async () => {
  const { id } = await cow(200)
  const { planHash } = await preview()
  await sql`update products set weight_grams = 205000 where id = ${id}`.execute(db)
  expect(await apply(planHash)).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/^An animal was weighed or booked in the meantime/) },
  })
  expect([await price(id), (await readRates(db, cows.id, 'kurbani')).tiers]).toEqual([110_000, []])
  const again = await preview()
  expect((await apply(again.planHash)).status).toBe(200)
})

it('a concurrent booking has either the old rate or the new one', async () => {
  const { id } = await cow(200)
  const { planHash } = await preview()
  const [set, placed] = await Promise.all([apply(planHash), shop.post('/customer-orders', orderBody(area.id, [[id, 1]]))])
  expect([200, 409]).toContain(set.status)
  const { rows } = await sql<{ price: number }>`select price_poisha as price from order_lines where product_id = ${id}`.execute(db)
  // The order has one price, old or new, and the animal has that price too.
  if (placed.status === 200) expect(rows[0]?.price).toBe((await price(id)) * 100)
  else expect(rows).toEqual([])
})

it('of two concurrent changes the second is a conflict; new rates for existing ones are rejected', async () => {
  await cow(200)
  const { planHash } = await preview()
  const first = { ratesHash: EMPTY_RATES_HASH }
  const responses = await Promise.all([apply(planHash, first), apply(planHash, first)])
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(responses.find(({ status }) => status === 409)?.body.message).toMatch(/^Rates already exist for this category/)
  expect((await apply((await preview()).planHash, { ratesHash: 'x' })).body.message).toMatch(/^Someone else has changed this/)
})

it.each<[string, object, Record<string, string>]>([
  ['no steps', { tiers: [] }, { tiers: 'Add at least one weight band.' }],
  ['no list', { tiers: null }, { tiers: 'Add at least one weight band.' }],
  [
    '31 steps',
    { tiers: Array.from({ length: 31 }, (_, n) => ({ from_kg: n, per_kg: 1 })) },
    { tiers: 'Too many weight bands. Remove some.' },
  ],
  [
    'a weight twice',
    {
      tiers: [
        { from_kg: 200, per_kg: 1 },
        { from_kg: '200.00', per_kg: 2 },
      ],
    },
    { tiers: 'Two weight bands start at the same weight.' },
  ],
  ['a weight in words', { tiers: [{ from_kg: 'heavy', per_kg: 1 }] }, { 'tiers.0.from_kg': 'Enter kilograms up to 2,000.' }],
  ['a negative weight', { tiers: [{ from_kg: -1, per_kg: 1 }] }, { 'tiers.0.from_kg': 'Enter kilograms up to 2,000.' }],
  ['a rate of zero', { tiers: [{ from_kg: 0, per_kg: 0 }] }, { 'tiers.0.per_kg': 'Enter a rate per kg above 0 and up to ৳50,000.' }],
  ['a huge rate', { tiers: [{ from_kg: 0, per_kg: 1e15 }] }, { 'tiers.0.per_kg': 'Enter a rate per kg above 0 and up to ৳50,000.' }],
  ['a long season', { season: 'x'.repeat(61) }, { season: 'This text is too long.' }],
  ['no category', { category_id: 'cows' }, { category_id: 'Choose an option.' }],
])('422 at the field for %s', async (_name, more, errors) => {
  const wanted = Object.fromEntries(Object.entries(errors).map(([field, text]) => [field, [text]]))
  expect(await clerk.post('/admin/rates/preview', table(more))).toMatchObject({ status: 422, body: { errors: wanted } })
  expect(await apply('x', more)).toMatchObject({ status: 422, body: { errors: wanted } })
})

describe('at the moment in which rates are set', () => {
  const dearer = { tiers: [{ from_kg: 100, per_kg: 700 }] }

  async function setWhile(change: (tx: Db) => Promise<unknown>): Promise<number> {
    const plan = await preview(dearer)
    expect(plan).toMatchObject({ total: 0 })
    const applying = await db.transaction().execute(async (tx) => {
      await change(tx)
      const answer = apply(plan.planHash, dearer)
      await Promise.race([answer, untilLockWait(db)])
      return { answer }
    })
    return (await applying.answer).status
  }

  it('an animal that is free again after it was sold gets no price of the old ones', async () => {
    await apply((await preview()).planHash)
    const { id } = await cow(200, { price_poisha: 11_200_000 })
    const online = { payment_type: 'full', payment_gateway: 'pgw', payable_amount: 113_500 }
    const placed = await shop.post('/customer-orders', orderBody(area.id, [[id, 1]], online))
    expect(placed.status, placed.text).toBe(200)
    await sql`update products set status = 'sold', hold_reason = null where id = ${id}`.execute(db)
    expect(await setWhile((tx) => sql`select sync_order_stock(${placed.body.order_id}, '[]')`.execute(tx))).toBe(409)
    expect(await apply((await preview(dearer)).planHash, dearer)).toMatchObject({ status: 200, body: { changed: 1 } })
    expect(await price(id)).toBe(140_000)
  })

  it('neither does one that is weighed for the first time', async () => {
    await apply((await preview()).planHash)
    const { id } = await cow(200, { weight_grams: null, price_poisha: 11_200_000 })
    expect(await setWhile((tx) => sql`update products set weight_grams = 200000 where id = ${id}`.execute(tx))).toBe(409)
    expect(await apply((await preview(dearer)).planHash, dearer)).toMatchObject({ status: 200, body: { changed: 1 } })
  })

  it.each(['created', 'moved into the season'])('neither does one that is %s', async (what) => {
    await apply((await preview()).planHash)
    const { id } = await cow(200, { season: 'kurbani-2030', price_poisha: 10_000_000 })
    const { id: _id, kind: _kind, state: _state, pictures: _none, ...record } = (await findProductRecord(db, id))!
    const { version, ...form } = productBody.parse({ ...record, picture_ids: [], season: 'kurbani' })
    const actor = { kind: 'staff', id: (await buildUser(db, { role: 'manager' })).id, ip: '' } as const
    const first = { kind: 'animal', stock: null, tag_number: 'NEW-COW', weight_kg: 200_000, weighed_on: '2026-11-01' } as const
    const write = (tx: Db) =>
      what === 'created' ? createProduct(tx, actor, { ...form, ...first }, '2026-11-02') : changeProduct(tx, actor, id, version, form)
    expect(await setWhile(async (tx) => expect(await write(tx)).toMatchObject({ ok: true, product: { price: 112_000 } }))).toBe(409)
    expect(await apply((await preview(dearer)).planHash, dearer)).toMatchObject({ status: 200, body: { changed: 1 } })
  })
})

it('rates that are sent again after a lost answer are set once', async () => {
  await cow(200)
  const { planHash } = await preview()
  const body = { ...table(), ratesHash: EMPTY_RATES_HASH, planHash }
  const send = () => clerk.post('/admin/rates/apply', body, { headers: { 'idempotency-key': 'rates-lost-answer' } })
  const [first, again] = [await send(), await send()]
  expect([first.status, again.status, again.body]).toEqual([200, 200, first.body])
  const { rows } = await sql`select 1 from audit_log where subject = 'rate'`.execute(db)
  expect(rows).toHaveLength(1)
})

it('only categories of cattle can have rates', async () => {
  for (const category_id of [fruits.id, 999_999])
    expect((await apply('x', { category_id })).body.errors).toEqual({ category_id: ['Choose an option.'] })
})

it('the pages show the stored rates', async () => {
  await cow(200)
  await apply((await preview()).planHash)
  const list = await clerk.get('/admin/rates', { accept: 'text/html' })
  expect(pageProps<{ tables: object[] }>(list.text).tables).toEqual([
    {
      category_id: cows.id,
      category: 'Kurbani Cow',
      season: 'kurbani',
      counts: true,
      tiers: [
        { from_kg: 200, per_kg: 560 },
        { from_kg: 251, per_kg: 550.5 },
      ],
    },
  ])
  const edit = await clerk.get(`/admin/rates/edit?category=${cows.id}&season=kurbani`, { accept: 'text/html' })
  expect(pageProps<{ table: object }>(edit.text).table).toMatchObject({ season: 'kurbani', tiers: [{ from_kg: '200', per_kg: '560' }, {}] })
  for (const query of ['?category=999', `?category=${cows.id}&season=none`, '?category=x'])
    expect((await clerk.get(`/admin/rates/edit${query}`, { accept: 'text/html' })).status).toBe(404)
})

it('the prices of a large herd are written in several statements, each far from the limit of one', async () => {
  const herd = 2001
  await Promise.all(Array.from({ length: herd }, () => cow(200)))
  let updates = 0
  const counted = openDb(url, { onQuery: (text) => (updates += text.startsWith('update products') ? 1 : 0) })
  const [who] = (await sql<{ id: number }>`select id from users where role = 'manager'`.execute(db)).rows
  const parsed = rateTableBody.parse({ ...table(), ratesHash: EMPTY_RATES_HASH, planHash: (await preview()).planHash })
  const { ratesHash, planHash, ...rates } = parsed
  const set = await setRates(counted.db, { kind: 'staff', id: who!.id, ip: '' }, rates, { ratesHash, planHash })
  await counted.close()
  expect([set, updates]).toEqual([{ ok: true, changed: herd, ratesHash: await currentHash() }, 2])
})

it('new rates are proposed for the current season of Kurbani, and for all year elsewhere', async () => {
  const beef = await buildCategory(db, { key: 'beef' })
  const { categories } = pageProps<{ categories: { id: number; season: string }[] }>(
    (await clerk.get('/admin/rates/edit', { accept: 'text/html' })).text,
  )
  expect(Object.fromEntries(categories.map(({ id, season }) => [id, season]))).toMatchObject({ [cows.id]: 'kurbani', [beef.id]: '' })
})
