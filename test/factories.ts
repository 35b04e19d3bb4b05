import { hash as argon2 } from '@node-rs/argon2'
import { type Insertable, type Kysely, sql } from 'kysely'
import type { Database } from '#db/types.ts'
import type { Role } from '#features/auth/sessions.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { randomCode } from '#lib/ids/ids.server.ts'

// Rows for tests: each has all it needs, missing parents are made, and a test sets the values that it checks.

type Row = { id: number }
type ProductRow = Row & { category_id: number; name_en: string; price_poisha: number; tag_number: string | null }

// All numbers have four digits, so that tags sort as texts in the order they were built.
let serial = 1000
const next = () => (serial += 1)
/** The position of an area has at most four digits; one worker may build more rows. */
const MAX_POSITION = 9999

/** Values that tests give are not typed by table, so that a test can write what the database must reject. */
async function insert<T extends Row>(db: Db, table: keyof Database, values: Record<string, unknown>): Promise<T> {
  const rows = db as unknown as Kysely<Record<string, Record<string, unknown>>>
  return (await rows.insertInto(table).values(values).returningAll().executeTakeFirstOrThrow()) as T
}

/** Inserts a category, or updates the one with the same `key`, `slug` or `id`: every database has four. */
export async function buildCategory(db: Db, overrides: Record<string, unknown> = {}): Promise<Row & { slug: string }> {
  const number = next()
  const delivery_group = ['beef', 'kurbani'].includes(String(overrides.key)) ? ('cattle' as const) : ('produce' as const)
  const names = { slug: `category-${number}`, name_en: `Category ${number}`, name_bn: `বিভাগ ${number}` }
  const row: Record<string, unknown> & Insertable<Database['categories']> = { id: 1000 + number, delivery_group, ...names, ...overrides }
  const known = (['key', 'slug', 'id'] as const).find((name) => overrides[name] !== undefined) ?? 'id'
  return (await db
    .insertInto('categories')
    .values(row)
    .onConflict((conflict) => conflict.column(known).doUpdateSet({ [known]: row[known], ...overrides }))
    .returningAll()
    .executeTakeFirstOrThrow()) as Row & { slug: string }
}

/** The category of this delivery group that factories share. */
async function commonCategory(db: Db, group: 'cattle' | 'produce'): Promise<number> {
  const id = group === 'cattle' ? 901 : 902
  const row = {
    id,
    slug: `any-${group}`,
    name_en: `Any ${group}`,
    name_bn: `যেকোনো ${group}`,
    delivery_group: group,
    cod_allowed: group === 'produce',
  }
  await db
    .insertInto('categories')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return id
}

/** Uncounted mangoes at 120 taka a kg; `stock_milli` counts them. */
export async function buildProduct(db: Db, overrides: Record<string, unknown> = {}): Promise<ProductRow> {
  const number = next()
  const standard = { name_en: `Mango ${number}`, name_bn: `আম ${number}`, price_poisha: 12_000, unit: 'kg', shipping_poisha: 8000 }
  const category_id = overrides.category_id ?? (await commonCategory(db, 'produce'))
  return insert(db, 'products', { ...standard, ...overrides, category_id })
}

/** A cow in stock at 110,000 taka with 1,500 taka delivery and an advance of 10,000. */
export async function buildAnimal(db: Db, overrides: Record<string, unknown> = {}): Promise<ProductRow> {
  const number = next()
  const standard = {
    name_en: `Cow ${number}`,
    name_bn: `গরু ${number}`,
    price_poisha: 11_000_000,
    unit: 'piece',
    is_unique: true,
    stock_milli: 1000,
    tag_number: `C-${number}`,
    shipping_poisha: 150_000,
    advance_minimum_poisha: 1_000_000,
    weight_grams: 200_000,
    sold_by_live_weight: true,
  }
  const category_id = overrides.category_id ?? (await commonCategory(db, 'cattle'))
  return buildProduct(db, { ...standard, ...overrides, category_id })
}

/** An area; charges in taka, 'closed', or left out where the product's own holds. */
export async function buildArea(
  db: Db,
  { cattle, produce, ...overrides }: { cattle?: number | 'closed'; produce?: number | 'closed' } & Record<string, unknown> = {},
): Promise<Row> {
  const number = next()
  const names = { name_en: `Area ${number}`, name_bn: `এলাকা ${number}` }
  const area = await insert(db, 'areas', { ...names, position: number % MAX_POSITION, ...overrides })
  for (const [group, charge] of [
    ['cattle', cattle],
    ['produce', produce],
  ] as const) {
    if (charge === undefined) continue
    const isOpen = charge !== 'closed'
    const row = { area_id: area.id, delivery_group: group, is_open: isOpen, charge_poisha: isOpen ? Number(charge) * 100 : null }
    await db.insertInto('area_charges').values(row).execute()
  }
  return area
}

export const TEST_PASSWORD = 'a long enough password'

// Checks take the cost of the stored hash, so a cheap one makes sign-ins cheap. Tests of hashing itself set `password_hash`.
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 }

/** A person who can sign in with `TEST_PASSWORD`; `password: null` is a guest who has only ordered. */
export async function buildUser(
  db: Db,
  { password = TEST_PASSWORD, ...overrides }: { role?: Role; password?: string | null } & Record<string, unknown> = {},
): Promise<Row & { phone: string; role: Role }> {
  const number = next()
  const hash = password === null ? null : await argon2(password, CHEAP)
  return insert(db, 'users', { name: `Person ${number}`, phone: `018${String(10_000_000 + number)}`, password_hash: hash, ...overrides })
}

/** A coupon of 10 % on everything; `product_ids` and `category_ids` are what its scope lists. */
export async function buildCoupon(
  db: Db,
  { product_ids = [], category_ids = [], ...overrides }: { product_ids?: number[]; category_ids?: number[] } & Record<string, unknown> = {},
): Promise<Row & { code: string }> {
  const percent_bp = (overrides.kind ?? 'percentage') === 'percentage' ? 1000 : 0
  const coupon = await insert<Row & { code: string }>(db, 'coupons', { code: `EID${next()}`, kind: 'percentage', percent_bp, ...overrides })
  for (const product_id of product_ids) await db.insertInto('coupon_products').values({ coupon_id: coupon.id, product_id }).execute()
  for (const category_id of category_ids) await db.insertInto('coupon_categories').values({ coupon_id: coupon.id, category_id }).execute()
  return coupon
}

/** A default address of a customer. */
export async function buildAddress(db: Db, customer_id: number, area_id: number, overrides: Record<string, unknown> = {}): Promise<Row> {
  return insert(db, 'addresses', { customer_id, area_id, name: 'Farhana', address: 'House 12, Road 7A', is_default: true, ...overrides })
}

export async function buildImage(db: Db, overrides: Record<string, unknown> = {}): Promise<Row> {
  const token = `test${randomCode(20).toLowerCase()}`
  return insert(db, 'images', { token, width: 800, height: 600, widths: [160, 800], placeholder: 'data:,', ...overrides })
}

export async function buildPopup(db: Db, overrides: Record<string, unknown> = {}): Promise<Row> {
  const image_id = overrides.image_id ?? (await buildImage(db)).id
  return insert(db, 'popups', {
    alt_en: 'Campaign',
    alt_bn: 'প্রচার',
    link: '/kurbani',
    starts_at: sql`'2020-01-01'`,
    ...overrides,
    image_id,
  })
}

export type OrderBody = {
  customer: Record<string, unknown>
  products: Record<string, unknown>[]
  payment_type: string
  payment_gateway: string
} & Record<string, unknown>

/** The body of an order as the shop's own pages send it: a guest who pays all of it at the gateway. */
export function orderBody(
  areaId: number,
  lines: [productId: number, quantity: number][],
  overrides: Record<string, unknown> = {},
): OrderBody {
  return {
    customer: {
      name: 'Rahima Khatun',
      email: 'rahima@customer.example',
      phone: `017${String(10_000_000 + next())}`,
      alternate_phone: '',
      address: 'House 5, Road 3',
      landmark: 'Beside the mosque',
      note: '',
      area_id: areaId,
    },
    products: lines.map(([product_id, quantity]) => ({ product_id, quantity, coupon: null })),
    couponFreeShipping: 0,
    couponDiscountAmount: 0,
    payment_type: 'full',
    payment_gateway: 'pgw',
    is_free_order: false,
    ...overrides,
  }
}

/** The fields of the order form without scripts (`POST /order-store`). */
export function legacyOrderBody(areaId: number, productId: number, overrides: Record<string, string> = {}): Record<string, string> {
  return {
    full_name: 'Karim',
    phone: `017${String(40_000_000 + next())}`,
    email: 'k@customer.example',
    quantity: '5',
    delivery_address: 'Road 1',
    landmark: 'Mosque',
    area: String(areaId),
    pid: String(productId),
    shipping_cost: '80',
    payment_gateway: 'pgw',
    ...overrides,
  }
}

/** One body for each key: an order that is sent again because its answer was lost has the same one. */
export function orderBodyByKey(build: () => OrderBody): (key: string) => OrderBody {
  const bodies = new Map<string, OrderBody>()
  return (key) => {
    const body = bodies.get(key) ?? build()
    bodies.set(key, body)
    return body
  }
}

/** Opens a shop whose database was made by a first start: such a shop is closed until its owner opens it. */
export async function openToVisitors(db: Db): Promise<void> {
  await sql`delete from settings where key = 'opening'`.execute(db)
}
