import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { storeBody } from '#features/orders/testing/admin-shop.ts'
import { buildAnimal, buildArea, buildImage, buildProduct, orderBody } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import type { ProductDetails } from './product-editor-queries.server.ts'
import { openCatalog } from './testing/catalog.ts'

// Actions on products: counting stock, archiving, copying, health records, bulk changes.

const { db, shop, clerk, cattle, goods, cow, rate, created, save, log, fresh } = await openCatalog()

describe('the stock', () => {
  const enter = (id: number, body: object) => clerk.post(`/admin/products/${id}/stock`, { note: '', quantity: '', ...body })
  it('grows by received quantities, is set by counting, and determines the status', async () => {
    const { id } = await created({ ...goods, ...fresh, stock: '0' })
    const before = await countStock(db)
    expect((await enter(id, { kind: 'received', quantity: '১০.৫' })).body).toMatchObject({
      product: { status: 'in-stock', state: { stock: 10.5 } },
    })
    expect((await enter(id, { kind: 'counted', quantity: '0', note: 'rotten' })).body).toMatchObject({
      product: { status: 'out-of-stock' },
      movements: [{ delta: -10.5 }, {}],
    })
    expect((await log()).at(-1)).toMatchObject({ before: { stock: 10.5 }, after: { stock: 0, note: 'rotten' } })
    await expectInvariants(db, before)
    expect((await enter(id, { kind: 'uncounted' })).body).toMatchObject({ product: { state: { stock: null } } })
  })

  it('has movements: initial stock, adjustments with staff member and note, orders with neither', async () => {
    const { id } = await created({ ...goods, ...fresh, stock: '25.5' })
    const { rows } = await sql<{ name: string }>`select name from users where role = 'owner' order by id desc limit 1`.execute(db)
    const by = rows[0]!.name
    await enter(id, { kind: 'received', quantity: '4', note: ' Second cart\nfrom Rajshahi ' })
    const area = await buildArea(db)
    await clerk.post('/admin/orders/store', storeBody(area.id, [[id, 5]]))
    const { body } = await enter(id, { kind: 'counted', quantity: '20', note: '' })
    expect((body as { movements: object[] }).movements).toMatchObject([
      { delta: -4.5, reason: 'counted', by, note: null },
      { delta: -5, reason: 'ordered', by: null, note: null },
      { delta: 4, reason: 'received', by, note: expect.stringContaining('Second cart') },
      { delta: 25.5, reason: 'initial', by, note: null },
    ])
    const untracked = await created({ ...goods, ...fresh, name_en: 'Langra', barcode: '', stock: '' })
    expect((await enter(untracked.id, { kind: 'received', quantity: '1' })).body).toMatchObject({ movements: [{ reason: 'received' }] })
  })

  it('entered twice, or by another clerk, is a conflict with the current stock', async () => {
    const { id } = await created({ ...goods, ...fresh, stock: '5' })
    const newest = (response: { body: object }) =>
      Math.max(...(response.body as { movements: { id: number }[] }).movements.map((one) => one.id))
    const first = await enter(id, {
      kind: 'received',
      quantity: '10',
      lastEntryId: newest(await enter(id, { kind: 'received', quantity: '1' })),
    })
    expect(first.body).toMatchObject({ product: { state: { stock: 16 } } })
    const before = newest(first)
    const twice = await Promise.all([1, 2].map(() => enter(id, { kind: 'received', quantity: '4', lastEntryId: before })))
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 409])
    const conflict = twice.find(({ status }) => status === 409)!
    expect(conflict.body).toMatchObject({
      product: { state: { stock: 20 } },
      movements: [{ delta: 4, reason: 'received' }, {}, {}, { reason: 'initial' }],
    })
    expect((await enter(id, { kind: 'counted', quantity: '7', lastEntryId: before })).status).toBe(409)
    // An order in between is no conflict: received quantities are added to the current stock.
    const area = await buildArea(db)
    expect((await clerk.post('/admin/orders/store', storeBody(area.id, [[id, 5]]))).status).toBe(200)
    const last = await enter(id, { kind: 'received', quantity: '1', lastEntryId: newest(conflict) })
    expect(last.body).toMatchObject({ product: { state: { stock: 16 } } })
    for (const lastEntryId of [-1, 1.5, '1', null, 1e300])
      expect((await enter(id, { kind: 'received', quantity: '1', lastEntryId })).status).toBe(422)
  })

  it('adds up concurrently received quantities', async () => {
    const { id } = await created({ ...goods, ...fresh })
    await Promise.all(['10', '20', '30'].map((quantity) => enter(id, { kind: 'received', quantity })))
    expect((await sql<{ stock_milli: number }>`select stock_milli from products where id = ${id}`.execute(db)).rows[0]?.stock_milli).toBe(
      85_500,
    )
  })

  it('rejects invalid quantities', async () => {
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

describe('archiving', () => {
  const setArchived = (id: number, action: string) => clerk.post(`/admin/products/${id}/${action}`, {})
  it('hides a product immediately, keeps orders and the public card, and restores it hidden', async () => {
    const area = await buildArea(db)
    const animal = await buildAnimal(db, { category_id: cattle })
    await shop.visitor().post('/customer-orders', orderBody(area.id, [[animal.id, 1]]))
    expect((await setArchived(animal.id, 'archive')).status).toBe(200)
    expect((await setArchived(animal.id, 'archive')).status).toBe(200)
    expect((await shop.get(`/product/${animal.id}`, { accept: 'text/html' })).status).toBe(410)
    expect((await shop.get(`/animal/${animal.id}`, { accept: 'text/html' })).status).toBe(200)
    expect((await sql`select 1 from order_lines where product_id = ${animal.id}`.execute(db)).rows).toHaveLength(1)
    const list = async (query: string) =>
      pageProps<{ list: { rows: { id: number }[] } }>(
        (await clerk.get(`/admin/products${query}`, { accept: 'text/html' })).text,
      ).list.rows.map((row) => row.id)
    expect([await list(''), await list('?visibility=archived')]).toEqual([[], [animal.id]])
    const saved = await clerk.get('/admin/products?kind=animal&shelf=archived', { accept: 'text/html' })
    expect(saved.headers.location, 'a filter saved under the earlier name').toBe('/admin/products?kind=animal&visibility=archived')
    expect((await setArchived(animal.id, 'restore')).body).toMatchObject({ product: { visible: false, state: { isArchived: false } } })
    expect((await log()).map(({ action }) => action)).toEqual(['archived', 'restored'])
    await expectInvariants(db)
  })

  it('prevents publishing until it is restored', async () => {
    const product = await created({ ...goods, ...fresh })
    const away = ((await setArchived(product.id, 'archive')).body as unknown as { product: ProductDetails }).product
    expect((await save(away, { visible: true })).body.errors).toEqual({ visible: ['Archived. Restore it first.'] })
  })
})

describe('copying', () => {
  const copy = (id: number, tag_number: string | null = null) => clerk.post(`/admin/products/${id}/copy`, { tag_number })
  it('creates a hidden product with the pictures, without barcode, stock and weigh-ins', async () => {
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
      state: { stock: 0 },
    })
    await expectInvariants(db)
  })

  it('of an animal needs a new tag', async () => {
    await rate(200_000, 550)
    const product = await created(cow)
    expect((await copy(product.id)).body.errors).toEqual({ tag_number: ['This field is required.'] })
    expect((await copy(product.id, 'k-12')).body.errors).toEqual({ tag_number: [expect.stringMatching(/^Another animal has this tag/)] })
    expect((await copy(product.id, 'K-13')).status).toBe(200)
    expect((await copy(999_999_999, 'K-14')).status).toBe(404)
    await expectInvariants(db)
  })

  it('of an animal by live weight is not published at the price of its original: it is weighed first', async () => {
    await rate(200_000, 550)
    const { body } = await copy((await created(cow)).id, 'K-13')
    const { id } = body as unknown as { id: number }
    const record = async () =>
      pageProps<{ product: ProductDetails }>((await clerk.get(`/admin/products/${id}`, { accept: 'text/html' })).text).product
    expect((await save(await record(), { note_en: 'Calf' })).status).toBe(200)
    expect((await save(await record(), { visible: true })).body.errors).toEqual({
      visible: ['Weigh it first: the price follows the weight.'],
    })
    const publish = { what: 'visible', visible: true, ids: [id] }
    expect((await clerk.post('/admin/products/bulk', publish)).body).toMatchObject({ lines: [{ refused: 'products.weight-missing' }] })
    const weighIn = { weight_kg: '200', weighed_on: '2026-11-20', method: 'scale', weighed_by: 'Karim' }
    expect((await clerk.post(`/admin/animals/${id}/weigh-ins`, weighIn)).status).toBe(200)
    expect((await clerk.post('/admin/products/bulk', publish)).body).toMatchObject({ lines: [{ refused: null }] })
    expect((await save(await record(), { visible: true })).body).toMatchObject({ product: { price: 110_000, visible: true } })
  })
})

describe('health records', () => {
  const record = { on_day: '2026-11-01', kind: 'vaccination', what_en: 'Anthrax', what_bn: '', vet: 'Dr Karim', image_id: null }
  it('are added, shown on the card, and deleted', async () => {
    const animal = await buildAnimal(db, { category_id: cattle })
    const added = await clerk.post(`/admin/products/${animal.id}/health`, record)
    const [first] = (added.body as unknown as { records: { id: number }[] }).records
    expect((await shop.get(`/animal/${animal.id}`, { accept: 'text/html' })).text).toContain('Anthrax')
    const other = await buildAnimal(db, { category_id: cattle })
    const remove = async (animalId: number) =>
      clerk.send('DELETE', `/admin/products/${animalId}/health/${first?.id}`, undefined, {
        headers: { accept: 'application/json', 'x-csrf-token': await clerk.token() },
      })
    expect((await remove(other.id)).status).toBe(404)
    expect((await remove(animal.id)).body).toEqual({ records: [] })
    expect((await log()).map(({ after }) => after)).toMatchObject([{ health: { what_en: 'Anthrax' } }, { health: null }])
  })
  it('are rejected when they are empty, in the future, or not for an animal', async () => {
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

describe('bulk changes', () => {
  interface Lines {
    lines: { id: number; before: unknown; after: unknown; refused: string | null }[]
    previewHash: string
    done: boolean
  }
  const bulk = async (body: object) => {
    const response = await clerk.post('/admin/products/bulk', body)
    return { ...response, preview: response.body as unknown as Lines }
  }
  it('preview prices, and then change exactly those', async () => {
    const [a, b] = [await buildProduct(db, { price_poisha: 12_050 }), await buildProduct(db, { price_poisha: 9_900 })]
    const animal = await buildAnimal(db, { category_id: cattle })
    const input = { what: 'price', by: 'percent', amount: '-৫', ids: [a.id, b.id, animal.id] }
    const { preview } = await bulk(input)
    expect(preview.lines.map(({ before, after, refused }) => [before, after, refused])).toEqual([
      [120.5, 114, null],
      [99, 94, null],
      [110_000, 110_000, 'products.price-by-weight'],
    ])
    expect(await log()).toEqual([])
    expect((await bulk({ ...input, previewHash: preview.previewHash })).preview.done).toBe(true)
    expect(
      (await sql<{ price_poisha: number }>`select price_poisha from products order by id`.execute(db)).rows.map((row) => row.price_poisha),
    ).toEqual([11_400, 9_400, 11_000_000])
    expect(await log()).toHaveLength(2)
    expect((await bulk({ ...input, previewHash: preview.previewHash })).status).toBe(409)
  })

  it('are a conflict after another change', async () => {
    const { id } = await buildProduct(db, { price_poisha: 10_000 })
    const input = { what: 'price', by: 'taka', amount: '৳১০', ids: [id] }
    const { preview } = await bulk(input)
    await sql`update products set price_poisha = 20000 where id = ${id}`.execute(db)
    const late = await bulk({ ...input, previewHash: preview.previewHash })
    expect([late.status, late.preview.lines[0]?.after]).toEqual([409, 210])
  })

  it('do not set a status that contradicts an order or the stock', async () => {
    const area = await buildArea(db)
    const [booked, free] = [await buildAnimal(db, { category_id: cattle }), await buildAnimal(db, { category_id: cattle })]
    const counted = await buildProduct(db, { stock_milli: 0, status: 'out-of-stock' })
    await shop.visitor().post('/customer-orders', orderBody(area.id, [[booked.id, 1]]))
    const input = { what: 'status', status: 'in-stock', ids: [booked.id, free.id, counted.id] }
    const { preview } = await bulk(input)
    expect(preview.lines.map(({ refused }) => refused)).toEqual(['products.claimed', null, 'products.count-says'])
    await bulk({ ...input, status: 'sold', previewHash: (await bulk({ ...input, status: 'sold' })).preview.previewHash })
    await expectInvariants(db)
  })

  it('put an animal that was not sold after all on sale at the rate of now', async () => {
    const of = (more: object) =>
      buildAnimal(db, { category_id: cattle, weight_grams: 200_000, price_poisha: 11_000_000, season: 's', ...more })
    const gone = [
      await of({ status: 'sold' }),
      await of({ status: 'sold', season: 'none' }),
      await of({ status: 'sold', discount_kind: 'fixed', discount_value: 10_900_000 }),
    ]
    const ids = gone.map(({ id }) => id)
    await sql`insert into rate_tiers (category_id, season, from_grams, poisha_per_kg) values (${cattle}, 's', 100000, 50000)`.execute(db)
    const input = { what: 'status', status: 'in-stock', ids }
    await bulk({ ...input, previewHash: (await bulk(input)).preview.previewHash })
    const { rows } = await sql<{
      price: number
    }>`select price_poisha as price from products where id = any(${ids}::bigint[]) order by id`.execute(db)
    expect(rows.map(({ price }) => price)).toEqual([10_000_000, 11_000_000, 11_000_000])
    expect((await log())[0]).toMatchObject({ before: { price: 110_000 }, after: { status: 'in-stock', price: 100_000 } })
  })

  it('do not show a product with the placeholder price or tag of a photograph', async () => {
    const [priced, placeholder, animal] = [
      await buildProduct(db, { price_poisha: 101, visible: false }),
      await buildProduct(db, { price_poisha: 100, visible: false }),
      await buildAnimal(db, { visible: false, tag_number: 'NEW-9' }),
    ]
    const { preview } = await bulk({ what: 'visible', visible: true, ids: [priced.id, placeholder.id, animal.id] })
    expect(preview.lines.map(({ after, refused }) => [after, refused])).toEqual([
      [true, null],
      [false, 'products.price-missing'],
      [false, 'products.tag-draft'],
    ])
  })

  it.each([
    { ids: [] },
    { ids: Array.from({ length: 201 }, (_, i) => i + 1) },
    { amount: 'x' },
    { amount: '0' },
    { by: 'magic' },
    { ids: ['1; drop table products'] },
  ])('reject %j', async (wrong) => {
    expect((await bulk({ what: 'price', by: 'taka', amount: '1', ids: [1], ...wrong })).status).toBe(422)
  })
})
