import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { buildProduct, buildUser } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { LeaderboardRow } from './leaderboard.server.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
shop.clock.now = new Date('2026-11-20T06:00:00Z')
const clerk = shop.visitor()
await clerk.signIn((await buildUser(db, { role: 'sales' })).phone)
beforeEach(() => sql`truncate ledger_entries, orders, audit_log cascade`.execute(db))

const NOVEMBER = 'start_date=2026-11-01&end_date=2026-11-30'

async function order(
  customer: { id: number; phone: string },
  { taka = 100, at = '2026-11-05T06:00:00Z', status = 'delivered', source = 'web' } = {},
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into orders (status, reason, source, customer_id, name, phone, address, subtotal_poisha, shipping_poisha, discount_poisha, total_poisha,
      payment_type, payment_gateway, payable_poisha, list_on, placed_at, view_key, tracking_code)
    values (${status}, 'Test', ${source}, ${customer.id}, 'Rahima', ${customer.phone}, 'House 5', ${Math.round(taka * 100)}, 0, 0, ${Math.round(taka * 100)},
      'full', 'NONE', 0, '2026-11-06', ${at}, 'key', gen_random_uuid()::text) returning id`.execute(db)
  return rows[0]!.id
}
const entry = (order_id: number, kind: 'advance' | 'cash_on_delivery' | 'counter' | 'gateway' | 'refund' | 'settlement', taka: number) =>
  db
    .insertInto('ledger_entries')
    .values({ order_id, kind, method: 'cash', amount_poisha: Math.round(taka * 100) })
    .execute()

type PageOf = { list: { rows: LeaderboardRow[]; next: Record<string, string> | null; prev: Record<string, string> | null } }
async function ask(query = NOVEMBER, who = clerk): Promise<PageOf['list']> {
  const page = await who.get(`/admin/leaderboard?${query}`, { accept: 'text/html' })
  expect(page.status).toBe(200)
  return pageProps<PageOf>(page.text).list
}
const csv = async (query = NOVEMBER) => clerk.get(`/admin/leaderboard?${query}&download=1`, { accept: 'text/html' })

describe('the leaderboard', () => {
  it('redirects to the completed URL without a first day', async () => {
    const response = await clerk.get('/admin/leaderboard?sort_order=up&min_spent=10', { accept: 'text/html' })
    expect([response.status, response.headers.location]).toEqual([
      303,
      '/admin/leaderboard?start_date=2026-10-20&end_date=2026-11-20&sort_column=total_spent&sort_order=desc&min_spent=10',
    ])
  })

  it('shows the last order with day, month and two digits of the year, and the amount with two decimals', async () => {
    await order(await buildUser(db, { name: 'Rahima' }), { taka: 138_500 })
    const cells = async (lang: string) => {
      const { text } = await clerk.get(`/admin/leaderboard?${NOVEMBER}&lang=${lang}`, { accept: 'text/html' })
      return [...text.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell = '']) => cell.replace(/<[^>]*>/g, '')).filter((cell) => cell !== '')
    }
    expect((await cells('bn')).at(-1)).toBe('৫ নভেম্বর ২৬')
    expect((await cells('en')).slice(-3)).toEqual(['1,38,500.00 tk', '1', '5 Nov 26'])
  })

  it('links to a list of every counted order, sales of the POS included', async () => {
    const [shopper, cashier] = [await buildUser(db, { name: 'Rahima' }), await signedIn(shop, 'cashier')]
    await cashier.post('/admin/quick-orders/shift/open', { opening_cash: 0 })
    const honey = await buildProduct(db, { unit: 'piece', price_poisha: 50_000 })
    const sale = { products: [{ id: honey.id, quantity: 1 }], transactions: { cash: 500 }, total: 500, customer: { phone: shopper.phone } }
    const { body } = await cashier.post('/admin/quick-orders/store', sale)
    type List = { list: { rows: { id: number }[] }; other: { status: string; count: number } | null }
    const list = async (status: string, more = '') =>
      pageProps<List>((await clerk.get(`/admin/orders?status=${status}&user_id=${shopper.id}${more}`, { accept: 'text/html' })).text)
    const [row] = (await ask()).rows
    expect(row).toMatchObject({ id: shopper.id, orders_count: 1, total_spent: 500 })
    // The specified link for a customer with POS sales only.
    expect(await list('delivered')).toMatchObject({ list: { rows: [] }, other: { status: 'completed', count: 1 } })
    expect(await list('completed')).toMatchObject({ list: { rows: [{ id: body.order_id }] }, other: null })
    const web = await order(shopper)
    expect(await list('delivered')).toMatchObject({ list: { rows: [{ id: web }] }, other: { status: 'completed', count: 1 } })
    expect(await list('completed')).toMatchObject({ other: { status: 'delivered', count: 1 } })
    // The other filters apply to the linked list too.
    expect((await list('delivered', '&source=web')).other).toBeNull()
    expect((await list('placed')).other).toBeNull()
    expect((await list('delivered', '&q=nobody')).other).toBeNull()
    const all = pageProps<List>((await clerk.get('/admin/orders?status=delivered', { accept: 'text/html' })).text)
    expect(all.other).toBeNull()
    expect((await clerk.get(`/admin/orders?status=delivered&user_id=${shopper.id}`, { accept: 'text/html' })).text).toContain(
      'Completed orders of Rahima: 1',
    )
  })

  it('adds delivered and completed orders of all channels, one row a customer', async () => {
    const [rahima, karim] = [await buildUser(db, { name: 'Rahima', email: 'r@x.example' }), await buildUser(db, { name: 'করিম' })]
    for (const source of ['web', 'admin', 'pos']) await order(rahima, { taka: 33.33, source })
    await order(karim, { taka: 99.98, status: 'completed', at: '2026-11-07T10:00:00Z' })
    for (const status of ['placed', 'processing', 'on_delivery', 'cancelled', 'returned']) await order(karim, { taka: 1000, status })
    const { rows } = await ask()
    expect(rows).toEqual([
      {
        id: rahima.id,
        name: 'Rahima',
        repeatCustomer: true,
        phone: rahima.phone,
        email: 'r@x.example',
        total_spent: 99.99,
        orders_count: 3,
        last_order_date: '2026-11-05T06:00:00.000Z',
      },
      {
        id: karim.id,
        name: 'করিম',
        phone: karim.phone,
        email: '',
        total_spent: 99.98,
        orders_count: 1,
        last_order_date: '2026-11-07T10:00:00.000Z',
      },
    ])
  })

  it('subtracts refunds, but not the refund of an overpayment', async () => {
    const [refunded, overpaid, heavier, light] = [await buildUser(db), await buildUser(db), await buildUser(db), await buildUser(db)]
    const [a, b, c, d] = [
      await order(refunded, { taka: 100 }),
      await order(overpaid, { taka: 100 }),
      await order(heavier, { taka: 100 }),
      await order(light, { taka: 100 }),
    ]
    await entry(a, 'advance', 100)
    await entry(a, 'refund', -30)
    await entry(b, 'advance', 150)
    await entry(b, 'refund', -50)
    await entry(c, 'advance', 100)
    await entry(c, 'settlement', -20)
    await entry(d, 'advance', 100)
    await entry(d, 'settlement', 15)
    await entry(d, 'refund', -15)
    const spent = new Map((await ask()).rows.map((row) => [row.id, row.total_spent]))
    expect([refunded, overpaid, heavier, light].map(({ id }) => spent.get(id))).toEqual([70, 100, 120, 85])
  })

  it('has days of Dhaka, exact to the millisecond', async () => {
    const who = await buildUser(db)
    await order(who, { taka: 1, at: '2026-11-04T17:59:59.999Z' })
    await order(who, { taka: 10, at: '2026-11-04T18:00:00.000Z' })
    await order(who, { taka: 100, at: '2026-11-05T17:59:59.999Z' })
    await order(who, { taka: 1000, at: '2026-11-05T18:00:00.000Z' })
    const spent = async (from: string, to = from) => (await ask(`start_date=${from}&end_date=${to}`)).rows.map((row) => row.total_spent)
    expect(await spent('2026-11-05')).toEqual([110])
    expect(await spent('2026-11-04', '2026-11-05')).toEqual([111])
    expect(await spent('2016-11-20', '2026-11-20')).toEqual([1111])
    expect(await spent('2025-02-30', '2026-11-20')).toEqual([1111])
    expect(await spent('2026-11-20', '2026-11-04')).toEqual([1111])
  })

  it('sorts by each column in both directions, with keyset pages in that order', async () => {
    const people = await Promise.all(Array.from({ length: 120 }, () => buildUser(db)))
    for (const [i, who] of people.entries()) {
      const minute = String(i % 60).padStart(2, '0')
      await order(who, { taka: 10 + (i % 7), at: `2026-11-${10 + Math.floor(i / 60)}T06:${minute}:00Z` })
      if (i % 3 === 0) await order(who, { taka: 3, at: '2026-11-02T06:00:00Z' })
    }
    const value = {
      total_spent: (r: LeaderboardRow) => r.total_spent,
      orders_count: (r: LeaderboardRow) => r.orders_count,
      last_order_date: (r: LeaderboardRow) => Date.parse(r.last_order_date ?? ''),
    }
    for (const column of ['total_spent', 'orders_count', 'last_order_date'] as const) {
      for (const order of ['asc', 'desc']) {
        const query = `${NOVEMBER}&sort_column=${column}&sort_order=${order}`
        const first = await ask(query)
        const second = await ask(`${query}&${new URLSearchParams(first.next!).toString()}`)
        const last = await ask(`${query}&end=1`)
        const rows = [...first.rows, ...second.rows, ...(await ask(`${query}&${new URLSearchParams(second.next!).toString()}`)).rows]
        const sign = order === 'asc' ? 1 : -1
        const sorted = [...rows].sort((a, b) => sign * (value[column](a) - value[column](b) || a.id - b.id))
        expect(rows.map(({ id }) => id)).toEqual(sorted.map(({ id }) => id))
        expect(new Set(rows.map(({ id }) => id)).size).toBe(120)
        expect(last.rows.at(-1)?.id).toBe(rows.at(-1)?.id)
        expect((await ask(`${query}&${new URLSearchParams(second.prev!).toString()}`)).rows).toEqual(first.rows)
      }
    }
  })

  it('filters by minimum and maximum; invalid values become defaults', async () => {
    for (const taka of [10, 20, 30]) await order(await buildUser(db), { taka })
    const spent = async (query: string) => (await ask(`${NOVEMBER}&${query}`)).rows.map((row) => row.total_spent)
    expect(await spent('min_spent=20')).toEqual([30, 20])
    expect(await spent(`max_spent=${encodeURIComponent('২০')}&sort_order=asc`)).toEqual([10, 20])
    expect(await spent('min_spent=30&max_spent=10')).toEqual([30, 20, 10])
    expect(await spent('sort_column=password_hash;--&sort_order=up&after=x~y&page=1e9')).toEqual([30, 20, 10])
    expect(await spent('after=9e99~1')).toEqual([30, 20, 10])
  })

  it('has its rows in an attribute, with any characters in names', async () => {
    const name = `<b>' " & \u2028 </script><img src=x onerror=alert(1)>`
    await order(await buildUser(db, { name }))
    const { text } = await clerk.get(`/admin/leaderboard?${NOVEMBER}`, { accept: 'text/html' })
    const [, attribute = ''] = /id="leaderboard" data-leaderboard="([^"]*)"/.exec(text) ?? []
    const json = attribute.replace(
      /&(lt|gt|quot|#x27|#39|amp);/g,
      (_, one: string) => ({ lt: '<', gt: '>', quot: '"', amp: '&' })[one] ?? "'",
    )
    expect((JSON.parse(json) as LeaderboardRow[])[0]?.name).toBe(name)
    expect(pageProps<PageOf>(text).list.rows[0]?.name).toBe(name)
    expect(text).not.toContain('<img src=x')
  })
})

describe('the exported file', () => {
  it('is valid CSV without formulas', async () => {
    const names = [
      '=HYPERLINK("http://evil.example")',
      '+cmd',
      '-1+1',
      '@SUM(A1)',
      '\tx',
      '＝1',
      '＋1',
      'say "hi", you',
      'two\nlines',
      'রহিমা খাতুন',
    ]
    for (const [i, name] of names.entries()) await order(await buildUser(db, { name }), { taka: 1000 - i + 0.5 })
    const response = await csv()
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(response.headers['content-disposition']).toBe('attachment; filename="khamar-leaderboard-2026-11-01-2026-11-30.csv"')
    expect(response.text.startsWith('\ufeff"User Id","Name","Phone","Email","Total Spent","Total Order","Last Order"\r\n')).toBe(true)
    const rows = parseCsv(response.text.slice(1))
    expect(rows).toHaveLength(names.length + 1)
    expect(rows.slice(1).map((row) => row[1])).toEqual(names.map((name) => (/^[=+\-@\t＝＋]/.test(name) ? `'${name}` : name)))
    expect(rows[1]?.[2]).toMatch(/^="018\d{8}"$/)
    expect(rows[1]?.slice(3)).toEqual(['', '1000.5', '1', '2026-11-05'])
  })

  it('has every row in the order of the page, and an audit entry', async () => {
    for (let i = 0; i < 60; i++) await order(await buildUser(db), { taka: i + 1 })
    const rows = parseCsv((await csv(`${NOVEMBER}&sort_column=total_spent&sort_order=asc&min_spent=11`)).text.slice(1)).slice(1)
    expect(rows.map((row) => Number(row[4]))).toEqual(Array.from({ length: 50 }, (_, i) => i + 11))
    const log = await db.selectFrom('audit_log').selectAll().execute()
    expect(log).toMatchObject([{ action: 'exported', subject: 'customer', after: { startDate: '2026-11-01' } }])
  })

  it('leaves no open transaction', async () => {
    const who = await buildUser(db)
    await order(who)
    await Promise.all(Array.from({ length: 8 }, () => csv()))
    const { rows } = await sql<{ open: number }>`select count(*)::int as open from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%'`.execute(db)
    expect(rows[0]?.open).toBe(0)
  })

  it('needs the permission', async () => {
    for (const [role, status] of [
      ['cashier', 403],
      ['weigher', 403],
      ['customer', 403],
      ['viewer', 200],
    ] as const) {
      const visitor = shop.visitor()
      await visitor.signIn((await buildUser(db, { role })).phone)
      expect([role, (await visitor.get(`/admin/leaderboard?${NOVEMBER}&download=1`, { accept: 'text/html' })).status]).toEqual([
        role,
        status,
      ])
    }
    const stranger = await shop.visitor().get('/admin/leaderboard', { accept: 'text/html' })
    expect([stranger.status, stranger.headers.location?.startsWith('/login')]).toEqual([303, true])
  })
})

/** Parses CSV (RFC 4180). */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end === '\r\n') rows.push([])
    if (end === '') break
  }
  return rows.filter((row) => row.length > 1)
}
