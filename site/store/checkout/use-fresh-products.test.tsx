// @vitest-environment happy-dom
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it, vi } from 'vitest'
import { AppRoot } from '#page/page-context.tsx'
import { cleanUpAfterEach, PAGE } from '../../admin/ui/testing.tsx'
import { useFreshProducts } from './use-fresh-products.ts'

cleanUpAfterEach()

/** Before the next refresh after ten seconds. */
const AT_ONCE = { timeout: 5000 }

const wrapper = ({ children }: { children: ReactNode }) => <AppRoot shell={PAGE}>{children}</AppRoot>
const product = (id: number) => ({ id, price: 100, discount: 0, discount_type: null, status: 'in-stock', note: '', delivery_date: null })

/** A shop whose answers about statuses wait until `release`. */
function slowShop() {
  const urls: string[] = []
  let waiting: (() => void)[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    urls.push(url.split('&lang')[0]!.split('?lang')[0]!)
    const single = /\/api\/products\/(\d+)/.exec(url)
    if (single) return Response.json(product(Number(single[1])))
    const ids = new URL(url, 'https://khamar.example').searchParams.get('productIds')!.split(',').map(Number)
    await new Promise<void>((resolve) => waiting.push(resolve))
    return Response.json({ products: ids.map(product) })
  })
  const release = () =>
    act(async () => {
      for (const resolve of waiting.splice(0)) resolve()
    })
  return { urls, release, hasWaiting: () => waiting.length > 0 }
}

it('a reload during a refresh follows it at once', async () => {
  const shop = slowShop()
  const { result } = renderHook(() => useFreshProducts([1], true), { wrapper })
  await waitFor(() => expect(shop.hasWaiting()).toBe(true))
  await shop.release()
  await waitFor(() => expect(result.current.fresh.has(1)).toBe(true))
  document.dispatchEvent(new Event('visibilitychange'))
  await waitFor(() => expect(shop.hasWaiting()).toBe(true))
  act(() => result.current.reload())
  await shop.release()
  await waitFor(() => expect(shop.hasWaiting()).toBe(true), AT_ONCE)
  await shop.release()
  await waitFor(() => expect(shop.urls.filter((url) => url === '/api/products/1')).toHaveLength(2))
})

it('a product that comes into the cart during a refresh is loaded after it', async () => {
  const shop = slowShop()
  const { result, rerender } = renderHook(({ ids }) => useFreshProducts(ids, true), { wrapper, initialProps: { ids: [1] } })
  await waitFor(() => expect(shop.hasWaiting()).toBe(true))
  rerender({ ids: [1, 2] })
  await shop.release()
  await waitFor(() => expect(shop.hasWaiting()).toBe(true), AT_ONCE)
  await shop.release()
  await waitFor(() => expect([...result.current.fresh.keys()]).toEqual([1, 2]))
})
