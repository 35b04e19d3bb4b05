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
