// @vitest-environment happy-dom
import '#messages/en-account.ts'
import { fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { PAGE_CACHE } from '#features/pos/storage-names.ts'
import { AppRoot } from '#page/page-context.tsx'
import { cleanUpAfterEach, PAGE } from '../../admin/ui/testing.tsx'
import { Page } from './security.page.tsx'

cleanUpAfterEach()
afterEach(() => void vi.unstubAllGlobals())

const device = { browser: 'Chrome', system: null, since: '2026-11-20T06:00:00Z', lastSeen: '2026-11-20T06:00:00Z' }
const devices = [
  { ...device, id: 1, isThis: true },
  { ...device, id: 2, isThis: false },
]

it.each([
  ['this device deletes its cached POS page', 0, [[PAGE_CACHE]]],
  ['another device does not', 1, []],
])('signing out %s', (_name, index, deleted) => {
  const remove = vi.fn<(name: string) => Promise<boolean>>(async () => true)
  vi.stubGlobal('caches', { delete: remove })
  render(
    <AppRoot shell={{ ...PAGE, path: '/account/security' }}>
      <Page name="Rahim" phone="01711000004" email={null} hasPassword factor={null} devices={devices} done={null} />
    </AppRoot>,
  )
  fireEvent.submit(screen.getAllByRole('button', { name: /^Log out/ })[index]!.closest('form')!)
  expect(remove.mock.calls).toEqual(deleted)
})
