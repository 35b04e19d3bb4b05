import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { hasValidCheckDigit } from '#lib/codes/ean.ts'
import { testDb } from '#test/db.ts'
import { buildProduct, buildUser } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { LabelledProduct } from './labelled-products.server.ts'
import { ownPrefix } from './own-barcode-rules.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const as = async (role: 'manager' | 'cashier') => {
  const visitor = shop.visitor()
  await visitor.signIn((await buildUser(db, { role })).phone)
  return visitor
}
const [manager, cashier] = [await as('manager'), await as('cashier')]
const assign = (ids: unknown, who = manager) => who.post('/admin/labels/barcodes', { ids })
const barcodeOf = async (id: number) =>
  (await sql<{ barcode: string | null }>`select barcode from products where id = ${id}`.execute(db)).rows[0]?.barcode ?? null

describe('a barcode of the shop’s own', () => {
  it('is an EAN-13 for products without one, assigned once, with an audit entry', async () => {
    const [bare, coded] = [await buildProduct(db, { barcode: null }), await buildProduct(db, { barcode: '4006381333931' })]
    const first = await assign([bare.id, coded.id, 2_000_000_000])
    expect(first).toMatchObject({ status: 200, body: { assigned: [{ id: bare.id }] } })
    const barcode = await barcodeOf(bare.id)
    expect([barcode?.slice(0, 2), hasValidCheckDigit(barcode ?? '')]).toEqual(['20', true])
    expect(await barcodeOf(coded.id)).toBe('4006381333931')
    expect((await assign([bare.id])).body).toEqual({ assigned: [] })
    const log = await sql`select before, after from audit_log where subject = 'product' and subject_id = ${String(bare.id)}`.execute(db)
    expect(log.rows).toEqual([{ before: { barcode: '' }, after: { barcode } }])
  })

  it('is another one where the code was typed for another product', async () => {
    const bare = await buildProduct(db, { barcode: null })
    await assign([bare.id])
    const code = (await barcodeOf(bare.id)) as string
    await sql`update products set barcode = null where id = ${bare.id}`.execute(db)
    await buildProduct(db, { barcode: code })
    await assign([bare.id])
    const other = (await barcodeOf(bare.id)) as string
    expect([other === code, hasValidCheckDigit(other), other.length]).toEqual([false, true, 13])
  })

  it('is assigned once by concurrent requests in any order', async () => {
    const ids: number[] = []
    for (let n = 0; n < 12; n++) ids.push((await buildProduct(db, { barcode: null })).id)
    const responses = await Promise.all(Array.from({ length: 8 }, (_, n) => assign(n % 2 ? ids : ids.toReversed())))
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    expect(responses.flatMap(({ text }) => (JSON.parse(text) as { assigned: object[] }).assigned)).toHaveLength(12)
    const codes = await Promise.all(ids.map(barcodeOf))
    expect(new Set(codes).size).toBe(12)
    const log = await sql`select 1 from audit_log where subject = 'product' and subject_id = any(${ids.map(String)})`.execute(db)
    expect(log.rows).toHaveLength(12)
  })

  it('needs the permission and valid ids', async () => {
    const { id } = await buildProduct(db, { barcode: null })
    expect((await assign([id], cashier)).status).toBe(403)
    for (const ids of [[], 'x', [0], [-1], [1.5], ['1; drop'], Array.from({ length: 101 }, (_, n) => n + 1), null])
      expect((await assign(ids)).status).toBe(422)
    expect((await shop.visitor().post('/admin/labels/barcodes', { ids: [id] })).status).toBe(401)
    expect(await barcodeOf(id)).toBeNull()
  })

  it('has a prefix that no scale uses', () => {
    expect(ownPrefix([{ prefix: '' }, { prefix: '27' }])).toBe('20')
    expect(ownPrefix([{ prefix: '20' }, { prefix: '21' }])).toBe('22')
    expect(ownPrefix(Array.from({ length: 10 }, (_, n) => ({ prefix: `2${n}` })))).toBe('29')
  })
})

describe('the page of labels', () => {
  const listed = async (query: string) =>
    pageProps<{ goods: LabelledProduct[] }>((await cashier.get(`/admin/labels${query}`, { accept: 'text/html' })).text).goods

  it('shows the chosen products in their order, with the price after discount and the bars of the barcode or tag', async () => {
    const mango = await buildProduct(db, {
      barcode: '8941100000024',
      price_poisha: 9950,
      discount_kind: 'percentage',
      discount_value: 1000,
    })
    const cow = await buildProduct(db, { is_unique: true, stock_milli: 1000, tag_number: 'KH-9001', barcode: null })
    const bare = await buildProduct(db, { barcode: null })
    const found = await listed(`?ids=${cow.id},${mango.id},${bare.id},999999999,x,${mango.id}`)
    expect(found.map((one) => [one.id, one.barcode?.kind ?? null, one.barcode?.text ?? null])).toEqual([
      [cow.id, 'code128', 'KH-9001'],
      [mango.id, hasValidCheckDigit('8941100000024') ? 'ean13' : 'code128', '8941100000024'],
      [bare.id, null, null],
    ])
    expect(found[1]?.price).toBe(9000)
  })

  it.each(['', '?ids=', '?ids=abc', '?ids=-1', `?ids=${'9'.repeat(4000)}`])('%s: nothing to print', async (query) =>
    expect(await listed(query)).toEqual([]),
  )

  it('is shown for two hundred ids', async () => {
    const page = await cashier.get(`/admin/labels?ids=${Array.from({ length: 200 }, (_, n) => n + 1).join()}`, { accept: 'text/html' })
    expect(page.status).toBe(200)
  })
})
