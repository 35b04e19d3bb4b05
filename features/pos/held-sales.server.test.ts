import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { openShop } from '#test/request.ts'
import { HELD_DAYS, MAX_HELD_SALES } from './held-rules.ts'
import { deleteExpiredHeldSales, listHeldSales } from './held-sales.server.ts'

// Held sales of all registers: stored once, resumed by exactly one register.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const [first, second, viewer] = [await signedIn(shop, 'cashier'), await signedIn(shop, 'cashier'), await signedIn(shop, 'viewer')]
beforeEach(async () => void (await sql`truncate held_sales`.execute(db)))

const PAGE = '/admin/quick-orders/held'
type Sent = Record<string, unknown>
const line = (more: Sent = {}): Sent => ({
  id: 7,
  name: 'Mango',
  unit: 'kg',
  price: 12_000,
  quantity: '2.5',
  image: '/uploads/a.webp',
  isAnimal: false,
  group: 'produce',
  shipping: 0,
  stockMilli: null,
  ...more,
})
const saleOf = (more: Sent = {}): Sent => ({
  key: crypto.randomUUID(),
  lines: [line()],
  phone: '',
  name: '',
  email: '',
  cash: null,
  bkash: '',
  bank: '',
  bkashId: '',
  bankId: '',
  discount: '',
  approval: null,
  deliver: false,
  areaId: '',
  address: '',
  ...more,
})
const bodyOf = (more: Sent = {}): Sent => ({
  id: crypto.randomUUID(),
  name: 'red shirt',
  held_at: '2026-01-05T09:30:00.000Z',
  register: 'Front',
  sale: saleOf(),
  ...more,
})
const hold = (body: unknown, who = first) => who.post(PAGE, body)
const resume = (id: unknown, body: unknown = { key: crypto.randomUUID() }, who = second) => who.post(`${PAGE}/${String(id)}/resume`, body)
const list = async (who = second) => ((await who.get(`/api${PAGE}`)).body as unknown as { held: Sent[] }).held
const count = async () => (await sql<{ n: number }>`select count(*)::integer as n from held_sales`.execute(db)).rows[0]!.n

describe('a held sale', () => {
  it('is listed for every cashier with name, time, cashier, register, items and total, and resumed as it was', async () => {
    const sale = saleOf({
      lines: [line(), line({ id: 8, name: 'Cane', price: 5000, quantity: '3', note: 'cut' })],
      discount: '10%',
      nagad: '20',
    })
    const body = bodyOf({ sale })
    expect(await hold(body)).toMatchObject({ status: 200, body: { success: true, is_taken: false } })
    expect(await list()).toEqual([
      {
        id: body.id,
        name: 'red shirt',
        cashier: expect.any(String),
        register: 'Front',
        heldAt: '2026-01-05T09:30:00.000Z',
        until: expect.any(String),
        lineCount: 2,
        total: 405,
        lines: [
          { name: 'Mango', quantity: '2.5' },
          { name: 'Cane', quantity: '3' },
        ],
      },
    ])
    expect((await resume(body.id)).body).toMatchObject({ name: 'red shirt', sale })
    expect(await list()).toEqual([])
  })

  it('of an exchange is stored and resumed with what comes back', async () => {
    const returned = { productId: 7, name: 'Mango', unit: 'kg', quantityMilli: 1500, spoiled: false }
    const refund = { refund: 18_000, cashCarried: 0, method: 'cash', transactionId: '' }
    const body = bodyOf({ sale: saleOf({ lines: [], exchange: { orderId: 12, lines: [returned], reason: 'Unripe', ...refund } }) })
    expect((await hold(body)).status).toBe(200)
    expect((await resume(body.id)).body).toMatchObject({ sale: body.sale })
  })

  it('that is sent again is stored once, and stays resumed', async () => {
    const body = bodyOf()
    await Promise.all([hold(body), hold(body), hold(body)])
    expect(await count()).toBe(1)
    expect((await hold({ ...body, name: 'other' })).status).toBe(409)
    await resume(body.id)
    expect((await hold(body)).body).toMatchObject({ is_taken: true })
    expect(await list()).toEqual([])
  })

  it('is resumed by exactly one of several registers; the others learn by whom', async () => {
    const body = bodyOf()
    await hold(body)
    const answers = await Promise.all([
      resume(body.id),
      resume(body.id, undefined, first),
      resume(body.id),
      resume(body.id, undefined, first),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
    const late = await resume(body.id)
    expect(late.body).toMatchObject({ reason: 'taken' })
    expect(late.text).toContain('resumed this sale at')
  })

  it('is resumed again under the same key: the first answer may be lost', async () => {
    const body = bodyOf()
    await hold(body)
    const key = crypto.randomUUID()
    expect((await resume(body.id, { key })).status).toBe(200)
    expect((await resume(body.id, { key })).body).toMatchObject({ name: 'red shirt', sale: body.sale })
    expect((await resume(body.id)).status).toBe(409)
  })

  it('that its device has resumed is not brought back by a late request', async () => {
    const body = bodyOf()
    expect((await resume(body.id, { key: crypto.randomUUID(), own: true }, first)).body).toMatchObject({ sale: null })
    expect((await hold(body)).body).toMatchObject({ is_taken: true })
    expect(await list()).toEqual([])
    expect((await resume(body.id)).status).toBe(409)
  })

  it('is deleted after its days, and not earlier', async () => {
    await hold(bodyOf())
    const { rows } = await sql<{ at: Date }>`select created_at as at from held_sales`.execute(db)
    const after = (days: number) => new Date(rows[0]!.at.getTime() + days * 86_400_000)
    await deleteExpiredHeldSales(db, after(HELD_DAYS - 0.01))
    expect(await listHeldSales(db, after(HELD_DAYS - 0.01))).toHaveLength(1)
    expect(await listHeldSales(db, after(HELD_DAYS + 0.01))).toEqual([])
    await deleteExpiredHeldSales(db, after(HELD_DAYS + 0.01))
    expect(await count()).toBe(0)
  })

  it('beyond the limit is rejected, also of concurrent ones', async () => {
    await sql`insert into held_sales (id, name, cashier_id, register, held_at, created_at, line_count, total_poisha, sale)
      select gen_random_uuid(), 'x', (select min(id) from users), '', now(), now(), 0, 0, '{}' from generate_series(2, ${MAX_HELD_SALES}::integer)`.execute(
      db,
    )
    const answers = await Promise.all([hold(bodyOf()), hold(bodyOf()), hold(bodyOf())])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(await count()).toBe(MAX_HELD_SALES)
  })
})

describe('what is no held sale', () => {
  it.each<[string, Sent]>([
    ['no id', { id: undefined }],
    ['an id of another kind', { id: '1; drop table held_sales' }],
    ['no name', { name: '  ' }],
    ['a long name', { name: 'x'.repeat(61) }],
    ['a time that is none', { held_at: 'yesterday' }],
    ['a long register', { register: 'x'.repeat(41) }],
    ['no sale', { sale: null }],
    ['an unknown field', { taken_by: 1 }],
    ['an approval', { sale: saleOf({ approval: { terms: {}, at: 1 } }) }],
    ['a line without a product', { sale: saleOf({ lines: [line({ id: 0 })] }) }],
    ['a price below zero', { sale: saleOf({ lines: [line({ price: -1 })] }) }],
    ['a fraction of a poisha', { sale: saleOf({ lines: [line({ price: 0.5 })] }) }],
    ['a picture of another site', { sale: saleOf({ lines: [line({ image: '//evil.example/x.png' })] }) }],
    ['a script as a picture', { sale: saleOf({ lines: [line({ image: 'javascript:alert(1)' })] }) }],
    ['an unknown unit', { sale: saleOf({ lines: [line({ unit: 'ton' })] }) }],
    ['too many lines', { sale: saleOf({ lines: Array.from({ length: 201 }, () => line()) }) }],
    ['lines that are no list', { sale: saleOf({ lines: { length: 1e9 } }) }],
    ['a long text', { sale: saleOf({ address: 'x'.repeat(256) }) }],
    ['a nested input', { sale: saleOf({ extra: { a: { b: 1 } } }) }],
    ['a text with a zero byte', { name: 'a\u0000b' }],
    ['a zero byte in the sale', { sale: saleOf({ name: 'a\u0000b' }) }],
  ])('%s is rejected, and nothing is stored', async (_, more) => {
    expect((await hold(bodyOf(more))).status).toBe(422)
    expect(await count()).toBe(0)
  })

  it('a huge body is not read', async () => {
    expect((await hold(bodyOf({ sale: saleOf({ extra: 'x'.repeat(300_000) }) }))).status).toBe(413)
  })

  it('an unknown or malformed id is not resumed', async () => {
    expect((await resume(crypto.randomUUID())).status).toBe(404)
    expect((await resume('7')).status).toBe(422)
    expect((await resume(crypto.randomUUID(), { key: 'x' })).status).toBe(422)
    expect((await resume(crypto.randomUUID(), {})).status).toBe(422)
  })

  it('only people who sell see, hold and resume', async () => {
    const body = bodyOf()
    await hold(body)
    expect((await hold(bodyOf(), viewer)).status).toBe(403)
    expect((await resume(body.id, undefined, viewer)).status).toBe(403)
    expect((await viewer.get(`/api${PAGE}`)).status).toBe(403)
    expect((await shop.post(PAGE, bodyOf())).status).toBe(401)
    expect(await list()).toHaveLength(1)
  })
})
