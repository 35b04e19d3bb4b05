// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, it } from 'vitest'
import { renderInPage } from '#site/admin/ui/testing.tsx'
import { CouponBox } from './coupon-box.tsx'
import { RemovedCoupon } from './removed-coupon.tsx'
import type { Checkout } from './use-checkout.ts'

afterEach(cleanup)

function Box() {
  const [coupon, setCoupon] = useState<object | null>({
    code: 'EID10',
    coupon: { kind: 'percentage', percentBp: 1000, maxDiscount: null, value: 0 },
  })
  const couponState = { coupon, error: undefined, busy: false, clear: () => setCoupon(null), dismissError: () => {} }
  const checkout = { couponState, draft: { couponCode: 'EID10' }, lines: [], quote: {} } as unknown as Checkout
  return <CouponBox checkout={checkout} />
}

it('a removed coupon leaves the focus in its field', () => {
  renderInPage(<Box />)
  const remove = screen.getByRole('button', { name: 'Remove coupon' })
  remove.focus()
  fireEvent.click(remove)
  expect(document.activeElement).toBe(screen.getByLabelText('Coupon code'))
})

it.each([
  [null, true, 'Your coupon was removed. Expired.'],
  [null, false, 'Expired.'],
  [{ code: 'EID10' }, false, undefined],
])('steps 2 and 3 name a removed coupon, not one that applies beside a refused code: %o, %s', (coupon, wasRemoved, text) => {
  const checkout = { couponState: { coupon, error: 'Expired.', wasRemoved } } as unknown as Checkout
  renderInPage(<RemovedCoupon checkout={checkout} />)
  expect(screen.queryByRole('alert')?.textContent).toBe(text)
})
