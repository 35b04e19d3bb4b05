import { expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { openShop } from '#test/request.ts'

const { url } = await testDb()
const shop = await openShop({ databaseUrl: url })

const FILTER_TEXT = 'No products match this filter'

it('a list without products leads home, and a filter without products to its whole list', async () => {
  const links = async (path: string) => {
    const { text } = await shop.get(path)
    expect(text).toContain('No products found')
    return [text.includes(FILTER_TEXT), /<a[^>]*href="([^"]*)"[^>]*>View all/.exec(text)?.[1] ?? null]
  }
  expect(await links('/beef')).toEqual([false, '/'])
  expect(await links('/beef?sort=asc')).toEqual([false, '/'])
  expect(await links('/')).toEqual([false, null])
  expect(await links('/beef?minPrice=100')).toEqual([true, '/beef'])
})
