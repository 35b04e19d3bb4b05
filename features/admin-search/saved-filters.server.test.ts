import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { inTransaction } from '#lib/db/db.server.ts'
import { testDb } from '#test/db.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'
import { listSavedFilters, saveFilter, type SavedFilter } from './saved-filters.server.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const [clerk, other, viewer] = [await signedIn(shop, 'sales'), await signedIn(shop, 'sales'), await signedIn(shop, 'viewer')]
afterEach(() => expect(shop.failures).toEqual([]))

const PATH = '/api/admin/saved-filters'
const save = (name: unknown, query: unknown = 'due=yes', who = clerk, screen: unknown = 'orders') => who.post(PATH, { screen, name, query })
const saved = async (id = clerk.id) => (await listSavedFilters(db, id, 'orders')).map(({ name, query }) => [name, query])

describe('saved filters', () => {
  it('belong to one user and one list and have unique names; saving under the same name replaces the filter', async () => {
    expect((await save('Due')).status).toBe(200)
    expect((await save('  Due ', 'due=refund')).status).toBe(200)
    expect((await save('Due', 'source=web', viewer)).status).toBe(200)
    expect((await save('Due', 'kind=animal', clerk, 'products')).status).toBe(200)
    expect(await saved()).toEqual([['Due', 'due=refund']])
    expect(await saved(viewer.id)).toEqual([['Due', 'source=web']])
  })

  it('can be deleted by their owner only', async () => {
    const { filter } = (await save('To go')).body as unknown as { filter: SavedFilter }
    const remove = async (who: Visitor) =>
      (await who.send('DELETE', `${PATH}/${filter.id}`, undefined, { headers: { 'x-csrf-token': await who.token() } })).status
    expect([await remove(other), await remove(clerk), await remove(clerk)]).toEqual([404, 200, 404])
  })

  it('are limited to twenty per list', async () => {
    const responses = []
    for (let at = 1; at <= 21; at += 1) responses.push((await save(`Number ${at}`, 'due=yes', other)).status)
    expect(responses).toEqual([...Array<number>(20).fill(200), 409])
    expect((await save('Number 1', 'due=refund', other)).status).toBe(200)
  })

  it('saved at the same time stay within the limit', async () => {
    const filter = (at: number) => ({ screen: 'orders', name: `Number ${at}`, query: 'due=yes' })
    const { id } = await signedIn(shop, 'sales')
    for (let at = 1; at <= 19; at += 1) await saveFilter(db, id, filter(at))
    let late: Promise<unknown> | undefined
    await inTransaction(db, async (tx) => {
      expect(await saveFilter(tx, id, filter(20))).toMatchObject({ name: 'Number 20' })
      late = saveFilter(db, id, filter(21))
      await Promise.race([late, sleep(300)])
    })
    expect(await late).toBeNull()
  })

  it.each([
    ['no name', '', 'due=yes', 'orders'],
    ['a name of invisible blanks', '\u200b\u200b ', 'due=yes', 'orders'],
    ['a name that is too long', 'x'.repeat(61), 'due=yes', 'orders'],
    ['a NUL in the name', 'a\u0000b', 'due=yes', 'orders'],
    ['half a character in the name', 'a\ud800', 'due=yes', 'orders'],
    ['a name that is not a string', { a: 1 }, 'due=yes', 'orders'],
    ['a query that is too long', 'Long', 'x'.repeat(1001), 'orders'],
    ['a NUL in the query', 'Nul', 'q=\u0000', 'orders'],
    ['half a character in the query', 'Half', 'q=\udc00', 'orders'],
    ['no query', 'None', null, 'orders'],
    ['an invalid list name', 'List', 'due=yes', '../orders'],
  ])('reject %s', async (_what, name, query, screen) => {
    const before = await saved()
    expect((await save(name, query, clerk, screen)).status).toBe(422)
    expect(await saved()).toEqual(before)
  })
})
