import { expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { openShop } from '#test/request.ts'

const { url } = await testDb()
const shop = await openShop({ databaseUrl: url })

it('pages forbid proxies to rewrite them, also from the cache; what is no page does not', async () => {
  const caching = async (path: string) => (await shop.get(path, { accept: 'text/html' })).headers['cache-control']
  for (const page of ['/', '/', '/cart', '/nowhere', '/login'])
    expect([page, await caching(page)]).toEqual([page, expect.stringContaining(', no-transform')])
  for (const other of ['/api/products', '/sitemap.xml', '/shop-worker.js'])
    expect([other, await caching(other)]).toEqual([other, expect.not.stringContaining('no-transform')])
})

it('every click on an advertisement gets the same page, whatever it adds to the address', async () => {
  const pages = ['/about?fbclid=IwAR0', '/about?fbclid=IwAR1&utm_source=facebook', '/about'].map((path) =>
    shop.get(path, { accept: 'text/html' }),
  )
  const [first, ...others] = await Promise.all(pages)
  expect(first!.status).toBe(200)
  for (const other of others) expect(other.headers.etag).toBe(first!.headers.etag)
})
