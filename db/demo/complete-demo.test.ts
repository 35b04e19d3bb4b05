import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#db/invariants/find-broken.ts'
import { LEDGER_INVARIANTS } from '#db/invariants/ledger-invariants.ts'
import { ORDER_INVARIANTS } from '#db/invariants/order-invariants.ts'
import { decideDemo } from '#server/demo-shop.ts'
import { uploadsFolder } from '#lib/files/uploads.server.ts'
import { readEnv } from '#lib/runtime/env.server.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { seedDemo } from './seed-demo.ts'

// A demo that release 0.1.0 made: its orders were bare rows.

const { db, url } = await testDb()
const rules = { ...ORDER_INVARIANTS, ...LEDGER_INVARIANTS }
const start = () => decideDemo(readEnv({ DEMO: 'auto' }), true, db, () => {})
const count = async (table: string) => (await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(db)).rows[0]!.n

beforeAll(async () => {
  await seedDemo(db, { uploads: uploadsFolder('/nowhere'), now: new Date(), store: async () => {}, videos: false })
  for (const table of ['stock_movements', 'payment_attempts', 'audit_log', 'sms_outbox'])
    await sql`delete from ${sql.table(table)}`.execute(db)
  await sql`update order_events set actor_id = null`.execute(db)
  await sql`update products set status = 'sold', stock_milli = 0 where name_en = 'Gopalbhog mango, whole lot'`.execute(db)
})

describe('the next start of a demo of release 0.1.0', () => {
  test('adds what its orders lack; an order placed since stays as it is', async () => {
    const shop = await openShop({ databaseUrl: url })
    const honey = await buildProduct(db, { unit: 'piece', stock_milli: 5000 })
    const area = await buildArea(db, { produce: 80 })
    const order = orderBody(area.id, [[honey.id, 1]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' })
    expect((await shop.post('/customer-orders', order)).status).toBe(200)
    expect(Object.keys(await findBroken(db, rules))).toHaveLength(6)
    expect(await start()).toBe('on')
    expect(await findBroken(db, rules)).toEqual({})
    expect(await sql`select 1 from stock_movements where product_id = ${honey.id}`.execute(db)).toMatchObject({ rows: [{}] })
  })

  test('the audit log names only what changed, as the shop writes it', async () => {
    const same = sql`select subject_id from audit_log, jsonb_each(before) as b, jsonb_each(after) as a where a.key = b.key and a.value = b.value`
    expect(await count('audit_log')).toBeGreaterThan(0)
    expect((await same.execute(db)).rows).toEqual([])
  })

  test('a further start adds nothing', async () => {
    const before = [await count('stock_movements'), await count('sms_outbox'), await count('audit_log')]
    await start()
    expect([await count('stock_movements'), await count('sms_outbox'), await count('audit_log')]).toEqual(before)
  })
})
