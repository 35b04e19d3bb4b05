import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { signedIn, storeBody } from '#features/orders/testing/admin-shop.ts'
import { inTransaction } from '#lib/db/db.server.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const clerks = await Promise.all(Array.from({ length: 16 }, () => signedIn(shop, 'manager')))
const [amina, rahim] = clerks as unknown as [Visitor, Visitor]
const stored = await amina.post('/admin/orders/store', storeBody((await buildArea(db)).id, [[(await buildProduct(db)).id, 1]]))

const flagged = async (clerk: Visitor) => {
  const response = await clerk.get('/admin', { accept: 'text/html' })
  expect(response.status).toBe(200)
  const { tasks } = pageProps<{ tasks: { key: string; count: number }[] }>(response.text)
  return tasks.find(({ key }) => key === 'attention')?.count
}

it('counts once for concurrent requests', async () => {
  const asking = await inTransaction(db, async (tx) => {
    await sql`lock table kurbani_bookings in access exclusive mode`.execute(tx)
    const responses = clerks.map(flagged)
    await sleep(500)
    const { rows } = await sql<{ count: number }>`select count(*) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%kurbani_bookings%'`.execute(tx)
    expect(rows[0]?.count).toBe(1)
    return responses
  })
  expect(await Promise.all(asking)).toEqual(clerks.map(() => 0))
})

it('shows users their own changes immediately', async () => {
  for (let round = 0; round < 5; round++) {
    await sql`update orders set needs_attention = 'paid-after-end' where id = ${stored.body.order_id}`.execute(db)
    // Another user reads just before: the cached result must not be used for the user who changes something.
    await flagged(rahim)
    const cleared = await amina.post(`/admin/orders/attention/${stored.body.order_id}`, {})
    expect(cleared.status).toBe(200)
    expect(await flagged(amina)).toBe(0)
  }
})
