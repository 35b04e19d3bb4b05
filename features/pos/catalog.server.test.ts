import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildProduct } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'
import { type CatalogPart, posProduct } from './device-catalog.ts'

// The catalog for POS devices: everything first, then changes, also with concurrent writes.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const cashier = await signedIn(shop, 'cashier')

const ask = async (query = '', who: Visitor = cashier) => {
  const answer = await who.get(`/api/admin/quick-orders/catalog${query}`)
  return { ...answer, part: answer.body as unknown as CatalogPart }
}
const ids = (part: CatalogPart) => part.rows.map(([id]) => id)
/** Moves all changes into the past, so that only later ones are new. */
const settle = () => sql`update products set updated_at = now() - interval '1 hour'`.execute(db)
const since = async () => `?since=${(await ask()).part.since}`

let honey: { id: number }
beforeEach(async () => {
  honey = await buildProduct(db, { name_en: 'Honey', price_poisha: 12_050, barcode: null })
  await settle()
})
afterEach(() => expect(shop.failures).toEqual([]))

describe('the whole catalog', () => {
  it('names the open shift of the caller, and the latest one', async () => {
    const shiftOf = async (who = cashier) => {
      const { part } = await ask('', who)
      return [part.shift_id, part.latest_shift_id]
    }
    expect(await shiftOf()).toEqual([null, null])
    const opened = await cashier.post('/admin/quick-orders/shift/open', { opening_cash: 0 })
    const id = (opened.body as { shift_id?: number }).shift_id!
    expect(await shiftOf()).toEqual([id, id])
    expect(await shiftOf(await signedIn(shop, 'manager'))).toEqual([null, null])
    await cashier.post('/admin/quick-orders/shift/close', { counted_cash: 0, counted_bkash: 0, counted_bank: 0, note: '' })
    expect(await shiftOf()).toEqual([null, id])
    const next = await cashier.post('/admin/quick-orders/shift/open', { opening_cash: 0 })
    const nextId = (next.body as { shift_id?: number }).shift_id!
    expect(await shiftOf()).toEqual([nextId, nextId])
  })

  it('has the fields of a sale line, with the price after discount', async () => {
    await sql`update products set discount_kind = 'percentage', discount_value = 1000, barcode = '8900000000017', stock_milli = 2500,
      search_aliases = 'modhu', sizes_milli = '{500,1000}' where id = ${honey.id}`.execute(db)
    const cow = await buildAnimal(db)
    const { part } = await ask()
    expect([part.full, part.next, part.gone, part.limit]).toEqual([true, null, [], { percent: 5, taka: 500 }])
    const row = part.rows.find(([id]) => id === honey.id)!
    expect(row[3]).toBe('modhu')
    expect(posProduct(row, part.groups)).toMatchObject({
      nameEn: 'Honey',
      price: 10_800,
      status: 'in-stock',
      stockMilli: 2500,
      sizesMilli: [500, 1000],
      isAnimal: false,
      group: 'produce',
      barcode: '8900000000017',
    })
    expect(
      posProduct(
        part.rows.find(([id]) => id === cow.id)!,
        part.groups,
      ),
    ).toMatchObject({ isAnimal: true, group: 'cattle', sizesMilli: [] })
  })

  it('omits hidden products', async () => {
    await sql`update products set visible = false where id = ${honey.id}`.execute(db)
    expect(ids((await ask()).part)).not.toContain(honey.id)
  })

  it('comes in compressed parts, each product once', async () => {
    const category = (await sql<{ id: number }>`select category_id as id from products where id = ${honey.id}`.execute(db)).rows[0]!.id
    await sql`insert into products (category_id, name_en, name_bn, price_poisha)
      select ${category}, 'Mango ' || n, 'আম ' || n, 100 * n from generate_series(1, 9000) n`.execute(db)
    const seen: number[] = []
    let next: string | null = null
    let parts = 0
    do {
      const { part, headers }: Awaited<ReturnType<typeof ask>> = await ask(next === null ? '' : `?after=${next}`)
      if (parts === 0) {
        const zipped = await cashier.get('/api/admin/quick-orders/catalog', { 'accept-encoding': 'gzip' })
        expect([zipped.headers['content-encoding'], headers['cache-control']]).toEqual(['gzip', 'no-store'])
      }
      seen.push(...ids(part))
      ;({ next } = part)
      parts += 1
    } while (next !== null)
    expect(parts).toBe(3)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.length).toBeGreaterThan(9000)
    // All change at the same instant: the changes come in parts as well.
    const begin = await since()
    await sql`update products set price_poisha = price_poisha + 100`.execute(db)
    const changed = new Set<number>()
    let after = ''
    for (;;) {
      const { part } = await ask(begin + after)
      for (const id of ids(part)) changed.add(id)
      if (part.next === null) break
      after = `&after=${part.next}`
    }
    expect(changed.size).toBe(seen.length)
    await sql`delete from products where name_en like 'Mango %'`.execute(db)
  })
})

describe('changes', () => {
  it('are empty without changes', async () => {
    const { part } = await ask(await since())
    expect([part.full, part.rows, part.gone, part.next]).toEqual([false, [], [], null])
  })

  it('contain prices, new products, pictures, and hidden or archived products', async () => {
    const [hidden, other] = [await buildProduct(db), await buildProduct(db)]
    await settle()
    const begin = await since()
    await sql`update products set price_poisha = 13000 where id = ${honey.id}`.execute(db)
    await sql`update products set visible = false where id = ${hidden.id}`.execute(db)
    const fresh = await buildProduct(db)
    await sql`insert into product_media (product_id, position, kind, video_url) values (${other.id}, 90, 'video', 'https://youtu.be/x')`.execute(
      db,
    )
    const { part } = await ask(begin)
    expect(ids(part).sort()).toEqual([honey.id, fresh.id, other.id].sort())
    expect(part.gone).toEqual([hidden.id])
    // The same cursor returns the same changes: a lost response costs nothing.
    expect((await ask(begin)).part.rows).toHaveLength(3)
  })

  it('contain a write that began before the request and committed after it', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    let begun = () => {}
    const writing = new Promise<void>((resolve) => (begun = resolve))
    const change = db.transaction().execute(async (tx) => {
      await sql`update products set price_poisha = 14000 where id = ${honey.id}`.execute(tx)
      begun()
      await held
    })
    await writing
    const begin = await since()
    release()
    await change
    expect(ids((await ask(begin)).part)).toEqual([honey.id])
  })

  it('are the whole catalog for a cursor of another database', async () => {
    const { part } = await ask('?since=1-77-5.1700000000000000')
    expect([part.full, ids(part).includes(honey.id)]).toEqual([true, true])
  })

  it('contain a sold-out product', async () => {
    const begin = await since()
    await sql`update products set stock_milli = 0, status = 'out-of-stock' where id = ${honey.id}`.execute(db)
    expect((await ask(begin)).part.rows[0]?.[6]).toBe('out-of-stock')
  })
})

describe('authorization and input', () => {
  it.each(['?since=x', '?since=', '?since=a.1;drop', '?after=x', '?after=1', '?since=1-1-1.1&after=%00', `?after=${'9'.repeat(90)}`])(
    '%s is 422',
    async (query) => {
      expect((await ask(query)).status).toBe(422)
    },
  )

  it('needs the permission to view the POS', async () => {
    expect((await ask('', await signedIn(shop, 'viewer'))).status).toBe(200)
    expect((await ask('', await signedIn(shop, 'weigher'))).status).toBe(403)
    expect((await ask('', shop.visitor())).status).toBe(401)
  })
})
