import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import type { CattleNotes } from '#features/catalog/cattle-notes.ts'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import { addDays, dhakaDate } from '#lib/format/time.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildCategory } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))
const kurbani = await buildCategory(db, { key: 'kurbani', delivery_group: 'cattle' })
await buildAnimal(db, { category_id: kurbani.id })

const weighed = async () => pageProps<{ notes: CattleNotes }>((await shop.get('/kurbani', { accept: 'text/html' })).text).notes.weighed
const today = dhakaDate(shop.clock.now)

it.each([
  ['begins tomorrow', addDays(today, 1), addDays(today, 8), addDays(today, 40), false],
  ['began today', today, addDays(today, 7), addDays(today, 40), true],
  ['is over', addDays(today, -8), addDays(today, -1), today, true],
  ['was of a season that is over', addDays(today, -48), addDays(today, -41), addDays(today, -1), false],
])('names the days of a weighing that %s: %s to %s, delivered until %s: %s', async (_, from, to, deliveryTo, isNamed) => {
  const value = JSON.stringify({ ...DEFAULT_SETTINGS.kurbani, weighedFrom: from, weighedTo: to, deliveryTo })
  await db
    .insertInto('settings')
    .values({ key: 'kurbani', value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
  await expect.poll(weighed).toEqual(isNamed ? { from, to } : null)
})

it('names the rates of the season of the animal on its page, and those of the season that counts on the list', async () => {
  const table = { category_id: kurbani.id, from_grams: 100_000 }
  await db
    .insertInto('rate_tiers')
    .values([
      { ...table, season: 'Eid 2027', poisha_per_kg: 55_000 },
      { ...table, season: 'Eid 2028', poisha_per_kg: 60_000 },
    ])
    .execute()
  const value = JSON.stringify({ ...DEFAULT_SETTINGS.kurbani, season: 'Eid 2028' })
  await sql`insert into settings (key, value) values ('kurbani', ${value}) on conflict (key) do update set value = excluded.value`.execute(
    db,
  )
  const left = await buildAnimal(db, { category_id: kurbani.id, season: 'Eid 2027' })
  const rates = async (path: string) =>
    pageProps<{ notes: CattleNotes }>((await shop.get(path, { accept: 'text/html' })).text).notes.rates.map(({ perKg }) => perKg)
  await expect.poll(() => rates('/kurbani')).toEqual([600])
  expect(await rates(`/product/${left.id}`)).toEqual([550])
})
