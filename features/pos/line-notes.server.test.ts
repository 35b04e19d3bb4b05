import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildProduct } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import { MAX_LINE_NOTE_LENGTH } from './limits.ts'

// Notes on lines: stored with the sale, part of its request, and printed where its lines stand.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const [cashier, manager] = [await signedIn(shop, 'cashier'), await signedIn(shop, 'manager')]
await cashier.post('/admin/quick-orders/shift/open', { opening_cash: 1000 })
const html = { accept: 'text/html' }

let [honey, cane]: { id: number }[] = []
let before = new Map<number, number>()
beforeEach(async () => {
  honey = await buildProduct(db, { unit: 'kg', stock_milli: 50_000, price_poisha: 12_000 })
  cane = await buildProduct(db, { unit: 'piece', stock_milli: 50_000, price_poisha: 5000 })
  before = await countStock(db)
})
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

const body = (note: unknown) => ({
  products: [
    { id: honey!.id, quantity: '2', ...(note === undefined ? {} : { note }) },
    { id: cane!.id, quantity: '1' },
  ],
  transactions: { cash: 290 },
  total: 290,
  customer: { phone: '01712345678' },
})
const store = (sent: object, key: string = crypto.randomUUID()) =>
  cashier.post('/admin/quick-orders/store', sent, { headers: { 'idempotency-key': key } })
const notesOf = async (id: unknown) =>
  (await db.selectFrom('order_lines').select('note').where('order_id', '=', Number(id)).orderBy('position').execute()).map(
    ({ note }) => note,
  )

describe('a note on a line', () => {
  it('is stored and stands on the receipt, the invoice and the order', async () => {
    const { body: sold } = await store(body(' cut in <b>pieces</b> '))
    expect(await notesOf(sold.order_id)).toEqual(['cut in <b>pieces</b>', ''])
    const receipt = await cashier.get(`/api/admin/quick-orders/receipts/${sold.order_id}`)
    expect(receipt.body).toMatchObject({ order: { lines: [{ note: 'cut in <b>pieces</b>' }, { note: '' }] } })
    const pages = [
      `/admin/quick-orders/pos-invoice/${sold.order_id}`,
      `/admin/orders/single_invoice/${sold.order_id}`,
      `/admin/orders/update/${sold.order_id}`,
    ]
    for (const page of pages)
      expect([page, (await manager.get(page, html)).text]).toEqual([
        page,
        expect.stringContaining('– <!-- -->cut in &lt;b&gt;pieces&lt;/b&gt;'),
      ])
  })

  it('is part of the request: the same key with another note is another request', async () => {
    const key = crypto.randomUUID()
    const first = await store(body('cut'), key)
    expect((await store(body('cut'), key)).body.order_id).toBe(first.body.order_id)
    expect(await store(body('whole'), key)).toMatchObject({ status: 409, body: { reason: 'key-reused' } })
  })

  it('may be empty or absent', async () => {
    for (const none of [undefined, '', '   ']) {
      const { status, body: sold } = await store(body(none))
      expect([status, await notesOf(sold.order_id)]).toEqual([200, ['', '']])
    }
  })

  it.each([
    ['too long', 'x'.repeat(MAX_LINE_NOTE_LENGTH + 1)],
    ['a number', 5],
    ['a list', ['a']],
    ['a zero byte', 'a\u0000b'],
    ['nothing', null],
  ])('%s is rejected at the field', async (_, note) => {
    const { status, body: answer } = await store(body(note))
    expect([status, Object.keys(answer.errors as object)]).toEqual([422, ['products.0.note']])
  })
})
