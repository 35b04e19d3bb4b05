import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { DEFAULT_LISTING } from '#features/catalog/listing-query-rules.ts'
import { weightPrice } from './products/live-weight-rules.ts'
import { weightField } from './products/weight-field.ts'
import { ratePreviewBody } from '#features/cattle/rates/forms.ts'
import { MAX_SEASON_LENGTH } from '#features/settings/limits.ts'
import { SETTINGS_FORMS } from '#features/settings/forms.ts'
import { productFields } from './products/field-values.ts'
import { newProductBody } from './products/forms.ts'
import { storeOrderBody } from '#features/orders/editing/forms.ts'
import { couponForm } from '#features/pricing/coupons/forms.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildCategory, buildCoupon, buildUser } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { newAreaBody } from './areas/forms.ts'
import { newCategoryBody } from './categories/forms.ts'
import * as limits from './limits.ts'
import { newSlotBody } from './slots/forms.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const clerk = shop.visitor()
await clerk.signIn((await buildUser(db, { role: 'owner' })).phone)

const category = await buildCategory(db, { delivery_group: 'cattle' })
await buildAnimal(db, { category_id: category.id })
await buildArea(db)
await buildCoupon(db, { kind: 'others', value_poisha: 100 })
await sql`insert into slots (name_en, name_bn) values ('Slot', 'তাক')`.execute(db)
await sql`insert into rate_tiers (category_id, season, from_grams, poisha_per_kg) values (${category.id}, '', 0, 100)`.execute(db)

/** Whether the database accepts a value; false for a violated CHECK constraint. */
async function isStored(table: string, column: string, value: unknown): Promise<boolean> {
  try {
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value}`.execute(db)
    return true
  } catch (error) {
    if ((error as { code?: string }).code === '23514') return false
    throw error
  }
}

const isAccepted = (field: z.ZodType, value: unknown) => field.safeParse(value).success

/** The `maxlength` of a field in the HTML of a page. */
async function maxLengthOn(page: string, name: string): Promise<number> {
  const { text } = await clerk.get(page, { accept: 'text/html' })
  const [field = ''] = new RegExp(`<(input|textarea)[^>]* name="${name}"[^>]*>`).exec(text) ?? []
  return Number(/maxlength="(\d+)"/i.exec(field)?.[1])
}

const { shape: areaFields } = newAreaBody
const { shape: slotFields } = newSlotBody
const { shape: categoryFields } = newCategoryBody
const { MAX_NAME_LENGTH, MAX_PRODUCT_NAME_LENGTH, MAX_CATEGORY_TEXT_LENGTH, MAX_PRICE, MAX_PRICE_TAKA } = limits

describe.each<[string, number, z.ZodType, string, string, string]>([
  ['the English name of a category', MAX_NAME_LENGTH, categoryFields.name_en, 'categories.name_en', '/admin/category/create', 'name_en'],
  ['the Bengali name of a category', MAX_NAME_LENGTH, categoryFields.name_bn, 'categories.name_bn', '/admin/category/create', 'name_bn'],
  [
    'the text of a category',
    MAX_CATEGORY_TEXT_LENGTH,
    categoryFields.description,
    'categories.description',
    '/admin/category/create',
    'description',
  ],
  ['the English name of an area', MAX_NAME_LENGTH, areaFields.name_en, 'areas.name_en', '/admin/areas/create', 'name_en'],
  ['the Bengali name of an area', MAX_NAME_LENGTH, areaFields.name_bn, 'areas.name_bn', '/admin/areas/create', 'name_bn'],
  ['the English name of a slot', MAX_NAME_LENGTH, slotFields.name_en, 'slots.name_en', '/admin/slots/create', 'name_en'],
  ['the Bengali name of a slot', MAX_NAME_LENGTH, slotFields.name_bn, 'slots.name_bn', '/admin/slots/create', 'name_bn'],
  [
    'the English name of a product',
    MAX_PRODUCT_NAME_LENGTH,
    productFields.name_en,
    'products.name_en',
    '/admin/products/create',
    'name_en',
  ],
  [
    'the Bengali name of a product',
    MAX_PRODUCT_NAME_LENGTH,
    newProductBody.shape.name_bn,
    'products.name_bn',
    '/admin/products/create',
    'name_bn',
  ],
  ['the season of a rate', MAX_SEASON_LENGTH, ratePreviewBody.shape.season, 'rate_tiers.season', '/admin/rates/edit', 'season'],
  ['the season of a product', MAX_SEASON_LENGTH, productFields.season, 'products.season', '', ''],
  [
    'the season in the settings',
    MAX_SEASON_LENGTH,
    SETTINGS_FORMS.animals.shape.kurbani.shape.season,
    'products.season',
    '/admin/settings?part=animals',
    'kurbani.season',
  ],
])('%s', (_name, max, field, columnPath, page, name) => {
  const [table = '', column = ''] = columnPath.split('.')

  // Characters outside the basic plane count once, in the form and in the database.
  it.each(['x', 'ক', '🐄'])('has the same maximum of %s in the form and in the database', async (letter) => {
    expect([isAccepted(field, letter.repeat(max)), isAccepted(field, letter.repeat(max + 1))]).toEqual([true, false])
    expect([await isStored(table, column, letter.repeat(max)), await isStored(table, column, letter.repeat(max + 1))]).toEqual([
      true,
      false,
    ])
  })

  it.runIf(page !== '')('has the same maximum in the browser', async () => {
    expect(await maxLengthOn(page, name)).toBe(max)
  })
})

describe('a price', () => {
  const line = { product_id: 1, quantity: 1, base_price: 1 }
  it.each<[string, (taka: string) => boolean, string | null]>([
    ['of a product', (taka) => isAccepted(productFields.price, taka), 'products.price_poisha'],
    ['a delivery charge of a product', (taka) => isAccepted(productFields.shipping_cost, taka), null],
    ['an advance', (taka) => isAccepted(productFields.advance_minimum, taka), null],
    ['the value of a coupon', (taka) => isAccepted(couponForm.shape.value, taka), 'coupons.value_poisha'],
    ['the charge of an area', (taka) => isAccepted(areaFields.cattle, { kind: 'set', charge: taka }), null],
    [
      'of a line that the staff price',
      (taka) => isAccepted(storeOrderBody.shape.products, [{ ...line, price_on_order: taka }]),
      'products.price_poisha',
    ],
  ])('%s has one maximum', async (_name, takes, columnPath) => {
    const over = (MAX_PRICE_TAKA + 0.01).toFixed(2)
    expect([takes(String(MAX_PRICE_TAKA)), takes(over)]).toEqual([true, false])
    if (columnPath === null) return
    const [table = '', column = ''] = columnPath.split('.')
    expect([await isStored(table, column, MAX_PRICE), await isStored(table, column, MAX_PRICE + 1)]).toEqual([true, false])
  })

  it('has the same maximum in lists', () => {
    expect(DEFAULT_LISTING.maxPrice).toBe(MAX_PRICE_TAKA)
  })

  it('by live weight never exceeds it, at the highest rate and weight', async () => {
    const tier = (per_kg: number) => isAccepted(ratePreviewBody.shape.tiers, [{ from_kg: '0', per_kg: String(per_kg) }])
    expect([tier(limits.MAX_RATE / 100), tier(limits.MAX_RATE / 100 + 0.01)]).toEqual([true, false])
    expect([isAccepted(weightField, limits.MAX_ANIMAL_KG), isAccepted(weightField, limits.MAX_ANIMAL_KG + 0.001)]).toEqual([true, false])
    const grams = limits.MAX_ANIMAL_KG * 1000
    expect([await isStored('products', 'weight_grams', grams), await isStored('products', 'weight_grams', grams + 1)]).toEqual([
      true,
      false,
    ])
    expect(weightPrice(grams, limits.MAX_RATE)).toBe(MAX_PRICE)
  })
})

describe('over the limit', () => {
  it('a coupon is rejected at its field, not by the database', async () => {
    const coupon = { code: 'TOOMUCH', kind: 'others', value: '100000000.01' }
    const response = await clerk.post('/admin/coupons/store', coupon)
    expect([response.status, Object.keys(response.body.errors ?? {})]).toEqual([422, ['value']])
  })

  it('a table of rates with the longest season of a product can be opened', async () => {
    const season = 'স'.repeat(MAX_SEASON_LENGTH)
    await sql`insert into rate_tiers (category_id, season, from_grams, poisha_per_kg) values (${category.id}, ${season}, 0, 52000)`.execute(
      db,
    )
    const page = await clerk.get(`/admin/rates/edit?category=${category.id}&season=${encodeURIComponent(season)}`, { accept: 'text/html' })
    expect([page.status, page.text.includes(season)]).toEqual([200, true])
  })

  it.each<[string, number]>([
    ['%00', 422],
    ['x'.repeat(3000), 404],
    ['%ED%A0%80', 404],
  ])('a season of %.20j in the URL is not found', async (season, status) => {
    const page = await clerk.get(`/admin/rates/edit?category=${category.id}&season=${season}`, { accept: 'text/html' })
    expect(page.status).toBe(status)
  })
})
