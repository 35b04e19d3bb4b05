import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { signedIn, storeBody } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, buildUser } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { erasePerson } from './erase-person.server.ts'
import { findPerson, readPersonalData } from './read-personal-data.server.ts'

// People pre-book animals, and ask for areas and products, with a phone alone: no user has it.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { produce: 80 })
const honey = await buildProduct(db, { stock_milli: 50_000 })
const [PHONE, OTHER] = ['01853127091', '01853127092']
const NAME = 'Nasima Singularname'

it('prints and erases what is stored about a phone that no user has', async () => {
  const manager = await signedIn(shop, 'manager')
  expect((await shop.post('/api/area-requests', { name: NAME, phone: PHONE, place: 'Singularroad' })).status).toBe(201)
  await sql`insert into kurbani_bookings (name, phone, price_range) values (${NAME}, ${PHONE}, '100000')`.execute(db)
  await sql`insert into product_waits (product_id, phone, lang) values (${honey.id}, ${PHONE}, 'bn')`.execute(db)
  const cashier = await signedIn(shop, 'cashier')
  expect((await cashier.post('/admin/quick-orders/shift/open', { opening_cash: 0 })).status).toBe(200)
  await sql`insert into pos_returns (worth_poisha, refund_poisha, phone, at, reason, shift_id, approved_by, idempotency_key, request_hash)
    select 0, 0, ${PHONE}, now(), 'Singularname did not want it', id, ${manager.id}, 'return-without-receipt', 'h' from pos_shifts`.execute(
    db,
  )
  // A typing error of a clerk: SMS about the order of another customer, before its phone was corrected.
  await buildUser(db, { phone: OTHER })
  const order = storeBody(area.id, [[honey.id, 2]], { phone: OTHER })
  const placed = await manager.post('/admin/orders/store', order, { headers: { 'idempotency-key': crypto.randomUUID() } })
  const id = placed.body.order_id!
  await sql`insert into sms_outbox (purpose, order_id, template, phone, body, state)
    select purpose, order_id, template, ${PHONE}, body, 'submitted' from sms_outbox where order_id = ${id}`.execute(db)
  await sql`insert into sms_outbox (purpose, template, phone, body) values ('order', 'available', ${PHONE}, 'Honey is back')`.execute(db)

  const person = (await findPerson(db, PHONE))!
  expect(person).toEqual({ ids: [], phones: [PHONE] })
  const data = await readPersonalData(db, person)
  expect(
    Object.keys(data)
      .filter((kind) => data[kind]!.length > 0)
      .sort(),
  ).toEqual(['areaRequests', 'bookings', 'messages', 'productWaits', 'returnsWithoutReceipt'])
  expect(await erasePerson(db, person, new Date())).toEqual({ ok: true, orders: 0 })

  const { rows: tables } = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(db)
  const naming: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql`select 1 from ${sql.table(name)} t where t::text ~ ${`${PHONE}|Singular`} limit 1`.execute(db)
    if (rows.length > 0) naming.push(name)
  }
  expect(naming).toEqual([])
  expect((await sql`select 1 from sms_outbox where order_id = ${id} and phone = ${OTHER}`.execute(db)).rows).not.toEqual([])
  const after = await readPersonalData(db, (await findPerson(db, PHONE))!)
  expect(Object.values(after).flat()).toEqual([])
})
