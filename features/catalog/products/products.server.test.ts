import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { buildArea, buildImage, orderBody } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { draftNames, draftTag } from './photo-draft-rules.ts'
import type { ProductDetails } from './product-editor-queries.server.ts'
import { openCatalog } from './testing/catalog.ts'

// Creating and updating products.

const { db, shop, clerk, cattle, cow, rate, create, created, bodyOf, save, log, inShop, goods, fresh } = await openCatalog()

describe('a new product', () => {
  it('is stored as typed, in either digits, with an audit entry, and in the shop immediately', async () => {
    const picture = await buildImage(db)
    const product = await created({ ...goods, ...fresh, picture_ids: [picture.id], videos: ['https://youtu.be/abcdefghijk'] })
    expect(product).toMatchObject({
      price: 120.5,
      discount: 7.5,
      sizes: '5, 10',
      advance_percentage: 10,
      barcode: '8941100000017',
      version: 1,
      state: { stock: 25.5 },
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

  it('that is an animal has its first weigh-in, and a price by its weight', async () => {
    await rate(200_000, 550)
    const product = await created(cow)
    expect(product).toMatchObject({
      tag_number: 'K-12',
      price: 137_775,
      teeth: 2,
      birth_month: '2024-03',
      state: { weight_kg: 250.5, stock: 1 },
    })
    const { rows } = await sql`select weighed_on, grams, weighed_by from weigh_ins where product_id = ${product.id}`.execute(db)
    expect(rows).toEqual([{ weighed_on: '2026-11-20', grams: 250_500, weighed_by: expect.stringMatching(/Person/) }])
    await expectInvariants(db)
  })

  it('that is a hidden animal, as one from a photograph, may be weighed later; it is not published before', async () => {
    await rate(200_000, 550)
    const unweighed = { ...cow, tag_number: 'NEW-7', weight_kg: '', weighed_on: '', visible: false }
    expect((await create(unweighed)).body.errors).toEqual({ weight_kg: ['This field is required.'] })
    const product = await created({ ...unweighed, price: '1' })
    expect(product).toMatchObject({ price: 1, visible: false, state: { weight_kg: null, stock: 1 } })
    const published = await save(product, { visible: true })
    expect([published.status, published.body.errors]).toEqual([
      422,
      { visible: [expect.stringMatching(/[Ww]eigh/)], tag_number: ['Enter its ear tag first.'] },
    ])
    expect((await save(product, { visible: true, tag_number: 'K-7' })).body.errors).toEqual({ visible: [expect.anything()] })
    await expectInvariants(db)
  })

  it.each(['goods', 'animal'] as const)('made from a photograph (%s) is published with its own names, price and tag', async (kind) => {
    await rate(200_000, 550)
    const draft = {
      ...(kind === 'animal' ? { ...cow, tag_number: draftTag(7) } : { ...goods, ...fresh }),
      ...draftNames(kind, 12),
      visible: false,
    }
    const product = await created({ ...draft, sold_by_live_weight: false, price: '1' })
    const errors = async (change: object) => Object.keys((await save(product, { visible: true, ...change })).body.errors ?? {}).sort()
    const tag = kind === 'animal' ? ['tag_number'] : []
    expect(await errors({})).toEqual(['name_bn', 'name_en', 'price', ...tag])
    expect(await errors({ name_bn: 'আমলকী', name_en: 'setup.photo-name' })).toEqual(['name_en', 'price', ...tag])
    const own = { name_bn: 'নতুন পশু লাল', name_en: 'New product', price: '2', ...(kind === 'animal' ? { tag_number: 'NEW-K7' } : {}) }
    expect(await errors(own)).toEqual([])
  })

  it.each([
    ['no weight', { weight_kg: '' }, { weight_kg: ['This field is required.'] }],
    ['a weight below every rate', { weight_kg: '150' }, { season: [expect.stringMatching(/no rate/)] }],
    ['a season without rates', { season: '2027' }, { season: [expect.stringMatching(/no rates for this category and season/)] }],
    ['a weighing to come', { weighed_on: '2026-11-21' }, { weighed_on: ['This date is in the future.'] }],
    ['no tag', { tag_number: '' }, { tag_number: ['This field is required.'] }],
    ['quantity steps', { sizes: '5' }, { sizes: ['Animals have no pack sizes.'] }],
  ])('an animal with %s is rejected at the field', async (_name, change, errors) => {
    await rate(200_000, 550)
    const response = await create({ ...cow, ...change })
    expect([response.status, response.body.errors]).toEqual([422, errors])
  })

  it('has all errors at their fields', async () => {
    const response = await create({
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
    expect([response.status, Object.keys(response.body.errors ?? {}).sort()]).toEqual([
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
    ['with a price of zero', { price: '0' }, 'price'],
    ['too dear', { price: '100000001' }, 'price'],
    ['with more discount than price', { discount_kind: 'fixed', discount: '121' }, 'discount'],
    ['with more than 100 percent off', { discount: '101' }, 'discount'],
    ['in packs that no order can have', { sizes: '5, 10001' }, 'sizes'],
    ['in no category', { category_id: 999_999 }, 'category_id'],
    ['with a picture that is not there', { picture_ids: [999_999] }, 'picture_ids'],
    ['with a video that is not the shop’s', { videos: ['/uploads/../secret.mp4'] }, 'videos.0'],
  ])('%s is rejected', async (_name, change, field) => {
    const response = await create({ ...goods, ...fresh, ...change })
    expect([response.status, Object.keys(response.body.errors ?? {})]).toEqual([422, [field]])
  })

  it.each([
    'javascript:alert(1)',
    'http://169.254.169.254/',
    'file:///etc/passwd',
    'https://evil.example/x.mp4',
    '//evil.example/x',
    'data:text/html,x',
  ])('the video %s is rejected', async (video) => {
    expect((await create({ ...goods, ...fresh, videos: [video] })).status).toBe(422)
  })

  it('with a used tag or barcode is rejected at that field, also concurrently', async () => {
    await rate(200_000, 550)
    await created(cow)
    expect((await create({ ...cow, tag_number: 'K-12' })).body.errors).toEqual({
      tag_number: [expect.stringMatching(/^Another animal has this tag/)],
    })
    const both = await Promise.all([create({ ...goods, ...fresh }), create({ ...goods, ...fresh })])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422])
    expect(both.find(({ status }) => status === 422)?.body.errors).toEqual({ barcode: ['Another product has this barcode.'] })
  })

  it('rejects unknown fields', async () => {
    for (const more of [{ id: 5 }, { version: 3 }, { is_unique: true }, { archived_at: null }])
      expect((await create({ ...goods, ...fresh, ...more })).status).toBe(422)
  })

  it('markup in texts is escaped everywhere', async () => {
    const evil = '"><img src=x onerror=alert(1)></script><script>alert(1)</script>'
    const product = await created({ ...goods, ...fresh, name_en: evil, note_en: evil, description_en: evil })
    for (const path of [`/product/${product.id}`, `/admin/products/${product.id}`, '/admin/products', '/search?q=onerror']) {
      const page = await clerk.get(path, { accept: 'text/html' })
      expect([path, page.status, page.text.includes('<img src=x'), page.text.includes('<script>alert')]).toEqual([path, 200, false, false])
    }
  })
})

describe('changing', () => {
  it('logs the differences, and raises the version', async () => {
    const [one, two] = [await buildImage(db), await buildImage(db)]
    const product = await created({ ...goods, ...fresh, picture_ids: [one.id, two.id] })
    const response = await save(product, { price: '99', picture_ids: [two.id, one.id], further_category_ids: [cattle] })
    expect(response).toMatchObject({
      status: 200,
      body: { product: { price: 99, version: 2, pictures: [{ image_id: two.id }, { image_id: one.id }], further_category_ids: [cattle] } },
    })
    expect((await log())[1]).toEqual({
      action: 'changed',
      before: { price: 120.5, pictures: [one.id, two.id], further_category_ids: [] },
      after: { price: 99, pictures: [two.id, one.id], further_category_ids: [cattle] },
    })
  })

  it('of pictures only raises the version too, and is shown immediately', async () => {
    const product = await created({ ...goods, ...fresh })
    await inShop(product.id)
    const picture = await buildImage(db)
    expect(((await save(product, { picture_ids: [picture.id] })).body as unknown as { product: ProductDetails }).product.version).toBe(2)
    expect((await inShop(product.id)).images).toHaveLength(1)
  })

  it('by two clerks concurrently: the second is a conflict, and the first is stored', async () => {
    const product = await created({ ...goods, ...fresh })
    const responses = await Promise.all(['A', 'B'].map((name_en) => save(product, { name_en })))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await log()).filter(({ action }) => action === 'changed')).toHaveLength(1)
  })

  it('does not overwrite stock that was sold in between', async () => {
    const area = await buildArea(db)
    const product = await created({ ...goods, ...fresh })
    expect((await shop.visitor().post('/customer-orders', orderBody(area.id, [[product.id, 5]]))).status).toBe(200)
    expect((await save(product, { name_en: 'Langra' })).body).toMatchObject({ product: { state: { stock: 20.5 } } })
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

  it('a free animal that is set to sold and back has stock movements', async () => {
    await rate(200_000, 550)
    const product = await created(cow)
    const before = await countStock(db)
    const sold = ((await save(product, { status: 'sold' })).body as unknown as { product: ProductDetails }).product
    expect(sold.state.stock).toBe(0)
    await expectInvariants(db, before)
    expect((await save(sold, { status: 'in-stock' })).body).toMatchObject({ product: { state: { stock: 1 } } })
    await expectInvariants(db, before)
  })

  it('of an unknown product is 404', async () => {
    const product = await created({ ...goods, ...fresh })
    expect((await clerk.post('/admin/products/999999999', bodyOf(product))).status).toBe(404)
  })
})
