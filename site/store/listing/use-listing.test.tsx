// @vitest-environment happy-dom
import { renderHook, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { DEFAULT_LISTING } from '#features/catalog/listing-query-rules.ts'
import type { ListingJson } from '#features/catalog/types.ts'
import { AppRoot } from '#page/page-context.tsx'
import { cleanUpAfterEach, PAGE, stubServer } from '../../admin/ui/testing.tsx'
import { useListing } from './use-listing.ts'

cleanUpAfterEach()
afterEach(() => history.replaceState(null, '', '/'))

const listing = (currentPage: number, lastPage: number, ids: number[]) =>
  ({
    products: ids.map((id) => ({ id })),
    filters: [],
    pagination: { from: 1, to: 1, total: 20 * lastPage, lastPage, currentPage },
    minPrice: 0,
    maxPrice: 0,
  }) as unknown as ListingJson

const SOURCE = { path: '/beef', api: '/api/products', category: 'beef' } as const

it('a page that the list no longer has is its last one, with the same filters', async () => {
  const query = { ...DEFAULT_LISTING, sex: 'ox', page: 2 }
  const sent = stubServer({ status: 200, body: listing(3, 2, []) }, { status: 200, body: listing(2, 2, [7]) })
  const { result } = renderHook(() => useListing(SOURCE, { listing: listing(2, 3, [5]), query }), {
    wrapper: ({ children }) => <AppRoot shell={PAGE}>{children}</AppRoot>,
  })
  result.current.go({ ...query, page: 3 })
  await waitFor(() => expect(result.current.listing.products).toMatchObject([{ id: 7 }]))
  expect([result.current.state, result.current.query]).toEqual(['ready', query])
  expect(location.search).toBe('?sex=ox&page=2')
  expect(sent.map(({ url }) => new URL(url, 'http://shop').searchParams.get('page'))).toEqual(['3', '2'])
})

it('Back reads the first of a repeated filter, as the server does', async () => {
  const sent = stubServer({ status: 200, body: listing(1, 1, [7]) })
  const { result } = renderHook(() => useListing(SOURCE, { listing: listing(1, 1, [5]), query: { ...DEFAULT_LISTING, sex: 'ox' } }), {
    wrapper: ({ children }) => <AppRoot shell={PAGE}>{children}</AppRoot>,
  })
  result.current.go({ ...DEFAULT_LISTING, sex: 'bull' })
  await waitFor(() => expect(result.current.query.sex).toBe('bull'))
  history.replaceState(null, '', '/beef?sex=ox&sex=cow')
  dispatchEvent(new PopStateEvent('popstate'))
  await waitFor(() => expect(result.current.query.sex).toBe('ox'))
  expect(result.current.listing.products).toMatchObject([{ id: 5 }])
  expect(sent).toHaveLength(1)
})
