// @vitest-environment happy-dom
import { render, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { AppRoot } from '#page/page-context.tsx'
import { cleanUpAfterEach, PAGE } from '../ui/testing.tsx'
import { Page, type Props } from './dashboard.page.tsx'
import { FirstSteps } from './first-steps.tsx'

cleanUpAfterEach()

it.each([
  ['manager', true, '/admin/orders/create'],
  ['cashier', false, '/admin/quick-orders'],
  ['weigher', false, '/admin/weigh-ins'],
  ['viewer', false, null],
])('a %s of a new shop has something to begin with', (role, canOrder, href) => {
  render(
    <AppRoot shell={{ ...PAGE, user: { id: 1, name: 'Rahim', role } }}>
      <FirstSteps steps={[]} canOrder={canOrder} />
    </AppRoot>,
  )
  expect(screen.queryByRole('link')?.getAttribute('href') ?? null).toBe(href)
})

it.each([
  [false, 1],
  [true, 0],
])('the address of a shop is shared once visitors may enter (closed: %s)', (isClosed, shown) => {
  render(
    <AppRoot shell={{ ...PAGE, isClosed }}>
      <FirstSteps steps={[]} canOrder />
    </AppRoot>,
  )
  expect(screen.queryAllByText(/Share the shop’s address/)).toHaveLength(shown)
})

it('a cashier without tasks goes on to the POS', () => {
  const props = { today: '2026-12-01', tasks: [], low: [], load: [], sales: null, notReminded: 0, smsLimitReached: null, start: null }
  render(
    <AppRoot shell={{ ...PAGE, user: { id: 1, name: 'Rahim', role: 'cashier' } }}>
      <Page {...(props as unknown as Props)} />
    </AppRoot>,
  )
  const link = within(screen.getByRole('main')).queryByRole('link')
  expect(link?.getAttribute('href')).toBe('/admin/quick-orders')
})
