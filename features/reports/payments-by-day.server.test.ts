import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { poisha, ZERO } from '#lib/format/money.ts'
import { addDays, dhakaDate } from '#lib/format/time.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { listPaymentDays, type PaymentDay, type PaymentEntry, sumByMethod } from './payments-by-day.server.ts'

// Payments by day and method add up to the ledger, entry by entry, also around midnight in Dhaka.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const [manager, viewer, sales] = [await signedIn(shop, 'manager'), await signedIn(shop, 'viewer'), await signedIn(shop, 'sales')]
afterAll(() => expect(shop.failures).toEqual([]))

const DAYS = 6
const START = '2026-11-10'
const period = { from: START, to: addDays(START, DAYS - 1) }

interface Entry {
  kind: string
  method: string
  amount: number
  at: Date
  isPos: boolean
}
const kinds = fc.constantFrom('advance', 'gateway', 'cash_on_delivery', 'counter', 'refund', 'settlement', 'return')
const entry: fc.Arbitrary<Entry> = fc.record({
  kind: kinds,
  method: fc.constantFrom('cash', 'bkash', 'bank', 'nagad'),
  amount: fc.integer({ min: 1, max: 5_000_000 }),
  // From the last hours before the period to the first after it.
  at: fc
    .integer({ min: -6 * 3600, max: DAYS * 86_400 + 6 * 3600 })
    .map((seconds) => new Date(Date.parse(`${START}T00:00:00+06:00`) + seconds * 1000)),
  isPos: fc.boolean(),
})
const midnights = Array.from({ length: DAYS + 1 }, (_, day) =>
  [0, -1, 1].map((ms) => new Date(Date.parse(`${START}T00:00:00+06:00`) + day * 86_400_000 + ms)),
).flat()
const generated = [
  ...fc.sample(entry, { numRuns: 600, seed: 7 }),
  ...midnights.map((at): Entry => ({ kind: 'counter', method: 'cash', amount: 12_345, at, isPos: true })),
]

beforeAll(async () => {
  const [area, mango] = [await buildArea(db, { produce: 80 }), await buildProduct(db)]
  const placed = await shop.post(
    '/customer-orders',
    orderBody(area.id, [[mango.id, 1]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }),
  )
  const { rows } = await sql<{ id: number }>`insert into pos_shifts (cashier_id, opened_at, opening_cash_poisha)
    values (${manager.id}, now(), 0) returning id`.execute(db)
  const signed = ({ kind, amount }: Entry) => (kind === 'refund' ? -amount : amount)
  const list = JSON.stringify(generated.map((one) => ({ ...one, amount: signed(one) })))
  await sql`insert into ledger_entries (order_id, kind, method, amount_poisha, at, shift_id)
    select ${placed.body.order_id}, kind, case when kind in ('settlement', 'return') then 'weighing' else method end, amount, at,
      case when "isPos" then ${rows[0]!.id}::bigint end
    from jsonb_to_recordset(${list}::jsonb) as e(kind text, method text, amount bigint, at timestamptz, "isPos" boolean)`.execute(db)
})

const html = { accept: 'text/html' }
const open = async (query: Record<string, string>, who = viewer) =>
  who.get(`/admin/payments/days?${new URLSearchParams(query).toString()}`, html)

/** The sums of the generated entries, computed here. */
function expected(): PaymentDay[] {
  const sums = new Map<string, PaymentDay>()
  for (const { kind, method, amount, at, isPos } of generated) {
    const day = dhakaDate(at)
    if (kind === 'settlement' || kind === 'return' || day < period.from || day > period.to) continue
    const none = {
      day,
      method,
      entries: 0,
      staff_poisha: ZERO,
      web_poisha: ZERO,
      pos_poisha: ZERO,
      refunds_poisha: ZERO,
      total_poisha: ZERO,
    }
    const sum = sums.get(`${day} ${method}`) ?? none
    const signed = kind === 'refund' ? -amount : amount
    const channel = kind === 'refund' ? 'refunds' : kind === 'gateway' ? 'web' : isPos ? 'pos' : 'staff'
    sum.entries += 1
    sum[`${channel}_poisha`] = poisha(sum[`${channel}_poisha`] + signed)
    sum.total_poisha = poisha(sum.total_poisha + signed)
    sums.set(`${day} ${method}`, sum)
  }
  return [...sums.values()].toSorted((a, b) => b.day.localeCompare(a.day) || a.method.localeCompare(b.method))
}

describe('payments by day and method', () => {
  it('are the sums of the entries', async () => {
    expect(await listPaymentDays(db, period)).toEqual(expected())
    expect(expected().length).toBeGreaterThan(20)
  })

  it('add up to the money of the ledger, by method and in all', async () => {
    const props = pageProps<{ days: PaymentDay[]; methods: ReturnType<typeof sumByMethod> }>((await open(period)).text)
    const { rows } = await sql<{ method: string; total: number; entries: number }>`
      select method, sum(amount_poisha)::bigint as total, count(*)::int as entries from ledger_entries
      where kind not in ('settlement', 'return') and at >= '2026-11-10T00:00:00+06:00' and at < '2026-11-16T00:00:00+06:00' group by 1`.execute(
      db,
    )
    const byMethod = Object.fromEntries(rows.map(({ method, total, entries }) => [method, [total, entries]]))
    expect(Object.fromEntries(props.methods.map((one) => [one.method, [one.total_poisha, one.entries]]))).toEqual(byMethod)
    for (const one of [...props.days, ...props.methods])
      expect(one.staff_poisha + one.web_poisha + one.pos_poisha + one.refunds_poisha).toBe(one.total_poisha)
    expect(sumByMethod(props.days)).toEqual(props.methods)
  })

  it('lead to the entries, page by page', async () => {
    const [day] = expected()
      .filter(({ method }) => method === 'cash')
      .toSorted((a, b) => b.entries - a.entries)
    await sql`insert into ledger_entries (order_id, kind, method, amount_poisha, at)
      select min(order_id), 'counter', 'cash', 100, ${`${day!.day}T12:00:00+06:00`}::timestamptz from ledger_entries cross join generate_series(1, 150)
      group by generate_series`.execute(db)
    const seen: PaymentEntry[] = []
    let place: Record<string, string> | null = {}
    while (place) {
      const query = new URLSearchParams({ method: 'cash', ...place }).toString()
      const { text, status } = await viewer.get(`/admin/payments/days/${day!.day}?${query}`, html)
      expect(status).toBe(200)
      const { page } = pageProps<{ page: { rows: PaymentEntry[]; next: Record<string, string> | null } }>(text)
      seen.push(...page.rows)
      place = page.next
    }
    const ids = seen.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(seen).toHaveLength(day!.entries + 150)
    expect(seen.reduce((sum, { amount_poisha }) => sum + amount_poisha, 0)).toBe(day!.total_poisha + 150 * 100)
    const file = await viewer.get(`/admin/payments/days/${day!.day}?method=cash&download=1`, html)
    expect(file.headers['content-type']).toMatch(/text\/csv/)
    expect(file.text.trim().split('\r\n')).toHaveLength(seen.length + 1)
  })

  it('can be saved as CSV', async () => {
    const { text, headers } = await open({ ...period, download: '1' })
    expect(headers['content-disposition']).toMatch(/khamar-payments-2026-11-10-2026-11-15\.csv/)
    expect(text.trim().split('\r\n')).toHaveLength((await listPaymentDays(db, period)).length + 1)
  })

  it.each([
    { from: 'x', to: '2026-13-40' },
    { from: '1999-01-01', to: '2026-11-15' },
    { from: '2026-12-01', to: '2026-11-01' },
  ])('of %j are those of the last 30 days', async (query) => {
    const { text, status } = await open(query)
    expect(status).toBe(200)
    expect(pageProps<{ period: { days: number } }>(text).period.days).toBe(30)
  })

  it('are not for roles without reports; a wrong day is missing', async () => {
    expect((await open({}, sales)).status).toBe(403)
    const statuses = await Promise.all(
      ['2026-11-31', 'today', '%00'].map(async (day) => (await viewer.get(`/admin/payments/days/${day}`, html)).status),
    )
    expect(statuses.every((status) => status === 404 || status === 400)).toBe(true)
    expect((await viewer.get('/admin/payments/days/2026-11-10?method=%00', html)).status).toBe(404)
    // Without a method: the methods of the day.
    const all = await viewer.get('/admin/payments/days/2026-11-10', html)
    expect([all.status, all.headers.location]).toEqual([303, '/admin/payments/days?from=2026-11-10&to=2026-11-10'])
  })

  it('uses the index of time', async () => {
    const { rows } = await db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      return sql<{
        'QUERY PLAN': string
      }>`explain select 1 from ledger_entries where at >= now() - interval '1 day' and at < now()`.execute(tx)
    })
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/ledger_entries_time/)
  })
})
