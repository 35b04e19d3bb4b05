// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { StaffRole } from '#features/auth/permissions.ts'
import { AppRoot } from '#page/page-context.tsx'
import { cleanUpAfterEach, PAGE } from '../admin/ui/testing.tsx'
import { Page, type Props } from './pos.page.tsx'

cleanUpAfterEach()

const NO_SHIFT = { registers: [], isOpen: false, shiftId: null, openSince: null } as unknown as Props
const POS = '/admin/quick-orders'

beforeEach(() => void vi.stubGlobal('isSecureContext', true))
afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

it.each<[StaffRole, string[]]>([
  ['manager', [`${POS}/sales`, `${POS}/shifts`, `${POS}/code`]],
  ['cashier', [`${POS}/sales`, `${POS}/shifts`]],
  ['viewer', [`${POS}/shifts`]],
])('without an open shift a %s finds the pages of the POS that need none', (role, pages) => {
  render(
    <AppRoot shell={{ ...PAGE, path: POS, user: { id: 1, name: 'Rahim', role } }}>
      <Page {...NO_SHIFT} />
    </AppRoot>,
  )
  const shown = screen.getAllByRole('link').map((link) => link.getAttribute('href')!)
  expect(shown.filter((href) => href.startsWith(`${POS}/`))).toEqual(pages)
})

it('over plain http the page says that it needs https', () => {
  vi.stubGlobal('isSecureContext', false)
  render(
    <AppRoot shell={{ ...PAGE, path: POS, user: { id: 1, name: 'Rahim', role: 'cashier' } }}>
      <Page {...NO_SHIFT} isOpen shiftId={1} />
    </AppRoot>,
  )
  expect(screen.getByRole('alert').textContent).toMatch(/only on https pages/)
})

it.each<[StaffRole, boolean]>([
  ['cashier', true],
  ['viewer', false],
])('the page of a %s registers the worker, which fetches the customer display: %s', (role, expected) => {
  const register = vi.fn<() => Promise<object>>(() => new Promise(() => {}))
  vi.stubEnv('PROD', true)
  vi.stubGlobal('navigator', { userAgent: '', serviceWorker: { register } })
  render(
    <AppRoot shell={{ ...PAGE, path: POS, user: { id: 1, name: 'Rahim', role } }}>
      <Page {...NO_SHIFT} />
    </AppRoot>,
  )
  expect(register.mock.calls.length > 0).toBe(expected)
})
