import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { storeBody } from '#features/orders/office/testing/office-shop.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildCategory, buildImage, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { ProductDetails } from './record.server.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const owner = await buildUser(db, { role: 'owner' })
const clerk = shop.visitor()
await clerk.signIn(owner.phone)
beforeEach(() => sql`truncate products, orders, images, audit_log, rate_tiers, films cascade`.execute(db))

const { id: fruits } = await buildCategory(db, { name_en: 'Fruits and more' })
const { id: cattle } = await buildCategory(db, { delivery_group: 'cattle' })

const goods = {
  category_id: fruits,
  further_category_ids: [],
  name_en: 'Himsagar mango',
  name_bn: 'হিমসাগর আম',
  description_en: '',
  description_bn: '',
  price: '১২০.৫০',
  unit: 'kg',
  discount_kind: 'percentage',
  discount: '7.5',
  sizes: '১০, 5',
  status: 'in-stock',
  note_en: '',
  note_bn: '',
  delivery_on: '',
  shipping_cost: '80',
  advance_minimum: '',
  advance_percentage: '10',
  advance_round_figure: '500',
  coupon_applicable: true,
  barcode: ' 8941100000017 ',
  search_aliases: 'am aam',
  visible: true,
  tag_number: '',
  breed_en: '',
  breed_bn: '',
  coat: '',
  teeth: null,
  birth_month: '',
  sold_by_live_weight: false,
  season: '',
  picture_ids: [] as number[],
  videos: [] as string[],
}
const fresh = { kind: 'goods', stock: '25.5', weight_kg: '', weighed_on: '' }
const cow = {
  ...goods,
  kind: 'animal',
  category_id: cattle,
  name_en: 'Red bull',
  price: '',
  discount_kind: 'none',
  discount: null,
  sizes: '',
  unit: 'piece',
  barcode: '',
  tag_number: 'k-১২',
  coat: 'red',
  teeth: '২',
  birth_month: '2024-03',
  sold_by_live_weight: true,
  season: 'kurbani',
  stock: '',
  weight_kg: '২৫০.৫',
  weighed_on: '2026-11-20',
}
const rate = (fromGrams: number, taka: number) =>
  sql`insert into rate_tiers (category_id, season, from_grams, poisha_per_kg) values (${cattle}, 'kurbani', ${fromGrams}, ${taka * 100})`.execute(
    db,
  )
const create = (body: object) => clerk.post('/admin/products/store', body)
const created = async (body: object) => {
  const answer = await create(body)
  expect([answer.status, answer.body.errors]).toEqual([200, undefined])
  return (answer.body as unknown as { product: ProductDetails }).product
}
const bodyOf = ({ id: _id, kind: _kind, around: _around, pictures, ...rest }: ProductDetails) => ({
  ...rest,
  picture_ids: pictures.map((p) => p.image_id),
})
const save = (product: ProductDetails, changes: object = {}) =>
  clerk.post(`/admin/products/${product.id}`, { ...bodyOf(product), ...changes })
const log = async () =>
  (
    await sql<{
      action: string
      before: object | null
      after: object | null
    }>`select action, before, after from audit_log order by id`.execute(db)
  ).rows
const inShop = async (id: number) => (await shop.get(`/api/products/${id}`)).body as unknown as Record<string, unknown>

describe('a new product', () => {
  it('is kept as typed, in either digits, written down, and in the shop with the answer', async () => {
    const picture = await buildImage(db)
    const product = await created({ ...goods, ...fresh, picture_ids: [picture.id], videos: ['https://youtu.be/abcdefghijk'] })
    expect(product).toMatchObject({
      price: 120.5,
      discount: 7.5,
      sizes: '5, 10',
      advance_percentage: 10,
      barcode: '8941100000017',
      version: 1,
      around: { stock: 25.5 },
      pictures: [{ image_id: picture.id }],
    })
    expect(await inShop(product.id)).toMatchObject({
      product_type: 'Himsagar mango',
      price: 120.5,
      size: '5,10',
      media: ['https://youtu.be/abcdefghijk'],
    })
    expect(await log()).toMatchObject([
      { action: 'created', before: null, after: { name_en: 'Himsagar mango', price: 120.5, stock: 25.5 } },
    ])
    await expectInvariants(db)
  })

  it('that is an animal has its first weighing, and a price by its weight', async () => {
    await rate(200_000, 550)
    const product = await created(cow)
    expect(product).toMatchObject({
      tag_number: 'K-12',
      price: 137_775,
      teeth: 2,
      birth_month: '2024-03',
      around: { weight_kg: 250.5, stock: 1 },
    })
    const { rows } = await sql`select weighed_on, grams, weighed_by from weigh_ins where product_id = ${product.id}`.execute(db)
    expect(rows).toEqual([{ weighed_on: '2026-11-20', grams: 250_500, weighed_by: expect.stringMatching(/Person/) }])
    await expectInvariants(db)
  })

  it.each([
    ['no weight', { weight_kg: '' }, { weight_kg: ['Please fill this in.'] }],
    ['a weight below every rate', { weight_kg: '150' }, { season: [expect.stringMatching(/no rate/)] }],
    ['a weighing to come', { weighed_on: '2026-11-21' }, { weighed_on: ['That day has not come yet.'] }],
    ['no tag', { tag_number: '' }, { tag_number: ['Please fill this in.'] }],
    ['quantity steps', { sizes: '5' }, { sizes: ['An animal has no quantity steps.'] }],
  ])('an animal with %s is refused at the field', async (_name, change, errors) => {
    await rate(200_000, 550)
    const answer = await create({ ...cow, ...change })
    expect([answer.status, answer.body.errors]).toEqual([422, errors])
  })

  it('says everything that is wrong at its field', async () => {
    const answer = await create({
      ...goods,
      ...fresh,
      name_en: '',
      price: 'much',
      sizes: '5, x',
      barcode: 'a b',
      category_id: 'x',
      delivery_on: '2026-13-01',
      advance_percentage: '101',
      status: 'gone',
      videos: ['javascript:alert(1)'],
      shipping_cost: '-5',
      stock: '1.2345',
    })
    expect([answer.status, Object.keys(answer.body.errors ?? {}).sort()]).toEqual([
      422,
      [
        'advance_percentage',
        'barcode',
        'category_id',
        'delivery_on',
        'name_en',
        'price',
        'shipping_cost',
        'sizes',
        'status',
        'stock',
        'videos.0',
      ],
    ])
  })

  it.each([
    ['without a price', { price: '' }, 'price'],
    ['for nothing', { price: '0' }, 'price'],
    ['too dear', { price: '100000001' }, 'price'],
    ['with more discount than price', { discount_kind: 'fixed', discount: '121' }, 'discount'],
    ['with more than 100 percent off', { discount: '101' }, 'discount'],
    ['in no category', { category_id: 999_999 }, 'category_id'],
    ['with a picture that is not there', { picture_ids: [999_999] }, 'picture_ids'],
    ['with a film that is not the shop’s', { videos: ['/uploads/../secret.mp4'] }, 'videos.0'],
  ])('%s is refused', async (_name, change, field) => {
    const answer = await create({ ...goods, ...fresh, ...change })
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]])
  })

  it.each([
    'javascript:alert(1)',
    'http://169.254.169.254/',
    'file:///etc/passwd',
    'https://evil.example/x.mp4',
    '//evil.example/x',
    'data:text/html,x',
  ])('row 62: the film %s is refused', async (film) => {
    expect((await create({ ...goods, ...fresh, videos: [film] })).status).toBe(422)
  })

  it('with the tag or barcode of another is refused at that field, also of two at once only one is made', async () => {
    await rate(200_000, 550)
    await created(cow)
    expect((await create({ ...cow, tag_number: 'K-12' })).body.errors).toEqual({ tag_number: ['Another animal has this tag.'] })
    const both = await Promise.all([create({ ...goods, ...fresh }), create({ ...goods, ...fresh })])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422])
    expect(both.find(({ status }) => status === 422)?.body.errors).toEqual({ barcode: ['Another product has this barcode.'] })
  })

  it('row 42: takes no field that is not its own', async () => {
    for (const more of [{ id: 5 }, { version: 3 }, { is_unique: true }, { archived_at: null }])
      expect((await create({ ...goods, ...fresh, ...more })).status).toBe(422)
  })

  it('row 54: hostile texts are texts, everywhere', async () => {
    const evil = '"><img src=x onerror=alert(1)></script><script>alert(1)</script>'
    const product = await created({ ...goods, ...fresh, name_en: evil, note_en: evil, description_en: evil })
    for (const path of [`/product/${product.id}`, `/admin/products/${product.id}`, '/admin/products', '/search?q=onerror']) {
      const page = await clerk.get(path, { accept: 'text/html' })
      expect([path, page.status, page.text.includes('<img src=x'), page.text.includes('<script>alert')]).toEqual([path, 200, false, false])
    }
  })
})

describe('changing', () => {
  it('keeps what differs in the log, and makes a new version', async () => {
    const [one, two] = [await buildImage(db), await buildImage(db)]
    const product = await created({ ...goods, ...fresh, picture_ids: [one.id, two.id] })
    const answer = await save(product, { price: '99', picture_ids: [two.id, one.id], further_category_ids: [cattle] })
    expect(answer).toMatchObject({
      status: 200,
      body: { product: { price: 99, version: 2, pictures: [{ image_id: two.id }, { image_id: one.id }], further_category_ids: [cattle] } },
    })
    expect((await log())[1]).toEqual({
      action: 'changed',
      before: { price: 120.5, pictures: [one.id, two.id], further_category_ids: [] },
      after: { price: 99, pictures: [two.id, one.id], further_category_ids: [cattle] },
    })
  })

  it('of pictures alone is a new version too, and shown at once', async () => {
    const product = await created({ ...goods, ...fresh })
    await inShop(product.id)
    const picture = await buildImage(db)
    expect(((await save(product, { picture_ids: [picture.id] })).body as unknown as { product: ProductDetails }).product.version).toBe(2)
    expect((await inShop(product.id)).images).toHaveLength(1)
  })

  it('two clerks at once: the second is told, and nothing of the first is lost', async () => {
    const product = await created({ ...goods, ...fresh })
    const answers = await Promise.all(['A', 'B'].map((name_en) => save(product, { name_en })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await log()).filter(({ action }) => action === 'changed')).toHaveLength(1)
  })

  it('does not undo what is sold meanwhile', async () => {
    const area = await buildArea(db)
    const product = await created({ ...goods, ...fresh })
    expect((await shop.visitor().post('/customer-orders', orderBody(area.id, [[product.id, 5]]))).status).toBe(200)
    expect((await save(product, { name_en: 'Langra' })).body).toMatchObject({ product: { around: { stock: 20.5 } } })
    await expectInvariants(db)
  })

  it('a booked animal can only be on hold or sold, and keeps its price', async () => {
    await rate(200_000, 550)
    const area = await buildArea(db)
    const product = await created(cow)
    expect((await shop.visitor().post('/customer-orders', orderBody(area.id, [[product.id, 1]]))).status).toBe(200)
    expect((await save(product)).status).toBe(409)
    const now = (await sql<{ version: number }>`select version from products where id = ${product.id}`.execute(db)).rows[0]!
    await sql`update rate_tiers set poisha_per_kg = 60000`.execute(db)
    for (const [status, expected] of [
      ['in-stock', 422],
      ['out-of-stock', 422],
      ['sold', 200],
    ] as const)
      expect([status, (await save(product, { ...now, status })).status]).toEqual([status, expected])
    const { rows } = await sql`select status, stock_milli, price_poisha from products where id = ${product.id}`.execute(db)
    expect(rows).toEqual([{ status: 'sold', stock_milli: 0, price_poisha: 13_777_500 }])
    await expectInvariants(db)
  })

  it('a free animal that is sold elsewhere and comes back is in the book of movements', async () => {
    await rate(200_000, 550)
    const product = await created(cow)
    const before = await countStock(db)
    const sold = ((await save(product, { status: 'sold' })).body as unknown as { product: ProductDetails }).product
    expect(sold.around.stock).toBe(0)
    await expectInvariants(db, before)
    expect((await save(sold, { status: 'in-stock' })).body).toMatchObject({ product: { around: { stock: 1 } } })
    await expectInvariants(db, before)
  })

  it('of one that is not there is 404', async () => {
    const product = await created({ ...goods, ...fresh })
    expect((await clerk.post('/admin/products/999999999', bodyOf(product))).status).toBe(404)
  })
})

describe('the count', () => {
  const enter = (id: number, body: object) => clerk.post(`/admin/products/${id}/stock`, { note: '', quantity: '', ...body })
  it('grows by what came, is set by counting, and makes the status', async () => {
    const { id } = await created({ ...goods, ...fresh, stock: '0' })
    const before = await countStock(db)
    expect((await enter(id, { kind: 'received', quantity: '১০.৫' })).body).toMatchObject({
      product: { status: 'in-stock', around: { stock: 10.5 } },
    })
    expect((await enter(id, { kind: 'counted', quantity: '0', note: 'rotten' })).body).toMatchObject({
      product: { status: 'out-of-stock' },
      movements: [{ delta: -10.5 }, {}],
    })
    expect((await log()).at(-1)).toMatchObject({ before: { stock: 10.5 }, after: { stock: 0, note: 'rotten' } })
    await expectInvariants(db, before)
    expect((await enter(id, { kind: 'uncounted' })).body).toMatchObject({ product: { around: { stock: null } } })
  })

  it('that was sent already, or by another clerk, is told with what is there now, and entered once', async () => {
    const { id } = await created({ ...goods, ...fresh, stock: '5' })
    const newest = (answer: { body: object }) =>
      Math.max(...(answer.body as { movements: { id: number }[] }).movements.map((one) => one.id))
    const first = await enter(id, { kind: 'received', quantity: '10', seen: newest(await enter(id, { kind: 'received', quantity: '1' })) })
    expect(first.body).toMatchObject({ product: { around: { stock: 16 } } })
    const before = newest(first)
    const twice = await Promise.all([1, 2].map(() => enter(id, { kind: 'received', quantity: '4', seen: before })))
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 409])
    const told = twice.find(({ status }) => status === 409)!
    expect(told.body).toMatchObject({ product: { around: { stock: 20 } }, movements: [{ delta: 4, reason: 'received' }, {}, {}] })
    expect((await enter(id, { kind: 'counted', quantity: '7', seen: before })).status).toBe(409)
    // An order in between is nothing to be told of: what came is added to what is left.
    const area = await buildArea(db)
    expect((await clerk.post('/admin/orders/store', storeBody(area.id, [[id, 2]]))).status).toBe(200)
    const last = await enter(id, { kind: 'received', quantity: '1', seen: newest(told) })
    expect(last.body).toMatchObject({ product: { around: { stock: 19 } } })
    for (const seen of [-1, 1.5, '1', null, 1e300]) expect((await enter(id, { kind: 'received', quantity: '1', seen })).status).toBe(422)
  })

  it('of goods received by two clerks at once adds up', async () => {
    const { id } = await created({ ...goods, ...fresh })
    await Promise.all(['10', '20', '30'].map((quantity) => enter(id, { kind: 'received', quantity })))
    expect((await sql<{ stock_milli: number }>`select stock_milli from products where id = ${id}`.execute(db)).rows[0]?.stock_milli).toBe(
      85_500,
    )
  })

  it('refuses what is no count', async () => {
    const animal = await buildAnimal(db, { category_id: cattle })
    const { id } = await created({ ...goods, ...fresh })
    for (const body of [
      { kind: 'received' },
      { kind: 'received', quantity: '0' },
      { kind: 'counted', quantity: '-1' },
      { kind: 'lost', quantity: '1' },
    ])
      expect((await enter(id, body)).status).toBe(422)
    expect((await enter(animal.id, { kind: 'counted', quantity: '5' })).status).toBe(422)
    expect((await enter(999_999_999, { kind: 'counted', quantity: '5' })).status).toBe(404)
  })
})

describe('put away', () => {
  const put = (id: number, action: string) => clerk.post(`/admin/products/${id}/${action}`, {})
  it('leaves the shop at once, keeps orders and the public card, and comes back hidden', async () => {
    const area = await buildArea(db)
    const animal = await buildAnimal(db, { category_id: cattle })
    await shop.visitor().post('/customer-orders', orderBody(area.id, [[animal.id, 1]]))
    expect((await put(animal.id, 'archive')).status).toBe(200)
    expect((await put(animal.id, 'archive')).status).toBe(200)
    expect((await shop.get(`/product/${animal.id}`, { accept: 'text/html' })).status).toBe(410)
    expect((await shop.get(`/animal/${animal.id}`, { accept: 'text/html' })).status).toBe(200)
    expect((await sql`select 1 from order_lines where product_id = ${animal.id}`.execute(db)).rows).toHaveLength(1)
    const list = async (query: string) =>
      pageProps<{ list: { rows: { id: number }[] } }>(
        (await clerk.get(`/admin/products${query}`, { accept: 'text/html' })).text,
      ).list.rows.map((row) => row.id)
    expect([await list(''), await list('?shelf=archived')]).toEqual([[], [animal.id]])
    expect((await put(animal.id, 'restore')).body).toMatchObject({ product: { visible: false, around: { isArchived: false } } })
    expect((await log()).map(({ action }) => action)).toEqual(['archived', 'restored'])
    await expectInvariants(db)
  })

  it('cannot be put into the shop before it is restored', async () => {
    const product = await created({ ...goods, ...fresh })
    const away = ((await put(product.id, 'archive')).body as unknown as { product: ProductDetails }).product
    expect((await save(away, { visible: true })).body.errors).toEqual({ visible: ['It is archived. Restore it first.'] })
  })
})

describe('copying', () => {
  const copy = (id: number, tag_number: string | null = null) => clerk.post(`/admin/products/${id}/copy`, { tag_number })
  it('makes a hidden one with the pictures, without barcode, count and weighings', async () => {
    const picture = await buildImage(db)
    const product = await created({ ...goods, ...fresh, picture_ids: [picture.id], further_category_ids: [cattle] })
    const { body } = await copy(product.id)
    const page = await clerk.get((body as { redirect: string }).redirect, { accept: 'text/html' })
    expect(pageProps<{ product: ProductDetails }>(page.text).product).toMatchObject({
      name_en: 'Himsagar mango',
      barcode: '',
      visible: false,
      status: 'out-of-stock',
      further_category_ids: [cattle],
      pictures: [{ image_id: picture.id }],
      around: { stock: 0 },
    })
    await expectInvariants(db)
  })

  it('of an animal wants a tag of its own', async () => {
    await rate(200_000, 550)
    const product = await created(cow)
    expect((await copy(product.id)).body.errors).toEqual({ tag_number: ['Please fill this in.'] })
    expect((await copy(product.id, 'k-12')).body.errors).toEqual({ tag_number: ['Another animal has this tag.'] })
    expect((await copy(product.id, 'K-13')).status).toBe(200)
    expect((await copy(999_999_999, 'K-14')).status).toBe(404)
    await expectInvariants(db)
  })
})

describe('health papers', () => {
  const record = { on_day: '2026-11-01', kind: 'vaccination', what_en: 'Anthrax', what_bn: '', vet: 'Dr Karim', image_id: null }
  it('are added, shown on the card, and taken out', async () => {
    const animal = await buildAnimal(db, { category_id: cattle })
    const added = await clerk.post(`/admin/products/${animal.id}/health`, record)
    const [kept] = (added.body as unknown as { records: { id: number }[] }).records
    expect((await shop.get(`/animal/${animal.id}`, { accept: 'text/html' })).text).toContain('Anthrax')
    const other = await buildAnimal(db, { category_id: cattle })
    const remove = async (animalId: number) =>
      clerk.send('DELETE', `/admin/products/${animalId}/health/${kept?.id}`, undefined, {
        headers: { accept: 'application/json', 'x-csrf-token': await clerk.token() },
      })
    expect((await remove(other.id)).status).toBe(404)
    expect((await remove(animal.id)).body).toEqual({ records: [] })
    expect((await log()).map(({ after }) => after)).toMatchObject([{ health: { what_en: 'Anthrax' } }, { health: null }])
  })
  it('are refused when they say nothing, or lie ahead, or are of goods', async () => {
    const animal = await buildAnimal(db, { category_id: cattle })
    const mango = await buildProduct(db)
    const add = async (id: number, change: object) => (await clerk.post(`/admin/products/${id}/health`, { ...record, ...change })).status
    expect([
      await add(animal.id, { what_en: ' ' }),
      await add(animal.id, { on_day: '2026-11-21' }),
      await add(animal.id, { image_id: 999_999 }),
    ]).toEqual([422, 422, 422])
    expect(await add(mango.id, {})).toBe(404)
  })
})

describe('several at once', () => {
  interface Lines {
    lines: { id: number; before: unknown; after: unknown; refused: string | null }[]
    seen: string
    done: boolean
  }
  const bulk = async (body: object) => {
    const answer = await clerk.post('/admin/products/bulk', body)
    return { ...answer, news: answer.body as unknown as Lines }
  }
  it('shows the prices first, and then changes exactly those', async () => {
    const [a, b] = [await buildProduct(db, { price_poisha: 12_050 }), await buildProduct(db, { price_poisha: 9_900 })]
    const animal = await buildAnimal(db, { category_id: cattle })
    const wish = { what: 'price', by: 'percent', amount: '-৫', ids: [a.id, b.id, animal.id] }
    const { news } = await bulk(wish)
    expect(news.lines.map(({ before, after, refused }) => [before, after, refused])).toEqual([
      [120.5, 114, null],
      [99, 94, null],
      [110_000, 110_000, 'products.price-by-weight'],
    ])
    expect(await log()).toEqual([])
    expect((await bulk({ ...wish, seen: news.seen })).news.done).toBe(true)
    expect(
      (await sql<{ price_poisha: number }>`select price_poisha from products order by id`.execute(db)).rows.map((row) => row.price_poisha),
    ).toEqual([11_400, 9_400, 11_000_000])
    expect(await log()).toHaveLength(2)
    expect((await bulk({ ...wish, seen: news.seen })).status).toBe(409)
  })

  it('is asked again when somebody else was quicker', async () => {
    const { id } = await buildProduct(db, { price_poisha: 10_000 })
    const wish = { what: 'price', by: 'taka', amount: '10', ids: [id] }
    const { news } = await bulk(wish)
    await sql`update products set price_poisha = 20000 where id = ${id}`.execute(db)
    const late = await bulk({ ...wish, seen: news.seen })
    expect([late.status, late.news.lines[0]?.after]).toEqual([409, 210])
  })

  it('makes no status that the order or the count forbids', async () => {
    const area = await buildArea(db)
    const [booked, free] = [await buildAnimal(db, { category_id: cattle }), await buildAnimal(db, { category_id: cattle })]
    const counted = await buildProduct(db, { stock_milli: 0, status: 'out-of-stock' })
    await shop.visitor().post('/customer-orders', orderBody(area.id, [[booked.id, 1]]))
    const wish = { what: 'status', status: 'in-stock', ids: [booked.id, free.id, counted.id] }
    const { news } = await bulk(wish)
    expect(news.lines.map(({ refused }) => refused)).toEqual(['products.claimed', null, 'products.count-says'])
    await bulk({ ...wish, status: 'sold', seen: (await bulk({ ...wish, status: 'sold' })).news.seen })
    await expectInvariants(db)
  })

  it.each([
    { ids: [] },
    { ids: Array.from({ length: 201 }, (_, i) => i + 1) },
    { amount: 'x' },
    { amount: '0' },
    { by: 'magic' },
    { ids: ['1; drop table products'] },
  ])('refuses %j', async (wrong) => {
    expect((await bulk({ what: 'price', by: 'taka', amount: '1', ids: [1], ...wrong })).status).toBe(422)
  })
})
