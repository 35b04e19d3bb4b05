import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { bengaliDigits } from '#lib/format/numbers.ts'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildAddress, buildArea, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { countStock } from '#test/invariants.ts'
import { expectLedger } from '#test/ledger-checks.ts'
import { openShop } from '#test/request.ts'
import { erasePerson } from './erase-person.server.ts'
import { findPerson, readPersonalData } from './read-personal-data.server.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { produce: 80 })
const mango = await buildProduct(db, { stock_milli: 50_000 })
const before = await countStock(db)

let tries = 0
/** A phone and a word that no other test has, nor an earlier try of the same one: what names the person is searched in all tables. */
function newPerson() {
  tries += 1
  return { phone: `018531270${tries + 10}`, word: `unique${tries}name` }
}

const orderOfPerson = (customer: { phone: string; name: string; address?: string; email?: string }) =>
  orderBody(area.id, [[mango.id, 2]], {
    payment_type: 'cash_on_delivery',
    payment_gateway: 'NONE',
    customer: {
      email: `${customer.phone}@customer.example`,
      address: 'House 12, Road 7',
      landmark: '',
      note: '',
      area_id: area.id,
      ...customer,
    },
  })

/** Tables with a row that names the person. */
async function tablesNaming(...words: string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(db)
  const found: string[] = []
  for (const { name } of rows) {
    const { rows } = await sql`select 1 from ${sql.table(name)} t where t::text ~ ${words.join('|')} limit 1`.execute(db)
    if (rows.length > 0) found.push(name)
  }
  return found
}

it('prints all data of a customer, and erases it everywhere once nothing is open', { timeout: 60_000 }, async () => {
  const { phone, word } = newPerson()
  const [name, email, address] = [`Rahima ${word}`, `${word}@customer.example`, `${word}road 12`]
  const placed = await shop.post('/customer-orders', orderOfPerson({ phone, name, email, address }))
  expect(placed.status).toBe(200)
  const order = placed.body.order_id!
  await sql`insert into email_outbox (event_key, kind, order_id, recipient)
    values (${`order-placed-${order}`}, 'order-placed', ${order}, ${email})`.execute(db)
  await sql`insert into conversion_events (order_id, ip, user_agent) values (${order}, '10.0.0.9', ${name})`.execute(db)
  const manager = await signedIn(shop, 'manager')
  const person = (await findPerson(db, phone))!
  expect((await manager.post(`/admin/customers/${person.ids[0]}/sms`, { message: `Hello ${name}` })).status).toBe(200)
  await sql`insert into sms_opt_outs (phone, source) values (${phone}, 'link')`.execute(db)
  await sql`with c as (insert into campaigns (name, text_bn, filter, total, parts_limit, started_by) values ('Eid', 'x', '', 1, 1, ${manager.id}) returning id),
      p as (insert into campaign_people (campaign_id, phone, customer_id, lang, state) select id, ${phone}, ${person.ids[0]!}, 'bn', 'queued' from c)
    insert into sms_outbox (purpose, template, phone, body, campaign_id) select 'campaign', 'campaign', ${phone}, 'x', id from c`.execute(
    db,
  )
  const data = await readPersonalData(db, person)
  expect(data).toMatchObject({ orders: [{ name, phone, address }], orderLines: [{ quantity_milli: 2000 }] })
  expect(data).toMatchObject({
    emails: [{ recipient: email }],
    purchaseReports: [{ ip: '10.0.0.9', user_agent: name }],
    campaignOptOuts: [{ phone, source: 'link' }],
    campaigns: [{ phone, lang: 'bn', state: 'queued' }],
  })
  expect(JSON.stringify(data)).not.toMatch(/password_hash|view_key|token/)
  expect(await erasePerson(db, person, new Date())).toEqual({ ok: false, reasons: ['open-orders', 'money-due'] })
  expect(await tablesNaming(phone)).toContain('orders')

  const change = { orders: [{ id: placed.body.order_id, version: 1 }], status: 'cancelled', reason: 'Not needed' }
  const cancelled = await manager.post('/admin/orders/status', change)
  expect([cancelled.status, cancelled.body]).toEqual([200, expect.anything()])
  expect(cancelled.status).toBe(200)
  expect(await erasePerson(db, person, new Date())).toEqual({ ok: true, orders: 1 })
  expect(await tablesNaming(word, phone)).toEqual([])
  expect(await findPerson(db, phone)).toEqual({ ids: [], phones: [phone] })
  const { rows } = await sql<{
    total: number
    lines: number
  }>`select total_poisha as total, (select count(*)::int from order_lines where order_id = o.id) as lines
    from orders o where id = ${order}`.execute(db)
  expect(rows).toEqual([{ total: expect.any(Number), lines: 1 }])
  // The number is free for its next holder, who sees nothing of the former one.
  expect((await shop.post('/customer-orders', orderOfPerson({ phone, name: 'Next Holder' }))).status).toBe(200)
  expect((await readPersonalData(db, (await findPerson(db, phone))!)).orders).toHaveLength(1)
  await expectLedger(db, before)
})

it(
  'erases what the POS, bookings, requests, notes, messages and held sales know, also of merged customers',
  { timeout: 60_000 },
  async () => {
    const [{ phone, word }, { phone: secondPhone }] = [newPerson(), newPerson()]
    const [name, address] = [`Karim ${word}`, `${word}road 7`]
    const [first, second] = [
      await buildUser(db, { phone, name, email: `${word}@customer.example` }),
      await buildUser(db, { phone: secondPhone, name }),
    ]
    const cashier = await signedIn(shop, 'cashier')
    const manager = await signedIn(shop, 'manager')
    expect((await cashier.post('/admin/quick-orders/shift/open', { opening_cash: 0 })).status).toBe(200)
    const sale = {
      products: [{ id: mango.id, quantity: 1, note: `for ${name}` }],
      transactions: { cash: 120 },
      total: 120,
      customer: { phone, name, address },
    }
    const sold = await cashier.post('/admin/quick-orders/store', sale)
    expect([sold.status, sold.text]).toEqual([200, expect.anything()])
    await buildAddress(db, first.id, area.id, { name, phone, address })
    await sql`insert into kurbani_bookings (name, phone, price_range) values (${name}, ${phone}, '100000')`.execute(db)
    await sql`insert into area_requests (name, phone, place, requested_on) values (${name}, ${secondPhone}, ${address}, current_date)`.execute(
      db,
    )
    await sql`insert into product_waits (product_id, phone, lang) values (${mango.id}, ${secondPhone}, 'bn')`.execute(db)
    await sql`insert into customer_notes (customer_id, note) values (${first.id}, ${`${name} calls at night`})`.execute(db)
    await sql`insert into sms_outbox (purpose, template, phone, body, expires_at)
    values ('code', 'code', ${phone}, 'Your code', now() + interval '1 hour')`.execute(db)
    await sql`insert into held_sales (id, name, cashier_id, register, held_at, created_at, line_count, total_poisha, sale)
    select gen_random_uuid(), ${name}, id, '1', now(), now(), 1, 12000, ${JSON.stringify({ phone, name })}::jsonb from users where role = 'cashier' limit 1`.execute(
      db,
    )
    await sql`insert into attempt_counts (key, window_start, count) values (${`sign-in ${phone}`}, now(), 1)`.execute(db)
    await sql`insert into saved_filters (user_id, screen, name, query) values (${manager.id}, 'orders', 'mine', ${`?q=88${phone}`})`.execute(
      db,
    )
    await sql`with a as (insert into statement_accounts (name, method) values (${`Wallet ${tries}`}, 'bkash') returning id),
        u as (insert into statement_uploads (account_id, file_name, row_count, new_count, uploaded_by, uploaded_at)
          select id, 'x.csv', 1, 1, ${manager.id}, now() from a returning id, account_id)
      insert into statement_rows (account_id, upload_id, line, day, amount_poisha, reference, details, row_hash)
      select account_id, id, 1, current_date, 12000, 'ABCD123456', ${`Received from 88${secondPhone}`}, 'h' from u`.execute(db)
    const merged = await manager.post(`/admin/customers/${first.id}/merge`, { other: second.id, orders: 0 })
    expect([merged.status, merged.text]).toEqual([200, expect.anything()])

    const person = (await findPerson(db, phone))!
    expect(person.phones).toEqual([phone, secondPhone])
    const data = await readPersonalData(db, person)
    for (const kind of [
      'accounts',
      'addresses',
      'notes',
      'orders',
      'orderLines',
      'payments',
      'bookings',
      'areaRequests',
      'productWaits',
      'messages',
      'statementRows',
      'savedFilters',
      'heldSales',
      'auditLog',
    ])
      expect([kind, data[kind]!.length > 0]).toEqual([kind, true])
    expect(await erasePerson(db, person, new Date())).toEqual({ ok: true, orders: 1 })
    expect(await tablesNaming(word, phone, secondPhone)).toEqual([])
    await expectLedger(db, before)
  },
)

it('erases what the audit log says of bookings, requests and tags', { timeout: 60_000 }, async () => {
  const [{ phone, word }, { phone: secondPhone }] = [newPerson(), newPerson()]
  const name = `Salma ${word}`
  const { id } = await buildUser(db, { phone, name })
  await sql`update users set merged_into = ${id}, disabled_at = now() where id = ${(await buildUser(db, { phone: secondPhone })).id}`.execute(
    db,
  )
  const manager = await signedIn(shop, 'manager')
  const { rows } = await sql<{ booking: number; request: number }>`
    with b as (insert into kurbani_bookings (name, phone, price_range) values (${name}, ${phone}, '100000') returning id),
      r as (insert into area_requests (name, phone, place, requested_on) values (${name}, ${secondPhone}, ${`${word}road`}, current_date) returning id)
    select b.id as booking, r.id as request from b, r`.execute(db)
  const { booking, request } = rows[0]!
  const handled = { state: 'called', note: `${word} request`, version: 1 }
  expect((await manager.post(`/admin/bookings/${booking}`, handled)).status).toBe(200)
  expect((await manager.post(`/admin/area-requests/${request}`, handled)).status).toBe(200)
  const placed = await shop.post('/customer-orders', orderOfPerson({ phone, name }))
  const order = placed.body.order_id!
  expect((await manager.post('/admin/orders/tags', { orders: [order], add: [`${word} calls`] })).status).toBe(200)
  const cancel = { orders: [{ id: order, version: 1 }], status: 'cancelled', reason: `${word} has ${secondPhone} now` }
  expect((await manager.post('/admin/orders/status', cancel)).status).toBe(200)
  const person = (await findPerson(db, phone))!
  const printed = (await readPersonalData(db, person)).auditLog as { subject: string }[]
  expect(printed.map(({ subject }) => subject)).toEqual(expect.arrayContaining(['booking', 'area-request', 'order']))
  expect(await erasePerson(db, person, new Date())).toMatchObject({ ok: true })
  expect(await tablesNaming(word, phone, secondPhone)).toEqual([])
})

it('erases phones as staff typed them: in held and discarded sales, returns without a receipt and saved filters', async () => {
  const { phone, word } = newPerson()
  const bengali = bengaliDigits(phone)
  const typed = `+৮৮০ ${bengali.slice(1, 5)}-${bengali.slice(5)}`
  await buildUser(db, { phone })
  const cashier = await signedIn(shop, 'cashier')
  const dropped = {
    key: crypto.randomUUID(),
    reason: 'Sold twice',
    sold_at: new Date().toISOString(),
    total: 120,
    phone: typed,
    products: [],
  }
  expect((await cashier.post('/admin/quick-orders/unsent/drop', dropped)).status).toBe(200)
  await sql`insert into held_sales (id, name, cashier_id, register, held_at, created_at, line_count, total_poisha, sale)
    values (gen_random_uuid(), ${word}, ${cashier.id}, '1', now(), now(), 1, 12000, ${JSON.stringify({ phone: typed })}::jsonb)`.execute(db)
  await sql`insert into audit_log (actor_id, action, subject, subject_id, after)
    values (${cashier.id}, 'refunded', 'shift', '1', ${JSON.stringify({ without_receipt: true, phone })}::jsonb)`.execute(db)
  const query = new URLSearchParams({ q: typed }).toString()
  await sql`insert into saved_filters (user_id, screen, name, query) values (${cashier.id}, 'orders', 'mine', ${query})`.execute(db)
  const person = (await findPerson(db, phone))!
  const data = await readPersonalData(db, person)
  expect(data).toMatchObject({ savedFilters: [{ query }], heldSales: [{ name: word }] })
  expect(data.auditLog).toMatchObject([{ before: { phone: typed } }, { after: { phone } }])
  expect(await erasePerson(db, person, new Date())).toMatchObject({ ok: true })
  expect(await tablesNaming(bengali.slice(5), phone, encodeURIComponent(bengali.slice(5)), word)).toEqual([])
})

it('knows no staff', async () => {
  const { phone } = await buildUser(db, { role: 'sales' })
  expect(await findPerson(db, phone)).toBeNull()
})

it('erases a long history in batches: not all of it is in memory at once', async () => {
  const old = await buildUser(db, { name: 'Longtime Buyer' })
  await sql`insert into audit_log (action, subject, subject_id, before, after)
    select 'changed', 'customer', ${String(old.id)}, json_build_object('name', 'Longtime Buyer', 'credit_limit', n), json_build_object('phone', 'Longtime')
    from generate_series(1, 1200) n`.execute(db)
  const read: number[] = []
  const counted = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => (read.push(result.rows.filter((row) => 'after' in row).length), Promise.resolve(result)),
  })
  expect(await erasePerson(counted, (await findPerson(db, old.phone))!, new Date())).toMatchObject({ ok: true })
  expect(Math.max(...read)).toBeLessThanOrEqual(500)
  expect(await tablesNaming('Longtime')).toEqual([])
  const { rows } =
    await sql<object>`select count(*)::int as count, sum((before ->> 'credit_limit')::int)::int as sum, array_agg(distinct after) as after
    from audit_log where subject_id = ${String(old.id)}`.execute(db)
  expect(rows).toEqual([{ count: 1200, sum: (1200 * 1201) / 2, after: [{}] }])
})
