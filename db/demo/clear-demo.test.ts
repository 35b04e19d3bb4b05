import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeEach, describe, expect, it } from 'vitest'
import { hashPassword } from '#features/auth/passwords.server.ts'
import { readPart } from '#features/settings/queries.server.ts'
import { readSettings } from '#features/settings/settings.server.ts'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import type { Picture } from '#features/catalog/types.ts'
import { openUploads, uploadsFolder, type UploadsPlace } from '#lib/files/uploads.server.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { postFiles } from '#test/multipart.ts'
import { startServer, type TestShop } from '#test/start-server.ts'
import { shared } from '#test/shared.ts'
import { addOrders } from '../bulk/bulk-orders.ts'
import { addProducts } from '../bulk/bulk-products.ts'
import { clearDemo } from './clear-demo.ts'
import { ACCOUNTS, DEMO_PASSWORD } from './people.ts'
import { findPublishedAccounts } from './published-accounts.ts'
import { seedDemo } from './seed-demo.ts'

await shared('pages')
/** All users but that of walk-in sales, whom every shop has. */
const PEOPLE = `users where role <> 'walk-in'`

const { db, url, reset } = await testDb()
const now = new Date()
const count = async (rows: string) => (await sql<{ n: number }>`select count(*)::int as n from ${sql.raw(rows)}`.execute(db)).rows[0]!.n

/** One-byte files in place of pictures. */
async function store({ pictures, uploads }: { pictures: [string, Picture][]; uploads: UploadsPlace }): Promise<void> {
  for (const [, { token, widths }] of pictures)
    for (const width of widths)
      for (const format of ['avif', 'webp']) await writeFile(path.join(uploads.folder, `${token}-${width}.${format}`), 'x')
}

/** A demo shop that runs; what was done in it is real, as is what came later. */
async function inDemo(act: (shop: TestShop) => Promise<void>): Promise<string> {
  const shop = await startServer({ databaseUrl: url })
  try {
    const dataDir = shop.deps.env.dataDir
    await mkdir(path.join(dataDir, 'uploads'), { recursive: true })
    await seedDemo(db, { uploads: uploadsFolder(dataDir), now, store })
    shop.clock.now = new Date(Date.now() + 1000)
    await act(shop)
    expect(shop.failures).toEqual([])
    return dataDir
  } finally {
    await shop.close()
  }
}

const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
const idOf = async (table: string, where: string) =>
  (await sql<{ id: number }>`select id from ${sql.table(table)} where ${sql.raw(where)} order by id limit 1`.execute(db)).rows[0]!.id

async function order(shop: TestShop, productId: number, phone: string, quantity = 1): Promise<number> {
  const area_id = await idOf('areas', `name_en = 'Dhanmondi'`)
  const body = orderBody(area_id, [[productId, quantity]], cash)
  const answer = await shop.visitor().post('/customer-orders', { ...body, customer: { ...(body.customer as object), phone } })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.order_id!
}

beforeEach(reset)

describe('a demo in which nothing was done', () => {
  it('goes whole, with its files; areas, categories, rates and policy texts stay', async () => {
    let files: string[] = []
    const tables = ['areas', 'area_charges', 'categories', 'rate_tiers', 'policy_pages']
    let before: number[] = []
    await inDemo(async (shop) => {
      const { dataDir } = shop.deps.env
      before = await Promise.all(tables.map(count))
      expect(existsSync(path.join(dataDir, 'uploads/k-101.mp4'))).toBe(true)
      const trial = await clearDemo(db, { uploads: openUploads(uploadsFolder(dataDir)), now, allOrders: false, isTrial: true })
      expect([await count('orders'), await count(`settings where key = 'demo_shop' and value = 'true'`)]).toEqual([12, 1])
      const report = await clearDemo(db, { uploads: openUploads(uploadsFolder(dataDir)), now, allOrders: false })
      expect(report).toEqual(trial)
      expect(report).toEqual({
        removed: { orders: 12, products: expect.any(Number), people: 10, coupons: 6, pictures: expect.any(Number) },
        remaining: { orders: 0, products: 0, disabledAccounts: [], passwordsRemoved: [] },
      })
      files = await readdir(path.join(dataDir, 'uploads'))
    })
    expect(files).toEqual(['logo.png'])
    expect(await Promise.all(tables.map(count))).toEqual(before)
    const gone = [
      'orders',
      'order_lines',
      'ledger_entries',
      'advance_reports',
      'animal_holds',
      'order_events',
      'products',
      'weigh_ins',
      PEOPLE,
    ]
    for (const table of [...gone, 'addresses', 'coupons', 'popups', 'images', 'sms_outbox', 'sales_days'])
      expect([table, await count(table)]).toEqual([table, 0])
    const { demo_shop: _mark, ...settings } = { ...(await readSettings(db)) } as Record<string, unknown>
    // Nothing is left to sell: the owner sets the shop up first.
    expect(settings).toEqual({ ...DEFAULT_SETTINGS, opening: { isOpen: false, opensOn: '' } })
  })

  it('does not come back by itself, and is not removed twice', async () => {
    await inDemo(async (shop) => {
      const { dataDir } = shop.deps.env
      await clearDemo(db, { uploads: openUploads(uploadsFolder(dataDir)), now, allOrders: false })
      expect(await clearDemo(db, { uploads: openUploads(uploadsFolder(dataDir)), now, allOrders: true })).toBeNull()
      expect(await seedDemo(db, { uploads: uploadsFolder(dataDir), now, store })).toBe(false)
      expect(await count('products')).toBe(0)
    })
  })
})

it('what was made up for measuring goes with the demo', async () => {
  await inDemo(async (shop) => {
    await addProducts(db, 30, () => {})
    await addOrders(db, 40, () => {})
    const report = await clearDemo(db, { uploads: openUploads(uploadsFolder(shop.deps.env.dataDir)), now, allOrders: false })
    expect(report).toMatchObject({ removed: { orders: 52 }, remaining: { orders: 0, products: 0 } })
    for (const table of ['orders', 'products', PEOPLE, 'images']) expect([table, await count(table)]).toEqual([table, 0])
  })
})

describe('a shop that never was a demo', () => {
  const password_hash = hashPassword(DEMO_PASSWORD)

  it('is left alone, whatever account a customer registers', async () => {
    await buildProduct(db)
    await buildUser(db, { phone: ACCOUNTS[0].phone, role: 'owner' })
    await buildUser(db, { phone: ACCOUNTS[6].phone, email: ACCOUNTS[0].email, password_hash: await password_hash })
    expect(await findPublishedAccounts(db)).toEqual([])
    expect(await clearDemo(db, { uploads: openUploads(uploadsFolder('/nowhere')), now, allOrders: true })).toBeNull()
    expect([await count('products'), await count(PEOPLE)]).toEqual([1, 2])
  })

  it('loses nothing but the staff account that has the published password', async () => {
    await buildProduct(db)
    await buildUser(db, { phone: '01911222333' })
    await buildUser(db, { phone: ACCOUNTS[0].phone, role: 'owner', password_hash: await password_hash })
    const report = await clearDemo(db, { uploads: openUploads(uploadsFolder('/nowhere')), now, allOrders: false })
    expect(report?.removed).toEqual({ orders: 0, products: 0, people: 1, coupons: 0, pictures: 0 })
    expect([await count('products'), await count(`users where phone = '01911222333'`)]).toEqual([1, 1])
  })
})

describe('a demo that the owner has made a shop of', () => {
  const OWN_PHONE = '01911222333'

  /** Own settings, staff, product and customer; three orders after the demo's. */
  async function live(shop: TestShop): Promise<{ orders: number[]; ownMango: number; ownCow: number; lemon: number }> {
    const owner = shop.visitor()
    expect((await owner.signIn(ACCOUNTS[0].phone, DEMO_PASSWORD)).status).toBe(200)
    await buildUser(db, { phone: '01911222111', role: 'manager' })
    // The demo's manager becomes a real one by another phone; the seller too, with a password of his own.
    await sql`update users set phone = '01911222112' where phone = ${ACCOUNTS[1].phone}`.execute(db)
    await sql`update users set phone = '01911222113', email = 'tanvir@farm.example', password_hash = (select password_hash from users where phone = '01911222111')
      where phone = ${ACCOUNTS[2].phone}`.execute(db)
    await sql`update settings set value = jsonb_set(jsonb_set(value, '{phone}', '"01711999888"'), '{name,en}', '"Our farm"') where key = 'shop'`.execute(
      db,
    )
    const ownMango = await buildProduct(db, { category_id: 3, stock_milli: 50_000 })
    const ownCow = await buildAnimal(db, { category_id: 4, tag_number: 'OWN-1' })
    const lemon = await idOf('products', `name_en = 'Lemon' or search_text like '%lemon%'`)
    const first = await order(shop, ownMango.id, OWN_PHONE, 5)
    const second = await order(shop, lemon, ACCOUNTS[6].phone, 2)
    const advance = { payment_type: 'partial', payment_gateway: 'NONE', payable_amount: 10_000 }
    const body = orderBody(await idOf('areas', `name_en = 'Dhanmondi'`), [[ownCow.id, 1]], advance)
    const third = await shop.visitor().post('/customer-orders', body)
    expect(third.status, third.text).toBe(200)
    // The audit log refers to the demo's owner from here on.
    const area = await idOf('areas', `name_en = 'Savar'`)
    await sql`insert into audit_log (actor_id, action, subject, subject_id) select id, 'changed', 'area', ${area} from users where phone = ${ACCOUNTS[0].phone}`.execute(
      db,
    )
    return { orders: [first, second, third.body.order_id!], ownMango: ownMango.id, ownCow: ownCow.id, lemon }
  }

  it('keeps later orders and all that they name; no published account opens it', async () => {
    await inDemo(async (shop) => {
      const { orders, ownMango, lemon } = await live(shop)
      const { dataDir } = shop.deps.env
      const ledger = await count('ledger_entries')
      expect(ledger).toBeGreaterThan(0)
      const report = await clearDemo(db, { uploads: openUploads(uploadsFolder(dataDir)), now: new Date(), allOrders: false })
      expect(report?.removed).toMatchObject({ orders: 12 })
      expect(report?.remaining).toEqual({
        orders: 3,
        products: 1,
        disabledAccounts: [ACCOUNTS[0].phone, ACCOUNTS[6].phone],
        passwordsRemoved: ['01911222112'],
      })
      const rows = await sql<{ id: number }>`select id from orders order by id`.execute(db)
      expect(rows.rows.map(({ id }) => id)).toEqual(orders)
      expect(await count('ledger_entries')).toBe(0)
      const { rows: products } = await sql<{ id: number; visible: boolean }>`select id, visible from products order by id`.execute(db)
      expect(products.find(({ id }) => id === lemon)).toEqual({ id: lemon, visible: false })
      expect(products.filter(({ visible }) => visible)).toHaveLength(2)
      expect(await count(`stock_movements where product_id = ${ownMango}`)).toBe(1)
      expect(await count('audit_log where actor_id is not null')).toBeGreaterThan(0)
      await expectInvariants(db)

      const { shop: told, payment_numbers } = await readSettings(db)
      expect([told.name.en, told.phone, told.whatsapp, payment_numbers]).toEqual([
        'Our farm',
        '01711999888',
        '',
        DEFAULT_SETTINGS.payment_numbers,
      ])
      for (const { phone, email } of ACCOUNTS)
        for (const name of [phone, email]) expect([name, (await shop.visitor().signIn(name, DEMO_PASSWORD)).status]).toEqual([name, 422])
      for (const phone of ['01911222111', '01911222113']) expect((await shop.visitor().signIn(phone)).status).toBe(200)
      expect((await shop.visitor().signIn('01911222112', DEMO_PASSWORD)).status).toBe(422)
      expect(await count(`users where phone = '01911222112' and role = 'manager' and disabled_at is null`)).toBe(1)
      expect(await count(`users where phone = '${OWN_PHONE}'`)).toBe(1)
    })
  })

  it('keeps the own logo, and own products whose barcodes begin like those of generated ones', async () => {
    await inDemo(async (shop) => {
      const { dataDir } = shop.deps.env
      const owner = shop.visitor()
      await owner.signIn(ACCOUNTS[0].phone, DEMO_PASSWORD)
      const bytes = await sharp({ create: { width: 400, height: 400, channels: 3, background: 'green' } })
        .png()
        .toBuffer()
      const { body } = await postFiles(owner, '/admin/uploads/images', [{ bytes, name: 'logo.png', type: 'image/png' }])
      const { image_id } = body as unknown as { image_id: number }
      const { values, settingsHash } = await readPart(db, 'shop')
      expect((await owner.post('/admin/settings/shop', { ...values, logo: { image_id }, settingsHash })).status).toBe(200)
      const own = await buildProduct(db, { category_id: 3, barcode: '2100000000012' })
      const files = await readdir(path.join(dataDir, 'uploads'))
      const { token } = (await readSettings(db)).logo!.picture
      await clearDemo(db, { uploads: openUploads(uploadsFolder(dataDir)), now: new Date(), allOrders: false })
      expect([await count('products'), await count(`products where id = ${own.id} and visible`)]).toEqual([1, 1])
      expect(await count(`images where id = ${image_id}`)).toBe(1)
      expect((await readSettings(db)).logo?.picture.token).toBe(token)
      const ofLogo = files.filter((name) => name.startsWith(token))
      expect(ofLogo.length).toBeGreaterThan(0)
      expect(await readdir(path.join(dataDir, 'uploads'))).toEqual(expect.arrayContaining(ofLogo))
    })
  })

  it('with all orders: deletes all orders and restores the stock of other products', async () => {
    await inDemo(async (shop) => {
      const { ownMango, ownCow } = await live(shop)
      const { dataDir } = shop.deps.env
      const report = await clearDemo(db, { uploads: openUploads(uploadsFolder(dataDir)), now: new Date(), allOrders: true })
      expect(report).toMatchObject({
        removed: { orders: 15 },
        remaining: { orders: 0, products: 0, disabledAccounts: [ACCOUNTS[0].phone] },
      })
      const { rows } = await sql`select id, stock_milli, status, visible from products order by id`.execute(db)
      expect(rows).toEqual([
        { id: ownMango, stock_milli: 50_000, status: 'in-stock', visible: true },
        { id: ownCow, stock_milli: 1000, status: 'in-stock', visible: true },
      ])
      for (const table of ['orders', 'stock_movements', 'animal_holds', 'sms_outbox', 'pos_shifts'])
        expect([table, await count(table)]).toEqual([table, 0])
      await expectInvariants(db)
    })
  })

  it('a failure half-way leaves everything, files too', async () => {
    await inDemo(async (shop) => {
      const { dataDir } = shop.deps.env
      await live(shop)
      await sql`create function never() returns trigger language plpgsql as $$ begin raise exception 'never'; end $$`.execute(db)
      await sql`create trigger never before delete on users for each row execute function never()`.execute(db)
      const before = [
        await count('orders'),
        await count('products'),
        await count('settings'),
        (await readdir(path.join(dataDir, 'uploads'))).length,
      ]
      await expect(clearDemo(db, { uploads: openUploads(uploadsFolder(dataDir)), now, allOrders: false })).rejects.toThrow('never')
      expect([
        await count('orders'),
        await count('products'),
        await count('settings'),
        (await readdir(path.join(dataDir, 'uploads'))).length,
      ]).toEqual(before)
    })
  })
})
