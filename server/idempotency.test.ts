import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { blankProduct } from '#features/catalog/products/blank-product.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildCategory, buildImage, buildProduct, buildUser } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { deleteExpiredRows } from './jobs.ts'

// A second press after a lost answer makes no second row, whatever the admin makes.

const { db, url } = await testDb({ max: 16 })
const shop = await openShop({ databaseUrl: url, max: 16 })
afterAll(() => expect(shop.failures).toEqual([]))
const clerk = shop.visitor()
await clerk.signIn((await buildUser(db, { role: 'owner' })).phone)

const category = await buildCategory(db)
const [honey, cow, image, rahima] = [
  await buildProduct(db),
  await buildAnimal(db, { sold_by_live_weight: false }),
  await buildImage(db),
  await buildUser(db),
]
await clerk.post('/admin/quick-orders/shift/open', { opening_cash: '5000' })

const product = { ...blankProduct('goods'), category_id: category.id, name_en: 'Guava', name_bn: 'পেয়ারা', price: '120', stock: '5' }
const popup = { image_id: image.id, link: '', alt_en: 'Early', alt_bn: 'আগে', starts_at: '2020-01-01T10:00', ends_at: '', active: true }
const charge = { kind: 'own', charge: null }
const area = { name_en: 'Savar', name_bn: 'সাভার', active: true, position: 5, cattle: charge, produce: charge }
const health = { on_day: '2025-11-01', kind: 'vaccination', what_en: 'Anthrax', what_bn: '', vet: '', image_id: null }
const weighing = { weight_kg: '201', weighed_on: '2025-11-02', method: 'scale', weighed_by: 'Rafiq', confirmed: true }

const MAKES: [what: string, table: string, path: string, body: Record<string, unknown>, other: Record<string, unknown>][] = [
  ['a product', 'products', '/admin/products/store', product, { name_en: 'Other' }],
  ['a copy', 'products', `/admin/products/${honey.id}/copy`, { tag_number: '' }, { tag_number: 'K-9' }],
  ['a health paper', 'health_records', `/admin/products/${cow.id}/health`, health, { what_en: 'Other' }],
  ['a slot', 'slots', '/admin/slots/store', { name_en: 'Fresh', name_bn: 'তাজা', active: true, product_ids: [] }, { name_en: 'Other' }],
  ['a campaign', 'popups', '/admin/popups/store', popup, { alt_en: 'Other' }],
  ['an area', 'areas', '/admin/areas/store', area, { name_en: 'Other' }],
  ['a note', 'customer_notes', `/admin/customers/${rahima.id}/notes`, { note: 'Called, no answer' }, { note: 'Other' }],
  ['a weighing', 'weigh_ins', `/admin/animals/${cow.id}/weigh-ins`, weighing, { weight_kg: '202' }],
  [
    'a move of cash',
    'pos_cash_movements',
    '/admin/quick-orders/shift/cash',
    { direction: 'out', amount: '40', reason: 'Tea' },
    { amount: '50' },
  ],
]

describe.each(MAKES)('%s', (_what, table, path, body, other) => {
  const count = async () => Number((await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db)).rows[0]!.n)
  const send = (key: string, more: object = {}) => clerk.post(path, { ...body, ...more }, { headers: { 'idempotency-key': key } })

  it('is made once for a key, and once more for the next', async () => {
    const key = `first-${path}`
    const before = await count()
    const first = await send(key)
    expect(first.status, first.text).toBe(200)
    const again = await send(key)
    expect([again.status, again.body]).toMatchObject([200, first.body])
    expect(await count()).toBe(before + 1)
    const otherwise = await send(key, other)
    expect([otherwise.status, otherwise.body.message]).toEqual([409, 'This was already saved with different details. Reload the page.'])
    expect((await send(`second-${path}`)).status).toBe(200)
    expect(await count()).toBe(before + 2)
  })
})

it('a key that is none is refused', async () => {
  expect((await clerk.post('/admin/areas/store', area, { headers: { 'idempotency-key': 'short' } })).status).toBe(422)
})

it('keys are forgotten after a day', async () => {
  await clerk.post('/admin/areas/store', area, { headers: { 'idempotency-key': 'of-yesterday' } })
  await clerk.post('/admin/areas/store', area, { headers: { 'idempotency-key': 'of-an-hour-ago' } })
  await sql`update idempotency_keys set sent_at = now() - interval '25 hours' where key like '%:of-yesterday'`.execute(db)
  await deleteExpiredRows({ db, now: () => new Date() })
  const { rows } = await sql<{ key: string }>`select key from idempotency_keys where key like '%:of-%'`.execute(db)
  expect(rows.map(({ key }) => key.split(':')[1])).toEqual(['of-an-hour-ago'])
})
