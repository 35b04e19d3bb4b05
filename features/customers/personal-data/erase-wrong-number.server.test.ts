import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { signedIn, storeBody } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, buildUser } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { erasePerson } from './erase-person.server.ts'
import { findPerson } from './read-personal-data.server.ts'

// A clerk mistypes the phone of an order, and corrects it: the holder of the wrong number was sent SMS, and stands in the history.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { produce: 80 })
const honey = await buildProduct(db, { stock_milli: 50_000 })
const [WRONG, RIGHT] = ['01853127081', '01853127082']

it('erases the wrong number of an order that belongs to another customer; the order keeps its own', async () => {
  const manager = await signedIn(shop, 'manager')
  await buildUser(db, { phone: WRONG })
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const placed = await manager.post('/admin/orders/store', storeBody(area.id, [[honey.id, 2]], { phone: WRONG }), { headers })
  const id = placed.body.order_id!
  await sql`update sms_outbox set state = 'submitted' where order_id = ${id}`.execute(db)
  const edited = await manager.post(`/admin/orders/update/${id}`, { address: 'House 5, Road 3', phone: RIGHT })
  expect(edited.status, edited.text).toBe(200)
  // A reminder of the same day goes to the corrected number too.
  await sql`insert into sms_outbox (purpose, order_id, template, phone, body, state)
    select purpose, order_id, template, ${RIGHT}, body, state from sms_outbox where order_id = ${id}`.execute(db)
  expect(await erasePerson(db, (await findPerson(db, WRONG))!, new Date())).toEqual({ ok: true, orders: 0 })
  const { rows: tables } = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(db)
  const naming: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql`select 1 from ${sql.table(name)} t where t::text ~ ${WRONG} limit 1`.execute(db)
    if (rows.length > 0) naming.push(name)
  }
  expect(naming).toEqual([])
  const { rows } = await sql`select phone from orders where id = ${id}`.execute(db)
  expect(rows).toEqual([{ phone: RIGHT }])
  const change = { orders: [{ id, version: 2 }], status: 'cancelled', reason: 'Not needed' }
  expect((await manager.post('/admin/orders/status', change)).status).toBe(200)
  expect(await erasePerson(db, (await findPerson(db, RIGHT))!, new Date())).toEqual({ ok: true, orders: 1 })
})

it('erases the number from what the audit log says of another customer, who had it by mistake', async () => {
  const [manager, wrong] = [await signedIn(shop, 'manager'), '01853127083']
  const { id } = await buildUser(db, { name: 'Rahim', email: null, phone: '01853127084' })
  const change = (from: string, phone: string) =>
    manager.post(`/admin/customers/${id}/details`, { name: 'Rahim', phone, email: '', previous: { name: 'Rahim', phone: from, email: '' } })
  expect((await change('01853127084', wrong)).status).toBe(200)
  expect((await change(wrong, '01853127085')).status).toBe(200)
  expect(await erasePerson(db, (await findPerson(db, wrong))!, new Date())).toEqual({ ok: true, orders: 0 })
  const { rows } = await sql<{ phone: string | null }>`select after ->> 'phone' as phone from audit_log
    where subject = 'customer' and subject_id = ${String(id)} order by id`.execute(db)
  expect(rows).toEqual([{ phone: null }, { phone: '01853127085' }])
  expect((await sql`select 1 from audit_log a where a::text like ${`%${wrong}%`}`.execute(db)).rows).toEqual([])
})

it('an erased customer stays closed, without name, phone and notes', async () => {
  const [manager, user] = [await signedIn(shop, 'manager'), await buildUser(db, { phone: '01853127086' })]
  expect(await erasePerson(db, (await findPerson(db, user.phone))!, new Date())).toEqual({ ok: true, orders: 0 })
  const { rows } = await sql<{ name: string; phone: string }>`select name, phone from users where id = ${user.id}`.execute(db)
  const previous = { ...rows[0]!, email: '' }
  const details = { name: 'Rahim', phone: '01853127087', email: '', previous }
  const calls = {
    enable: {},
    details,
    notes: { note: 'Rahim calls at night' },
    sms: { message: 'Hello Rahim' },
    'opt-out': { opted_out: true },
  }
  for (const [path, body] of Object.entries(calls)) {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    expect([path, (await manager.post(`/admin/customers/${user.id}/${path}`, body, { headers })).status]).toEqual([path, 404])
  }
})
