import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { saveFilter } from '#features/admin-search/saved-filters.server.ts'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { openShop } from '#test/request.ts'
import { SavedFilterLists } from './saved-filters-cache.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const clerk = await signedIn(shop, 'sales')
afterAll(() => expect(shop.failures).toEqual([]))

const shown = async () => /Mine( two)?(?=<\/a>)/.exec((await clerk.get('/admin/orders')).text)?.[0] ?? null

it('a filter is on the very next page after it was saved or let go, also when another process wrote it', async () => {
  await expect.poll(() => shop.deps.kept.listening).toBe(true)
  expect(await shown()).toBeNull()
  const { body } = await clerk.post('/api/admin/saved-filters', { screen: 'orders', name: 'Mine', query: 'due=yes' })
  expect(await shown()).toBe('Mine')
  const { filter } = body as unknown as { filter: { id: number } }
  await clerk.send('DELETE', `/api/admin/saved-filters/${filter.id}`, undefined, { headers: { 'x-csrf-token': await clerk.token() } })
  expect(await shown()).toBeNull()
  await saveFilter(db, clerk.id, { screen: 'orders', name: 'Mine two', query: 'due=yes' })
  await expect.poll(shown).toBe('Mine two')
})

it('keeps a list while nothing changes, and nothing that was asked for before a change or while changes are not heard', async () => {
  const kept = { revision: 1, listening: true }
  const lists = new SavedFilterLists(db, kept)
  const names = async () => (await lists.of(clerk.id, 'orders')).map(({ name }) => name)
  const rename = (name: string) => sql`update saved_filters set name = ${name} where user_id = ${clerk.id}`.execute(db)
  await rename('A')
  const asked = names()
  kept.revision = 2
  expect(await asked).toEqual(['A'])
  await rename('B')
  expect(await names()).toEqual(['B'])
  await rename('C')
  expect(await names()).toEqual(['B'])
  kept.listening = false
  expect(await names()).toEqual(['C'])
  await rename('D')
  expect(await names()).toEqual(['D'])
})
