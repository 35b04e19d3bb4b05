import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { amountInWords } from '#lib/format/amount-in-words.ts'
import { formatTaka, type Poisha, takaToPoisha } from '#lib/format/money.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildCategory, buildUser, orderBody } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { aggregateSales } from '#features/reports/aggregate-sales.server.ts'
import { signedIn } from '../testing/admin-shop.ts'

// Generated orders: weighed, paid, refunded, cancelled, returned, reopened. Every total and amount shown matches the ledger.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const category = await buildCategory(db, { delivery_group: 'cattle', final_weighing_days: 4 })
await db
  .insertInto('rate_tiers')
  .values([{ category_id: category.id, season: '', from_grams: 0, poisha_per_kg: 50_000 }])
  .execute()
const manager = await signedIn(shop, 'manager')
const person = await buildUser(db, { phone_verified_at: new Date() })
const me = shop.visitor()
await me.signIn(person.phone)
afterAll(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})

type Ledger = { status: string; total: number; received: number; settled: number; version: number; cow: number }

/** The order with the sums of its ledger entries, in taka. */
async function ledgerOf(id: number): Promise<Ledger> {
  const { rows } = await sql<Ledger>`select o.status, o.total_poisha::float8 / 100 as total, o.version,
      coalesce((select sum(amount_poisha) from ledger_entries where order_id = o.id and kind not in ('settlement', 'return')), 0)::float8 / 100 as received,
      coalesce((select -sum(amount_poisha) from ledger_entries where order_id = o.id and kind in ('settlement', 'return')), 0)::float8 / 100 as settled,
      (select product_id from order_lines where order_id = o.id limit 1) as cow
    from orders o where id = ${id}`.execute(db)
  return rows[0]!
}
const isEnded = ({ status }: Ledger) => status === 'cancelled' || status === 'returned'
const chargedOf = (ledger: Ledger) => (isEnded(ledger) ? 0 : ledger.total + ledger.settled)
const dueOf = (ledger: Ledger) => chargedOf(ledger) - ledger.received

async function ordered(): Promise<number> {
  shop.clock.now = new Date(shop.clock.now.getTime() + 60_000)
  const cow = await buildAnimal(db, { category_id: category.id, weight_grams: 200_000, price_poisha: 10_000_000 })
  const body = orderBody(area.id, [[cow.id, 1]], { payment_type: 'full', payment_gateway: 'sslcommerz' })
  const answer = await me.post('/customer-orders', { ...body, customer: { ...body.customer, phone: person.phone } })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.order_id!
}

type Step = { do: 'pay' | 'refund' | 'weigh' | 'on' | 'end' | 'reopen'; size: number }

/** Runs a step if the order allows it. */
async function take(id: number, step: Step): Promise<void> {
  shop.clock.now = new Date(shop.clock.now.getTime() + 60_000)
  const ledger = await ledgerOf(id)
  const { version, status } = ledger
  const move = (to: string) => manager.post('/admin/orders/status', { orders: [{ id, version }], status: to, reason: 'As agreed' })
  if (step.do === 'pay')
    await manager.post(`/admin/orders/payments/${id}`, { method: 'cash', amount: step.size * 1000 + 0.5, version, confirmed: true })
  if (step.do === 'refund')
    await manager.post(`/admin/orders/refunds/${id}`, { method: 'cash', amount: Math.max(0, -dueOf(ledger)), version })
  if (step.do === 'weigh' && !isEnded(ledger)) {
    const weighing = { weight_kg: 150 + step.size, weighed_on: '2026-11-20', method: 'scale', weighed_by: 'Rafiq', confirmed: true }
    await manager.post(`/admin/animals/${ledger.cow}/weigh-ins`, weighing)
    await manager.post(`/admin/orders/${id}/settle`, { animal_id: ledger.cow })
  }
  const next = { placed: 'processing', processing: 'on_delivery', on_delivery: 'delivered', delivered: 'completed' }[status]
  if (step.do === 'on' && next) await move(next)
  if (step.do === 'end') await move(status === 'placed' || status === 'processing' ? 'cancelled' : 'returned')
  if (step.do === 'reopen' && isEnded(ledger)) await move(status === 'cancelled' ? 'placed' : 'processing')
}

const taka = (amount: number) => formatTaka(takaToPoisha(Math.round(amount * 100) / 100), 'en')
const textOf = (html: string, mark: string) => new RegExp(`<[a-z]+ ${mark}(?:=""|="true")?[^>]*>(.*?)</`, 's').exec(html)?.[1] ?? null
const plain = (html: string) =>
  html
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')

const steps = fc.array(
  fc.record({ do: fc.constantFrom('pay', 'pay', 'refund', 'weigh', 'on', 'on', 'end', 'reopen'), size: fc.integer({ min: 1, max: 99 }) }),
  { minLength: 2, maxLength: 7 },
)
const lives = fc.sample(steps as fc.Arbitrary<Step[]>, { numRuns: 16, seed: 14 })

it.each(lives.map((life) => [life.map(({ do: name, size }) => `${name} ${size}`).join(', '), life] as const))('%s', async (_, life) => {
  const id = await ordered()
  for (const step of life) await take(id, step)
  const ledger = await ledgerOf(id)
  const [charged, due] = [chargedOf(ledger), dueOf(ledger)]
  const html = { accept: 'text/html' }
  const row = pageProps<{ list: { rows: { total: number; due: number; ordered: number }[] } }>(
    (await manager.get(`/admin/orders?q=${id}`, html)).text,
  ).list.rows[0]!
  expect({ total: row.total, due: row.due, ordered: row.ordered }).toEqual({ total: charged, due, ordered: ledger.total })

  const isClosed = isEnded(ledger)
  const owed = due < 0 ? -due : isClosed ? null : due
  const words = isClosed ? (due < 0 ? -due : null) : charged
  const mark = isClosed ? (ledger.status === 'cancelled' ? 'Cancelled' : 'Returned') : null
  for (const [who, path] of [
    [me, `/invoice/${id}`],
    [manager, `/admin/orders/invoice/${id}`],
  ] as const) {
    const text = (await who.get(`${path}?lang=en`, html)).text
    expect(textOf(text, 'data-total'), path).toBe(taka(charged))
    if (owed !== null) expect(textOf(text, 'data-owed'), path).toBe(taka(owed))
    else expect(plain(text), path).not.toMatch(/Due ৳0/)
    expect(plain(text).includes(amountInWords(takaToPoisha(Math.round((words ?? 0) * 100) / 100), 'en')), path).toBe(words !== null)
    expect(textOf(text, 'data-mark'), path).toBe(mark)
  }
  const receipt = plain((await manager.get(`/admin/quick-orders/pos-invoice/${id}?lang=en`, html)).text)
  expect(receipt).toContain(`Total ${taka(charged)}`)
  if (owed !== null) expect(receipt).toContain(`${due < 0 ? 'Refund due' : 'Due'} ${taka(owed)}`)
  else expect(receipt).not.toContain('Due ৳0')
})

it('the customer record and the reports show the same sums', async () => {
  const { rows } = await sql<{ due: number; refund: number }>`
    select sum(greatest(0, amount_due(o)))::float8 / 100 as due, sum(greatest(0, -amount_due(o)))::float8 / 100 as refund
    from orders o where customer_id = ${person.id}`.execute(db)
  const page = (await manager.get(`/admin/customers/${person.id}`, { accept: 'text/html' })).text
  expect(pageProps<{ customer: { due: number; refund_due: number } }>(page).customer).toMatchObject({
    due: rows[0]!.due,
    refund_due: rows[0]!.refund,
  })
  await aggregateSales(db, shop.clock.now)
  const sums = await sql<{ categories: Poisha; days: Poisha; delivery: Poisha; ledger: Poisha }>`select
    (select coalesce(sum(total_poisha), 0)::bigint from sales_day_categories) as categories,
    (select coalesce(sum(total_poisha), 0)::bigint from sales_days) as days,
    (select coalesce(sum(shipping_poisha), 0)::bigint from sales_days) as delivery,
    (select coalesce(sum(total_poisha + settlement_poisha), 0)::bigint from orders where status not in ('cancelled', 'returned')) as ledger`.execute(
    db,
  )
  const { categories, days, delivery, ledger } = sums.rows[0]!
  expect(days).toBe(ledger)
  expect(categories + delivery).toBe(days)
})
