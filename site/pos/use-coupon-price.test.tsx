// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest'
import { poisha } from '#lib/format/money.ts'
import { cleanUpAfterEach, renderInPage } from '../admin/ui/testing.tsx'
import { NO_CODE } from './sale-coupon.ts'
import { newSale, type Sale } from './sale.ts'
import { useCouponPrice } from './use-coupon-price.ts'

cleanUpAfterEach()

const LINE = { id: 1, name: 'Mango', unit: 'kg', price: poisha(14_500), quantity: '1', image: null, isAnimal: false } as const

it.each([
  [502, '<html>Bad Gateway</html>', 'An error occurred while applying the coupon'],
  [422, '{"message":"This coupon has ended."}', 'This coupon has ended.'],
])('an answer of status %d to a coupon is told', async (status, text, message) => {
  vi.stubGlobal('fetch', async () => new Response(text, { status }))
  const sale: Sale = {
    ...newSale('k1'),
    lines: [{ ...LINE, group: 'produce', shipping: poisha(0) }],
    phone: '01712345678',
    coupon: { ...NO_CODE, code: 'EID', pricedFor: '' },
  }
  let shown: ReturnType<typeof useCouponPrice> | undefined
  const Probe = () => {
    shown = useCouponPrice(sale, () => {})
    return null
  }
  renderInPage(<Probe />)
  await expect.poll(() => shown?.rejection).toBe(message)
  expect(shown?.busy).toBe(false)
})
