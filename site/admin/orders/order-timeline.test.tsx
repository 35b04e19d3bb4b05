// @vitest-environment happy-dom
import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import '#messages/bn-admin.ts'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { AppRoot } from '#page/page-context.tsx'
import { cleanUpAfterEach, PAGE } from '../ui/testing.tsx'
import { OrderTimeline } from './order-timeline.tsx'

cleanUpAfterEach()

it('says what an edit changed in the words of the page', () => {
  const detail = {
    areaId: { from: 1, to: null },
    isCollection: { from: false, to: true },
    listOn: { from: '2020-11-30', to: '2021-12-01' },
    shipping: { from: 60, to: 0 },
    lines: { from: ['Mango: 1 × 120'], to: ['Mango: 2.5 × 120'] },
    phone: { from: '01911000022', to: '01926000001' },
  }
  const order = { id: 7, events: [{ id: 1, kind: 'edited', at: '2026-11-28T04:00:00Z', by: 'Rahima', actor: 'staff', detail }] }
  const areas = [{ id: 1, area_name: 'উত্তরা' }]
  const { container } = render(
    <AppRoot shell={{ ...PAGE, lang: 'bn' }}>
      <OrderTimeline order={order as unknown as AdminOrder} areas={areas} />
    </AppRoot>,
  )
  const changes = [...container.querySelectorAll('ol ul li')].map((row) => [...row.children].map((part) => part.textContent))
  expect(changes).toEqual([
    ['এলাকা: ', 'উত্তরা', '–'],
    ['খামার থেকে সংগ্রহ: ', 'না', 'হ্যাঁ'],
    ['ডেলিভারির তারিখ: ', '৩০ নভেম্বর ২০২০', '১ ডিসেম্বর ২০২১'],
    ['ডেলিভারি চার্জ: ', '৳৬০', '৳০'],
    ['পণ্য: ', 'Mango: ১ × ১২০', 'Mango: ২.৫ × ১২০'],
    ['ফোন: ', '01911000022', '01926000001'],
  ])
})

it.each([
  ['payment-failed', 'failed', ''],
  ['payment-cancelled', 'cancelled', ''],
  ['payment-failed', 'expired', 'সময়মতো শেষ হয়নি'],
  ['payment-failed', 'Insufficient Balance', 'Insufficient Balance'],
  ['refund-failed', 'declined', '৳৫০০ · বিকাশ · গেটওয়ে গ্রহণ করেনি'],
  // A person may write this word.
  ['status', 'failed', 'failed'],
])('the event %s with the reason %s shows "%s"', (kind, reason, shown) => {
  const detail = { reason, ...(kind === 'refund-failed' ? { amount: 500, method: 'bkash' } : {}) }
  const order = { id: 7, events: [{ id: 1, kind, at: '2026-11-28T04:00:00Z', by: null, actor: 'gateway', detail }] }
  const { container } = render(
    <AppRoot shell={{ ...PAGE, lang: 'bn' }}>
      <OrderTimeline order={order as unknown as AdminOrder} areas={[]} />
    </AppRoot>,
  )
  expect([...container.querySelectorAll('p.wrap-anywhere')].map((line) => line.textContent)).toEqual(shown === '' ? [] : [shown])
})

it.each([
  [2500, 'BF-7 · ২৫০ কেজি → ২৫৫ কেজি · ৳২৫ বেশি দিতে হবে'],
  [-2500, 'BF-7 · ২৫০ কেজি → ২৫৫ কেজি · ৳২৫ কম দিতে হবে'],
  [0, 'BF-7 · ২৫০ কেজি → ২৫৫ কেজি'],
])('a settlement of %d poisha says the animal, its weights and the amount', (difference, shown) => {
  const detail = { tag: 'BF-7', oldGrams: 250_000, newGrams: 255_000, ratePoisha: 50_000, difference, due: 100 }
  const order = { id: 7, events: [{ id: 1, kind: 'settled', at: '2026-11-28T04:00:00Z', by: null, actor: 'staff', detail }] }
  const { container } = render(
    <AppRoot shell={{ ...PAGE, lang: 'bn' }}>
      <OrderTimeline order={order as unknown as AdminOrder} areas={[]} />
    </AppRoot>,
  )
  expect(container.querySelector('p.wrap-anywhere')?.textContent).toBe(shown)
})
