// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import '#messages/en-account.ts'
import { AppRoot, type PageContextValue } from '#page/page-context.tsx'
import type { ProductJson, StatusUpdate } from '../types.ts'
import { REFRESH_MS } from './status-refresh.ts'
import { useStatusRefresh } from './use-status-refresh.ts'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const PAGE = { lang: 'en', path: '/beef' } as PageContextValue
const wrapper = ({ children }: { children: ReactNode }) => <AppRoot shell={PAGE}>{children}</AppRoot>
const productOf = (id: number, status: ProductJson['status']) =>
  ({
    id,
    status,
    product_type: `Bull ${id}`,
    price: 100,
    discount: null,
    discount_type: null,
    note: '',
    delivery_date: null,
  }) as ProductJson

it('a product that the staff hid while the list is open cannot be ordered, a sold one stays sold', async () => {
  vi.useFakeTimers()
  let listed: StatusUpdate[] = [{ id: 1, status: 'in-stock', price: 100 }]
  vi.stubGlobal('fetch', async () => Response.json({ products: listed }))
  const products = [productOf(1, 'in-stock'), productOf(2, 'in-stock'), productOf(3, 'sold')]
  const { result } = renderHook(() => useStatusRefresh(products), { wrapper })
  const statuses = () => result.current.products.map(({ status }) => status)
  const pass = () => act(() => vi.advanceTimersByTimeAsync(REFRESH_MS))
  await pass()
  expect(statuses()).toEqual(['in-stock', 'out-of-stock', 'sold'])
  expect(result.current.news).toBe('Bull 2: now Out of stock')
  listed = [1, 2].map((id) => ({ id, status: 'in-stock', price: 100 }))
  await pass()
  expect(statuses()).toEqual(['in-stock', 'in-stock', 'sold'])
})
