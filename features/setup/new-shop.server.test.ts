import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { POLICY_SLUGS } from '#features/catalog/policies/slugs.ts'
import { readSettings } from '#features/settings/settings.server.ts'
import { openDb } from '#lib/db/db.server.ts'
import { MIGRATIONS_DIR } from '#scripts/schema/migration-checksums.ts'
import { migrate } from '#server/migrate.ts'
import { NEW_SHOP_TEMPLATE } from '#test/clone.ts'
import { newDatabase } from '#test/db.ts'
import { buildUser } from '#test/factories.ts'
import { openShop } from '#test/request.ts'

const database = await newDatabase({ template: NEW_SHOP_TEMPLATE })
const shop = await openShop({ databaseUrl: database.url })
afterAll(async () => {
  expect(shop.failures).toEqual([])
  await shop.close()
  await database.drop()
})
const owner = shop.visitor()
await owner.signIn((await buildUser(shop.db, { role: 'owner' })).phone)
const HTML = { accept: 'text/html' }

describe('a shop right after the migrations', () => {
  it('is closed', async () => {
    expect((await shop.get('/', HTML)).status).toBe(503)
  })

  it.each(['/', '/beef', '/fruits', '/kurbani', '/search?q=mango', '/cart', '/track', ...POLICY_SLUGS.map((slug) => `/${slug}`)])(
    'has the page %s in both languages',
    async (page) => {
      for (const lang of ['en', 'bn'])
        expect((await owner.get(`${page}${page.includes('?') ? '&' : '?'}lang=${lang}`, HTML)).status).toBe(200)
    },
  )

  it.each([
    '/api/products',
    '/api/products?category_name=beef',
    '/api/products?category_name=Fruits',
    '/api/kurbani-cows?status=in-stock&limit=1',
  ])('answers %s with an empty list', async (call) => {
    expect(await owner.get(call)).toMatchObject({ status: 200, body: { products: [], pagination: { total: 0 } } })
  })

  it('promises no code and no SMS in its drafts: it may send none', async () => {
    let texts = ''
    for (const page of ['terms-condition?lang=bn', 'privacy-policy?lang=bn', 'terms-condition?lang=en', 'privacy-policy?lang=en'])
      texts += (await owner.get(`/${page}`, HTML)).text
    expect(texts).toContain('24 hours where your phone is confirmed')
    expect(texts).toContain('ফোন নম্বর নিশ্চিত করা থাকলে ২৪ ঘণ্টার')
    expect(texts).not.toMatch(/confirmed your phone by code|কোড দিয়ে ফোন|our SMS|আমাদের এসএমএস/)
  })

  it('says live weight and login in its drafts as on every other page', async () => {
    const { rows } = await sql<{ body: string }>`select body_en || body_bn as body from policy_pages where is_draft`.execute(shop.db)
    expect(rows.map(({ body }) => body).join()).not.toMatch(/sign in|লাইভ ওয়েট|সাইন ইন/)
    expect(rows.map(({ body }) => body).join()).toMatch(/লাইভ ওজনে বিক্রি/)
  })

  it('refunds half an advance up to the final weighing, and names the charge of a second delivery, in both languages', async () => {
    const { rows } = await sql<{ body: string }>`select body_en || body_bn as body from policy_pages where is_draft`.execute(shop.db)
    const texts = rows.map(({ body }) => body).join()
    for (const promise of ['half of it up to the final weighing', 'চূড়ান্ত ওজনের আগ পর্যন্ত অর্ধেক', 'two deliveries', 'দুইবারে ডেলিভারি']) {
      expect(texts).toContain(promise)
    }
    expect(texts).not.toContain('শেষ ওজনে')
  })

  it('marks its policy pages as drafts, until one is saved', async () => {
    expect((await owner.get('/shipping-info', HTML)).text).toContain('This is a draft.')
    expect((await owner.get('/admin/texts', HTML)).text).toContain('Draft')
    const body = { title_en: 'Delivery', title_bn: 'ডেলিভারি', body_en: 'By van.', body_bn: 'ভ্যানে।', version: 1 }
    expect((await owner.post('/admin/texts/shipping-info', { ...body, is_draft: true })).status).toBe(200)
    expect((await owner.get('/shipping-info', HTML)).text).toContain('This is a draft.')
    expect((await owner.post('/admin/texts/shipping-info', { ...body, version: 2 })).status).toBe(200)
    expect((await owner.get('/shipping-info', HTML)).text).not.toContain('This is a draft.')
  })

  it('delivers at the specified charges', async () => {
    const { rows } = await sql`select name_en, cattle.charge_poisha / 100 as cattle, cattle.is_open, produce.charge_poisha / 100 as produce
      from areas a join area_charges cattle on cattle.area_id = a.id and cattle.delivery_group = 'cattle'
      join area_charges produce on produce.area_id = a.id and produce.delivery_group = 'produce'
      where name_en in ('Dhanmondi', 'Chattogram city', 'Bogura', 'Rangpur', 'Dinajpur', 'Sylhet city') order by position`.execute(shop.db)
    expect(rows).toEqual([
      { name_en: 'Dhanmondi', cattle: 1500, is_open: true, produce: 80 },
      { name_en: 'Chattogram city', cattle: 2500, is_open: true, produce: 150 },
      { name_en: 'Bogura', cattle: 950, is_open: true, produce: 120 },
      { name_en: 'Rangpur', cattle: 950, is_open: true, produce: 120 },
      { name_en: 'Dinajpur', cattle: 950, is_open: true, produce: 120 },
      { name_en: 'Sylhet city', cattle: null, is_open: false, produce: 180 },
    ])
    expect((await owner.get('/api/areas?active=true')).text).toContain('Dhanmondi')
  })
})

describe('a database of an earlier release', () => {
  it.each<[string, string, { isOpen: boolean; areas: string[]; terms: string }]>([
    ['without anything', '', { isOpen: false, areas: ['Dhanmondi', 'Mirpur'], terms: 'Terms and Conditions' }],
    [
      'with a product',
      `insert into products (category_id, name_en, name_bn, price_poisha, unit, shipping_poisha) values (3, 'Mango', 'আম', 100, 'kg', 0)`,
      { isOpen: true, areas: ['Dhanmondi', 'Mirpur'], terms: 'Terms and Conditions' },
    ],
    [
      'whose demo was removed',
      `insert into settings values ('demo_shop', 'false')`,
      { isOpen: true, areas: ['Dhanmondi', 'Mirpur'], terms: 'Terms and Conditions' },
    ],
    [
      'with an area and a policy page of its own',
      `insert into areas (name_en, name_bn) values ('Khulna', 'খুলনা');
       insert into policy_pages (slug, title_en, title_bn, body_en, body_bn, updated_on) values ('terms-condition', 'Ours', 'আমাদের', 'x', 'x', '2026-01-01')`,
      { isOpen: false, areas: ['Khulna'], terms: 'Ours' },
    ],
  ])('%s gets what it lacks, and keeps its rows', async (_what, rows, expected) => {
    const { url, drop } = await newDatabase({ template: 'template1' })
    const dir = await mkdtemp(path.join(tmpdir(), 'khamar-migrations-'))
    try {
      for (const name of (await readdir(MIGRATIONS_DIR)).filter((name) => name.endsWith('.sql') && name < '0167'))
        await cp(path.join(MIGRATIONS_DIR, name), path.join(dir, name))
      await migrate(url, { dir })
      const { db, close } = openDb(url, { max: 1 })
      if (rows) await sql.raw(rows).execute(db)
      await migrate(url)
      const areas = await db.selectFrom('areas').select('name_en').orderBy('id').limit(2).execute()
      const policies = await db.selectFrom('policy_pages').select(['slug', 'title_en', 'is_draft']).execute()
      const terms = policies.find(({ slug }) => slug === 'terms-condition')
      expect({
        isOpen: (await readSettings(db)).opening.isOpen,
        areas: areas.map(({ name_en }) => name_en),
        terms: terms?.title_en,
      }).toEqual(expected)
      expect(policies).toHaveLength(4)
      expect(terms?.is_draft).toBe(expected.terms !== 'Ours')
      await close()
    } finally {
      await drop()
      await rm(dir, { recursive: true, force: true })
    }
  })
})
