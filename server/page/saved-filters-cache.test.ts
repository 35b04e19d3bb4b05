import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { saveFilter } from '#features/admin-search/saved-filters.server.ts'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { openShop } from '#test/request.ts'
import { CatalogRevision } from '../cache/catalog-revision.ts'
import { SavedFiltersCache } from './saved-filters-cache.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const clerk = await signedIn(shop, 'sales')
afterAll(() => expect(shop.failures).toEqual([]))

const shown = async () => /Mine( two)?(?=<\/a>)/.exec((await clerk.get('/admin/orders')).text)?.[0] ?? null

it('a saved or deleted filter shows on the next page, also when another process wrote it', async () => {
  await expect.poll(() => shop.deps.catalogRevision.isSubscribed).toBe(true)
  expect(await shown()).toBeNull()
  const { body } = await clerk.post('/api/admin/saved-filters', { screen: 'orders', name: 'Mine', query: 'due=yes' })
  expect(await shown()).toBe('Mine')
  const { filter } = body as unknown as { filter: { id: number } }
  await clerk.send('DELETE', `/api/admin/saved-filters/${filter.id}`, undefined, { headers: { 'x-csrf-token': await clerk.token() } })
  expect(await shown()).toBeNull()
  await saveFilter(db, clerk.id, { screen: 'orders', name: 'Mine two', query: 'due=yes' })
  await expect.poll(shown).toBe('Mine two')
})

it('caches a list until a change, but no read that started before a change or without a subscription', async () => {
  const revision = new CatalogRevision()
  revision.isSubscribed = true
  const lists = new SavedFiltersCache(db, revision)
  const names = async () => (await lists.get(clerk.id, 'orders')).map(({ name }) => name)
  const rename = (name: string) => sql`update saved_filters set name = ${name} where user_id = ${clerk.id}`.execute(db)
  await rename('A')
  const started = names()
  revision.advance()
  expect(await started).toEqual(['A'])
  await rename('B')
  expect(await names()).toEqual(['B'])
  await rename('C')
  expect(await names()).toEqual(['B'])
  revision.isSubscribed = false
  expect(await names()).toEqual(['C'])
  await rename('D')
  expect(await names()).toEqual(['D'])
})
