// @vitest-environment happy-dom
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it, vi } from 'vitest'
import { AppRoot } from '#page/page-context.tsx'
import { cleanUpAfterEach, PAGE, stubServer } from '../../admin/ui/testing.tsx'
import { useCoupon } from './use-coupon.ts'

cleanUpAfterEach()

const wrapper = ({ children }: { children: ReactNode }) => <AppRoot shell={PAGE}>{children}</AppRoot>
const ITEM = { productId: 1, quantity: 1 } as never
const ORDER = { code: 'EID10', coupon_percentage: 10, coupon_discount_type: 'percentage', applies_to_all: true, applicable_products: [] }
const APPLIES = { status: 200, body: { order: ORDER } }
const EXPIRED = { status: 400, body: { error: 'The coupon has expired.' } }

it.each<[string, { status: number; body: object } | null, (string | null)[]]>([
  ['a lost answer', null, []],
  ['too many requests', { status: 429, body: { message: 'Too many attempts.' } }, []],
  ['a token of another user', { status: 403, body: { message: 'Reload the page.' } }, []],
  ['a server error', { status: 500, body: { message: 'Error.' } }, []],
  ['an expired coupon', EXPIRED, [null]],
])('a stored code meets %s', async (_what, answer, codes) => {
  const sent = stubServer(answer)
  const stored: (string | null)[] = []
  const onCode = (code: string | null) => void stored.push(code)
  renderHook(() => useCoupon({ isSignedIn: true, items: [ITEM], code: 'EID10', onCode, ready: true }), { wrapper })
  await waitFor(() => expect(sent.map(({ url }) => url)).toContain('/coupons/validate'))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(stored).toEqual(codes)
})

it('a code that is refused leaves the coupon that is applied', async () => {
  stubServer(APPLIES, EXPIRED)
  let code: string | null = null
  const onCode = (next: string | null) => void (code = next)
  const { result } = renderHook(() => useCoupon({ isSignedIn: true, items: [ITEM], code, onCode, ready: true }), { wrapper })
  await act(() => result.current.apply('EID10'))
  expect(result.current.coupon?.code).toBe('EID10')
  await act(() => result.current.apply('NABANNO'))
  expect(result.current).toMatchObject({ error: 'The coupon has expired.', requestedCode: 'EID10' })
  expect(code).toBe('EID10')
})

it.each<[string, { status: number; body: object }, object]>([
  ['still applies', APPLIES, { coupon: { code: 'EID10' }, error: 'The coupon has expired.' }],
  ['does not apply', { status: 400, body: { error: 'The cart is too small.' } }, { coupon: null, error: 'The cart is too small.' }],
])('a refused code does not end the check of the coupon for a changed cart: it %s', async (_what, answer, state) => {
  const answers = [Promise.resolve(APPLIES), new Promise<never>(() => {}), Promise.resolve(EXPIRED), Promise.resolve(answer)]
  const codes: string[] = []
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    codes.push((JSON.parse(String(init.body)) as { code: string }).code)
    const { status, body } = await answers.shift()!
    return Response.json(body, { status })
  })
  let code: string | null = 'EID10'
  const onCode = (next: string | null) => void (code = next)
  const { result, rerender } = renderHook(({ items }) => useCoupon({ isSignedIn: true, items, code, onCode, ready: true }), {
    wrapper,
    initialProps: { items: [ITEM] },
  })
  await waitFor(() => expect(result.current.coupon?.code).toBe('EID10'))
  rerender({ items: [{ productId: 1, quantity: 2 } as never] })
  await waitFor(() => expect(codes).toHaveLength(2))
  await act(() => result.current.apply('NABANNO'))
  await waitFor(() => expect(codes).toEqual(['EID10', 'EID10', 'NABANNO', 'EID10']))
  await waitFor(() => expect(result.current).toMatchObject(state))
})

it.each<[string, { status: number; body: object } | null, string | null, object]>([
  ['typed code gets no answer', null, null, { error: 'An error occurred while applying the coupon', wasRemoved: false }],
  ['typed code is refused', EXPIRED, null, { error: 'The coupon has expired.', wasRemoved: false }],
  ['stored code is refused', EXPIRED, 'EID10', { error: 'The coupon has expired.', wasRemoved: true }],
])('a coupon is said to be removed only where it was there: a %s', async (_what, answer, code, state) => {
  stubServer(answer)
  const options = { isSignedIn: true, items: [ITEM], code, onCode: () => {}, ready: code !== null }
  const { result } = renderHook(() => useCoupon(options), { wrapper })
  if (code === null) await act(() => result.current.apply('EID10'))
  await waitFor(() => expect(result.current).toMatchObject(state))
})
