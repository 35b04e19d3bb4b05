// @vitest-environment happy-dom
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it } from 'vitest'
import { AppRoot } from '#page/page-context.tsx'
import { cleanUpAfterEach, PAGE, stubServer } from '../../admin/ui/testing.tsx'
import { useCoupon } from './use-coupon.ts'

cleanUpAfterEach()

const wrapper = ({ children }: { children: ReactNode }) => <AppRoot shell={PAGE}>{children}</AppRoot>
const ITEM = { productId: 1, quantity: 1 } as never

it.each<[string, { status: number; body: object } | null, (string | null)[]]>([
  ['a lost answer', null, []],
  ['too many requests', { status: 429, body: { message: 'Too many attempts.' } }, []],
  ['a token of another user', { status: 403, body: { message: 'Reload the page.' } }, []],
  ['a server error', { status: 500, body: { message: 'Error.' } }, []],
  ['an expired coupon', { status: 400, body: { error: 'The coupon has expired.' } }, [null]],
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
  const order = { code: 'EID10', coupon_percentage: 10, coupon_discount_type: 'percentage', applies_to_all: true, applicable_products: [] }
  stubServer({ status: 200, body: { order } }, { status: 400, body: { error: 'The coupon has expired.' } })
  let code: string | null = null
  const onCode = (next: string | null) => void (code = next)
  const { result } = renderHook(() => useCoupon({ isSignedIn: true, items: [ITEM], code, onCode, ready: true }), { wrapper })
  await act(() => result.current.apply('EID10'))
  expect(result.current.coupon?.code).toBe('EID10')
  await act(() => result.current.apply('NABANNO'))
  expect(result.current).toMatchObject({ error: 'The coupon has expired.', requestedCode: 'EID10' })
  expect(code).toBe('EID10')
})
