// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { AppRoot } from '#page/page-context.tsx'
import { cleanUpAfterEach, PAGE } from '../ui/testing.tsx'
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
