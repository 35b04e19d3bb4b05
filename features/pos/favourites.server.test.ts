import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildProduct, buildUser } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { FavouritesRecord, FavouriteTile } from './favourites.server.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const [manager, cashier] = [shop.visitor(), shop.visitor()]
await manager.signIn((await buildUser(db, { role: 'manager' })).phone)
await cashier.signIn((await buildUser(db, { role: 'cashier' })).phone)
const [mango, cane, hidden] = [
  await buildProduct(db, { name_en: 'Himsagar' }),
  await buildProduct(db, { name_en: 'Sugarcane' }),
  await buildProduct(db, { name_en: 'Hidden', visible: false }),
]
const PAGE = '/admin/quick-orders/favourites'
const html = { accept: 'text/html' }
const change = (product_ids: unknown, version: unknown) => manager.post(PAGE, { product_ids, version })
const edited = async () => pageProps<{ favourites: FavouritesRecord }>((await manager.get(PAGE, html)).text).favourites
const tiles = async () => pageProps<{ favourites: FavouriteTile[] }>((await cashier.get('/admin/quick-orders', html)).text).favourites
beforeEach(async () => {
  await sql`update pos_favourites set product_ids = '{}', version = 1`.execute(db)
  await sql`truncate audit_log`.execute(db)
})

describe('favourites of the POS', () => {
  it('are shown to the cashier in the chosen order, with their category, without hidden products', async () => {
    const { body } = await change([cane.id, hidden.id, mango.id], 1)
    expect(body).toMatchObject({
      favourites: { version: 2, products: [{ id: cane.id }, { id: hidden.id, visible: false }, { id: mango.id }] },
    })
    expect((await tiles()).map(({ id }) => id)).toEqual([cane.id, mango.id])
    expect((await tiles())[0]?.category).toEqual(expect.any(String))
    const { rows } = await sql`select action, subject, after from audit_log`.execute(db)
    expect(rows).toEqual([{ action: 'changed', subject: 'pos-favourites', after: { product_ids: [cane.id, hidden.id, mango.id] } }])
  })

  it('of two concurrent changes the second is a conflict', async () => {
    const answers = await Promise.all([change([cane.id], 1), change([mango.id], 1)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await edited()).products).toHaveLength(1)
  })

  it.each([
    ['twice the same', () => [mango.id, mango.id]],
    ['an unknown product', () => [mango.id, 999_999]],
    ['more than sixty', () => Array.from({ length: 61 }, (_, at) => at + 1)],
    ['a text', () => 'all'],
    ['a fraction', () => [1.5]],
    ['nothing', () => undefined],
  ])('%s is rejected at the field, and nothing is changed', async (_, ids) => {
    const { status, body } = await change(ids(), 1)
    expect([status, Object.keys(body.errors as object)[0]?.split('.')[0]]).toEqual([422, 'product_ids'])
    expect((await edited()).version).toBe(1)
  })

  it('are changed by managers only', async () => {
    expect((await cashier.post(PAGE, { product_ids: [], version: 1 })).status).toBe(403)
    expect((await cashier.get(PAGE, html)).status).toBe(403)
    expect((await shop.post(PAGE, { product_ids: [], version: 1 })).status).toBe(401)
  })
})
