import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildCategory, buildProduct, buildUser } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { Light } from './health-rules.ts'
import { countForSetup, readShopSnapshot } from './queries.server.ts'
import type { SetupStep } from './setup-rules.ts'

const { db, url } = await testDb()
const statements: string[] = []
const shop = await openShop({ databaseUrl: url, onQuery: (text) => statements.push(text) })
afterAll(() => expect(shop.failures).toEqual([]))
const person = await buildUser(db, { role: 'owner' })
const owner = shop.visitor()
await owner.signIn(person.phone)
const manager = shop.visitor()
await manager.signIn((await buildUser(db, { role: 'manager' })).phone)

const HTML = { accept: 'text/html' }
const page = async () => pageProps<{ steps: SetupStep[]; lights: Light[] }>((await owner.get('/admin/setup', HTML)).text)
const step = async (key: string) => (await page()).steps.find((one) => one.key === key)?.state
const light = async (key: string) => (await page()).lights.find((one) => one.key === key)?.detail
const change = (isOpen: boolean, opensOn = '') => owner.post('/admin/setup/opening', { isOpen, opensOn })
await change(false)

it('animals that customers can pay neither by an advance nor on delivery are counted', async () => {
  const blocked = async () => (await countForSetup(db, DEFAULT_SETTINGS)).animalsWithoutAdvance
  const cattle = await buildCategory(db, { delivery_group: 'cattle', cod_allowed: false })
  const cow = await buildAnimal(db, { category_id: cattle.id })
  const change = (set: object) => db.updateTable('products').set(set).where('id', '=', cow.id).execute()
  await change({ advance_minimum_poisha: 0, advance_percent_bp: 0 })
  expect(await blocked()).toBe(1)
  await change({ advance_percent_bp: 1000 })
  expect(await blocked()).toBe(0)
  await change({ advance_percent_bp: 0 })
  await db.updateTable('categories').set({ cod_allowed: true }).where('id', '=', cattle.id).execute()
  expect(await blocked()).toBe(0)
  await db.deleteFrom('products').where('id', '=', cow.id).execute()
})

it('animals of Kurbani that can be ordered for a day before their season are counted', async () => {
  const undated = async () => (await countForSetup(db, DEFAULT_SETTINGS)).kurbaniWithoutDay
  const kurbani = await buildCategory(db, { key: 'kurbani' })
  const cow = await buildAnimal(db, { category_id: kurbani.id })
  const change = (set: object) => db.updateTable('products').set(set).where('id', '=', cow.id).execute()
  expect(await undated()).toBe(1)
  await change({ visible: false })
  expect(await undated()).toBe(0)
  await change({ visible: true, delivery_on: '2025-06-02' })
  expect(await undated()).toBe(1)
  await change({ delivery_on: '2090-05-12' })
  expect(await undated()).toBe(0)
  // A cow of beef that has Kurbani among its further categories is sold for it too.
  const beef = await buildAnimal(db)
  await sql`insert into product_categories (product_id, category_id) values (${beef.id}, ${kurbani.id})`.execute(db)
  expect(await undated()).toBe(1)
  await db.deleteFrom('products').where('id', '=', beef.id).execute()
  await db.deleteFrom('products').where('id', '=', cow.id).execute()
  await db.deleteFrom('categories').where('id', '=', kurbani.id).execute()
})

it('animals of Kurbani need a season while they are for sale or on hold, not once they are sold', async () => {
  const counted = async () => (await countForSetup(db, DEFAULT_SETTINGS)).kurbaniAnimals
  const kurbani = await buildCategory(db, { key: 'kurbani' })
  const cow = await buildAnimal(db, { category_id: kurbani.id })
  const change = (set: object) => db.updateTable('products').set(set).where('id', '=', cow.id).execute()
  expect(await counted()).toBe(1)
  await change({ status: 'hold', hold_reason: 'booked', stock_milli: 0 })
  expect(await counted()).toBe(1)
  await change({ status: 'sold', hold_reason: null })
  expect(await counted()).toBe(0)
  await db.deleteFrom('products').where('id', '=', cow.id).execute()
  await db.deleteFrom('categories').where('id', '=', kurbani.id).execute()
})

it.each([
  [{ en: 'Green Farm' }, false],
  [{ bn: 'সবুজ খামার' }, false],
  [{ en: 'Green Farm', bn: 'সবুজ খামার' }, true],
])('the names %j are own names: %s', async (name, hasOwnName) => {
  const { shop } = DEFAULT_SETTINGS
  const settings = { ...DEFAULT_SETTINGS, shop: { ...shop, name: { ...shop.name, ...name } } }
  const snapshot = await readShopSnapshot(db, { settings, gateways: [], sendsSms: false, now: new Date() })
  expect(snapshot.hasOwnName).toBe(hasOwnName)
})

describe('set-up and health', () => {
  it('follow the data', async () => {
    await sql`delete from areas`.execute(db)
    expect([await step('areas'), await light('area')]).toEqual(['missing', 'none'])
    const area = await buildArea(db)
    expect([await step('areas'), await light('area')]).toEqual(['done', 'ok'])
    await sql`update areas set active = false where id = ${area.id}`.execute(db)
    expect(await step('areas')).toBe('missing')
    await sql`update areas set active = true`.execute(db)
    // Open, but nothing can be delivered there.
    const charges = (isOpen: boolean) =>
      sql`insert into area_charges (area_id, delivery_group, is_open, charge_poisha)
      select ${area.id}, g, ${isOpen}, ${isOpen ? 100 : null}::int from unnest('{cattle,produce}'::text[]) g
      on conflict (area_id, delivery_group) do update set is_open = excluded.is_open, charge_poisha = excluded.charge_poisha`.execute(db)
    await charges(false)
    expect([await step('areas'), await light('area')]).toEqual(['missing', 'none'])
    await charges(true)
    expect(await light('area')).toBe('ok')
    await sql`update areas set closed_weekdays = '{0,1,2,3,4,5}'`.execute(db)
    expect(await light('area')).toBe('ok')
    await sql`insert into settings (key, value) values ('delivery_days', '{"closed_weekdays":[6]}')`.execute(db)
    // The shop reads its settings again.
    await expect.poll(() => light('area')).toBe('none')
    await sql`delete from settings where key = 'delivery_days'; update areas set closed_weekdays = '{}'`.execute(db)
    await expect.poll(() => light('area')).toBe('ok')

    await sql`delete from products`.execute(db)
    const product = await buildProduct(db, { visible: false })
    expect([await step('products'), await light('product')]).toEqual(['missing', 'none'])
    await sql`update products set visible = true where id = ${product.id}`.execute(db)
    expect([await step('products'), await light('product')]).toEqual(['done', 'ok'])

    expect([await step('policies'), await light('policies')]).toEqual(['missing', 'some'])
    expect(await step('staff')).toBe('done')
    expect(await light('factor')).toBe('some')
    await sql`insert into second_factors (user_id, secret, confirmed_at, created_at) values (${person.id}, 'x', null, now())`.execute(db)
    expect(await light('factor')).toBe('some')
    await sql`update second_factors set confirmed_at = now()`.execute(db)
    expect(await light('factor')).toBe('ok')
    await sql`delete from second_factors`.execute(db)
    expect(await light('backup')).toBe('none')
  })

  it('show emails that do not arrive, and none that a mail server makes wait once or twice', async () => {
    const email = (state: string, attempts: number, failure: string | null) =>
      sql`
      insert into email_outbox (event_key, kind, recipient, state, attempts, failure, created_at)
      values (${`alarm-${state}-${attempts}`}, 'alarm', 'owner@shop.example', ${state}, ${attempts}, ${failure}, ${shop.clock.now})`.execute(
        db,
      )
    await email('sent', 2, null)
    await email('queued', 2, '451')
    await email('skipped', 1, 'in-confirmation')
    expect(await light('failedEmails')).toBe('ok')
    await email('queued', 3, 'EAUTH')
    expect(await light('failedEmails')).toBe('some')
    await sql`delete from email_outbox`.execute(db)
    await email('failed', 1, '550')
    expect(await light('failedEmails')).toBe('some')
    await sql`delete from email_outbox`.execute(db)
  })

  it('count what the shop has once a page', async () => {
    statements.length = 0
    await page()
    expect(statements.filter((text) => text.includes('as animals_without_advance'))).toHaveLength(1)
  })

  it('are for owners alone', async () => {
    for (const path of ['/admin/setup', '/admin/health', '/admin/setup/test-receipt']) {
      expect([path, (await owner.get(path, HTML)).status]).toEqual([path, 200])
      expect([path, (await manager.get(path, HTML)).status]).toEqual([path, 403])
      expect([path, (await shop.get(path, HTML)).status]).toEqual([path, 303])
    }
  })

  it('an owner comes to the set-up after logging in, until the shop is open', async () => {
    expect((await shop.visitor().signIn(person.phone)).body.redirect).toBe('/admin/setup')
    expect((await manager.get('/admin', HTML)).status).toBe(200)
    await change(true)
    expect((await shop.visitor().signIn(person.phone)).body.redirect).toBe('/admin')
    await change(false)
  })

  it('a dashboard without orders names the open steps instead of zeros', async () => {
    const { start } = pageProps<{ start: { steps: string[] } | null }>((await owner.get('/admin', HTML)).text)
    expect(start?.steps).toContain('policies')
    expect(start?.steps).not.toContain('products')
    expect(pageProps<{ start: unknown }>((await manager.get('/admin', HTML)).text).start).toEqual({ steps: [], canOrder: true })
  })
})

it('a delivered order is trial enough', async () => {
  expect(await light('order')).toBe('none')
  await sql`insert into orders (status, source, customer_id, name, phone, address, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha,
      payment_type, payment_gateway, payable_poisha, list_on, placed_at, view_key, tracking_code)
    values ('delivered', 'web', ${person.id}, 'Rahima', '01811223344', 'House 12', 100, 0, 0, 100, 'full', 'NONE', 0, '2026-11-20', now(), 'k', 't')`.execute(
    db,
  )
  expect(await light('order')).toBe('ok')
  await sql`truncate orders cascade`.execute(db)
})

describe('opening', () => {
  it('is refused without a product, and without an area', async () => {
    await change(false)
    const openings = async () =>
      (await sql`select 1 from audit_log where subject_id = 'opening' and after = '{"isOpen": true}'`.execute(db)).rows.length
    const before = await openings()
    await sql`update products set visible = false`.execute(db)
    expect(await change(true)).toMatchObject({ status: 409, body: { message: 'Add a product that shoppers can see first.' } })
    await sql`update products set visible = true; update areas set active = false`.execute(db)
    expect(await change(true)).toMatchObject({ status: 409, body: { message: 'Add a delivery area first.' } })
    expect((await shop.get('/', HTML)).status).toBe(503)
    await sql`update areas set active = true`.execute(db)
    expect((await Promise.all([change(true), change(true)])).map(({ status }) => status)).toEqual([200, 200])
    expect(await openings()).toBe(before + 1)
  })
})

describe('the announced day', () => {
  it('is today or later', async () => {
    const past = await change(false, '2026-11-19')
    expect(past).toMatchObject({ status: 422, body: { message: expect.stringContaining('This day has passed') } })
    expect(past.body.errors).toEqual({ opensOn: [past.body.message] })
    expect((await change(false, '2026-11-20')).status).toBe(200)
    const { opening, today } = pageProps<{ opening: { opensOn: string }; today: string }>((await owner.get('/admin/health', HTML)).text)
    expect([opening.opensOn, today]).toEqual(['2026-11-20', '2026-11-20'])
    await change(true)
  })

  it('that another owner has changed is not overwritten by a page that shows the one before', async () => {
    await change(false, '2026-11-25')
    const shown = { isOpen: false, opensOn: '2026-11-25' }
    const save = (body: object) => owner.post('/admin/setup/opening', { ...body, shown })
    expect(await save({ opensOn: '2026-11-26' })).toMatchObject({ status: 200 })
    const saved = { isOpen: false, opensOn: '2026-11-26' }
    for (const stale of [{ opensOn: '2026-11-27' }, { opensOn: '' }, { isOpen: true, opensOn: '' }])
      expect(await save(stale)).toMatchObject({ status: 409, body: { opening: saved, message: expect.stringContaining('Someone else') } })
    // The same once more is no conflict: the answer to the first request was lost.
    expect(await save({ opensOn: '2026-11-26' })).toMatchObject({ status: 200, body: { opening: saved } })
    await change(true)
    expect((await save({ isOpen: false, opensOn: '' })).status).toBe(409)
    expect((await owner.get('/', HTML)).text).not.toContain('Not open yet')
  })

  it('saved on a page from before the shop was opened does not close it', async () => {
    await change(false)
    const save = (opensOn: string) => owner.post('/admin/setup/opening', { opensOn })
    expect(await save('2026-11-21')).toMatchObject({ status: 200, body: { opening: { isOpen: false, opensOn: '2026-11-21' } } })
    await change(true)
    for (const day of ['2026-11-22', '']) expect((await save(day)).status).toBe(409)
    expect((await shop.get('/', HTML)).status).toBe(200)
  })
})

describe('tests of connections', () => {
  it('an SMS goes to the own phone, or the call says that there is no provider', async () => {
    Object.assign(shop.deps.sms, { gateway: null })
    await sql`delete from sms_outbox`.execute(db)
    expect(await owner.post('/admin/setup/test-sms')).toMatchObject({ status: 409 })
    expect((await manager.post('/admin/setup/test-sms')).status).toBe(403)
    // The provider is outside: the test only queues.
    Object.assign(shop.deps.sms, {
      gateway: { send: async () => ({ state: 'unknown', detail: '' }), balance: async () => ({ ok: false, detail: '' }) },
    })
    expect(await owner.post('/admin/setup/test-sms')).toMatchObject({ status: 200, body: { phone: person.phone } })
    const { rows } = await sql`select phone, body from sms_outbox where template like 'test-%'`.execute(db)
    // English SMS are off, as in every new shop.
    expect(rows).toEqual([{ phone: person.phone, body: 'খামার: এটি পরীক্ষা। এসএমএস কাজ করছে।' }])
  })

  it('gateways say whether they accept the shop', async () => {
    for (const gateway of ['sslcommerz', 'bkash'])
      expect([gateway, (await owner.post('/admin/setup/test-gateway', { gateway })).status]).toEqual([gateway, 200])
    for (const wrong of [{}, { gateway: 'nagad' }, { gateway: 'constructor' }])
      expect((await owner.post('/admin/setup/test-gateway', wrong)).status).toBe(422)
    expect((await manager.post('/admin/setup/test-gateway', { gateway: 'bkash' })).status).toBe(403)
  })
})
