import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildCategory, orderBody } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'

// The next season opens: its animals have its rates, and the ear tags of the last one again.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})
const owner = await signedIn(shop, 'owner')
const area = await buildArea(db, { cattle: 1500 })
const { id: category_id } = await buildCategory(db, { key: 'kurbani' })
await sql`insert into rate_tiers (category_id, season, from_grams, poisha_per_kg)
  values (${category_id}, '2027', 100000, 55000), (${category_id}, '2028', 100000, 60000)`.execute(db)

interface Plan {
  sums: { create: number; change: number; error: number }
  lines: { errors: { text: string }[] }[]
  previewHash: string
  done: boolean
}
const plan = async (csv: string, previewHash?: string) =>
  (await owner.post('/admin/products/import', { csv, ...(previewHash ? { previewHash } : {}) })).body as unknown as Plan
const apply = async (csv: string) => plan(csv, (await plan(csv)).previewHash)
const tags = async () =>
  (
    await sql<{ tag: string; season: string; kg: number }>`select tag_number as tag, season, weight_grams / 1000 as kg from products
    order by id`.execute(db)
  ).rows

it('does not write the next animal with a tag over the sold one, which gives its tag away by its number', async () => {
  const old = await buildAnimal(db, { category_id, tag_number: 'A-1', season: '2027' })
  const { body } = await shop.visitor().post('/customer-orders', orderBody(area.id, [[old.id, 1]], { payment_gateway: 'sslcommerz' }))
  const order = body.order_id!
  for (const status of ['processing', 'on_delivery', 'delivered']) {
    const { rows } = await sql<{ version: number }>`select version from orders where id = ${order}`.execute(db)
    await owner.post('/admin/orders/status', { orders: [{ id: order, version: rows[0]!.version }], status })
  }
  const herd = `Category,Name in English,Name in Bengali,Tag number,Sold by live weight,Season,Weight in kg,Weighed on\n${category_id},Bull,ষাঁড়,A-1,yes,2028,210,2026-11-19\n`
  const refused = await plan(herd)
  expect(refused.lines[0]!.errors.map(({ text }) => text)).toEqual([
    expect.stringMatching(/sold with this tag. Change the tag of that one first/),
  ])
  // The same season is the same animal.
  expect((await plan(herd.replace('2028', '2027'))).sums).toMatchObject({ change: 1, error: 0 })
  expect((await apply(`Number,Tag number\n${old.id},A-1-2027\n`)).done).toBe(true)
  expect((await apply(herd)).sums).toMatchObject({ create: 1, error: 0 })
  expect(await tags()).toEqual([
    { tag: 'A-1-2027', season: '2027', kg: 200 },
    { tag: 'A-1', season: '2028', kg: 210 },
  ])
  const { rows } = await sql`select tag_number from order_lines where order_id = ${order}`.execute(db)
  expect(rows).toEqual([{ tag_number: 'A-1' }])
})

it('begins the form of a new animal with the current season, and with none while that has no rates', async () => {
  await sql`insert into rate_tiers (category_id, season, from_grams, poisha_per_kg) values (${category_id}, 'Eid 2028', 100000, 60000)`.execute(
    db,
  )
  const current = async (season: string) => {
    const value = JSON.stringify({ ...DEFAULT_SETTINGS.kurbani, season })
    await sql`insert into settings (key, value) values ('kurbani', ${value}) on conflict (key) do update set value = excluded.value`.execute(
      db,
    )
  }
  const begins = async () => pageProps<{ season: string }>((await owner.get('/admin/products/create', { accept: 'text/html' })).text).season
  await current('2027')
  await expect.poll(begins).toBe('2027')
  await current('2029')
  await expect.poll(begins).toBe('')
})

it('lists the animals that were not sold, and archives the sold ones together', async () => {
  const listed = async (query: string) => {
    const { text } = await owner.get(`/admin/products?${query}`, { accept: 'text/html' })
    return pageProps<{ list: { rows: { tag_number: string }[] } }>(text).list.rows.map((row) => row.tag_number)
  }
  const sold = await buildAnimal(db, { category_id, tag_number: 'S-1', status: 'sold', stock_milli: 0 })
  const hidden = await buildAnimal(db, { category_id, tag_number: 'S-2', status: 'sold', stock_milli: 0, visible: false })
  const left = await buildAnimal(db, { category_id, tag_number: 'S-3' })
  const held = await buildAnimal(db, { category_id, tag_number: 'S-4', status: 'hold' })
  expect(await listed('q=S-&status=unsold')).toEqual(['S-4', 'S-3'])
  expect(await listed('q=S-&status=sold')).toEqual(['S-2', 'S-1'])

  interface Changed {
    lines: { before: string; after: string; refused: string | null }[]
    previewHash: string
  }
  const change = async (archived: boolean, ids: number[]) => {
    const send = async (more: object) => {
      const { status, body } = await owner.post('/admin/products/bulk', { what: 'archived', archived, ids, ...more })
      expect(status).toBe(200)
      return body as unknown as Changed
    }
    const { lines, previewHash } = await send({})
    await send({ previewHash })
    return lines.map(({ before, after }) => [before, after])
  }
  expect(await change(true, [sold.id, hidden.id])).toEqual([
    ['in-shop', 'archived'],
    ['hidden', 'archived'],
  ])
  expect(await listed('q=S-')).toEqual(['S-4', 'S-3'])
  expect(await listed('q=S-&visibility=archived')).toEqual(['S-2', 'S-1'])
  expect((await shop.get(`/product/${sold.id}`, { accept: 'text/html' })).status).not.toBe(200)
  const { rows } = await sql<{ action: string; after: object }>`select action, after from audit_log where subject = 'product'
    and subject_id = ${sold.id} order by id desc limit 1`.execute(db)
  expect(rows).toEqual([{ action: 'archived', after: { archived: true, visible: false } }])
  // Restored ones are hidden; one that is not archived stays as it is.
  expect(await change(false, [sold.id, left.id, held.id])).toEqual([
    ['archived', 'hidden'],
    ['in-shop', 'in-shop'],
    ['in-shop', 'in-shop'],
  ])
  expect(await listed('q=S-&visibility=shop')).toEqual(['S-4', 'S-3'])
  expect(await listed('q=S-&visibility=hidden')).toEqual(['S-1'])
})
