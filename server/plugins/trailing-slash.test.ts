import { afterAll, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { openShop } from '#test/request.ts'

// Addresses that people type or cut with a slash at their end.

const { url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(() => expect(shop.failures).toEqual([]))

const open = async (path: string, accept = 'text/html') => {
  const { status, headers } = await shop.get(path, { accept })
  return [status, headers.location ?? null]
}

it.each([
  ['/beef/', '/beef'],
  ['/cart//', '/cart'],
  ['/kurbani/?minPrice=110000&maxPrice=137500', '/kurbani?minPrice=110000&maxPrice=137500'],
  ['/product/1/', '/product/1'],
  ['/admin/orders/', '/admin/orders'],
])('%s is the page %s', async (path, page) => {
  expect(await open(path)).toEqual([308, page])
})

it('a tracking address without its code leads to the form', async () => {
  expect(await open('/track/')).toEqual([303, '/track'])
})

it.each(['//evil.example/', '/\\evil.example/', '/.//evil.example/', '//evil.example/%2f../'])(
  '%s leads to no other site',
  async (path) => {
    const [, location] = await open(path)
    expect(String(location)).not.toMatch(/evil/)
  },
)

it.each([
  ['/nothing', 'text/html'],
  ['/api/products/', 'text/html'],
  ['/beef/', 'application/json'],
])('%s for %s is not found', async (path, accept) => {
  expect(await open(path, accept)).toEqual([404, null])
})

it('a slash at the end sends nothing anywhere', async () => {
  expect((await shop.post('/customer-orders/', {})).status).toBe(404)
})
