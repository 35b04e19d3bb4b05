import { sql } from 'kysely'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { orderedByShopper, signedIn } from '#features/orders/testing/admin-shop.ts'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildCategory } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import { storeSettings } from '#test/settings.ts'

// Delivery dates of many products: the one with which animals of Kurbani begin, and the bulk change.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})
const owner = await signedIn(shop, 'owner')
const { id: kurbani } = await buildCategory(db, { key: 'kurbani', delivery_group: 'cattle', name_en: 'Sacrifice' })
const { id: beef } = await buildCategory(db, { delivery_group: 'cattle', name_en: 'Cattle' })

const home = async () => (await shop.get('/', { accept: 'text/html' })).text

interface Planned {
  lines: { before: unknown; after: unknown }[]
  previewHash: string
  done: boolean
}
/** Previews a change and applies it. */
async function apply(path: string, body: object): Promise<Planned> {
  const { previewHash } = (await owner.post(path, body)).body as unknown as Planned
  const done = await owner.post(path, { ...body, previewHash })
  expect(done.status).toBe(200)
  return done.body as unknown as Planned
}
const dates = async (ids: number[]) => {
  const rows = await db.selectFrom('products').select(['delivery_on']).where('id', 'in', ids).orderBy('id').execute()
  return rows.map((row) => row.delivery_on)
}
beforeEach(() =>
  storeSettings(db, home, { kurbani: { ...DEFAULT_SETTINGS.kurbani, deliveryFrom: '2090-05-12', deliveryTo: '2090-05-16' } }),
)

const HEAD = 'Kind,Category,Name in English,Name in Bengali,Tag number,Price,Sold by live weight,Delivery date,Weight in kg,Weighed on\n'
const imported = async (...rows: string[]) => {
  const { body } = await owner.post('/admin/products/import', { csv: HEAD + rows.join('\n') })
  expect((body as { lines?: { errors: unknown[] }[] }).lines?.flatMap((line) => line.errors)).toEqual([])
  await apply('/admin/products/import', { csv: HEAD + rows.join('\n') })
  const found = await sql<{ tag_number: string; delivery_on: string | null }>`
    select tag_number, delivery_on from products where tag_number like 'T-%' order by id desc limit ${rows.length}`.execute(db)
  return Object.fromEntries(found.rows.map(({ tag_number, delivery_on }) => [tag_number, delivery_on]))
}

it('new animals of Kurbani in a CSV come on the first day of the season, unless they have a date of their own', async () => {
  expect(
    await imported(
      'animal,Sacrifice,Red cow,লাল গরু,T-1,90000,no,,250,2026-11-01',
      'animal,Sacrifice,Black cow,কালো গরু,T-2,90000,no,2090-04-01,250,2026-11-01',
      'animal,Cattle,Bull,ষাঁড়,T-3,90000,no,,250,2026-11-01',
    ),
  ).toEqual({ 'T-1': '2090-05-12', 'T-2': '2090-04-01', 'T-3': null })
})

it('a stored animal whose cell is empty stays without a date, and the season that has begun gives none', async () => {
  const animal = await buildAnimal(db, { category_id: kurbani, sold_by_live_weight: false })
  await apply('/admin/products/import', { csv: `Number,Name in English,Delivery date\n${animal.id},Brown cow,\n` })
  expect(await dates([animal.id])).toEqual([null])
  await storeSettings(db, home, { kurbani: { ...DEFAULT_SETTINGS.kurbani, deliveryFrom: '2020-05-12', deliveryTo: '2090-05-16' } })
  expect(await imported('animal,Sacrifice,Late cow,গরু,T-4,90000,no,,250,2026-11-01')).toEqual({ 'T-4': null })
})

it('the delivery date of several products changes together, with the orders that hold them', async () => {
  const area = await buildArea(db, { produce: 80, cattle: 1500 })
  const { id: order, cow } = await orderedByShopper(shop, area.id)
  const other = await buildAnimal(db, { category_id: beef, delivery_on: '2090-06-01' })
  const deliverOn = async () =>
    (await db.selectFrom('orders').select('deliver_on').where('id', '=', order).executeTakeFirstOrThrow()).deliver_on
  const today = await deliverOn()
  const input = { what: 'delivery_on', ids: [cow, other.id] }
  const { lines } = await apply('/admin/products/bulk', { ...input, delivery_on: '2090-05-12' })
  expect(lines).toMatchObject([
    { before: '', after: '2090-05-12', refused: null },
    { before: '2090-06-01', after: '2090-05-12', refused: null },
  ])
  expect([await dates(input.ids), await deliverOn()]).toEqual([['2090-05-12', '2090-05-12'], '2090-05-12'])
  await apply('/admin/products/bulk', { ...input, delivery_on: '' })
  expect([await dates(input.ids), await deliverOn()]).toEqual([[null, null], today])
  const wrong = await Promise.all(
    ['2090-02-30', '2091-13-01', 7, undefined].map((day) => owner.post('/admin/products/bulk', { ...input, delivery_on: day })),
  )
  expect(wrong.map(({ status }) => status)).toEqual([422, 422, 422, 422])
})
