import { afterEach, describe, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'
import { listSavedFilters, type SavedFilter } from './saved-filters.server.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const [clerk, other, viewer] = [await signedIn(shop, 'sales'), await signedIn(shop, 'sales'), await signedIn(shop, 'viewer')]
afterEach(() => expect(shop.failures).toEqual([]))

const PATH = '/api/admin/saved-filters'
const save = (name: unknown, query: unknown = 'due=yes', who = clerk, screen: unknown = 'orders') => who.post(PATH, { screen, name, query })
const kept = async (id = clerk.id) => (await listSavedFilters(db, id, 'orders')).map(({ name, query }) => [name, query])

describe('filters that somebody keeps', () => {
  it('are of one person and one list, by name; the same name again is the same filter', async () => {
    expect((await save('Due')).status).toBe(200)
    expect((await save('  Due ', 'due=refund')).status).toBe(200)
    expect((await save('Due', 'source=web', viewer)).status).toBe(200)
    expect((await save('Due', 'kind=animal', clerk, 'products')).status).toBe(200)
    expect(await kept()).toEqual([['Due', 'due=refund']])
    expect(await kept(viewer.id)).toEqual([['Due', 'source=web']])
  })

  it('are let go by whom they belong to', async () => {
    const { filter } = (await save('To go')).body as unknown as { filter: SavedFilter }
    const remove = async (who: Visitor) =>
      (await who.send('DELETE', `${PATH}/${filter.id}`, undefined, { headers: { 'x-csrf-token': await who.token() } })).status
    expect([await remove(other), await remove(clerk), await remove(clerk)]).toEqual([404, 200, 404])
  })

  it('are twenty at most for a list', async () => {
    const answers = []
    for (let at = 1; at <= 21; at += 1) answers.push((await save(`Number ${at}`, 'due=yes', other)).status)
    expect(answers).toEqual([...Array<number>(20).fill(200), 409])
    expect((await save('Number 1', 'due=refund', other)).status).toBe(200)
  })

  it.each([
    ['no name', '', 'due=yes', 'orders'],
    ['a name of blanks that cannot be seen', '\u200b\u200b ', 'due=yes', 'orders'],
    ['a name that is too long', 'x'.repeat(61), 'due=yes', 'orders'],
    ['a NUL in the name', 'a\u0000b', 'due=yes', 'orders'],
    ['half a character in the name', 'a\ud800', 'due=yes', 'orders'],
    ['a name that is no text', { a: 1 }, 'due=yes', 'orders'],
    ['a query that is too long', 'Long', 'x'.repeat(1001), 'orders'],
    ['a NUL in the query', 'Nul', 'q=\u0000', 'orders'],
    ['half a character in the query', 'Half', 'q=\udc00', 'orders'],
    ['no query', 'None', null, 'orders'],
    ['a list that cannot be', 'List', 'due=yes', '../orders'],
  ])('refuse %s', async (_what, name, query, screen) => {
    const before = await kept()
    expect((await save(name, query, clerk, screen)).status).toBe(422)
    expect(await kept()).toEqual(before)
  })
})
