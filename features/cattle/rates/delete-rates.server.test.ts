import { sql } from 'kysely'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildCategory, buildUser } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { readRates } from './queries.server.ts'

// Rates that were made by mistake are deleted, unless an animal is priced by them.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const clerk = shop.visitor()
await clerk.signIn((await buildUser(db, { role: 'manager' })).phone)
const cows = await buildCategory(db, { key: 'kurbani' })
beforeEach(async () => {
  await sql`truncate products, orders, rate_tiers, audit_log cascade`.execute(db)
  await sql`insert into rate_tiers (category_id, season, from_grams, poisha_per_kg) values (${cows.id}, 'kurbani', 200000, 55000),
    (${cows.id}, 'কোরবানি', 200000, 55000)`.execute(db)
})

const ratesOf = async (season: string) => readRates(db, cows.id, season)
async function remove(season: string, ratesHash?: string) {
  const query = { category_id: String(cows.id), season, ratesHash: ratesHash ?? (await ratesOf(season)).hash }
  const headers = { accept: 'application/json', 'x-csrf-token': await clerk.token() }
  return clerk.send('DELETE', `/admin/rates?${new URLSearchParams(query)}`, undefined, { headers })
}

it('deletes the rates of one season, with an entry in the audit log', async () => {
  expect((await remove('কোরবানি')).status).toBe(200)
  expect([(await ratesOf('কোরবানি')).tiers, (await ratesOf('kurbani')).tiers.length]).toEqual([[], 1])
  const { rows } = await sql`select action, subject, subject_id, before from audit_log`.execute(db)
  const before = { tiers: [{ fromGrams: 200_000, poishaPerKg: 55_000 }] }
  expect(rows).toEqual([{ action: 'deleted', subject: 'rate', subject_id: `${cows.id} কোরবানি`, before }])
})

it('refuses while an animal has them that is not sold or archived', async () => {
  const animal = await buildAnimal(db, { category_id: cows.id, season: 'kurbani', weight_grams: 250_000 })
  expect(await remove('kurbani')).toMatchObject({ status: 409, body: { message: expect.stringContaining('1 animal') } })
  await sql`update products set status = 'sold', stock_milli = 0 where id = ${animal.id}`.execute(db)
  expect((await remove('kurbani')).status).toBe(200)
})

it('refuses rates that were changed meanwhile; those that are gone are deleted', async () => {
  expect((await remove('kurbani', 'of-another-page')).status).toBe(409)
  const { hash } = await ratesOf('kurbani')
  expect([(await remove('kurbani', hash)).status, (await remove('kurbani', hash)).status]).toEqual([200, 200])
  expect((await sql`select 1 from audit_log`.execute(db)).rows).toHaveLength(1)
})
